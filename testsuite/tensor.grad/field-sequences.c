/* { dg-no-verdicts "the pragmas come of macros" } */
/* Shows gradients of what goes on from step to step: poses, filters, sequences
   and their alignments, balances, reflections in place.  */

#include "field.h"

/* Where the joints of an arm are, whose turns are quaternions one after the
   other.  */
static void
joints (int n, const real *x, const real *w, const real *p, real *y)
{
  real q[4] = { 1, 0, 0, 0 }, at[3] = { 0, 0, 0 };
  for (int i = 0; i < n; i++)
    {
      real c = cos (x[i] / 2), s = sin (x[i] / 2);
      real ax = w[i], ay = p[i], az = 1;
      real len = sqrt (ax * ax + ay * ay + az * az);
      real r[4] = { c, s * ax / len, s * ay / len, s * az / len };
      real t[4];
      t[0] = q[0] * r[0] - q[1] * r[1] - q[2] * r[2] - q[3] * r[3];
      t[1] = q[0] * r[1] + q[1] * r[0] + q[2] * r[3] - q[3] * r[2];
      t[2] = q[0] * r[2] - q[1] * r[3] + q[2] * r[0] + q[3] * r[1];
      t[3] = q[0] * r[3] + q[1] * r[2] - q[2] * r[1] + q[3] * r[0];
      for (int k = 0; k < 4; k++)
        q[k] = t[k];
      at[0] += (1 - 2 * (q[2] * q[2] + q[3] * q[3])) * w[i];
      at[1] += 2 * (q[1] * q[2] + q[0] * q[3]) * w[i];
      at[2] += 2 * (q[1] * q[3] - q[0] * q[2]) * p[i];
      for (int k = 0; k < 3; k++)
        y[3 * i + k] = at[k];
    }
}
FIELD (joints)

/* What an option is worth that ends at a barrier, with the greatest and least
   price on the way.  */
static void
barrier (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int path = 0; path < n; path++)
    {
      real s = p[path], most = s, least = s, alive = 1;
      for (int t = 0; t < 8; t++)
        {
          s *= exp ((x[0] - 0.5 * w[0] * w[0]) / 8 + w[0] * (x[t + 1] - 0.5));
          most = fmax (most, s);
          least = fmin (least, s);
          alive *= 1 / (1 + exp (20 * (s - 1.5)));
        }
      y[path] = alive * fmax (s - 0.3, 0) + 0.1 * most - 0.2 * least;
    }
}
FIELD (barrier)

/* The likelihood of measurements under a filter of two states.  */
static void
kalman (int n, const real *x, const real *w, const real *p, real *y)
{
  real m[2] = { x[0], 0 }, c[2][2] = { { w[0], 0 }, { 0, w[1] } };
  for (int t = 0; t < n; t++)
    {
      real f[2][2] = { { 1, 0.1 }, { -0.1 * p[0], 1 - 0.1 * p[1] } };
      real mm[2], fc[2][2], cc[2][2];
      for (int i = 0; i < 2; i++)
        {
          mm[i] = f[i][0] * m[0] + f[i][1] * m[1];
          for (int j = 0; j < 2; j++)
            fc[i][j] = f[i][0] * c[0][j] + f[i][1] * c[1][j];
        }
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
          cc[i][j] = fc[i][0] * f[j][0] + fc[i][1] * f[j][1] + (i == j) * w[2];
      real s = cc[0][0] + p[2];
      real gain[2] = { cc[0][0] / s, cc[1][0] / s };
      real r = x[t + 1] - mm[0];
      for (int i = 0; i < 2; i++)
        {
          m[i] = mm[i] + gain[i] * r;
          for (int j = 0; j < 2; j++)
            c[i][j] = cc[i][j] - gain[i] * cc[0][j];
        }
      y[t] = 0.5 * (log (s) + r * r / s);
    }
}
FIELD (kalman)

/* A labelled sequence: its score less that of all labellings.  */
static void
labelling (int n, const real *x, const real *w, const real *p, real *y)
{
  real alpha[4], next_alpha[4];
  for (int k = 0; k < 4; k++)
    alpha[k] = x[k];
  real score = x[index_of[0] & 3];
  for (int t = 1; t < n; t++)
    {
      for (int k = 0; k < 4; k++)
        {
          real most = -1e30;
          for (int j = 0; j < 4; j++)
            most = fmax (most, alpha[j] + w[4 * j + k]);
          real s = 0;
          for (int j = 0; j < 4; j++)
            s += exp (alpha[j] + w[4 * j + k] - most);
          next_alpha[k] = x[4 * t + k] + most + log (s);
        }
      for (int k = 0; k < 4; k++)
        alpha[k] = next_alpha[k];
      score += x[4 * t + (index_of[t] & 3)]
               + w[4 * (index_of[t - 1] & 3) + (index_of[t] & 3)];
    }
  real z = 0;
  for (int k = 0; k < 4; k++)
    z += exp (alpha[k]);
  y[0] = log (z) - score + p[0] * p[0];
}
FIELD (labelling)

/* Two sequences aligned: the least cost of a way through both.  */
static void
align (int n, const real *x, const real *w, const real *p, real *y)
{
  real d[MOST + 1][MOST + 1];
  for (int i = 0; i <= n; i++)
    for (int j = 0; j <= n; j++)
      d[i][j] = i || j ? 1e10 : 0;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      d[i][j] = fabs (x[i - 1] - w[j - 1]) * p[i]
                + fmin (d[i - 1][j], fmin (d[i][j - 1], d[i - 1][j - 1]));
  y[0] = d[n][n];
}
FIELD (align)

/* Rows and columns balanced in turn.  */
static void
balance (int n, const real *x, const real *w, const real *p, real *y)
{
  real u[MOST], v[MOST];
  for (int j = 0; j < n; j++)
    v[j] = 1;
  for (int t = 0; t < 5; t++)
    {
      for (int i = 0; i < n; i++)
        {
          real s = 0;
          for (int j = 0; j < n; j++)
            s += exp (-fabs (x[i] - w[j]) / 0.3) * v[j];
          u[i] = p[i] / s;
        }
      for (int j = 0; j < n; j++)
        {
          real s = 0;
          for (int i = 0; i < n; i++)
            s += exp (-fabs (x[i] - w[j]) / 0.3) * u[i];
          v[j] = 1 / (n * s);
        }
    }
  for (int i = 0; i < n; i++)
    y[i] = u[i] * v[i];
}
FIELD (balance)

/* A matrix made triangular by reflections, in place.  */
static void
reflect (int n, const real *x, const real *w, const real *p, real *y)
{
  real a[MOST][3];
  for (int i = 0; i < n; i++)
    {
      a[i][0] = x[i];
      a[i][1] = w[i];
      a[i][2] = p[i] * x[i];
    }
  int m = n < 4 ? 0 : 3;
  for (int k = 0; k < m; k++)
    {
      real s = 0, v[MOST];
      for (int i = k; i < n; i++)
        s += a[i][k] * a[i][k];
      s = sqrt (s);
      for (int i = k; i < n; i++)
        v[i] = a[i][k];
      v[k] += a[k][k] > 0 ? s : -s;
      real vv = 0;
      for (int i = k; i < n; i++)
        vv += v[i] * v[i];
      for (int j = k; j < 3; j++)
        {
          real d = 0;
          for (int i = k; i < n; i++)
            d += v[i] * a[i][j];
          for (int i = k; i < n; i++)
            a[i][j] -= 2 * d / vv * v[i];
        }
    }
  for (int k = 0; k < m; k++)
    for (int j = k; j < 3; j++)
      y[3 * k + j] = a[k][j];
}
FIELD (reflect)

int
main (void)
{
  CHECK (joints)
  CHECK (barrier)
  CHECK (kalman)
  CHECK (labelling)
  CHECK (align)
  CHECK (balance)
  CHECK (reflect)
  return faults != 0;
}
