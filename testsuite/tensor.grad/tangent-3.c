/* Shows tangents that give what the function gives, too: results, outputs,
   arrays changed in place, sums that are added to; along several directions;
   where the tangent that leaves lies on the one that comes in.  */

#include "check.h"

static real
spring (int m, real k, const real *x, real *force)
{
  real energy = 0;
  for (int i = 0; i < m; i++)
    {
      force[i] = -k * sin (x[i]);
      energy += k * (1 - cos (x[i]));
    }
  return energy;
}

#pragma tensor tangent(spring) of(force: df, return: de) wrt(x: dx, k: dk) \
  with(primal)
real spring_both (int m, real k, const real *x, real *force, const real *dx,
                  real dk, real *df, real *de);

#pragma tensor tangent(spring) of(force: df) wrt(x: dx) with(primal) \
  directions(many)
real spring_many (int m, int many, real k, const real *x, real *restrict force,
                  const real dx[many][m], real df[restrict many][m]);

static void
heat (int m, int steps, real *x, real *restrict total, real *restrict last)
{
  for (int t = 0; t < steps; t++)
    {
      for (int i = 1; i < m - 1; i++)
        x[i] = x[i] + 0.25 * x[i] * (x[i - 1] - 2 * x[i] + x[i + 1]);
      for (int i = 0; i < m; i++)
        total[i] += x[i] * x[i];
    }
  for (int i = 0; i < m; i++)
    last[i] = 3 * i;
}

#pragma tensor tangent(heat) of(x: dx, total: dt) wrt(x: dx) with(primal)
void heat_both (int m, int steps, real *x, real *restrict total,
                real *restrict last, real *restrict dx, real *restrict dt);

static void
spring_kernel (values at, real *out)
{
  spring (n, 0.7, at[0], out);
}

static void
heat_kernel (values at, real *out)
{
  static real last[ROOM];
  memset (out, 0, n * sizeof *out);
  heat (n, 3, at[0], out, last);
}

/* What is derived along d[0] is OUT, of whose tangent DOT the seeds are U.  */
static void
compare (const char *name, kernel *f, const real *dot)
{
  real got = 0;
  for (int i = 0; i < n; i++)
    got += dot[i] * u[i];
  agree_slope (name, f, 0, got);
}

/* A and B, N numbers, are the same up to rounding.  */
static void
same (const char *name, const real *x, const real *y)
{
  for (int i = 0; i < n; i++)
    if (fabs (x[i] - y[i]) > 1e-14 * (1 + fabs (y[i])))
      {
        printf ("%s, n = %d: %.17g at %d, not %.17g\n", name, n, x[i], i, y[i]);
        faults++;
        return;
      }
}

/* All of the spring.  */
static void
check_spring (void)
{
  static real force[ROOM], want[ROOM], dots[ROOM], sum[1];
  real energy = spring (n, 0.7, a[0], want);
  real got = spring_both (n, 0.7, a[0], force, d[0], 0, dots, sum);
  faults += fabs (got - energy) > 1e-12;
  same ("spring", force, want);
  compare ("spring", spring_kernel, dots);
  memcpy (dots, d[0], sizeof dots);
  got = spring_both (n, 0.7, a[0], force, dots, 0, dots, sum);
  same ("spring, tangents in place", force, want);
  compare ("spring, tangents in place", spring_kernel, dots);
}

/* The spring along three directions.  */
static void
check_directions (void)
{
  static real force[ROOM], want[ROOM];
  static real along[3 * ROOM], dots[3 * ROOM];
  real energy = spring (n, 0.7, a[0], want);
  for (int k = 0; k < 3; k++)
    memcpy (along + k * n, d[k], n * sizeof *along);
  real got = spring_many (n, 3, 0.7, a[0], force, (void *) along,
                          (void *) dots);
  faults += fabs (got - energy) > 1e-12;
  same ("spring, directions", force, want);
  for (int k = 0; k < 3; k++)
    {
      memcpy (d[0], along + k * n, n * sizeof *along);
      compare ("spring, directions", spring_kernel, dots + k * n);
    }
}

/* All of the heat.  */
static void
check_heat (void)
{
  static values left, right;
  static real dots[ROOM], sums[ROOM];
  memcpy (left, a, sizeof left);
  memcpy (right, a, sizeof right);
  memcpy (dots, d[0], sizeof dots);
  heat (n, 3, left[0], left[1], left[2]);
  heat_both (n, 3, right[0], right[1], right[2], dots, sums);
  for (int k = 0; k < 3; k++)
    same ("heat", right[k], left[k]);
  compare ("heat", heat_kernel, sums);
}

int
main (void)
{
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      start (sizes[s]);
      check_spring ();
      check_directions ();
      start (sizes[s]);
      check_heat ();
    }
  return faults != 0;
}
