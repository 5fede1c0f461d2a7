/* What subscripts that are computed find is gathered at once where the machine
   can: they would be taken out of their vector again.  */
/* { dg-do compile } */
/* { dg-additional-options "-O3 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -fno-openmp" } */
/* { dg-final { scan-assembler "\tvgather" } } */

void
ring (int n, float *restrict a, const float *restrict b)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    a[i] += b[i % 8];
}
