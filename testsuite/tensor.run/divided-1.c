/* Shows that loops over rows in place of loops whose iterator is divided mean
   the same: blocks with a scale each, places in images, a table that repeats,
   sums of rows, another order of dimensions, images to columns; sizes that
   divide how often the loop runs and sizes that do not, short and long.  */

#include "compare.h"

#define SCALES                                                                 \
  for (int i = 0; i < n; i++)                                                  \
    y[i] = q[i] * s[i / m];

#define PLACES                                                                 \
  for (unsigned i = 0; i < n * m; i++)                                         \
    y[i] = x[i] * (i % m) + i / m;

#define REPEATS                                                                \
  for (long i = 0; i < n; i++)                                                 \
    y[i] = x[i] + s[i % m];

#define ROW_SUMS                                                               \
  for (int i = 0; i < n * m; i++)                                              \
    y[i / m] += x[i];

#define TURNED                                                                 \
  for (int i = 0; i < 3 * n * m; i++)                                          \
    {                                                                          \
      int w = i % m, h = i / m % n, c = i / m / n;                             \
      y[(h * m + w) * 3 + c] = x[i];                                           \
    }

#define COLUMNS                                                                \
  for (int c = 0; c < rows; c++)                                               \
    {                                                                          \
      int v = c % k, u = c / k % k, o = c / k / k;                             \
      for (int i = 0; i < n; i++)                                              \
        for (int j = 0; j < m; j++)                                            \
          {                                                                    \
            int a = i + u - 1, b = j + v - 1;                                  \
            int inside = a >= 0 && b >= 0 && a < n && b < m;                   \
            y[(c * n + i) * m + j] = inside ? x[(o * n + a) * m + b] : 0;      \
          }                                                                    \
    }

static NOINLINE void
plain_scales (int n, int m, const signed char *q, const float *s, float *y)
{
  SCALES
}

static NOINLINE void
scales (int n, int m, const signed char *q, const float *s, float *y)
{
#pragma tensor
  SCALES
}

static NOINLINE void
plain_places (unsigned n, unsigned m, const float *x, float *y)
{
  PLACES
}

static NOINLINE void
places (unsigned n, unsigned m, const float *x, float *y)
{
#pragma tensor
  PLACES
}

static NOINLINE void
plain_repeats (long n, long m, const float *x, const float *s, float *y)
{
  REPEATS
}

static NOINLINE void
repeats (long n, long m, const float *x, const float *s, float *y)
{
#pragma tensor
  REPEATS
}

static NOINLINE void
plain_row_sums (int n, int m, const float *x, float *y)
{
  ROW_SUMS
}

static NOINLINE void
row_sums (int n, int m, const float *x, float *y)
{
#pragma tensor
  ROW_SUMS
}

static NOINLINE void
plain_turned (int n, int m, const float *x, float *y)
{
  TURNED
}

static NOINLINE void
turned (int n, int m, const float *x, float *y)
{
#pragma tensor
  TURNED
}

static NOINLINE void
plain_columns (int rows, int n, int m, int k, const float *x, float *y)
{
  COLUMNS
}

static NOINLINE void
columns (int rows, int n, int m, int k, const float *x, float *y)
{
#pragma tensor
  COLUMNS
}

static signed char q[2][AREA];
static float s[2][AREA], x[2][AREA], y[2][9 * AREA];

int
main (void)
{
  static const int rows[] = { 1, 2, 3, 7, 8, 16, 33, 64 };
  FILL (q);
  FILL (s);
  FILL (x);
  for (size_t a = 0; a < LENGTH (small_sizes); a++)
    for (size_t b = 0; b < LENGTH (rows); b++)
      {
        int n = current[0] = small_sizes[a], m = current[1] = rows[b];
        FILL (y);
        for (int rest = 0; rest < 3; rest++)
          {
            BOTH (scales, n * m + rest, m, q[W], s[W], y[W]);
            CHECK (y);
            BOTH (repeats, n * m + rest, m, x[W], s[W], y[W]);
            CHECK (y);
          }
        BOTH (places, n, m, x[W], y[W]);
        BOTH (row_sums, n, m, x[W], y[W]);
        CHECK (y);
        BOTH (turned, n, m, x[W], y[W]);
        CHECK (y);
        for (int k = 1; k < 4; k++)
          BOTH (columns, 2 * k * k, n, m, k, x[W], y[W]);
        BOTH (columns, 7, n, m, 2, x[W], y[W]);
        CHECK (y);
      }
  return 0;
}
