/* Devices are named as nvcc names them, or none.  */
/* { dg-tensor-opts "cuda-arch=sm_90,90" } */
/* { dg-error "invalid value .sm_90,90. of .-fplugin-arg-tensor-cuda-arch=., which takes sm_90" "the option" { target *-*-* } 0 } */

int x;
