/* Regions that what a launch costs decides, and what the device reaches in
   multiply-adds.  */

#include "cuda.h"

#include <stddef.h>

#define FEW   1000
#define LANES (1 << 20)
#define CHAIN 1024

/* Fused multiply-adds in registers, four chains a thread.  */
static void
peak (int n, const float *restrict x, float *restrict y, double *restrict ns)
{
#pragma tensor data copyin(x [0:n]) copyout(y [0:n])
  ROUNDS (_Pragma ("tensor target(cuda)") for (int i = 0; i < n; i++) {
    float a = x[i], b = a + 1, c = a + 2, d = a + 3;
    for (int k = 0; k < CHAIN; k++)
      {
        a = a * 0.5f + x[i];
        b = b * 0.5f + x[i];
        c = c * 0.5f + x[i];
        d = d * 0.5f + x[i];
      }
    y[i] = a + b + c + d;
  })
}

static void
one (int n, const float *restrict x, float *restrict y, double *restrict ns)
{
#pragma tensor data copyin(x [0:n]) copyout(y [0:n])
  ROUNDS (_Pragma ("tensor target(cuda)") for (int i = 0; i < n; i++) y[i]
          = 2 * x[i] + 1;)
}

/* Ten steps, each of which needs all of the one before.  */
static void
ten (int n, float *restrict x, float *restrict y, double *restrict ns)
{
#pragma tensor data x[0 : n], y[0 : n]
  ROUNDS (_Pragma ("tensor target(cuda)") for (int k = 0; k < 5; k++) {
    for (int i = 0; i < n; i++)
      y[i] = x[i] + 0.5f * x[n - 1 - i];
    for (int i = 0; i < n; i++)
      x[i] = 0.5f * y[i] - 0.25f * y[n - 1 - i];
  })
}

/* Four nests that need nothing of each other.  */
static void
four (int n, float *restrict x, float *restrict y, double *restrict ns)
{
#pragma tensor data x[0 : 4 * n], y[0 : 4 * n]
  ROUNDS (_Pragma ("tensor target(cuda)") {
    for (int i = 0; i < n; i++)
      y[i] = x[i] + 0.5f * x[n - 1 - i];
    for (int i = 0; i < n / 2; i++)
      y[n + i] = x[n + i] * x[2 * n - 1 - i];
    for (int i = 0; i < n / 3; i++)
      y[2 * n + i] = x[2 * n + i] - x[3 * n - 1 - i];
    for (int i = 0; i < n / 4; i++)
      y[3 * n + i] = x[3 * n + i] / (1 + x[4 * n - 1 - i] * x[4 * n - 1 - i]);
  })
}

static void
run_four (float *const *a, double *ns)
{
  four (FEW, a[0], a[1], ns);
}

static void
run_peak (float *const *a, double *ns)
{
  peak (LANES, a[0], a[1], ns);
}

static void
run_one (float *const *a, double *ns)
{
  one (FEW, a[0], a[1], ns);
}

static void
run_ten (float *const *a, double *ns)
{
  ten (FEW, a[0], a[1], ns);
}

const cuda_row cuda_small_rows[]
  = { { "multiply-adds",
        { LANES, LANES },
        8.0 * LANES,
        8.0 * LANES *CHAIN,
        run_peak },
      { "a region of 1000", { FEW, FEW }, 8.0 * FEW, 0, run_one },
      { "four nests of 1000 and less",
        { 4 * FEW, 4 * FEW },
        48.0 * FEW,
        0,
        run_four },
      { "ten kernels of 1000", { FEW, FEW }, 80.0 * FEW, 0, run_ten },
      { NULL, { 0 }, 0, 0, NULL } };
