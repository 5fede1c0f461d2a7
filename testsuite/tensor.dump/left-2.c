/* A function of which a region stays as written is still read where a region
   calls it, and one in which one stays still reads others.  */
/* { dg-do compile } */
/* { dg-final { scan-assembler "vmulps\[^\\n\]*ymm" } } */

static void
differences (int n, float *x)
{
#pragma tensor /* { dg-message "kept as written" } */
  for (int i = 0; i < n - 1; i++)
    x[i] = x[i + 1] - x[i];
}

static float
doubled (float x)
{
  return 2 * x;
}

void
both (int m, int n, float x[m][n])
{
#pragma tensor /* { dg-message "parallel over i" } */
  for (int i = 0; i < m; i++)
    differences (n, x[i]);
#pragma tensor /* { dg-message "kept as written" } */
  for (int j = 0; j < n - 1; j++)
    x[0][j] = x[0][j + 1] - x[0][j];
#pragma tensor /* { dg-message "simd 8" } */
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      x[i][j] = doubled (x[i][j]) * x[i][j];
}
