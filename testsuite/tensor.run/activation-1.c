/* Shows that activations of neural networks mean the same but for rounding.  */

#include "compare.h"

static NOINLINE void
plain_gelu (float *out, const float *in, int n)
{
  const float scale = sqrtf (2.0f / 3.14159265f);
  for (int i = 0; i < n; i++)
    {
      float x = in[i];
      float cube = 0.044715f * x * x * x;
      out[i] = 0.5f * x * (1.0f + tanhf (scale * (x + cube)));
    }
}

static NOINLINE void
plain_silu (float *a, const float *b, int n)
{
  for (int i = 0; i < n; i++)
    {
      float v = a[i];
      v *= (1.0f / (1.0f + expf (-v)));
      v *= b[i];
      a[i] = v;
    }
}

static NOINLINE void
plain_others (const double *x, double *y, int n)
{
  for (int i = 0; i < n; i++)
    {
      double t = x[i] * 3;
      y[i] = tanh (t) + log1p (fabs (t)) + sin (t) * cos (t);
      y[i] += erf (t) + pow (fabs (t) + 0.5, 1.5) + atan2 (t, 2) + cbrt (t);
      y[i] += floor (t) + ceil (t) + trunc (t) + round (t);
    }
}

static NOINLINE void
plain_relu (float *x, int n)
{
  for (int i = 0; i < n; i++)
    x[i] = x[i] > 0 ? x[i] : 0.01 * x[i];
}

static NOINLINE void
gelu (float *out, const float *in, int n)
{
  const float scale = sqrtf (2.0f / 3.14159265f);
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float x = in[i];
      float cube = 0.044715f * x * x * x;
      out[i] = 0.5f * x * (1.0f + tanhf (scale * (x + cube)));
    }
}

static NOINLINE void
silu (float *a, const float *b, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float v = a[i];
      v *= (1.0f / (1.0f + expf (-v)));
      v *= b[i];
      a[i] = v;
    }
}

static NOINLINE void
others (const double *x, double *y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      double t = x[i] * 3;
      y[i] = tanh (t) + log1p (fabs (t)) + sin (t) * cos (t);
      y[i] += erf (t) + pow (fabs (t) + 0.5, 1.5) + atan2 (t, 2) + cbrt (t);
      y[i] += floor (t) + ceil (t) + trunc (t) + round (t);
    }
}

static NOINLINE void
relu (float *x, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    x[i] = x[i] > 0 ? x[i] : 0.01 * x[i];
}

static float a[2][128], b[2][128];
static double d[2][128], e[2][128];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL_REAL (a);
    FILL_REAL (b);
    FILL_REAL (d);
    FILL_REAL (e);
    BOTH (gelu, b[W], a[W], n);
    CHECK_NEAR (b, 2e-6);
    BOTH (silu, a[W], b[W], n);
    CHECK_NEAR (a, 2e-6);
    BOTH (others, d[W], e[W], n);
    CHECK_NEAR (e, 1e-14);
    BOTH (relu, a[W], n);
    CHECK_NEAR (a, 2e-7);
  }
  return 0;
}
