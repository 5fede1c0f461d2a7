/* A factorisation in place: the loop that limits rows and columns of its tiles
   is cut where it limits neither, and what is left adds up in registers; a
   pivot divides once for a row.  Rows may be longer than they need be: the
   diagonal does not tell their length.  */
/* { dg-tensor-opts "machine=avx512 dump=shapes,divisors,promote" } */
/* { dg-final { scan-tns-dump-times shapes "array f64 a\\\[\\\]\\\[lda\\\]" 2 } } */
/* { dg-final { scan-tns-dump divisors "a\\\[i_1\\\]\\\[k_1\\\] / a\\\[k_1\\\]\\\[k_1\\\] \\* a\\\[k_1\\\]\\\[j_1\\\]" } } */
/* { dg-final { scan-tns-dump promote "a_28 = fma" } } */

void
eliminate (int n, int lda, double *restrict a)
{
#pragma tensor /* { dg-message "note: (?!fused 1 loop into 0)" } */
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j < n; j++)
        a[i * lda + j] -= a[i * lda + k] * a[k * lda + j] / a[k * lda + k];
}

void
solve (int n, int lda, const double *restrict a, double *restrict x)
{
#pragma tensor /* { dg-message "note: (?!fused 1 loop into 0)" } */
  for (int i = n - 1; i >= 0; i--)
    {
      double s = x[i];
      for (int j = i + 1; j < n; j++)
        s -= a[i * lda + j] * x[j];
      x[i] = s / a[i * lda + i];
    }
}
