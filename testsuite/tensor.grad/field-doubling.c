/* { dg-no-verdicts "the pragmas come of macros" } */
/* Shows gradients of loops that double or halve what they count with.  */

#include "field.h"

/* A Fourier transform in place, of a power of two of numbers, and the power at
   each frequency.  */
static void
transform (int n, const real *x, const real *w, const real *p, real *y)
{
  real re[MOST], im[MOST];
  int m = n < 16 ? n : 16;
  for (int i = 0; i < 16; i++)
    {
      re[i] = x[i] * w[i];
      im[i] = p[i];
    }
  for (int half = 1; half < m; half *= 2)
    for (int b = 0; b + 2 * half <= m; b += 2 * half)
      for (int k = 0; k < half; k++)
        {
          real c = cos (M_PI * k / half), s = -sin (M_PI * k / half);
          real tr = c * re[b + k + half] - s * im[b + k + half];
          real ti = c * im[b + k + half] + s * re[b + k + half];
          re[b + k + half] = re[b + k] - tr;
          im[b + k + half] = im[b + k] - ti;
          re[b + k] += tr;
          im[b + k] += ti;
        }
  for (int i = 0; i < m; i++)
    y[i] = re[i] * re[i] + im[i] * im[i];
}
FIELD (transform)

/* Wavelets: halves, and what is left of them, through something that is not
   linear.  */
static void
wavelets (int n, const real *x, const real *w, const real *p, real *y)
{
  real a[16], t[16];
  for (int i = 0; i < 16; i++)
    a[i] = x[i] * w[i];
  for (int length = 16; length > 1; length /= 2)
    {
      for (int i = 0; i < length / 2; i++)
        {
          t[i] = (a[2 * i] + a[2 * i + 1]) * p[0];
          t[length / 2 + i] = (a[2 * i] - a[2 * i + 1]) * p[1];
        }
      for (int i = 0; i < length; i++)
        a[i] = t[i] * t[i] + t[i];
    }
  for (int i = 0; i < (n < 16 ? n : 16); i++)
    y[i] = a[i];
}
FIELD (wavelets)

/* A sum as a tree, whose nodes have weights.  */
static void
weighed (int n, const real *x, const real *w, const real *p, real *y)
{
  real a[MOST], left[MOST], right[MOST];
  for (int i = 0; i < n; i++)
    {
      a[i] = x[i] * x[i];
      left[i] = w[i];
      right[i] = p[i];
    }
  for (int h = 1; h <= n - 1; h <<= 1)
    for (int i = 0; i + h < n; i += 2 * h)
      a[i] = a[i] * left[h] + a[i + h] * right[i];
  if (n > 0)
    y[0] = a[0];
}
FIELD (weighed)

/* Sums from the first element on, by doubling how far they reach.  */
static void
reaching (int n, const real *x, const real *w, const real *p, real *y)
{
  real a[2][MOST], b[MOST];
  int now = 0;
  for (int i = 0; i < n; i++)
    {
      a[0][i] = x[i];
      b[i] = p[i];
    }
  int h = 1;
  while (n > h)
    {
      for (int i = 0; i < n; i++)
        a[1 - now][i] = a[now][i] + (i >= h ? a[now][i - h] * w[i] * b[h] : 0);
      now = 1 - now;
      h = 2 * h;
    }
  for (int i = 0; i < n; i++)
    y[i] = a[now][i];
}
FIELD (reaching)

/* Steps that a counter halves and another doubles.  */
static void
levels (int n, const real *x, const real *w, const real *p, real *y)
{
  int far = 1;
  real a[MOST + 1], b[MOST + 1], s = x[0];
  for (int i = 0; i <= MOST; i++)
    {
      a[i] = x[i] + w[i];
      b[i] = p[i];
    }
  for (int level = 0; level < 5; level++)
    {
      s = s * w[level] + a[far];
      far *= 2;
    }
  for (unsigned h = 16; h >= 2; h >>= 1)
    s += b[h] * s;
  for (int h = n; h > 0; h /= 2)
    s += a[h] * s * b[far - 32];
  y[0] = s;
}
FIELD (levels)

int
main (void)
{
  CHECK (transform)
  CHECK (wavelets)
  CHECK (weighed)
  CHECK (reaching)
  CHECK (levels)
  return faults != 0;
}
