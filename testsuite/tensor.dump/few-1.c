/* GCC makes no vectors of what vectors have left of a row.  */
/* { dg-do compile } */
/* { dg-additional-options "-O3 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -fno-openmp" } */
/* { dg-final { scan-assembler-times "\tvsubpd" 1 } } */

void
update (int n, int m, double x[restrict n][m], double y[restrict m][n])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      x[i][j] -= y[j][i];
}
