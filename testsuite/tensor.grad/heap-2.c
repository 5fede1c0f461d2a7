/* Shows gradients of functions whose scratch is rows of variable length that
   are allocated and freed: malloc and calloc, sizes spelled four ways.  */

#include "check.h"

static real
path (int m, int w, const real *x, const real *y)
{
  real (*t)[w + 1] = malloc (sizeof (real) * (m + 1) * (w + 1));
  real (*best)[w] = calloc (m, sizeof *best);
  real (*row)[3] = calloc (m * w + 1, sizeof *row);
  for (int i = 0; i <= m; i++)
    for (int j = 0; j <= w; j++)
      t[i][j] = 2;
  t[0][0] = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < w; j++)
      {
        real far = (x[i] - y[j]) * (x[i] - y[j]);
        t[i + 1][j + 1]
          = far
            - log (exp (-t[i][j]) + exp (-t[i][j + 1]) + exp (-t[i + 1][j]));
        best[i][j] += far * t[i + 1][j + 1];
        row[i * w + j][j % 3] += far * x[i];
      }
  real sum = t[m][w];
  for (int i = 0; i < m; i++)
    for (int j = 0; j < w; j++)
      sum += best[i][j] * row[i * w + j][j % 3] + row[i * w + j][(j + 1) % 3];
  free (row);
  free (best);
  free (t);
  return sum;
}

#pragma tensor gradient(path) of(return: g) wrt(x: dx, y: dy)
void path_gradient (int m, int w, const real *x, const real *y, real g,
                    real *dx, real *dy);

static real
whole (int m, int w, const real *x)
{
  real (*a)[w] = malloc (sizeof (real[m][w]));
  real (*b)[w] = malloc (m * sizeof *b);
  real sum = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < w; j++)
      a[i][j] = sin (x[i * w + j]);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < w; j++)
      b[i][j] = a[i][j] * a[m - 1 - i][w - 1 - j];
  for (int i = 0; i < m; i++)
    for (int j = 0; j < w; j++)
      sum += b[i][j] * b[i][j] * a[i][0];
  free (a);
  free (b);
  return sum;
}

#pragma tensor gradient(whole) of(return: g) wrt(x: dx)
void whole_gradient (int m, int w, const real *x, real g, real *dx);

static void
path_kernel (values at, real *out)
{
  out[0] = path (n, n / 2 + 1, at[0], at[1]);
}

static void
whole_kernel (values at, real *out)
{
  out[0] = whole (n, n / 2 + 1, at[0]);
}

int
main (void)
{
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      start (sizes[s]);
      path_gradient (n, n / 2 + 1, a[0], a[1], u[0], g[0], g[1]);
      agree ("path, x", path_kernel, 0);
      agree ("path, y", path_kernel, 1);
      start (sizes[s]);
      whole_gradient (n, n / 2 + 1, a[0], u[0], g[0]);
      agree ("whole", whole_kernel, 0);
    }
  return faults != 0;
}
