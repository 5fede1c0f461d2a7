/* Under require a loop that is not handled is an error, with the reason.  */

void
f (int n, volatile float *x)
{
#pragma tensor require(simd) /* { dg-message "24: error: required simd was not achieved: \[^\n\]*x\[^\n\]* is volatile" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
}
