/* Gradients of functions of records: the record's loop is written out where its
   body calls a function, and sums that jump from record to record wait, so that
   the function has lanes.  */
/* { dg-tensor-opts "dump=unroll,plan" } */
/* { dg-final { scan-tns-dump-times unroll "local f32 wait\[_0-9\]*\\\[256\\\];" 3 } } */
/* { dg-final { scan-tns-dump plan "^simd j in S8: 8$" } } */
/* { dg-final { scan-tns-dump plan "leaf S17_2_wait_2\n *dim j free\n" } } */

#include <math.h>

static void
density (int n, int m, const float *x, const float *c, float *y)
{
  for (int i = 0; i < n; i++)
    {
      float s = 0;
      for (int j = 0; j < m; j++)
        {
          float q = 0;
          for (int d = 0; d < 3; d++)
            {
              float t = x[i * 3 + d] - c[j * 3 + d];
              q += t * t;
            }
          s += expf (-q * 2);
        }
      y[i] = logf (s);
    }
}

#pragma tensor gradient(density) of(y: dy) wrt(x: dx, c: dc) /* { dg-optimized "simd 8" } */
void density_gradient (int n, int m, const float *restrict x,
                       const float *restrict c, const float *restrict dy,
                       float *restrict dx, float *restrict dc);

/* Nothing waits where nothing is dear.  */
void
add (int n, const float *restrict x, float y[restrict][3])
{
#pragma tensor /* { dg-message "note: " } */
  for (int i = 0; i < n; i++)
    {
      y[i][0] += x[i];
      y[i][1] += 2 * x[i];
      y[i][2] += 3 * x[i];
    }
}
