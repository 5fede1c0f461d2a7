/* volatile: an object that has to be accessed as written.  */

#include <stdlib.h>


static volatile int port;
static int x[8];

static void
f (int n)
{
#pragma tensor /* { dg-missed "port is volatile" } */
  for (int i = 0; i < n; i++)
    x[i] = port;
#pragma tensor /* { dg-missed "port is volatile" } */
  for (int i = 0; i < n; i++)
    port = x[i] + i;
}

int
main (void)
{
  port = 3;
  f (8);
  if (port != 10)
    abort ();
  return 0;
}
