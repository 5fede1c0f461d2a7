/* Shows that what is done with a product's cells behind their sums means the
   same when it is done with the last block of these: sums of a fixed length,
   those that end at the row, also where a row has none.  */

#include "compare.h"

#define LONG 700

#define SCALE                                                                  \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m; j++)                                                \
      {                                                                        \
        c[i][j] = 0;                                                           \
        for (int k = 0; k < LONG; k++)                                         \
          c[i][j] += a[i][k] * b[k][j];                                        \
        c[i][j] = 2 * c[i][j] + s;                                             \
      }

#define AGAIN                                                                  \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m; j++)                                                \
      for (int k = 0; k < m; k++)                                              \
        d[i][j] += c[i][k] * b[k][j];

#define ROWS(end)                                                              \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m; j++)                                                \
      {                                                                        \
        c[i][j] = 1;                                                           \
        for (int k = 0; k < (end); k++)                                        \
          c[i][j] += a[i][k] * b[k][j];                                        \
        c[i][j] *= i + 1;                                                      \
      }

#define PARAMETERS(type)                                                       \
  (int n, int m, type a[restrict n][LONG], type b[restrict LONG][m],           \
   type c[restrict n][m], type d[restrict n][m], type s)

static NOINLINE void plain_scale
PARAMETERS (float)
{
  {
    SCALE
    AGAIN
  }
}

static NOINLINE void plain_rows
PARAMETERS (float)
{
  {
    ROWS (i + 1)
    AGAIN
  }
}

static NOINLINE void plain_below
PARAMETERS (double)
{
  {
    ROWS (i)
    AGAIN
  }
}

static NOINLINE void plain_far
PARAMETERS (float)
{
  {
    ROWS (i + 500)
    AGAIN
  }
}

static NOINLINE void plain_whole
PARAMETERS (int)
{
  {
    SCALE
    AGAIN
  }
}

static NOINLINE void scale
PARAMETERS (float)
{
#pragma tensor
  {
    SCALE
    AGAIN
  }
}

static NOINLINE void rows
PARAMETERS (float)
{
#pragma tensor
  {
    ROWS (i + 1)
    AGAIN
  }
}

static NOINLINE void below
PARAMETERS (double)
{
#pragma tensor
  {
    ROWS (i)
    AGAIN
  }
}

static NOINLINE void far
PARAMETERS (float)
{
#pragma tensor
  {
    ROWS (i + 500)
    AGAIN
  }
}

static NOINLINE void whole
PARAMETERS (int)
{
#pragma tensor
  {
    SCALE
    AGAIN
  }
}

static float a[2][MOST * LONG], b[2][MOST * LONG], c[2][AREA], g[2][AREA];
static double d[2][MOST * LONG], e[2][MOST * LONG], f[2][AREA], h[2][AREA];
static int p[2][MOST * LONG], q[2][MOST * LONG], r[2][AREA], u[2][AREA];

int
main (void)
{
  EACH_SIZE (n)
  EACH_SMALL_TOO (m)
  {
    FILL (a);
    FILL (b);
    FILL (c);
    FILL (g);
    BOTH (scale, n, m, (void *) a[W], (void *) b[W], (void *) c[W],
          (void *) g[W], 3);
    CHECK (c);
    CHECK (g);
    FILL (g);
    BOTH (rows, n, m, (void *) a[W], (void *) b[W], (void *) c[W],
          (void *) g[W], 3);
    CHECK (c);
    CHECK (g);
    FILL (g);
    BOTH (far, n, m, (void *) a[W], (void *) b[W], (void *) c[W], (void *) g[W],
          3);
    CHECK (c);
    CHECK (g);
    FILL (g);
    FILL (d);
    FILL (e);
    FILL (f);
    FILL (h);
    BOTH (below, n, m, (void *) d[W], (void *) e[W], (void *) f[W],
          (void *) h[W], 3);
    CHECK (f);
    CHECK (h);
    FILL (p);
    FILL (q);
    FILL (r);
    FILL (u);
    BOTH (whole, n, m, (void *) p[W], (void *) q[W], (void *) r[W],
          (void *) u[W], 3);
    CHECK (r);
    CHECK (u);
  }
  return 0;
}
