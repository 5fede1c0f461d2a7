/* Shows gradients of time loops from states that are kept: the same bits as
   with everything taped, whatever is kept; memory stays within its bound; one
   that cannot be met is refused; where there is no memory for all less is
   taped; states in parameters, locals and cells, code
   before and behind the loop, forces and losses of each step.  */

#include "check.h"

/* The greatest block that was asked for; greater ones are not to be had.  */
static size_t greatest;
static size_t most = -1;

void *
aligned_alloc (size_t alignment, size_t bytes)
{
  void *block = NULL;
  greatest = bytes > greatest ? bytes : greatest;
  if (bytes > most || posix_memalign (&block, alignment, bytes))
    return NULL;
  return block;
}

static void
heat (int m, int steps, const real *c, real *x)
{
  real y[m + 1];
  for (int i = 0; i < m; i++)
    x[i] = x[i] * x[i];
  for (int t = 0; t < steps; t++)
    {
      for (int i = 1; i < m - 1; i++)
        y[i] = x[i] + 0.1 * c[i] * x[i] * (x[i - 1] - 2 * x[i] + x[i + 1]);
      for (int i = 1; i < m - 1; i++)
        x[i] = y[i];
    }
  for (int i = 0; i < m; i++)
    x[i] = sin (x[i]);
}

#define HEAT(name)                                                             \
  int name (int m, int steps, const real *c, const real *x, real *dx, real *dc);

#pragma tensor gradient(heat) of(x: dx) wrt(x: dx, c: dc) fp(strict)
HEAT (heat_gradient)
#pragma tensor gradient(heat) of(x: dx) wrt(x: dx, c: dc) fp(strict) \
  checkpoint(3)
HEAT (heat_states)
#pragma tensor gradient(heat) of(x: dx) wrt(x: dx, c: dc) fp(strict) \
  memory("512K")
HEAT (heat_bytes)
#pragma tensor gradient(heat) of(x: dx) wrt(x: dx, c: dc) fp(strict) \
  memory("4K") checkpoint(2)
HEAT (heat_little)

static real
springs (int m, int steps, const real *k, const real *force, real *x, real *v)
{
  real loss = 0;
  for (int t = steps - 1; t >= 0; t--)
    {
      for (int i = 1; i < m - 1; i++)
        {
          real r = x[i - 1] - 2 * x[i] + x[i + 1];
          v[i] += 0.05 * k[i] * r / (1 + r * r) - 0.01 * force[t] * x[i];
        }
      for (int i = 1; i < m - 1; i++)
        x[i] += 0.05 * v[i];
      if (m > 1)
        loss += x[1] * x[1] * (t + 1);
    }
  return loss;
}

#define SPRINGS(name)                                                          \
  void name (int m, int steps, const real *k, const real *force,               \
             const real *x, const real *v, real dl, real *dk, real *df,        \
             real *dx);

#pragma tensor gradient(springs) of(return: dl) \
  wrt(k: dk, force: df, x: dx) fp(strict)
SPRINGS (springs_gradient)
#pragma tensor gradient(springs) of(return: dl) \
  wrt(k: dk, force: df, x: dx) fp(strict) checkpoint(2)
SPRINGS (springs_states)

static void
lorenz (int steps, const real *x, real *y)
{
  real a = x[0], b = x[1], c = x[2];
  for (int t = 0; t < steps; t++)
    {
      real da = 10 * (b - a), db = a * (28 - c) - b, dc = a * b - 2.6 * c;
      a += 0.01 * da;
      b += 0.01 * db;
      c += 0.01 * dc;
    }
  y[0] = a;
  y[1] = b * c;
}

#pragma tensor gradient(lorenz) of(y: dy) wrt(x: dx) checkpoint(1)
void lorenz_states (int steps, const real *x, const real *dy, real *dx);

static void
heat_kernel (values at, real *out)
{
  heat (n, n, at[1], at[0]);
  memcpy (out, at[0], n * sizeof *out);
}

static void
springs_kernel (values at, real *out)
{
  out[0] = springs (n, n, at[0], at[1], at[2], at[3]);
}

static void
lorenz_kernel (values at, real *out)
{
  lorenz (n, at[0], out);
}

/* PAIR[0] and PAIR[1] are not the same, but for ROUNDING; signs of zeros
   apart.  */
static int
differ (real pair[2][ROOM], real rounding)
{
  for (int e = 0; e < ROOM; e++)
    if (!(fabs (pair[0][e] - pair[1][e]) <= rounding * fabs (pair[0][e])))
      return 1;
  return 0;
}

/* The gradient of heat over S steps in one of the ways.  */
static int
heat_way (int way, int s, real *dx, real *dc)
{
  static int (*const ways[]) (int, int, const real *, const real *, real *,
                              real *)
    = { heat_gradient, heat_states, heat_bytes, heat_little };
  memcpy (dx, u, sizeof u);
  memset (dc, 0, sizeof u);
  greatest = 0;
  return ways[way](n, s, a[1], a[0], dx, dc);
}

/* Heat over S steps: all ways give the same bits, the third within 512 K and
   what the adjoints and copies take.  */
static void
compare_heat (int s)
{
  static real dx[2][ROOM], dc[2][ROOM];
  heat_way (0, s, dx[0], dc[0]);
  for (int way = 1; way < 3; way++)
    if (heat_way (way, s, dx[1], dc[1]) || differ (dx, 0) || differ (dc, 0))
      {
        printf ("heat, n = %d, %d steps, way %d\n", n, s, way);
        faults++;
      }
  most = 256 * 1024;
  if (heat_way (0, s, dx[1], dc[1]) || differ (dx, 1e-9) || differ (dc, 1e-9))
    {
      printf ("heat, n = %d, %d steps, without memory\n", n, s);
      faults++;
    }
  most = -1;
  heat_way (2, s, dx[1], dc[1]);
  if (greatest > 512 * 1024 + 8 * n * sizeof (real))
    {
      printf ("heat, n = %d, %d steps: %zu bytes\n", n, s, greatest);
      faults++;
    }
}

/* Springs over S steps: both ways give the same bits.  */
static void
compare_springs (int s)
{
  static real dk[2][ROOM], df[2][ROOM], dx[2][ROOM];
  springs_gradient (n, s, a[0], a[1], a[2], a[3], 2, dk[0], df[0], dx[0]);
  springs_states (n, s, a[0], a[1], a[2], a[3], 2, dk[1], df[1], dx[1]);
  if (differ (dk, 0) || differ (df, 0) || differ (dx, 0))
    {
      printf ("springs, n = %d, %d steps\n", n, s);
      faults++;
    }
  memset (dk, 0, sizeof dk);
  memset (df, 0, sizeof df);
  memset (dx, 0, sizeof dx);
}

int
main (void)
{
  static const int steps[] = { 0, 1, 2, 7, 44, 100, 1000 };
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      start (sizes[s]);
      memset (g[0], 0, sizeof g[0]);
      memcpy (g[0], u, n * sizeof *u);
      heat_states (n, n, a[1], a[0], g[0], g[1]);
      agree ("heat", heat_kernel, 1);
      agree_from ("heat", heat_kernel, 0, 0);
      start (sizes[s]);
      springs_states (n, n, a[0], a[1], a[2], a[3], u[0], g[0], g[1], g[2]);
      for (int k = 0; k < 3; k++)
        agree ("springs", springs_kernel, k);
      start (sizes[s]);
      lorenz_states (n, a[0], u, g[0]);
      agree ("lorenz", lorenz_kernel, 0);
    }
  for (unsigned s = 0; s < sizeof steps / sizeof *steps; s++)
    for (int size = 3; size <= 1203; size += 400)
      {
        start (size);
        compare_heat (steps[s]);
        compare_springs (steps[s]);
      }
  start (1000);
  if (heat_way (3, 1000, g[0], g[1]) != 1)
    {
      printf ("there was memory\n");
      faults++;
    }
  return faults != 0;
}
