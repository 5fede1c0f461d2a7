/* Rows of a panel, and other short ones, are stored where they are filled: no
   call for each.  Long rows may be left to memset and memmove.  */
/* { dg-do compile } */
/* { dg-additional-options "-march=haswell -fopenmp" } */
/* { dg-final { scan-assembler-not "memmove" } } */

void
product (int n, int m, int l, float c[restrict n][m], const float a[n][l],
         const float b[l][m])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        c[i][j] += a[i][k] * b[k][j];
}
