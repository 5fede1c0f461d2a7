/* A gradient without a time loop that needs more memory than the user gives is
   an error where that is known.  */
/* { dg-do compile } */

#include <math.h>

enum
{
  M = 20000,
  C = 30
};

void
scale (const double x[M][C], double h[restrict M][C], double y[restrict M][C])
{
  double sum = 0;
  for (int i = 0; i < M; i++)
    for (int j = 0; j < C; j++)
      {
        h[i][j] = exp (sin (x[i][j]));
        sum += h[i][j] * h[i][j];
      }
  for (int i = 0; i < M; i++)
    for (int j = 0; j < C; j++)
      y[i][j] = h[i][j] * h[i][j] * sum;
}

#pragma tensor gradient(scale) of(y: dy) wrt(x: dx) memory("1K") /* { dg-error ".first. needs 9\[0-9\]* bytes at least" } */
void first (const double x[M][C], const double dy[restrict M][C],
            double dx[restrict M][C]);

#pragma tensor gradient(scale) of(y: dy) wrt(x: dx) memory("64M")
void second (const double x[M][C], const double dy[restrict M][C],
             double dx[restrict M][C]);
