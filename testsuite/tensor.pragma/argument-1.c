/* What stands between a clause's parentheses must be what it takes.  */

void
f (int n, float *x)
{
#pragma tensor temp /* { dg-error "expected .\[(\]. before end of line" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor temp() /* { dg-message "21: error: expected a name before" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor temp(x /* { dg-error "expected .\[)\]. before end of line" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor tile(i) /* { dg-message "22: error: expected .:. before" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor tile(i: 0) /* { dg-message "24: error: expected a whole number greater than 0" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor tile(i: 3.5) /* { dg-message "24: error: expected a whole number greater than 0" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor name(rows) /* { dg-message "21: error: expected a string that is not empty" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor check(1) /* { dg-message "21: error: .check. takes no argument" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor temp(x), fp(fast) /* { dg-message "23: error: expected a clause before" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor assume(n >) /* { dg-message "26: error: expected a name or a number before" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor assume(n = 3) /* { dg-message "25: error: expected .\[)\]. before" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
}
