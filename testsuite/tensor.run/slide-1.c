/* Shows that windows of any length that slide over an array mean the same: the
   greatest byte around, sums of numbers, the least of those whose window is cut
   at the border, and two windows side by side.  */

#include "compare.h"

#define DILATE                                                                 \
  for (int y = r; y < n - r; y++)                                              \
    for (int x = r; x < n - r; x++)                                            \
      {                                                                        \
        unsigned char most = 0;                                                \
        for (int i = -r; i <= r; i++)                                          \
          for (int j = -r; j <= r; j++)                                        \
            {                                                                  \
              unsigned char v = s[(y + i) * n + x + j];                        \
              most = v > most ? v : most;                                      \
            }                                                                  \
        d[y * n + x] = most;                                                   \
      }

#define SUMS                                                                   \
  for (int i = 0; i + k <= n; i++)                                             \
    {                                                                          \
      int sum = 0, least = 1 << 20;                                            \
      for (int j = 0; j < k; j++)                                              \
        sum += x[i + j];                                                       \
      for (int j = 0; j < k; j++)                                              \
        least = y[i + j] < least ? y[i + j] : least;                           \
      z[i] = sum + least;                                                      \
    }

#define LEAST                                                                  \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      double least = 1e9;                                                      \
      for (int j = i - r < 0 ? 0 : i - r; j < n && j <= i + r; j++)            \
        least = x[j] < least ? x[j] : least;                                   \
      y[i] = least;                                                            \
    }

static NOINLINE void
plain_dilate (int n, int r, const unsigned char *restrict s,
              unsigned char *restrict d)
{
  DILATE
}

static NOINLINE void
dilate (int n, int r, const unsigned char *restrict s,
        unsigned char *restrict d)
{
#pragma tensor
  DILATE
}

static NOINLINE void
plain_sums (int n, int k, const int *restrict x, const int *restrict y,
            int *restrict z)
{
  SUMS
}

static NOINLINE void
sums (int n, int k, const int *restrict x, const int *restrict y,
      int *restrict z)
{
#pragma tensor
  SUMS
}

static NOINLINE void
plain_least (int n, int r, const double *restrict x, double *restrict y)
{
  LEAST
}

static NOINLINE void
least (int n, int r, const double *restrict x, double *restrict y)
{
#pragma tensor
  LEAST
}

static unsigned char s[2][AREA], d[2][AREA];
static int x[2][AREA], y[2][AREA], z[2][AREA];
static double u[2][AREA], v[2][AREA];

int
main (void)
{
  FILL_BELOW (s, 256);
  FILL (d);
  FILL (x);
  FILL (y);
  FILL (z);
  FILL (u);
  FILL (v);
  for (size_t k = 0; k < LENGTH (sizes); k++)
    for (int r = 0; r < 20; r = 2 * r + 1)
      {
        int n = sizes[k];
        current[0] = n;
        current[1] = r;
        BOTH (dilate, n, r, s[W], d[W]);
        CHECK (d);
        BOTH (sums, n * n, r, x[W], y[W], z[W]);
        CHECK (z);
        BOTH (least, n, r, u[W], v[W]);
        CHECK (v);
      }
  return 0;
}
