/* Weighted windows of unknown length have their lanes along the rows that they
   slide over: dots would be added up for each element.  Where the rows' borders
   clamp, that is so in the interior.  */
/* { dg-tensor-opts "machine=avx512 dump=plan" } */
/* { dg-final { scan-tns-dump plan "kernel S2: x:1 x:64 strip" } } */
/* { dg-final { scan-tns-dump-times plan " strip" 2 } } */
/* { dg-final { scan-tns-dump-times plan " dot" 0 } } */
/* { dg-final { scan-tns-dump plan "simd k in S2_b1" } } */

void
rows (int h, int w, int r, const float *restrict s, const float *restrict g,
      float *restrict d)
{
#pragma tensor
  for (int y = 0; y < h; y++)
    for (int x = r; x < w - r; x++)
      {
        float t = 0;
        for (int k = -r; k <= r; k++)
          t += g[k + r] * s[y * w + x + k];
        d[y * w + x] = t;
      }
}

void
clamped (int h, int w, int r, const float *restrict s, const float *restrict g,
         float *restrict d)
{
#pragma tensor
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      {
        float t = 0;
        for (int k = -r; k <= r; k++)
          {
            int q = x + k;
            q = q < 0 ? 0 : q >= w ? w - 1 : q;
            t += g[k + r] * s[y * w + q];
          }
        d[y * w + x] = t;
      }
}
