/* precision: which types there are, what contradicts it, and what is told of
   it.  */

void
f (int n, float *restrict x, const float *restrict a, const float *restrict b)
{
#pragma tensor precision(f8) /* { dg-message "26: error: unknown word .f8. in .precision." } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor precision /* { dg-message "error: expected .\[(\]. before end of line" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor precision(bf16) precision(f16) /* { dg-message "32: error: clause .precision. is given twice" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor precision(bf16) fp(strict) /* { dg-message "16: error: .precision. contradicts .fp\[(\]strict\[)\]." } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor precision(bf16) /* { dg-message "note: \[^\n\]*nothing uses precision\[(\]bf16\[)\]" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor target(cuda) precision(f16) /* { dg-message "note: \[^\n\]*1 kernel for CUDA; nothing uses precision\[(\]f16\[)\]" } */
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor target(cuda) precision(tf32) /* { dg-message "note: \[^\n\]*3 kernels for CUDA; tensor cores, tf32" } */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        float s = 0;
        for (int k = 0; k < n; k++)
          s += a[i * n + k] * b[k * n + j];
        x[i * n + j] = s;
      }
}

void
sums (int n, double *restrict x, const float *restrict a,
      const float *restrict b)
{
#pragma tensor target(cuda) precision(bf16) /* { dg-message "note: \[^\n\]*3 kernels for CUDA; nothing uses precision\[(\]bf16\[)\]" } */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        double s = 0;
        for (int k = 0; k < n; k++)
          s += (double) a[i * n + k] * b[k * n + j];
        x[i * n + j] = s;
      }
#pragma tensor target(cuda) precision(bf16) /* { dg-message "note: \[^\n\]*4 kernels for CUDA; nothing uses precision\[(\]bf16\[)\]" } */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        float s = 0;
        for (int k = 0; k < n; k++)
          s += (a[i * n + k] - b[k * n + j]) * (a[i * n + k] - b[k * n + j]);
        x[i * n + j] = s;
      }
}

#pragma tensor fp(strict) precision(bf16) /* { dg-message "27: error: .precision. contradicts .fp\[(\]strict\[)\]." } */
