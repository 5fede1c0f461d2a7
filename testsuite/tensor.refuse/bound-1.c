/* bound: a bound that the loop changes.  */

#include <stdlib.h>

struct row
{
  int n;
  int *x;
};

static void
f (struct row *r)
{
#pragma tensor /* { dg-missed "the bound r->n may change" } */
  for (int i = 0; i < r->n; i++)
    {
      r->x[i] = 3;
      r->n -= i == 4;
    }
}

static float
g (int *left, const float *v, int n)
{
  float s = 0;
#pragma tensor /* { dg-missed "the bound .* may change" } */
  for (int i = 0; i < n; i++)
    for (int k = 0; k < left[i]; k++)
      {
        s += v[k];
        left[i] -= v[k] == 2;
      }
  return s;
}

int
main (void)
{
  struct row r = { 5 };
  int left[] = { 2, 0, 4 };
  float v[] = { 1, 2, 4, 8 };
  r.x = malloc (5 * sizeof *r.x);
  f (&r);
  if (r.x[4] != 3 || g (left, v, 3) != 10)
    abort ();
  return 0;
}
