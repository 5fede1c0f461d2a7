/* { dg-no-verdicts "the pragmas come of macros" } */
/* Shows gradients of physics, chemistry and partial differential equations.  */

#include "field.h"

/* Energy of particles on a line that repel and attract.  */
static void
lennard_jones (int n, const real *x, const real *w, const real *p, real *y)
{
  y[0] = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      {
        real d = x[i] - x[j] + 0.7 * (i - j);
        real s = w[0] * w[0] / (d * d);
        real s3 = s * s * s;
        y[0] += 4 * p[0] * (s3 * s3 - s3);
      }
}
FIELD (lennard_jones)

/* Energy of charges, smoothed near 0.  */
static void
charges (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int i = 0; i < n; i++)
    {
      y[i] = 0;
      for (int j = 0; j < n; j++)
        {
          if (i == j)
            continue;
          real d = x[i] - x[j];
          y[i] += w[i] * w[j] / sqrt (d * d + p[0]);
        }
    }
}
FIELD (charges)

/* A chain of masses and springs in time: first velocities, then places.  */
static void
springs (int n, const real *x, const real *w, const real *p, real *y)
{
  real at[MOST], v[MOST];
  for (int i = 0; i < n; i++)
    {
      at[i] = x[i];
      v[i] = 0;
    }
  for (int t = 0; t < 6; t++)
    {
      for (int i = 0; i < n; i++)
        {
          real left = i > 0 ? at[i - 1] : 0;
          real right = i + 1 < n ? at[i + 1] : 1;
          v[i] += 0.1 * (w[i] * (left - 2 * at[i] + right) - p[0] * v[i]);
        }
      for (int i = 0; i < n; i++)
        at[i] += 0.1 * v[i];
    }
  for (int i = 0; i < n; i++)
    y[i] = at[i] * at[i] + v[i];
}
FIELD (springs)

/* Three levels of the wave equation, one overwritten in turn.  */
static void
wave (int n, const real *x, const real *w, const real *p, real *y)
{
  real old[MOST], now[MOST];
  for (int i = 0; i < n; i++)
    {
      old[i] = x[i];
      now[i] = w[i];
      y[i] = 0;
    }
  for (int t = 0; t < 5; t++)
    {
      for (int i = 1; i < n - 1; i++)
        y[i] = 2 * now[i] - old[i]
               + p[i] * (now[i - 1] - 2 * now[i] + now[i + 1]);
      for (int i = 0; i < n; i++)
        {
          old[i] = now[i];
          now[i] = y[i];
        }
    }
}
FIELD (wave)

/* Soft spins with neighbours and a field.  */
static void
spins (int n, const real *x, const real *w, const real *p, real *y)
{
  y[0] = 0;
  for (int i = 0; i < n; i++)
    {
      real s = tanh (3 * x[i] - 1.5);
      real next = tanh (3 * x[(i + 1) % 5] - 1.5);
      y[0] -= w[i] * s * next + p[i] * s;
    }
}
FIELD (spins)

/* A pendulum, four stages a step.  */
static void
pendulum (int n, const real *x, const real *w, const real *p, real *y)
{
  real angle = x[0], speed = w[0];
  const real h = 0.1;
  for (int t = 0; t < n; t++)
    {
      real k1 = speed, l1 = -p[0] * sin (angle);
      real k2 = speed + 0.5 * h * l1, l2 = -p[0] * sin (angle + 0.5 * h * k1);
      real k3 = speed + 0.5 * h * l2, l3 = -p[0] * sin (angle + 0.5 * h * k2);
      real k4 = speed + h * l3, l4 = -p[0] * sin (angle + h * k3);
      angle += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      speed += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
      y[t] = angle * angle + 0.5 * speed;
    }
}
FIELD (pendulum)

/* Two species, one eats the other.  */
static void
hunters (int n, const real *x, const real *w, const real *p, real *y)
{
  real prey = x[0], hunter = w[0];
  for (int t = 0; t < n; t++)
    {
      real eaten = p[0] * prey * hunter;
      prey += 0.05 * (prey - eaten);
      hunter += 0.05 * (p[1] * eaten - 0.5 * hunter);
      y[t] = prey / (1 + hunter);
    }
}
FIELD (hunters)

/* A chain of reactions with fast and slow rates.  */
static void
kinetics (int n, const real *x, const real *w, const real *p, real *y)
{
  real c[3];
  for (int k = 0; k < 3; k++)
    c[k] = x[k];
  for (int t = 0; t < n; t++)
    {
      real a = w[0] * exp (-p[0] / 0.9) * c[0];
      real b = w[1] * exp (-p[1] / 0.9) * c[1] * c[2];
      c[0] += 0.1 * (b - a);
      c[1] += 0.1 * (a - b - w[2] * c[1] * c[1]);
      c[2] += 0.1 * w[2] * c[1] * c[1];
      y[t] = c[2];
    }
}
FIELD (kinetics)

/* Two substances that react and spread.  */
static void
patterns (int n, const real *x, const real *w, const real *p, real *y)
{
  real b[MOST];
  for (int i = 0; i < n; i++)
    {
      y[i] = x[i];
      b[i] = w[i];
    }
  for (int t = 0; t < 3; t++)
    for (int i = 1; i < n - 1; i++)
      {
        real r = y[i] * b[i] * b[i];
        y[i] += 0.2 * (y[i - 1] - 2 * y[i] + y[i + 1]) - r + p[0] * (1 - y[i]);
        b[i] += 0.1 * (b[i - 1] - 2 * b[i] + b[i + 1]) + r - p[1] * b[i];
      }
}
FIELD (patterns)

/* Waves that steepen, differences against the wind.  */
static void
upwind (int n, const real *x, const real *w, const real *p, real *y)
{
  real old[MOST];
  for (int i = 0; i < n; i++)
    y[i] = x[i] - 0.45;
  for (int t = 0; t < 4; t++)
    {
      for (int i = 0; i < n; i++)
        old[i] = y[i];
      for (int i = 1; i < n - 1; i++)
        {
          real slope = old[i] > 0 ? old[i] - old[i - 1] : old[i + 1] - old[i];
          y[i] = old[i] - 0.3 * w[i] * old[i] * slope + 0.01 * p[i];
        }
    }
}
FIELD (upwind)

/* Sweeps of an elliptic equation in the plane, in place.  */
static void
potential (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i * n + j] = x[i * n + j];
  for (int t = 0; t < 2; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        y[i * n + j] = 0.25
                       * (y[(i - 1) * n + j] + y[i * n + j - 1]
                          + y[(i + 1) * n + j] + y[i * n + j + 1]
                          - w[i * n + j] * p[0] * y[i * n + j]);
}
FIELD (potential)

/* Transport with a limited slope.  */
static void
limiter (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int i = 2; i < n - 1; i++)
    {
      real left = x[i] - x[i - 1];
      real right = x[i + 1] - x[i];
      real slope = left * right <= 0        ? 0
                   : fabs (left) < fabs (right) ? left
                                                : right;
      y[i] = w[i] * (x[i] + 0.5 * (1 - p[0]) * slope);
    }
}
FIELD (limiter)

int
main (void)
{
  CHECK (lennard_jones)
  CHECK (charges)
  CHECK (springs)
  CHECK (wave)
  CHECK (spins)
  CHECK (pendulum)
  CHECK (hunters)
  CHECK (kinetics)
  CHECK (patterns)
  CHECK (upwind)
  CHECK (potential)
  CHECK (limiter)
  return faults != 0;
}
