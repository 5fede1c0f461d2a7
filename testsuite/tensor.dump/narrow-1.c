/* Lanes along a loop that others stood in: a guard leaves calls that would
   fill few of them to the loops as written, but not where the user asked for
   these lanes.  */
/* { dg-tensor-opts "dump=hoist" } */
/* { dg-final { scan-file %b.c.tensor "region stored(\[^\\n\]*\\n)+  guard 4 <= m;\\n(\[^\\n\]*\\n)+;; stage hoist, region summed" } } */
/* { dg-final { scan-file %b.c.tensor "region summed(\[^\\n\]*\\n)+  guard 2 <= m;\\n(\[^\\n\]*\\n)+;; stage hoist, region asked" } } */
/* { dg-final { scan-file-not %b.c.tensor "region asked(\[^\\n\]*\\n)+  guard" } } */

void
f (int n, int m, double a[n][n], double b[n][m], double c[n][m])
{
#pragma tensor name("stored")
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        double t = 0;
        for (int k = 0; k < i; k++)
          {
            c[k][j] += b[i][j] * a[i][k];
            t += b[k][j] * a[i][k];
          }
        c[i][j] = 2 * c[i][j] + b[i][j] * a[i][i] + t;
      }
}

void
g (int n, int m, float (*restrict l)[n], float (*restrict x)[m])
{
#pragma tensor name("summed")
  for (int r = 0; r < m; r++)
    for (int i = 0; i < n; i++)
      {
        float s = x[i][r];
        for (int k = 0; k < i; k++)
          s -= l[i][k] * x[k][r];
        x[i][r] = s / l[i][i];
      }
#pragma tensor name("asked") simd(r)
  for (int i = 0; i < n; i++)
    for (int r = 0; r < m; r++)
      for (int k = 0; k < 9; k++)
        x[i + 9 * k][r] += l[i][k];
}
