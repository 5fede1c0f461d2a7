/* Sums into elements that indices name: the ends of the box are found, then
   chunks of it are summed by threads; a histogram is shared by owner only.  */
/* { dg-tensor-opts "dump=plan,chunks" } */
/* { dg-final { scan-tns-dump plan "^reduce i in S1: 16$" } } */
/* { dg-final { scan-tns-dump chunks "for chunk = 0 to .*32 . max.*i64.most_1. - i64.least_1. . 1," } } */
/* { dg-final { scan-tns-dump chunks "least_1_2 min= at.i_1.;" } } */
/* { dg-final { scan-tns-dump chunks "y_1.chunk..i64.at.i_1.. - i64.least_1.. .= exp.x.i_1..;" } } */
/* { dg-final { scan-json "\"function\": \"exponentials\",\[^\\n\]*\"parallel_loops\": 1," } } */
/* { dg-final { scan-json "\"function\": \"histogram\",\[^\\n\]*\"parallel_loops\": 1," } } */

#include <math.h>

void
exponentials (int n, const int *restrict at, const float *restrict x,
              float *restrict y)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    y[at[i]] += expf (x[i]);
}

void
histogram (int n, const int *restrict at, int *restrict y)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    y[at[i]] += 1;
}
