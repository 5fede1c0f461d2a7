/* Steps of optimisers, as loops by hand, for gcc -O3 -march=native -ffast-math.
   One thread.  */

#include "tensors-hand.h"

#define RATE 1e-4f

void
bench_sgd (int64_t n, float *restrict w, const float *restrict g)
{
  for (int64_t i = 0; i < n; i++)
    w[i] -= RATE * g[i];
}

void
bench_momentum (int64_t n, float *restrict w, const float *restrict g,
                float *restrict m)
{
  for (int64_t i = 0; i < n; i++)
    {
      m[i] = .9f * m[i] + g[i];
      w[i] -= RATE * m[i];
    }
}

void
bench_adamw (int64_t n, float *restrict w, const float *restrict g,
             float *restrict m, float *restrict s, int step)
{
  float rate = RATE / (1 - powf (.9f, (float) step));
  float root = 1 / sqrtf (1 - powf (.999f, (float) step));
  for (int64_t i = 0; i < n; i++)
    {
      m[i] += .1f * (g[i] - m[i]);
      s[i] += .001f * (g[i] * g[i] - s[i]);
      w[i] -= RATE * .01f * w[i] + rate * m[i] / (sqrtf (s[i]) * root + 1e-8f);
    }
}
