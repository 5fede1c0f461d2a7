/* The one of two vectors that is more, or less, than the other takes one
   instruction, which has it right for zeros and what is no number.  */
/* { dg-do compile } */
/* { dg-final { scan-assembler "vmaxps" } } */
/* { dg-final { scan-assembler "vminps" } } */
/* { dg-final { scan-assembler-not "vcmpps|vcmpltps|vblendvps" } } */

void
clamp (float *restrict x, const float *restrict low)
{
#pragma tensor parallel(off) /* { dg-optimized "simd 8" } */
  for (int i = 0; i < 4096; i++)
    {
      float y = x[i] > low[i] ? x[i] : low[i];
      x[i] = y > 1 ? 1 : y;
    }
}
