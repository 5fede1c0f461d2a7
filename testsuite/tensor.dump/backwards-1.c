/* Rows that go backwards are loaded and turned round in the tail of a loop, too,
   where few lanes are left: nothing gathers.  */
/* { dg-do compile } */
/* { dg-additional-options "-O2 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -fno-openmp" } */
/* { dg-final { scan-assembler-not "\tv(p|)gather" } } */

void
correlate (int n, int lags, const float *restrict x, float *restrict r)
{
#pragma tensor
  for (int l = 0; l < lags; l++)
    {
      float sum = 0;
      for (int i = l; i < n; i++)
        sum += x[i] * x[i - l];
      r[l] = sum;
    }
}
