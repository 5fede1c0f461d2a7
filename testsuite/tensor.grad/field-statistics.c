/* { dg-no-verdicts "the pragmas come of macros" } */
/* Shows gradients of statistics: likelihoods, regressions, filters.  */

#include "field.h"

/* Log-likelihood of a normal distribution.  */
static void
gaussian (int n, const real *x, const real *w, const real *p, real *y)
{
  y[0] = 0;
  for (int i = 0; i < n; i++)
    {
      real z = (x[i] - p[0]) / p[1];
      y[0] -= w[i] * (0.5 * z * z + log (p[1]));
    }
}
FIELD (gaussian)

/* Log-likelihood of a mixture, its sums of exponentials taken from their
   greatest.  */
static void
mixture (int n, const real *x, const real *w, const real *p, real *y)
{
  y[0] = 0;
  for (int i = 0; i < n; i++)
    {
      real term[3], most = -1e30, sum = 0;
      for (int k = 0; k < 3; k++)
        {
          real z = (x[i] - p[k]) * w[k];
          term[k] = p[3 + k] + log (w[k]) - 0.5 * z * z;
          if (term[k] > most)
            most = term[k];
        }
      for (int k = 0; k < 3; k++)
        sum += exp (term[k] - most);
      y[0] += log (sum) + most;
    }
}
FIELD (mixture)

/* Logistic regression with a penalty.  */
static void
logistic (int n, const real *x, const real *w, const real *p, real *y)
{
  real loss = 0;
  for (int i = 0; i < n; i++)
    {
      real z = p[0];
      for (int j = 0; j < n; j++)
        z += x[i * n + j] * w[j];
      loss += log1p (exp (-z)) + (i % 2 ? z : 0);
    }
  for (int j = 0; j < n; j++)
    loss += 0.1 * w[j] * w[j];
  y[0] = loss;
}
FIELD (logistic)

/* Counts whose rates are exponentials.  */
static void
counts (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int i = 0; i < n; i++)
    {
      real rate = exp (p[0] + w[i] * p[1]);
      y[i] = 5 * x[i] * log (rate) - rate - lgamma (1 + 5 * x[i]);
    }
}
FIELD (counts)

/* Student's distribution, degrees of freedom too.  */
static void
student (int n, const real *x, const real *w, const real *p, real *y)
{
  real v = 1 + 4 * p[0];
  y[0] = n * (lgamma (0.5 * (v + 1)) - lgamma (0.5 * v) - 0.5 * log (v * w[0]));
  for (int i = 0; i < n; i++)
    y[0] -= 0.5 * (v + 1) * log1p (x[i] * x[i] / (v * w[0]));
}
FIELD (student)

/* A density as a sum of bumps.  */
static void
density (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int i = 0; i < n; i++)
    {
      y[i] = 0;
      for (int j = 0; j < n; j++)
        y[i] += exp (-(x[i] - w[j]) * (x[i] - w[j]) / (2 * p[0] * p[0])) / p[0];
    }
}
FIELD (density)

/* A loss that grows slowly far away.  */
static void
robust (int n, const real *x, const real *w, const real *p, real *y)
{
  y[0] = 0;
  for (int i = 0; i < n; i++)
    {
      real r = 3 * (x[i] - w[i]);
      if (fabs (r) <= p[0])
        y[0] += 0.5 * r * r;
      else
        y[0] += p[0] * (fabs (r) - 0.5 * p[0]);
    }
}
FIELD (robust)

/* Partial likelihood of survival: sums over those still at risk.  */
static void
survival (int n, const real *x, const real *w, const real *p, real *y)
{
  real risk = 0;
  y[0] = 0;
  for (int i = n - 1; i >= 0; i--)
    {
      real score = x[i] * p[0] + w[i] * p[1];
      risk += exp (score);
      if (i % 3 != 1)
        y[0] += score - log (risk);
    }
}
FIELD (survival)

/* Variances and covariances.  */
static void
covariance (int n, const real *x, const real *w, const real *p, real *y)
{
  real mean[3];
  for (int j = 0; j < 3; j++)
    {
      mean[j] = p[0];
      for (int i = 0; i < n; i++)
        mean[j] += x[i * 3 + j] * w[i] / n;
    }
  for (int j = 0; j < 3; j++)
    for (int k = 0; k <= j; k++)
      {
        real s = 0;
        for (int i = 0; i < n; i++)
          s += (x[i * 3 + j] - mean[j]) * (x[i * 3 + k] - mean[k]);
        y[j * 3 + k] = s;
      }
}
FIELD (covariance)

/* Correlation of two columns.  */
static void
correlation (int n, const real *x, const real *w, const real *p, real *y)
{
  real a2 = p[0], b2 = p[1], ab = 0;
  for (int i = 0; i < n; i++)
    {
      a2 += x[i] * x[i];
      b2 += w[i] * w[i];
      ab += x[i] * w[i];
    }
  y[0] = ab / sqrt (a2 * b2);
}
FIELD (correlation)

/* A hidden chain of three states, scaled at each step.  */
static void
chain (int n, const real *x, const real *w, const real *p, real *y)
{
  real now[3], next[3];
  for (int k = 0; k < 3; k++)
    now[k] = p[k];
  y[0] = 0;
  for (int t = 0; t < n; t++)
    {
      real sum = 0;
      for (int k = 0; k < 3; k++)
        {
          next[k] = 0;
          for (int j = 0; j < 3; j++)
            next[k] += now[j] * w[3 * j + k];
          next[k] *= exp (-(x[t] - p[3 + k]) * (x[t] - p[3 + k]));
          sum += next[k];
        }
      for (int k = 0; k < 3; k++)
        now[k] = next[k] / sum;
      y[0] += log (sum);
    }
}
FIELD (chain)

/* A filter that weighs what it expects against what it sees.  */
static void
kalman (int n, const real *x, const real *w, const real *p, real *y)
{
  real mean = p[0], variance = p[1];
  for (int t = 0; t < n; t++)
    {
      variance = w[0] * w[0] * variance + p[2];
      real gain = variance / (variance + p[3]);
      mean = w[0] * mean;
      mean += gain * (x[t] - mean);
      variance *= 1 - gain;
      y[t] = mean - 0.1 * log (variance);
    }
}
FIELD (kalman)

int
main (void)
{
  CHECK (gaussian)
  CHECK (mixture)
  CHECK (logistic)
  CHECK (counts)
  CHECK (student)
  CHECK (density)
  CHECK (robust)
  CHECK (survival)
  CHECK (covariance)
  CHECK (correlation)
  CHECK (chain)
  CHECK (kalman)
  return faults != 0;
}
