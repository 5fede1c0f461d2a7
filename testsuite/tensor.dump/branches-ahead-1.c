/* A branch reads ahead of what the other one stores under a mask: a load behind
   that would wait until it has reached the cache.  */
/* { dg-tensor-opts "dump=vectors" } */
/* { dg-final { scan-tns-dump vectors "ahead.* = .*masked:f32x8.a.i_1" } } */
/* { dg-final { scan-tns-dump vectors "a.i_1.:f32x8 = ahead.* . splat" } } */

void
steps (int n, float *restrict a, float *restrict b, float *restrict c,
       const float *restrict d)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    if (d[i] > 1)
      {
        a[i] += b[i] * c[i];
        b[i] += 1;
      }
    else
      {
        a[i] -= 2;
        c[i] += 3;
      }
}
