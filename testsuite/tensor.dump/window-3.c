/* The gradient of a convolution whose windows have a size that only the caller
   knows: lanes go along the rows of the picture, not along a window, and what
   is computed again stays in registers.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-tns-dump plan "^split b in S5: S5 S6$" } } */
/* { dg-final { scan-tns-dump-times plan "^split \[a-z\] in S2: " 0 } } */
/* { dg-final { scan-tns-dump plan "^order S5: c a b i j$" } } */
/* { dg-final { scan-tns-dump plan "^kernel S5: c:\[0-9\]+ j:\[0-9\]+$" } } */
/* { dg-final { scan-tns-dump plan "^kernel S6: m:\[0-9\]+ c:4 dot$" } } */
/* { dg-final { scan-kept-at-most convolve_gradient tape 4e3 "M 1e3 H 1e3 W 1e3 K 3 P 1" } } */

void
convolve (int N, int C, int H, int W, int M, int K, int P, float *restrict y,
          const float *restrict x, const float *restrict k)
{
  int OH = H + 2 * P - K + 1, OW = W + 2 * P - K + 1;
  for (int n = 0; n < N; n++)
    for (int m = 0; m < M; m++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++)
          {
            float s = 0;
            for (int c = 0; c < C; c++)
              for (int a = 0; a < K; a++)
                for (int b = 0; b < K; b++)
                  {
                    int r = i + a - P, q = j + b - P;
                    if (r >= 0 && r < H && q >= 0 && q < W)
                      s += x[((n * C + c) * H + r) * W + q]
                           * k[((m * C + c) * K + a) * K + b];
                  }
            y[((n * M + m) * OH + i) * OW + j] = s > 0 ? s : 0;
          }
}

#pragma tensor gradient(convolve) of(y: dy) wrt(x: dx, k: dk)
void convolve_gradient (int N, int C, int H, int W, int M, int K, int P,
                        const float *restrict dy, const float *restrict x,
                        const float *restrict k, float *restrict dx,
                        float *restrict dk);
