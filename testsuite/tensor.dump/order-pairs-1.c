/* A loop of choices is put in vectors by GCC though one choice is on the same
   condition as the one before.  */
/* { dg-require-effective-target gcc-12 } */
/* { dg-additional-options "-O3 -mavx512f -mavx512dq -mavx512vl -mavx512bw -fopt-info-vec=order-pairs-1.vec" } */
/* { dg-final { scan-file order-pairs-1.vec "order-pairs-1.c:.*loop vectorized" } } */

void
order (int n, float *restrict a)
{
#pragma tensor
  for (int k = 0; k + 1 < n; k += 2)
    {
      float x = a[k], y = a[k + 1];
      a[k] = x < y ? x : y;
      a[k + 1] = x < y ? y : x;
    }
}
