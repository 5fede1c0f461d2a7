/* What the loops by hand share.  */

#ifndef BENCH_TENSORS_HAND_H
#define BENCH_TENSORS_HAND_H

#include "tensors.h"

#include <math.h>
#include <string.h>

/* Extent K of input I.  */
#define EXTENT(I, K) a->extent[I][K]

/* n and m, rows and columns of input 0.  */
#define SIZES int64_t n = EXTENT (0, 0), m = EXTENT (0, 1)

/* All N of X are 0.  */
static inline void
clear (float *x, int64_t n)
{
  memset (x, 0, (size_t) n * sizeof *x);
}

/* y = softmax x of N; the sum of the exponentials of x - *MOST.  */
static inline float
softmax (int64_t n, const float *x, float *y, float *most)
{
  float high = x[0], sum = 0;
  for (int64_t j = 1; j < n; j++)
    high = x[j] > high ? x[j] : high;
  for (int64_t j = 0; j < n; j++)
    sum += y[j] = expf (x[j] - high);
  for (int64_t j = 0; j < n; j++)
    y[j] /= sum;
  *most = high;
  return sum;
}

/* dx = the gradient of x, when y = softmax x of N, and DY that of y.  */
static inline void
softmax_back (int64_t n, const float *y, const float *dy, float *dx)
{
  float sum = 0;
  for (int64_t j = 0; j < n; j++)
    sum += y[j] * dy[j];
  for (int64_t j = 0; j < n; j++)
    dx[j] = y[j] * (dy[j] - sum);
}

#endif
