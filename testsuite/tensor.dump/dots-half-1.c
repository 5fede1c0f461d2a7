/* Sums of unknown length side by side have vectors of half the bytes where the
   widest ones take the time of two: short ones fill them.  Those of a known
   length have the widest.  */
/* { dg-tensor-opts "machine=znver4 dump=plan,scheduled" } */
/* { dg-final { scan-tns-dump-times plan "dot" 2 } } */
/* { dg-final { scan-file %b.c.tensor "dim k reduction simd 8 " } } */
/* { dg-final { scan-file %b.c.tensor "dim l reduction simd 16 " } } */

void
unknown (int n, int m, int d, const float *restrict x, const float *restrict y,
         int *restrict at)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float best = 1e30f;
      int where = 0;
      for (int j = 0; j < m; j++)
        {
          float s = 0;
          for (int k = 0; k < d; k++)
            s += (x[i * d + k] - y[j * d + k]) * (x[i * d + k] - y[j * d + k]);
          if (s < best)
            {
              best = s;
              where = j;
            }
        }
      at[i] = where;
    }
}

void
known (int n, int m, const float *restrict x, const float *restrict y,
       int *restrict at)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float best = 1e30f;
      int where = 0;
      for (int j = 0; j < m; j++)
        {
          float s = 0;
          for (int l = 0; l < 64; l++)
            s += (x[i * 64 + l] - y[j * 64 + l])
                 * (x[i * 64 + l] - y[j * 64 + l]);
          if (s < best)
            {
              best = s;
              where = j;
            }
        }
      at[i] = where;
    }
}
