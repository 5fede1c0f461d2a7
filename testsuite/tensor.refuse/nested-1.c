/* nested: a pragma inside the region of another that was taken.  */

#include <stdlib.h>


static float x[64];

static void
f (int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
#pragma tensor /* { dg-missed "inside the region of another" } */
      for (int j = 0; j < n; j++)
        x[i * 8 + j] = i + j;
    }
}

int
main (void)
{
  f (8);
  if (x[63] != 14)
    abort ();
  return 0;
}
