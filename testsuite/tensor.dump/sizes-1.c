/* A size that is a sum, h - 2, is found in a flat subscript; the sum over a
   window and channels is a product with tiles in registers, not written
   out.  */
/* { dg-tensor-opts "dump=shapes,plan" } */
/* { dg-final { scan-tns-dump shapes "array f32 y\\\[\\\]\\\[h - 2\\\]\\\[16\\\]" } } */
/* { dg-final { scan-tns-dump shapes "y\\\[i\\\]\\\[j\\\]\\\[o\\\]" } } */
/* { dg-final { scan-tns-dump shapes "array f64 z\\\[\\\]\\\[h - 2\\\]\\\[v \\+ 3\\\]" } } */
/* { dg-final { scan-tns-dump plan "^kernel S2: j:" } } */

void
convolve (int h, const float *restrict x, const float *restrict w,
          float *restrict y)
{
#pragma tensor
  for (int i = 0; i < h - 2; i++)
    for (int j = 0; j < h - 2; j++)
      for (int o = 0; o < 16; o++)
        {
          float s = 0;
          for (int p = 0; p < 3; p++)
            for (int q = 0; q < 3; q++)
              for (int k = 0; k < 8; k++)
                s += x[((i + p) * h + j + q) * 8 + k]
                     * w[((p * 3 + q) * 8 + k) * 16 + o];
          y[(i * (h - 2) + j) * 16 + o] = s;
        }
}

void
clear (int h, int v, double *restrict z)
{
#pragma tensor
  for (int k = 0; k < h; k++)
    for (int i = 0; i < h - 2; i++)
      for (int j = 0; j < v + 3; j++)
        z[(k * (h - 2) + i) * (v + 3) + j] = 0;
}
