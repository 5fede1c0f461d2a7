/* What the result of a call is added to is loaded behind the call.  */
/* { dg-additional-options "-O3 -fopenmp -fdump-tree-gimple=late-load-1.gimple" } */
/* { dg-final { scan-file-not late-load-1.gimple {= \*_[0-9]+;\n[^\n]*\n[^\n]*\n[^\n]* __builtin_log \(} } } */
/* { dg-final { scan-file late-load-1.gimple {0\.5|5\.0e-1;\n[^\n]* __builtin_log \(} } } */

#include <math.h>

void
logarithms (int n, double *restrict y, const int *restrict at,
            const double *restrict x)
{
#pragma tensor /* { dg-optimized "parallel over i" } */
  for (int i = 0; i < n; i++)
    if (x[i] > 0.75)
      y[at[i]] += log (x[i] + 0.5);
}
