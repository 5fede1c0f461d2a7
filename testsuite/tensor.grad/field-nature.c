/* { dg-no-verdicts "the pragmas come of macros" } */
/* Shows gradients of biology, the earth, the sky, signals, games and money, with
   the functions of math.h that these use.  */

#define _GNU_SOURCE
#include "field.h"

/* An epidemic in groups that infect each other, by Euler's steps.  */
static void
epidemic (int n, const real *x, const real *w, const real *p, real *y)
{
  real well[MOST], ill[MOST], force[MOST];
  for (int i = 0; i < n; i++)
    {
      well[i] = 1 - 0.1 * x[i];
      ill[i] = 0.1 * x[i];
    }
  for (int t = 0; t < 5; t++)
    {
      for (int i = 0; i < n; i++)
        {
          force[i] = 0;
          for (int j = 0; j < n; j++)
            force[i] += w[(i + j) % n] * ill[j] / n;
        }
      for (int i = 0; i < n; i++)
        {
          real new = 0.3 * force[i] * well[i];
          well[i] -= new;
          ill[i] += new - 0.2 * p[0] * ill[i];
        }
    }
  for (int i = 0; i < n; i++)
    y[i] = ill[i] - well[i] * well[i];
}
FIELD (epidemic)

/* Membranes after FitzHugh and Nagumo that neighbours drive.  */
static void
nerve (int n, const real *x, const real *w, const real *p, real *y)
{
  real v[MOST], r[MOST], next[MOST];
  for (int i = 0; i < n; i++)
    {
      v[i] = x[i];
      r[i] = w[i];
    }
  for (int t = 0; t < 4; t++)
    {
      for (int i = 0; i < n; i++)
        {
          real left = i > 0 ? v[i - 1] : v[i];
          real right = i < n - 1 ? v[i + 1] : v[i];
          next[i] = v[i] + 0.1 * (v[i] - v[i] * v[i] * v[i] / 3 - r[i])
                    + 0.05 * p[i] * (left - 2 * v[i] + right);
          r[i] += 0.01 * (v[i] + 0.7 - 0.8 * r[i]);
        }
      for (int i = 0; i < n; i++)
        v[i] = next[i];
    }
  for (int i = 0; i < n; i++)
    y[i] = v[i] * r[i];
}
FIELD (nerve)

/* Scores of two sequences by soft alignment: a table of log-sum-exps.  */
static void
alignment (int n, const real *x, const real *w, const real *p, real *y)
{
  real d[MOST + 1][MOST + 1];
  for (int i = 0; i <= n; i++)
    d[i][0] = d[0][i] = i * p[0];
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      {
        real cost = (x[i - 1] - w[j - 1]) * (x[i - 1] - w[j - 1]);
        real a = -d[i - 1][j - 1], b = -d[i - 1][j] - p[0],
             c = -d[i][j - 1] - p[0];
        real most = fmax (a, fmax (b, c));
        d[i][j] = cost - most
                  - log (exp (a - most) + exp (b - most) + exp (c - most));
      }
  y[0] = d[n][n];
}
FIELD (alignment)

/* Great circles between places, by the haversine.  */
static void
great_circles (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int i = 0; i < n; i++)
    {
      int j = (i + 1) % n;
      real s = sin ((x[j] - x[i]) / 2), t = sin ((w[j] - w[i]) / 2);
      real h = s * s + cos (x[i]) * cos (x[j]) * t * t;
      y[i] = 2 * p[i] * asin (sqrt (h + 0.01));
    }
}
FIELD (great_circles)

/* Kepler's equation by Newton's steps; where the body is then.  */
static void
orbit (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int i = 0; i < n; i++)
    {
      real e = 0.8 * w[i], at = x[i];
      for (int t = 0; t < 6; t++)
        {
          real s, c;
          sincos (at, &s, &c);
          at -= (at - e * s - x[i]) / (1 - e * c);
        }
      y[i] = p[i] * (1 - e * cos (at))
             + 2
                 * atan2 (sqrt (1 + e) * sin (at / 2),
                          sqrt (1 - e) * cos (at / 2));
    }
}
FIELD (orbit)

/* Ground water under a pump: Darcy's law, upstream conductivity, one sweep of
   lines from each side.  */
static void
ground_water (int n, const real *x, const real *w, const real *p, real *y)
{
  real head[MOST + 2];
  for (int i = 0; i < n + 2; i++)
    head[i] = i > 0 && i <= n ? x[i - 1] : 0.5;
  for (int t = 0; t < 2; t++)
    {
      for (int i = 1; i <= n; i++)
        {
          real k = head[i] > head[i - 1] ? w[i - 1] : p[i - 1];
          head[i] = (k * head[i - 1] + w[i - 1] * head[i + 1] + 0.1)
                    / (k + w[i - 1] + 0.2);
        }
      for (int i = n; i >= 1; i--)
        head[i] = 0.5 * head[i] + 0.25 * (head[i - 1] + head[i + 1]);
    }
  for (int i = 0; i < n; i++)
    y[i] = head[i + 1] * head[i + 1];
}
FIELD (ground_water)

/* A filter with feedback, its output companded.  */
static void
filter (int n, const real *x, const real *w, const real *p, real *y)
{
  real one = 0, two = 0;
  for (int i = 0; i < n; i++)
    {
      real now = fma (w[0], one, x[i]) - 0.3 * p[0] * two;
      two = one;
      one = now;
      y[i] = copysign (log1p (9 * fabs (now)), now) / log (10);
    }
}
FIELD (filter)

/* The envelope of a signal by its discrete transform, in polar form.  */
static void
envelope (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int k = 0; k < n; k++)
    {
      real re = 0.1, im = 0;
      for (int i = 0; i < n; i++)
        {
          real turn = 6.2831853 * i * k / n + 0.1 * p[i];
          re += x[i] * w[i] * cos (turn);
          im -= x[i] * w[i] * sin (turn);
        }
      y[k] = log (re * re + im * im + 1) + hypot (re, im);
    }
}
FIELD (envelope)

/* A bond's value and duration under a curve of rates.  */
static void
bond (int n, const real *x, const real *w, const real *p, real *y)
{
  real value = 0, weighted = 0, factor = 1;
  for (int i = 0; i < n; i++)
    {
      factor /= 1 + 0.1 * x[i];
      real flow = w[i] + (i == n - 1 ? 10 * p[0] : 0);
      value += factor * flow;
      weighted += factor * flow * (i + 1);
    }
  y[0] = n > 0 ? value + weighted / value : 0;
}
FIELD (bond)

/* Drawdown of a portfolio, smooth: running maxima.  */
static void
drawdown (int n, const real *x, const real *w, const real *p, real *y)
{
  real wealth = 1, peak = 1;
  for (int i = 0; i < n; i++)
    {
      wealth *= 1 + 0.2 * (x[i] - 0.5) * w[i];
      if (wealth > peak)
        peak = wealth;
      y[i] = (peak - wealth) * p[i] / peak;
    }
}
FIELD (drawdown)

/* Elo's ratings after games in turn, the expected score of the next.  */
static void
ratings (int n, const real *x, const real *w, const real *p, real *y)
{
  real r[MOST];
  for (int i = 0; i < n; i++)
    r[i] = x[i];
  for (int i = 0; i < n; i++)
    {
      int one = index_of[i], other = (i * 3 + 1) % n;
      if (one == other)
        continue;
      real expected = 1 / (1 + exp (r[other] - r[one]));
      real gain = 0.5 * p[0] * (w[i] - expected);
      r[one] += gain;
      r[other] -= gain;
    }
  for (int i = 0; i < n; i++)
    y[i] = r[i] * r[i];
}
FIELD (ratings)

/* Numbers in parts: what is lost when mantissas are cut, and what is scaled
   back.  */
static void
parts (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int i = 0; i < n; i++)
    {
      int e;
      real whole;
      real m = frexp (5 * x[i] + 0.013, &e);
      real rest = modf (7 * w[i] + 0.017, &whole);
      y[i] = ldexp (m * p[i], e) + rest * whole + scalbn (rest, -2) * m;
    }
}
FIELD (parts)

/* Angles brought near, as of a robot's joints, and the reach of its arm.  */
static void
joints (int n, const real *x, const real *w, const real *p, real *y)
{
  real turn = 0, across = 0, up = 0;
  for (int i = 0; i < n; i++)
    {
      turn += remainder (9 * x[i] - 2 * p[i], 6.25);
      across += w[i] * cos (turn);
      up += w[i] * sin (turn);
      y[i] = hypot (across, up + 3);
    }
}
FIELD (joints)

/* Waiting times of shapes between the gamma function's: log-likelihoods.  */
static void
waiting (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int i = 0; i < n; i++)
    y[i] = (w[i] - 1) * log (x[i]) - x[i] / p[i] - w[i] * log (p[i])
           - lgamma (w[i]) + 0.1 * tgamma (1 + w[i]) + erf (x[i] - w[i]);
}
FIELD (waiting)

/* Diffusion on a graph of edges, twice, each node by what flows in less what
   flows out.  */
static void
flows (int n, const real *x, const real *w, const real *p, real *y)
{
  real now[MOST], next[MOST];
  for (int i = 0; i < n; i++)
    now[i] = x[i];
  for (int t = 0; t < 2; t++)
    {
      for (int i = 0; i < n; i++)
        next[i] = now[i];
      for (int e = 0; e < n; e++)
        {
          int from = index_of[e], to = (e + 1) % n;
          real flow = w[e] * (now[from] - now[to]) * exp (-p[e] * now[from]);
          next[from] -= flow;
          next[to] += flow;
        }
      for (int i = 0; i < n; i++)
        now[i] = next[i];
    }
  for (int i = 0; i < n; i++)
    y[i] = now[i] * now[i] * now[i];
}
FIELD (flows)

int
main (void)
{
  CHECK (epidemic)
  CHECK (nerve)
  CHECK (alignment)
  CHECK (great_circles)
  CHECK (orbit)
  CHECK (ground_water)
  CHECK (filter)
  CHECK (envelope)
  CHECK (bond)
  CHECK (drawdown)
  CHECK (ratings)
  CHECK (parts)
  CHECK (joints)
  CHECK (waiting)
  CHECK (flows)
  return faults != 0;
}
