/* Passes that find nothing in loops with lanes do not look at them, nor at the
   few elements that lanes have left of one; at others, and at what the user
   wrote, they do.  Some find nothing in any loop of ours.  */
/* { dg-additional-options "-O3 -fdump-tree-ccp3=passes-1.ccp3 -fdump-tree-strlen1=passes-1.strlen" } */
/* { dg-final { scan-file-not passes-1.strlen "Function follow.tensor.0 " } } */
/* { dg-final { scan-file passes-1.strlen "Function scale " } } */
/* { dg-final { scan-file-not passes-1.ccp3 "Function scale.tensor.0.body" } } */
/* { dg-final { scan-file-not passes-1.ccp3 "Function narrow.tensor.0.body" } } */
/* { dg-final { scan-file passes-1.ccp3 "Function follow.tensor.0 " } } */
/* { dg-final { scan-file passes-1.ccp3 "Function scale " } } */

void
scale (int n, float *restrict x)
{
#pragma tensor /* { dg-optimized "simd 8" } */
  for (int i = 0; i < n; i++)
    x[i] *= 2;
}

void
follow (int n, int m, double (*restrict x)[m])
{
#pragma tensor parallel(off) /* { dg-optimized "" } */
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      x[i][j] = x[i][j - 1] * 0.5 + x[i - 1][j];
}

void
narrow (int n, short *restrict x, const float *restrict y)
{
#pragma tensor /* { dg-optimized "simd 8" } */
  for (int i = 0; i < n; i++)
    x[i] = y[i];
}
