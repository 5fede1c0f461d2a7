/* expression: a comparison of pointers, a bit field, a union.  */

#include <stdlib.h>


struct flags
{
  unsigned low : 3;
  unsigned high : 5;
};

union word
{
  int i;
  float f;
};

static int x[8];

static void
f (int n, struct flags *p, union word *u, int *q)
{
#pragma tensor /* { dg-missed "not understood" } */
  for (int i = 0; i < n; i++)
    x[i] = x + i < q;
#pragma tensor /* { dg-missed "not understood" } */
  for (int i = 0; i < n; i++)
    p[i].low = x[i];
#pragma tensor /* { dg-missed "not understood" } */
  for (int i = 0; i < n; i++)
    u[i].i = x[i];
}

int
main (void)
{
  struct flags p[8] = { { 0, 0 } };
  union word u[8];
  f (8, p, u, x + 3);
  if (p[2].low != 1 || p[3].low != 0 || u[2].i != 1)
    abort ();
  return 0;
}
