/* Sums of a bias around the products of weights get loops of their own, and the
   products a tile in registers, also where the bias may be missing.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-tns-dump-times plan "split o in S2: S2" 2 } } */
/* { dg-final { scan-tns-dump-times plan "kernel S3: o:\[0-9\]+ i:\[0-9\]+" 2 } } */

#include <stddef.h>

#define BACKWARD(BIAS)                                                         \
  for (int o = 0; o < k; o++)                                                  \
    for (int t = 0; t < n; t++)                                                \
      {                                                                        \
        float d = dy[t * k + o];                                               \
        BIAS db[o] += d;                                                       \
        for (int i = 0; i < m; i++)                                            \
          dw[o * m + i] += x[t * m + i] * d;                                   \
      }

void
backward (int n, int m, int k, const float *dy, const float *x, float *dw,
          float *db)
{
#pragma tensor
  BACKWARD ()
}

void
backward_or_none (int n, int m, int k, const float *dy, const float *x,
                  float *dw, float *db)
{
#pragma tensor
  BACKWARD (if (db != NULL))
}
