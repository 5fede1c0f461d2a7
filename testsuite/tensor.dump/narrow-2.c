/* Lanes along rows that the loop around changes again: a guard leaves calls
   whose rows fill no vector to the loops as written, but not where they are
   known to be long, or are another one each time.  */
/* { dg-tensor-opts "dump=hoist" } */
/* { dg-final { scan-file %b.c.tensor "region adapted(\[^\\n\]*\\n)+  guard 8 <= m;\\n(\[^\\n\]*\\n)+;; stage hoist, region known" } } */
/* { dg-final { scan-file-not %b.c.tensor "region known(\[^\\n\]*\\n)+  guard" } } */

void
adapt (int n, int m, float *restrict w, const float *restrict x,
       float *restrict e)
{
#pragma tensor name("adapted")
  for (int i = 0; i < n; i++)
    {
      float s = 0;
      for (int k = 0; k < m; k++)
        s += w[k] * x[i + k];
      e[i] -= s;
      for (int k = 0; k < m; k++)
        w[k] += s * x[i + k];
    }
}

void
others (int n, int m, float *restrict w, const float *restrict x,
        float (*restrict y)[m])
{
#pragma tensor name("known")
  for (int i = 0; i < n; i++)
    {
      w[i] = 0;
      for (int k = 0; k < 64; k++)
        w[k] += x[i + k];
    }
#pragma tensor name("apart")
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++)
      y[i][k] += x[i + k];
}
