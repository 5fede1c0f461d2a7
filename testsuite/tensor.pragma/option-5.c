/* A command line that is wrong is an error that names the key.  */
/* { dg-tensor-opts "gemm=blas" } */
/* { dg-error "gemm\[^\n\]* is not there yet" "the option" { target *-*-* } 0 } */

int x;
