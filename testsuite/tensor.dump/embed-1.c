/* A product's cells are begun in the first block of its sum, with as many
   copies as its tile has, and stay in registers from there on.  */
/* { dg-tensor-opts "dump=plan,promote" } */
/* { dg-final { scan-tns-dump plan "^embed S1 in S2: k.0:0$" } } */
/* { dg-final { scan-tns-dump plan "^unroll i.1 in S1: 6$" } } */
/* { dg-final { scan-tns-dump promote "c_1 = splat:f32x8.0.0f32.;" } } */

void
product (int n, int m, int l, const float *restrict a, const float *restrict b,
         float *restrict c)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        c[i * m + j] = 0;
        for (int k = 0; k < l; k++)
          c[i * m + j] += a[i * l + k] * b[k * m + j];
      }
}
