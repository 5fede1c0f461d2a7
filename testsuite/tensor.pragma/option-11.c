/* Defaults of clauses on the command line; a clause in a pragma wins.  */
/* { dg-tensor-opts "report=none fp=strict fuse=none tile=off parallel=off simd=off target=cpu check profile budget=100000 parallel-threshold=1000" } */

void
f (int n, float *restrict x)
{
#pragma tensor tile(i: 16) fuse(max) fp(fast)
  for (int i = 0; i < n; i++)
    x[i] = 1;
#pragma tensor parallel(off)
  for (int i = 0; i < n; i++)
    x[i] = 1;
}
