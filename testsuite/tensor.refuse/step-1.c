/* step: a loop that advances its iterator by what is not constant.  */

#include <stdlib.h>


static float x[16];

static void
f (int n, int step)
{
  int i;
#pragma tensor /* { dg-missed "does not advance i by a constant" } */
  for (i = 0; i < n; i += step++)
    x[i] = 1;
#pragma tensor /* { dg-missed "does not advance i by a constant" } */
  for (i = 1; i < n; i *= 2)
    x[i] += 1;
}

int
main (void)
{
  f (16, 3);
  if (x[3] != 1 || x[1] != 1 || x[7] != 1 || x[8] != 1 || x[5] != 0)
    abort ();
  return 0;
}
