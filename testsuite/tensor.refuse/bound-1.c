/* bound: a bound that the loop changes, or one that the region computes.  */

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
#pragma tensor /* { dg-missed "the bound k may change" } */
  for (int i = 0; i < n; i++)
    for (int k = 0; k < left[i]; k++)
      {
        s += v[k];
        left[i] -= v[k] == 2;
      }
  return s;
}

static void
h (const int *v, int *restrict taken, int *restrict sum, int n)
{
#pragma tensor /* { dg-missed "the bound n_taken may change in this region" } */
  {
    int n_taken = 0;
    for (int i = 0; i < n; i++)
      if (v[i] > 1)
        taken[n_taken++] = v[i];
    for (int i = 0; i < n_taken; i++)
      for (int k = 0; k < n_taken - i; k++)
        *sum += taken[k];
  }
}

int
main (void)
{
  int numbers[] = { 1, 2, 0, 3 }, taken[4], sum = 0;
  struct row r = { 5 };
  int left[] = { 2, 0, 4 };
  float v[] = { 1, 2, 4, 8 };
  r.x = malloc (5 * sizeof *r.x);
  f (&r);
  h (numbers, taken, &sum, 4);
  if (sum != 7 || r.x[4] != 3 || g (left, v, 3) != 10)
    abort ();
  return 0;
}
