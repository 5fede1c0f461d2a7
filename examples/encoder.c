/* The forward pass of one transformer layer: layer norm, causal attention,
   layer norm, two linear maps with GELU between them.

   x: [T][C]; the H heads have D = C / H numbers each.  The attention is
   written with its [H][T][T] scores in memory, sweep by sweep.

     tensorcc -O3 -march=native encoder.c -lm && ./a.out [T [C [H]]]
     tensor-compare encoder.c

   Prints the beginnings of some results; the time on stderr.  */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* y[t] := x[t] moved and scaled to mean 0 and variance 1.  */
static void
layer_norm (int T, int C, float y[restrict T][C], float x[restrict T][C])
{
#pragma tensor name("layer norm")
  for (int t = 0; t < T; t++)
    {
      float mean = 0, var = 0;
      for (int c = 0; c < C; c++)
        mean += x[t][c];
      mean /= C;
      for (int c = 0; c < C; c++)
        var += (x[t][c] - mean) * (x[t][c] - mean);
      float scale = 1 / sqrtf (var / C + 1e-5f);
      for (int c = 0; c < C; c++)
        y[t][c] = (x[t][c] - mean) * scale;
    }
}

/* y := x w' + keep y, w: [N][C] as weights are usually stored.  */
static void
linear (int T, int C, int N, float y[restrict T][N], float x[restrict T][C],
        float w[restrict N][C], float keep)
{
#pragma tensor name("linear")
  for (int t = 0; t < T; t++)
    for (int n = 0; n < N; n++)
      {
        float sum = 0;
        for (int c = 0; c < C; c++)
          sum += x[t][c] * w[n][c];
        y[t][n] = sum + keep * y[t][n];
      }
}

/* qkv: [T][3][H][D]; s: [H][T][T] scores; y: [T][H][D].  */
static void
attention (int T, int H, int D, float y[restrict T][H][D],
           float qkv[restrict T][3][H][D], float s[restrict H][T][T])
{
#pragma tensor name("attention") temp(s)
  {
    for (int h = 0; h < H; h++)
      for (int t = 0; t < T; t++)
        for (int u = 0; u <= t; u++)
          {
            float sum = 0;
            for (int d = 0; d < D; d++)
              sum += qkv[t][0][h][d] * qkv[u][1][h][d];
            s[h][t][u] = sum / sqrtf (D);
          }
    for (int h = 0; h < H; h++)
      for (int t = 0; t < T; t++)
        {
          float top = s[h][t][0], sum = 0;
          for (int u = 1; u <= t; u++)
            top = s[h][t][u] > top ? s[h][t][u] : top;
          for (int u = 0; u <= t; u++)
            sum += s[h][t][u] = expf (s[h][t][u] - top);
          for (int u = 0; u <= t; u++)
            s[h][t][u] /= sum;
        }
    for (int h = 0; h < H; h++)
      for (int t = 0; t < T; t++)
        for (int d = 0; d < D; d++)
          {
            y[t][h][d] = 0;
            for (int u = 0; u <= t; u++)
              y[t][h][d] += s[h][t][u] * qkv[u][2][h][d];
          }
  }
}

/* x := GELU (x), by its tanh form.  */
static void
gelu (long n, float *x)
{
#pragma tensor name("gelu")
  for (long i = 0; i < n; i++)
    x[i] = 0.5f * x[i]
           * (1 + tanhf (0.7978846f * (x[i] + 0.044715f * x[i] * x[i] * x[i])));
}

/* N random numbers, -SIZE to SIZE.  */
static void *
array (long n, float size, unsigned seed)
{
  float *x = malloc (sizeof (float) * n);
  for (long i = 0; x && i < n; i++, seed = seed * 1664525u + 1013904223u)
    x[i] = size * ((float) (seed >> 8) / (1 << 23) - 1);
  return x;
}

/* The layer, on x = w[0]; w[1..5) are its weights, p is scratch.  */
static void
layer (int T, int C, int H, void *w[5], void *p[3])
{
  void *x = w[0], *norm = p[0], *wide = p[1], *scores = p[2];
  layer_norm (T, C, norm, x);
  linear (T, C, 3 * C, wide, norm, w[1], 0);
  attention (T, H, C / H, norm, wide, scores);
  linear (T, C, C, x, norm, w[2], 1);
  layer_norm (T, C, norm, x);
  linear (T, C, 4 * C, wide, norm, w[3], 0);
  gelu (4L * T * C, wide);
  linear (T, 4 * C, C, x, wide, w[4], 1);
}

int
main (int argc, char **argv)
{
  int T = argc > 1 ? atoi (argv[1]) : 256, C = argc > 2 ? atoi (argv[2]) : 256;
  int H = argc > 3 ? atoi (argv[3]) : 4;
  if (T < 1 || C < 1 || H < 1 || C % H)
    return fprintf (stderr, "C is a multiple of H\n"), 1;
  long c2 = (long) C * C, tc = (long) T * C;
  float r = sqrtf (3.0f / C);
  void *w[5] = { array (tc, 1, 1), array (3 * c2, r, 2), array (c2, r, 3),
                 array (4 * c2, r, 4), array (4 * c2, r / 2, 5) };
  void *p[3] = { array (tc, 0, 0), array (4 * tc, 0, 0),
                 array ((long) H * T * T, 0, 0) };
  clock_t start = clock ();
  layer (T, C, H, w, p);
  fprintf (stderr, "%.1f ms\n", 1e3 * (clock () - start) / CLOCKS_PER_SEC);
  float *x = w[0], sum = 0;
  for (long i = 0; i < tc; i++)
    sum += x[i] * x[i] / tc;
  for (int t = 0; t < T; t = 2 * t + 1)
    printf ("position %4d: %8.5f ...\n", t, x[(long) t * C]);
  printf ("root mean square of the result %.5f\n", sqrtf (sum));
  return 0;
}
