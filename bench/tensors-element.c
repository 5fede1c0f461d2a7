/* Operations element by element, as loops by hand, and their gradients, for
   gcc -O3 -march=native -ffast-math: the rows of tensors-rows.def, and what
   is alone of its kind.  One thread.  */

#include "tensors-hand.h"

/* 1 / (1 + exp (-v)).  */
static inline float
logistic (float v)
{
  return 1 / (1 + expf (-v));
}

/* The tanh in GELU's first form, and the derivative of what it is of.  */
static inline float
bend (float v)
{
  return tanhf (.79788456f * (v + .044715f * v * v * v));
}

static inline float
bend_slope (float v)
{
  return .79788456f * (1 + 3 * .044715f * v * v);
}

#define UNARY(name, call, least, value, slope)                                 \
  void bench_##name (const bench_arrays *a)                                    \
  {                                                                            \
    const float *x = a->in[0];                                                 \
    float *restrict out = a->out;                                              \
    for (int64_t i = 0; i < EXTENT (0, 0); i++)                                \
      {                                                                        \
        float v = x[i];                                                        \
        out[i] = value;                                                        \
      }                                                                        \
  }                                                                            \
  void bench_##name##_both (const bench_arrays *a)                             \
  {                                                                            \
    const float *x = a->in[0], *out = a->out, *seed = a->seed;                 \
    float *restrict dx = a->gain[0];                                           \
    bench_##name (a);                                                          \
    for (int64_t i = 0; i < EXTENT (0, 0); i++)                                \
      {                                                                        \
        float v = x[i], y = out[i], g = seed[i];                               \
        (void) v;                                                              \
        (void) y;                                                              \
        dx[i] = slope;                                                         \
      }                                                                        \
  }
#define BINARY(name, least, value, slope_a, slope_b)                           \
  void bench_##name (const bench_arrays *a)                                    \
  {                                                                            \
    const float *x = a->in[0], *z = a->in[1];                                  \
    float *restrict out = a->out;                                              \
    for (int64_t i = 0; i < EXTENT (0, 0); i++)                                \
      {                                                                        \
        float v = x[i], w = z[i];                                              \
        out[i] = value;                                                        \
      }                                                                        \
  }                                                                            \
  void bench_##name##_both (const bench_arrays *a)                             \
  {                                                                            \
    const float *x = a->in[0], *z = a->in[1], *out = a->out;                   \
    const float *seed = a->seed;                                               \
    float *restrict dx = a->gain[0], *restrict dz = a->gain[1];                \
    bench_##name (a);                                                          \
    for (int64_t i = 0; i < EXTENT (0, 0); i++)                                \
      {                                                                        \
        float v = x[i], w = z[i], y = out[i], g = seed[i];                     \
        (void) v;                                                              \
        (void) w;                                                              \
        (void) y;                                                              \
        dx[i] = slope_a;                                                       \
        dz[i] = slope_b;                                                       \
      }                                                                        \
  }
#define TRUTH_OF(name, type, of, value)                                        \
  void bench_##name (const bench_arrays *a)                                    \
  {                                                                            \
    const type *x = a->of[0], *z = a->of[1];                                   \
    uint8_t *restrict out = (uint8_t *) a->out;                                \
    for (int64_t i = 0; i < EXTENT (0, 0); i++)                                \
      {                                                                        \
        type v = x[i], w = z[i];                                               \
        out[i] = value;                                                        \
      }                                                                        \
  }
#define COMPARE(name, value) TRUTH_OF (name, float, in, value)
#define LOGIC(name, value)   TRUTH_OF (name, uint8_t, truth, value)
#include "tensors-rows.def"

void
bench_not (const bench_arrays *a)
{
  const uint8_t *x = a->truth[0];
  uint8_t *restrict out = (uint8_t *) a->out;
  for (int64_t i = 0; i < EXTENT (0, 0); i++)
    out[i] = !x[i];
}

void
bench_where (const bench_arrays *a)
{
  const float *x = a->in[1], *z = a->in[2];
  float *restrict out = a->out;
  for (int64_t i = 0; i < EXTENT (0, 0); i++)
    out[i] = a->truth[0][i] ? x[i] : z[i];
}

void
bench_where_both (const bench_arrays *a)
{
  const float *seed = a->seed;
  float *restrict dx = a->gain[1], *restrict dz = a->gain[2];
  bench_where (a);
  for (int64_t i = 0; i < EXTENT (0, 0); i++)
    {
      dx[i] = a->truth[0][i] ? seed[i] : 0;
      dz[i] = a->truth[0][i] ? 0 : seed[i];
    }
}

void
bench_mse (const bench_arrays *a)
{
  const float *x = a->in[0], *z = a->in[1];
  float sum = 0;
  for (int64_t i = 0; i < EXTENT (0, 0); i++)
    sum += (x[i] - z[i]) * (x[i] - z[i]);
  a->out[0] = sum / (float) EXTENT (0, 0);
}

void
bench_mse_both (const bench_arrays *a)
{
  const float *x = a->in[0], *z = a->in[1];
  float *restrict dx = a->gain[0], *restrict dz = a->gain[1];
  float part = 2 * a->seed[0] / (float) EXTENT (0, 0);
  bench_mse (a);
  for (int64_t i = 0; i < EXTENT (0, 0); i++)
    {
      dx[i] = part * (x[i] - z[i]);
      dz[i] = -dx[i];
    }
}
