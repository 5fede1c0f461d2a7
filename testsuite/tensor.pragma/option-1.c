/* A command line that is wrong is an error that names the key.  */
/* { dg-tensor-opts "reprot=all" } */
/* { dg-error "unrecognized option \[^\n\]*reprot.; did you mean \[^\n\]*report" "the option" { target *-*-* } 0 } */

int x;
