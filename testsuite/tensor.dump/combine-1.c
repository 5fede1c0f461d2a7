/* What threads have made of chunks, a few of them, is combined by a short loop:
   GCC makes no vectors of it, and does not write it down several times.  */
/* { dg-do compile } */
/* { dg-additional-options "-O3" } */
/* { dg-final { scan-assembler-not "\tvpaddd" } } */

int
distance (long n, const unsigned long *x, const unsigned long *y)
{
  int sum = 0;
#pragma tensor /* { dg-optimized "parallel over i" } */
  for (long i = 0; i < n; i++)
    sum += __builtin_popcountl (x[i] ^ y[i]);
  return sum;
}
