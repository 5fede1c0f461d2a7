/* Shows gradients over blocks whose size is known at run time: a normalisation
   over groups of channels, sums over heads, in blocks from the end too.  */

#include "check.h"

static void
normalise (int b, int c, int groups, int l, real *restrict out,
           const real *restrict x, const real *restrict gain)
{
  int size = c / groups;
  for (int i = 0; i < b; i++)
    for (int g = 0; g < groups; g++)
      {
        real sum = 0, squares = 0;
        for (int k = g * size; k < (g + 1) * size; k++)
          for (int j = 0; j < l; j++)
            {
              real v = x[(i * c + k) * l + j];
              sum += v;
              squares += v * v;
            }
        real mean = sum / (size * l);
        real scale = 1 / sqrt (squares / (size * l) - mean * mean + 0.1);
        for (int k = g * size; k < g * size + size; k++)
          for (int j = 0; j < l; j++)
            out[(i * c + k) * l + j]
              = (x[(i * c + k) * l + j] - mean) * scale * gain[k];
      }
}

#pragma tensor gradient(normalise) of(out: dout) wrt(x: dx, gain: dgain)
void normalise_gradient (int b, int c, int groups, int l, real *restrict dout,
                         const real *restrict x, const real *restrict gain,
                         real *restrict dx, real *restrict dgain);

static void
heads (int t, int n, int size, const real *x, const real *y, real *out)
{
  for (int i = 0; i < t; i++)
    for (int h = n - 1; h >= 0; h--)
      {
        real dot = 0;
        for (int k = h * size; k < h * size + size; k++)
          dot += x[i * n * size + k] * y[k];
        for (int k = (h + 1) * size - 1; k >= h * size; k--)
          out[i * n * size + k] = dot * x[i * n * size + k];
      }
}

#pragma tensor gradient(heads) of(out: dout) wrt(x: dx, y: dy)
void heads_gradient (int t, int n, int size, const real *x, const real *y,
                     real *dout, real *dx, real *dy);

static int groups, size;

static void
normalise_kernel (values at, real *out)
{
  normalise (3, groups * size, groups, n, out, at[0], at[1]);
}

static void
heads_kernel (values at, real *out)
{
  heads (n, groups, size, at[0], at[1], out);
}

int
main (void)
{
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (groups = 1; groups < 5; groups++)
      for (size = 1; size < 6; size += 2)
        {
          static real seeds[ROOM];
          start (sizes[s]);
          memcpy (seeds, u, sizeof u);
          normalise_gradient (3, groups * size, groups, n, seeds, a[0], a[1],
                              g[0], g[1]);
          agree ("normalise, x", normalise_kernel, 0);
          agree ("normalise, gain", normalise_kernel, 1);
          start (sizes[s]);
          memcpy (seeds, u, sizeof u);
          heads_gradient (n, groups, size, a[0], a[1], seeds, g[0], g[1]);
          agree ("heads, x", heads_kernel, 0);
          agree ("heads, y", heads_kernel, 1);
        }
  return faults != 0;
}
