/* Sums of products that go into several elements of a record are left for GCC
   to fuse, which finds sums alike in them first; those of a row are fused.  */
/* { dg-tensor-opts "machine=avx2 dump=simplified" } */
/* { dg-final { scan-file %b.c.tensor "S1: z.i_1 . 4. = x_1 . y_1 - x_2" } } */
/* { dg-final { scan-file-times %b.c.tensor "fma" 1 } } */
/* { dg-final { scan-file %b.c.tensor "S1: z.i_1. = fma" } } */

void
turns (int n, const float *restrict x, const float *restrict y,
       float *restrict z)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      const float *a = x + 4 * i, *b = y + 4 * i;
      float *c = z + 4 * i;
      c[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
      c[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
      c[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
      c[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
    }
}

void
row (int n, const float *restrict x, const float *restrict y, float *restrict z)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    z[i] = x[3 * i] * y[5 * i] + x[3 * i + 1] * y[5 * i + 1];
}
