/* { dg-no-verdicts "the pragmas come of macros" } */
/* Shows gradients at points where there is no derivative, as the manual tells
   them: ties, zeros, beside NaNs; arms that are not taken; factors of 0 in
   products, in sums of products and beside infinite slopes.  */

#include "check.h"

#define A a0[i]
#define B b0[i]

/* y[i] is made of a0[i] and b0[i].  */
#define FUNCTION(name, e)                                                      \
  static void name (int m, const real *a0, const real *b0, real *y)            \
  {                                                                            \
    for (int i = 0; i < m; i++)                                                \
      y[i] = e;                                                                \
  }

#define ROWS(row)                                                              \
  row (absolute, fabs (A)) row (least, fmin (A, B)) row (most, fmax (A, B))    \
  row (length, hypot (A, B)) row (root, sqrt (A)) row (cubic, cbrt (A))        \
  row (power, pow (A, B)) row (rest, fmod (A, B)) row (sign, copysign (A, B))  \
  row (over, fdim (A, B)) row (guarded, A > 0 ? sqrt (A) : 0)                  \
  row (inverse, A != 0 ? B / A : B) row (down, floor (A) * B)                  \
  row (whole, (int) A * B) row (larger, A > B ? A : B)                         \
  row (product, A * B * A) row (below, fmod (-9, B) * trunc (-9 / B))
ROWS (FUNCTION)

#define GRADIENT(words) _Pragma (#words)
#define DECLARE(name, e)                                                       \
  GRADIENT (tensor gradient (name) of (y : dy) wrt (a0 : da, b0 : db))         \
  void name##_gradient (int m, const real *a0, const real *b0, const real *dy, \
                        real *da, real *db);
ROWS (DECLARE)

typedef void gradient (int, const real *, const real *, const real *, real *,
                       real *);

/* At (a, b) the derivatives are da and db.  */
typedef struct point
{
  const char *name;
  gradient *g;
  real a, b, da, db;
} point;

static const point points[] = {
  { "|0|", absolute_gradient, 0, 0, 0, 0 },
  { "|-0|", absolute_gradient, -0.0, 0, 0, 0 },
  { "fmin, a tie", least_gradient, 3, 3, 1, 0 },
  { "fmax, a tie", most_gradient, 3, 3, 1, 0 },
  { "> ? :, a tie", larger_gradient, 3, 3, 0, 1 },
  { "hypot (0, 0)", length_gradient, 0, 0, 0, 0 },
  { "hypot (0, 2)", length_gradient, 0, 2, 0, 1 },
  { "pow (0, 0)", power_gradient, 0, 0, 0, 0 },
  { "pow (0, 1)", power_gradient, 0, 1, 1, 0 },
  { "pow (0, 2)", power_gradient, 0, 2, 0, 0 },
  { "pow (2, 0)", power_gradient, 2, 0, 0, M_LN2 },
  { "fmod (7, 2)", rest_gradient, 7, 2, 1, -3 },
  { "fmod (-7, 2)", rest_gradient, -7, 2, 1, 3 },
  { "fmod (-9, 2) * trunc (-9 / 2)", below_gradient, 0, 2, 0, -16 },
  { "fmod, just below a multiple", rest_gradient, 0x1.2p+1 - 0x1p-51,
    0x1.8p-1, 1, -2 },
  { "copysign (0, -1)", sign_gradient, 0, -1, 0, 0 },
  { "fdim, a tie", over_gradient, 3, 3, 0, 0 },
  { "x > 0 ? sqrt (x) : 0 at 0", guarded_gradient, 0, 0, 0, 0 },
  { "x != 0 ? y / x : y at 0", inverse_gradient, 0, 5, 0, 1 },
  { "floor (2) * y", down_gradient, 2, 5, 0, 2 },
  { "(int) 2.5 * y", whole_gradient, 2.5, 5, 0, 2 },
  { "0 * y * 0", product_gradient, 0, 5, 0, 0 },
  { "x * 0 * x", product_gradient, 3, 0, 0, 9 },
#ifndef __FAST_MATH__
  { "sqrt (0)", root_gradient, 0, 0, HUGE_VAL, 0 },
  { "cbrt (0)", cubic_gradient, 0, 0, HUGE_VAL, 0 },
  { "fmin (NaN, b)", least_gradient, NAN, 3, 0, 1 },
  { "fmin (a, NaN)", least_gradient, 3, NAN, 1, 0 },
  { "fmax (NaN, b)", most_gradient, NAN, 3, 0, 1 },
  { "fmax (a, NaN)", most_gradient, 3, NAN, 1, 0 },
#endif
};

/* GOT is WANT, or nearly where that is no whole number.  */
static int
same (real got, real want)
{
  return got == want || fabs (got - want) < 1e-15;
}

/* P stands among ordinary elements.  */
static void
check_point (const point *p)
{
  enum
  {
    AMONG = 9
  };
  real x[AMONG], z[AMONG], dx[AMONG], dz[AMONG], dy[AMONG];
  for (int at = 0; at < AMONG; at += 4)
    {
      for (int e = 0; e < AMONG; e++)
        {
          x[e] = e == at ? p->a : 1.5;
          z[e] = e == at ? p->b : 2.5;
          dy[e] = 1;
          dx[e] = dz[e] = 0;
        }
      p->g (AMONG, x, z, dy, dx, dz);
      if (same (dx[at], p->da) && same (dz[at], p->db))
        continue;
      printf ("%s: %g and %g, to be %g and %g\n", p->name, dx[at], dz[at],
              p->da, p->db);
      faults++;
    }
}

int
main (void)
{
  for (unsigned k = 0; k < sizeof points / sizeof *points; k++)
    check_point (&points[k]);
  return faults != 0;
}
