/* The body of collapsed loops that holds a nest stands there once, as a
   function, with threads and without.  */
/* { dg-do compile } */
/* { dg-final { scan-assembler "\.body\." } } */
/* { dg-final { scan-assembler-not "\.alone\." } } */

void
planes (int n, int m, float (*x)[n][m][m], float (*y)[n][m][m])
{
#pragma tensor
  for (int b = 0; b < 3; b++)
    for (int i = 0; i < n; i++)
      for (int j = 1; j < m; j++)
        for (int k = 0; k < m; k++)
          y[b][i][j][k] = x[b][i][j][k] * x[b][i][j - 1][k];
}
