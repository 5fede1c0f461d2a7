/* A loop that is not handled is a warning of ours, which -Werror leaves one;
   under require it is an error.  */
/* { dg-options "-Werror" } */

void
f (int n, volatile float *x)
{
#pragma tensor /* { dg-warning "not transformed: \[^\n\]*x\[^\n\]* is volatile" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
}
