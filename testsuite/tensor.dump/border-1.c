/* The interior of a loop with clamped borders loads whole vectors.  */
/* { dg-tensor-opts "dump=cut" } */
/* { dg-final { scan-file %b.c.tensor "for j_1 = 0 to min" } } */
/* { dg-final { scan-file %b.c.tensor "for j_1 = 1 to m - 1 simd.8. .\n *S1: y.j_1. = x.j_1 . 1. . x.j_1 . -1. . a.j_1.;" } } */
/* { dg-final { scan-file %b.c.tensor "for j_1 = max" } } */

void
f (int m, const float *restrict x, const float *restrict a,
   float *restrict y)
{
#pragma tensor parallel(off)
  for (int j = 0; j < m; j++)
    {
      int l = j > 0 ? j - 1 : 0, r = j < m - 1 ? j + 1 : m - 1;
      y[j] = x[r] + x[l] + a[j];
    }
}
