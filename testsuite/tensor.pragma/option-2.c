/* A command line that is wrong is an error that names the key.  */
/* { dg-tensor-opts "report=mised" } */
/* { dg-error "invalid value .mised. of \[^\n\]*; did you mean .missed" "the option" { target *-*-* } 0 } */

int x;
