/* Bytes of which roots are taken, or which are rounded, run in lanes: GCC has no
   vectors for these as long as they may trap or set errno.  */
/* { dg-do compile } */
/* { dg-final { scan-assembler "vsqrtps\[^\\n\]*ymm" } } */
/* { dg-final { scan-assembler "vroundps\[^\\n\]*ymm" } } */

void
edges (int m, int n, const unsigned char x[restrict m][n],
       unsigned char y[restrict m][n])
{
#pragma tensor parallel(off) /* { dg-optimized "simd 8" } */
  for (int i = 1; i < m - 1; i++)
    for (int j = 1; j < n - 1; j++)
      {
        int a = x[i][j + 1] - x[i][j - 1];
        int b = x[i + 1][j] - x[i - 1][j];
        int sum = __builtin_sqrtf (a * a + b * b);
        y[i][j] = sum > 255 ? 255 : sum;
      }
}

void
brighter (int n, float by, const unsigned char *restrict x,
          unsigned char *restrict y)
{
#pragma tensor parallel(off) /* { dg-optimized "simd 8" } */
  for (int i = 0; i < n; i++)
    {
      float v = __builtin_floorf (x[i] * by + 0.5f);
      y[i] = v > 255 ? 255 : (int) v;
    }
}
