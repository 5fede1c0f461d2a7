/* A counter of few bits begins at what its type can hold, which is asked once,
   and not at what is right but for multiples of 65536.  */
/* { dg-tensor-opts "dump=hoist" } */
/* { dg-final { scan-file %b.c.tensor "guard n \\+ 32767 >= 0 && 32768 >= n;" } } */

void
squares (int n, const double *restrict x, double *restrict y)
{
#pragma tensor
  for (short i = n - 1; i >= 0; i--)
    y[i] = x[i] * x[i];
}
