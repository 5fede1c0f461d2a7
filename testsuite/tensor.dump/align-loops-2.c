/* Who says where loops begin is heard.  */
/* { dg-do compile { target x86_64-*-* } } */
/* { dg-additional-options "-O3 -falign-loops=16" } */
/* { dg-final { scan-assembler-not "\\.p2align 5" } } */

void
walk (int n, int *restrict value, int *restrict size)
{
#pragma tensor
  {
    for (int i = 1; i < n; i++)
      value[i] = value[i - 1] * 3 ^ value[i];
    for (int i = 1; i < n; i++)
      size[i] = size[i - 1] * 5 + value[i];
  }
}
