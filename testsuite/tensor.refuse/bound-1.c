/* bound: a bound that the loop changes, or that it has to load.  */

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
g (const int *first, const float *v, int n)
{
  float s = 0;
#pragma tensor /* { dg-missed "the bound .* may change" } */
  for (int i = 0; i < n; i++)
    for (int k = 0; k < first[i]; k++)
      s += v[k];
  return s;
}

int
main (void)
{
  struct row r = { 5 };
  int first[] = { 2, 0, 3 };
  float v[] = { 1, 2, 4 };
  r.x = malloc (5 * sizeof *r.x);
  f (&r);
  if (r.x[4] != 3 || g (first, v, 3) != 10)
    abort ();
  return 0;
}
