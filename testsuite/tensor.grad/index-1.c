/* Shows gradients of arrays named by indices, whose size nobody knows: pairs
   that reach into two arrays, under conditions, a triangle packed in a line;
   adjoints that lie apart, and that lie on values or on each other; an element
   named by an index in a row that the function writes.  */

#include "check.h"

static int pairs[2 * ROOM];

static void
pull (int m, const int *pair, const real *x, const real *z, real *y)
{
  for (int i = 0; i < m; i++)
    {
      real u = x[pair[2 * i]] - 0.1 * z[pair[2 * i + 1]];
      if (u > 0.4)
        y[i] = u * u * z[pair[2 * i + 1]];
      else
        y[i] = sin (u) * x[pair[2 * i]];
    }
}

#pragma tensor gradient(pull) of(y: dy) wrt(x: dx, z: dz)
void pull_gradient (int m, const int *pair, const real *x, const real *z,
                    const real *dy, real *dx, real *dz);

static void
kernel_pull (values at, real *out)
{
  pull (n, pairs, at[0], at[1], out);
}

static void
triangle (int m, const real *l, const real *x, real *y)
{
  int k = 0;
  for (int i = 0; i < m; i++)
    {
      real s = 0;
      for (int j = 0; j <= i; j++)
        s += l[k++] * x[j];
      y[i] = s;
    }
}

#pragma tensor gradient(triangle) of(y: dy) wrt(l: dl, x: dx) /* { dg-warning "dl and l may overlap" } */
void triangle_gradient (int m, const real *l, const real *x, const real *dy,
                        real *dl, real *dx);

static void
kernel_triangle (values at, real *out)
{
  triangle (n, at[0], at[1], out);
}

/* The cross entropy of rows of C scores.  */
static void
entropy (int m, int c, const real *x, const int *label, real *p, real *y)
{
  for (int i = 0; i < m; i++)
    {
      real sum = 0;
      for (int j = 0; j < c; j++)
        {
          p[i * c + j] = exp (x[i * c + j]);
          sum += p[i * c + j];
        }
      for (int j = 0; j < c; j++)
        p[i * c + j] /= sum;
      y[i] = -log (p[i * c + label[i]]);
    }
}

#pragma tensor gradient(entropy) of(y: dy) wrt(x: dx)
int entropy_gradient (int m, int c, const real *x, const int *label,
                      const real *p, const real *dy, real *dx);

static real scores[ROOM];

static void
kernel_entropy (values at, real *out)
{
  entropy (n, 7, at[0], pairs, scores, out);
}

/* Adjoints that lie on what the gradient reads get what those that lie apart
   get, added to what is there.  */
static void
pull_in_place (void)
{
  values to;
  memcpy (to, a, sizeof a);
  pull_gradient (n, pairs, to[0], to[1], u, to[0], to[1]);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 2; k++)
      if (fabs (to[k][i] - a[k][i] - (g[k][i] - 0.25)) > 1e-12)
        faults++;
  memcpy (to, a, sizeof a);
  memcpy (to[2], u, sizeof u);
  pull_gradient (n, pairs, to[0], to[1], to[2], to[2], to[2]);
  for (int i = 0; i < n; i++)
    if (fabs (to[2][i] - u[i] - (g[0][i] + g[1][i] - 0.5)) > 1e-12)
      faults++;
}

int
main (void)
{
  for (int k = 0; k < 5; k++)
    {
      start (sizes[k]);
      for (int i = 0; i < 2 * n; i++)
        pairs[i] = n ? index_of[i] : 0;
      pull_gradient (n, pairs, a[0], a[1], u, g[0], g[1]);
      agree ("pull", kernel_pull, 0);
      agree ("pull", kernel_pull, 1);
      pull_in_place ();
      start (sizes[k]);
      triangle_gradient (n, a[0], a[1], u, g[0], g[1]);
      agree ("triangle", kernel_triangle, 0);
      agree ("triangle", kernel_triangle, 1);
      start (sizes[k]);
      for (int i = 0; i < n; i++)
        pairs[i] = index_of[i] % 7;
      faults += entropy_gradient (n, 7, a[0], pairs, scores, u, g[0]);
      agree ("entropy", kernel_entropy, 0);
    }
  return faults != 0;
}
