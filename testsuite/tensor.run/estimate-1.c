/* Quotients and roots of floats are within 2 ulp, and zeros, infinities and
   the ends of the range are as ever.  */

#include "compare.h"

static float a[MOST], b[MOST], q[MOST], s[MOST], r[MOST], o[MOST], v[MOST];

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

static int32_t
order_of (float x)
{
  int32_t bits;
  memcpy (&bits, &x, sizeof bits);
  return bits < 0 ? INT32_MIN - bits : bits;
}

/* MADE is WANTED, within 2 ulp.  */
static int
is_good (float made, double exact)
{
  float wanted = (float) exact;
  if (isnan (made) || isnan (wanted))
    return isnan (made) && isnan (wanted);
  return llabs ((long long) order_of (made) - order_of (wanted)) <= 2;
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

static void
check (int n, float z)
{
  quotients (n, z);
  for (int i = 0; i < n; i++)
    {
      double x = a[i];
      double y = b[i];
      if (!is_good (q[i], x / y))
        differ ("q", (size_t) i, x / y, q[i]);
      if (!is_good (s[i], sqrt (y)))
        differ ("s", (size_t) i, sqrt (y), s[i]);
      if (!is_good (r[i], 1 / sqrt (y)))
        differ ("r", (size_t) i, 1 / sqrt (y), r[i]);
      if (!is_good (o[i], x / sqrt (y)))
        differ ("o", (size_t) i, x / sqrt (y), o[i]);
      if (!is_good (v[i], x / z))
        differ ("v", (size_t) i, x / z, v[i]);
    }
}

int
main (void)
{
  static const float special[]
    = { 0, -0.0f, INFINITY, -INFINITY, NAN, 1e-41f, 3e38f, 1e-38f, -1 };
  for (int k = 0; k < 200; k++)
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
      check ((int) sizes[(size_t) k % LENGTH (sizes)], 0.37f * (float) (k + 1));
    }
  return 0;
}
