/* Sums into elements that indices name: the ends of the box are found, then
   chunks of it are summed by threads; a histogram is shared by owner only.
   Exponentials wait in rows, so that they have lanes; under a condition they do
   not, but the ends are found in lanes all the same.  */
/* { dg-tensor-opts "dump=plan,chunks" } */
/* { dg-final { scan-tns-dump plan "^reduce block in S1_wait: 16$" } } */
/* { dg-final { scan-tns-dump chunks "for chunk = 0 to .*32 . max.*i64.most. - i64.least. . 1," } } */
/* { dg-final { scan-tns-dump chunks "least_2 min= at.i_3.;" } } */
/* { dg-final { scan-tns-dump chunks "y_1.chunk..i64.at.i_3.. - i64.least.. .= wait_1.i_3" } } */
/* { dg-final { scan-tns-dump chunks "i_2 = .* simd.8. .\n *S1_wait: wait_1.* = exp.x.i_2..;" } } */
/* { dg-final { scan-tns-dump chunks "simd.8. reduce.min: least. reduce.max: most. .\n *if .x.i_1. > 0.25f32. .\n *least min= at.i_1.;" } } */
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

void
logarithms (int n, const int *restrict at, const float *restrict x,
            double *restrict y)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    if (x[i] > 0.25f)
      y[at[i]] += log (x[i]);
}
