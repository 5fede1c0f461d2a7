/* What takes long and is done for few lanes is left out for vectors without
   them; what is short is not.  */
/* { dg-tensor-opts "dump=vectors" } */
/* { dg-final { scan-file %b.c.tensor "if .reduce_or.mask\[_0-9\]*.. .\n" } } */
/* { dg-final { scan-file-not %b.c.tensor "region \"few:.*reduce_or" } } */

#include <math.h>

float
near (int n, const float *restrict x, float at)
{
  float sum = 0;
#pragma tensor parallel(off)
  for (int i = 0; i < n; i++)
    {
      float r = (x[3 * i] - at) * (x[3 * i] - at);
      if (r < 1)
        sum += x[3 * i + 1] * expf (-r) / (x[3 * i + 2] + r);
    }
  return sum;
}

float
few (int n, const float *restrict x, float at)
{
  float sum = 0;
#pragma tensor parallel(off)
  for (int i = 0; i < n; i++)
    if (x[i] < at)
      sum += x[i] * x[i];
  return sum;
}
