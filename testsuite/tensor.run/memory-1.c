/* Shows that memset and memcpy in a nest, and arrays of bytes, mean the
   same.  */

#include "compare.h"

static NOINLINE void
plain_rows (float *restrict y, const float *restrict x, int n, int m)
{
  for (int i = 0; i < n; i++)
    {
      memset (y + i * m, 0, m * sizeof *y);
      for (int j = 0; j < m; j++)
        y[i * m + j] += x[i * m + j] * 3;
    }
}

static NOINLINE void
plain_table (float *restrict y, const float *restrict x, const int *restrict at,
             int n, int m)
{
  for (int i = 0; i < n; i++)
    memcpy (y + i * m, x + at[i] * m, m * sizeof (float));
}

static NOINLINE void
plain_bytes (char *x, const char *y, unsigned char key, int n)
{
  for (int i = 0; i < n; i++)
    x[i] = (x[i] ^ key) + (y[i] >> 1);
}

static NOINLINE void
plain_truths (const float *x, _Bool *b, int *c, int n)
{
  for (int i = 0; i < n; i++)
    {
      b[i] = x[i] > 1;
      c[i] = b[i] && x[i] < 5 ? 7 : b[i];
    }
}

static NOINLINE void
rows (float *restrict y, const float *restrict x, int n, int m)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      memset (y + i * m, 0, m * sizeof *y);
      for (int j = 0; j < m; j++)
        y[i * m + j] += x[i * m + j] * 3;
    }
}

static NOINLINE void
table (float *restrict y, const float *restrict x, const int *restrict at,
       int n, int m)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    memcpy (y + i * m, x + at[i] * m, m * sizeof (float));
}

static NOINLINE void
bytes (char *x, const char *y, unsigned char key, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    x[i] = (x[i] ^ key) + (y[i] >> 1);
}

static NOINLINE void
truths (const float *x, _Bool *b, int *c, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      b[i] = x[i] > 1;
      c[i] = b[i] && x[i] < 5 ? 7 : b[i];
    }
}

static float a[2][AREA], b[2][AREA];
static int t[2][128], c[2][128];
static char p[2][128], q[2][128];
static _Bool z[2][128];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (p);
    FILL (q);
    FILL (a);
    BOTH (bytes, p[W], q[W], 0x5a, n);
    CHECK (p);
    BOTH (truths, a[W], z[W], c[W], n);
    CHECK (z);
    CHECK (c);
    FILL_BELOW (t, 128);
    EACH_WIDTH (m)
    {
      FILL (b);
      BOTH (rows, b[W], a[W], n, m);
      CHECK (b);
      BOTH (table, b[W], a[W], t[W], n, m);
      CHECK (b);
    }
  }
  return 0;
}
