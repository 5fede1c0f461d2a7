/* Quotients of lanes are made of estimates.  */
/* { dg-do compile } */
/* { dg-additional-options "-O3 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mtune=skylake-avx512" } */
/* { dg-final { scan-assembler "vrcp14ps" } } */

void
divide (int n, float z, float *restrict x, const float *restrict y)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    x[i] = x[i] / y[i];
}
