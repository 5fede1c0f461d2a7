/* A command line that is wrong is an error that names the key.  */
/* { dg-tensor-opts "cuda-arch=sm_90" } */
/* { dg-error "cuda-arch\[^\n\]* is not there yet" "the option" { target *-*-* } 0 } */

int x;
