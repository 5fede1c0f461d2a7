/* control: break, return and goto leave a loop before its end.  */

#include <stdlib.h>


static float x[10] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };

static int
f (int n)
{
#pragma tensor /* { dg-missed "break leaves the loop" } */
  for (int i = 0; i < n; i++)
    {
      if (x[i] > 4)
        break;
      x[i] = 0;
    }
#pragma tensor /* { dg-missed "return leaves the loop" } */
  for (int i = 0; i < n; i++)
    if (x[i] > 6)
      return i;
  return -1;
}

static int
g (int n)
{
#pragma tensor /* { dg-missed "goto leaves the loop" } */
  for (int i = 0; i < n; i++)
    if (x[i] > 8)
      goto out;
  return 0;
out:
  return 1;
}

int
main (void)
{
  if (f (10) != 6 || x[3] != 0 || x[4] != 5 || g (10) != 1)
    abort ();
  return 0;
}
