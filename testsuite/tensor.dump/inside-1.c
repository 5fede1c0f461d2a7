/* Whether an element is inside may be asked of an unsigned number: it is a
   bound of a loop, and nothing is asked of the sizes but that they are ones.  */
/* { dg-tensor-opts "dump=hoist" } */
/* { dg-final { scan-file-not %b.c.tensor "h == 1" } } */
/* { dg-final { scan-file-not %b.c.tensor "if " } } */
/* { dg-final { scan-file %b.c.tensor "for a_1 = 0 to min\\(min\\(n - 1, h - 1\\)," } } */

void
taps (int n, int h, const float *restrict x, const float *restrict k,
      float *restrict y)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      y[i] = 0;
      for (int a = 0; a < h; a++)
        if ((unsigned) (i - a) < (unsigned) n)
          y[i] += x[i - a] * k[a];
    }
}
