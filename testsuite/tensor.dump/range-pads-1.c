/* The iterations that read inside of a row are cut out of those that do not;
   of a window that reaches beyond it those of which all elements are inside,
   where no condition is left if its rows are, too.  */
/* { dg-tensor-opts "dump=cut" } */
/* { dg-final { scan-file %b.c.tensor "from = min.max.floordiv.-q - 1, 2. . 1, 0., m.;" } } */
/* { dg-final { scan-file %b.c.tensor "for w_1 = 0 to from simd..*. .\n *y.w_1. = 0.0f32;" } } */
/* { dg-final { scan-file %b.c.tensor "for w_1 = from to to simd..*. .\n *y.w_1. = x.w_1 . 2 . q.;" } } */
/* { dg-final { scan-file %b.c.tensor "for w_1 = to to m simd..*. .\n *y.w_1. = 0.0f32;" } } */
/* { dg-final { scan-file %b.c.tensor "if .h . p >= i_1 . 1 && i_1 >= p && h . p >= i_1 . 2 && i_1 . 1 >= p. .\n *for j_1 = from to to simd.8. .\n *local f32 s_1_2;\n *s_1_2 = 0.0f32;\n *s_1_2 .= x.i_1 - p..j_1 - p. . k.0..0.;\n *s_1_2 .= x.i_1 - p..j_1 . 1 - p. . k.0..1.;" } } */

void
f (int m, int r, int h, int q, int n, const float *restrict x,
   float *restrict y)
{
#pragma tensor parallel(off)
  for (int w = 0; w < m; w++)
    y[w] = r < h && 2 * w + q >= 0 && 2 * w + q < n ? x[2 * w + q] : 0;
}

void
g (int h, int n, int p, const float *restrict x, const float *restrict k,
   float *restrict y)
{
#pragma tensor parallel(off)
  for (int i = 0; i < h; i++)
    for (int j = 0; j < n; j++)
      {
        float s = 0;
        for (int a = 0; a < 2; a++)
          for (int b = 0; b < 2; b++)
            if (i + a - p >= 0 && i + a - p < h && j + b - p >= 0
                && j + b - p < n)
              s += x[(i + a - p) * n + j + b - p] * k[a * 2 + b];
        y[i * n + j] = s;
      }
}
