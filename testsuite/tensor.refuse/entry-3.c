/* entry: data name the elements that are read, and some of those that they may
   name were not written before; where all were the gradient makes the array.
   An index that is made of a value, an element that data name when it is
   written, or half of a loop, are no more.  */
/* { dg-do compile } */

#pragma tensor gradient(one) of(y: dy) wrt(x: dx)
void one_gradient (int n, const int *k, const double *x, const double *dy,
                   double *dx);

void
one (int n, const int *k, const double *x, double *w, double *y)
{
  w[0] = 1; /* { dg-error "no gradient of one: the gradient needs what w holds at the entry" } */
  for (int i = 0; i < n; i++)
    y[i] = x[i] * w[k[i]];
}

#pragma tensor gradient(named) of(y: dy) wrt(x: dx)
void named_gradient (int n, const int *k, const double *x, const double *dy,
                     double *dx);

void
named (int n, const int *k, const double *x, double *w, double *y)
{
  w[k[0]] = 1; /* { dg-error "no gradient of named: the gradient needs what w holds at the entry" } */
  for (int i = 0; i < n; i++)
    y[i] = x[i] * w[k[i]];
}

#pragma tensor gradient(all) of(y: dy) wrt(x: dx)
void all_gradient (int n, const int *k, const double *x, const double *dy,
                   double *dx);

void
all (int n, const int *k, const double *x, double *w, double *y)
{
  for (int i = 0; i < n; i++)
    w[i] = x[i]; /* { dg-error "no gradient of all: the gradient needs what w holds at the entry" } */
  for (int i = 0; i < n; i++)
    y[i] = x[i] * w[k[i]];
}

#pragma tensor gradient(value) of(y: dy) wrt(x: dx)
void value_gradient (int n, const double *x, const double *dy, double *dx);

void
value (int n, const double *x, double *w, double *y)
{
  w[0] = 1; /* { dg-error "no gradient of value: the gradient needs what w holds at the entry" } */
  for (int i = 0; i < n; i++)
    y[i] = x[i] * w[(int) x[i]];
}

#pragma tensor gradient(largest) of(y: dy) wrt(x: dx)
void largest_gradient (int n, const double *x, const double *dy, double *dx);

void
largest (int n, const double *x, double *w, double *y)
{
  int b = 0;
  w[0] = 1; /* { dg-error "no gradient of largest: the gradient needs what w holds at the entry" } */
  for (int i = 0; i < n; i++)
    if (x[i] > x[b])
      b = i;
  for (int i = 0; i < n; i++)
    y[i] = x[i] * w[b];
}

#pragma tensor gradient(output) of(y: dy) wrt(x: dx)
void output_gradient (int n, const double *x, const double *dy, double *dx);

void
output (int n, const double *x, double *w, double *y)
{
  y[0] = x[0]; /* { dg-error "no gradient of output: the gradient needs what y holds at the entry" } */
  for (int i = 1; i < n; i++)
    w[i] = y[(int) x[i]];
  for (int i = 1; i < n; i++)
    y[i] = w[i] * x[i];
}

#pragma tensor gradient(table) of(y: dy) wrt(x: dx) /* { dg-message "note: " } */
void table_gradient (int n, const unsigned *k, const double *x,
                     const double *dy, double *dx);

void
table (int n, const unsigned *k, const double *x, double *w, double *y)
{
  for (int j = 0; j < 8; j++)
    w[j] = x[j];
  for (int i = 0; i < n; i++)
    y[i] = x[i] * w[k[i] % 8];
}

#pragma tensor gradient(all) of(y: dy) wrt(x: dx) /* { dg-message "note: " } */
void all_held (int n, const int *k, const double *x, const double *w,
               const double *dy, double *dx);
