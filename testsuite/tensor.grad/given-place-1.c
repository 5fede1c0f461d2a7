/* Shows that what is given is not made once more where the forward pass reads
   it: x changes in place before a sum is taken of it, which a later maximum
   looks at.  */
/* { dg-do run } */

#include <math.h>
#include <string.h>

#define N 9

static void
shift (int n, double *restrict y, double *restrict x)
{
  x[2] += 0.25 * n / (1.5 + x[0] * x[0]);
  for (int i = 0; i < N; i++)
    y[i] += x[i] * x[0];
  for (int i = 0; i < n; i++)
    {
      double most = -9;
      for (int j = 0; j < N; j++)
        if (most < y[i * N + j])
          most = y[i * N + j];
      for (int j = 0; j < N; j++)
        y[i * N + j] = y[i * N + j] - most;
    }
}

#pragma tensor gradient(shift) of(y : dy) wrt(x : dx) given(x)
void shift_gradient (int n, const double *restrict y, const double *restrict x,
                     const double *restrict dy, double *restrict dx);

/* What element I of DX is to be, by hand; TOP[R] is where row R is
   greatest.  */
static double
expect (int i, int n, const double *x, const double *given, const double *dy,
        const int *top)
{
  double by_y[N], by_shift = 0, sum = 0;
  for (int k = 0; k < N; k++)
    sum += dy[k];
  for (int k = 0; k < N; k++)
    by_y[k] = dy[k] - (k == top[0] ? sum : 0);
  double at = by_y[i] * x[0];
  for (int k = 0; k < N && i == 0; k++)
    at += by_y[k] * given[k];
  by_shift = by_y[2] * x[0];
  double scale = 1.5 + x[0] * x[0];
  return at + (i == 0 ? -by_shift * 0.25 * n * 2 * x[0] / (scale * scale) : 0);
}

int
main (void)
{
  int n = 2;
  double x[N], given[N], y[2 * N], left[2 * N], dy[2 * N], dx[N] = { 0 };
  int top[2] = { 0, 0 };
  for (int i = 0; i < N; i++)
    x[i] = given[i] = 1 + (i * 5 % 9) / 8.0;
  for (int i = 0; i < 2 * N; i++)
    {
      y[i] = left[i] = (i * 7 % 18) / 16.0;
      dy[i] = (i * 11 % 13) / 8.0 - 0.5;
    }
  shift (n, left, given);
  for (int i = 0; i < N; i++)
    if (left[i] == 0)
      top[0] = i;
  shift_gradient (n, y, given, dy, dx);
  for (int i = 0; i < N; i++)
    if (!(fabs (dx[i] - expect (i, n, x, given, dy, top)) < 1e-12))
      return 1 + i;
  return 0;
}
