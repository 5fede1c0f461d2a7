/* Shows that tiles whose proof takes too long leave the loops that were planned
   before.  */
/* { dg-tensor-opts "budget=40000" } */

void
smooth (int n, float a[restrict][n], float b[restrict][n])
{
#pragma tensor /* { dg-message "parallel over i, simd 8" } */
  for (int t = 0; t < 10; t++)
    {
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          a[i][j] = b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1];
    }
}

/* { dg-final { scan-json "\"verdict\": \"done\", \"plan\": null" } } */
