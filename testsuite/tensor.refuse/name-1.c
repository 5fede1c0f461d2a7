/* name: a clause with a name that is not in scope, or that is no iterator.
   { dg-do compile }  */

static float x[64];

void
f (int n)
{
#pragma tensor temp(y) /* { dg-error "y is not in scope" } */
  for (int i = 0; i < n; i++)
    x[i] = i;
#pragma tensor tile(k: 8) /* { dg-error "k is not in scope" } */
  for (int i = 0; i < n; i++)
    x[i] += i;
}
