/* while: the number of iterations is not known before the loop starts.  */

#include <stdlib.h>


static int x[10] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 0 };

static int
f (void)
{
  int s = 0;
#pragma tensor /* { dg-missed "the while loop" } */
  for (int i = 0; i < 4; i++)
    {
      int k = i;
      while (x[k])
        s += x[k++];
    }
#pragma tensor /* { dg-missed "the for loop" } */
  for (int i = 0; x[i]; i++)
    s += x[i];
#pragma tensor /* { dg-missed "the for loop" } */
  for (int i = 0;; i++)
    if (!x[i])
      return s;
}

int
main (void)
{
  if (f () != 45 + 44 + 42 + 39 + 45)
    abort ();
  return 0;
}
