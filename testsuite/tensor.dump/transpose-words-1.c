/* Whole numbers that are transposed move through floating registers, in which
   GCC pieces vectors together.  */
/* { dg-additional-options "-O3 -fdump-tree-optimized=transpose-words-1.opt" } */
/* { dg-final { scan-file transpose-words-1.opt "vector.8. float" } } */
/* { dg-final { scan-file transpose-words-1.opt "vector.4. double" } } */

void
words (int n, int a[restrict][100], const int b[restrict][100])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] = b[i][j];
}

void
longs (int n, long a[restrict][100], const long b[restrict][100])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] = b[i][j];
}
