/* Shows gradients of loops whose bounds are in memory: products with sparse
   matrices, triangular solves, softmax of segments, steps as many as an array
   says; rows may be empty, and the arrays may overlap.  */

#include "check.h"

enum
{
  LONGEST = 3
};

static int start_of[ROOM], column[ROOM], count[ROOM];

/* Rows of 0 to LONGEST elements for size N; what row i names is before i.  */
static void
make_rows (int before)
{
  start_of[0] = 0;
  for (int i = 0; i < n; i++)
    {
      count[i] = (7 * i + 2) % (LONGEST + 1);
      start_of[i + 1] = start_of[i] + count[i];
      for (int k = start_of[i]; k < start_of[i + 1]; k++)
        column[k] = before && i ? k % i : index_of[k % ROOM];
      if (before && i == 0)
        start_of[1] = 0;
    }
}

static void
product (int m, const int *restrict p, const int *restrict c,
         const real *restrict v, const real *restrict x, real *restrict y)
{
  for (int i = 0; i < m; i++)
    {
      real s = 0;
      for (int k = p[i]; k < p[i + 1]; k++)
        s += v[k] * x[c[k]];
      y[i] = sin (s);
    }
}

#pragma tensor gradient(product) of(y : dy) wrt(v : dv, x : dx)
void product_gradient (int m, const int *restrict p, const int *restrict c,
                       const real *restrict v, const real *restrict x,
                       const real *restrict dy, real *restrict dv,
                       real *restrict dx);

#pragma tensor tangent(product) of(y : dy) wrt(v : dv, x : dx)
void product_tangent (int m, const int *restrict p, const int *restrict c,
                      const real *restrict v, const real *restrict x,
                      real *restrict dy, const real *restrict dv,
                      const real *restrict dx);

/* The same where nobody says that arrays lie apart, elements from the last one
   on.  */
static void
product_down (int m, const int *p, const int *c, const real *v, const real *x,
              real *y)
{
  for (int i = 0; i < m; i++)
    {
      const int first = p[i], end = p[i + 1];
      for (int k = end - 1; k >= first; k--)
        y[i] = y[i] * v[k] + x[c[k]];
    }
}

#pragma tensor gradient(product_down) of(y : dy) wrt(v : dv, x : dx, y : dy) /* { dg-warning "may overlap" } */
void product_down_gradient (int m, const int *p, const int *c, const real *v,
                            const real *x, const real *y, real *dv, real *dx,
                            real *dy);

static void
solve (int m, const int *restrict p, const int *restrict c,
       const real *restrict v, real *restrict x)
{
  for (int i = 0; i < m; i++)
    {
      for (int k = p[i]; k < p[i + 1]; k++)
        x[i] -= v[k] * x[c[k]];
      x[i] /= 1 + v[i];
    }
}

#pragma tensor gradient(solve) of(x : dx) wrt(v : dv, x : dx)
void solve_gradient (int m, const int *restrict p, const int *restrict c,
                     const real *restrict v, const real *restrict x,
                     real *restrict dv, real *restrict dx);

static void
segments (int m, const int *p, const real *x, real *y)
{
  for (int i = 0; i < m; i++)
    {
      real most = -1e300, s = 0;
      for (int k = p[i]; k < p[i + 1]; k++)
        most = fmax (most, x[k]);
      for (int k = p[i]; k < p[i + 1]; k++)
        s += exp (x[k] - most);
      for (int k = p[i]; k < p[i + 1]; k++)
        y[k] = exp (x[k] - most) / s;
    }
}

#pragma tensor gradient(segments) of(y : dy) wrt(x : dx)
void segments_gradient (int m, const int *p, const real *x, const real *dy,
                        real *dx);

/* Steps that forget what they began with.  */
static void
steps (int m, const int *restrict c, const real *restrict x, real *restrict y)
{
  for (int i = 0; i < m; i++)
    {
      int times = (int) (x[i] * 5);
      real g = y[i];
      for (int k = 0; k < c[i]; k++)
        g = .5 * (g + x[i] / (1 + g));
      for (int k = 0; k < times; k++)
        g = g * g + .1;
      y[i] = g;
    }
}

#pragma tensor gradient(steps) of(y : dy) wrt(x : dx, y : dy)
void steps_gradient (int m, const int *restrict c, const real *restrict x,
                     const real *restrict y, real *restrict dx,
                     real *restrict dy);

static void
product_kernel (values at, real *out)
{
  product (n, start_of, column, at[0], at[1], out);
}

static void
down_kernel (values at, real *out)
{
  product_down (n, start_of, column, at[0], at[1], at[2]);
  memcpy (out, at[2], (size_t) n * sizeof *out);
}

static void
solve_kernel (values at, real *out)
{
  solve (n, start_of, column, at[0], at[1]);
  memcpy (out, at[1], (size_t) n * sizeof *out);
}

static void
segments_kernel (values at, real *out)
{
  segments (n, start_of, at[0], out);
}

static void
steps_kernel (values at, real *out)
{
  steps (n, count, at[0], at[1]);
  memcpy (out, at[1], (size_t) n * sizeof *out);
}

/* The adjoints DY of N results.  */
static void
seed (real *dy)
{
  for (int e = 0; e < ROOM; e++)
    dy[e] = e < n ? u[e] : 0;
}

/* Gradient and tangent of the product are each other's transposed.  */
static void
check_transposed (void)
{
  static real dy[ROOM];
  real forth = 0, back = 0;
  product_tangent (n, start_of, column, a[0], a[1], dy, d[0], d[1]);
  for (int i = 0; i < n; i++)
    forth += dy[i] * u[i];
  for (int k = 0; k < 2; k++)
    for (int e = 0; e < ROOM; e++)
      back += (g[k][e] - 0.25) * d[k][e];
  if (fabs (forth - back) > 1e-12 * (1 + fabs (forth)))
    {
      printf ("n = %d: tangent %.12g, gradient %.12g\n", n, forth, back);
      faults++;
    }
}

int
main (void)
{
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
    {
      start (sizes[k]);
      make_rows (0);
      product_gradient (n, start_of, column, a[0], a[1], u, g[0], g[1]);
      agree ("product", product_kernel, 0);
      agree ("product", product_kernel, 1);
      check_transposed ();
      start (sizes[k]);
      seed (g[2]);
      product_down_gradient (n, start_of, column, a[0], a[1], a[2], g[0], g[1],
                             g[2]);
      agree ("product_down", down_kernel, 0);
      agree ("product_down", down_kernel, 1);
      agree_from ("product_down", down_kernel, 2, 0);
      start (sizes[k]);
      segments_gradient (n, start_of, a[0], u, g[0]);
      agree ("segments", segments_kernel, 0);
      start (sizes[k]);
      seed (g[1]);
      steps_gradient (n, count, a[0], a[1], g[0], g[1]);
      agree ("steps", steps_kernel, 0);
      agree_from ("steps", steps_kernel, 1, 0);
      start (sizes[k]);
      make_rows (1);
      seed (g[1]);
      solve_gradient (n, start_of, column, a[0], a[1], g[0], g[1]);
      agree ("solve", solve_kernel, 0);
      agree_from ("solve", solve_kernel, 1, 0);
    }
  if (faults)
    printf ("%d faults\n", faults);
  return faults != 0;
}
