/* Regions that memory decides: chains, rows, columns.  */

#include "cuda.h"

#include <math.h>
#include <stddef.h>

#define LONG  ((long) 1 << 27)
#define WIDTH 1024
#define WORDS 50257

static void
copy (long n, const float *restrict x, float *restrict y, double *restrict ns)
{
#pragma tensor data copyin(x [0:n]) copyout(y [0:n])
  ROUNDS (_Pragma ("tensor target(cuda)") for (long i = 0; i < n; i++) y[i]
          = x[i];)
}

static void
chain (long n, const float *restrict x, const float *restrict z,
       float *restrict y, double *restrict ns)
{
#pragma tensor data copyin(x [0:n], z [0:n]) copyout(y [0:n])
  ROUNDS (_Pragma ("tensor target(cuda)") for (long i = 0; i < n; i++) {
    float u = 0.79788f * (x[i] + 0.044715f * x[i] * x[i] * x[i]);
    y[i] = z[i] + 0.5f * x[i] * (1 + tanhf (u));
  })
}

static void
swiglu (long n, const float *restrict x, const float *restrict z,
        float *restrict y, double *restrict ns)
{
#pragma tensor data copyin(x [0:n], z [0:n]) copyout(y [0:n])
  ROUNDS (_Pragma ("tensor target(cuda)") for (long i = 0; i < n; i++) y[i]
          = x[i] / (1 + expf (-x[i])) * z[i];)
}

static void
dropout (long n, const float *restrict x, const float *restrict z,
         float *restrict y, double *restrict ns)
{
#pragma tensor data copyin(x [0:n], z [0:n]) copyout(y [0:n])
  ROUNDS (_Pragma ("tensor target(cuda)") for (long i = 0; i < n; i++) {
    unsigned h = (unsigned) i * 2654435761u;
    h = (h ^ (h >> 15)) * 2246822519u;
    h ^= h >> 13;
    y[i] = z[i] + (h < 429496729u ? 0 : x[i] * 1.1111111f);
  })
}

static void
softmax (long n, long c, const float *restrict x, float *restrict y,
         double *restrict ns)
{
#pragma tensor data copyin(x [0:n * c]) copyout(y [0:n * c])
  ROUNDS (_Pragma ("tensor target(cuda)") for (long i = 0; i < n; i++) {
    float most = x[i * c], sum = 0;
    for (long j = 1; j < c; j++)
      most = fmaxf (most, x[i * c + j]);
    for (long j = 0; j < c; j++)
      sum += y[i * c + j] = expf (x[i * c + j] - most);
    for (long j = 0; j < c; j++)
      y[i * c + j] /= sum;
  })
}

static void
norm (long n, long c, const float *restrict x, const float *restrict g,
      const float *restrict b, float *restrict y, double *restrict ns)
{
#pragma tensor data copyin(x [0:n * c], g [0:c], b [0:c]) copyout(y [0:n * c])
  ROUNDS (_Pragma ("tensor target(cuda)") for (long i = 0; i < n; i++) {
    float mean = 0, var = 0;
    for (long j = 0; j < c; j++)
      mean += x[i * c + j];
    mean /= (float) c;
    for (long j = 0; j < c; j++)
      var += (x[i * c + j] - mean) * (x[i * c + j] - mean);
    float s = 1 / sqrtf (var / (float) c + 1e-5f);
    for (long j = 0; j < c; j++)
      y[i * c + j] = (x[i * c + j] - mean) * s * g[j] + b[j];
  })
}

/* Of norm: dx, and what g and b get.  */
static void
norm_back (long n, long c, const float *restrict x, const float *restrict g,
           const float *restrict dy, float *restrict dx, float *restrict dg,
           float *restrict db, double *restrict ns)
{
#pragma tensor data copyin(x [0:n * c], g [0:c], dy [0:n * c])                 \
  copyout(dx [0:n * c], dg [0:c], db [0:c])
  ROUNDS (_Pragma ("tensor target(cuda)") {
    for (long j = 0; j < c; j++)
      dg[j] = db[j] = 0;
    for (long i = 0; i < n; i++)
      {
        float mean = 0, var = 0, p = 0, q = 0;
        for (long j = 0; j < c; j++)
          mean += x[i * c + j];
        mean /= (float) c;
        for (long j = 0; j < c; j++)
          var += (x[i * c + j] - mean) * (x[i * c + j] - mean);
        float s = 1 / sqrtf (var / (float) c + 1e-5f);
        for (long j = 0; j < c; j++)
          {
            float h = (x[i * c + j] - mean) * s;
            p += dy[i * c + j] * g[j];
            q += dy[i * c + j] * g[j] * h;
            dg[j] += dy[i * c + j] * h;
            db[j] += dy[i * c + j];
          }
        for (long j = 0; j < c; j++)
          {
            float h = (x[i * c + j] - mean) * s;
            dx[i * c + j]
              = s * (dy[i * c + j] * g[j] - (p + h * q) / (float) c);
          }
      }
  })
}

static void
whole_sum (long n, const float *restrict x, float *restrict y,
           double *restrict ns)
{
#pragma tensor data copyin(x [0:n]) copyout(y [0:1])
  ROUNDS (_Pragma ("tensor target(cuda)") {
    float s = 0;
    for (long i = 0; i < n; i++)
      s += x[i] * x[i];
    y[0] = s;
  })
}

static void
columns (long n, long c, const float *restrict x, float *restrict y,
         double *restrict ns)
{
#pragma tensor data copyin(x [0:n * c]) copyout(y [0:c])
  ROUNDS (_Pragma ("tensor target(cuda)") {
    for (long j = 0; j < c; j++)
      y[j] = 0;
    for (long i = 0; i < n; i++)
      for (long j = 0; j < c; j++)
        y[j] += x[i * c + j];
  })
}

static void
transpose (long n, const float *restrict x, float *restrict y,
           double *restrict ns)
{
#pragma tensor data copyin(x [0:n * n]) copyout(y [0:n * n])
  ROUNDS (_Pragma ("tensor target(cuda)") for (long i = 0; i < n;
                                               i++) for (long j = 0; j < n; j++)
            y[i * n + j]
          = x[j * n + i];)
}

static void
heat (long n, int steps, float *restrict x, float *restrict y,
      double *restrict ns)
{
#pragma tensor data x[0 : n *n], y[0 : n *n]
  ROUNDS (_Pragma ("tensor target(cuda)") for (int k = 0; k < steps; k++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        y[i * n + j] = 0.25f
                       * (x[(i - 1) * n + j] + x[(i + 1) * n + j]
                          + x[i * n + j - 1] + x[i * n + j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        x[i * n + j] = 0.25f
                       * (y[(i - 1) * n + j] + y[(i + 1) * n + j]
                          + y[i * n + j - 1] + y[i * n + j + 1]);
  })
}

/* Means of 25 elements of a picture of N x N.  */
static void
blur (long n, const float *restrict x, float *restrict y, double *restrict ns)
{
#pragma tensor data copyin(x [0:n * n]) copyout(y [0:n * n])
  ROUNDS (
    _Pragma ("tensor target(cuda)") for (long i = 2; i < n - 2;
                                         i++) for (long j = 2; j < n - 2; j++) {
      float s = 0;
      for (long p = -2; p <= 2; p++)
        for (long q = -2; q <= 2; q++)
          s += x[(i + p) * n + j + q];
      y[i * n + j] = s * 0.04f;
    })
}

static void
prefix_sums (long n, const float *restrict x, float *restrict y,
             double *restrict ns)
{
#pragma tensor data copyin(x [0:n]) copyout(y [0:n])
  ROUNDS (float s = 0;
          _Pragma ("tensor target(cuda)") for (long i = 0; i < n; i++) y[i] = s
          += x[i];)
}

static void
run_blur (float *const *a, double *ns)
{
  blur (8192, a[0], a[1], ns);
}

static void
run_prefix_sums (float *const *a, double *ns)
{
  prefix_sums (LONG, a[0], a[1], ns);
}

static void
run_softmax_short (float *const *a, double *ns)
{
  softmax (LONG / 64, 64, a[0], a[1], ns);
}

static void
run_copy (float *const *a, double *ns)
{
  copy (LONG, a[0], a[1], ns);
}

static void
run_chain (float *const *a, double *ns)
{
  chain (LONG, a[0], a[1], a[2], ns);
}

static void
run_swiglu (float *const *a, double *ns)
{
  swiglu (LONG, a[0], a[1], a[2], ns);
}

static void
run_dropout (float *const *a, double *ns)
{
  dropout (LONG, a[0], a[1], a[2], ns);
}

static void
run_softmax (float *const *a, double *ns)
{
  softmax (LONG / WIDTH, WIDTH, a[0], a[1], ns);
}

static void
run_softmax_long (float *const *a, double *ns)
{
  softmax (LONG / WORDS, WORDS, a[0], a[1], ns);
}

static void
run_norm (float *const *a, double *ns)
{
  norm (LONG / WIDTH, WIDTH, a[0], a[2], a[3], a[1], ns);
}

static void
run_norm_back (float *const *a, double *ns)
{
  norm_back (LONG / WIDTH, WIDTH, a[0], a[3], a[1], a[2], a[4], a[5], ns);
}

static void
run_sum (float *const *a, double *ns)
{
  whole_sum (LONG, a[0], a[1], ns);
}

static void
run_columns (float *const *a, double *ns)
{
  columns (LONG / WIDTH, WIDTH, a[0], a[1], ns);
}

static void
run_transpose (float *const *a, double *ns)
{
  transpose (8192, a[0], a[1], ns);
}

static void
run_heat (float *const *a, double *ns)
{
  heat (8192, 10, a[0], a[1], ns);
}

const cuda_row cuda_memory_rows[] = {
  { "copy", { LONG, LONG }, 8.0 * LONG, 0, run_copy },
  { "chain: gelu (x) + z", { LONG, LONG, LONG }, 12.0 * LONG, 0, run_chain },
  { "swiglu", { LONG, LONG, LONG }, 12.0 * LONG, 0, run_swiglu },
  { "dropout + residual", { LONG, LONG, LONG }, 12.0 * LONG, 0, run_dropout },
  { "softmax, rows of 64", { LONG, LONG }, 8.0 * LONG, 0, run_softmax_short },
  { "softmax, rows of 1024", { LONG, LONG }, 8.0 * LONG, 0, run_softmax },
  { "softmax, rows of 50257", { LONG, LONG }, 8.0 * LONG, 0, run_softmax_long },
  { "layer norm, rows of 1024",
    { LONG, LONG, WIDTH, WIDTH },
    8.0 * LONG,
    0,
    run_norm },
  { "layer norm, backward",
    { LONG, LONG, LONG, WIDTH, WIDTH, WIDTH },
    12.0 * LONG,
    0,
    run_norm_back },
  { "sum of squares", { LONG, 1 }, 4.0 * LONG, 0, run_sum },
  { "column sums", { LONG, WIDTH }, 4.0 * LONG, 0, run_columns },
  { "prefix sums", { LONG, LONG }, 8.0 * LONG, 0, run_prefix_sums },
  { "blur 5 x 5, 8192", { 1 << 26, 1 << 26 }, 8.0 * (1 << 26), 0, run_blur },
  { "transpose 8192", { 1 << 26, 1 << 26 }, 8.0 * (1 << 26), 0, run_transpose },
  { "heat 8192, 20 sweeps",
    { 1 << 26, 1 << 26 },
    20 * 8.0 * (1 << 26),
    0,
    run_heat },
  { NULL, { 0 }, 0, 0, NULL }
};
