/* A version for a number takes it in the guards too: the bounds that they
   speak of are affine there.  */
/* { dg-tensor-opts "dump=simplify" } */
/* { dg-final { scan-tns-dump-times simplify "guard 0 <= .n >= k . n - k \\+ 1 : 0.;" 1 } } */
/* { dg-final { scan-tns-dump-times simplify "guard 0 <= .n >= k . .n - k. / 2 \\+ 1 : 0.;" 1 } } */

static int
places (int n, int k, int s)
{
  return n >= k && s != 0 ? (n - k) / s + 1 : 0;
}

void
pool (int n, int k, int s, float *restrict y, const float *restrict x,
      const float *restrict w)
{
#pragma tensor /* { dg-message "a version for s = 2; a version for s = 1" } */
  for (int i = 0; i < places (n, k, s); i++)
    for (int j = 0; j < places (n, k, s); j++)
      {
        float sum = 0;
        for (int a = 0; a < k; a++)
          for (int b = 0; b < k; b++)
            sum += x[(i * s + a) * n + j * s + b] * w[a * k + b];
        y[i * n + j] = sum;
      }
}
