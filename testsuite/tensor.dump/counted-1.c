/* Bits that are counted word by word are left to GCC, which has an instruction
   for that.  */
/* { dg-do compile } */
/* { dg-additional-options "-O3 -mavx512vpopcntdq -fno-openmp" } */
/* { dg-final { scan-assembler "vpopcntq" } } */

static int
count (unsigned long x)
{
  x -= x >> 1 & 0x5555555555555555;
  x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return (x * 0x0101010101010101) >> 56;
}

void
distances (unsigned long a[restrict 64][32], int d[restrict 64][64])
{
#pragma tensor /* { dg-optimized "kept as written" } */
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 64; j++)
      {
        d[i][j] = 0;
        for (int k = 0; k < 32; k++)
          d[i][j] += count (a[i][k] ^ a[j][k]);
      }
}
