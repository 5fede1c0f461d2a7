/* What waits of sums that indices find: what is dear takes lanes, in short
   loops inside, too, and the sums follow.  */
/* { dg-tensor-opts "dump=unroll,plan" } */
/* { dg-final { scan-tns-dump-times unroll "local f64 wait\[_0-9\]*\\\[256\\\];" 1 } } */
/* { dg-final { scan-tns-dump-times unroll "local f64 wait\\\[3\\\]\\\[256\\\];" 1 } } */
/* { dg-final { scan-tns-dump unroll "S1_wait: wait.i - block . 256. = log.x.i..;" } } */
/* { dg-final { scan-tns-dump unroll "S1: y.i64.at.i_1... .= wait.i_1 - block . 256.;" } } */
/* { dg-final { scan-tns-dump unroll "S1: y.i64.at.i_1....k_1. .= wait.k_1..i_1 - block . 256.;" } } */
/* { dg-final { scan-tns-dump-times plan "^simd i in S1_wait: 4$" 2 } } */

#include <math.h>

void
logarithms (int n, const int *restrict at, const double *restrict x,
            double *restrict y)
{
#pragma tensor /* { dg-message "note: " } */
  for (int i = 0; i < n; i++)
    y[at[i]] += log (x[i]);
}

void
sines (int n, const int *restrict at, const double *restrict x,
       double y[restrict][3])
{
#pragma tensor /* { dg-message "note: " } */
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++)
      y[at[i]][k] += sin (x[i] + k);
}

/* Nothing waits where the index changes in the loop, in rows of unlike lengths,
   in loops of few iterations, under conditions, which may be rare, and where
   nothing is dear.  */
void
changes (int n, int *restrict at, const double *restrict x, double *restrict y)
{
#pragma tensor /* { dg-message "note: " } */
  for (int i = 0; i < n; i++)
    {
      y[at[i]] += exp (x[i]);
      at[i] = i;
    }
}

void
ragged (int n, const int *restrict first, const int *restrict at,
        const double *restrict x, double *restrict y)
{
#pragma tensor /* { dg-message "note: " } */
  for (int i = 0; i < n; i++)
    for (int p = first[i]; p < first[i + 1]; p++)
      y[at[p]] += x[p] / x[i];
}

void
few (const int *restrict at, const double *restrict x, double *restrict y)
{
#pragma tensor /* { dg-message "note: " } */
  for (int i = 0; i < 15; i++)
    y[at[i]] += exp (x[i]);
}

void
rare (int n, const int *restrict at, const double *restrict x,
      double *restrict y)
{
#pragma tensor /* { dg-message "note: " } */
  for (int i = 0; i < n; i++)
    if (x[i] > 0.98)
      y[at[i]] += exp (x[i]);
}

void
chosen (int n, const int *restrict at, const double *restrict x,
        double *restrict y)
{
#pragma tensor /* { dg-message "note: " } */
  for (int i = 0; i < n; i++)
    y[at[i]] += x[i] > 0.98 ? 1 / x[i] : x[i];
}

void
cheap (int n, const int *restrict at, const double *restrict x,
       double *restrict y)
{
#pragma tensor /* { dg-message "note: " } */
  for (int i = 0; i < n; i++)
    y[at[i]] += 2 * x[i];
}
