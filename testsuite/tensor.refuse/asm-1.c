/* asm: it cannot be moved.  */

#include <stdlib.h>


static int x[8];

static void
f (int n)
{
#pragma tensor /* { dg-missed "an asm statement" } */
  for (int i = 0; i < n; i++)
    {
      __asm__ volatile ("" : : : "memory");
      x[i] = i;
    }
}

int
main (void)
{
  f (8);
  if (x[7] != 7)
    abort ();
  return 0;
}
