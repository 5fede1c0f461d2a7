/* Without a fault TRM_MODE=check says that all agree: sums in another order,
   long ones too, whose bound follows their terms, temporaries, arrays of structs' fields, a call that falls back.  */
/* { dg-tensor-opts "check" } */
/* { dg-set-target-env-var TRM_MODE "check" } */
/* { dg-output "^tensor: check: 5 calls of 4 regions compared, all agree; 1 fell back to the loops as written\n$" } */

#include <math.h>

#define N    1000
#define LONG 4000000

static float x[N], y[N], t[N];
static double d[N];
static float z[LONG];

static __attribute__ ((noinline)) float
sum (const float *x, int n)
{
  float s = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}

static __attribute__ ((noinline)) void
chain (const float *x, float *y, float *t, int n)
{
#pragma tensor temp(t)
  {
    for (int i = 0; i < n; i++)
      t[i] = expf (x[i]);
    for (int i = 0; i < n; i++)
      y[i] = t[i] + 1;
  }
}

static __attribute__ ((noinline)) void
strictly (double *d, int n)
{
#pragma tensor fp(strict)
  for (int i = 0; i < n; i++)
    d[i] = d[i] * 0.99 + 1;
}

static __attribute__ ((noinline)) void
halve (float *x, const float *y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    x[i] = y[i] / 2;
}

int
main (void)
{
  for (int i = 0; i < N; i++)
    x[i] = (float) (i % 7) - 2.5f;
  for (int i = 0; i < LONG; i++)
    z[i] = 0.1f;
  float s = sum (x, N) + sum (z, LONG) / LONG;
  chain (x, y, t, N);
  strictly (d, N);
  halve (x, y, N);
  halve (x + 1, x, N - 1);
  return fabsf (s - 497) < 1 && x[2] == x[0] / 4 ? 0 : 1;
}
