/* contradiction: conditions of assume that exclude each other.
   { dg-do compile }  */

void
f (int n, float *x)
{
#pragma tensor assume(n > 0, n < 0) /* { dg-message "25: error: what assume says here never holds" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor assume(0) /* { dg-message "23: error: what assume says here never holds" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
}
