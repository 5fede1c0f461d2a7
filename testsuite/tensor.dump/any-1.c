/* What a condition leaves out for a whole vector is not loaded, either.  */
/* { dg-do compile } */
/* { dg-additional-options "-O3 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -fno-openmp" } */
/* { dg-final { scan-assembler "\tkortestw" } } */

void
blend (int n, float x[restrict n], const float y[n], const float z[n])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    if (y[i] > x[i])
      x[i] += y[i] * z[i];
}
