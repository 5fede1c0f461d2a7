/* Quotients by one number are two products.  */
/* { dg-do compile } */
/* { dg-additional-options "-O3 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mtune=znver2" } */
/* { dg-final { scan-assembler "vfn?m\[^\n\]*ps\[^\n\]*zmm" } } */

void
divide (int n, float z, float *restrict x, const float *restrict y)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    x[i] = y[i] / z;
}
