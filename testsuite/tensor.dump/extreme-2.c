/* The greatest and the least element are found in vectors under -ffast-math,
   too, however they are chosen.  */
/* { dg-do compile } */
/* { dg-additional-options "-ffast-math" } */
/* { dg-final { scan-assembler "vmaxps" } } */
/* { dg-final { scan-assembler "vminpd" } } */

float
greatest (int n, const float *x)
{
  float most = x[0];
#pragma tensor /* { dg-message "simd 8" } */
  for (int i = 1; i < n; i++)
    most = x[i] > most ? x[i] : most;
  return most;
}

double
least (int n, const double *x)
{
  double least = x[0];
#pragma tensor /* { dg-message "simd 4" } */
  for (int i = 1; i < n; i++)
    least = least > x[i] ? x[i] : least;
  return least;
}
