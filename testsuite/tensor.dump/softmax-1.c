/* Softmax of rows, as one nest and as four: one outer loop that threads
   share, nothing but rows inside; a temporary of n x m shrinks to a row.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-tns-dump-times plan "^dim i free parallel$" 2 } } */
/* { dg-final { scan-tns-dump-times plan "^dim" 2 } } */
/* { dg-final { scan-tns-dump-times plan "^    dim j (free|reduction) simd 8" 7 } } */
/* { dg-final { scan-json-times "\"parallel_loops\": 1," 2 } } */

#include <math.h>

void
nest (int n, int m, const float x[restrict n][m], float y[restrict n][m])
{
#pragma tensor /* { dg-optimized "parallel over i, simd 8" } */
  for (int i = 0; i < n; i++)
    {
      float most = x[i][0];
      for (int j = 1; j < m; j++)
        if (x[i][j] > most)
          most = x[i][j];
      float sum = 0;
      for (int j = 0; j < m; j++)
        {
          y[i][j] = expf (x[i][j] - most);
          sum += y[i][j];
        }
      for (int j = 0; j < m; j++)
        y[i][j] /= sum;
    }
}

void
apart (int n, int m, const float x[restrict n][m], float y[restrict n][m],
       float e[restrict n][m], float most[restrict n], float sum[restrict n])
{
#pragma tensor temp(e, most, sum) /* { dg-optimized "fused 4 loops into 1; 2 arrays became registers; 1 array became smaller; parallel over i, simd 8" } */
  {
    for (int i = 0; i < n; i++)
      {
        most[i] = x[i][0];
        for (int j = 1; j < m; j++)
          most[i] = fmaxf (most[i], x[i][j]);
      }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        e[i][j] = expf (x[i][j] - most[i]);
    for (int i = 0; i < n; i++)
      {
        sum[i] = 0;
        for (int j = 0; j < m; j++)
          sum[i] += e[i][j];
      }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        y[i][j] = e[i][j] / sum[i];
  }
}
