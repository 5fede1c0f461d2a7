/* A command line that is wrong is an error that names the key.  */
/* { dg-tensor-opts "target=cuda" } */
/* { dg-error "target.cuda\[^\n\]* is not there yet" "the option" { target *-*-* } 0 } */

int x;
