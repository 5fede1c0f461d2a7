/* A window of unknown length that slides with a loop around it has its lanes
   there: nothing is to be put together.  Where only one of two operands slides,
   or the window lies along another dimension, it is not like that.  */
/* { dg-tensor-opts "machine=avx512 dump=plan" } */
/* { dg-final { scan-tns-dump plan "lanes x in S1: 64" } } */
/* { dg-final { scan-tns-dump-times plan "lanes \[a-z\]" 1 } } */

void
dilate (int h, int w, int r, const unsigned char *restrict s,
        unsigned char *restrict d)
{
#pragma tensor
  for (int y = r; y < h - r; y++)
    for (int x = r; x < w - r; x++)
      {
        unsigned char most = 0;
        for (int i = -r; i <= r; i++)
          for (int j = -r; j <= r; j++)
            {
              unsigned char v = s[(y + i) * w + x + j];
              most = v > most ? v : most;
            }
        d[y * w + x] = most;
      }
}

void
rows (int n, int m, const float *restrict x, float *restrict y)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float most = x[i * m];
      for (int j = 0; j < m; j++)
        {
          float v = x[i * m + j];
          most = v > most ? v : most;
        }
      y[i] = most;
    }
}

void
differences (int n, int k, const float *restrict x, const float *restrict w,
             float *restrict y)
{
#pragma tensor
  for (int i = 0; i + k <= n; i++)
    {
      float most = 0;
      for (int j = 0; j < k; j++)
        {
          float v = x[i + j] - w[j];
          most = v > most ? v : most;
        }
      y[i] = most;
    }
}
