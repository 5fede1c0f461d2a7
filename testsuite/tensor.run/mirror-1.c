/* Shows flat arrays that are walked from the end: an image that is turned by a
   quarter or half, a kernel of a convolution from its last element to its first,
   three dimensions in the other order.  */

#include "compare.h"

static NOINLINE void
plain_quarter (unsigned *x, unsigned *y, int h, int w)
{
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++)
      y[j * h + (h - 1 - i)] += x[i * w + j];
}

static NOINLINE void
plain_half (unsigned *x, unsigned *y, int h, int w)
{
  for (int i = 1; i <= h; i++)
    for (int j = 0; j < w; j++)
      y[(h - i) * w + w - 1 - j] += x[(i - 1) * w + j];
}

static NOINLINE void
plain_convolve (int *x, int *kernel, int *y, int n, int size)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        int sum = 0;
        for (int a = 0; a < size; a++)
          for (int b = 0; b < size; b++)
            sum += x[(i + a) * (n + size - 1) + j + b]
                   * kernel[(size - 1 - a) * size + size - 1 - b];
        y[i * n + j] = sum;
      }
}

static NOINLINE void
plain_inside_out (int *x, int *y, int l, int m, int n)
{
  for (int i = 0; i < l; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < n; k++)
        y[((n - 1 - k) * m + m - 1 - j) * l + l - 1 - i]
          -= x[(i * m + j) * n + k];
}

static NOINLINE void
quarter (unsigned *x, unsigned *y, int h, int w)
{
#pragma tensor
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++)
      y[j * h + (h - 1 - i)] += x[i * w + j];
}

static NOINLINE void
half (unsigned *x, unsigned *y, int h, int w)
{
#pragma tensor
  for (int i = 1; i <= h; i++)
    for (int j = 0; j < w; j++)
      y[(h - i) * w + w - 1 - j] += x[(i - 1) * w + j];
}

static NOINLINE void
convolve (int *x, int *kernel, int *y, int n, int size)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        int sum = 0;
        for (int a = 0; a < size; a++)
          for (int b = 0; b < size; b++)
            sum += x[(i + a) * (n + size - 1) + j + b]
                   * kernel[(size - 1 - a) * size + size - 1 - b];
        y[i * n + j] = sum;
      }
}

static NOINLINE void
inside_out (int *x, int *y, int l, int m, int n)
{
#pragma tensor
  for (int i = 0; i < l; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < n; k++)
        y[((n - 1 - k) * m + m - 1 - j) * l + l - 1 - i]
          -= x[(i * m + j) * n + k];
}

static unsigned u[2][AREA], v[2][AREA];
static int x[2][3 * AREA], y[2][AREA], kernel[2][49];

int
main (void)
{
  FILL (kernel);
  EACH_SIZE (h)
  EACH_WIDTH (w)
  {
    FILL (u);
    FILL (v);
    BOTH (quarter, u[W], v[W], (int) h, (int) w);
    CHECK (v);
    BOTH (half, u[W], v[W], (int) h, (int) w);
    CHECK (v);
  }
  EACH_SMALL (n)
  for (int size = 0; size < 8; size++)
    {
      FILL (x);
      FILL (y);
      BOTH (convolve, x[W], kernel[W], y[W], (int) n, size);
      BOTH (inside_out, x[W], y[W], size, (int) n, 11);
      CHECK (y);
    }
  return 0;
}
