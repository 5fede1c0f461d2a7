/* Shows that what is added up over rows into columns means the same on a
   device: narrow arrays and wide ones, few rows and many; sums, products and
   extremes, several at once, of halves of a choice; with numbers of a row in
   between; where rows have sums of their own, too.  */

#include "device.h"

KERNEL (narrow, (int n, const float x[n][3], float *s),
        for (int i = 0; i < n; i++) for (int j = 0; j < 3; j++) s[j]
        += x[i][j];)

KERNEL (
  several,
  (int n, int m, const int x[n][m], int *most, long *sum, unsigned *bits),
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {
    most[j] = x[i][j] > most[j] ? x[i][j] : most[j];
    sum[j] += x[i][j];
    bits[j] ^= (unsigned) x[i][j];
  })

KERNEL (least, (int n, int m, const double x[n][m], double *y),
        for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[j]
        = x[i][j] < y[j] ? x[i][j] : y[j];)

KERNEL (products, (int n, int m, const int x[n][m], unsigned *y),
        for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[j]
        *= (unsigned) x[i][j] | 1u;)

KERNEL (
  weighted, (int n, int m, const double x[n][m], const double *w, double *s),
  for (int i = 0; i < n; i++) {
    double a = w[i] * 2;
    for (int j = 1; j < m; j++)
      if (x[i][j] > x[i][j - 1])
        s[j - 1] += a * x[i][j];
  })

KERNEL (
  channels, (int n, int m, const double x[n][5][m], double *s, double *t),
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 5; k++)
      for (int j = 0; j < m; j++)
        s[k] += x[i][k][j];
    for (int k = 0; k < 5; k++)
      for (int j = 0; j < m; j++)
        t[j] += x[i][k][j];
  })

KERNEL (planes, (int n, int m, const double x[n][m][3], double s[m][3]),
        for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int k = 0;
                                                                     k < 3; k++)
          s[j][k]
        += x[i][j][k];)

KERNEL (
  rows, (int n, int m, const double x[n][m], double *r, double *s, double *t),
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < m; j++)
      sum += x[i][j];
    r[i] = sum;
    for (int j = 0; j < m; j++)
      {
        s[j] += x[i][j] * sum;
        t[j] += x[i][j];
      }
  })

KERNEL (
  later, (int n, int m, const double x[n][m], double *r, double *s),
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 2; j < m; j++)
      sum += x[i][j];
    r[i] = sum;
    for (int j = 2; j < m; j++)
      s[j] += x[i][j] - sum;
  })

static float x[2][9000];
static double y[2][9000], w[2][9000], r[2][9000], s[2][9000], t[2][9000];
static float f[2][3];
static int k[2][9000], most[2][9000];
static long sum[2][9000];
static unsigned bits[2][9000];

/* Of N rows of M.  */
static void
check (int n, int m)
{
  FILL (y);
  FILL (w);
  FILL (s);
  FILL (t);
  FILL (k);
  FILL (most);
  FILL (sum);
  FILL (bits);
  BOTH (several, n, m, (void *) k[W], most[W], sum[W], bits[W]);
  CHECK (most);
  CHECK (sum);
  CHECK (bits);
  BOTH (products, n, m, (void *) k[W], bits[W]);
  CHECK (bits);
  BOTH (least, n, m, (void *) y[W], s[W]);
  CHECK (s);
  BOTH (weighted, n, m, (void *) y[W], w[W], s[W]);
  CHECK (s);
  BOTH (rows, n, m, (void *) y[W], r[W], s[W], t[W]);
  CHECK (r);
  CHECK (s);
  CHECK (t);
  BOTH (later, n, m, (void *) y[W], r[W], s[W]);
  CHECK (r);
  CHECK (s);
}

int
main (void)
{
  static const int rows_of[][2]
    = { { 0, 5 },  { 1, 1 },   { 7, 0 },    { 3, 1000 }, { 1, 8191 },
        { 67, 1 }, { 700, 3 }, { 131, 33 }, { 4099, 2 }, { 2, 4500 } };
  static const int narrow_of[] = { 0, 1, 5, 64, 255, 3000 };
  for (unsigned c = 0; c < sizeof rows_of / sizeof rows_of[0]; c++)
    check (rows_of[c][0], rows_of[c][1]);
  FILL (x);
  EACH_OF (n, narrow_of, 0)
  {
    BOTH (narrow, (int) n, (void *) x[W], f[W]);
    CHECK (f);
  }
  static const int boxes[][2] = { { 0, 3 }, { 1, 1 }, { 13, 31 }, { 40, 40 } };
  for (unsigned c = 0; c < sizeof boxes / sizeof boxes[0]; c++)
    {
      FILL (y);
      BOTH (channels, boxes[c][0], boxes[c][1], (void *) y[W], s[W], t[W]);
      CHECK (s);
      CHECK (t);
      BOTH (planes, boxes[c][0], boxes[c][1], (void *) y[W], (void *) s[W]);
      CHECK (s);
    }
  return 0;
}
