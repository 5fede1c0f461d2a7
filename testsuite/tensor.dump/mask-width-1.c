/* What a comparison of floats chooses of bytes is narrowed in vectors: GCC
   would take the mask apart lane by lane.  */
/* { dg-do compile } */
/* { dg-additional-options "-O3 -march=haswell -fno-openmp" } */
/* { dg-final { scan-assembler-not "vpextrd" } } */
/* { dg-final { scan-assembler "vpackuswb" } } */

void
to_bytes (int n, unsigned char *restrict y, const float *restrict x)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float v = x[i] * 255;
      y[i] = v < 0 ? 0 : v > 255 ? 255 : (int) v;
    }
}
