/* What a quotient by the same number needs of this is computed before the loop,
   in whose branches it is used.  */
/* { dg-do compile } */
/* { dg-additional-options "-O3 -mfma -fdump-tree-lim2-details=quotient-5.lim2" } */
/* { dg-final { scan-file quotient-5.lim2 "(?s)Moving statement\n\[^\n\]*FMA" } } */

void
means (int n, int m, float *restrict y, const float (*restrict x)[m])
{
#pragma tensor
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      y[j] += x[i][j] / n;
}
