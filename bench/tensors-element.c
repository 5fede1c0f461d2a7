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

/* Four random words for COUNTER, of Philox 4x32-10 with key 1.  */
static inline void
draw (uint32_t counter, uint32_t word[4])
{
  uint32_t a = counter, b = 0, c = 0, d = 0, left = 1, right = 0;
  for (int round = 0; round < 10; round++)
    {
      uint64_t p = (uint64_t) a * 0xd2511f53, q = (uint64_t) c * 0xcd9e8d57;
      a = (uint32_t) (q >> 32) ^ b ^ left;
      c = (uint32_t) (p >> 32) ^ d ^ right;
      b = (uint32_t) q;
      d = (uint32_t) p;
      left += 0x9e3779b9;
      right += 0xbb67ae85;
    }
  word[0] = a;
  word[1] = b;
  word[2] = c;
  word[3] = d;
}

/* TO is FROM where a word is not below .1, divided by .9; a quarter of each is
   decided by the words of a number.  */
static void
drop (int64_t n, const float *from, float *restrict to)
{
  for (int64_t i = 0; i < n / 4; i++)
    {
      uint32_t word[4];
      draw ((uint32_t) i, word);
      for (int64_t k = 0; k < 4; k++)
        to[k * (n / 4) + i] = word[k] >> 8 < (uint32_t) (.1 * 0x1p24 + .5)
                                ? 0
                                : from[k * (n / 4) + i] / .9f;
    }
}

void
bench_dropout (const bench_arrays *a)
{
  drop (EXTENT (0, 0), a->in[0], a->out);
}

void
bench_dropout_both (const bench_arrays *a)
{
  bench_dropout (a);
  drop (EXTENT (0, 0), a->seed, a->gain[0]);
}
