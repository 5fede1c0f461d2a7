/* Operands are packed where the loops around them count down, as those of
   backward passes do.  */

void
product (int n, int m, float c[restrict n][n], const float a[restrict n][m],
         const float b[restrict n][m])
{
#pragma tensor /* { dg-optimized "b packed where there are rows enough" } */
  for (int i = n - 1; i >= 0; i--)
    for (int j = n - 1; j >= 0; j--)
      for (int k = m - 1; k >= 0; k--)
        c[i][j] += a[i][k] * b[j][k];
}
