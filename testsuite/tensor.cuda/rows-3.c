/* Shows that short rows, several of which share a block, mean the same: rows of
   all lengths up to 256 that constants or assume tell, of floats, doubles and
   bytes, in registers and not, in place, with sums, products, minima of places,
   with elements that other threads store, of different lengths, gone through
   more often than their neighbours, beside others; blocks that have rows for a
   part of their threads.  */

#include "device.h"

#define MOST_ROWS 130

/* As KERNEL, of what assume says.  */
#define KERNEL_OF(FACT, NAME, ARGS, ...)                                       \
  KERNEL_AS (PRAGMA (tensor target (cuda) assume (FACT)), NAME, ARGS,          \
             __VA_ARGS__)

#define NORMAL(M)                                                              \
  KERNEL (                                                                     \
    normal##M,                                                                 \
    (long n, const float (*restrict x)[M], float (*restrict y)[M],             \
     float *restrict sum),                                                     \
    for (long i = 0; i < n; i++) {                                             \
      float most = x[i][0], all = 0;                                           \
      for (int j = 1; j < M; j++)                                              \
        most = x[i][j] > most ? x[i][j] : most;                                \
      for (int j = 0; j < M; j++)                                              \
        {                                                                      \
          y[i][j] = x[i][j] * 2 - most;                                        \
          all += y[i][j];                                                      \
        }                                                                      \
      for (int j = 0; j < M; j++)                                              \
        y[i][j] -= all;                                                        \
      sum[i] = all;                                                            \
    })

NORMAL (17)
NORMAL (24)
NORMAL (31)
NORMAL (32)
NORMAL (33)
NORMAL (64)
NORMAL (100)
NORMAL (127)
NORMAL (128)
NORMAL (129)
NORMAL (255)
NORMAL (256)

KERNEL_OF (
  m <= 100, softmax,
  (long n, long m, const double *restrict x, double *restrict y),
  for (long i = 0; i < n; i++) {
    double most = -9, all = 0;
    for (long j = 0; j < m; j++)
      most = x[i * m + j] > most ? x[i * m + j] : most;
    for (long j = 0; j < m; j++)
      {
        y[i * m + j] = x[i * m + j] - most;
        all += y[i * m + j];
      }
    for (long j = 0; j < m; j++)
      y[i * m + j] = y[i * m + j] * 4 + all;
  })

KERNEL_OF (
  m < 40, in_place, (int n, int m, float *restrict x, float *restrict sum),
  for (int i = 0; i < n; i++) {
    float all = 0;
    for (int j = 0; j < m; j++)
      all += x[i * m + j] * x[i * m + j];
    for (int j = 0; j < m; j++)
      x[i * m + j] += all;
    sum[i] += all;
  })

KERNEL (
  vectors,
  (long n, const float (*restrict a)[50], const float *restrict v,
   float *restrict y),
  for (long i = 0; i < n; i++) {
    float all = y[i];
    for (int j = 0; j < 50; j++)
      all += a[i][j] * v[j];
    y[i] = all;
  })

KERNEL (
  bytes,
  (long n, const unsigned char (*restrict x)[70],
   unsigned char (*restrict y)[70], int *restrict most),
  for (long i = 0; i < n; i++) {
    unsigned char top = 0, all = 0;
    for (int j = 0; j < 70; j++)
      {
        top = x[i][j] > top ? x[i][j] : top;
        all += x[i][j];
      }
    for (int j = 0; j < 70; j++)
      y[i][j] = x[i][j] + top + all;
    most[i] = top;
  })

KERNEL (
  others, (long n, float (*restrict x)[90], float (*restrict y)[90]),
  for (long i = 0; i < n; i++) {
    float all = 0;
    for (int j = 0; j < 90; j++)
      x[i][j] = x[i][j] * 2 + 1;
    for (int j = 0; j < 90; j++)
      all += x[i][89 - j];
    for (int j = 1; j < 89; j++)
      y[i][j] = x[i][j - 1] - x[i][j + 1] + all;
    x[i][0] = all;
    for (int j = 0; j < 90; j++)
      y[i][j] += x[i][0];
  })

KERNEL (
  repeated,
  (long n, const float (*restrict x)[24], float (*restrict y)[24],
   float *restrict sum),
  for (long i = 0; i < n; i++) {
    float all = 1;
    for (long k = 0; k < i; k++)
      {
        for (int j = 0; j < 24; j++)
          all += x[i][j];
        for (int j = 0; j < 24; j++)
          y[i][j] += all;
        all = all > 3 ? 1 : all < -3 ? -1 : all;
      }
    sum[i] = all;
  })

KERNEL_OF (
  n <= 130, triangle, (long n, const float *restrict x, float *restrict y),
  for (long i = 0; i < n; i++) {
    float all = 0;
    for (long j = 0; j < i; j++)
      all += x[i * 130 + j];
    for (long j = 0; j < i; j++)
      y[i * 130 + j] = x[i * 130 + j] + all;
  })

REGION (beside,
        (long n, const float (*restrict x)[40], float (*restrict y)[40],
         const double (*restrict z)[40], double (*restrict w)[40]),
        {
          for (long i = 0; i < n; i++)
            {
              float all = 0;
              for (int j = 0; j < 40; j++)
                all += x[i][j];
              for (int j = 0; j < 40; j++)
                y[i][j] = x[i][j] + all;
            }
          for (long i = 0; i < n; i++)
            {
              double most = 0;
              for (int j = 0; j < 40; j++)
                most = z[i][j] > most ? z[i][j] : most;
              for (int j = 0; j < 40; j++)
                w[i][j] = z[i][j] - most;
            }
        })

#define ELEMENTS (MOST_ROWS * 256)

static float x[2][ELEMENTS], y[2][ELEMENTS], s[2][MOST_ROWS];
static double d[2][ELEMENTS], e[2][ELEMENTS];
static unsigned char b[2][ELEMENTS], c[2][ELEMENTS];
static int most[2][MOST_ROWS];

#define ROWS(a, m) ((void *) (a)[W])

#define CHECK_NORMAL(M)                                                        \
  do                                                                           \
    {                                                                          \
      FILL (x);                                                                \
      FILL (y);                                                                \
      FILL (s);                                                                \
      BOTH (normal##M, n, ROWS (x, M), ROWS (y, M), s[W]);                     \
      CHECK (y);                                                               \
      CHECK (s);                                                               \
    }                                                                          \
  while (0)

/* N rows of all constant lengths.  */
static void
check_normal (long n)
{
  CHECK_NORMAL (17);
  CHECK_NORMAL (24);
  CHECK_NORMAL (31);
  CHECK_NORMAL (32);
  CHECK_NORMAL (33);
  CHECK_NORMAL (64);
  CHECK_NORMAL (100);
  CHECK_NORMAL (127);
  CHECK_NORMAL (128);
  CHECK_NORMAL (129);
  CHECK_NORMAL (255);
  CHECK_NORMAL (256);
}

/* N rows of other kinds.  */
static void
check_kinds (long n)
{
  FILL (x);
  FILL (y);
  FILL (s);
  FILL (d);
  FILL (e);
  FILL_BELOW (b, 200);
  FILL (c);
  BOTH (vectors, n, ROWS (x, 50), y[W], s[W]);
  CHECK (s);
  BOTH (bytes, n, ROWS (b, 70), ROWS (c, 70), most[W]);
  CHECK (c);
  CHECK (most);
  BOTH (others, n, ROWS (x, 90), ROWS (y, 90));
  CHECK (x);
  CHECK (y);
  BOTH (repeated, n, ROWS (x, 24), ROWS (y, 24), s[W]);
  CHECK (y);
  CHECK (s);
  BOTH (triangle, n, x[W], y[W]);
  CHECK (y);
  BOTH (beside, n, ROWS (x, 40), ROWS (y, 40), ROWS (d, 40), ROWS (e, 40));
  CHECK (y);
  CHECK (e);
}

/* N rows of M, as assume has it.  */
static void
check_assumed (long n, long m)
{
  FILL (x);
  FILL (s);
  FILL (d);
  FILL (e);
  BOTH (softmax, n, m, d[W], e[W]);
  CHECK (e);
  if (m < 40)
    BOTH (in_place, (int) n, (int) m, x[W], s[W]);
  CHECK (x);
  CHECK (s);
}

static const int lengths[] = { 0, 1, 2, 3, 5, 17, 31, 39, 64, 99, 100 };

int
main (void)
{
  EACH_LENGTH (n)
  {
    check_normal ((long) n);
    check_kinds ((long) n);
    EACH_OF (m, lengths, 1)
    check_assumed ((long) n, (long) m);
  }
  return 0;
}
