/* A scalar loop begins at half a line of the instruction cache: one of a few
   instructions then lies in one line.  */
/* { dg-do compile { target x86_64-*-* } } */
/* { dg-additional-options "-O3" } */
/* { dg-final { scan-assembler "\\.p2align 5" } } */

void
best (int n, int *restrict value, int *restrict size)
{
#pragma tensor
  for (int i = 0; i < 20; i++)
    for (int w = n - 1; w >= size[i]; w--)
      if (value[w - size[i]] + i > value[w])
        value[w] = value[w - size[i]] + i;
}
