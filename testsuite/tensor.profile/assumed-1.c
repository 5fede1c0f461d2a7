/* What assume says is tested under check: the loops as written run where it does
   not hold, counted as a fallback; without check nobody asks.  */
/* { dg-set-target-env-var TRM_PROFILE "json:assumed-1.profile" } */
/* { dg-output "^$" } */
/* { dg-final { scan-file assumed-1.profile "\"name\": \"tested\",\[^\n\]*\"calls\": 3,\[^\n\]*\"fallbacks\": 2." } } */
/* { dg-final { scan-file assumed-1.profile "\"name\": \"believed\",\[^\n\]*\"calls\": 3,\[^\n\]*\"fallbacks\": 0." } } */

#include <stdlib.h>

static int x[64], y[64];

static __attribute__ ((noinline)) void
tested (int n)
{
#pragma tensor name("tested") check assume(n > 8, n % 4 == 0)
  for (int i = 0; i < n; i++)
    x[i] = 2 * y[i] + 1;
}

static __attribute__ ((noinline)) void
believed (int n)
{
#pragma tensor name("believed") assume(n > 8)
  for (int i = 0; i < n; i++)
    x[i] = 2 * y[i] + 1;
}

int
main (void)
{
  static const int sizes[] = { 8, 12, 15 };
  for (int i = 0; i < 64; i++)
    y[i] = i;
  for (int k = 0; k < 3; k++)
    {
      tested (sizes[k]);
      believed (sizes[k]);
      if (x[sizes[k] - 1] != 2 * sizes[k] - 1)
        abort ();
    }
  return 0;
}
