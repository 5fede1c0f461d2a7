/* Shows that sums, and what else is put together of all elements, mean the same
   on a device: of all, of rows, of columns; products.  */

#include "device.h"

REGION (whole, (const int *x, const float *y, long *out, float *sum, long n),
        long s = 0;
        int most = -100; int least = 100; unsigned bits = 0; float f = 0;
        for (long i = 0; i < n; i++) s += x[i];
        for (long i = 0; i < n; i++) most = x[i] > most ? x[i] : most;
        for (long i = 0; i < n; i++) least = x[i] < least ? x[i] : least;
        for (long i = 0; i < n; i++) bits ^= (unsigned) x[i];
        for (long i = 0; i < n; i++) f += x[i] * y[i]; out[0] += s;
        out[1] = most; out[2] = least; out[3] = bits; sum[0] += f;)

KERNEL (
  columns, (int n, int m, const float x[n][m], float *s, int *count),
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {
    s[j] += x[i][j];
    count[j] += x[i][j] > 0;
  })

KERNEL (
  product,
  (int n, int m, const float a[n][m], const float b[m][n], const float *bias,
   float c[n][n]),
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
    float s = 0;
    for (int k = 0; k < m; k++)
      s += a[i][k] * b[k][j];
    s += bias[j];
    c[i][j] = s > 0 ? s : 0;
  })

KERNEL (vector, (int n, int m, const float a[n][m], const float *x, float *y),
        for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[i]
        += a[i][j] * x[j];)

static int x[2][70000];
static float y[2][70000];
static long out[2][4];
static float sum[2][1];
static float a[2][AREA], b[2][AREA], c[2][AREA], d[2][MOST + 1];
static int count[2][MOST + 1];

int
main (void)
{
  static const int lengths[] = { 0, 1, 2, 2049, 4099, 70000 };
  FILL (x);
  FILL_BELOW (y, 3);
  EACH_OF (n, lengths, 0)
  {
    BOTH (whole, x[W], y[W], out[W], sum[W], (long) n);
    CHECK (out);
    CHECK (sum);
  }
  EACH_LENGTH (n)
  EACH_ROW (m)
  {
    FILL (a);
    FILL (b);
    FILL (d);
    BOTH (columns, (int) n, (int) m, (void *) a[W], d[W], count[W]);
    CHECK (d);
    CHECK (count);
    BOTH (vector, (int) n, (int) m, (void *) a[W], b[W], d[W]);
    CHECK (d);
    if (n * m > 2000)
      continue;
    BOTH (product, (int) n, (int) m, (void *) a[W], (void *) b[W], d[W],
          (void *) c[W]);
    CHECK (c);
  }
  return 0;
}
