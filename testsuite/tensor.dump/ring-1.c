/* The interior of a ring, in one and two dimensions, divides no more and loads
   whole vectors; bytes that GCC's vectors take are cut, too.  */
/* { dg-tensor-opts "dump=cut" } */
/* { dg-final { scan-file %b.c.tensor "for i_1 = 1 to n - 1 simd.8. .\n *S1: y.i_1. = x.i_1 . 1. . x.i_1 . 1.;" } } */
/* { dg-final { scan-file %b.c.tensor "for j_1 = 1 to m - 1 simd.8. .\n *S1: q.i_1..j_1. = p.\[^\n\]*..j_1 . 1. . p.i_1..j_1 . 1.;" } } */
/* { dg-final { scan-file %b.c.tensor "for i_1 = 1 to n simd.32. .\n *S1: b.i_1. = u8.a.i_1 . 1. == 2u8" } } */
/* { dg-final { scan-file-not %b.c.tensor "%" } } */

#include <stdint.h>

void
line (int n, const float *restrict x, float *restrict y)
{
#pragma tensor parallel(off)
  for (int i = 0; i < n; i++)
    y[i] = x[(i + 1) % n] - x[(i + n - 1) % n];
}

void
plate (int n, int m, float (*restrict p)[m], float (*restrict q)[m])
{
#pragma tensor parallel(off)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      q[i][j] = p[(i + 1) % n][(j + m - 1) % m] + p[i][(j + 1) % m];
}

void
bytes (int n, const uint8_t *restrict a, uint8_t *restrict b)
{
#pragma tensor parallel(off)
  for (int i = 0; i < n; i++)
    b[i] = a[(i + n - 1) % n] == 2 || (a[i] == 3 && a[(i + n - 1) % n]);
}
