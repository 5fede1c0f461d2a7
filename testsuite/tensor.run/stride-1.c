/* Shows that loops over elements that lie apart mean the same for any stride,
   1, 0 and backwards among them, with one stride or several, in sums, and where
   the arrays overlap.  */

#include "compare.h"

typedef struct vector
{
  size_t size, stride;
  double *data;
} vector;

#define ADD                                                                    \
  for (int i = 0; i < n; i++)                                                  \
    y[i * incy] += 3 * x[i * incx];

#define ADD_ON                                                                 \
  {                                                                            \
    int at = incx > 0 ? 0 : (1 - n) * incx,                                    \
        to = incy > 0 ? 0 : (1 - n) * incy;                                    \
    for (int i = 0; i < n; i++)                                                \
      {                                                                        \
        y[to] += x[at];                                                        \
        at += incx;                                                            \
        to += incy;                                                            \
      }                                                                        \
  }

#define SCALE                                                                  \
  for (int i = 0; i < n * incx; i += incx)                                     \
    x[i] = x[i] * 3 - i;

#define SUM                                                                    \
  for (size_t i = 0; i < a->size; i++)                                         \
    sum += a->data[i * a->stride] * b->data[i * b->stride];

static NOINLINE void
plain_add (int n, const float *x, int incx, float *y, int incy)
{
  ADD
}

static NOINLINE void
add (int n, const float *x, int incx, float *y, int incy)
{
#pragma tensor
  ADD
}

static NOINLINE void
plain_add_on (int n, const double *x, int incx, double *y, int incy) ADD_ON

  static NOINLINE
  void add_on (int n, const double *x, int incx, double *y, int incy)
{
#pragma tensor
  {
    ADD_ON
  }
}

static NOINLINE void
plain_scale (int n, int *x, int incx)
{
  SCALE
}

static NOINLINE void
scale (int n, int *x, int incx)
{
#pragma tensor
  SCALE
}

static NOINLINE void
plain_sum (const vector *a, const vector *b, double *out)
{
  double sum = 0;
  SUM *out = sum;
}

static NOINLINE void
sum (const vector *a, const vector *b, double *out)
{
  double sum = 0;
#pragma tensor
  SUM *out = sum;
}

static float x[2][4 * MOST], y[2][4 * MOST];
static double u[2][4 * MOST], v[2][4 * MOST];
static int w[2][4 * MOST];
static double out[2][1];

static void
try (int n, int incx, int incy)
{
  int ox = incx < 0 ? -incx * n : 0, oy = incy < 0 ? -incy * n : 0;
  size_t sx = (size_t) (incx < 0 ? -incx : incx), sy = 1 + sx % 3;
  BOTH (add, n, x[W] + ox, incx, y[W] + oy, incy);
  CHECK (y);
  BOTH (add, n, y[W] + ox, incx, y[W] + oy, incy);
  CHECK (y);
  FILL (y);
  BOTH (add_on, n, u[W], incx, v[W], incy);
  CHECK (v);
  BOTH (sum, &((vector){ n, sx, u[W] }), &((vector){ n, sy, v[W] }), out[W]);
  CHECK (out);
  FILL (v);
  if (incx > 0)
    BOTH (scale, n, w[W], incx);
  CHECK (w);
  FILL (w);
}

int
main (void)
{
  FILL (x);
  FILL (y);
  FILL (u);
  FILL (v);
  FILL (w);
  for (size_t n = 0; n < LENGTH (sizes); n++)
    for (int incx = -3; incx <= 3; incx++)
      for (int incy = -3; incy <= 3; incy++)
        {
          current[0] = sizes[n];
          current[1] = 10 * incx + incy;
          try (sizes[n], incx, incy);
        }
  return 0;
}
