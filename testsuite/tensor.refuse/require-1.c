/* require: what was asked for was not achieved, and why.
   { dg-do compile }  */

void
f (int n, float *restrict x, float *restrict y, volatile float *v,
   _Bool *restrict b)
{
#pragma tensor require(parallel) /* { dg-message "24: error: required parallel was not achieved: x.i. written by S1 .line 10. is read by S1 .line 10. in a later iteration of i" } */
  for (int i = 1; i < n; i++)
    x[i] = x[i - 1] + 1;
#pragma tensor require(simd) /* { dg-error "required simd was not achieved: x.i. written by S1 .line 13." } */
  for (int i = 1; i < n; i++)
    x[i] = x[i - 1] + 1;
#pragma tensor require(contract(x)) /* { dg-error "required contract.x. was not achieved: its values may be needed after the region" } */
  for (int i = 0; i < n; i++)
    {
      x[i] = 2 * y[i];
      y[i] = x[i] + 1;
    }
#pragma tensor require(contract(x)) temp(x) fuse(none) /* { dg-error "required contract.x. was not achieved: its values are used across loops that were not fused" } */
  {
    for (int i = 0; i < n; i++)
      x[i] = 2 * y[i];
    for (int i = 0; i < n; i++)
      y[i] = x[i] + 1;
  }
#pragma tensor require(fuse) /* { dg-error "required fuse was not achieved" } */
  for (int i = 0; i < n; i++)
    y[i] = y[i] + 1;
#pragma tensor require(transform) /* { dg-error "required transform was not achieved: the loops are kept as written" } */
  for (int i = 2; i < n; i++)
    x[i] = x[i - 2] + 1;
#pragma tensor require(contract(y)) /* { dg-error "required contract.y. was not achieved: v.i. is volatile" } */
  for (int i = 0; i < n; i++)
    v[i] = y[i];
#pragma tensor require(contract(zz)) /* { dg-message "33: error: zz is not in scope in this region" } */
  for (int i = 0; i < n; i++)
    x[i] = y[i];
#pragma tensor require(simd) /* { dg-error "required simd was not achieved: what the loops do has no form in vectors" } */
  for (int i = 0; i < n; i++)
    b[i] = !b[i];
#pragma tensor require(contract(y)) /* { dg-message "33: error: required contract.y. was not achieved" } */
  for (int i = 0; i < n; i++)
    x[i] = y[i];
}
