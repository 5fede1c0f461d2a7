/* A product in 64 bits of numbers that have 32 is one instruction, and the mask
   of an operand goes.  */
/* { dg-do compile { target x86_64-*-* } } */
/* { dg-final { scan-assembler "vpmuludq" } } */
/* { dg-final { scan-assembler "vpmuldq" } } */
/* { dg-final { scan-assembler-not "vpand" } } */
/* { dg-final { scan-assembler-not "vpblend" } } */

#include <stdint.h>

void
products (int64_t *restrict y, const int32_t *restrict c,
          const int32_t *restrict d)
{
#pragma tensor
  for (int i = 0; i < 256; i++)
    y[i] = (int64_t) c[i] * d[i];
}

void
halves (uint64_t *restrict x, const uint64_t *restrict p)
{
#pragma tensor
  for (int i = 0; i < 256; i++)
    x[i] = (p[i] & 0xffffffff) * 0xd2511f53 ^ p[i] >> 7;
}
