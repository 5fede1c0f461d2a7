/* Shows that filters which are written out tap by tap, of many orders each
   under its own condition, are read and come out right: in integers, in reals
   whose order of additions shows, and with a sum that is seen afterwards.  */

#include "compare.h"

#define TAP(k)    sum += h[k] * x[i + 31 - (k)];
#define TAPS_4(k) TAP (k) TAP (k + 1) TAP (k + 2) TAP (k + 3)
#define TAPS_8(k) TAPS_4 (k) TAPS_4 (k + 4)

#define FILTER(type)                                                           \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      type sum = 0;                                                            \
      if (order == 32)                                                         \
        {                                                                      \
          TAPS_8 (24) TAPS_8 (16) TAPS_8 (8) TAPS_8 (0)                        \
        }                                                                      \
      else if (order == 28)                                                    \
        {                                                                      \
          TAPS_8 (20) TAPS_8 (12) TAPS_8 (4) TAPS_4 (0)                        \
        }                                                                      \
      else if (order == 24)                                                    \
        {                                                                      \
          TAPS_8 (16) TAPS_8 (8) TAPS_8 (0)                                    \
        }                                                                      \
      else if (order == 20)                                                    \
        {                                                                      \
          TAPS_8 (12) TAPS_8 (4) TAPS_4 (0)                                    \
        }                                                                      \
      else if (order == 16)                                                    \
        {                                                                      \
          TAPS_8 (8) TAPS_8 (0)                                                \
        }                                                                      \
      else if (order == 12)                                                    \
        {                                                                      \
          TAPS_8 (4) TAPS_4 (0)                                                \
        }                                                                      \
      else if (order == 8)                                                     \
        {                                                                      \
          TAPS_8 (0)                                                           \
        }                                                                      \
      else                                                                     \
        {                                                                      \
          TAP (0) TAP (1)                                                      \
        }                                                                      \
      y[i] = sum;                                                              \
    }

#define LAST                                                                   \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      last = x[i];                                                             \
      last = last * h[0] + h[1];                                               \
      last = (float) (2 * last);                                               \
      last -= x[i + 1];                                                        \
      y[i] = last;                                                             \
      last += h[2];                                                            \
    }                                                                          \
  return last;

static void
plain_whole (int *y, const int *x, const int *h, int order, int n)
{
  FILTER (int)
}

static NOINLINE void
whole (int *y, const int *x, const int *h, int order, int n)
{
#pragma tensor
  FILTER (int)
}

static void
plain_real (double *y, const double *x, const double *h, int order, int n)
{
  FILTER (double)
}

static NOINLINE void
real (double *y, const double *x, const double *h, int order, int n)
{
#pragma tensor fp(strict)
  FILTER (double)
}

static double
plain_seen (double *y, const double *x, const double *h, int n)
{
  double last = 3;
  LAST
}

static NOINLINE double
seen (double *y, const double *x, const double *h, int n)
{
  double last = 3;
#pragma tensor fp(strict)
  LAST
}

int
main (void)
{
  static int x[2][MOST + 32], h[2][32], y[2][MOST];
  static double s[2][MOST + 32], t[2][32], u[2][MOST];
  FILL (x);
  FILL (h);
  FILL_WITH (s, (int) next ());
  FILL_WITH (t, (int) next () / 16);
  EACH_SIZE (n)
  for (int order = 0; order <= 32; order += 4)
    {
      FILL (y);
      FILL (u);
      BOTH (whole, y[W], x[W], h[W], order, n);
      BOTH (real, u[W], s[W], t[W], order, n);
      CHECK (y);
      CHECK (u);
      BOTH_EQUAL (seen, u[W], s[W], t[W], n);
      CHECK (u);
    }
  return 0;
}
