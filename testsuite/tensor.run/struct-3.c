/* Shows that structures with pointers, given by value to functions that are
   read, mean the same: those that are only read, one that its function and its
   caller change.  */

#include "compare.h"

typedef struct
{
  int rows, cols;
  float *at;
} matrix;

static inline float
get (matrix m, int i, int j)
{
  return m.at[i * m.cols + j];
}

static inline void
add (matrix m, int i, int j, float x)
{
  m.at[i * m.cols + j] += x;
}

typedef struct
{
  float x, y;
} pair;

static inline float
moved (pair p)
{
  p.x += 1;
  p.y *= p.x;
  return p.y;
}

static NOINLINE void
plain_both (matrix a, matrix b, matrix c)
{
  for (int i = 0; i < c.rows; i++)
    for (int j = 0; j < c.cols; j++)
      {
        float sum = 0;
        for (int k = 0; k < a.cols; k++)
          sum += get (a, i, k) * get (b, k, j);
        add (c, i, j, sum);
      }
}

static NOINLINE void
plain_pairs (int n, const float *a, const float *b, float *c)
{
  for (int i = 0; i < n; i++)
    {
      pair p = { a[i], b[i] };
      float y = moved (p);
      c[i] = y + p.x;
      p.y = c[i];
      c[i] += moved (p);
    }
}

static NOINLINE void
both (matrix a, matrix b, matrix c)
{
#pragma tensor
  for (int i = 0; i < c.rows; i++)
    for (int j = 0; j < c.cols; j++)
      {
        float sum = 0;
        for (int k = 0; k < a.cols; k++)
          sum += get (a, i, k) * get (b, k, j);
        add (c, i, j, sum);
      }
}

static NOINLINE void
pairs (int n, const float *a, const float *b, float *c)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      pair p = { a[i], b[i] };
      float y = moved (p);
      c[i] = y + p.x;
      p.y = c[i];
      c[i] += moved (p);
    }
}

static float a[2][AREA], b[2][AREA], c[2][AREA];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (a);
    FILL (b);
    FILL (c);
    matrix x[2] = { { n, n, a[0] }, { n, n, a[1] } };
    matrix y[2] = { { n, n, b[0] }, { n, n, b[1] } };
    matrix z[2] = { { n, n, c[0] }, { n, n, c[1] } };
    BOTH (both, x[W], y[W], z[W]);
    CHECK (c);
    BOTH (pairs, n, a[W], b[W], c[W]);
    CHECK (c);
  }
  return 0;
}
