/* unseen: loops in a nested function, or where nothing is evaluated.  */

#include <stdlib.h>

static float x[10];

static int
f (int n)
{
  void g (void)
  {
#pragma tensor /* { dg-missed "nested function" } */
    for (int i = 0; i < n; i++)
      x[i] = i;
  }
  g ();
  return sizeof (({
#pragma tensor /* { dg-missed "nothing is evaluated" } */
    for (int i = 0; i < n; i++)
      x[i] = 2 * i;
    1;
  }));
}

int
main (void)
{
  if (f (10) != sizeof (int) || x[9] != 9)
    abort ();
  return 0;
}
