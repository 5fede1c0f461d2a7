/* sanitize: divisions, shifts and conversions that a sanitizer checks.
   { dg-require-effective-target sanitize }
   { dg-additional-options "-fsanitize=undefined,float-cast-overflow" }  */

#include <stdlib.h>

static int x[10], y[10];
static double z[10];

static int
quotient (int a, int b)
{
  return a / b;
}

static void
f (int n, int m)
{
#pragma tensor /* { dg-missed "-fsanitize has this division checked" } */
  for (int i = 0; i < n; i++)
    x[i] = i / m;
#pragma tensor /* { dg-missed "-fsanitize has this division checked" } */
  for (int i = 0; i < n; i++)
    x[i] = i > 3 ? x[i] + quotient (i, m) : x[i] % m;
#pragma tensor /* { dg-missed "-fsanitize has this division checked" } */
  for (int i = 0; i < n; i++)
    y[i / m] = x[i];
#pragma tensor /* { dg-missed "-fsanitize has this division checked" } */
  for (int i = 0; i < n; i++)
    y[i] += quotient (x[i], m);
#pragma tensor /* { dg-missed "-fsanitize has this shift checked" } */
  for (int i = 0; i < n; i++)
    y[i] += x[i] << 1;
#pragma tensor /* { dg-missed "-fsanitize has this conversion checked" } */
  for (int i = 0; i < n; i++)
    y[i] += (int) z[i];
#pragma tensor /* { dg-optimized "" } */
  for (int i = 0; i < n; i++)
    y[i] = y[i] * 2 + x[i] / 3 + (x[i] >> 1);
}

int
main (void)
{
  f (10, 3);
  if (x[9] != 6 || y[9] != 33)
    abort ();
  return 0;
}
