/* independent names loops and arrays; what it is for is told where it lacks.  */

void
f (int n, const int *restrict p, float *restrict x, float *restrict y)
{
#pragma tensor independent(n) /* { dg-message "28: error: n is a number, which overlaps nothing" } */
  for (int i = 0; i < n; i++)
    y[p[i]] = x[i];
#pragma tensor independent(z) /* { dg-message "28: error: z is not in scope" } */
  for (int i = 0; i < n; i++)
    y[p[i]] = x[i];
#pragma tensor require(parallel) /* { dg-message "24: error: required parallel was not achieved: \[^\n\]* in a later iteration of i; if they never meet, independent\\(i\\) says so" } */
  for (int i = 0; i < n; i++)
    y[p[i]] = x[i];
#pragma tensor independent(i) require(parallel)
  for (int i = 0; i < n; i++)
    y[p[i]] = x[i];
#pragma tensor independent(y) require(parallel)
  for (int i = 0; i < n; i++)
    {
      int at = p[i];
      y[at] = (y[at] + x[i]) / 2;
    }
#pragma tensor independent(y) require(parallel) /* { dg-message "39: error: required parallel was not achieved" } */
  for (int i = 1; i < n; i++)
    y[p[i]] = y[p[i - 1]] + x[i];
}
