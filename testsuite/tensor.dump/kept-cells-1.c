/* Where cells are read through, which GCC does itself, or a recurrence was to be
   carried that is under a condition, and nothing else came of it, the loops are
   kept.  */

void
paths (int d[restrict 64][64], int next[restrict 64][64])
{
#pragma tensor /* { dg-optimized "kept as written" } */
  for (int k = 0; k < 64; k++)
    for (int i = 0; i < 64; i++)
      for (int j = 0; j < 64; j++)
        if (d[i][k] + d[k][j] < d[i][j])
          {
            d[i][j] = d[i][k] + d[k][j];
            next[i][j] = next[i][k];
          }
}

void
mean (float x[restrict 64][64], float y[restrict 64][64])
{
#pragma tensor parallel(off) simd(off) /* { dg-optimized "kept as written" } */
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 64; j++)
      {
        float s = 0;
        for (int k = -3; k <= 3; k++)
          {
            if (i + k < 0 || i + k >= 64)
              continue;
            for (int l = -3; l <= 3; l++)
              {
                if (j + l < 0 || j + l >= 64)
                  continue;
                float t = x[i + k][j + l] - x[i][j];
                float w = __builtin_expf (-t * t);
                s += w * x[i + k][j + l];
              }
          }
        y[i][j] = s;
      }
}
