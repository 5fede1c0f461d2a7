/* Who says where loops begin is heard.  */
/* { dg-do compile { target x86_64-*-* } } */
/* { dg-additional-options "-O3 -falign-loops=16" } */
/* { dg-final { scan-assembler-not "\\.p2align 5" } } */

void
best (int n, int *restrict value, int *restrict size)
{
#pragma tensor
  for (int i = 0; i < 20; i++)
    for (int w = n - 1; w >= size[i]; w--)
      if (value[w - size[i]] + i > value[w])
        value[w] = value[w - size[i]] + i;
}
