/* statement: a switch that is left from within, and a statement
   expression.  */

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
#pragma tensor /* { dg-missed "not understood" } */
  for (int i = 0; i < n; i++)
    x[i] += ({
      int t = i;
      t *t;
    });
}

int
main (void)
{
  f (8);
  if (x[6] != 37 || x[7] != 51)
    abort ();
  return 0;
}
