/* side-effect: a pointer in memory is changed inside an expression.  */

#include <stdlib.h>

static int x[8], y[8] = { 3, 1, 4, 1, 5, 9, 2, 6 };

struct reader
{
  const int *at;
};

static void
f (struct reader *r, int n)
{
#pragma tensor /* { dg-missed "changes a variable inside an expression" } */
  for (int i = 0; i < n; i++)
    x[i] = *r->at++;
}

int
main (void)
{
  struct reader r = { y };
  f (&r, 8);
  if (x[7] != 6 || x[5] != 9 || r.at != y + 8)
    abort ();
  return 0;
}
