/* Shows that loops whose better order takes too long to find are kept as they
   are, and that the report says so.  */
/* { dg-tensor-opts "budget=14000" } */

void
smooth (int n, float a[restrict][n], float b[restrict][n])
{
#pragma tensor /* { dg-message "kept as written: the search for a better order ran out of its budget" } */
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

/* { dg-final { scan-json "\"verdict\": \"done\", \"plan\": \"kept\"" } } */
