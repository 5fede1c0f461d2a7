/* Arrays and loops named in clauses must be there.  */

void
f (int n, float *restrict x)
{
#pragma tensor temp(nowhere) /* { dg-message "21: error: nowhere is not in scope" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor noalias(nowhere) /* { dg-message "24: error: nowhere is not in scope" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor tile(k: 4) /* { dg-message "21: error: \[^\n\]*k" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
}
