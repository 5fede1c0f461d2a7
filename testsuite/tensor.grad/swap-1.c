/* Shows gradients of time steps between two and three buffers that swap, given
   and local.  */

#include "check.h"

static real
heat (int m, int steps, const real *first, real *from, real *to)
{
  real e = 0;
  memcpy (from, first, m * sizeof *from);
  for (int t = 0; t < steps; t++)
    {
      to[0] = from[0];
      to[m - 1] = from[m - 1];
      for (int i = 1; i < m - 1; i++)
        to[i] = from[i]
                + 0.1 * from[i] * (from[i - 1] - 2 * from[i] + from[i + 1]);
      real *s = from;
      from = to;
      to = s;
    }
  for (int i = 0; i < m; i++)
    e += from[i] * from[i];
  return e;
}

#pragma tensor gradient(heat) of(return: g) wrt(first: dx)
void heat_gradient (int m, int steps, const real *first, real *from, real *to,
                    real g, real *dx);

static void
wave (int m, int steps, const real *first, const real *second, real *y)
{
  real x[m + 1], u[m + 1], v[m + 1];
  real *prev = x, *cur = u, *next = v;
  for (int i = 0; i < m; i++)
    {
      prev[i] = first[i];
      cur[i] = second[i];
      next[i] = 0;
    }
  for (int t = 0; t < steps; t++)
    {
      for (int i = 1; i < m - 1; i++)
        next[i] = 2 * cur[i] - prev[i]
                  + 0.1 * cur[i] * (cur[i - 1] - 2 * cur[i] + cur[i + 1]);
      real *s = prev;
      prev = cur;
      cur = next;
      next = s;
    }
  for (int i = 0; i < m; i++)
    y[i] = cur[i] + prev[i] * next[i];
}

#pragma tensor gradient(wave) of(y: dy) wrt(first: df, second: ds)
void wave_gradient (int m, int steps, const real *first, const real *second,
                    const real *dy, real *df, real *ds);

static int steps;

static void
kernel_heat (values at, real *out)
{
  static real from[ROOM], to[ROOM];
  out[0] = n ? heat (n, steps, at[0], from, to) : 0;
}

static void
kernel_wave (values at, real *out)
{
  wave (n, steps, at[0], at[1], out);
}

int
main (void)
{
  static real from[ROOM], to[ROOM];
  for (int k = 0; k < 5; k++)
    for (steps = 0; steps < 6; steps++)
      {
        start (sizes[k]);
        if (n)
          heat_gradient (n, steps, a[0], from, to, u[0], g[0]);
        agree ("heat", kernel_heat, 0);
        start (sizes[k]);
        wave_gradient (n, steps, a[0], a[1], u, g[0], g[1]);
        agree ("wave", kernel_wave, 0);
        agree ("wave", kernel_wave, 1);
      }
  return faults != 0;
}
