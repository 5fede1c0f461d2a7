/* Under the user's -freciprocal-math quotients by one number are one product.  */
/* { dg-do compile } */
/* { dg-additional-options "-O3 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mtune=znver2 -freciprocal-math" } */
/* { dg-final { scan-assembler-not "vfn?m\[^\n\]*ps\[^\n\]*zmm" } } */
/* { dg-final { scan-assembler "vmulps\[^\n\]*zmm" } } */

void
divide (int n, float z, float *restrict x, const float *restrict y)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    x[i] = y[i] / z;
}
