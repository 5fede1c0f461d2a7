/* place: neither a loop nor a block follows.
   { dg-do compile }  */

static float x[64];

void
f (int n)
{
#pragma tensor /* { dg-error "a for loop or a block must follow" } */
  x[0] = n;
#pragma tensor /* { dg-error "a for loop or a block must follow" } */
  if (n > 3)
    x[1] = n;
#pragma tensor /* { dg-error "a for loop or a block must follow" } */
  while (n--)
    x[n] = n;
}
