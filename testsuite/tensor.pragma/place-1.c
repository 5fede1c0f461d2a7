/* Pragmas in wrong places.  */

#pragma tensor fp(fast) /* { dg-message "9: error: .#pragma tensor. outside of a function" } */

#pragma tensor function /* { dg-message "9: error: \[^\n\]*before something that is not the definition of a function" } */
int prototype (int);

#pragma tensor function /* { dg-error "before something that is not the definition of a function" } */
int variable;

#pragma tensor function temp(x) /* { dg-message "25: error: .function. takes no clauses" } */
int
g (int a)
{
  return a;
}

#pragma tensor function
#pragma tensor function /* { dg-error "given twice" } */
int
h (int a)
{
  return a;
}

void
f (int n, float *x)
{
#pragma tensor function /* { dg-error "inside of a function" } */
#pragma tensor temp(x) function /* { dg-message "24: error: .function. must stand first" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
}
