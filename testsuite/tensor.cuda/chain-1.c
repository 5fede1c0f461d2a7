/* Shows that chains, choices and all kinds of numbers mean the same on a
   device.  */

#include "device.h"

typedef struct point
{
  double x;
  float weight;
  short count[3];
} point;

REGION (chain, (const float *x, float *y, float *z, float a, int n),
        for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];
        for (int i = 0; i < n; i++) z[i] = y[i] > 0 ? y[i] * x[i] : z[i] - 1;
        for (int i = 1; i < n; i += 3) z[i] += x[n - 1 - i];)

REGION (widths,
        (signed char *a, unsigned char *b, short *c, unsigned short *d, int *e,
         unsigned *f, long *g, unsigned long *h, _Bool *k, int n),
        for (int i = 0; i < n; i++) a[i] = (signed char) (a[i] * 3 - b[i]);
        for (int i = 0; i < n; i++) b[i] = (unsigned char) (b[i] + a[i] * 5);
        for (int i = 0; i < n; i++) c[i] = (short) (c[i] << 3 ^ a[i]);
        for (int i = 0; i < n; i++) d[i] = (unsigned short) (d[i] >> 2 | e[i]);
        for (int i = 0; i < n; i++) e[i] = e[i] / 3 + e[i] % 5 - c[i];
        for (int i = 0; i < n; i++) f[i] = f[i] * 2654435761u >> 7;
        for (int i = 0; i < n; i++) g[i] = g[i] * 1000003 - e[i];
        for (int i = 0; i < n; i++) h[i] = h[i] / 7 + (unsigned long) g[i];
        for (int i = 0; i < n; i++) k[i] = (k[i] && e[i] > 0) || c[i] == 1;)

KERNEL (
  members, (point * p, double *out, int n), for (int i = 0; i < n; i++) {
    p[i].x += p[i].weight * p[i].count[1];
    if (p[i].count[0] > 2)
      p[i].count[2] = (short) (p[i].count[0] - 1);
    else
      out[i] = p[i].x;
  })

KERNEL (
  planes, (int n, int m, float x[n][m][3], float y[m][n]),
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {
    float s[3];
    for (int k = 0; k < 3; k++)
      s[k] = x[i][j][k] * 2 + k;
    for (int k = 0; k < 3; k++)
      x[i][j][k] = s[2 - k];
    y[j][i] = s[0] * s[1] - s[2];
  })

KERNEL (
  words,
  (int n, float *class, double *new, int *this, float *threadIdx, int warpSize,
   float *blockDim),
  for (int template = 0; template <n; template ++) {
         double delete = class[template] * 2;
         new[template] = delete + this[template];
         threadIdx[template] = blockDim[template] + warpSize;
       })

static float x[2][3 * AREA], y[2][3 * AREA], z[2][MOST], w[2][MOST];
static signed char a[2][MOST];
static unsigned char b[2][MOST];
static short c[2][MOST];
static unsigned short d[2][MOST];
static int e[2][MOST];
static unsigned f[2][MOST];
static long g[2][MOST];
static unsigned long h[2][MOST];
static _Bool k[2][MOST];
static double out[2][MOST];
static point p[2][MOST];

/* All kinds of numbers.  */
static void
check_widths (int n)
{
  FILL (a);
  FILL_BELOW (b, 256);
  FILL (c);
  FILL_BELOW (d, 65536);
  FILL (e);
  FILL_BELOW (f, 65536);
  FILL (g);
  FILL_BELOW (h, 60000);
  FILL_BELOW (k, 2);
  BOTH (widths, a[W], b[W], c[W], d[W], e[W], f[W], g[W], h[W], k[W], n);
  CHECK (a);
  CHECK (b);
  CHECK (c);
  CHECK (d);
  CHECK (e);
  CHECK (f);
  CHECK (g);
  CHECK (h);
  CHECK (k);
}

/* Structures.  */
static void
check_members (int n)
{
  for (int i = 0; i < MOST; i++)
    p[0][i] = (point){ i, 2, { (short) (i % 5), 3, 4 } };
  memcpy (p[1], p[0], sizeof p[0]);
  FILL (out);
  BOTH (members, p[W], out[W], n);
  CHECK (out);
  if (memcmp (p[0], p[1], sizeof p[0]))
    differ ("p", 0, 0, 0);
}

int
main (void)
{
  EACH_LENGTH (n)
  {
    FILL (x);
    FILL (y);
    FILL (z);
    FILL (w);
    FILL (e);
    FILL (out);
    BOTH (chain, x[W], y[W], z[W], 3, (int) n);
    CHECK (y);
    CHECK (z);
    BOTH (words, (int) n, x[W], out[W], e[W], w[W], 32, y[W]);
    CHECK (out);
    CHECK (w);
    check_widths ((int) n);
    check_members ((int) n);
  }
  EACH_LENGTH (n)
  EACH_ROW (m)
  {
    FILL (x);
    FILL (y);
    BOTH (planes, (int) n, (int) m, (void *) x[W], (void *) y[W]);
    CHECK (x);
    CHECK (y);
  }
  return 0;
}
