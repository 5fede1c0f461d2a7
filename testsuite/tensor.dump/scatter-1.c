/* The backward passes of what scatters are shared by threads and have lanes:
   windows of a convolution, rows by index, a stencil, a filter with taps of any
   number.  What is packed and turned is so in parallel too.  */
/* { dg-final { scan-json "\"function\": \"convolution_gradient\",.*\"parallel_loops\": 8, \"simd_loops\": 4," } } */

void
convolution (const float x[4][16][30][30], const float w[16][16][3][3],
             float y[restrict 4][16][28][28])
{
  for (int n = 0; n < 4; n++)
    for (int k = 0; k < 16; k++)
      for (int h = 0; h < 28; h++)
        for (int i = 0; i < 28; i++)
          {
            float s = 0;
            for (int c = 0; c < 16; c++)
              for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++)
                  s += x[n][c][h + p][i + q] * w[k][c][p][q];
            y[n][k][h][i] = s;
          }
}

#pragma tensor gradient(convolution) of(y: dy) wrt(x: dx, w: dw) /* { dg-optimized "parallel over" } */
void convolution_gradient (const float x[4][16][30][30],
                           const float w[16][16][3][3],
                           const float dy[restrict 4][16][28][28],
                           float dx[restrict 4][16][30][30],
                           float dw[restrict 16][16][3][3]);

void
embedding (int m, int c, const int *at, const float x[][c],
           float y[restrict m][c])
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < c; j++)
      y[i][j] = x[at[i]][j];
}

#pragma tensor gradient(embedding) of(y: dy) wrt(x: dx) /* { dg-optimized "parallel over i by owner, j" } */
void embedding_gradient (int m, int c, const int *at, const float x[][c],
                         const float dy[restrict m][c], float dx[restrict][c]);

void
stencil (int m, const float x[m][m], float y[restrict m][m])
{
  for (int i = 1; i < m - 1; i++)
    for (int j = 1; j < m - 1; j++)
      y[i][j] = x[i][j] + 0.25f * (x[i - 1][j] + x[i + 1][j] + x[i][j - 1]
                                   + x[i][j + 1]);
}

#pragma tensor gradient(stencil) of(y: dy) wrt(x: dx) /* { dg-optimized "parallel over i, simd" } */
void stencil_gradient (int m, const float x[m][m],
                       const float dy[restrict m][m], float dx[restrict m][m]);

void
filter (int m, int t, const float *x, const float *w, float *restrict y)
{
  for (int i = 0; i < m; i++)
    {
      y[i] = 0;
      for (int k = 0; k < t; k++)
        y[i] += x[i + k] * w[k];
    }
}

#pragma tensor gradient(filter) of(y: dy) wrt(x: dx) /* { dg-optimized "parallel over i, k, simd" } */
void filter_gradient (int m, int t, const float *x, const float *w,
                      const float *restrict dy, float *restrict dx);
