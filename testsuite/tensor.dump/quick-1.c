/* Rows run side by side where an element waits for a product or a floating sum,
   and not where it waits for a maximum or a sum of whole numbers: these are
   there when the next iteration begins.  */
/* { dg-tensor-opts "machine=avx512 dump=plan" } */
/* { dg-final { scan-tns-dump-times plan "skew i in" 1 } } */

void
longest (int n, int m, const char *a, const char *b, int *restrict t)
{
#pragma tensor /* { dg-message "kept as written" } */
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++)
      t[i * (m + 1) + j] = a[i - 1] == b[j - 1]
                             ? t[(i - 1) * (m + 1) + j - 1] + 1
                           : t[(i - 1) * (m + 1) + j] > t[i * (m + 1) + j - 1]
                             ? t[(i - 1) * (m + 1) + j]
                             : t[i * (m + 1) + j - 1];
}

void
relax (int n, int m, double x[n][m])
{
#pragma tensor /* { dg-message "rows side by side" } */
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      x[i][j] = (x[i][j] + x[i - 1][j] + x[i][j - 1]) / 3;
}
