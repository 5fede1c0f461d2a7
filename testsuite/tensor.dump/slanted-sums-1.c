/* Sums that begin and end elsewhere for each result run along their terms:
   lanes of neighbouring results share few of these.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-tns-dump plan "^simd k in S2: \\d+$" } } */
/* { dg-final { scan-tns-dump-not plan "kernel" } } */

void
f (int n, int m, const float *restrict a, const float *restrict b,
   float *restrict o)
{
#pragma tensor
  for (int i = 0; i < n + m - 1; i++)
    {
      float s = 0;
      int lo = i < m ? 0 : i - m + 1, hi = i < n ? i : n - 1;
      for (int k = lo; k <= hi; k++)
        s += a[k] * b[i - k];
      o[i] = s;
    }
}
