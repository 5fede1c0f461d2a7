/* A gradient compiled with check in a program without the runtime: it does its
   work, and nobody looks at it.  */
/* { dg-do run } */
/* { dg-tensor-opts "check" } */
/* { dg-set-target-env-var TRM_GRADCHECK "1" } */
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
