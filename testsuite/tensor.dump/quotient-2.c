/* Quotients of lanes are divided where that takes no longer.  */
/* { dg-do compile } */
/* { dg-additional-options "-O3 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mtune=znver2" } */
/* { dg-final { scan-assembler-not "vrcp14ps" } } */
/* { dg-final { scan-assembler "vdivps\[^\n\]*zmm" } } */

void
divide (int n, float z, float *restrict x, const float *restrict y)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    x[i] = x[i] / y[i];
}
