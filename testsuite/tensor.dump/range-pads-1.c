/* The iterations that read inside of a row are cut out of those that do
   not.  */
/* { dg-tensor-opts "dump=cut" } */
/* { dg-final { scan-file %b.c.tensor "from = min.max.floordiv.-q - 1, 2. . 1, 0., m.;" } } */
/* { dg-final { scan-file %b.c.tensor "for w_1 = 0 to from simd..*. .\n *y.w_1. = 0.0f32;" } } */
/* { dg-final { scan-file %b.c.tensor "for w_1 = from to to simd..*. .\n *y.w_1. = x.w_1 . 2 . q.;" } } */
/* { dg-final { scan-file %b.c.tensor "for w_1 = to to m simd..*. .\n *y.w_1. = 0.0f32;" } } */

void
f (int m, int r, int h, int q, int n, const float *restrict x,
   float *restrict y)
{
#pragma tensor parallel(off)
  for (int w = 0; w < m; w++)
    y[w] = r < h && 2 * w + q >= 0 && 2 * w + q < n ? x[2 * w + q] : 0;
}
