/* Shows that products that share loops, and what they hand to each other, mean
   the same in nests of their own: with cells that one makes for others, below
   other loops, in triangles, and in the order of the sums.  */

#include "compare.h"

#define GRADIENTS                                                              \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m; j++)                                                \
      for (int k = 0; k < l; k++)                                              \
        {                                                                      \
          dx[i * l + k] += dy[i * m + j] * w[k * m + j];                       \
          dw[k * m + j] += dy[i * m + j] * x[i * l + k];                       \
        }

#define LAYER                                                                  \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m; j++)                                                \
      {                                                                        \
        float s = b[j];                                                        \
        for (int k = 0; k < l; k++)                                            \
          s += x[i * l + k] * w[j * l + k];                                    \
        float t = s > 0 ? s : 0, g = dy[i * m + j] * (t > 3 ? 2 : 1);          \
        db[j] += g;                                                            \
        for (int k = 0; k < l; k++)                                            \
          {                                                                    \
            dx[i * l + k] += g * w[j * l + k];                                 \
            dw[j * l + k] += g * x[i * l + k];                                 \
          }                                                                    \
      }

#define TRIANGLE                                                               \
  for (int h = 0; h < 2; h++)                                                  \
    for (int i = 0; i < n; i++)                                                \
      for (int j = 0; j <= i; j++)                                             \
        {                                                                      \
          int s = 0;                                                           \
          for (int k = 0; k < l; k++)                                          \
            s += x[h][i][k] * w[h][j][k];                                      \
          for (int k = 0; k < l; k++)                                          \
            {                                                                  \
              dx[h][i][k] += s * w[h][j][k];                                   \
              dw[h][j][k] += s * x[h][i][k];                                   \
            }                                                                  \
        }

#define OF_FLOATS                                                              \
  int n, int m, int l, float *restrict dx, float *restrict dw,                 \
    const float *restrict dy, const float *restrict w, const float *restrict x

#define OF_INTS                                                                \
  int n, int l, int dx[restrict 2][MOST][MOST],                                \
    int dw[restrict 2][MOST][MOST], int w[restrict 2][MOST][MOST],             \
    int x[restrict 2][MOST][MOST]

static NOINLINE void
plain_gradients (OF_FLOATS)
{
  GRADIENTS
}

static NOINLINE void
gradients (OF_FLOATS)
{
#pragma tensor fp(reassoc)
  GRADIENTS
}

static NOINLINE void
plain_in_order (OF_FLOATS)
{
  GRADIENTS
}

static NOINLINE void
in_order (OF_FLOATS)
{
#pragma tensor fp(strict)
  GRADIENTS
}

static NOINLINE void
plain_layer (OF_FLOATS, float *restrict db, const float *restrict b)
{
  LAYER
}

static NOINLINE void
layer (OF_FLOATS, float *restrict db, const float *restrict b)
{
#pragma tensor fp(reassoc)
  LAYER
}

static NOINLINE void
plain_triangle (OF_INTS)
{
  TRIANGLE
}

static NOINLINE void
triangle (OF_INTS)
{
#pragma tensor
  TRIANGLE
}

static float a[2][AREA], b[2][AREA], c[2][AREA], d[2][AREA], e[2][AREA];
static float f[2][MOST], g[2][MOST];
static int p[2][2][MOST][MOST], q[2][2][MOST][MOST];
static int r[2][2][MOST][MOST], s[2][2][MOST][MOST];

static const int lengths[] = { 0, 1, 2, 13, 37, 65 };

/* The same values in both of ARRAY, of SIZE whole numbers.  */
static void
fill_ints (int *array, size_t size)
{
  for (size_t k = 0; k < size; k++)
    array[k] = array[k + size] = (int) (next () % 15) - 7;
}

/* All kernels for these sizes.  */
static void
check (int n, int m, int l)
{
  size_t size = sizeof p[0] / sizeof (int);
  FILL (a);
  FILL (b);
  FILL (c);
  FILL (d);
  FILL (e);
  FILL (f);
  FILL (g);
  BOTH (gradients, n, m, l, a[W], b[W], c[W], d[W], e[W]);
  CHECK (a);
  CHECK (b);
  BOTH (in_order, n, m, l, a[W], b[W], c[W], d[W], e[W]);
  CHECK (a);
  CHECK (b);
  FILL (a);
  FILL (b);
  BOTH (layer, n, m, l, a[W], b[W], c[W], d[W], e[W], f[W], g[W]);
  CHECK (a);
  CHECK (b);
  CHECK (f);
  fill_ints (&p[0][0][0][0], size);
  fill_ints (&q[0][0][0][0], size);
  fill_ints (&r[0][0][0][0], size);
  fill_ints (&s[0][0][0][0], size);
  BOTH (triangle, n, l, p[W], q[W], r[W], s[W]);
  if (memcmp (p[0], p[1], sizeof p[0]) || memcmp (q[0], q[1], sizeof q[0]))
    differ ("triangle", 0, 0, 1);
}

int
main (void)
{
  for (size_t i = 0; i < LENGTH (lengths); i++)
    for (size_t j = 0; j < LENGTH (lengths); j++)
      for (size_t k = 0; k < LENGTH (lengths); k++)
        {
          current[0] = lengths[i];
          current[1] = lengths[j];
          check (lengths[i], lengths[j], lengths[k]);
        }
  return 0;
}
