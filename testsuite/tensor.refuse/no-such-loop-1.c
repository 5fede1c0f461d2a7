/* no-such-loop: a clause over loops names a variable that is no iterator.
   { dg-do compile }  */

void
f (int n, float *x)
{
#pragma tensor parallel(x) /* { dg-message "25: error: x is the iterator of no loop of this region" } */
  for (int i = 0; i < n; i++)
    x[i] = i;
#pragma tensor tile(n: 8) /* { dg-error "n is the iterator of no loop of this region" } */
  for (int i = 0; i < n; i++)
    x[i] += i;
}
