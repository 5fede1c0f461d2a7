/* illegal-step: a clause that breaks a dependence names the two accesses.
   { dg-do compile }  */

void
f (int n, int m, float (*x)[m], float *restrict y)
{
#pragma tensor interchange(i, j) /* { dg-error "interchange i j in S1 is not legal: x.i..j. written by S1 .line 10. is read by S1 .line 10. in a later iteration of i" } */
  for (int i = 1; i < n; i++)
    for (int j = 0; j < m - 1; j++)
      x[i][j] = x[i - 1][j + 1] + 1;
#pragma tensor parallel(i) /* { dg-message "25: error: parallel.i. is not legal: y.i. written by S1 .line 13. is read by S1 .line 13. in a later iteration of i" } */
  for (int i = 1; i < n; i++)
    y[i] = y[i - 1] + 1;
#pragma tensor simd(j) /* { dg-error "simd.j. is not legal: x.i..j. written by S1 .line 17. is read by S1 .line 17. in a later iteration of j" } */
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++)
      x[i][j] = x[i][j - 1] + 1;
#pragma tensor simd(i) /* { dg-error "simd.i. is not legal: x.i..j. written by S1 .line 21. is read by S1 .line 21. in a later iteration of i" } */
  for (int i = 1; i < n; i++)
    for (int j = 0; j < m - 1; j++)
      x[i][j] = x[i - 1][j + 1] + 1;
#pragma tensor tile(i: 8, j: 8) /* { dg-error "tile is not legal: x.i..j. written by S1 .line 25. is read by S1 .line 25. in a later iteration of i" } */
  for (int i = 1; i < n; i++)
    for (int j = 0; j < m - 1; j++)
      x[i][j] = x[i - 1][j + 1] + 1;
#pragma tensor unroll(i: 2) /* { dg-error "unroll.i. is not legal: x.i..j. written by S1 .line 29. is read by S1 .line 29. in a later iteration of i" } */
  for (int i = 1; i < n; i++)
    for (int j = 0; j < m - 1; j++)
      x[i][j] = x[i - 1][j + 1] + 1;
#pragma tensor interchange(i, j) /* { dg-error "interchange i j in S2 is not legal: the loops are not nested directly in each other" } */
  for (int i = 0; i < n; i++)
    {
      y[i] = 0;
      for (int j = 0; j < m; j++)
        x[i][j] = x[i][j] + 1;
    }
#pragma tensor simd(i) /* { dg-error "simd.i. is not legal: it is not the innermost loop" } */
  for (int i = 0; i < n; i++)
    {
      y[i] = 0;
      for (int j = 0; j < m; j++)
        x[i][j] = x[i][j] + 1;
    }
#pragma tensor interchange(i, k) /* { dg-error "interchange is not legal: no nest has all of these loops" } */
  {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        x[i][j] = x[i][j] + 1;
    for (int k = 0; k < n; k++)
      y[k] = 0;
  }
}
