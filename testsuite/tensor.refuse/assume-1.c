/* assume: an assumption about what the region changes.
   { dg-do compile }  */

static int limit;
static int x[64];

void
f (int n)
{
#pragma tensor assume(limit > n) /* { dg-error "is not about values" } */
  for (int i = 0; i < n; i++)
    limit = x[i] + i;
}
