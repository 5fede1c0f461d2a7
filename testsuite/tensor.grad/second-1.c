/* Shows derivatives of derivatives: a Hessian times a vector as the tangent of
   a gradient, the gradient of a gradient and the gradient of a tangent; the
   third derivative; the pragmas in any order.  */

#include "check.h"

#pragma tensor tangent(valley_gradient) of(dx: hv) wrt(x: v)
int valley_times (int m, const real *x, real seed, const real *v, real *hv);
#pragma tensor gradient(valley_gradient) of(dx: w) wrt(x: hw)
void valley_back (int m, const real *x, real seed, const real *w, real *hw);
#pragma tensor tangent(valley_times) of(hv: third) wrt(x: v)
void valley_third (int m, const real *x, real seed, const real *v, real *third);
#pragma tensor gradient(valley) of(return: seed) wrt(x: dx)
int valley_gradient (int m, const real *x, real seed, real *dx);

static real
valley (int m, const real *x)
{
  real s = 0;
  for (int i = 0; i + 1 < m; i++)
    {
      real u = x[i + 1] - x[i] * x[i];
      s += 10 * u * u + (1 - x[i]) * (1 - x[i]);
    }
  return s;
}

#pragma tensor tangent(valley) of(return: slope) wrt(x: v)
void valley_tangent (int m, const real *x, const real *v, real *slope);
#pragma tensor gradient(valley_tangent) of(slope: seed) wrt(x: hv)
void valley_along (int m, const real *x, const real *v, const real *seed,
                   real *hv);

/* A network of two layers, its loss the sum of squares.  */
static void
network (int m, int c, const real *x, const real *w, const real *o, real *h,
         real *loss)
{
  *loss = 0;
  for (int i = 0; i < m; i++)
    {
      for (int j = 0; j < c; j++)
        {
          real s = 0;
          for (int k = 0; k < c; k++)
            s += x[i * c + k] * w[k * c + j];
          h[i * c + j] = tanh (s);
        }
      real y = 0;
      for (int j = 0; j < c; j++)
        y += h[i * c + j] * o[j];
      *loss += (y - 0.5) * (y - 0.5);
    }
}

#pragma tensor gradient(network) of(loss: dloss) wrt(w: dw, o: dout)
void network_gradient (int m, int c, const real *x, const real *w,
                       const real *o, const real *dloss, real *dw, real *dout);
#pragma tensor tangent(network_gradient) of(dw: hw, dout: ho) wrt(w: v, o: z)
void network_times (int m, int c, const real *x, const real *w, const real *o,
                    const real *dloss, const real *v, const real *z, real *hw,
                    real *ho);

static const real one = 1;

/* The objective is U times the gradient: its slope along d is U times the
   Hessian times d.  */
static void
valley_kernel (values at, real *out)
{
  if (valley_gradient (n, at[0], 1, out))
    faults++;
}

static void
network_kernel (values at, real *out)
{
  network_gradient (n, n, at[0], at[1], at[2], &one, out, out + n * n);
}

/* The second derivative along d[1] of what V says.  */
static void
times_kernel (values at, real *out)
{
  if (valley_times (n, at[0], 1, d[1], out))
    faults++;
}

/* The sum of U times the M numbers at X.  */
static real
product (const real *x, const real *y, int m)
{
  real sum = 0;
  for (int e = 0; e < m; e++)
    sum += x[e] * y[e];
  return sum;
}

static void
check_valley (void)
{
  static real hv[ROOM], third[ROOM];
  memset (hv, 0, sizeof hv);
  memset (third, 0, sizeof third);
  faults += valley_times (n, a[0], 1, d[0], hv);
  agree_slope ("tangent of a gradient", valley_kernel, 0, product (u, hv, n));
  valley_back (n, a[0], 1, u, g[0]);
  agree ("gradient of a gradient", valley_kernel, 0);
  valley_along (n, a[0], u, &one, g[2]);
  memcpy (g[0], g[2], sizeof g[0]);
  agree ("gradient of a tangent", valley_kernel, 0);
  memcpy (d[1], d[0], sizeof d[1]);
  valley_third (n, a[0], 1, d[0], third);
  agree_slope ("third derivative", times_kernel, 0, product (u, third, n));
}

static void
check_network (void)
{
  static const real none[ROOM];
  static real h[ROOM];
  network_times (n, n, a[0], a[1], a[2], &one, d[1], none, h, h + n * n);
  agree_slope ("network in w", network_kernel, 1, product (u, h, n * n + n));
  network_times (n, n, a[0], a[1], a[2], &one, none, d[2], h, h + n * n);
  agree_slope ("network in o", network_kernel, 2, product (u, h, n * n + n));
}

int
main (void)
{
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      start (sizes[s]);
      check_valley ();
      start (sizes[s]);
      check_network ();
    }
  return faults != 0;
}
