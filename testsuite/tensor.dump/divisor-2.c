/* Quotients by what is the same for all iterations are no hazard under a
   condition: a guard says that the divisor is more than 0, and the one of the
   row is taken once.  */
/* { dg-tensor-opts "dump=common" } */
/* { dg-final { scan-tns-dump common "guard 1i32 <= i32\\(m\\);" } } */
/* { dg-final { scan-tns-dump common "splat:i32x8\\(i32\\(i(_\[0-9\]+)?\\) / i32\\(n\\)" } } */

void
f (int n, int m, int *restrict x, const int *restrict y)
{
#pragma tensor /* { dg-optimized "simd 8" } */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (y[i * m + j] > 3)
        x[i * m + j] = j / m + i / n;
}
