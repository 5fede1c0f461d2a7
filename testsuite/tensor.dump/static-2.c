/* Static arrays begin where whole vectors do; those that the user has aligned
   stay.  */
/* { dg-do compile } */
/* { dg-additional-options "-mavx512f" } */
/* { dg-final { scan-assembler "\.(local|globl)\tx\n\[^:\]*\.align 64\n\[^:\]*x:" } } */
/* { dg-final { scan-assembler "\.globl\ty\n\[^:\]*\.align 16\n\[^:\]*y:" } } */

float x[1000] = { 1 };
_Alignas(16) float y[1000] = { 1 };

void
scale (void)
{
#pragma tensor
  for (int i = 0; i < 1000; i++)
    y[i] = 2 * x[i];
}
