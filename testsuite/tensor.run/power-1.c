/* Constant powers become products: of zeros, infinities, no numbers and of
   what overflows as pow has them, of the rest within 4 units of the last
   place; under fp(strict) and for other exponents they stay calls.  */

#include <math.h>
#include <stdio.h>
#include <string.h>

#define N 1003

static double x[N], y[N];
static float u[N], v[N];

/* How many representable numbers lie between A and B, of one sign.  */
static double
apart (double a, double b)
{
  long long k, l;
  if (isnan (a) || isnan (b))
    return isnan (a) && isnan (b) ? 0 : 1e9;
  if (signbit (a) != signbit (b))
    return 1e9;
  memcpy (&k, &a, sizeof k);
  memcpy (&l, &b, sizeof l);
  return fabs ((double) (k - l));
}

static double
apart_f (float a, float b)
{
  int k, l;
  if (isnan (a) || isnan (b))
    return isnan (a) && isnan (b) ? 0 : 1e9;
  if (signbit (a) != signbit (b))
    return 1e9;
  memcpy (&k, &a, sizeof k);
  memcpy (&l, &b, sizeof l);
  return fabs ((double) (k - l));
}

static int
check (const char *name, volatile double e, int is_float, double most)
{
  for (int i = 0; i < N; i++)
    {
      double d = is_float ? apart_f (v[i], powf (u[i], (float) e))
                          : apart (y[i], pow (x[i], e));
      if (d > most)
        {
          printf ("%s of %a: %a\n", name, is_float ? u[i] : x[i],
                  is_float ? v[i] : y[i]);
          return 1;
        }
    }
  return 0;
}

static int
one (void)
{
#pragma tensor
  for (int i = 0; i < N; i++)
    {
      y[i] = pow (x[i], 1.0);
      v[i] = powf (u[i], 1.0f);
    }
  return check ("one", 1.0, 0, 0) + check ("one", 1.0, 1, 0);
}

static int
two (void)
{
#pragma tensor
  for (int i = 0; i < N; i++)
    {
      y[i] = pow (x[i], 2.0);
      v[i] = powf (u[i], 2.0f);
    }
  return check ("two", 2.0, 0, 1) + check ("two", 2.0, 1, 1);
}

static int
three (void)
{
#pragma tensor
  for (int i = 0; i < N; i++)
    {
      y[i] = pow (x[i], 3.0);
      v[i] = powf (u[i], 3.0f);
    }
  return check ("three", 3.0, 0, 4) + check ("three", 3.0, 1, 4);
}

static int
four (void)
{
#pragma tensor
  for (int i = 0; i < N; i++)
    {
      y[i] = pow (x[i], 4.0);
      v[i] = powf (u[i], 4.0f);
    }
  return check ("four", 4.0, 0, 4) + check ("four", 4.0, 1, 4);
}

static int
five (void)
{
#pragma tensor
  for (int i = 0; i < N; i++)
    {
      y[i] = pow (x[i], 5.0);
      v[i] = powf (u[i], 5.0f);
    }
  return check ("five", 5.0, 0, 4) + check ("five", 5.0, 1, 4);
}

static int
six (void)
{
#pragma tensor
  for (int i = 0; i < N; i++)
    {
      y[i] = pow (x[i], 6.0);
      v[i] = powf (u[i], 6.0f);
    }
  return check ("six", 6.0, 0, 4) + check ("six", 6.0, 1, 4);
}

static int
root (void)
{
#pragma tensor
  for (int i = 0; i < N; i++)
    {
      y[i] = pow (x[i], 0.5);
      v[i] = powf (u[i], 0.5f);
    }
  return check ("root", 0.5, 0, 1) + check ("root", 0.5, 1, 1);
}

static int
root3 (void)
{
#pragma tensor
  for (int i = 0; i < N; i++)
    {
      y[i] = pow (x[i], 1.5);
      v[i] = powf (u[i], 1.5f);
    }
  return check ("root3", 1.5, 0, 4) + check ("root3", 1.5, 1, 4);
}

static int
root5 (void)
{
#pragma tensor
  for (int i = 0; i < N; i++)
    {
      y[i] = pow (x[i], 2.5);
      v[i] = powf (u[i], 2.5f);
    }
  return check ("root5", 2.5, 0, 4) + check ("root5", 2.5, 1, 4);
}

static int
inverse (void)
{
#pragma tensor
  for (int i = 0; i < N; i++)
    {
      y[i] = pow (x[i], -1.0);
      v[i] = powf (u[i], -1.0f);
    }
  return check ("inverse", -1.0, 0, 1) + check ("inverse", -1.0, 1, 1);
}

static int
other (void)
{
#pragma tensor
  for (int i = 0; i < N; i++)
    {
      y[i] = pow (x[i], 2.25);
      v[i] = powf (u[i], 2.25f);
    }
  return check ("other", 2.25, 0, 4) + check ("other", 2.25, 1, 4);
}

static int
strict (void)
{
#pragma tensor fp(strict)
  for (int i = 0; i < N; i++)
    {
      y[i] = pow (x[i], 3.0);
      v[i] = powf (u[i], 3.0f);
    }
  return check ("strict", 3.0, 0, 1) + check ("strict", 3.0, 1, 1);
}

int
main (void)
{
  static const double special[]
    = { 0.0,   -0.0,   INFINITY, -INFINITY, NAN,   1.0,  -1.0,
        1e300, -1e300, 3e38,     -3e38,     1e-45, 1e20, -1e20 };
  for (int i = 0; i < N; i++)
    {
      int n = sizeof special / sizeof *special;
      x[i] = i < n ? special[i] : (i * 37 % 1009) / 64.0 - 5;
      u[i] = (float) x[i];
    }
  return one () + two () + three () + four () + five () + six () + root ()
         + root3 () + root5 () + inverse () + other () + strict ();
}
