/* What stays as written multiplies and adds as the options say: GCC 12.2 makes
   one instruction of both, in vectors alone (its PR 107647).  */
/* { dg-do compile } */
/* { dg-require-effective-target gcc-12 } */
/* { dg-additional-options "-ffp-contract=off -fno-openmp" } */
/* { dg-final { scan-assembler-not "vfm" } } */

void
turn (int n, const int *restrict from, float *restrict z,
      const float *restrict by)
{
#pragma tensor
  for (int j = 0; j < n; j++)
    {
      float re = by[2 * j];
      float im = by[2 * j + 1];
      for (int p = from[j]; p < from[j + 1]; p++)
        {
          float a = z[2 * p];
          float b = z[2 * p + 1];
          z[2 * p] = a * re - b * im;
          z[2 * p + 1] = b * re + a * im;
        }
    }
}
