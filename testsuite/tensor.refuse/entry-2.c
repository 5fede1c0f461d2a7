/* entry: some elements of a row that a condition on data reads were written
   before, not all.  */
/* { dg-do compile } */

#pragma tensor gradient(f) of(y: dy) wrt(x: dx)
void f_gradient (int n, const double *x, const double *dy, double *dx);

void
f (int n, const double *x, double *y)
{
  for (int i = 0; i < 7; i++)
    y[i] = x[i]; /* { dg-error "no gradient of f: the gradient needs what y holds at the entry" } */
  for (int k = 0; k < 6; k++)
    if (x[k] > 0)
      for (int i = 0; i < n; i++)
        y[k + i] *= x[k];
}

#pragma tensor gradient(g) of(y: dy) wrt(x: dx) /* { dg-message "note: " } */
void g_gradient (int n, const double *x, const double *dy, double *dx);

void
g (int n, const double *x, double *y)
{
  for (int i = 0; i < n + 6; i++)
    y[i] = x[0] + i;
  for (int k = 0; k < 6; k++)
    if (x[k] > 0)
      for (int i = 0; i < n; i++)
        y[k + i] *= x[k];
}

#pragma tensor gradient(h) of(y: dy) wrt(x: dx)
void h_gradient (int n, int m, const double *x, const double *dy, double *dx);

void
h (int n, int m, const double *x, double *y)
{
  for (int i = 0; i < 7; i++)
    y[i] = x[i]; /* { dg-error "no gradient of h: the gradient needs what y holds at the entry" } */
  for (int k = 0; k < 6; k++)
    for (int i = 0; i < n; i++)
      y[k * m + i] *= x[k];
}
