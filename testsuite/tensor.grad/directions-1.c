/* Shows tangents along several directions at once: each is that along its own,
   of results, numbers, arrays of rows, arrays changed in place; no direction,
   one, three; a Jacobian from its columns, a Hessian from a gradient's
   tangents.  */

#include "check.h"

enum
{
  MOST = 5
};

static real
spring (int m, real k, const real *x, real *force)
{
  real energy = 0;
  for (int i = 0; i < m; i++)
    {
      force[i] = -k * sin (x[i]);
      energy += force[i] * x[i] > 0 ? k * x[i] : k * (1 - cos (x[i]));
    }
  return energy;
}

#pragma tensor tangent(spring) of(force: df, return: de) wrt(x: dx, k: dk)
int spring_tangent (int m, real k, const real *x, const real *dx, real dk,
                    real *df, real *de);
#pragma tensor tangent(spring) of(force: df, return: de) wrt(x: dx, k: dk) \
  directions(p)
int spring_tangents (int p, int m, real k, const real *x, const real dx[p][m],
                     const real *dk, real df[p][m], real *de);

static void
multiply (int m, const real *x, real w[m][m], real y[m][m])
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      {
        real s = 0;
        for (int k = 0; k < m; k++)
          s += x[i * m + k] * w[k][j];
        y[i][j] = tanh (s);
      }
}

#pragma tensor tangent(multiply) of(y: dy) wrt(x: dx, w: dw)
void multiply_tangent (int m, const real *x, real w[m][m], const real *dx,
                       real dw[m][m], real dy[m][m]);
#pragma tensor tangent(multiply) of(y: dy) wrt(x: dx, w: dw) directions(p)
void multiply_tangents (long p, int m, const real *x, real w[m][m],
                        const real dx[p][m * m], real dw[p][m][m],
                        real dy[p][m][m]);

static void
heat (int m, real *x)
{
  for (int t = 0; t < 3; t++)
    for (int i = 1; i < m - 1; i++)
      x[i] = x[i] + 0.25 * x[i] * (x[i - 1] - 2 * x[i] + x[i + 1]);
}

#pragma tensor tangent(heat) of(x: dx) wrt(x: dx)
void heat_tangent (int m, const real *x, real *dx);
#pragma tensor tangent(heat) of(x: dx) wrt(x: dx) directions(p)
void heat_tangents (int p, int m, const real *x, real dx[p][m]);

#pragma tensor gradient(spring) of(return: seed) wrt(x: dx)
int spring_gradient (int m, real k, const real *x, real seed, real *dx);
#pragma tensor tangent(spring_gradient) of(dx: h) wrt(x: v) directions(m)
int spring_hessian (int m, real k, const real *x, real seed, const real v[m][m],
                    real h[m][m]);

/* ROWS of M numbers at GOT and WANT are the same.  */
static void
same (const char *name, const real *got, const real *want, int rows, int m)
{
  for (int e = 0; e < rows * m; e++)
    if (fabs (got[e] - want[e]) > 1e-13)
      {
        printf ("%s, %d of %d, %d rows: %g, not %g\n", name, e, m, rows, got[e],
                want[e]);
        faults++;
        return;
      }
}

static void
check_springs (int p)
{
  static real df[ROOM], de[MOST], one_df[ROOM], one_de[MOST];
  memset (df, 0, sizeof df);
  memset (one_df, 0, sizeof one_df);
  faults += spring_tangents (p, n, a[1][0], a[0], (void *) d[0], d[1],
                             (void *) df, de);
  for (int k = 0; k < p; k++)
    faults += spring_tangent (n, a[1][0], a[0], d[0] + k * n, d[1][k],
                              one_df + k * n, one_de + k);
  same ("springs", df, one_df, 1, ROOM);
  same ("their energy", de, one_de, 1, p);
}

static void
check_products (int p)
{
  static real x[MOST * ROOM], w[MOST * ROOM], y[MOST * ROOM], one[MOST * ROOM];
  int m = n * n;
  for (int e = 0; e < p * m; e++)
    {
      x[e] = next ();
      w[e] = next ();
    }
  multiply_tangents (p, n, a[0], (void *) a[1], (void *) x, (void *) w,
                     (void *) y);
  for (int k = 0; k < p; k++)
    multiply_tangent (n, a[0], (void *) a[1], x + k * m, (void *) (w + k * m),
                      (void *) (one + k * m));
  same ("products", y, one, p, m);
}

static void
check_heat (int p)
{
  static real one[ROOM];
  memcpy (one, d[2], sizeof one);
  heat_tangents (p, n, a[0], (void *) d[2]);
  for (int k = 0; k < p; k++)
    heat_tangent (n, a[0], one + k * n);
  same ("heat", d[2], one, 1, ROOM);
}

/* Along all unit vectors: the Hessian, of which each column is a slope.  */
static void
check_hessian (void)
{
  static real unit[ROOM], h[ROOM], low[ROOM], high[ROOM];
  memset (unit, 0, sizeof unit);
  for (int i = 0; i < n; i++)
    unit[i * n + i] = 1;
  faults += spring_hessian (n, a[1][0], a[0], 1, (void *) unit, (void *) h);
  for (int i = 0; i < n; i++)
    {
      real x = a[0][i];
      memset (low, 0, sizeof low);
      memset (high, 0, sizeof high);
      a[0][i] = x - 1e-4;
      faults += spring_gradient (n, a[1][0], a[0], 1, low);
      a[0][i] = x + 1e-4;
      faults += spring_gradient (n, a[1][0], a[0], 1, high);
      a[0][i] = x;
      for (int j = 0; j < n; j++)
        faults += fabs ((high[j] - low[j]) / 2e-4 - h[i * n + j]) > 1e-7;
    }
}

int
main (void)
{
  static const int counts[] = { 0, 1, 3, MOST };
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int c = 0; c < 4; c++)
      {
        start (sizes[s]);
        check_springs (counts[c]);
        check_products (counts[c]);
        check_heat (counts[c]);
        check_hessian ();
      }
  return faults != 0;
}
