/* Shows gradients by rows: softmax with cross entropy by labels, layer norm,
   causal attention with its scores as scratch.  */

#include "check.h"

static void
entropy (int m, int c, const real *x, const int *label, real *loss)
{
  *loss = 0;
  for (int i = 0; i < m; i++)
    {
      real most = -1e30, s = 0;
      for (int j = 0; j < c; j++)
        if (x[i * c + j] > most)
          most = x[i * c + j];
      for (int j = 0; j < c; j++)
        s += exp (x[i * c + j] - most);
      *loss += log (s) + most - x[i * c + label[i]];
    }
}

#pragma tensor gradient(entropy) of(loss: dloss) wrt(x: dx)
void entropy_gradient (int m, int c, const real *x, const int *label,
                       const real *dloss, real *dx);

static void
norm (int m, int c, real x[m][c], const real *w, const real *b, real y[m][c])
{
  for (int i = 0; i < m; i++)
    {
      real mean = 0, v = 0;
      for (int j = 0; j < c; j++)
        mean += x[i][j];
      mean /= c;
      for (int j = 0; j < c; j++)
        v += (x[i][j] - mean) * (x[i][j] - mean);
      real s = 1 / sqrt (v / c + 1e-5);
      for (int j = 0; j < c; j++)
        y[i][j] = w[j] * ((x[i][j] - mean) * s) + b[j];
    }
}

#pragma tensor gradient(norm) of(y: dy) wrt(x: dx, w: dw, b: db)
void norm_gradient (int m, int c, real x[m][c], const real *w, const real *b,
                    real dy[m][c], real dx[m][c], real *dw, real *db);

static void
attention (int t, int e, const real *q, const real *k, const real *v, real *s,
           real *o)
{
  for (int i = 0; i < t; i++)
    {
      real z = 0;
      for (int j = 0; j <= i; j++)
        {
          real sum = 0;
          for (int h = 0; h < e; h++)
            sum += q[i * e + h] * k[j * e + h];
          s[i * t + j] = exp (sum);
          z += s[i * t + j];
        }
      for (int j = 0; j <= i; j++)
        s[i * t + j] /= z;
      for (int h = 0; h < e; h++)
        {
          o[i * e + h] = 0;
          for (int j = 0; j <= i; j++)
            o[i * e + h] += s[i * t + j] * v[j * e + h];
        }
    }
}

#pragma tensor gradient(attention) of(o: dout) wrt(q: dq, k: dk, v: dv)
void attention_gradient (int t, int e, const real *q, const real *k,
                         const real *v, const real *dout, real *dq, real *dk,
                         real *dv);

static void
entropy_kernel (values at, real *out)
{
  entropy (n, n + 3, at[0], index_of, out);
}

static void
norm_kernel (values at, real *out)
{
  norm (n, n + 3, (void *) at[0], at[1], at[2], (void *) out);
}

static void
attention_kernel (values at, real *out)
{
  static real s[ROOM];
  attention (n, n + 1, at[0], at[1], at[2], s, out);
}

int
main (void)
{
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      start (sizes[s]);
      entropy_gradient (n, n + 3, a[0], index_of, u, g[0]);
      agree ("entropy", entropy_kernel, 0);
      start (sizes[s]);
      norm_gradient (n, n + 3, (void *) a[0], a[1], a[2], (void *) u,
                     (void *) g[0], g[1], g[2]);
      for (int k = 0; k < 3; k++)
        agree ("norm", norm_kernel, k);
      start (sizes[s]);
      attention_gradient (n, n + 1, a[0], a[1], a[2], u, g[0], g[1], g[2]);
      for (int k = 0; k < 3; k++)
        agree ("attention", attention_kernel, k);
    }
  return faults != 0;
}
