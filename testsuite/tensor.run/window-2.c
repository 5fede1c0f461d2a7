/* Shows that windows that move by a number known at run time mean the same,
   for numbers that have a version and others, 0 and negative ones where no
   loop runs: padded, dilated, over channels, of bytes, to columns.  */

#include "compare.h"

typedef struct shape
{
  int n, m, k, s, d, p;
} shape;

/* How many windows there are along SIZE.  */
static int
count (shape a, int size)
{
  int room = size + 2 * a.p - (a.k - 1) * a.d - 1;
  return room < 0 || a.s == 0 ? 0 : room / a.s + 1;
}

#define PADDED                                                                 \
  for (int c = 0; c < 2; c++)                                                  \
    for (int i = 0; i < count (a, a.n); i++)                                   \
      for (int j = 0; j < count (a, a.m); j++)                                 \
        {                                                                      \
          float sum = 0;                                                       \
          for (int u = 0; u < a.k; u++)                                        \
            for (int v = 0; v < a.k; v++)                                      \
              {                                                                \
                int r = i * a.s + u * a.d - a.p, q = j * a.s + v * a.d - a.p;  \
                if (r >= 0 && r < a.n && q >= 0 && q < a.m)                    \
                  sum += x[(c * a.n + r) * a.m + q] * w[u * a.k + v];          \
              }                                                                \
          y[(c * a.n + i) * a.m + j] = sum;                                    \
        }

static NOINLINE void
plain_padded (shape a, const float *restrict x, const float *restrict w,
              float *restrict y)
{
  PADDED
}

static NOINLINE void
padded (shape a, const float *restrict x, const float *restrict w,
        float *restrict y)
{
#pragma tensor
  PADDED
}

#define VALID                                                                  \
  for (int i = 0; i < h; i++)                                                  \
    for (int j = 0; j < l; j++)                                                \
      {                                                                        \
        int most = 0;                                                          \
        for (int u = 0; u < k; u++)                                            \
          for (int v = 0; v < k; v++)                                          \
            {                                                                  \
              int t = x[(i * s + u) * m + j * s + v];                          \
              most = t > most ? t : most;                                      \
            }                                                                  \
        y[i * l + j] = most;                                                   \
      }

static NOINLINE void
plain_valid (int h, int l, int m, int k, int s, const unsigned char *x,
             unsigned char *y)
{
  VALID
}

static NOINLINE void
valid (int h, int l, int m, int k, int s, const unsigned char *x,
       unsigned char *y)
{
#pragma tensor
  VALID
}

#define COLUMNS                                                                \
  for (int c = 0; c < k * k; c++)                                              \
    for (int i = 0; i < h; i++)                                                \
      for (int j = 0; j < l; j++)                                              \
        {                                                                      \
          int r = i * s + c / k - p, q = j * s + c % k - p;                    \
          y[(c * h + i) * l + j]                                               \
            = r < 0 || r >= n || q < 0 || q >= m ? 0 : x[r * m + q];           \
        }

static NOINLINE void
plain_columns (int h, int l, int n, int m, int k, int s, int p,
               const float *restrict x, float *restrict y)
{
  COLUMNS
}

static NOINLINE void
columns (int h, int l, int n, int m, int k, int s, int p,
         const float *restrict x, float *restrict y)
{
#pragma tensor
  COLUMNS
}

static float x[2][2 * AREA], y[2][9 * AREA], w[2][9];
static unsigned char bytes[2][AREA], most[2][AREA];

static void
try (shape a)
{
  int h = count (a, a.n), l = count (a, a.m);
  FILL (x);
  FILL (y);
  FILL (w);
  FILL_BELOW (bytes, 256);
  FILL (most);
  BOTH (padded, a, x[W], w[W], y[W]);
  CHECK (y);
  BOTH (columns, h, l, a.n, a.m, a.k, a.s, a.p, x[W], y[W]);
  CHECK (y);
  a.p = 0;
  a.d = 1;
  h = count (a, a.n), l = count (a, a.m);
  BOTH (valid, h, l, a.m, a.k, a.s, bytes[W], most[W]);
  CHECK (most);
}

int
main (void)
{
  for (size_t n = 0; n < LENGTH (small_sizes); n++)
    for (int s = 0; s < 5; s++)
      for (int k = 1; k < 4; k++)
        for (int p = 0; p < 3; p++)
          {
            current[0] = small_sizes[n];
            current[1] = 1000 * s + 100 * k + p;
            try ((shape){ small_sizes[n], small_sizes[n] + 1, k, s, 1 + p % 2,
                          p < k ? p : k - 1 });
          }
  return 0;
}
