/* Shows gradients of what is changed in place: adjoints that come in and leave,
   time steps, a triangle solved, elements scaled, a cell used again, choices,
   some iterations only; numbers and results; the values stay.  */

#include "check.h"

static void
heat (int m, real *x)
{
  for (int t = 0; t < 3; t++)
    for (int i = 1; i < m - 1; i++)
      x[i] = x[i] + 0.25 * x[i] * (x[i - 1] - 2 * x[i] + x[i + 1]);
}

#pragma tensor gradient(heat) of(x: dx) wrt(x: dx)
void heat_gradient (int m, const real *x, real *dx);

static void
solve (int m, const real *l, real *x)
{
  for (int i = 0; i < m; i++)
    {
      for (int j = 0; j < i; j++)
        x[i] -= l[i * m + j] * x[j];
      x[i] /= 1 + l[i * m + i];
    }
}

#pragma tensor gradient(solve) of(x: dx) wrt(x: dx, l: dl)
void solve_gradient (int m, const real *l, const real *x, real *dx, real *dl);

static void
scale (int m, real *x, real *y)
{
  for (int i = 0; i < m; i++)
    {
      x[i] *= 5;
      x[i] *= i;
      y[i] = x[i] * x[i];
    }
}

#pragma tensor gradient(scale) of(y: dy) wrt(x: dx)
void scale_gradient (int m, const real *x, const real *dy, real *dx);

static void
choose (int m, const real *x, const int *to, real *y)
{
  real c = 0.5;
  for (int i = 0; i < m; i++)
    y[i] = 0;
  for (int i = 0; i < m; i++)
    {
      if (i % 3 == 1)
        continue;
      real v = x[i] > c ? x[i] * x[i] : sqrt (x[i]);
      y[to[i]] += v * c;
      c = 0.5 * c + 0.3 * fabs (x[i] - 0.4);
    }
}

#pragma tensor gradient(choose) of(y: dy) wrt(x: dx)
void choose_gradient (int m, const real *x, const int *to, const real *dy,
                      real *restrict dx);

static real
distance (int m, const real *x, const real *y, real p)
{
  real s = 0;
  for (int i = 0; i < m; i++)
    s += pow (fabs (x[i] - y[i]) + 1, p);
  return s;
}

#pragma tensor gradient(distance) of(return: seed) wrt(x: dx, p: dp)
int distance_gradient (int m, const real *x, const real *y, real p, real seed,
                       real *dx, real *dp);

static void
heat_kernel (values at, real *out)
{
  heat (n, at[0]);
  memcpy (out, at[0], sizeof at[0]);
}

static void
solve_kernel (values at, real *out)
{
  solve (n, at[1], at[0]);
  memcpy (out, at[0], sizeof at[0]);
}

static void
scale_kernel (values at, real *out)
{
  scale (n, at[0], out);
}

static void
choose_kernel (values at, real *out)
{
  choose (n, at[0], index_of, out);
}

static void
distance_kernel (values at, real *out)
{
  out[0] = distance (n, at[0], at[1], at[2][0]);
}

/* The arrays that were given are as they were.  */
static void
stay (const char *name, values before)
{
  if (!memcmp (before, a, sizeof a))
    return;
  printf ("%s changed its values\n", name);
  faults++;
}

int
main (void)
{
  static values before;
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      start (sizes[s]);
      memcpy (before, a, sizeof a);
      memcpy (g[0], u, sizeof u);
      heat_gradient (n, a[0], g[0]);
      agree_from ("heat", heat_kernel, 0, 0);
      memcpy (g[0], u, sizeof u);
      solve_gradient (n, a[1], a[0], g[0], g[1]);
      agree_from ("solve", solve_kernel, 0, 0);
      agree ("solve", solve_kernel, 1);
      stay ("solve", before);
      start (sizes[s]);
      memcpy (before, a, sizeof a);
      scale_gradient (n, a[0], u, g[0]);
      agree ("scale", scale_kernel, 0);
      choose_gradient (n, a[0], index_of, u, g[1]);
      memcpy (g[0], g[1], sizeof g[0]);
      agree ("choose", choose_kernel, 0);
      start (sizes[s]);
      memcpy (before, a, sizeof a);
      faults += distance_gradient (n, a[0], a[1], a[2][0], u[0], g[0], g[2]);
      agree ("distance", distance_kernel, 0);
      agree ("distance", distance_kernel, 2);
      stay ("distance", before);
    }
  return faults != 0;
}
