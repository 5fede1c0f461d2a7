/* A scalar loop begins at half a line of the instruction cache: one of a few
   instructions then lies in one line.  */
/* { dg-do compile { target x86_64-*-* } } */
/* { dg-additional-options "-O3" } */
/* { dg-final { scan-assembler "\\.p2align 5" } } */

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
