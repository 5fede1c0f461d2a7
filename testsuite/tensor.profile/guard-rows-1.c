/* Rows whose bounds are in a list run in parallel where the list rises, and as
   written where it falls once: counted as fallbacks.  */
/* { dg-set-target-env-var TRM_PROFILE "json:guard-rows-1.profile" } */
/* { dg-tensor-opts "parallel-threshold=1" } */
/* { dg-additional-options "-fopenmp" } */
/* { dg-output "^$" } */
/* { dg-final { scan-file guard-rows-1.profile "\"name\": \"rows\",\[^\n\]*\"calls\": 6,\[^\n\]*\"fallbacks\": 2." } } */
/* { dg-final { scan-file guard-rows-1.profile "\"name\": \"back\",\[^\n\]*\"calls\": 6,\[^\n\]*\"fallbacks\": 2." } } */

#include <stdlib.h>

enum
{
  N = 5,
  ENTRIES = 40
};

static const int bounds[][N + 1]
  = { { 0, 3, 3, 9, 20, 40 },   { 0, 0, 0, 0, 0, 0 },  { 7, 8, 9, 10, 11, 12 },
      { 0, 10, 9, 20, 30, 40 }, { 5, 4, 3, 2, 1, 0 }, { 0, 1, 2, 3, 4, 1 } };

static __attribute__ ((noinline)) void
rows (int n, const int *restrict p, const float *restrict x, float *restrict y)
{
#pragma tensor name("rows") require(parallel)
  for (int i = 0; i < n; i++)
    for (int k = p[i]; k < p[i + 1]; k++)
      y[k] = 2 * y[k] + x[i];
}

static void
product (int n, const int *restrict p, const int *restrict c,
         const float *restrict v, const float *restrict x, float *restrict y)
{
  for (int i = 0; i < n; i++)
    {
      float s = 0;
      for (int k = p[i]; k < p[i + 1]; k++)
        s += v[k] * x[c[k]];
      y[i] = s;
    }
}

#pragma tensor gradient(product) of(y: dy) wrt(v: dv) name("back") require(parallel)
void product_gradient (int n, const int *restrict p, const int *restrict c,
                       const float *restrict x, const float *restrict dy,
                       float *restrict dv);

/* What ROWS and the gradient do with row bounds P and N rows.  */
static void
check (int n, const int *p)
{
  float x[ENTRIES], y[ENTRIES] = { 0 }, dv[ENTRIES] = { 0 };
  float want[ENTRIES] = { 0 }, back[ENTRIES] = { 0 };
  int c[ENTRIES];
  for (int k = 0; k < ENTRIES; k++)
    {
      x[k] = (float) (k % 7);
      c[k] = k * 3 % ENTRIES;
    }
  for (int i = 0; i < n; i++)
    for (int k = p[i]; k < p[i + 1]; k++)
      {
        want[k] = 2 * want[k] + x[i];
        back[k] += x[i] * x[c[k]];
      }
  rows (n, p, x, y);
  product_gradient (n, p, c, x, x, dv);
  for (int k = 0; k < ENTRIES; k++)
    if (y[k] != want[k] || dv[k] != back[k])
      abort ();
}

int
main (void)
{
  for (int k = 0; k < 5; k++)
    check (N, bounds[k]);
  check (N - 1, bounds[5]);
  return 0;
}
