/* Shows time loops of independent systems, whose tapes lie lane by lane: any
   number of systems and steps, a condition around the loop, rows that a system
   has of its own.  */

#include "check.h"

/* Runge-Kutta steps of m systems.  */
static void
steps (int m, int t, const real *x, const real *k, real *r)
{
  for (int i = 0; i < m; i++)
    {
      real u = x[i];
      for (int s = 0; s < t; s++)
        {
          real half = u + 0.05 * k[i] * (u - u * u);
          u += 0.1 * k[i] * (half - half * half);
        }
      r[i] = u;
    }
}

#pragma tensor gradient(steps) of(r: dr) wrt(x: dx, k: dk)
void steps_gradient (int m, int t, const real *restrict x,
                     const real *restrict k, const real *restrict dr,
                     real *restrict dx, real *restrict dk);

/* Some systems stand still; each keeps its last rows.  */
static void
rows (int m, int t, const real *x, const real *k, real *r)
{
  for (int i = 0; i < m; i++)
    {
      real row[4];
      for (int e = 0; e < 4; e++)
        row[e] = x[i] * (e + 1);
      if (k[i] > 0.4)
        for (int s = 0; s < t; s++)
          {
            real last = row[3];
            for (int e = 3; e > 0; e--)
              row[e] = row[e - 1] * k[i];
            row[0] = sin (last) + row[1];
          }
      r[i] = row[0] * row[2] + row[1] * row[3];
    }
}

#pragma tensor gradient(rows) of(r: dr) wrt(x: dx, k: dk)
void rows_gradient (int m, int t, const real *restrict x,
                    const real *restrict k, const real *restrict dr,
                    real *restrict dx, real *restrict dk);

static int length;

static void
run_steps (values v, real *out)
{
  steps (n, length, v[0], v[1], out);
}

static void
run_rows (values v, real *out)
{
  rows (n, length, v[0], v[1], out);
}

int
main (void)
{
  static const int many[] = { 0, 1, 3, 4, 7, 8, 31, 32, 33, 100 };
  for (size_t s = 0; s < sizeof many / sizeof *many; s++)
    for (length = 0; length < 9; length += 1 + length)
      {
        start (many[s]);
        steps_gradient (n, length, a[0], a[1], u, g[0], g[1]);
        agree ("steps", run_steps, 0);
        agree ("steps", run_steps, 1);
        start (many[s]);
        rows_gradient (n, length, a[0], a[1], u, g[0], g[1]);
        agree ("rows", run_rows, 0);
        agree ("rows", run_rows, 1);
      }
  return faults > 0;
}
