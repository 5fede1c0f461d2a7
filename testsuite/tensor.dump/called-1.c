/* A long loop of calls of vector functions that threads take by tiles is
   a function of its own; a sum is not.  */
/* { dg-do compile } */
/* { dg-additional-options "-O3 -mavx2 -fopenmp" } */
/* { dg-final { scan-assembler "\ncurve\.tensor\.0\.body\[^\n\]*\.body\.\[0-9\]+:" } } */
/* { dg-final { scan-assembler "\ntotal\.tensor\.0\.body\.\[0-9\]+:" } } */
/* { dg-final { scan-assembler-not "\ntotal\[^\n\]*\.body\[^\n\]*\.body\.\[0-9\]+:" } } */

extern float expf (float);

void
curve (int n, float *restrict x, const float *restrict y)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    x[i] = expf (y[i]);
}

float
total (int n, const float *y)
{
  float sum = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    sum += expf (y[i]);
  return sum;
}
