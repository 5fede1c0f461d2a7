/* Cells of an iteration stand in no order's way: the loop along the rows goes
   inside, whatever they are called.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-tns-dump plan "^order S1: j i$" } } */

void
f (int n, const float *restrict u, const float *restrict v,
   const float *restrict x, float *restrict y)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        float p = i + u[i + n * j], q = j + v[i + n * j];
        if (p > n)
          p = n;
        int k = (int) p, l = (int) q;
        float s = p - k, t = q - l;
        y[i + n * j] = s * t * x[k + n * l] + (1 - s) * (1 - t);
      }
}
