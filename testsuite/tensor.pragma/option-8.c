/* A command line that is wrong is an error that names the key.  */
/* { dg-tensor-opts "check=1" } */
/* { dg-error "check\[^\n\]* takes no value" "the option" { target *-*-* } 0 } */

int x;
