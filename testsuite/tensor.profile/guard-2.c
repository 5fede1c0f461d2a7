/* A size that would wrap around in the region's arithmetic, or an empty loop,
   does what the loops as written do, and the counter tells which version
   ran.  */
/* { dg-set-target-env-var TRM_PROFILE "json:guard-2.profile" } */
/* { dg-final { scan-file guard-2.profile "\"name\": \"none\",\[^\n\]*\"calls\": 3,\[^\n\]*\"fallbacks\": 0." } } */

#include <stdlib.h>

static float x[10];

static __attribute__ ((noinline)) void
none (float *x, float *y, int n)
{
#pragma tensor name("none")
  for (int i = 0; i < n; i++)
    x[i] = y[i] + 1;
}

int
main (void)
{
  none (x, x, 0);
  none (x, x + 1, -5);
  none (x, x + 5, 5);
  if (x[0] != 1 || x[4] != 1 || x[5] != 0)
    abort ();
  return 0;
}
