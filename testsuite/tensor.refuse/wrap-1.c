/* wrap: the iterator may jump over its end, or run past zero.  */

#include <stdlib.h>


static float x[16];

static void
f (int n)
{
#pragma tensor /* { dg-missed "i may wrap around" } */
  for (int i = 0; i != n; i += 3)
    x[i] = 1;
#pragma tensor /* { dg-missed "i may wrap around" } */
  for (unsigned i = 15; i < 16; i--)
    x[i] += 1;
}

int
main (void)
{
  f (15);
  if (x[3] != 2 || x[1] != 1)
    abort ();
  return 0;
}
