/* not-a-loop: a block without a loop.  */

#include <stdlib.h>


static int
f (int a)
{
#pragma tensor /* { dg-missed "there is no loop" } */
  {
    int b = a + 1;
    a = 2 * b;
  }
  return a;
}

int
main (void)
{
  if (f (3) != 8)
    abort ();
  return 0;
}
