/* A command line that is wrong is an error that names the key.  */
/* { dg-tensor-opts "dump" } */
/* { dg-error "missing value of \[^\n\]*dump" "the option" { target *-*-* } 0 } */

int x;
