/* Elements that lie apart by a number known at run time have a version where
   they are neighbours, however the loop says it; where that number is how long
   rows are, there is none.  */
/* { dg-tensor-opts "dump=extract" } */
/* { dg-final { scan-tns-dump-times extract "guard incx == 1;" 4 } } */
/* { dg-final { scan-tns-dump-not extract "guard lda" } } */
/* { dg-final { scan-tns-dump-not extract " == 2;" } } */

typedef struct vector
{
  unsigned long size, stride;
  double *data;
} vector;

void
add (int n, double a, const double *x, int incx, double *y, int incy)
{
#pragma tensor /* { dg-message "a version for incy = 1, incx = 1" } */
  for (int i = 0; i < n; i++)
    y[i * incy] += a * x[i * incx];
}

void
add_on (int n, double a, const double *x, int incx, double *y, int incy)
{
  int at = incx > 0 ? 0 : (1 - n) * incx, to = incy > 0 ? 0 : (1 - n) * incy;
#pragma tensor /* { dg-message "a version for incx = 1, incy = 1" } */
  for (int i = 0; i < n; i++, at += incx, to += incy)
    y[to] += a * x[at];
}

void
scale (int n, double a, double *x, int incx)
{
#pragma tensor /* { dg-message "a version for incx = 1" } */
  for (int i = 0; i < n * incx; i += incx)
    x[i] *= a;
}

double
sum (const vector *v)
{
  double s = 0;
#pragma tensor /* { dg-message "a version for v->stride = 1" } */
  for (unsigned long i = 0; i < v->size; i++)
    s += v->data[i * v->stride];
  return s;
}

void
times (int n, int m, const double *a, int lda, const double *x, int incx,
       double *restrict y)
{
#pragma tensor /* { dg-message "a version for incx = 1" } */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[i] += a[i * lda + j] * x[j * incx];
}

double
trace (int n, const double *a)
{
  double s = 0;
#pragma tensor /* { dg-message "note: (?!\[^\n\]*a version)" } */
  for (int i = 0; i < n; i++)
    s += a[i * n + i];
  return s;
}
