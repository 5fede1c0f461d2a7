/* An element that all lanes read where a condition holds is read once, and the
   condition is kept as it was compared.  */
/* { dg-do compile { target x86_64-*-* } } */
/* { dg-final { scan-assembler "vpmovmskb" } } */
/* { dg-final { scan-assembler "vmaskmovpd" } } */
/* { dg-final { scan-assembler-not "vpextrb" } } */
/* { dg-final { scan-assembler-not "vpack" } } */

void
some (int n, int m, int l, double *restrict c, const double *a, const double *b)
{
#pragma tensor /* { dg-message "parallel over i, simd 4" } */
  for (int i = 0; i < n; i++)
    for (int k = 0; k < l; k++)
      for (int j = 0; j < m; j++)
        if (b[k * m + j] > 0)
          c[i * m + j] -= a[i * l + k] * b[k * m + j];
}
