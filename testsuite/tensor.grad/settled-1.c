/* Shows gradients where a variable holds the index of what is overwritten, and
   of variables that change, or whose array does, which stay.  */

#include "check.h"

static int other[ROOM];

/* Rows by index, changed in place.  */
static void
rows (int m, const int *restrict at, real *restrict w)
{
  for (int t = 0; t < m; t++)
    {
      int row = at[t];
      const int next = at[m - 1 - t];
      for (int j = 0; j < 3; j++)
        w[row * 3 + j] *= w[next * 3 + j] * (1 + row);
    }
}

#pragma tensor gradient(rows) of(w : dw) wrt(w : dw)
void rows_gradient (int m, const int *restrict at, const real *restrict w,
                    real *restrict dw);

/* Forces between pairs, in a time loop.  */
static void
pairs (int m, int n_pairs, const int *at, const int *to, real *x, real *v)
{
  for (int t = 0; t < 3; t++)
    {
      for (int k = 0; k < n_pairs; k++)
        {
          int i = at[k], j = to[k];
          real far = x[i] - x[j];
          real force = -far * far * far;
          v[i] += force;
          v[j] -= force;
        }
      for (int i = 0; i < m; i++)
        x[i] += 0.1 * v[i];
    }
}

#pragma tensor gradient(pairs) of(x : dx, v : dv) wrt(x : dx, v : dv)
void pairs_gradient (int m, int n_pairs, const int *at, const int *to,
                     const real *x, const real *v, real *dx, real *dv);

/* A variable that is set from another, one that is set twice, and one whose
   array the function writes.  */
static void
moved (int m, const int *restrict at, const real *restrict w, real *restrict y)
{
  int seat[64];
  for (int i = 0; i < m; i++)
    seat[i] = at[i];
  for (int t = 0; t < 2; t++)
    for (int i = 0; i < m; i++)
      {
        int a = at[i];
        int b = at[a];
        int c = seat[i];
        int e = i;
        seat[i] = b;
        y[i] += w[a] * w[b] * w[c] * w[e];
        if (c > 1)
          e = c - 1;
        y[i] += w[e] * w[e] * w[seat[i]];
      }
}

#pragma tensor gradient(moved) of(y : dy) wrt(w : dw)
void moved_gradient (int m, const int *restrict at, const real *restrict w,
                     const real *restrict dy, real *restrict dw);

static void
rows_kernel (values at, real *out)
{
  rows (n, index_of, at[0]);
  memcpy (out, at[0], sizeof at[0]);
}

static void
pairs_kernel (values at, real *out)
{
  pairs (n, n, index_of, other, at[0], at[1]);
  for (int i = 0; i < n; i++)
    {
      out[i] = at[0][i];
      out[n + i] = at[1][i];
    }
}

static void
moved_kernel (values at, real *out)
{
  moved (n, index_of, at[0], out);
}

int
main (void)
{
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
    {
      start (sizes[k]);
      memcpy (g[0], u, sizeof u);
      rows_gradient (n, index_of, a[0], g[0]);
      agree_from ("rows", rows_kernel, 0, 0);
      for (int i = 0; i < n; i++)
        other[i] = (index_of[i] + 1) % n;
      start (sizes[k]);
      for (int e = 0; e < ROOM; e++)
        {
          g[0][e] = e < n ? u[e] : 0;
          g[1][e] = e < n ? u[n + e] : 0;
        }
      pairs_gradient (n, n, index_of, other, a[0], a[1], g[0], g[1]);
      agree_from ("pairs", pairs_kernel, 0, 0);
      agree_from ("pairs", pairs_kernel, 1, 0);
      start (sizes[k]);
      moved_gradient (n, index_of, a[0], u, g[0]);
      agree ("moved", moved_kernel, 0);
    }
  if (faults)
    printf ("%d faults\n", faults);
  return faults != 0;
}
