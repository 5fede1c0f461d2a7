/* Shows gradients that set adjoints, where clear names them: what these held,
   here NaN, does not matter, they get what a gradient that adds adds to 0, and
   nothing in front of them or behind them is touched.  */

#include "check.h"

#include <stdbool.h>

/* An adjoint with room around it, as the gradient that adds leaves it, and as
   the one that sets it does.  */
enum
{
  FENCE = 8
};
static real added[3][ROOM + 2 * FENCE], set[3][ROOM + 2 * FENCE];
#define ADDED(k) (added[k] + FENCE)
#define SET(k)   (set[k] + FENCE)

static void
each (int m, const real *restrict x, real *restrict y)
{
  for (int i = 0; i < m; i++)
    y[i] = tanh (x[i]) * x[i];
}
#pragma tensor gradient(each) of(y : dy) wrt(x : dx)
void each_add (int m, const real *restrict x, const real *restrict dy,
               real *restrict dx);
#pragma tensor gradient(each) of(y : dy) wrt(x : dx) clear(dx)
void each_set (int m, const real *restrict x, const real *restrict dy,
               real *restrict dx);

/* As above; the arrays may overlap.  */
static void
loose (int m, const real *x, real *y)
{
  for (int i = 0; i < m; i++)
    y[i] = x[i] * x[i];
}
#pragma tensor gradient(loose) of(y : dy) wrt(x : dx)
void loose_add (int m, const real *x, const real *dy, real *dx);
#pragma tensor gradient(loose) of(y : dy) wrt(x : dx) clear(dx)
void loose_set (int m, const real *x, const real *dy, real *dx);

/* Rows, which are summed twice; a gain that all rows share.  */
static void
norm (int m, int c, const real *restrict x, const real *restrict gain,
      real *restrict y)
{
  for (int i = 0; i < m; i++)
    {
      real mean = 0, square = 0;
      for (int j = 0; j < c; j++)
        mean += x[i * c + j] / c;
      for (int j = 0; j < c; j++)
        square += (x[i * c + j] - mean) * (x[i * c + j] - mean);
      real scale = 1 / sqrt (square / c + 1e-3);
      for (int j = 0; j < c; j++)
        y[i * c + j] = (x[i * c + j] - mean) * scale * gain[j];
    }
}
#pragma tensor gradient(norm) of(y : dy) wrt(x : dx, gain : dgain)
void norm_add (int m, int c, const real *restrict x, const real *restrict gain,
               const real *restrict dy, real *restrict dx,
               real *restrict dgain);
#pragma tensor gradient(norm) of(y : dy) wrt(x : dx, gain : dgain)             \
  clear(dx, dgain)
void norm_set (int m, int c, const real *restrict x, const real *restrict gain,
               const real *restrict dy, real *restrict dx,
               real *restrict dgain);

static void
product (int m, int c, const real *restrict x, const real *restrict w,
         real *restrict y)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < c; j++)
      {
        real s = 0;
        for (int k = 0; k < c; k++)
          s += x[i * c + k] * w[k * c + j];
        y[i * c + j] = s;
      }
}
#pragma tensor gradient(product) of(y : dy) wrt(x : dx, w : dw)
void product_add (int m, int c, const real *restrict x, const real *restrict w,
                  const real *restrict dy, real *restrict dx,
                  real *restrict dw);
#pragma tensor gradient(product) of(y : dy) wrt(x : dx, w : dw) clear(dw, dx)
void product_set (int m, int c, const real *restrict x, const real *restrict w,
                  const real *restrict dy, real *restrict dx,
                  real *restrict dw);

/* Elements that are read thrice, and by their neighbours.  */
static void
stencil (int m, const real *restrict x, real *restrict y)
{
  for (int i = 1; i < m - 1; i++)
    y[i] = x[i - 1] * x[i] - x[i + 1];
}
#pragma tensor gradient(stencil) of(y : dy) wrt(x : dx)
void stencil_add (int m, const real *restrict x, const real *restrict dy,
                  real *restrict dx);
#pragma tensor gradient(stencil) of(y : dy) wrt(x : dx) clear(dx)
void stencil_set (int m, const real *restrict x, const real *restrict dy,
                  real *restrict dx);

/* The first sum to dx subtracts, and is under no condition; others are.  */
static void
minus (int m, const real *restrict x, real *restrict y)
{
  for (int i = 0; i < m; i++)
    {
      real s = 0;
      if (x[i] > 0.5)
        s = x[i] * x[i];
      y[i] = s - 3 * x[i];
    }
}
#pragma tensor gradient(minus) of(y : dy) wrt(x : dx)
void minus_add (int m, const real *restrict x, const real *restrict dy,
                real *restrict dx);
#pragma tensor gradient(minus) of(y : dy) wrt(x : dx) clear(dx)
void minus_set (int m, const real *restrict x, const real *restrict dy,
                real *restrict dx);

/* All sums are under a condition.  */
static void
chosen (int m, const real *restrict x, real *restrict y)
{
  for (int i = 0; i < m; i++)
    if (x[i] > 0.5)
      y[i] = x[i] * x[i];
}
#pragma tensor gradient(chosen) of(y : dy) wrt(x : dx)
void chosen_add (int m, const real *restrict x, const real *restrict dy,
                 real *restrict dx);
#pragma tensor gradient(chosen) of(y : dy) wrt(x : dx) clear(dx)
void chosen_set (int m, const real *restrict x, const real *restrict dy,
                 real *restrict dx);

/* In place: the adjoint of x is not that of what y is made of.  */
static void
in_place (int m, real *restrict x, real *restrict y)
{
  for (int i = 0; i < m; i++)
    {
      x[i] = x[i] * x[i];
      y[i] = x[i] * 2;
    }
}
#pragma tensor gradient(in_place) of(y : dy) wrt(x : dx)
void in_place_add (int m, const real *restrict x, const real *restrict dy,
                   real *restrict dx);
#pragma tensor gradient(in_place) of(y : dy) wrt(x : dx) clear(dx)
void in_place_set (int m, const real *restrict x, const real *restrict dy,
                   real *restrict dx);

/* Rows by index: those between that are not read get 0.  */
static void
picked (int m, int c, const int *restrict k, const real *restrict x,
        real *restrict y)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < c; j++)
      y[i * c + j] = x[k[i] * c + j] * x[k[i] * c + j];
}
#pragma tensor gradient(picked) of(y : dy) wrt(x : dx)
void picked_add (int m, int c, const int *restrict k, const real *restrict x,
                 const real *restrict dy, real *restrict dx);
#pragma tensor gradient(picked) of(y : dy) wrt(x : dx) clear(dx)
void picked_set (int m, int c, const int *restrict k, const real *restrict x,
                 const real *restrict dy, real *restrict dx);

/* A number, and an array on which nothing depends.  */
static void
scale (int m, real p, const real *restrict x, const real *restrict z,
       real *restrict y, real *restrict rest)
{
  for (int i = 0; i < m; i++)
    {
      y[i] = p * x[i];
      rest[i] = z[i];
    }
}
#pragma tensor gradient(scale) of(y : dy) wrt(x : dx, p : dp, z : dz)
void scale_add (int m, real p, const real *restrict x, const real *restrict z,
                const real *restrict dy, real *restrict dx, real *restrict dp,
                real *restrict dz);
#pragma tensor gradient(scale) of(y : dy) wrt(x : dx, p : dp, z : dz)          \
  clear(dp, dz)
void scale_set (int m, real p, const real *restrict x, const real *restrict z,
                const real *restrict dy, real *restrict dx, real *restrict dp,
                real *restrict dz);

/* An array that is not used: there is nothing to set.  */
static void
lonely (int m, const real *restrict x, const real *restrict z,
        real *restrict y)
{
  (void) z;
  for (int i = 0; i < m; i++)
    y[i] = x[i] * x[i];
}
#pragma tensor gradient(lonely) of(y : dy) wrt(x : dx, z : dz) clear(dz, dx)
void lonely_set (int m, const real *restrict x, const real *restrict z,
                 const real *restrict dy, real *restrict dx,
                 real *restrict dz);

/* Members; with the primal.  */
typedef struct layer
{
  int m;
  real *w, *b;
} layer;

static void
affine (const layer *l, const real *restrict x, real *restrict y)
{
  for (int i = 0; i < l->m; i++)
    y[i] = l->w[i] * x[i] + l->b[i];
}
#pragma tensor gradient(affine) of(y : dy) wrt(l : dl, x : dx) with(primal)
void affine_add (const layer *l, const real *restrict x, real *restrict y,
                 const real *restrict dy, const layer *dl, real *restrict dx);
#pragma tensor gradient(affine) of(y : dy) wrt(l : dl, x : dx) with(primal)    \
  clear(dl->w, dl->b, dx)
void affine_set (const layer *l, const real *restrict x, real *restrict y,
                 const real *restrict dy, const layer *dl, real *restrict dx);

/* A gradient of a gradient that sets.  */
#pragma tensor gradient(each_set) of(dx : ddx) wrt(x : dx2) clear(dx2)
void each_twice (int m, const real *restrict x, const real *restrict dy,
                 const real *restrict ddx, real *restrict dx2);
#pragma tensor gradient(each_add) of(dx : ddx) wrt(x : dx2)
void each_again (int m, const real *restrict x, const real *restrict dy,
                 const real *restrict ddx, real *restrict dx2);

/* New values for N; adjoints of 0, and of NaN.  */
static void
begin (int size)
{
  start (size);
  for (int k = 0; k < 3; k++)
    for (int e = 0; e < ROOM + 2 * FENCE; e++)
      {
        added[k][e] = 0;
        set[k][e] = NAN;
      }
}

/* The LENGTH elements of adjoint K are as they should be, those around them
   are NaN.  */
static void
same (const char *name, int k, int length)
{
  for (int e = -FENCE; e < length + FENCE; e++)
    {
      bool inside = e >= 0 && e < length;
      real want = ADDED (k)[e], got = SET (k)[e];
      if (inside ? fabs (got - want) <= 1e-12 * (1 + fabs (want))
                 : isnan (got))
        continue;
      printf ("%s, n = %d, adjoint %d, element %d: %g, want %g\n", name, n, k,
              e, got, inside ? want : NAN);
      faults++;
      return;
    }
}

/* Functions of rows of C.  */
static void
check_rows (int c)
{
  begin (n);
  norm_add (n, c, a[0], a[1], u, ADDED (0), ADDED (1));
  norm_set (n, c, a[0], a[1], u, SET (0), SET (1));
  same ("norm", 0, n * c);
  same ("norm", 1, n ? c : 0);
  begin (n);
  product_add (n, c, a[0], a[1], u, ADDED (0), ADDED (1));
  product_set (n, c, a[0], a[1], u, SET (0), SET (1));
  same ("product", 0, n * c);
  same ("product", 1, n ? c * c : 0);
  begin (n);
  if (n > 1)
    index_of[0] = n - 1, index_of[1] = 0;
  picked_add (n, c, index_of, a[0], u, ADDED (0));
  picked_set (n, c, index_of, a[0], u, SET (0));
  same ("picked", 0, n * c);
}

/* Functions of single elements.  */
static void
check_elements (void)
{
#define TRY(name, length)                                                      \
  begin (n);                                                                   \
  name##_add (n, a[0], u, ADDED (0));                                          \
  name##_set (n, a[0], u, SET (0));                                            \
  same (#name, 0, length);
  TRY (each, n)
  TRY (loose, n)
  TRY (stencil, n > 2 ? n : 0)
  TRY (minus, n)
  TRY (chosen, n)
  TRY (in_place, n)
  begin (n);
  each_again (n, a[0], u, a[1], ADDED (0));
  each_twice (n, a[0], u, a[1], SET (0));
  same ("twice", 0, n);
}

/* Numbers, members, what nothing depends on.  */
static void
check_others (void)
{
  static real y[ROOM];
  begin (n);
  scale_add (n, 0.5, a[0], a[1], u, ADDED (0), ADDED (1), ADDED (2));
  memset (SET (0), 0, sizeof (real) * (size_t) n);
  scale_set (n, 0.5, a[0], a[1], u, SET (0), SET (1), SET (2));
  same ("scale", 0, n);
  same ("scale", 2, n);
  if (n > 0)
    same ("scale", 1, 1);
  begin (n);
  loose_add (n, a[0], u, ADDED (0));
  lonely_set (n, a[0], a[1], u, SET (0), SET (1));
  same ("lonely", 0, n);
  same ("lonely", 1, 0);
  begin (n);
  layer l = { n, a[0], a[1] }, to_add = { n, ADDED (0), ADDED (1) },
        to_set = { n, SET (0), SET (1) };
  affine_add (&l, a[2], y, u, &to_add, ADDED (2));
  affine_set (&l, a[2], y, u, &to_set, SET (2));
  for (int k = 0; k < 3; k++)
    same ("affine", k, n);
}

/* Where the adjoint that goes out is the one that comes in, and where it is the
   array itself.  */
static void
check_overlaps (void)
{
  begin (n);
  loose_add (n, a[0], u, ADDED (0));
  memcpy (SET (0), u, sizeof (real) * (size_t) n);
  loose_set (n, a[0], SET (0), SET (0));
  same ("the adjoint that comes in", 0, n);
  begin (n);
  loose_add (n, a[0], u, ADDED (0));
  memcpy (SET (0), a[0], sizeof (real) * (size_t) n);
  loose_set (n, SET (0), u, SET (0));
  same ("the array itself", 0, n);
}

int
main (void)
{
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      n = sizes[s];
      check_rows (1);
      check_rows (7);
      check_elements ();
      check_others ();
      check_overlaps ();
    }
  return faults != 0;
}
