/* Shows that products whose operand is copied in panels mean the same: with few
   and many rows and columns, several blocks, rows in each other's way, operands
   that are computed of what is read, and none where there are no rows.  */

#include "compare.h"

#define ROOM (520 * 300)

static double c[2][ROOM], a[2][ROOM], b[2][ROOM];
static float f[2][ROOM], g[2][ROOM], h[2][ROOM];
static short s[2][ROOM];

PLAIN_O2 void
plain_scaled (int n, int m, int l, double alpha, double *cc, const double *aa,
              const double *bb)
{
  double (*c)[m] = (void *) cc;
  const double (*a)[l] = (void *) aa, (*b)[m] = (void *) bb;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < l; k++)
      for (int j = 0; j < m; j++)
        c[i][j] += alpha * a[i][k] * b[k][j];
}

static NOINLINE void
scaled (int n, int m, int l, double alpha, double *restrict cc,
        const double *aa, const double *bb)
{
  double (*restrict c)[m] = (void *) cc;
  const double (*a)[l] = (void *) aa, (*b)[m] = (void *) bb;
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int k = 0; k < l; k++)
      for (int j = 0; j < m; j++)
        c[i][j] += alpha * a[i][k] * b[k][j];
}

PLAIN_O2 void
plain_sums (int n, int m, int l, float *f, const float *g, const float *h)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        float sum = 0;
        for (int k = 0; k < l; k++)
          sum += g[i * l + k] * h[k * m + j];
        f[i * m + j] = sum * 2 + 1;
      }
}

static NOINLINE void
sums (int n, int m, int l, float *restrict f, const float *g, const float *h)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        float sum = 0;
        for (int k = 0; k < l; k++)
          sum += g[i * l + k] * h[k * m + j];
        f[i * m + j] = sum * 2 + 1;
      }
}

PLAIN_O2 void
plain_turned (int n, int m, int l, float *f, const float *g, const short *s)
{
  for (int k = 0; k < l; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        f[i * m + j] += g[k * n + i] * (float) s[k * m + j];
}

static NOINLINE void
turned (int n, int m, int l, float *restrict f, const float *g, const short *s)
{
#pragma tensor
  for (int k = 0; k < l; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        f[i * m + j] += g[k * n + i] * (float) s[k * m + j];
}

PLAIN_O2 void
plain_some (int n, int m, int l, double *c, const double *a, const double *b)
{
  for (int i = 0; i < n; i++)
    for (int k = 0; k < l; k++)
      for (int j = 0; j < m; j++)
        if (b[k * m + j] > 0)
          c[i * m + j] -= a[i * l + k] * b[k * m + j];
}

static NOINLINE void
some (int n, int m, int l, double *restrict c, const double *a, const double *b)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int k = 0; k < l; k++)
      for (int j = 0; j < m; j++)
        if (b[k * m + j] > 0)
          c[i * m + j] -= a[i * l + k] * b[k * m + j];
}

PLAIN_O2 void
plain_batch (int n, int m, int l, float *f, const float *g, const float *h)
{
  for (int t = 0; t < 2; t++)
    for (int i = 0; i < n / 2; i++)
      for (int j = 0; j < m; j++)
        for (int k = 0; k < l; k++)
          f[(t * (n / 2) + i) * m + j]
            += g[(t * (n / 2) + i) * l + k] * h[k * m + j];
}

static NOINLINE void
batch (int n, int m, int l, float *restrict f, const float *g, const float *h)
{
#pragma tensor parallel(t)
  for (int t = 0; t < 2; t++)
    for (int i = 0; i < n / 2; i++)
      for (int j = 0; j < m; j++)
        for (int k = 0; k < l; k++)
          f[(t * (n / 2) + i) * m + j]
            += g[(t * (n / 2) + i) * l + k] * h[k * m + j];
}

/* Rows, columns and the length of the sums.  */
static const int shape[][3]
  = { { 0, 300, 300 },   { 5, 300, 400 },   { 200, 0, 300 },  { 300, 1, 257 },
      { 293, 70, 257 },  { 200, 300, 520 }, { 37, 64, 300 },  { 64, 256, 390 },
      { 211, 256, 388 }, { 400, 33, 385 },  { 90, 128, 513 }, { 2, 2, 2 } };

int
main (void)
{
  for (size_t k = 0; k < LENGTH (shape); k++)
    {
      int n = current[0] = shape[k][0];
      int m = current[1] = shape[k][1];
      int l = shape[k][2];
      FILL (a);
      FILL (b);
      FILL (c);
      FILL (f);
      FILL (g);
      FILL (h);
      FILL (s);
      BOTH (scaled, n, m, l, 2, c[W], n ? a[W] : NULL, n ? b[W] : NULL);
      CHECK (c);
      BOTH (sums, n, m, l, f[W], n ? g[W] : NULL, n ? h[W] : NULL);
      CHECK (f);
      BOTH (turned, n, m, l, f[W], g[W], n ? s[W] : NULL);
      CHECK (f);
      BOTH (some, n, m, l, c[W], a[W], n ? b[W] : NULL);
      CHECK (c);
      BOTH (batch, n, m, l, f[W], g[W], n > 1 ? h[W] : NULL);
      CHECK (f);
    }
  return 0;
}
