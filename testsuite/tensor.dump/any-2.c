/* What all lanes read behind a condition and its opposite is read once.  */
/* { dg-do compile } */
/* { dg-additional-options "-O3 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -fno-openmp" } */
/* { dg-final { scan-assembler-not "gather" } } */

void
reach (int n, int r[n][n])
{
#pragma tensor
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        r[i][j] = r[i][j] || (r[i][k] && r[k][j]);
}
