/* entry: where the rows of a table of pointers lie is in a table that the
   gradient is not given.  */
/* { dg-do compile } */

void
f (int n, int m, const double *x, double **p, double *y) /* { dg-error "no gradient of f: the gradient needs what p holds at the entry" } */
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < m; j++)
        p[i][j] = x[i] * x[i + j];
      for (int j = 0; j < m; j++)
        y[i] += p[i][j] * p[i][j];
    }
}

#pragma tensor gradient(f) of(y: dy) wrt(x: dx)
void f_gradient (int n, int m, const double *x, const double *dy, double *dx);
