/* pointer: what it points to is not known.  */

#include <stdlib.h>


static void
f (int n, float **rows, const int *at, float *a, float *b)
{
#pragma tensor /* { dg-missed "what rows.at.i.. points to is not known" } */
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 4; k++)
      rows[at[i]][k] = k;
#pragma tensor /* { dg-missed "points to is not known" } */
  for (int i = 0; i < n; i++)
    *(i % 2 ? a : b) = i;
}

int
main (void)
{
  float x[8];
  float *rows[] = { x + 4, x };
  static const int at[] = { 1, 0 };
  f (2, rows, at, x, x + 1);
  if (x[0] != 1 || x[1] != 0 || x[7] != 3)
    abort ();
  return 0;
}
