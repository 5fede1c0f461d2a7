/* TRM_GRADCHECK=1 looks at the last of several directions: a right one agrees;
   of one that takes a rule of the user's that is wrong the element is told;
   where there is no direction nothing is looked at.  */
/* { dg-tensor-opts "check" } */
/* { dg-set-target-env-var TRM_GRADCHECK "1" } */
/* { dg-output "gradcheck-8.c:33: tensor: gradcheck of 'along', call 1: dy.\[0-6\]. is \[^\n\]*: agrees, the worst of 7 elements looked at, of 7\n" } */
/* { dg-output "\[^\n\]*gradcheck-8.c:33: \[^\n\]*call 1: ds .of result. is 1.8\[0-9\]*, \[^\n\]*: agrees, the worst of 1 elements looked at, of 1\n" } */
/* { dg-output "\[^\n\]*call 1: agrees with 'forth'; along a direction \[^\n\]*\n" } */
/* { dg-output "\[^\n\]*gradcheck-8.c:61: \[^\n\]*call 1: dy.1. is 0.600\[0-9\]*, 0.6 by differences, \[^\n\]*: differs, as 2 of 2 elements looked at, of 2\n" } */
/* { dg-output "\[^\n\]*gradcheck-8.c:61: \[^\n\]*call 1: is not the tangent of 'squares'; \[^\n\]*\n" } */
/* { dg-output "tensor: gradcheck: 2 calls of 2 gradients checked, 1 differ\n$" } */

#include <math.h>

static double
forth (int n, double p, const double *x, double *y)
{
  double s = 0;
  for (int i = 0; i < n; i++)
    {
      y[i] = sin (p * x[i]) * x[i];
      s += x[i];
    }
  return s + p;
}

/* The rows may lie further apart than they are long.  */
enum
{
  WIDE = 9
};

#pragma tensor tangent(forth) of(y                                             \
                                 : dy, return                                  \
                                 : ds) wrt(x                                   \
                                           : dx, p                             \
                                           : dp) directions(m)
void along (int m, int n, double p, const double *x, const double dx[m][WIDE],
            const double dp[m], double dy[m][n], double ds[m]);

static double
square (double x)
{
  return x * x;
}

#pragma tensor derivative(square) of(return : g) wrt(x : dx)
static void
square_back (double x, double g, double *dx)
{
  *dx += 2.001 * x * g;
}

static void
squares (int n, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    y[i] = square (x[i]);
}

#pragma tensor tangent(squares) of(y : dy) wrt(x : dx) directions(m)
void wrong (int m, int n, const double *x, const double dx[m][n],
            double dy[m][n]);

int
main (void)
{
  static const double dx[3][WIDE]
    = { [2] = { 0.1, 0.1, 0.1, 0.2, 0.3, 0.4, 0.5 } };
  static const double dp[3] = { 0.5, 0.3, 0.1 };
  static const double x[7] = { 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7 };
  static const double z[2] = { 2, 1 }, dz[2][2] = { { 1, 1 }, { 0.1, 0.3 } };
  double dy[3][7], ds[3];
  along (3, 7, 0.7, x, dx, dp, dy, ds);
  along (0, 7, 0.7, x, dx, dp, dy, ds);
  wrong (2, 2, z, dz, (double (*)[2]) dy);
  return 0;
}
