/* wrap: the iterator may run past zero, or leave its type with the lanes of a
   vector.  */

#include <stdlib.h>


static float x[16];

static void
f (int n)
{
  for (int i = 0; i != n; i += 3)
    x[i] = 1;
#pragma tensor /* { dg-missed "i may wrap around" } */
  for (unsigned i = 15; i < 16; i--)
    x[i] += 1;
}

static void
g (long n)
{
#pragma tensor /* { dg-missed "k may wrap around" } */
  for (long k = 0; k < n; k += 1L << 61)
    x[k] += 2;
#pragma tensor /* { dg-missed "k may wrap around" } */
  for (long k = n; k > 0; k -= 1L << 40)
    x[k >> 61] += 2;
#pragma tensor /* { dg-missed "may change in this region" } */
  for (long k = 0, l = n; k < l; k++, l -= 1L << 61)
    x[k] += 2;
}

int
main (void)
{
  f (15);
  g (5);
  if (x[3] != 2 || x[1] != 1 || x[0] != 8)
    abort ();
  return 0;
}
