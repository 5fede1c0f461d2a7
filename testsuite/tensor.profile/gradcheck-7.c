/* TRM_GRADCHECK=1 looks at tangents, too: a right one agrees, in numbers of two
   types, where elements are not set and where a tangent comes in and goes out;
   of one that takes a rule of the user's that is wrong the element is told.  */
/* { dg-tensor-opts "check" } */
/* { dg-set-target-env-var TRM_GRADCHECK "1" } */
/* { dg-output "gradcheck-7.c:35: tensor: gradcheck of 'along', call 1: dy has no element to compare\n" } */
/* { dg-output ".*gradcheck-7.c:35: \[^\n\]* call 2: dy.0. is \[-0-9.e\]*, \[-0-9.e\]* by differences, which err by \[^\n\]*, rounding by \[^\n\]*: agrees, the worst of 1 elements looked at, of 1\n" } */
/* { dg-output ".*call 4: dy.\[0-9\]. is \[^\n\]*: agrees, the worst of 9 elements looked at, of 9\n" } */
/* { dg-output "\[^\n\]*call 4: dz.\[0-9\]. is \[^\n\]*: agrees, the worst of 4 elements looked at, of 4\n" } */
/* { dg-output "\[^\n\]*call 4: ds .of result. is \[^\n\]*: agrees, the worst of 1 elements looked at, of 1\n" } */
/* { dg-output "\[^\n\]*call 4: agrees with 'forth'; along a direction the tangent gives \[-0-9.\]*, the gradient \[-0-9.\]*, rounding errs by \[0-9e.-\]*\n" } */
/* { dg-output "\[^\n\]*gradcheck-7.c:56: \[^\n\]*call 1: dy.3. is -0.2001\[0-9\]*, -0.2 by differences, which err by \[0-9e.-\]*, rounding by \[0-9e.-\]*: differs, as 1 of 9 elements looked at, of 9\n" } */
/* { dg-output "\[^\n\]*gradcheck-7.c:56: \[^\n\]*call 1: is not the tangent of 'squares'; along a direction the tangent gives \[-0-9.\]*, the gradient \[-0-9.\]*, rounding errs by \[0-9e.-\]*\n" } */
/* { dg-output "tensor: gradcheck: 4 calls of 2 gradients checked, 1 differ; 1 were not looked at\n$" } */

#include <math.h>

static double
forth (int n, double p, const double *x, const double w[n][n], float *y,
       double *z)
{
  double s = 0;
  for (int i = 0; i < n; i++)
    {
      y[i] = p * x[i];
      for (int j = 0; j < i; j++)
        y[i] += w[i][j] * sin (x[j]);
      if (i % 2)
        z[i] = z[i] * x[i] + y[i];
      s += x[i] * x[i] * x[i];
    }
  return s;
}

#pragma tensor tangent(forth) of(y: dy, z: dz, return: ds) wrt(x: dx, p: dp)
void along (int n, double p, const double *x, const double w[n][n],
            const double *z, const double *dx, double dp, float *dy, double *dz,
            double *ds);

static double square (double x);

#pragma tensor derivative(square) of(return: g) wrt(x: dx)
static void
square_back (double x, double g, double *dx)
{
  *dx += g * 2.001 * x;
}

static void
squares (int n, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    y[i] = i == 3 ? square (x[i]) : x[i];
}

#pragma tensor tangent(squares) of(y: dy) wrt(x: dx)
void squares_along (int n, const double *x, const double *dx, double *dy);

static double
square (double x)
{
  return x * x;
}

int
main (void)
{
  static const int sizes[] = { 0, 1, 3, 9 };
  static double x[9], w[81], dx[9], z[9], dz[9], ds;
  static float dy[9];
  for (int i = 0; i < 81; i++)
    w[i] = 0.25 * i - 7;
  for (int i = 0; i < 9; i++)
    {
      x[i] = 0.3 * i - 1;
      dx[i] = 1 + i % 3;
      z[i] = i;
      dz[i] = 0.5;
    }
  for (int k = 0; k < 4; k++)
    along (sizes[k], 0.75, x, (const double (*)[sizes[k]]) w, z, dx, -0.5, dy,
           dz, &ds);
  squares_along (9, x, dx, dz);
  return 0;
}
