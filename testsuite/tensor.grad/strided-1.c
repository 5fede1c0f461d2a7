/* Shows the gradient of a convolution whose stride and padding are known at run
   time: sizes are quotients by what may be 0, conditions keep to the picture,
   and nobody says that arrays do not overlap.  */

/* { dg-additional-options "-fopenmp" } */

#include "check.h"

static int step, padding;

enum
{
  CHANNELS = 2,
  SIDE = 3
};

static int
size_of (int size)
{
  return size + 2 * padding < SIDE ? 0 : (size + 2 * padding - SIDE) / step + 1;
}

#define CONVOLVE(QUALIFIER, NAME)                                              \
  static void NAME (int h, int w, int s, int p, real *QUALIFIER y,             \
                    const real *QUALIFIER x, const real *QUALIFIER k)          \
  {                                                                            \
    int oh = (h + 2 * p - SIDE) / s + 1, ow = (w + 2 * p - SIDE) / s + 1;      \
    for (int i = 0; i < oh; i++)                                               \
      for (int j = 0; j < ow; j++)                                             \
        {                                                                      \
          real sum = 0;                                                        \
          for (int c = 0; c < CHANNELS; c++)                                   \
            for (int a = 0; a < SIDE; a++)                                     \
              for (int b = 0; b < SIDE; b++)                                   \
                {                                                              \
                  int at = i * s + a - p, to = j * s + b - p;                  \
                  if (at >= 0 && at < h && to >= 0 && to < w)                  \
                    sum += x[(c * h + at) * w + to]                            \
                           * k[(c * SIDE + a) * SIDE + b];                     \
                }                                                              \
          y[i * ow + j] = sum > 1 ? sum : 0.1 * sum * sum;                     \
        }                                                                      \
  }

CONVOLVE (restrict, convolve)
CONVOLVE (, convolve_any)

#pragma tensor gradient(convolve) of(y: dy) wrt(x: dx, k: dk)
void convolve_gradient (int h, int w, int s, int p, real *restrict dy,
                        const real *restrict x, const real *restrict k,
                        real *restrict dx, real *restrict dk);
#pragma tensor gradient(convolve_any) of(y: dy) wrt(x: dx, k: dk)
void convolve_any_gradient (int h, int w, int s, int p, real *dy, const real *x,
                            const real *k, real *dx, real *dk);

static void
kernel_of (values at, real *out)
{
  if (size_of (n) && size_of (n + 2))
    convolve (n, n + 2, step, padding, out, at[0], at[1]);
}

static void
try (const char *name,
     void gradient (int, int, int, int, real *, const real *, const real *,
                    real *, real *))
{
  static real seeds[ROOM];
  memcpy (seeds, u, sizeof u);
  gradient (n, n + 2, step, padding, seeds, a[0], a[1], g[0], g[1]);
  agree (name, kernel_of, 0);
  agree (name, kernel_of, 1);
}

int
main (void)
{
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (step = 1; step < 4; step++)
      for (padding = 0; padding < 3; padding++)
        {
          if (sizes[s] + 2 * padding < SIDE)
            continue;
          start (sizes[s]);
          try ("restrict", convolve_gradient);
          start (sizes[s]);
          try ("any", convolve_any_gradient);
        }
  return faults != 0;
}
