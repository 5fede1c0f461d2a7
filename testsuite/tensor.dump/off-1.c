/* The defaults of clauses: fuse=none, tile=off, simd=off, parallel=off for
   all regions that do not say otherwise.  */
/* { dg-tensor-opts "dump=plan fuse=none tile=off simd=off parallel=off" } */
/* { dg-final { scan-file %b.c.tensor "plan plain\n;; tree\n" } } */
/* { dg-final { scan-file %b.c.tensor "plan own\nfuse S1 S2 at i\n(tile\[^\n\]*\n)?simd i\[^\n\]*\n(parallel\[^\n\]*\n)?;; tree\n" } } */

void
f (int n, float *restrict x, float *restrict y)
{
#pragma tensor name("plain") /* { dg-optimized "kept as written" } */
  {
    for (int i = 0; i < n; i++)
      x[i] = y[i] + 1;
    for (int i = 0; i < n; i++)
      y[i] = x[i] * 2;
  }
#pragma tensor name("own") fuse(auto) simd(i) parallel(i)
  {
    for (int i = 0; i < n; i++)
      x[i] = y[i] + 1;
    for (int i = 0; i < n; i++)
      y[i] = x[i] * 2;
  }
}
