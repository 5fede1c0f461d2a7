/* pointer: what it points to is not known.  */

#include <stdlib.h>


static void
f (int n, float **rows, float *a, float *b)
{
#pragma tensor /* { dg-missed "what rows.i. points to is not known" } */
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 4; k++)
      rows[i][k] = k;
#pragma tensor /* { dg-missed "points to is not known" } */
  for (int i = 0; i < n; i++)
    *(i % 2 ? a : b) = i;
}

int
main (void)
{
  float x[8];
  float *rows[] = { x, x + 4 };
  f (2, rows, x, x + 1);
  if (x[0] != 1 || x[1] != 0 || x[7] != 3)
    abort ();
  return 0;
}
