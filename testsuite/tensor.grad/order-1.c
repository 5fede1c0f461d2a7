/* Shows the gradient of a sum over a window where vectors are short: its sums
   keep their order, and the rows that they read backwards theirs.  */
/* { dg-additional-options "-mno-avx" } */

#include <stdio.h>

enum
{
  M = 5
};

static void
box (int m, const double x[m + 2][m + 2], double y[restrict m][m])
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      {
        double s = 0;
        for (int a = 0; a < 3; a++)
          for (int b = 0; b < 3; b++)
            s += x[i + a][j + b];
        y[i][j] = s;
      }
}

#pragma tensor gradient(box) of(y: dy) wrt(x: dx)
void box_gradient (int m, const double x[m + 2][m + 2],
                   const double dy[restrict m][m],
                   double dx[restrict m + 2][m + 2]);

int
main (void)
{
  static double x[M + 2][M + 2], dy[M][M], dx[M + 2][M + 2], want[M + 2][M + 2];
  int bad = 0;
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++)
      {
        dy[i][j] = 1 + i * 10 + j;
        for (int a = 0; a < 3; a++)
          for (int b = 0; b < 3; b++)
            want[i + a][j + b] += dy[i][j];
      }
  box_gradient (M, x, dy, dx);
  for (int i = 0; i < M + 2; i++)
    for (int j = 0; j < M + 2; j++)
      if (dx[i][j] != want[i][j])
        bad = printf ("dx[%d][%d] = %g, not %g\n", i, j, dx[i][j], want[i][j]);
  return bad != 0;
}
