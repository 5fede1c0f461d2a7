/* Loops that go down columns are exchanged; recurrences keep their order;
   a sum is shared in chunks.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-file %b.c.tensor "plan recurrence\ncarry i in S1\n;; tree\ndim i ordered\n  leaf S1\n" } } */
/* { dg-final { scan-file %b.c.tensor "plan wavefront\nskew i in S1: 4 by 1\ncarry j in S1\n;; tree\ndim i ordered rows 4 by 1\n  dim j ordered\n    leaf S1\n" } } */
/* { dg-final { scan-file %b.c.tensor "plan columns\norder S1: i j\n(\[^;\n\]*\n)*;; tree\ndim i free parallel\[^\n\]*\n  dim j free simd 8\n" } } */
/* { dg-final { scan-file %b.c.tensor "plan cells\n(tile\[^\n\]*\n)?reduce i in S1: 64\nsimd i\[^\n\]*\n;; tree\ndim i\[.0-9\]* (reduction|free) parallel" } } */

void
f (int n, int m, float *restrict x, float (*restrict z)[m])
{
#pragma tensor name("recurrence") /* { dg-optimized "1 recurrence in registers" } */
  for (int i = 1; i < n; i++)
    x[i] = x[i - 1] * 0.5f + 1;
#pragma tensor name("wavefront") /* { dg-optimized "1 recurrence in registers; 1 nest in rows side by side" } */
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      z[i][j] = z[i - 1][j] + z[i][j - 1];
#pragma tensor name("columns")
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      z[i][j] *= 2;
}

float
g (int n, const float *x)
{
  float s = 0;
#pragma tensor name("cells")
  for (int i = 0; i < n; i++)
    s += x[i] * x[i];
  return s;
}
