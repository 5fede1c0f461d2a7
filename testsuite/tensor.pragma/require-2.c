/* require(gemm) is met by products of matrices, however they are written, and is
   an error where nothing is used again.  */

void
product (int n, int m, int l, const float *restrict a, const float *restrict b,
         float *restrict c)
{
#pragma tensor require(gemm)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        float s = 0;
        for (int k = 0; k < l; k++)
          s += a[i * l + k] * b[k * m + j];
        c[i * m + j] = s;
      }
}

void
scale (int n, const float *restrict x, float *restrict y)
{
#pragma tensor require(gemm) /* { dg-message "24: error: required gemm was not achieved: no sums of products use what they read again" } */
  for (int i = 0; i < n; i++)
    y[i] = x[i] * 2;
}
