/* How much work a loop has is computed where it is asked whether threads pay,
   and handed to what asks for them.  */
/* { dg-do compile } */
/* { dg-additional-options "-O2" } */
/* { dg-final { scan-assembler-times "\ti?divq" 3 } } */

int
distance (long n, const unsigned long *x, const unsigned long *y)
{
  int sum = 0;
#pragma tensor /* { dg-optimized "parallel over i" } */
  for (long i = 0; i < n; i++)
    sum += __builtin_popcountl (x[i] ^ y[i]);
  return sum;
}
