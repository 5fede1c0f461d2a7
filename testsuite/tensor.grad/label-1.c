/* Shows the gradient of cross entropy where some labels are to be ignored, by
   their sign and by one value: in parallel over the rows that are left, since
   the labels of these lie in their rows; with the same bits for any number of
   threads.  */

/* { dg-tensor-opts "parallel-threshold=1" } */

#include "check.h"
#ifdef _OPENMP
#  include <omp.h>
#endif

enum
{
  CLASSES = 11,
  IGNORED = -100
};

static int label[ROOM];

static real
mean (int m, int c, const real x[m][c], const int *restrict at)
{
  real loss = 0;
  int count = 0;
  for (int i = 0; i < m; i++)
    {
      if (at[i] < 0)
        continue;
      real most = x[i][0], sum = 0;
      for (int j = 1; j < c; j++)
        most = fmax (most, x[i][j]);
      for (int j = 0; j < c; j++)
        sum += exp (x[i][j] - most);
      loss += most + log (sum) - x[i][at[i]];
      count++;
    }
  return count > 0 ? loss / count : 0;
}

#pragma tensor gradient(mean) of(return: g) wrt(x: dx)
void mean_gradient (int m, int c, const real x[m][c], const int *restrict at,
                    real g, real dx[restrict m][c]);

static void
losses (int m, int c, const real x[m][c], const int *restrict at,
        real y[restrict m])
{
  for (int i = 0; i < m; i++)
    if (at[i] != IGNORED)
      {
        real sum = 0;
        for (int j = 0; j < c; j++)
          sum += exp (x[i][j]);
        y[i] = log (sum) - x[i][at[i]];
      }
}

#pragma tensor gradient(losses) of(y: dy) wrt(x: dx)
void losses_gradient (int m, int c, const real x[m][c], const int *restrict at,
                      const real dy[restrict m], real dx[restrict m][c]);

static void
mean_kernel (values at, real *out)
{
  out[0] = mean (n, CLASSES, (void *) at[0], label);
}

static void
losses_kernel (values at, real *out)
{
  losses (n, CLASSES, (void *) at[0], label, out);
}

/* Labels of N rows: every EVERYth, or none, is IGNORED.  */
static void
lay (int every, int ignored)
{
  for (int i = 0; i < n; i++)
    label[i] = every && i % every == 0 ? ignored : index_of[i] % CLASSES;
}

/* Both gradients, ignored labels every EVERYth.  */
static void
check (int size, int every)
{
  static values first;
  for (int threads = 1; threads <= 8; threads *= 2)
    {
#ifdef _OPENMP
      omp_set_num_threads (threads);
#endif
      state = size + every;
      start (size);
      lay (every, -1 - every);
      mean_gradient (n, CLASSES, (void *) a[0], label, u[0], (void *) g[0]);
      lay (every, IGNORED);
      losses_gradient (n, CLASSES, (void *) a[0], label, u, (void *) g[1]);
      if (threads > 1 && memcmp (first, g, sizeof g))
        {
          printf ("n = %d, %d threads: other bits\n", n, threads);
          faults++;
        }
      memcpy (first, g, sizeof g);
    }
  agree ("mean", mean_kernel, 0);
  memcpy (g[0], g[1], sizeof g[0]);
  agree ("losses", losses_kernel, 0);
}

int
main (void)
{
  static const int counts[] = { 0, 1, 2, 5, 17, 200 };
  for (unsigned s = 0; s < sizeof counts / sizeof *counts; s++)
    for (int every = 0; every < 4; every++)
      check (counts[s], every);
  return faults != 0;
}
