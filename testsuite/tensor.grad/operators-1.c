/* { dg-require-effective-target quadmath } */
/* { dg-additional-options "-Wl,--no-as-needed,-lquadmath" } */
/* Shows each function of math.h and each operator that has a derivative against
   differences in quad precision, in double and in float; the derivatives of
   the derivatives, too.  */

#include <math.h>
#include <quadmath.h>
#include <stdio.h>

enum
{
  POINTS = 64
};

typedef __float128 quad;

static int faults;
static unsigned state = 1;

/* A number in [LO, HI).  */
static double
next (double lo, double hi)
{
  state = state * 1103515245u + 12345u;
  return lo + (hi - lo) * (state >> 8 & 0xffff) / 65536;
}

/* Each row: a name, what is made of A and B in double, in float and in quad
   precision, and the ranges that these are taken from.  */
#define ONE(row, name, lo, hi)                                                 \
  row (name, name (A), name##f (A), name##q (A), lo, hi, 0, 1)
#define TWO(row, name, lo, hi, low, high)                                      \
  row (name, name (A, B), name##f (A, B), name##q (A, B), lo, hi, low, high)
#define PLAIN(row, name, e, lo, hi, low, high)                                 \
  row (name, e, e, e, lo, hi, low, high)

#define ROWS(row)                                                              \
  ONE (row, sqrt, 0.05, 4)                                                     \
  ONE (row, cbrt, 0.05, 4)                                                     \
  ONE (row, exp, -3, 3)                                                        \
  ONE (row, exp2, -3, 3)                                                       \
  ONE (row, expm1, -3, 3)                                                      \
  ONE (row, log, 0.05, 4)                                                      \
  ONE (row, log2, 0.05, 4)                                                     \
  ONE (row, log10, 0.05, 4)                                                    \
  ONE (row, log1p, -0.9, 4)                                                    \
  ONE (row, sin, -4, 4)                                                        \
  ONE (row, cos, -4, 4)                                                        \
  ONE (row, tan, -1.4, 1.4)                                                    \
  ONE (row, asin, -0.98, 0.98)                                                 \
  ONE (row, acos, -0.98, 0.98)                                                 \
  ONE (row, atan, -9, 9)                                                       \
  ONE (row, sinh, -3, 3)                                                       \
  ONE (row, cosh, -3, 3)                                                       \
  ONE (row, tanh, -4, 4)                                                       \
  ONE (row, asinh, -9, 9)                                                      \
  ONE (row, acosh, 1.01, 9)                                                    \
  ONE (row, atanh, -0.98, 0.98)                                                \
  ONE (row, erf, -3, 3)                                                        \
  ONE (row, erfc, -3, 3)                                                       \
  ONE (row, lgamma, 0.05, 9)                                                   \
  row (lgamma_below, lgamma (A), lgammaf (A), lgammaq (A), -2.9, -2.1, 0, 1)   \
  ONE (row, fabs, -2, -0.01)                                                   \
  TWO (row, pow, 0.1, 3, -3, 3)                                                \
  row (square, pow (A, 2), powf (A, 2), powq (A, 2), -3, 3, 0, 1)              \
  row (power, pow (A, -3), powf (A, -3), powq (A, -3), -3, -0.5, 0, 1)         \
  row (exponent, pow (2.5, B), powf (2.5f, B), powq (2.5Q, B), 0, 1, -3, 3)    \
  TWO (row, atan2, -3, -0.1, -3, 3)                                            \
  TWO (row, hypot, -3, 3, 0.1, 3)                                              \
  TWO (row, fmod, 4.1, 4.4, 0.9, 1)                                            \
  TWO (row, remainder, 4.1, 4.4, 0.9, 1)                                       \
  ONE (row, tgamma, 0.6, 4)                                                    \
  row (tgamma_below, tgamma (A), tgammaf (A), tgammaq (A), -2.8, -2.2, 0, 1)   \
  row (fma, fma (A, B, A), fmaf (A, B, A), fmaq (A, B, A), -3, 3, -3, 3)       \
  row (ldexp, ldexp (A, 3) * B, ldexpf (A, 3) * B, ldexpq (A, 3) * B, -3, 3,   \
       -3, 3)                                                                  \
  row (powi, __builtin_powi (A, 3), __builtin_powif (A, 3), A * A * A, -3, 3,  \
       0, 1)                                                                   \
  row (logb, logb (A) * B, logbf (A) * B, 1 * B, 2.1, 3.9, -3, 3)              \
  row (nextafter, nextafter (A, 9) * B, nextafterf (A, 9) * B, A * B, -3, 3,   \
       -3, 3)                                                                  \
  TWO (row, copysign, 0.1, 3, -3, -0.1)                                        \
  TWO (row, fdim, 2, 3, 0, 1)                                                  \
  TWO (row, fmin, 2, 3, 0, 1)                                                  \
  TWO (row, fmax, 2, 3, 0, 1)                                                  \
  PLAIN (row, sum, A + B, -3, 3, -3, 3)                                        \
  PLAIN (row, difference, A - 2 * B, -3, 3, -3, 3)                             \
  PLAIN (row, product, A * B * B, -3, 3, -3, 3)                                \
  PLAIN (row, quotient, A / B, -3, 3, 0.3, 3)                                  \
  PLAIN (row, opposite, -A, -3, 3, 0, 1)                                       \
  PLAIN (row, choice, (A > B ? A * A : B), 2, 3, 0, 1)                         \
  row (cast, (float) A + (double) B, (float) ((double) A + B), A + B, -3, -2, 2, 3)

enum
{
#define COUNT(name, d, f, q, lo, hi, low, high) ROW_##name,
  ROWS (COUNT) N_ROWS
};

#define AT(name) ROW_##name * POINTS + i

/* All rows in one type.  */
static void
all_f64 (const double *a, const double *b, double *y)
{
  for (int i = 0; i < POINTS; i++)
    {
#define STATEMENT(name, d, f, q, lo, hi, low, high)                            \
  {                                                                            \
    double A = a[AT (name)], B = b[AT (name)];                                 \
    y[AT (name)] = d + 0 * B;                                                  \
  }
      ROWS (STATEMENT)
    }
}

static void
all_f32 (const float *a, const float *b, float *y)
{
  for (int i = 0; i < POINTS; i++)
    {
#undef STATEMENT
#define STATEMENT(name, d, f, q, lo, hi, low, high)                            \
  {                                                                            \
    float A = a[AT (name)], B = b[AT (name)];                                  \
    y[AT (name)] = f + 0 * B;                                                  \
  }
      ROWS (STATEMENT)
    }
}

#pragma tensor gradient(all_f64) of(y: dy) wrt(a: da, b: db)
void f64_gradient (const double *a, const double *b, const double *dy,
                   double *da, double *db);
#pragma tensor gradient(all_f32) of(y: dy) wrt(a: da, b: db)
void f32_gradient (const float *a, const float *b, const float *dy, float *da,
                   float *db);

#pragma tensor tangent(f64_gradient) of(da: ha, db: hb) wrt(a: va, b: vb)
void f64_times (const double *a, const double *b, const double *dy,
                const double *va, const double *vb, double *ha, double *hb);

/* Row R of A and B.  */
static quad
value (int r, quad A, quad B)
{
  switch (r)
    {
#define CASE(name, d, f, q, lo, hi, low, high)                                 \
  case ROW_##name:                                                             \
    return q + 0 * B;
      ROWS (CASE)
    }
  return 0;
}

static const struct
{
  const char *name;
  double lo, hi, low, high;
} table[] = {
#define RANGES(name, d, f, q, lo, hi, low, high) { #name, lo, hi, low, high },
  ROWS (RANGES)
};

/* The derivative of row R at X, Z in the one that K says, by differences, to
   1e-24 or so.  */
static quad
slope (int r, quad x, quad z, int k)
{
  quad h = 1e-7Q * (1 + fabsq (k ? z : x));
  quad sum = 0;
  static const int far[] = { -2, -1, 1, 2 };
  static const int weight[] = { 1, -8, 8, -1 };
  for (int p = 0; p < 4; p++)
    sum += weight[p]
           * value (r, x + (k ? 0 : far[p] * h), z + (k ? far[p] * h : 0));
  return sum / (12 * h);
}

/* What row R gained at X, Z in the one that K says, from the seed U, is the
   derivative, in units of UNIT.  */
static void
agree (int r, double x, double z, int k, double gain, double u, double unit)
{
  quad want = u * slope (r, x, z, k);
  if (fabsq (gain - want) <= 64 * unit * (1 + fabsq (want)))
    return;
  printf ("%s (%g, %g), argument %d, unit %g: %.17g, to be %.17g\n",
          table[r].name, x, z, k, unit, gain, (double) want);
  faults++;
}

/* How the slope of row R at X, Z in the one that K says changes along V, W.  */
static quad
bend (int r, quad x, quad z, quad v, quad w, int k)
{
  quad h = 1e-5Q;
  quad sum = 0;
  static const int far[] = { -2, -1, 1, 2 };
  static const int weight[] = { 1, -8, 8, -1 };
  for (int p = 0; p < 4; p++)
    sum += weight[p] * slope (r, x + far[p] * h * v, z + far[p] * h * w, k);
  return sum / (12 * h);
}

/* The second derivative of row R at X, Z along V, W, times U, is GOT.  */
static void
agree_bend (int r, double x, double z, double v, double w, int k, double got,
            double u)
{
  quad want = u * bend (r, x, z, v, w, k);
  if (fabsq (got - want) <= 1e-13Q * (1 + fabsq (want)))
    return;
  printf ("%s (%g, %g), argument %d, second: %.17g, to be %.17g\n",
          table[r].name, x, z, k, got, (double) want);
  faults++;
}

/* The tangent of the gradient of all rows.  */
static void
check_second (void)
{
  static double a[N_ROWS * POINTS], b[N_ROWS * POINTS], u[N_ROWS * POINTS];
  static double v[N_ROWS * POINTS], w[N_ROWS * POINTS];
  static double ha[N_ROWS * POINTS], hb[N_ROWS * POINTS];
  for (int i = 0; i < N_ROWS * POINTS; i++)
    {
      int r = i / POINTS;
      a[i] = next (table[r].lo, table[r].hi);
      b[i] = next (table[r].low, table[r].high);
      u[i] = next (-1, 1);
      v[i] = next (-1, 1);
      w[i] = next (-1, 1);
    }
  f64_times (a, b, u, v, w, ha, hb);
  for (int i = 0; i < N_ROWS * POINTS; i++)
    {
      agree_bend (i / POINTS, a[i], b[i], v[i], w[i], 0, ha[i], u[i]);
      agree_bend (i / POINTS, a[i], b[i], v[i], w[i], 1, hb[i], u[i]);
    }
}

/* All rows in TYPE, whose unit roundoff is UNIT; what is gained goes to what
   holds 0.25.  */
#define CHECK(name, type, unit)                                                \
  static void check_##name (void)                                              \
  {                                                                            \
    static type a[N_ROWS * POINTS], b[N_ROWS * POINTS], u[N_ROWS * POINTS];    \
    static type da[N_ROWS * POINTS], db[N_ROWS * POINTS];                      \
    for (int i = 0; i < N_ROWS * POINTS; i++)                                  \
      {                                                                        \
        int r = i / POINTS;                                                    \
        a[i] = (type) next (table[r].lo, table[r].hi);                         \
        b[i] = (type) next (table[r].low, table[r].high);                      \
        u[i] = (type) next (-1, 1);                                            \
        da[i] = db[i] = (type) 0.25;                                           \
      }                                                                        \
    name##_gradient (a, b, u, da, db);                                         \
    for (int i = 0; i < N_ROWS * POINTS; i++)                                  \
      {                                                                        \
        agree (i / POINTS, a[i], b[i], 0, da[i] - 0.25, u[i], unit);           \
        agree (i / POINTS, a[i], b[i], 1, db[i] - 0.25, u[i], unit);           \
      }                                                                        \
  }
CHECK (f64, double, 0x1p-53)
CHECK (f32, float, 0x1p-24)

int
main (void)
{
  check_f64 ();
  check_second ();
  check_f32 ();
  return faults != 0;
}
