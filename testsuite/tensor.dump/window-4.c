/* Windows that move by one number and are spread by another have a version for
   each being 2 while the other is 1, and one for both being 1.  */
/* { dg-tensor-opts "dump=extract" } */
/* { dg-final { scan-tns-dump-times extract "guard s == 2;" 1 } } */
/* { dg-final { scan-tns-dump-times extract "guard d == 2;" 1 } } */

void
convolve (int c, int h, int l, int n, int m, int k, int s, int d, int p,
          const float *restrict x, const float *restrict w, float *restrict y)
{
#pragma tensor /* { dg-message "a version for s = 1, d = 2; a version for s = 2, d = 1; a version for s = 1, d = 1" } */
  for (int o = 0; o < c; o++)
    for (int i = 0; i < h; i++)
      for (int j = 0; j < l; j++)
        {
          float sum = 0;
          for (int u = 0; u < k; u++)
            for (int v = 0; v < k; v++)
              {
                int r = i * s + u * d - p, q = j * s + v * d - p;
                if (r >= 0 && r < n && q >= 0 && q < m)
                  sum += x[r * m + q] * w[(o * k + u) * k + v];
              }
          y[(o * h + i) * l + j] = sum;
        }
}
