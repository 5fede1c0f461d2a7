/* Shows that sums take what was stored just before, at either end, and that
   rows read what stands in front of them: triangular systems, factors.  */

#include "compare.h"

static NOINLINE void
plain_forward (int n, double (*l)[MOST], double *x)
{
  for (int i = 0; i < n; i++)
    {
      double s = x[i];
      for (int j = 0; j < i; j++)
        s -= l[i][j] * x[j];
      x[i] = s;
    }
}

static NOINLINE void
forward (int n, double (*l)[MOST], double *x)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      double s = x[i];
      for (int j = 0; j < i; j++)
        s -= l[i][j] * x[j];
      x[i] = s;
    }
}

static NOINLINE void
plain_backward (int n, double (*l)[MOST], double *x)
{
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++)
      x[i] -= l[i][j] * x[j];
}

static NOINLINE void
backward (int n, double (*l)[MOST], double *x)
{
#pragma tensor
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++)
      x[i] -= l[i][j] * x[j];
}

static NOINLINE void
plain_factor (int n, double (*l)[MOST])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      {
        double s = l[i][j];
        for (int k = 0; k < j; k++)
          s -= l[i][k] * l[j][k];
        l[i][j] = s;
      }
}

static NOINLINE void
factor (int n, double (*l)[MOST])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      {
        double s = l[i][j];
        for (int k = 0; k < j; k++)
          s -= l[i][k] * l[j][k];
        l[i][j] = s;
      }
}

static NOINLINE void
plain_rows (int n, double (*l)[MOST])
{
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++)
      {
        l[i][k] *= l[k][k];
        for (int j = k + 1; j < n; j++)
          l[i][j] -= l[i][k] * l[k][j];
      }
}

static NOINLINE void
rows (int n, double (*l)[MOST])
{
#pragma tensor
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++)
      {
        l[i][k] *= l[k][k];
        for (int j = k + 1; j < n; j++)
          l[i][j] -= l[i][k] * l[k][j];
      }
}

static double l[2][MOST * MOST];
static double x[2][MOST];

/* Few elements of l are not 0, so that all results are whole numbers that
   every order of a sum gives.  */
static void
thin (void)
{
  for (int i = 0; i < MOST; i++)
    for (int j = 0; j < MOST; j++)
      {
        int near = j == i - 1 && i % 3;
        int far = (i * 7 + j * 5) % 43 == 0;
        l[0][i * MOST + j] = near ? 1 : far ? -1 : i == j;
      }
  memcpy (l[1], l[0], sizeof l[0]);
}

int
main (void)
{
  for (size_t k = 0; k < LENGTH (sizes); k++)
    {
      int n = sizes[k];
      current[0] = n;
      thin ();
      FILL (x);
      BOTH (forward, n, (void *) l[W], x[W]);
      CHECK (x);
      FILL (x);
      BOTH (backward, n, (void *) l[W], x[W]);
      CHECK (x);
      if (n > 33)
        continue;
      BOTH (factor, n, (void *) l[W]);
      CHECK (l);
      thin ();
      BOTH (rows, n, (void *) l[W]);
      CHECK (l);
    }
  return 0;
}
