/* iterator: it is changed inside its loop.  */

#include <stdlib.h>


static float x[16];

static void
f (int n)
{
#pragma tensor /* { dg-missed "the iterator i is changed" } */
  for (int i = 0; i < n; i++)
    {
      x[i] = 1;
      if (i % 4 == 1)
        i++;
    }
}

int
main (void)
{
  f (16);
  if (x[1] != 1 || x[2] != 0 || x[3] != 1)
    abort ();
  return 0;
}
