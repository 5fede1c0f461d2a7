/* Whether something is a number is asked as that, so that GCC asks it of two at
   once; not whether it is another one than itself.  */
/* { dg-do compile } */
/* { dg-final { scan-assembler "cmpunordps" } } */
/* { dg-final { scan-assembler-not "cmpneqps" } } */

void
columns (int n, int m, float *restrict y, float (*restrict a)[m])
{
#pragma tensor
  for (int j = 0; j < m; j++)
    {
      int lost = 0;
      for (int i = 0; i < n; i++)
        lost |= a[i][j] != a[i][j];
      y[j] = lost;
    }
}
