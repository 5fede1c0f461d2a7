/* What a unit of random functions begins with (random-gradient.c).  */

#ifndef GRADIENT_UNIT_H
#define GRADIENT_UNIT_H

#include "transpose.h"

#define NOIPA       __attribute__ ((noipa))
#define CLAMP(x, k) ((x) > (k) ? (k) : (x) < -(k) ? -(k) : (x))
#define WHOLE(x)    ((x) > -1000 && (x) < 1000 ? (int) (x) : 3)

#ifdef __cplusplus
#  include "dual.hh"

/* The values of place K of OUT as numbers with tangents.  */
template <class F>
real<F> *
lift (const outcome &out, int k)
{
  real<F> *made = new real<F>[SPAN];
  for (int e = 0; e < SPAN; e++)
    made[e] = real<F> ((F) out.value[k][e], out.tangent[k][e], out.size[k][e],
                       1, bend{ out.across[k][e], fabs (out.across[k][e]) });
  return made;
}

/* Put MADE back, and free it.  */
template <class F>
void
lower (outcome &out, int k, real<F> *made)
{
  for (int e = 0; e < SPAN; e++)
    {
      out.value[k][e] = made[e].v;
      out.tangent[k][e] = made[e].d;
      out.size[k][e] = made[e].a;
      out.mixed[k][e] = made[e].b.de;
      out.mixed_size[k][e] = made[e].b.ade;
    }
  delete[] made;
}

extern "C" void
run_dual (const function *f, int n, int m, outcome *out)
{
  void *base[MOST_PLACES], *value[MOST_PLACES];
  for (int k = 0; k < f->n_places; k++)
    if (f->places[k].is_f32)
      value[k] = (real<float> *) (base[k] = lift<float> (*out, k)) + MARGIN;
    else
      value[k] = (real<double> *) (base[k] = lift<double> (*out, k)) + MARGIN;
  operations = 0;
  singular = steep = false;
  nudge = out->nudge;
  f->dual (n, m, value);
  out->operations = operations;
  out->is_singular = singular;
  out->is_steep = steep;
  for (int k = 0; k < f->n_places; k++)
    if (f->places[k].is_f32)
      lower (*out, k, (real<float> *) base[k]);
    else
      lower (*out, k, (real<double> *) base[k]);
}

#  define float real<float>
#  define double real<double>
#  define restrict __restrict
#else
#  include "gradient-run.h"
#endif

/* Records, and functions that loop, branch, keep what they are given in
   variables and set what they are given the address of, for floats of type T
   whose names end in F.  */
#define OF_TYPE(T, f)                                                          \
  typedef struct parts##f                                                      \
  {                                                                            \
    T x, y[3];                                                                 \
  } parts##f;                                                                  \
  static inline T bent##f (T x, T y)                                           \
  {                                                                            \
    T t[3], s = 0;                                                             \
    for (int k = 0; k < 3; k++)                                                \
      t[k] = k == 1 ? x * y : x - (T) k;                                       \
    for (int k = 2; k >= 0; k--)                                               \
      {                                                                        \
        if (t[k] > s)                                                          \
          s += (T) 0.2 * t[k] * y;                                             \
        else                                                                   \
          s -= t[k] * (T) 0.3;                                                 \
      }                                                                        \
    return s;                                                                  \
  }                                                                            \
  static inline T least##f (T x, T y, T z)                                     \
  {                                                                            \
    if (x < y)                                                                 \
      y = x;                                                                   \
    return y < z ? y : z;                                                      \
  }                                                                            \
  static inline void follow##f (T *y, const T *x, int n)                       \
  {                                                                            \
    for (int k = 1; k < n; k++)                                                \
      y[k] = (T) 0.3 * y[k - 1] * y[k] / ((T) 1 + y[k] * y[k]) + x[k];         \
  }                                                                            \
  static inline void turn##f (T x, T y, T *u, T *v)                            \
  {                                                                            \
    *u = x - y * (T) 0.25;                                                     \
    *v = *u > 0 ? *u * y : x;                                                  \
  }
OF_TYPE (double, )
OF_TYPE (float, f)

#endif
