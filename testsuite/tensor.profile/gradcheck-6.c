/* Without TRM_GRADCHECK a gradient compiled with check tells nothing.  */
/* { dg-tensor-opts "check" } */
/* { dg-output "^$" } */

static void
forth (int n, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
}

#pragma tensor gradient(forth) of(y: dy) wrt(x: dx)
void back (int n, const double *x, const double *dy, double *dx);

int
main (void)
{
  double x[] = { 1, 2, 3 }, dx[3] = { 0 };
  back (3, x, x, dx);
  return dx[2] != 18;
}
