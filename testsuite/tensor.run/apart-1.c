/* { dg-no-verdicts "the pragmas come of macros" } */
/* Shows the functions of math.h that take numbers apart, scale them by powers
   of two, step to the next one, or round once what others round twice: the
   bits that the loops as written give, also for zeros, denormal numbers,
   infinities and NaNs.  */
/* { dg-additional-options "-ffp-contract=off -fno-fast-math" } */

#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
  N = 97
};

static double a[N], b[N], y[N], z[N];
static float f[N], g[N], u[N], v[N];
static int n[N], k[N];

/* Each row: a name and the statements for element i.  */
#define ROWS(row)                                                              \
  row (once, y[i] = fma (a[i], b[i], -a[i]); u[i] = fmaf (f[i], g[i], g[i]))   \
  row (scaled, y[i] = ldexp (a[i], n[i]); u[i] = scalbnf (f[i], n[i]))         \
  row (scaled_far, y[i] = scalbln (a[i], n[i] * 5000000000L);                  \
       u[i] = ldexpf (f[i], n[i] * 7000000))                                   \
  row (rest, y[i] = remainder (a[i], b[i]); u[i] = remainderf (f[i], g[i]))    \
  row (beside, y[i] = nextafter (a[i], b[i]); u[i] = nextafterf (f[i], 1))       \
  row (exponent, y[i] = logb (a[i]); u[i] = logbf (f[i]);                      \
       k[i] = ilogb (a[i]) ^ ilogbf (f[i]))                                    \
  row (square, y[i] = __builtin_powi (a[i], 2); u[i] = isinf (f[i]))           \
  row (unequal, y[i] = islessgreater (a[i], b[i]);                             \
       u[i] = !islessgreater (f[i], g[i]))                                     \
  row (mantissa, int e; y[i] = frexp (a[i], &e); k[i] = e;                     \
       u[i] = frexpf (f[i], &e); n[i] += isfinite (f[i]) ? e : 0)              \
  row (whole, double w; y[i] = modf (a[i], &w); z[i] = w;                      \
       u[i] = modff (f[i], &v[i]))                                             \
  row (angle, double s; double c; sincos (a[i], &s, &c); y[i] = s; z[i] = c;   \
       sincosf (f[i], &u[i], &v[i]))

#define PLAIN(name, ...)                                                       \
  __attribute__ ((noipa)) static void name##_plain (void)                      \
  {                                                                            \
    for (int i = 0; i < N; i++)                                                \
      {                                                                        \
        __VA_ARGS__;                                                           \
      }                                                                        \
  }
ROWS (PLAIN)

#define TENSOR(words) _Pragma (#words)
#define FUNCTION(name, ...)                                                    \
  __attribute__ ((noipa)) static void name (void)                              \
  {                                                                            \
    TENSOR (tensor fp (strict) require (transform))                            \
    for (int i = 0; i < N; i++)                                                \
      {                                                                        \
        __VA_ARGS__;                                                           \
      }                                                                        \
  }
ROWS (FUNCTION)

/* Numbers at the edges.  */
static const double odd[]
  = { 0,    -0.0,   1,        -1,        0.5, 2, -2.5, 0x1p-1070,
      1e300, -3e-310, INFINITY, -INFINITY, NAN, 7, -8,   1e-40 };

/* Ordinary numbers and odd ones.  */
static void
fill (void)
{
  const int n_odd = sizeof odd / sizeof *odd;
  for (int i = 0; i < N; i++)
    {
      a[i] = i % 3 ? odd[i / 3 % n_odd] : 0.37 * i - 11;
      b[i] = i % 4 ? odd[i / 4 % n_odd] : 0.83 * i - 29;
      f[i] = (float) a[i];
      g[i] = (float) b[i];
      n[i] = i % 5 ? i - 48 : 60 * (i - 48);
      y[i] = z[i] = u[i] = v[i] = k[i] = 0;
    }
}

/* What a row leaves.  */
typedef struct leftover
{
  double y[N], z[N];
  float u[N], v[N];
  int n[N], k[N];
} leftover;

static void
take (leftover *l, void (*run) (void))
{
  fill ();
  run ();
  memcpy (l->y, y, sizeof y);
  memcpy (l->z, z, sizeof z);
  memcpy (l->u, u, sizeof u);
  memcpy (l->v, v, sizeof v);
  memcpy (l->n, n, sizeof n);
  memcpy (l->k, k, sizeof k);
}

/* P and Q are the same bits, or NaNs.  */
static int
same (double p, double q)
{
  return (p != p && q != q) || !memcmp (&p, &q, sizeof p);
}

/* RUN leaves in all elements what PLAIN does.  */
static int
differ (const char *name, void (*plain) (void), void (*run) (void))
{
  static leftover p, r;
  take (&p, plain);
  take (&r, run);
  for (int i = 0; i < N; i++)
    if (!same (p.y[i], r.y[i]) || !same (p.z[i], r.z[i])
        || !same (p.u[i], r.u[i]) || !same (p.v[i], r.v[i])
        || p.n[i] != r.n[i] || p.k[i] != r.k[i])
      {
        printf ("%s %d, %g and %g: %g %g %g %g %d %d, to be "
                "%g %g %g %g %d %d\n",
                name, i, a[i], b[i], r.y[i], r.z[i], r.u[i], r.v[i], r.n[i],
                r.k[i], p.y[i], p.z[i], p.u[i], p.v[i], p.n[i], p.k[i]);
        return 1;
      }
  return 0;
}

int
main (void)
{
  int faults = 0;
#define CHECK(name, ...) faults += differ (#name, name##_plain, name);
  ROWS (CHECK)
  return faults;
}
