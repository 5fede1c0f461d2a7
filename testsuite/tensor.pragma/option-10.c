/* A command line that is wrong is an error that names the key.  */
/* { dg-tensor-opts "banana" } */
/* { dg-error "unrecognized option \[^\n\]*banana" "the option" { target *-*-* } 0 } */

int x;
