/* { dg-no-verdicts "the pragmas come of macros" } */
/* Shows what other tools have got wrong: an array that a called function
   overwrites, divided subscripts, a sum of products of neighbours, cells used
   again, a switch; factors of 0 in products, ties of a greatest element.  */

#include "field.h"

/* x becomes its squares.  */
static void
overwrite (int n, real *t)
{
  for (int i = 0; i < n; i++)
    t[i] = t[i] * t[i];
}

static void
called (int n, const real *x, const real *w, const real *p, real *y)
{
  real t[MOST];
  for (int i = 0; i < n; i++)
    t[i] = x[i] * w[i];
  for (int i = 0; i < n; i++)
    y[i] = sin (t[i]) * p[i];
  overwrite (n, t);
  for (int i = 0; i < n; i++)
    y[i] *= t[i];
  overwrite (n, t);
  for (int i = 0; i < n; i++)
    y[i] += t[i];
}
FIELD (called)

static void
divided (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int i = 0; i < n; i++)
    y[i] = x[i / 2] * x[i / 3] + w[(i + 1) / 2] * p[i % 4];
}
FIELD (divided)

static void
neighbours (int n, const real *x, const real *w, const real *p, real *y)
{
  real total = 0;
  for (int i = 1; i < n; i++)
    total += x[i] * x[i - 1] * w[i];
  for (int i = 0; i < n; i++)
    y[i] = total * p[i];
}
FIELD (neighbours)

static void
again (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int i = 0; i < n; i++)
    {
      real t = x[i];
      y[i] = t * w[i];
      t = sin (t) * t;
      y[i] += t * p[i];
      t *= t;
      y[i] *= t;
      for (int k = 0; k < i % 3; k++)
        t = t * x[i] + k;
      y[i] -= t;
    }
}
FIELD (again)

static void
switched (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int i = 0; i < n; i++)
    {
      y[i] = x[i];
      switch (i % 5)
        {
        case 0:
          y[i] *= w[i];
          break;
        case 1:
          y[i] = exp (y[i]) * p[i];
          break;
        case 3:
          if (y[i] > 0.5)
            y[i] = y[i] * y[i] * w[i];
          break;
        default:
          y[i] += w[i] * p[i];
        }
    }
}
FIELD (switched)

static void
running (int n, const real *x, const real *w, const real *p, real *y)
{
  real most = p[0];
  for (int i = 0; i < n; i++)
    {
      if (x[i] > most)
        most = x[i];
      y[i] = most * w[i];
    }
}
FIELD (running)

static real
product (int n, const real *x)
{
  real q = 1;
  for (int i = 0; i < n; i++)
    q *= x[i];
  return q;
}

#pragma tensor gradient(product) of(return) wrt(x: dx)
void product_gradient (int n, const real *x, real *dx);

static void
cumulative (int n, const real *x, real *y)
{
  for (int i = 0; i < n; i++)
    {
      y[i] = x[i];
      if (i > 0)
        y[i] *= y[i - 1];
    }
}

#pragma tensor gradient(cumulative) of(y: dy) wrt(x: dx)
void cumulative_gradient (int n, const real *x, const real *dy, real *dx);

static real
greatest (int n, const real *x)
{
  real most = x[0];
  for (int i = 1; i < n; i++)
    if (x[i] > most)
      most = x[i];
  return most;
}

#pragma tensor gradient(greatest) of(return) wrt(x: dx)
void greatest_gradient (int n, const real *x, real *dx);

/* The derivative of the product of x[0..N) from FROM on in x[K], N at most
   MOST.  */
static real
without (const real *x, int k, int end)
{
  real q = 1;
  for (int i = 0; i < end; i++)
    q *= i == k ? 1 : x[i];
  return k < end ? q : 0;
}

/* Zeros at FIRST and SECOND: derivatives are what the other factors give.  */
static void
check_zeros (int first, int second)
{
  enum
  {
    SIZE = 7
  };
  real x[SIZE], dy[SIZE], dx[SIZE] = { 0 }, dc[SIZE] = { 0 };
  for (int i = 0; i < SIZE; i++)
    {
      x[i] = i == first || i == second ? 0 : 0.5 * i - 1.75;
      dy[i] = i + 1;
    }
  product_gradient (SIZE, x, dx);
  cumulative_gradient (SIZE, x, dy, dc);
  for (int k = 0; k < SIZE; k++)
    {
      real sum = 0;
      for (int end = 1; end <= SIZE; end++)
        sum += dy[end - 1] * without (x, k, end);
      if (fabs (dx[k] - without (x, k, SIZE)) > 1e-14
          || fabs (dc[k] - sum) > 1e-13)
        {
          printf ("zeros at %d, %d: x[%d] gains %g and %g\n", first, second, k,
                  dx[k], dc[k]);
          faults++;
        }
    }
}

/* The first of equal elements gains.  */
static void
check_ties (void)
{
  real x[] = { 1, 3, 2, 3, 3 }, dx[5] = { 0 };
  greatest_gradient (5, x, dx);
  for (int i = 0; i < 5; i++)
    if (dx[i] != (i == 1))
      {
        printf ("of equal elements number %d gains %g\n", i, dx[i]);
        faults++;
      }
}

int
main (void)
{
  CHECK (called)
  CHECK (divided)
  CHECK (neighbours)
  CHECK (again)
  CHECK (switched)
  CHECK (running)
  for (int first = 0; first < 7; first++)
    for (int second = first; second < 8; second++)
      check_zeros (first, second);
  check_ties ();
  return faults != 0;
}
