/* type: complex numbers, and structures with pointers as values.  */

#include <complex.h>
#include <stdlib.h>


struct pair
{
  int a;
  int *b;
};

static void
f (int n, float _Complex *z, struct pair *p)
{
#pragma tensor /* { dg-missed "complex float are not handled" } */
  for (int i = 0; i < n; i++)
    z[i] = z[i] * z[i];
#pragma tensor /* { dg-missed "int . are not handled" } */
  for (int i = 1; i < n; i++)
    p[i] = p[i - 1];
}

int
main (void)
{
  float _Complex z[2] = { 2, 3 };
  struct pair p[2] = { { 1, NULL }, { 3, NULL } };
  f (2, z, p);
  if (crealf (z[1]) != 9 || p[1].a != 1)
    abort ();
  return 0;
}
