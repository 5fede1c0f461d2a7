/* Shows gradients of windows that hang over a border, where conditions leave
   taps out: flat images and images of several channels, rows that are longer,
   filters that look back, and what a condition about data leaves as it is.  */

#include "check.h"

static void
convolve (int m, const real *x, const real *w, real *y)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      {
        real s = 0;
        for (int u = 0; u < 3; u++)
          for (int v = 0; v < 3; v++)
            {
              int r = i + u - 1;
              int c = j + v - 1;
              if (r < 0 || c < 0 || r >= m || c >= m)
                continue;
              s += x[r * m + c] * w[u * 3 + v];
            }
        y[i * m + j] = s;
      }
}

#pragma tensor gradient(convolve) of(y                                         \
                                     : dy) wrt(x                               \
                                               : dx, w                         \
                                               : dw)
void convolve_gradient (int m, const real *x, const real *w, const real *dy,
                        real *dx, real *dw);

static void
channels (int m, const real *x, const real *w, real *y)
{
  for (int f = 0; f < 2; f++)
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++)
        {
          y[(f * m + i) * m + j] = 0;
          for (int c = 0; c < 2; c++)
            for (int u = -1; u <= 1; u++)
              for (int v = -1; v <= 1; v++)
                if (i + u >= 0 && i + u < m && j + v >= 0 && j + v < m)
                  y[(f * m + i) * m + j]
                    += x[(c * m + i + u) * (m + 2) + j + v]
                       * w[((f * 2 + c) * 3 + u + 1) * 3 + v + 1];
        }
}

#pragma tensor gradient(channels) of(y : dy) wrt(x : dx, w : dw)
void channels_gradient (int m, const real *restrict x, const real *restrict w,
                        const real *restrict dy, real *restrict dx,
                        real *restrict dw);

static void
look_back (int m, const real *x, const real *w, real *y)
{
  for (int t = 0; t < m; t++)
    for (int c = 0; c < m; c++)
      {
        real s = 0;
        for (int k = 0; k < 4; k++)
          if (t >= k)
            s += x[(t - k) * m + c] * w[k * m + c];
        y[t * m + c] = s / (1 + exp (-s));
      }
}

#pragma tensor gradient(look_back) of(y : dy) wrt(x : dx, w : dw)
void look_back_gradient (int m, const real *x, const real *w, const real *dy,
                         real *dx, real *dw);

static void
chosen (int m, const real *x, const real *w, real *y)
{
  for (int i = 0; i < m; i++)
    {
      y[i] = 0;
      for (int u = 0; u < 3; u++)
        if (i + u - 1 >= 0 && i + u - 1 < m && w[i] > 0.5)
          y[i] += x[i + u - 1] * x[i + u - 1] * w[i];
    }
}

#pragma tensor gradient(chosen) of(y : dy) wrt(x : dx, w : dw)
void chosen_gradient (int m, const real *x, const real *w, const real *dy,
                      real *dx, real *dw);

#define KERNEL(F)                                                              \
  static void kernel_##F (values at, real *out)                                \
  {                                                                            \
    F (n, at[0], at[1], out);                                                  \
  }                                                                            \
  static void check_##F (void)                                                 \
  {                                                                            \
    F##_gradient (n, a[0], a[1], u, g[0], g[1]);                               \
    agree (#F, kernel_##F, 0);                                                 \
    agree (#F, kernel_##F, 1);                                                 \
  }

KERNEL (convolve)
KERNEL (channels)
KERNEL (look_back)
KERNEL (chosen)

int
main (void)
{
  static void (*const checks[]) (void)
    = { check_convolve, check_channels, check_look_back, check_chosen };
  for (int k = 0; k < 5; k++)
    for (int c = 0; c < 4; c++)
      {
        start (sizes[k]);
        checks[c]();
      }
  return faults > 0;
}
