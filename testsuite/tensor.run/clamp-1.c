/* Shows subscripts that are kept inside by choices, whose extents are tested at
   run time: windows of an image at its edges, in images beside each other, that
   overlap or are one.  */

#include "compare.h"

static NOINLINE void
plain_window (int *x, int *weight, int *y, int h, int w, int r)
{
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++)
      {
        int sum = 0;
        for (int a = -r; a <= r; a++)
          for (int b = -r; b <= r; b++)
            {
              int p = i + a, q = j + b;
              if (p < 0)
                p = 0;
              if (p >= h)
                p = h - 1;
              q = q < 0 ? 0 : q > w - 1 ? w - 1 : q;
              sum += x[p * w + q] * weight[(a + r) * (2 * r + 1) + b + r];
            }
        y[i * w + j] = sum;
      }
}

static NOINLINE void
plain_shifted (int *x, int *y, int n, int by)
{
  for (int i = 0; i < n; i++)
    {
      int from = i + by;
      if (from <= -1)
        from = 0;
      if (n <= from)
        from = n - 1;
      y[i] = 2 * y[i] + x[from];
    }
}

static NOINLINE void
window (int *x, int *weight, int *y, int h, int w, int r)
{
#pragma tensor
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++)
      {
        int sum = 0;
        for (int a = -r; a <= r; a++)
          for (int b = -r; b <= r; b++)
            {
              int p = i + a, q = j + b;
              if (p < 0)
                p = 0;
              if (p >= h)
                p = h - 1;
              q = q < 0 ? 0 : q > w - 1 ? w - 1 : q;
              sum += x[p * w + q] * weight[(a + r) * (2 * r + 1) + b + r];
            }
        y[i * w + j] = sum;
      }
}

static NOINLINE void
shifted (int *x, int *y, int n, int by)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      int from = i + by;
      if (from <= -1)
        from = 0;
      if (n <= from)
        from = n - 1;
      y[i] = 2 * y[i] + x[from];
    }
}

static int x[2][3 * AREA], weight[2][49];

int
main (void)
{
  FILL (weight);
  EACH_SMALL (h)
  EACH_SMALL_TOO (w)
  for (int r = 0; r < 4; r++)
    for (size_t apart = 0; apart <= h * w; apart += h * w / 3 + 1)
      {
        size_t to = apart > h * w / 2 ? h * w : apart;
        FILL (x);
        BOTH (window, x[W], weight[W], x[W] + to, (int) h, (int) w, r);
        CHECK (x);
        BOTH (shifted, x[W], x[W] + to, (int) (h * w), r * 5 - 8);
        CHECK (x);
      }
  return 0;
}
