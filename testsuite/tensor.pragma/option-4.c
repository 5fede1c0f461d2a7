/* A command line that is wrong is an error that names the key.  */
/* { dg-tensor-opts "budget=many" } */
/* { dg-error "invalid value .many" "the option" { target *-*-* } 0 } */

int x;
