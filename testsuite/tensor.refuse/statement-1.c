/* statement: a switch that is left from within.  */

#include <stdlib.h>

static int x[8];

static void
f (int n)
{
#pragma tensor /* { dg-missed "not understood: switch" } */
  for (int i = 0; i < n; i++)
    switch (i % 3)
      {
      case 0:
        x[i] = 1;
        if (i < 9)
          break;
      default:
        x[i] = 2;
      }
}

int
main (void)
{
  f (8);
  if (x[6] != 1 || x[7] != 2)
    abort ();
  return 0;
}
