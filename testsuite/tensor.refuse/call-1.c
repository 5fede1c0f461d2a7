/* call: a function whose effects cannot be seen, by its name or a pointer's, or
   that calls itself.  */

#include <stdio.h>
#include <stdlib.h>

static float x[8];

static int
depth (int n)
{
  return n < 1 ? 0 : 1 + depth (n - 1);
}

static void
f (int n)
{
#pragma tensor /* { dg-missed "the call of rand " } */
  for (int i = 0; i < n; i++)
    x[i] = rand () % 2 + 1;
#pragma tensor /* { dg-missed "the call of fflush " } */
  for (int i = 0; i < n; i++)
    fflush (stdout);
#pragma tensor /* { dg-missed "the call of depth " } */
  for (int i = 0; i < n; i++)
    x[i] += depth (i);
}

static int (*deeper[1]) (int) = { depth };

static void
g (int n)
{
#pragma tensor /* { dg-missed "the call of deeper.0. may" } */
  for (int i = 0; i < n; i++)
    x[i] += deeper[0](i);
}

int
main (void)
{
  f (8);
  g (8);
  if (x[7] < 15 || x[7] > 16)
    abort ();
  return 0;
}
