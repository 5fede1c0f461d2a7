/* Shows memory that is bounded where there is no time loop: what an array that
   is stored would take too much for is made again, which gives the same bits
   where arithmetic is strict; where that is too much, too, nothing is done, and
   that is told.  A function that returns nothing, or the function's value, has
   a bound as one that returns int has.  */

#include "check.h"

/* h is needed for g, and after the last row for the first one.  */
static void
layers (int m, int c, real x[m][c], real w[c][c], real h[m][c], real *g,
        real *y)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < c; j++)
      {
        h[i][j] = 0;
        for (int k = 0; k < c; k++)
          h[i][j] += x[i][k] * w[j][k];
      }
  for (int i = 0; i < m; i++)
    {
      g[i] = 0;
      for (int j = 0; j < c; j++)
        g[i] += tanh (h[i][j]) * h[i][j];
    }
  for (int i = 0; i < m; i++)
    y[i] = g[m - 1 - i] * x[i][0];
}

#pragma tensor gradient(layers) of(y: dy) wrt(x: dx, w: dw) fp(strict) \
  memory("1M")
int enough (int m, int c, real x[m][c], real w[c][c], real *dy,
            real dx[m][c], real dw[c][c]);
#pragma tensor gradient(layers) of(y: dy) wrt(x: dx, w: dw) fp(strict) \
  memory("100K")
int little (int m, int c, real x[m][c], real w[c][c], real *dy,
            real dx[m][c], real dw[c][c]);
#pragma tensor gradient(layers) of(y: dy) wrt(x: dx, w: dw) fp(strict) \
  memory("128")
int none (int m, int c, real x[m][c], real w[c][c], real *dy, real dx[m][c],
          real dw[c][c]);

/* Its careful way keeps within a bound in parts, the planned one does not.  */
static void
squares (int m, const real *v, real *y)
{
  real h[m * m];
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      h[i * m + j] = exp (v[i * m + j]);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      {
        y[i * m + j] = 0;
        for (int k = 0; k < m; k++)
          y[i * m + j] += h[i * m + k] * h[k * m + j];
      }
}

#pragma tensor gradient(squares) of(y: dy) wrt(v: dv) memory("4M")
void squares_gradient (int m, const real *v, const real *dy, real *dv);
#pragma tensor gradient(squares) of(y: dy) wrt(v: dv) memory("4M") with(primal)
void squares_both (int m, const real *v, real *y, const real *dy, real *dv);
#pragma tensor gradient(squares) of(y: dy) wrt(v: dv) memory("1K")
int squares_little (int m, const real *v, const real *dy, real *dv);

enum
{
  ROWS = 2000,
  COLUMNS = 20
};

static real x[ROWS * COLUMNS], w[COLUMNS * COLUMNS], dy[ROWS];
static real dx[2][ROWS * COLUMNS], dw[2][COLUMNS * COLUMNS];

/* The gradients of the first M rows: both give the same.  */
static void
compare (int m)
{
  memset (dx, 0, sizeof dx);
  memset (dw, 0, sizeof dw);
  if (enough (m, COLUMNS, (void *) x, (void *) w, dy, (void *) dx[0],
              (void *) dw[0])
      || little (m, COLUMNS, (void *) x, (void *) w, dy, (void *) dx[1],
                 (void *) dw[1]))
    {
      printf ("%d rows: there was not memory enough\n", m);
      faults++;
    }
  for (int i = 0; i < m * COLUMNS; i++)
    faults += fabs (dx[0][i] - dx[1][i]) > 1e-12;
  for (int i = 0; i < COLUMNS * COLUMNS; i++)
    faults += fabs (dw[0][i] - dw[1][i])
              > 1e-12 * (1 + fabs (dw[0][i]));
}

static void
layers_kernel (values at, real *out)
{
  static real h[ROOM], s[ROOM];
  layers (n, n + 1, (void *) at[0], (void *) at[1], (void *) h, s, out);
}

static void
squares_kernel (values at, real *out)
{
  squares (n, at[0], out);
}

/* Both gradients of squares, and its values; none where a bound is too low.  */
static void
compare_squares (void)
{
  static real y[2][ROOM];
  squares_gradient (n, a[0], u, g[0]);
  agree ("squares", squares_kernel, 0);
  for (int i = 0; i < ROOM; i++)
    g[0][i] = 0.25;
  squares_both (n, a[0], y[0], u, g[0]);
  agree ("squares, with the primal", squares_kernel, 0);
  squares (n, a[0], y[1]);
  for (int i = 0; i < n * n; i++)
    faults += fabs (y[0][i] - y[1][i]) > 1e-12 * fabs (y[1][i]);
  faults += n > 10 && !squares_little (n, a[0], u, g[1]);
  for (int i = 0; i < ROOM; i++)
    faults += g[1][i] != 0.25;
}

int
main (void)
{
  for (int i = 0; i < ROWS * COLUMNS; i++)
    x[i] = next () - 0.5;
  for (int i = 0; i < COLUMNS * COLUMNS; i++)
    w[i] = next () - 0.5;
  for (int i = 0; i < ROWS; i++)
    dy[i] = next ();
  compare (1);
  compare (100);
  compare (ROWS);
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      start (sizes[s]);
      faults += little (n, n + 1, (void *) a[0], (void *) a[1], u,
                        (void *) g[0], (void *) g[1]);
      for (int k = 0; k < 2; k++)
        agree ("layers", layers_kernel, k);
      start (sizes[s]);
      compare_squares ();
    }
  memset (dx, 0, sizeof dx);
  if (!none (ROWS, COLUMNS, (void *) x, (void *) w, dy, (void *) dx[0],
             (void *) dw[0]))
    {
      printf ("128 bytes were enough\n");
      faults++;
    }
  for (int i = 0; i < ROWS * COLUMNS; i++)
    faults += dx[0][i] != 0;
  return faults != 0;
}
