/* What the user decides stands in the plan: fuse (none) and (max), tile,
   interchange, simd, unroll, parallel, and off.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-file clauses-1.c.tensor "plan none\n(tile i\[^\n\]*\n)*(parallel i\[^\n\]*\n)*(simd i\[^\n\]*\n)*;; tree\nseq\n" } } */
/* { dg-final { scan-file clauses-1.c.tensor "plan most\nfuse S1 S2 at i\n" } } */
/* { dg-final { scan-file clauses-1.c.tensor "plan tiled\ntile i in S1: 8\ntile j in S1: 24\norder S1: i.0 j.0 i.1 j.1\nparallel i.0 in S1\ncollapse i.0 in S1: 2\nsimd j.1 in S1: 8\n;; tree\n" } } */
/* { dg-final { scan-file clauses-1.c.tensor "plan exchanged\norder S1: j i\nparallel j in S1\n;; tree\n" } } */
/* { dg-final { scan-file clauses-1.c.tensor "plan turned\norder S1: k i j\n" } } */
/* { dg-final { scan-file clauses-1.c.tensor "plan pair\norder S1: k j i\n" } } */
/* { dg-final { scan-file clauses-1.c.tensor "plan lanes\norder S1: j i\n(parallel \[^\n\]*\n)*simd i in S1: 8\n" } } */
/* { dg-final { scan-file clauses-1.c.tensor "plan inner\nsimd j in S1: 8\nparallel j in S1\n;; tree\ndim i free\n  dim j free parallel simd 8\n" } } */
/* { dg-final { scan-file clauses-1.c.tensor "plan copies\nparallel i in S1\nsimd j in S1: 8\nunroll i in S1: 4\n;; tree\n" } } */
/* { dg-final { scan-file clauses-1.c.tensor "plan serial\nsimd i in S1: 8\n;; tree\n" } } */
/* { dg-final { scan-file clauses-1.c.tensor "plan scalar\n(tile i\[^\n\]*\n)?parallel i\[^\n\]*\n;; tree\n" } } */
/* { dg-final { scan-file clauses-1.c.tensor "plan both\n(\[^;\n\]*\n)*parallel i in S1\ncollapse i in S1: 2\n;; tree\n" } } */
/* { dg-final { scan-file clauses-1.c.tensor "plan nothing\n;; tree\n" } } */

void
f (int n, int m, float *restrict x, float *restrict y, float (*restrict z)[m])
{
#pragma tensor name("none") fuse(none) temp(x)
  {
    for (int i = 0; i < n; i++)
      x[i] = y[i] + 1;
    for (int i = 0; i < n; i++)
      y[i] = x[i] * 2;
  }
#pragma tensor name("most") fuse(max)
  {
    for (int i = 0; i < n; i++)
      x[i] = y[i] + 1;
    for (int i = 0; i < n; i++)
      y[i] = x[i] * 2;
  }
#pragma tensor name("tiled") tile(i: 8, j: 24) /* { dg-optimized "tiled i by 8, j by 24; parallel over i, j" } */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      z[i][j] += 1;
#pragma tensor name("exchanged") interchange(i, j) /* { dg-optimized "interchanged i, j; parallel over j" } */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      z[i][j] += 1;
#pragma tensor name("turned") interchange(k, i, j)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < 9; k++)
        z[i + k][j] += 1;
#pragma tensor name("pair") interchange(i, k)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < 9; k++)
        z[i + 9 * k][j] += 1;
#pragma tensor name("lanes") simd(i)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      z[j][i] += 1;
#pragma tensor name("inner") parallel(j)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      z[i][j] += 1;
#pragma tensor name("copies") unroll(i: 4) /* { dg-optimized "unrolled i by 4; parallel over i" } */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      z[i][j] += 1;
#pragma tensor name("serial") parallel(off)
  for (int i = 0; i < n; i++)
    x[i] += 1;
#pragma tensor name("scalar") simd(off)
  for (int i = 0; i < n; i++)
    x[i] += 1;
#pragma tensor name("nothing") simd(off) parallel(off) /* { dg-optimized "kept as written" } */
  for (int i = 0; i < n; i++)
    x[i] += 1;
#pragma tensor name("apart") fuse(max) /* { dg-optimized "no two loops could be fused" } */
  {
    for (int i = 1; i < n; i++)
      x[i] = x[i - 1] * y[i];
    for (int i = 0; i < n; i++)
      y[i] = x[n - 1 - i];
  }
#pragma tensor name("row") parallel(i, j) /* { dg-optimized "no parallel over j, which stands in a loop that threads share" } */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      z[i][j] += 1;
#pragma tensor name("strided") simd(i) /* { dg-optimized "no simd over i, whose iterations have no form in vectors" } */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      z[i][j] = 2;
}

void
g (int n, int m, float (*restrict x)[m][40])
{
#pragma tensor name("both") parallel(j, i) /* { dg-optimized "parallel over i, j, simd 8" } */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < 40; k++)
        x[i][j][k] += 1;
}
