/* Shows gradients of functions that look at what they are handed as rows of a
   length that they are told: double (*a)[m] = (double (*)[m]) p.  */

#include "check.h"

static void
sweep (int rows, long m, real *p, const real *q)
{
  real (*a)[m] = (real (*)[m]) p;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = a[i][j] * q[i] + q[j] * (j > 0 ? a[i][j - 1] : 1);
}

#pragma tensor gradient(sweep) of(p : dp) wrt(p : dp, q : dq)
void sweep_back (int rows, long m, const real *p, const real *q, real *dp,
                 real *dq);

static void
add (int rows, int m, real *p, real *s)
{
#pragma tensor require(transform)
  {
    real (*a)[m + 1] = (real (*)[m + 1]) p;
    for (int i = 0; i < rows; i++)
      for (int j = 0; j <= m; j++)
        s[i] += a[i][j];
  }
}

static void
sweep_kernel (values at, real *out)
{
  memcpy (out, at[0], sizeof at[0]);
  sweep (n, n, out, at[1]);
}

static void
add_rows (void)
{
  static real s[ROOM];
  memset (s, 0, sizeof s);
  add (n, n - 1, a[0], s);
  for (int i = 0; i < n; i++)
    {
      real sum = 0;
      for (int j = 0; j < n; j++)
        sum += a[0][i * n + j];
      faults += !(fabs (sum - s[i]) <= 1e-13 * n);
    }
}

int
main (void)
{
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
    {
      start (sizes[k]);
      memcpy (g[0], u, sizeof u);
      sweep_back (n, n, a[0], a[1], g[0], g[1]);
      agree_from ("sweep", sweep_kernel, 0, 0);
      agree ("sweep", sweep_kernel, 1);
      add_rows ();
    }
  return faults != 0;
}
