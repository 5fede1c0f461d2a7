/* Shows gradients of functions that keep what is learnt in structures, pass
   rows on in another shape, and return what is wanted: arrays and numbers that
   are members, what member pointers point to, of (return) alone.  */

#include "check.h"

typedef struct layer
{
  real gain, w[4][6], b[4];
} layer;

typedef struct net
{
  int rows;
  real *w, *b;
} net;

/* y := x w' + b, rows of any length.  */
static void
linear (int m, int p, int q, real y[m][p], real x[m][q], real w[p][q],
        const real *b)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < p; j++)
      {
        y[i][j] = b[j];
        for (int k = 0; k < q; k++)
          y[i][j] += x[i][k] * w[j][k];
      }
}

/* y := what pairs of numbers in x become.  */
static void
turn (int m, real y[m][2][2], real x[m][2][2], real gain)
{
  for (int i = 0; i < m; i++)
    for (int h = 0; h < 2; h++)
      {
        y[i][h][0] = gain * sin (x[i][h][0] * x[i][1 - h][1]);
        y[i][h][1] = gain * x[i][h][0];
      }
}

static real
loss (int m, const layer *restrict l, real x[restrict m][6],
      real u0[restrict m][4], real u1[restrict m][4])
{
  real sum = 0;
  linear (m, 4, 6, u0, x, (void *) l->w, l->b);
  turn (m, (void *) u1, (void *) u0, l->gain);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < 4; j++)
      sum += u1[i][j] * u1[i][j];
  return sum;
}

#pragma tensor gradient(loss) of(return) wrt(l: dl, x: dx)
void loss_gradient (int m, const layer *restrict l, real x[restrict m][6],
                    layer *restrict dl, real dx[restrict m][6]);

static void
apply (const net *f, int m, const real *x, real *y)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < f->rows; j++)
      y[i * f->rows + j] = f->b[j] + f->w[j * m + i] * x[i] * x[i];
}

#pragma tensor gradient(apply) of(y: dy) wrt(f: df, x: dx)
void apply_gradient (const net *f, int m, const real *x, const real *dy,
                     const net *df, real *dx);

static void
loss_kernel (values at, real *out)
{
  static real u0[ROOM], u1[ROOM];
  layer l;
  memcpy (&l, at[0], sizeof l);
  *out = loss (n, &l, (void *) at[1], (void *) u0, (void *) u1);
}

static void
apply_kernel (values at, real *out)
{
  net f = { 3, at[0], at[1] };
  apply (&f, n, at[2], out);
}

int
main (void)
{
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      start (sizes[s]);
      u[0] = 1;
      loss_gradient (n, (void *) a[0], (void *) a[1], (void *) g[0],
                     (void *) g[1]);
      agree ("member arrays", loss_kernel, 0);
      agree ("rows", loss_kernel, 1);
      start (sizes[s]);
      net f = { 3, a[0], a[1] }, df = { 3, g[0], g[1] };
      apply_gradient (&f, n, a[2], u, &df, g[2]);
      for (int k = 0; k < 3; k++)
        agree ("member pointers", apply_kernel, k);
    }
  return faults != 0;
}
