/* The lanes of the sums of neighbouring rows are added up together.  */
/* { dg-additional-options "-fdump-tree-gimple=sums-1.gimple" } */
/* { dg-final { scan-file sums-1.gimple "VEC_PERM_EXPR <\[^;\]*\{ 0, 1, 2, 3, 8, 9, 10, 11 \}>" } } */
/* { dg-final { scan-file sums-1.gimple "VEC_PERM_EXPR <\[^;\]*\{ 0, 1, 4, 5, 8, 9, 12, 13 \}>" } } */

void
rows (int n, float *restrict y, const float *restrict a,
      const float *restrict x)
{
#pragma tensor /* { dg-optimized "simd 8" } */
  for (int i = 0; i < n; i++)
    {
      float s = 0;
      for (int j = 0; j < n; j++)
        s += a[i * n + j] * x[j];
      y[i] = s;
    }
}
