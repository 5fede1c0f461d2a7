/* Batches are collapsed, triangles balanced, columns summed in chunks where
   there is one tile of them; a reduction that other statements read stays in
   order.  */
/* { dg-tensor-opts "dump=plan,scheduled" } */
/* { dg-final { scan-file %b.c.tensor "dim b free parallel collapse 2\n  dim i free\n    dim j free simd" } } */
/* { dg-final { scan-file %b.c.tensor "for i\[_0-9\]* = 0 to n parallel when\[^\n\]* balanced " } } */
/* { dg-final { scan-file %b.c.tensor "plan columns\n(\[^;\n\]*\n)*;; tree\ndim j.0 free parallel\n  dim i reduction parallel" } } */
/* { dg-final { scan-file %b.c.tensor "for chunk\[_0-9\]* = 0 to \[^\n\]* parallel \[^\n\]*chunks\\(16\\) " } } */
/* { dg-final { scan-file %b.c.tensor "plan running\n(\[^;\n\]*\n)*;; tree\ndim i ordered\n" } } */

void
f (int n, int m, float (*x)[n][m], float (*y)[n][m])
{
#pragma tensor name("batch")
  for (int b = 0; b < 3; b++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        y[b][i][j] = x[b][i][j] * x[0][0][j];
}

void
g (int n, float (*x)[n], float (*y)[n])
{
#pragma tensor name("triangle")
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      y[i][j] = x[i][j] * 2;
}

void
h (int n, int m, float (*x)[m], float *s, float *last)
{
#pragma tensor name("columns")
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s[j] += x[i][j];
#pragma tensor name("running")
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < m; j++)
        s[j] += x[i][j];
      last[i] = s[0];
    }
}
