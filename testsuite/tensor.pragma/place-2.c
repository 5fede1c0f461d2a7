/* A pragma stands before a loop or a block, and before nothing else.  */

void
f (int n, float *x)
{
#pragma tensor /* { dg-error "" } */
  n = n + 1;
#pragma tensor /* { dg-error "" } */
  int m = n;
#pragma tensor /* { dg-error "" } */
  if (m)
    for (int i = 0; i < n; i++)
      x[i] = 1;
}
