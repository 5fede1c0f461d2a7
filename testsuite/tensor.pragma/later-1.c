/* Words that are known but not there yet are errors that say so.  */

void
f (int n, float *x)
{
#pragma tensor gemm(auto) /* { dg-message "16: error: clause .gemm. is not there yet" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor isa(native) /* { dg-message "16: error: clause .isa. is not there yet" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
}
