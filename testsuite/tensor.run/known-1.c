/* Shows that tables of constants mean the same looked up while compiling: of
   the file and of the function, const and never changed, short, designated and
   of two dimensions, of chars and of doubles, in subscripts, bounds and
   conditions, around other loops, in functions that are inlined; and that
   tables which change, before the region or behind it, are read.  */

#include "compare.h"

static const int ex[9] = { 0, 1, 0, -1, 0, 1, -1, -1, 1 };
const signed char ey[9] = { 0, 0, 1, 0, -1, 1, 1, -1, -1 };
static const double weight[3][3] = { { 1, 2 }, { [2] = 4 }, [2] = { 3, 1, 2 } };
static const long picks[6] = { [1] = 2, [4] = 5, 1 };
static int moved[3] = { 0, 1, 2 };

#define FLOW(n, m, g, f)                                                       \
  for (int y = 0; y < n; y++)                                                  \
    for (int x = 0; x < m; x++)                                                \
      {                                                                        \
        double sum = 0, part[9];                                               \
        for (int q = 0; q < 9; q++)                                            \
          {                                                                    \
            int from = (x - ex[q] + m) % m;                                    \
            part[q] = f[(((y - ey[q] + n) % n) * m + from) * 9 + q];           \
            sum += part[q] * weight[ex[q] + 1][ey[q] + 1];                     \
          }                                                                    \
        for (int q = 0; q < 9; q++)                                            \
          g[(y * m + x) * 9 + q] = ex[q] > 0 ? sum - part[q] : part[q];        \
      }

#define STREAM(n, m, g, f)                                                     \
  for (int q = 0; q < 9; q++)                                                  \
    for (int y = 1; y < n - 1; y++)                                            \
      for (int x = 1; x < m - 1; x++)                                          \
        g[(y * m + x) * 9 + q] = f[((y - ey[q]) * m + x - ex[q]) * 9 + q];

#define SHARPEN(n, m, b, a)                                                    \
  for (int i = 1; i < n - 1; i++)                                              \
    for (int j = 1; j < m - 1; j++)                                            \
      {                                                                        \
        int sum = 0;                                                           \
        for (int k = 0; k < 8; k++)                                            \
          sum += a[(i + dy[k]) * m + j + dx[k]];                               \
        b[i * m + j] = sum > 3 ? 8 * a[i * m + j] - sum : sum;                 \
      }

#define PICK(n, y, x)                                                          \
  for (int q = 0; q < 6; q++)                                                  \
    for (int i = picks[q]; i < n - 6; i++)                                     \
      if (picks[q] || i % 3 == 0)                                              \
        y[i + picks[picks[q]]] += x[i + q] * picks[q];

#define MOVE(n, y, x, k)                                                       \
  for (int i = 2; i < n; i++)                                                  \
    for (int q = 0; q < 3; q++)                                                \
      y[i] += (q + 1) * x[i - k[q]];

static inline double
ahead (const double *x, int i)
{
  static const int by[2] = { 1, 3 };
  double sum = 0;
  for (int q = 0; q < 2; q++)
    sum += x[i + by[q]];
  return sum;
}

static NOINLINE void
plain_flow (int n, int m, double *restrict g, const double *restrict f)
{
  FLOW (n, m, g, f)
}

static NOINLINE void
flow (int n, int m, double *restrict g, const double *restrict f)
{
#pragma tensor
  FLOW (n, m, g, f)
}

static NOINLINE void
plain_stream (int n, int m, double *restrict g, const double *restrict f)
{
  STREAM (n, m, g, f)
}

static NOINLINE void
stream (int n, int m, double *restrict g, const double *restrict f)
{
#pragma tensor
  STREAM (n, m, g, f)
}

static NOINLINE void
plain_sharpen (int n, int m, short *b, const short *a)
{
  int dy[8] = { -1, -1, -1, 0, 0, 1, 1, 1 };
  static int dx[] = { -1, 0, 1, -1, 1, -1, 0, 1 };
  SHARPEN (n, m, b, a)
}

static NOINLINE void
sharpen (int n, int m, short *b, const short *a)
{
  int dy[8] = { -1, -1, -1, 0, 0, 1, 1, 1 };
  static int dx[] = { -1, 0, 1, -1, 1, -1, 0, 1 };
#pragma tensor
  SHARPEN (n, m, b, a)
}

static NOINLINE void
plain_pick (int n, double *restrict y, const double *restrict x)
{
  PICK (n, y, x)
}

static NOINLINE void
pick (int n, double *restrict y, const double *restrict x)
{
#pragma tensor
  PICK (n, y, x)
}

static NOINLINE void
plain_move (int n, double *restrict y, const double *restrict x, int by)
{
  int k[3] = { 0, 1, 2 };
  k[by % 3] = by % 2;
  MOVE (n, y, x, k)
}

static NOINLINE void
move (int n, double *restrict y, const double *restrict x, int by)
{
  int k[3] = { 0, 1, 2 };
  k[by % 3] = by % 2;
#pragma tensor
  MOVE (n, y, x, k)
}

static NOINLINE void
plain_shared (int n, double *restrict y, const double *restrict x)
{
  MOVE (n, y, x, moved)
}

static NOINLINE void
shared (int n, double *restrict y, const double *restrict x)
{
#pragma tensor
  MOVE (n, y, x, moved)
}

static NOINLINE void
plain_count (int n, double *restrict y, const double *restrict x)
{
  static int k[3] = { 0, 1, 2 };
  MOVE (n, y, x, k)
  k[0] = !k[0];
}

static NOINLINE void
count (int n, double *restrict y, const double *restrict x)
{
  static int k[3] = { 0, 1, 2 };
#pragma tensor
  MOVE (n, y, x, k)
  k[0] = !k[0];
}

static NOINLINE void
plain_inlined (int n, double *restrict y, const double *restrict x)
{
  for (int i = 0; i < n - 3; i++)
    y[i] = ahead (x, i);
}

static NOINLINE void
inlined (int n, double *restrict y, const double *restrict x)
{
#pragma tensor
  for (int i = 0; i < n - 3; i++)
    y[i] = ahead (x, i);
}

static double f[2][9 * 33 * 33], g[2][9 * 33 * 33], x[2][AREA], y[2][AREA];
static short a[2][AREA], b[2][AREA];

/* Plates of two lengths.  */
static void
check (int n, int m)
{
  current[0] = n;
  current[1] = m;
  FILL (f);
  FILL (g);
  FILL (a);
  FILL (b);
  BOTH (flow, n, m, g[W], f[W]);
  CHECK (g);
  BOTH (stream, n, m, f[W], g[W]);
  CHECK (f);
  BOTH (sharpen, n, m, b[W], a[W]);
  CHECK (b);
  BOTH (sharpen, n, m, a[W] + m, a[W]);
  CHECK (a);
}

int
main (void)
{
  EACH_SIZE (n)
  {
    current[0] = n;
    FILL (x);
    FILL (y);
    BOTH (pick, n, y[W], x[W]);
    CHECK (y);
    BOTH (move, n, y[W], x[W], n);
    CHECK (y);
    moved[n % 3] = n % 2;
    BOTH (shared, n, y[W], x[W]);
    CHECK (y);
    BOTH (count, n, y[W], x[W]);
    BOTH (count, n, y[W], x[W]);
    CHECK (y);
    BOTH (inlined, n, y[W], x[W]);
    CHECK (y);
  }
  for (size_t k = 0; k < LENGTH (small_sizes); k++)
    for (size_t l = 0; l < LENGTH (small_sizes); l++)
      check (small_sizes[k], small_sizes[l]);
  return 0;
}
