/* Shows what a time loop of 1,000 steps costs from states that are kept: at 44
   states no step runs more than twice before it is taped, at 17 not more than
   three times; in some bytes no more are taken than these, and what copies of
   the arrays take.  */

#include "check.h"

enum
{
  STEPS = 1000,
  WIDTH = 500
};

/* What the gradient at hand takes.  */
static size_t taken;

void *
aligned_alloc (size_t alignment, size_t bytes)
{
  void *block = NULL;
  taken += bytes;
  return posix_memalign (&block, alignment, bytes) ? NULL : block;
}

/* How often a step has run.  */
static int runs;

extern real __attribute__ ((noipa)) pull (real x, real v);

#pragma tensor derivative(pull) of(return: g) wrt(x: dx, v: dv)
void pull_back (real x, real v, real g, real *dx, real *dv);

static real
swing (int steps, const real *x)
{
  real at = x[0], speed = x[1];
  for (int t = 0; t < steps; t++)
    {
      speed += 0.01 * pull (at, speed);
      at += 0.01 * speed;
    }
  return at;
}

#define SWING(name) void name (int steps, const real *x, real dl, real *dx);

#pragma tensor gradient(swing) of(return: dl) wrt(x: dx)
SWING (swing_gradient)
#pragma tensor gradient(swing) of(return: dl) wrt(x: dx) checkpoint(44)
SWING (swing_44)
#pragma tensor gradient(swing) of(return: dl) wrt(x: dx) checkpoint(17)
SWING (swing_17)

static void
springs (int m, int steps, real *x, real *v)
{
  for (int t = 0; t < steps; t++)
    {
      for (int i = 1; i < m - 1; i++)
        {
          real r = x[i - 1] - 2 * x[i] + x[i + 1];
          v[i] += 0.05 * (r + r * r * r);
        }
      for (int i = 1; i < m - 1; i++)
        x[i] += 0.05 * v[i];
    }
}

#define SPRINGS(name)                                                          \
  void name (int m, int steps, const real *x, const real *v, real *dx,         \
             real *dv);

#pragma tensor gradient(springs) of(x: dx, v: dv) wrt(x: dx, v: dv)
SPRINGS (springs_gradient)
#pragma tensor gradient(springs) of(x: dx, v: dv) wrt(x: dx, v: dv) memory("1M")
SPRINGS (springs_bytes)
#pragma tensor gradient(springs) of(x: dx, v: dv) wrt(x: dx, v: dv) \
  memory("128K")
SPRINGS (springs_little)

real
pull (real x, real v)
{
  runs++;
  return -x * x * x - 0.1 * v;
}

void
pull_back (real x, real v, real g, real *dx, real *dv)
{
  *dx += -3 * x * x * g;
  *dv += -0.1 * g;
}

/* GRADIENT gives what swing_gradient gave, RIGHT, and each step runs SWEEPS
   times at most before it is taped, once at least.  */
static void
count (const char *name, void gradient (int, const real *, real, real *),
       const real *right, int sweeps)
{
  real dx[2] = { 0, 0 };
  runs = 0;
  gradient (STEPS, a[0], 1, dx);
  if (fabs (dx[0] - right[0]) > 1e-12 || fabs (dx[1] - right[1]) > 1e-12
      || runs > (sweeps + 1) * STEPS || runs < sweeps * STEPS)
    {
      printf ("%s: %g %g, not %g %g; %d runs\n", name, dx[0], dx[1], right[0],
              right[1], runs);
      faults++;
    }
}

/* GRADIENT gives what springs_gradient gave, RIGHT, and takes BYTES at most,
   and ten arrays besides.  */
static void
weigh (const char *name,
       void gradient (int, int, const real *, const real *, real *, real *),
       real right[2][ROOM], size_t bytes)
{
  static real back[2][ROOM];
  memcpy (back[0], u, sizeof u);
  memcpy (back[1], u, sizeof u);
  taken = 0;
  gradient (WIDTH, STEPS, a[0], a[1], back[0], back[1]);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < WIDTH; i++)
      if (!(fabs (back[k][i] - right[k][i]) <= 1e-9 * fabs (right[k][i])))
        faults++;
  if (faults || taken > bytes + 10 * (WIDTH + 16) * sizeof (real))
    {
      printf ("%s: %d faults; %zu bytes\n", name, faults, taken);
      faults++;
    }
}

int
main (void)
{
  static real right[2][ROOM];
  real dx[2] = { 0, 0 };
  start (WIDTH);
  runs = 0;
  swing_gradient (STEPS, a[0], 1, dx);
  if (runs != STEPS)
    {
      printf ("%d runs\n", runs);
      faults++;
    }
  count ("44 states", swing_44, dx, 2);
  count ("17 states", swing_17, dx, 3);
  memcpy (right[0], u, sizeof u);
  memcpy (right[1], u, sizeof u);
  springs_gradient (WIDTH, STEPS, a[0], a[1], right[0], right[1]);
  weigh ("1 M", springs_bytes, right, 1 << 20);
  weigh ("128 K", springs_little, right, 1 << 17);
  return faults != 0;
}
