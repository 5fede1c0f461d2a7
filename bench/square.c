/* Ten squarings, as ten nests; by hand, one.  */

#include "bench.h"

BENCH_ALONE static void
square (int n, float *restrict x)
{
#pragma tensor name("square")
  {
    for (int i = 0; i < n; i++)
      x[i] = x[i] * x[i];
    for (int i = 0; i < n; i++)
      x[i] = x[i] * x[i];
    for (int i = 0; i < n; i++)
      x[i] = x[i] * x[i];
    for (int i = 0; i < n; i++)
      x[i] = x[i] * x[i];
    for (int i = 0; i < n; i++)
      x[i] = x[i] * x[i];
    for (int i = 0; i < n; i++)
      x[i] = x[i] * x[i];
    for (int i = 0; i < n; i++)
      x[i] = x[i] * x[i];
    for (int i = 0; i < n; i++)
      x[i] = x[i] * x[i];
    for (int i = 0; i < n; i++)
      x[i] = x[i] * x[i];
    for (int i = 0; i < n; i++)
      x[i] = x[i] * x[i];
  }
}

BENCH_ALONE static void
square_once (int n, float *restrict x)
{
  for (int i = 0; i < n; i++)
    {
      float v = x[i];
      for (int t = 0; t < 10; t++)
        v *= v;
      x[i] = v;
    }
}

static void
run_many (float *const *a)
{
  square (bench_hide (32 << 20), a[0]);
}

static void
hand_many (float *const *a)
{
  square_once (bench_hide (32 << 20), a[0]);
}

/* Another five elements in each call: ten squarings of the same ones, call
   after call, take what ten multiplications in a row take, whatever a call
   costs.  */
static float *
other_five (float *const *a)
{
  static unsigned turn;
  return a[0] + 16 * (turn++ % 4);
}

static void
run_five (float *const *a)
{
  square (bench_hide (5), other_five (a));
}

static void
hand_five (float *const *a)
{
  square_once (bench_hide (5), other_five (a));
}

/* All ones: what is squared again and again stays a usual number.  */
const bench_kernel bench_kernels[] = {
  { .name = "square, 32 Mi",
    .length = { 32 << 20 },
    .low = 1,
    .high = 1,
    .run = run_many,
    .hand = hand_many,
    .goal = { { BENCH_UNFUSED, 1, 4.5 }, { BENCH_HAND, 1, 0.9 } } },
  { .name = "square, 5",
    .length = { 64 },
    .low = 1,
    .high = 1,
    .most_ns = 15,
    .run = run_five,
    .hand = hand_five },
  { .name = 0 },
};
