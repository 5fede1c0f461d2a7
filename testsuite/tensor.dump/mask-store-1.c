/* Where stores under masks are slow short bodies end element by element, and
   long ones under a mask.  */
/* { dg-do compile } */
/* { dg-additional-options "-O2 -march=znver3 -fno-openmp" } */
/* { dg-final { scan-assembler-times "vmaskmovps\[^\n\]*\\)\n" 1 } } */

void
short_body (int n, int m, float y[restrict n][m], const float x[restrict n][m])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m - 1; j++)
      y[i][j] = x[i][j - 1] + x[i][j + 1];
}

void
long_body (int n, int m, float y[restrict n][m], const float x[restrict n][m])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m - 1; j++)
      y[i][j] = __builtin_expf (x[i][j - 1]) + x[i][j + 1];
}
