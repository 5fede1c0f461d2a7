/* The interior of a loop that waits for itself asks no condition of the
   border.  */
/* { dg-tensor-opts "dump=cut" } */
/* { dg-final { scan-file %b.c.tensor "for j_1 = 1 to m .\n *S1: s.j_1. = x.j_1. . s.j_1 . .1.;" } } */

void
f (int m, const int *restrict x, int *restrict s)
{
#pragma tensor
  for (int j = 0; j < m; j++)
    s[j] = x[j] + (j > 0 ? s[j - 1] : 0);
}
