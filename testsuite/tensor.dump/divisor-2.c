/* Quotients by what is the same for all iterations are no hazard under a
   condition: a guard says that the divisor is more than 0, and the one of the
   row is taken once.  What moves evenly is compared, and divided by constants,
   in lanes as wide as the elements.  */
/* { dg-tensor-opts "dump=common" } */
/* { dg-final { scan-tns-dump common "guard 1i32 <= i32\\(m\\);" } } */
/* { dg-final { scan-tns-dump common "splat:i32x8\\(i32\\(i(_\[0-9\]+)?\\) / i32\\(n\\)" } } */
/* { dg-final { scan-tns-dump common "iota:i64x8\\(i(_\[0-9\])? \\+ j(_\[0-9\])? - n\\) == splat:i64x8\\(0\\) \\|\\| .*u32x8\\(0u32\\)" } } */
/* { dg-final { scan-tns-dump common "iota:i32x8\\(0i32\\) \\* splat:i32x8\\(3i32\\)" } } */

void
f (int n, int m, int *restrict x, const int *restrict y)
{
#pragma tensor /* { dg-optimized "simd 8" } */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (y[i * m + j] > 3)
        x[i * m + j] = j / m + i / n;
}

void
g (int n, int m, int *restrict x)
{
#pragma tensor /* { dg-optimized "simd 8" } */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (i + j == n || j % 3 == 1)
        x[i * m + j] += 4;
#pragma tensor /* { dg-optimized "simd 8" } */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (3 * j > 2 * i + m || j % 3 == 1)
        x[i * m + j] += 4;
}
