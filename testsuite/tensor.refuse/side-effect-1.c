/* side-effect: a variable is changed inside an expression that may not be
   evaluated.  */

#include <stdlib.h>


static int x[8];

static int
f (int n)
{
  int k = 0;
#pragma tensor /* { dg-missed "changes a variable inside an expression" } */
  for (int i = 0; i < n; i++)
    x[i] = i % 2 ? k++ : i;
  return k;
}

int
main (void)
{
  if (f (8) != 4 || x[7] != 3 || x[6] != 6)
    abort ();
  return 0;
}
