/* A function of the same lanes that stands in three places is called once, in
   whole vectors and in what is left.  */
/* { dg-do compile } */
/* { dg-additional-options "-fno-openmp" } */
/* { dg-final { scan-assembler-times "call\t_ZGVdN8v_tanhf" 2 } } */

#include <math.h>

void
slope (int n, const float *restrict x, const float *restrict dy,
       float *restrict dx)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float s = 1 + tanhf (x[i]);
      dx[i] = dy[i] * (s + x[i] * (1 - tanhf (x[i])) * (1 + tanhf (x[i])));
    }
}
