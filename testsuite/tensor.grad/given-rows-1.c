/* Shows gradients of functions that are given an array by whose rows they work:
   neither it nor its adjoint is kept as a whole; what an iteration wrote and a
   later one overwrote is not what is given.  */
/* { dg-final { scan-kept-at-most attend_gradient tape 1e8 "m 1e4" } } */
/* { dg-final { scan-kept-at-most attend_gradient adjoint 1e8 "m 1e4" } } */
/* { dg-final { scan-kept-at-most weigh_gradient tape 1e8 "m 1e4" } } */
/* { dg-final { scan-kept-at-most weigh_gradient adjoint 1e8 "m 1e4" } } */

#include "check.h"

enum
{
  WIDTH = 3
};

/* Attention: S has the weights at last, after what they were made of.  */
static void
attend (int m, const real *restrict q, const real *restrict k,
        const real *restrict v, real *restrict s, real *restrict o)
{
  for (int i = 0; i < m; i++)
    {
      real most = -1e30, z = 0;
      for (int j = 0; j < m; j++)
        {
          real dot = 0;
          for (int c = 0; c < WIDTH; c++)
            dot += q[i * WIDTH + c] * k[j * WIDTH + c];
          s[i * m + j] = dot;
          if (s[i * m + j] > most)
            most = s[i * m + j];
        }
      for (int j = 0; j < m; j++)
        {
          s[i * m + j] = exp (s[i * m + j] - most);
          z += s[i * m + j];
        }
      for (int j = 0; j < m; j++)
        s[i * m + j] /= z;
      for (int c = 0; c < WIDTH; c++)
        {
          real sum = 0;
          for (int j = 0; j < m; j++)
            sum += s[i * m + j] * v[j * WIDTH + c];
          o[i * WIDTH + c] = sum;
        }
    }
}

#pragma tensor gradient(attend) of(o : dout) wrt(q : dq, k : dk, v : dv) given(s)
void attend_gradient (int m, const real *restrict q, const real *restrict k,
                      const real *restrict v, const real *restrict s,
                      const real *restrict dout, real *restrict dq,
                      real *restrict dk, real *restrict dv);

/* The same in loops over all rows, one after the other.  */
static void
weigh (int m, const real *restrict q, const real *restrict k,
       const real *restrict v, real *restrict s, real *restrict o)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      {
        real dot = 0;
        for (int c = 0; c < WIDTH; c++)
          dot += q[i * WIDTH + c] * k[j * WIDTH + c];
        s[i * m + j] = dot;
      }
  for (int i = 0; i < m; i++)
    {
      real most = -1e30, z = 0;
      for (int j = 0; j < m; j++)
        most = fmax (most, s[i * m + j]);
      for (int j = 0; j < m; j++)
        z += s[i * m + j] = exp (s[i * m + j] - most);
      for (int j = 0; j < m; j++)
        s[i * m + j] /= z;
    }
  for (int i = 0; i < m; i++)
    for (int c = 0; c < WIDTH; c++)
      {
        real sum = 0;
        for (int j = 0; j < m; j++)
          sum += s[i * m + j] * v[j * WIDTH + c];
        o[i * WIDTH + c] = sum;
      }
}

#pragma tensor gradient(weigh) of(o : dout) wrt(q : dq, k : dk, v : dv) given(s)
void weigh_gradient (int m, const real *restrict q, const real *restrict k,
                     const real *restrict v, const real *restrict s,
                     const real *restrict dout, real *restrict dq,
                     real *restrict dk, real *restrict dv);

/* A number for each row, and a row that the next one overwrites.  */
static void
norms (int m, const real *restrict x, real *restrict r, real *restrict h,
       real *restrict y)
{
  for (int i = 0; i < m; i++)
    {
      r[i] = 1;
      for (int j = 0; j < WIDTH; j++)
        {
          h[j] = sin (x[i * WIDTH + j]);
          r[i] += h[j] * h[j];
        }
      r[i] = sqrt (r[i]);
      for (int j = 0; j < WIDTH; j++)
        y[i * WIDTH + j] = h[j] / r[i] * x[i * WIDTH + j] + r[i] * r[i];
    }
}

#pragma tensor gradient(norms) of(y : dy) wrt(x : dx) given(r, h)
void norms_gradient (int m, const real *restrict x, const real *restrict r,
                     const real *restrict h, const real *restrict dy,
                     real *restrict dx);

#pragma tensor gradient(norms) of(y : dy) wrt(x : dx) given(r)
void norms_from_r (int m, const real *restrict x, const real *restrict r,
                   const real *restrict dy, real *restrict dx);

static real scratch[2][ROOM];

static void
attend_kernel (values at, real *out)
{
  attend (n, at[0], at[1], at[2], scratch[0], out);
}

static void
weigh_kernel (values at, real *out)
{
  weigh (n, at[0], at[1], at[2], scratch[0], out);
}

static void
norms_kernel (values at, real *out)
{
  norms (n, at[0], scratch[0], scratch[1], out);
}

int
main (void)
{
  static real out[ROOM];
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
    {
      start (sizes[k]);
      attend (n, a[0], a[1], a[2], scratch[0], out);
      attend_gradient (n, a[0], a[1], a[2], scratch[0], u, g[0], g[1], g[2]);
      for (int i = 0; i < 3; i++)
        agree ("attend", attend_kernel, i);
      start (sizes[k]);
      weigh (n, a[0], a[1], a[2], scratch[0], out);
      weigh_gradient (n, a[0], a[1], a[2], scratch[0], u, g[0], g[1], g[2]);
      for (int i = 0; i < 3; i++)
        agree ("weigh", weigh_kernel, i);
      for (int both = 0; both < 2; both++)
        {
          start (sizes[k]);
          norms (n, a[0], scratch[0], scratch[1], out);
          if (both)
            norms_gradient (n, a[0], scratch[0], scratch[1], u, g[0]);
          else
            norms_from_r (n, a[0], scratch[0], u, g[0]);
          agree ("norms", norms_kernel, 0);
        }
    }
  if (faults)
    printf ("%d faults\n", faults);
  return faults != 0;
}
