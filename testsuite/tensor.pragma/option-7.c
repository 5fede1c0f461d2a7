/* A command line that is wrong is an error that names the key.  */
/* { dg-tensor-opts "target=gpu" } */
/* { dg-error "invalid value .gpu. of .-fplugin-arg-tensor-target=" "the option" { target *-*-* } 0 } */

int x;
