/* Quotients and roots of floats are within an ulp, reciprocal roots within 2;
   what is exact stays so, and zeros, infinities and the ends of the range are
   as ever.  Under fp(fast) all are within 2.  Quotients of doubles by one
   number have the same bits.  */

#include "compare.h"

static float a[MOST], b[MOST], q[MOST], s[MOST], r[MOST], o[MOST], v[MOST];
static float fast[MOST];
static double wide[MOST];

static NOINLINE void
quotients (int n, float z)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      q[i] = a[i] / b[i];
      s[i] = sqrtf (b[i]);
      r[i] = 1 / sqrtf (b[i]);
      o[i] = a[i] / sqrtf (b[i]);
      v[i] = a[i] / z;
    }
}

static NOINLINE void
fast_quotients (int n)
{
#pragma tensor fp(fast)
  for (int i = 0; i < n; i++)
    fast[i] = a[i] / b[i];
}

static NOINLINE void
wide_quotients (int n, double z)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    wide[i] = a[i] / z;
}

static int32_t
order_of (float x)
{
  int32_t bits;
  memcpy (&bits, &x, sizeof bits);
  return bits < 0 ? INT32_MIN - bits : bits;
}

/* MADE is EXACT, rounded, within ULPS.  */
static int
is_good (float made, double exact, int ulps)
{
  float wanted = (float) exact;
  if (isnan (made) || isnan (wanted))
    return isnan (made) && isnan (wanted);
  if ((double) wanted == exact && ulps == 1)
    return made == wanted;
  return llabs ((long long) order_of (made) - order_of (wanted)) <= ulps;
}

/* The number whose bits come next.  */
static float
any (void)
{
  uint32_t bits = (next () << 16) ^ next ();
  float x;
  memcpy (&x, &bits, sizeof x);
  return x;
}

/* W[I] is right.  */
static void
check_one (const char *what, const float *w, int i, double exact, int ulps)
{
  if (!is_good (w[i], exact, ulps))
    differ (what, (size_t) i, exact, w[i]);
}

static void
check (int n, float z)
{
  quotients (n, z);
  fast_quotients (n);
  wide_quotients (n, (double) z / 7);
  for (int i = 0; i < n; i++)
    {
      double x = a[i];
      double y = b[i];
      volatile double w = x / ((double) z / 7);
      check_one ("q", q, i, x / y, 1);
      check_one ("s", s, i, sqrt (y), 1);
      check_one ("r", r, i, 1 / sqrt (y), 2);
      check_one ("o", o, i, x / sqrt (y), 2);
      check_one ("v", v, i, x / z, 1);
      check_one ("fast", fast, i, x / y, 2);
      if (wide[i] != w && (!isnan (w) || !isnan (wide[i])))
        differ ("wide", (size_t) i, w, wide[i]);
    }
}

int
main (void)
{
  static const float special[]
    = { 0, -0.0f, INFINITY, -INFINITY, NAN, 1e-41f, 3e38f, 1e-38f, -1 };
  for (int k = 0; k < 400; k++)
    {
      for (int i = 0; i < MOST; i++)
        {
          a[i] = k % 2 ? any () : (float) next () / 64;
          b[i] = k % 2 ? any () : (float) (next () + 1) / 512;
        }
      for (size_t i = 0; k % 3 == 0 && i < LENGTH (special); i++)
        {
          b[7 * i + k % 7] = special[i];
          a[5 * i + k % 5] = special[i];
        }
      float z = k % 8 == 7   ? special[(size_t) k % LENGTH (special)]
                : k % 4 == 1 ? any ()
                             : 0.37f * (float) (k + 1);
      check ((int) sizes[(size_t) k % LENGTH (sizes)], k == 6 ? 3 : z);
    }
  return 0;
}
