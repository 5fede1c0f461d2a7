/* Tiles of one loop alone, whose iterations touch a few bytes, fill half of the
   first cache.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-tns-dump plan "^trapezoid S1 S2 at i: 2048$" } } */

void
line (int n, const float *restrict x, float *restrict y, float *restrict z)
{
#pragma tensor
  {
    for (int i = 0; i < n; i++)
      y[i] = x[i] * 2 + 1;
    for (int i = 1; i < n - 1; i++)
      z[i] = y[i - 1] + y[i] * 2 + y[i + 1];
  }
}
