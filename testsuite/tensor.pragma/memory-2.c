/* Where there is no time loop, arrays of constant sizes count as others do, on
   the stack too.  */
/* { dg-do compile } */

#include <math.h>

static void
squares (const double x[64][64], double y[64][64])
{
  double h[64][64];
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 64; j++)
      h[i][j] = exp (x[i][j]);
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 64; j++)
      {
        y[i][j] = 0;
        for (int k = 0; k < 64; k++)
          y[i][j] += h[i][k] * h[k][j];
      }
}

#pragma tensor gradient(squares) of(y: dy) wrt(x: dx) memory("1K") /* { dg-error ".little. needs \[0-9\]+ bytes at least" } */
int little (const double x[64][64], const double dy[64][64],
            double dx[64][64]);

#pragma tensor gradient(squares) of(y: dy) wrt(x: dx) memory("1M") /* { dg-message "note: " } */
int enough (const double x[64][64], const double dy[64][64],
            double dx[64][64]);
