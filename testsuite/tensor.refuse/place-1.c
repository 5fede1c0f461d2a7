/* place: neither a loop nor a block follows.
   { dg-do compile }  */

static float x[64];

void
f (int n)
{
#pragma tensor /* { dg-error "a loop or a block must follow" } */
  x[0] = n;
#pragma tensor /* { dg-error "a loop or a block must follow" } */
  if (n > 3)
    x[1] = n;
#pragma tensor /* { dg-error "a loop or a block must follow" } */
  switch (n)
    {
    case 2:
      x[n] = n;
    }
}
