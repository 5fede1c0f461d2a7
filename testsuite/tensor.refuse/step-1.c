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

/* Steps that are a constant when the loop begins only.  */
static int
uneven (int n)
{
  int i, k;
#pragma tensor /* { dg-missed "does not advance i by a constant" } */
  for (i = 0; i < n; i += 1 + (i & 1))
    x[i] = 2;
#pragma tensor /* { dg-missed "does not advance i by a constant" } */
  for (i = 0, k = 1; i < n; i += k)
    {
      x[i] += 1;
      if (i == 3)
        k = 4;
    }
  return i;
}

/* A condition that assigns.  */
static int
assigned (int n)
{
  int i, last = 0;
#pragma tensor /* { dg-missed "number of iterations of the for loop is not known" } */
  for (i = 0; (last = i) < n; i++)
    x[i] += 1;
  return last;
}

int
main (void)
{
  f (16, 3);
  if (x[3] != 1 || x[1] != 1 || x[7] != 1 || x[8] != 1 || x[5] != 0)
    abort ();
  if (uneven (16) != 19 || x[1] != 3 || x[3] != 3 || x[4] != 1 || x[7] != 3)
    abort ();
  if (assigned (5) != 5 || x[4] != 2)
    abort ();
  return 0;
}
