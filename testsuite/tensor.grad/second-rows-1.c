/* Shows that a derivative of a derivative, whose function knew rows of rows as
   one flat array, keeps to the rows: also its copies of what may overlap.
   { dg-additional-options "-fsanitize=address" }  */

#include <stdlib.h>

enum
{
  SIDE = 13,
  ROWS = 3,
  MOST = 7
};

static void
diagonal (int n, double (*p)[SIDE], const double *q)
{
  for (int i = 0; i < n; i++)
    for (int k = 0; k < ROWS; k++)
      p[k][k] += q[i] * q[i];
}

#pragma tensor tangent(diagonal) of(p: dp) wrt(p: dp, q: dq) fp(strict)
void diagonal_tangent (int n, const double *q, double (*dp)[SIDE],
                       const double *dq);

#pragma tensor tangent(diagonal_tangent) of(dp: tdp)                          \
  wrt(dp: tdp, q: tq) fp(strict)
void diagonal_twice (int n, double (*dp)[SIDE], double (*tdp)[SIDE],
                     const double *q, const double *dq, const double *tq);

/* A * B summed over n elements.  */
static double
product (int n, const double *a, const double *b)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/* P holds WHAT on its diagonal, 1 elsewhere.  */
static void
expect (double (*p)[SIDE], double what)
{
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < SIDE; j++)
      if (p[i][j] != (i == j ? what : 1))
        abort ();
}

/* Rows of ones.  */
static double (*ones (void))[SIDE]
{
  double (*p)[SIDE] = malloc (ROWS * sizeof *p);
  for (int i = 0; i < ROWS * SIDE; i++)
    p[i / SIDE][i % SIDE] = 1;
  return p;
}

int
main (void)
{
  double q[MOST], dq[MOST], tq[MOST];
  for (int i = 0; i < MOST; i++)
    q[i] = i + 1, dq[i] = 2 * i - 3, tq[i] = 5 - i;
  for (int n = 0; n <= MOST; n++)
    {
      double (*dp)[SIDE] = ones ();
      double (*tdp)[SIDE] = ones ();
      double (*both)[SIDE] = ones ();
      diagonal_twice (n, dp, tdp, q, dq, tq);
      expect (tdp, 1 + 2 * product (n, tq, dq));
      diagonal_twice (n, both, both, q, dq, tq);
      free (dp);
      free (tdp);
      free (both);
    }
  return 0;
}
