/* GCC 11 parses a pragma directly under a condition or a loop as all that is
   under it: there this is an error, never another meaning.  */
/* { dg-require-effective-target gcc-11 } */

void
f (int n, int c, float *x)
{
  if (c)
#pragma tensor /* { dg-message "9: error: \[^\n\]*needs braces around it and what follows" } */
    for (int i = 0; i < n; i++)
      x[i] = 1;
  for (int k = 0; k < c; k++)
#pragma tensor /* { dg-error "needs braces" } */
    for (int i = 0; i < n; i++)
      x[i] = 1;
  while (c--)
#pragma tensor /* { dg-error "needs braces" } */
    for (int i = 0; i < n; i++)
      x[i] = 1;
}
