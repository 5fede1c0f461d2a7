/* Under TRM_MODE=check nothing is copied that is not there, however little is
   known of the subscripts: a short made of n may be anything.  */
/* { dg-set-target-env-var TRM_MODE "check" } */
/* { dg-output "tensor: check: \[0-9\]* calls of \[0-9\]* regions compared, all agree" } */

#include <stdlib.h>

static double h[104][104];

static __attribute__ ((noinline)) void
back (int n)
{
#pragma tensor check
  for (short i = (short) n - 1; i >= 0; i--)
    for (int j = 0; j < 100; j++)
      h[i][j] = 2 * h[i + 3][j] + i;
}

static __attribute__ ((noinline)) void
rows (int n, int m, float *x)
{
#pragma tensor check
  for (short i = (short) n - 1; i >= 0; i--)
    for (int j = 0; j < m; j++)
      x[i * m + j] = 2 * x[i * m + j] + i;
}

int
main (void)
{
  static const int sizes[] = { 0, 1, 100 };
  float *x = calloc (100 * 50, sizeof *x);
  for (int k = 0; k < 3; k++)
    {
      back (sizes[k]);
      rows (sizes[k], 50, x);
    }
  return h[99][7] != 99 || x[99 * 50 + 49] != 99;
}
