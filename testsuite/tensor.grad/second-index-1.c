/* Shows Hessians times vectors of functions that keep an index in a variable:
   neighbours that are no pair with themselves, and experts that rows choose.  */

#include "check.h"

static real
pairs (int m, const real *x, const int *next)
{
  real e = 0;
  for (int i = 0; i < m; i++)
    for (int k = 0; k < 3; k++)
      {
        int j = next[(i + k) % m];
        if (j == i)
          continue;
        real r = 0.1 + (x[i] - x[j]) * (x[i] - x[j]);
        e += 1 / r + x[i] * x[j] * x[j];
      }
  return e;
}

#pragma tensor gradient(pairs) of(return ) wrt(x : dx)
void pairs_gradient (int m, const real *x, const int *next, real *restrict dx);
#pragma tensor tangent(pairs_gradient) of(dx : hv) wrt(x : v)
void pairs_times (int m, const real *x, const int *next, const real *v,
                  real *restrict hv);

static real
experts (int m, const real *x, const real *w, const int *choice)
{
  real e = 0;
  for (int i = 0; i < m; i++)
    {
      int chosen = choice[i];
      real s = 0;
      for (int j = 0; j < m; j++)
        s += w[chosen * m + j] * w[chosen * m + j] * x[j];
      e += tanh (s);
    }
  return e;
}

#pragma tensor gradient(experts) of(return ) wrt(w : dw)
void experts_gradient (int m, const real *x, const real *w, const int *choice,
                       real *restrict dw);
#pragma tensor tangent(experts_gradient) of(dw : hv) wrt(w : v)
void experts_times (int m, const real *x, const real *w, const int *choice,
                    const real *v, real *restrict hv);

static void
kernel_pairs (values at, real *out)
{
  pairs_gradient (n, at[0], index_of, out);
}

static void
kernel_experts (values at, real *out)
{
  experts_gradient (n, at[1], at[0], index_of, out);
}

/* The seeds times HV, which is 0 where the gradient does not store.  */
static real
seeded (const real *hv)
{
  real sum = 0;
  for (int e = 0; e < ROOM; e++)
    sum += u[e] * hv[e];
  return sum;
}

int
main (void)
{
  static real hv[ROOM];
  for (int k = 0; k < 5; k++)
    {
      start (sizes[k]);
      memset (hv, 0, sizeof hv);
      pairs_times (n, a[0], index_of, d[0], hv);
      agree_slope ("pairs", kernel_pairs, 0, seeded (hv));
      memset (hv, 0, sizeof hv);
      experts_times (n, a[1], a[0], index_of, d[0], hv);
      agree_slope ("experts", kernel_experts, 0, seeded (hv));
    }
  return faults > 0;
}
