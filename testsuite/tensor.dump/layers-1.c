/* Rows in which an element is found by index are shared by threads, in gradients
   and in flat arrays; a square root once a row does not part the loops that go
   over the row.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-tns-dump-not plan "share" } } */

#include <math.h>

void
entropy (int n, int m, const float x[restrict n][m], const int *restrict at,
         float *restrict loss)
{
  for (int i = 0; i < n; i++)
    {
      float most = x[i][0], sum = 0;
      for (int j = 1; j < m; j++)
        most = fmaxf (most, x[i][j]);
      for (int j = 0; j < m; j++)
        sum += expf (x[i][j] - most);
      loss[i] = most + logf (sum) - x[i][at[i]];
    }
}

#pragma tensor gradient(entropy) of(loss: dloss) wrt(x: dx) /* { dg-optimized "parallel over i" } */
void entropy_gradient (int n, int m, const float x[restrict n][m],
                       const int *restrict at, const float *restrict dloss,
                       float dx[restrict n][m]);

void
layer (int n, int m, const float x[restrict n][m], const float *restrict g,
       float y[restrict n][m])
{
  for (int i = 0; i < n; i++)
    {
      float mean = 0, variance = 0;
      for (int j = 0; j < m; j++)
        mean += x[i][j];
      mean /= m;
      for (int j = 0; j < m; j++)
        variance += (x[i][j] - mean) * (x[i][j] - mean);
      float scale = 1 / sqrtf (variance / m + 1e-5f);
      for (int j = 0; j < m; j++)
        y[i][j] = (x[i][j] - mean) * scale * g[j];
    }
}

#pragma tensor gradient(layer) of(y: dy) wrt(x: dx, g: dg) /* { dg-optimized "parallel over i" } */
void layer_gradient (int n, int m, const float x[restrict n][m],
                     const float *restrict g, const float dy[restrict n][m],
                     float dx[restrict n][m], float *restrict dg);

void
flat (int n, int m, float *restrict x, const short *restrict at)
{
#pragma tensor /* { dg-optimized "parallel over i" } */
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < m; j++)
        x[i * m + j] *= 2;
      x[at[i] + i * m] += 5;
    }
}

void
fixed (int n, float *restrict x, const int *restrict at)
{
#pragma tensor /* { dg-optimized "parallel over i" } */
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < 24; j++)
        x[i * 24 + j] *= 2;
      x[i * 24 + at[2 * i] - 1] = 5;
    }
}
