/* atomic: an object of an atomic type.  */

#include <stdlib.h>


static _Atomic int count[4];
static int x[4];

static void
f (int n)
{
#pragma tensor /* { dg-missed "count.* is atomic" } */
  for (int i = 0; i < n; i++)
    x[i] = count[i] + 1;
}

int
main (void)
{
  f (4);
  if (x[3] != 1)
    abort ();
  return 0;
}
