/* Shows that flat pointers with subscripts i * n + j and (b * T + t) * C +
   c mean the same.  */

#include "compare.h"

static NOINLINE void
plain_add_row (float *p, const float *bias, int n, int m)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      p[i * m + j] += bias[j];
}

static NOINLINE void
plain_three (float *out, const float *in, const float *wte, const float *wpe,
             const int *token, int B, int T, int C)
{
  for (int b = 0; b < B; b++)
    for (int t = 0; t < T; t++)
      {
        const float *row = wte + token[b * T + t] * C;
        float *to = out + b * T * C + t * C;
        for (int c = 0; c < C; c++)
          to[c] = row[c] + wpe[t * C + c] + in[(b * T + t) * C + c];
      }
}

static NOINLINE void
plain_sum_rows (const int *p, int *sum, size_t n, size_t m)
{
  for (size_t i = 0; i < n; i++)
    {
      int s = 0;
      for (size_t j = 0; j < m; j++)
        s += p[i * m + j];
      sum[i] = s;
    }
}

static NOINLINE void
plain_sum_columns (const float *p, float *sum, long n, long m)
{
  {
    for (long j = 0; j < m; j++)
      sum[j] = 0;
    for (long i = 0; i < n; i++)
      for (long j = 0; j < m; j++)
        sum[j] += p[j + i * m];
  }
}

static NOINLINE void
plain_scale_pitch (float *p, int n, int m, int pitch, float s)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      p[i * pitch + j] *= s;
}

static NOINLINE void
add_row (float *p, const float *bias, int n, int m)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      p[i * m + j] += bias[j];
}

static NOINLINE void
three (float *out, const float *in, const float *wte, const float *wpe,
       const int *token, int B, int T, int C)
{
#pragma tensor
  for (int b = 0; b < B; b++)
    for (int t = 0; t < T; t++)
      {
        const float *row = wte + token[b * T + t] * C;
        float *to = out + b * T * C + t * C;
        for (int c = 0; c < C; c++)
          to[c] = row[c] + wpe[t * C + c] + in[(b * T + t) * C + c];
      }
}

static NOINLINE void
sum_rows (const int *p, int *sum, size_t n, size_t m)
{
#pragma tensor
  for (size_t i = 0; i < n; i++)
    {
      int s = 0;
      for (size_t j = 0; j < m; j++)
        s += p[i * m + j];
      sum[i] = s;
    }
}

static NOINLINE void
sum_columns (const float *p, float *sum, long n, long m)
{
#pragma tensor
  {
    for (long j = 0; j < m; j++)
      sum[j] = 0;
    for (long i = 0; i < n; i++)
      for (long j = 0; j < m; j++)
        sum[j] += p[j + i * m];
  }
}

static NOINLINE void
scale_pitch (float *p, int n, int m, int pitch, float s)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      p[i * pitch + j] *= s;
}

static float a[2][AREA], b[2][AREA], w[2][10 * MOST], v[2][AREA], s[2][MOST];
static int t[2][AREA], p[2][AREA], q[2][MOST];

int
main (void)
{
  EACH_SIZE (n)
  EACH_WIDTH (m)
  {
    FILL (a);
    FILL (s);
    FILL (p);
    FILL (q);
    BOTH (add_row, a[W], s[W], n, m);
    CHECK (a);
    BOTH (sum_rows, p[W], q[W], n, m);
    CHECK (q);
    BOTH (sum_columns, a[W], s[W], n, m);
    CHECK (s);
    BOTH (scale_pitch, a[W], n, m, 128, 2);
    CHECK (a);
  }
  EACH_SMALL (n)
  EACH_SMALL_TOO (m)
  {
    FILL (a);
    FILL (b);
    FILL (v);
    FILL (w);
    FILL_BELOW (t, 10);
    BOTH (three, a[W], b[W], w[W], v[W], t[W], 3, n, m);
    CHECK (a);
  }
  return 0;
}
