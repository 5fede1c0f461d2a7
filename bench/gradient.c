/* Gradients of layers: product, bias and GELU; softmax and cross entropy;
   layer and batch norm; attention; convolution; LSTM cell.

   FORWARD is differentiated by the plugin; BACKWARD is what one would write by
   hand.  The ways without the plugin run BACKWARD.  */

#include <math.h>

#include "bench.h"

enum
{
  ROWS = 2048, /* of softmax and the norms */
  COLUMNS = 768,
  SIZE = 384, /* of the product */
  TEXT = 256, /* of the attention: positions, heads, numbers of each */
  HEADS = 4,
  WIDTH = 64,
  PLANES = 32, /* of the convolution: in and out, edge of its result */
  EDGE = 56,
  CELLS = 128, /* of the LSTM: cells, batch */
  BATCH = 128,
  WORDS = 1 << 16, /* of the embedding: rows, their columns, indices */
  FEATURES = 64,
  TOKENS = 1 << 14
};

static int label[ROWS];
static int token[TOKENS];

__attribute__ ((constructor)) static void
set_labels (void)
{
  for (int i = 0; i < ROWS; i++)
    label[i] = (int) (i * 7919L % COLUMNS);
  for (int i = 0; i < TOKENS; i++)
    token[i] = (int) (i * 104729L % WORDS);
}

/* What the ways run: with the plugin a gradient, else what is written by
   hand.  */
#ifdef BENCH_PLUGIN
#  define RUN(name) run_##name
#else
#  define RUN(name) hand_##name
#endif

/* The derivative of GELU's tanh form.  */
static inline float
gelu_slope (float u)
{
  float t = tanhf (0.7978846f * (u + 0.044715f * u * u * u));
  return 0.5f * (1 + t)
         + 0.5f * u * (1 - t * t) * 0.7978846f * (1 + 0.134145f * u * u);
}

BENCH_ALONE static void
product (int n, float u[restrict n][n], float y[restrict n][n],
         float x[restrict n][n], float w[restrict n][n], float b[restrict n])
{
#pragma tensor name("product")
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        u[i][j] = b[j];
        for (int k = 0; k < n; k++)
          u[i][j] += x[i][k] * w[j][k];
        float v = u[i][j];
        y[i][j]
          = 0.5f * v * (1 + tanhf (0.7978846f * (v + 0.044715f * v * v * v)));
      }
}

#pragma tensor gradient(product) of(y: dy) wrt(x: dx, w: dw, b: db) given(u)
void product_gradient (int n, float u[restrict n][n], float dy[restrict n][n],
                       float x[restrict n][n], float w[restrict n][n],
                       float dx[restrict n][n], float dw[restrict n][n],
                       float b[restrict n], float db[restrict n]);

BENCH_ALONE static void
product_backward (int n, float u[restrict n][n], float dy[restrict n][n],
                  float x[restrict n][n], float w[restrict n][n],
                  float dx[restrict n][n], float dw[restrict n][n],
                  float db[restrict n])
{
#pragma tensor name("product, backward")
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
        float g = dy[i][j] * gelu_slope (u[i][j]);
        db[j] += g;
        for (int k = 0; k < n; k++)
          {
            dx[i][k] += g * w[j][k];
            dw[j][k] += g * x[i][k];
          }
      }
}

BENCH_ALONE static void
entropy (int n, int m, float x[restrict n][m], const int *restrict at,
         float loss[restrict n])
{
#pragma tensor name("entropy")
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

#pragma tensor gradient(entropy) of(loss: dloss) wrt(x: dx)
void entropy_gradient (int n, int m, float x[restrict n][m],
                       const int *restrict at, float dloss[restrict n],
                       float dx[restrict n][m]);

BENCH_ALONE static void
entropy_backward (int n, int m, float x[restrict n][m], const int *restrict at,
                  float dloss[restrict n], float dx[restrict n][m])
{
#pragma tensor name("entropy, backward")
  for (int i = 0; i < n; i++)
    {
      float most = x[i][0], sum = 0;
      for (int j = 1; j < m; j++)
        most = fmaxf (most, x[i][j]);
      for (int j = 0; j < m; j++)
        sum += expf (x[i][j] - most);
      for (int j = 0; j < m; j++)
        dx[i][j] += dloss[i] * expf (x[i][j] - most) / sum;
      dx[i][at[i]] -= dloss[i];
    }
}

BENCH_ALONE static void
layer (int n, int m, float x[restrict n][m], float g[restrict m],
       float s[restrict m], float y[restrict n][m])
{
#pragma tensor name("layer norm")
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
        y[i][j] = (x[i][j] - mean) * scale * g[j] + s[j];
    }
}

#pragma tensor gradient(layer) of(y: dy) wrt(x: dx, g: dg, s: ds)
void layer_gradient (int n, int m, float x[restrict n][m], float g[restrict m],
                     float s[restrict m], float dy[restrict n][m],
                     float dx[restrict n][m], float dg[restrict m],
                     float ds[restrict m]);

BENCH_ALONE static void
layer_backward (int n, int m, float x[restrict n][m], float g[restrict m],
                float dy[restrict n][m], float dx[restrict n][m],
                float dg[restrict m], float ds[restrict m])
{
#pragma tensor name("layer norm, backward")
  for (int i = 0; i < n; i++)
    {
      float mean = 0, variance = 0, a = 0, b = 0;
      for (int j = 0; j < m; j++)
        mean += x[i][j];
      mean /= m;
      for (int j = 0; j < m; j++)
        variance += (x[i][j] - mean) * (x[i][j] - mean);
      float scale = 1 / sqrtf (variance / m + 1e-5f);
      for (int j = 0; j < m; j++)
        {
          a += dy[i][j] * g[j];
          b += dy[i][j] * g[j] * (x[i][j] - mean) * scale;
        }
      for (int j = 0; j < m; j++)
        {
          float z = (x[i][j] - mean) * scale;
          dx[i][j] += scale * (dy[i][j] * g[j] - a / m - z * b / m);
          dg[j] += dy[i][j] * z;
          ds[j] += dy[i][j];
        }
    }
}

BENCH_ALONE static void
norm (int n, int c, float x[restrict n][c], float g[restrict c],
      float s[restrict c], float y[restrict n][c], float m[restrict c],
      float r[restrict c])
{
#pragma tensor name("batch norm")
  {
    for (int j = 0; j < c; j++)
      m[j] = r[j] = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < c; j++)
        m[j] += x[i][j] / n;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < c; j++)
        r[j] += (x[i][j] - m[j]) * (x[i][j] - m[j]) / n;
    for (int j = 0; j < c; j++)
      r[j] = 1 / sqrtf (r[j] + 1e-5f);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < c; j++)
        y[i][j] = (x[i][j] - m[j]) * r[j] * g[j] + s[j];
  }
}

#pragma tensor gradient(norm) of(y: dy) wrt(x: dx, g: dg, s: ds) given(m, r)
void norm_gradient (int n, int c, float x[restrict n][c], float g[restrict c],
                    float s[restrict c], float dy[restrict n][c],
                    float dx[restrict n][c], float dg[restrict c],
                    float ds[restrict c], float m[restrict c],
                    float r[restrict c]);

BENCH_ALONE static void
norm_backward (int n, int c, float x[restrict n][c], float g[restrict c],
               float dy[restrict n][c], float dx[restrict n][c],
               float dg[restrict c], float ds[restrict c], float m[restrict c],
               float r[restrict c])
{
  float a[c], b[c];
#pragma tensor name("batch norm, backward")
  {
    for (int j = 0; j < c; j++)
      a[j] = b[j] = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < c; j++)
        {
          a[j] += dy[i][j];
          b[j] += dy[i][j] * (x[i][j] - m[j]) * r[j];
        }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < c; j++)
        {
          float z = (x[i][j] - m[j]) * r[j];
          dx[i][j] += g[j] * r[j] * (dy[i][j] - a[j] / n - z * b[j] / n);
        }
    for (int j = 0; j < c; j++)
      {
        dg[j] += b[j];
        ds[j] += a[j];
      }
  }
}

BENCH_ALONE static void
convolution (int p, int e, float x[restrict p][e + 2][e + 2],
             float w[restrict p][p][3][3], float y[restrict p][e][e])
{
#pragma tensor name("convolution")
  for (int o = 0; o < p; o++)
    for (int i = 0; i < e; i++)
      for (int j = 0; j < e; j++)
        {
          y[o][i][j] = 0;
          for (int c = 0; c < p; c++)
            for (int k = 0; k < 3; k++)
              for (int l = 0; l < 3; l++)
                y[o][i][j] += x[c][i + k][j + l] * w[o][c][k][l];
        }
}

#pragma tensor gradient(convolution) of(y: dy) wrt(x: dx, w: dw)
void convolution_gradient (int p, int e, float x[restrict p][e + 2][e + 2],
                           float w[restrict p][p][3][3],
                           float dy[restrict p][e][e],
                           float dx[restrict p][e + 2][e + 2],
                           float dw[restrict p][p][3][3]);

BENCH_ALONE static void
convolution_backward (int p, int e, float x[restrict p][e + 2][e + 2],
                      float w[restrict p][p][3][3], float dy[restrict p][e][e],
                      float dx[restrict p][e + 2][e + 2],
                      float dw[restrict p][p][3][3])
{
#pragma tensor name("convolution, backward")
  for (int o = 0; o < p; o++)
    for (int c = 0; c < p; c++)
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
          for (int i = 0; i < e; i++)
            for (int j = 0; j < e; j++)
              {
                dx[c][i + k][j + l] += dy[o][i][j] * w[o][c][k][l];
                dw[o][c][k][l] += dy[o][i][j] * x[c][i + k][j + l];
              }
}

/* Attention with its scores in rows, of positions below END for position t.  */
#define ATTENTION(END)                                                         \
  for (int h = 0; h < HEADS; h++)                                              \
    for (int t = 0; t < n; t++)                                                \
      {                                                                        \
        float s[TEXT], sum = 0;                                                \
        for (int u = 0; u < END; u++)                                          \
          {                                                                    \
            float z = 0;                                                       \
            for (int d = 0; d < WIDTH; d++)                                    \
              z += x[0][h][t][d] * x[1][h][u][d];                              \
            s[u] = expf (z / WIDTH);                                           \
            sum += s[u];                                                       \
          }                                                                    \
        for (int u = 0; u < END; u++)                                          \
          s[u] /= sum;                                                         \
        for (int d = 0; d < WIDTH; d++)                                        \
          {                                                                    \
            y[h][t][d] = 0;                                                    \
            for (int u = 0; u < END; u++)                                      \
              y[h][t][d] += s[u] * x[2][h][u][d];                              \
          }                                                                    \
      }

#define ATTENTION_BACKWARD(END)                                                \
  for (int h = 0; h < HEADS; h++)                                              \
    for (int t = 0; t < n; t++)                                                \
      {                                                                        \
        float s[TEXT], p[TEXT], sum = 0, c = 0;                                \
        for (int u = 0; u < END; u++)                                          \
          {                                                                    \
            float z = 0, g = 0;                                                \
            for (int d = 0; d < WIDTH; d++)                                    \
              z += x[0][h][t][d] * x[1][h][u][d];                              \
            for (int d = 0; d < WIDTH; d++)                                    \
              g += dy[h][t][d] * x[2][h][u][d];                                \
            s[u] = expf (z / WIDTH);                                           \
            p[u] = g;                                                          \
            sum += s[u];                                                       \
          }                                                                    \
        for (int u = 0; u < END; u++)                                          \
          {                                                                    \
            s[u] /= sum;                                                       \
            c += s[u] * p[u];                                                  \
          }                                                                    \
        for (int u = 0; u < END; u++)                                          \
          {                                                                    \
            float g = s[u] * (p[u] - c) / WIDTH;                               \
            for (int d = 0; d < WIDTH; d++)                                    \
              {                                                                \
                dx[0][h][t][d] += g * x[1][h][u][d];                           \
                dx[1][h][u][d] += g * x[0][h][t][d];                           \
                dx[2][h][u][d] += s[u] * dy[h][t][d];                          \
              }                                                                \
          }                                                                    \
      }

typedef float heads[HEADS][TEXT][WIDTH];

BENCH_ALONE static void
attention (int n, heads *restrict x, heads y)
{
#pragma tensor name("attention") noalias
  ATTENTION (n)
}

#pragma tensor gradient(attention) of(y: dy) wrt(x: dx)
void attention_gradient (int n, heads *restrict x, heads dy,
                         heads *restrict dx);

BENCH_ALONE static void
attention_backward (int n, heads *restrict x, heads dy, heads *restrict dx){
#pragma tensor name("attention, backward")
  ATTENTION_BACKWARD (n)
}

BENCH_ALONE static void causal (int n, heads *restrict x, heads y)
{
#pragma tensor name("causal attention") noalias
  ATTENTION (t + 1)
}

#pragma tensor gradient(causal) of(y: dy) wrt(x: dx)
void causal_gradient (int n, heads *restrict x, heads dy, heads *restrict dx);

BENCH_ALONE static void
causal_backward (int n, heads *restrict x, heads dy, heads *restrict dx)
{
#pragma tensor name("causal attention, backward")
  ATTENTION_BACKWARD (t + 1)
}

static inline float
sigmoid (float x)
{
  return 1 / (1 + expf (-x));
}

BENCH_ALONE static void
lstm (int n, int m, float x[restrict n][m], float w[restrict 4][m][m],
      float z[restrict n][4][m], float c[restrict n][m], float y[restrict n][m])
{
#pragma tensor name("LSTM cell")
  for (int i = 0; i < n; i++)
    {
      for (int g = 0; g < 4; g++)
        for (int j = 0; j < m; j++)
          {
            z[i][g][j] = 0;
            for (int k = 0; k < m; k++)
              z[i][g][j] += x[i][k] * w[g][j][k];
          }
      for (int j = 0; j < m; j++)
        {
          float s = sigmoid (z[i][0][j]) * c[i][j]
                    + sigmoid (z[i][1][j]) * tanhf (z[i][2][j]);
          y[i][j] = sigmoid (z[i][3][j]) * tanhf (s);
        }
    }
}

#pragma tensor gradient(lstm) of(y: dy) wrt(x: dx, w: dw, c: dc) given(z)
void lstm_gradient (int n, int m, float x[restrict n][m],
                    float w[restrict 4][m][m], float z[restrict n][4][m],
                    float c[restrict n][m], float dy[restrict n][m],
                    float dx[restrict n][m], float dw[restrict 4][m][m],
                    float dc[restrict n][m]);

BENCH_ALONE static void
lstm_backward (int n, int m, float x[restrict n][m], float w[restrict 4][m][m],
               float z[restrict n][4][m], float c[restrict n][m],
               float dy[restrict n][m], float dx[restrict n][m],
               float dw[restrict 4][m][m], float dc[restrict n][m])
{
#pragma tensor name("LSTM cell, backward")
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        float a = sigmoid (z[i][0][j]), b = sigmoid (z[i][1][j]);
        float u = tanhf (z[i][2][j]), o = sigmoid (z[i][3][j]);
        float s = tanhf (a * c[i][j] + b * u);
        float ds = dy[i][j] * o * (1 - s * s), g[4];
        g[0] = ds * c[i][j] * a * (1 - a);
        g[1] = ds * u * b * (1 - b);
        g[2] = ds * b * (1 - u * u);
        g[3] = dy[i][j] * s * o * (1 - o);
        dc[i][j] += ds * a;
        for (int k = 0; k < 4; k++)
          for (int l = 0; l < m; l++)
            {
              dx[i][l] += g[k] * w[k][j][l];
              dw[k][j][l] += g[k] * x[i][l];
            }
      }
}

BENCH_ALONE static void
embedding (int n, int m, const int *restrict at, const float x[restrict][m],
           float y[restrict n][m])
{
#pragma tensor name("embedding")
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[i][j] = x[at[i]][j];
}

#pragma tensor gradient(embedding) of(y: dy) wrt(x: dx)
void embedding_gradient (int n, int m, const int *restrict at,
                         const float dy[restrict n][m], float dx[restrict][m]);

BENCH_ALONE static void
embedding_backward (int n, int m, const int *restrict at,
                    const float dy[restrict n][m], float dx[restrict][m])
{
#pragma tensor name("embedding, backward")
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      dx[at[i]][j] += dy[i][j];
}

#define P(k) ((void *) a[k])

#define ROW(name, given, taken, written)                                       \
  static void forward_##name (float *const *a)                                 \
  {                                                                            \
    name given;                                                                \
  }                                                                            \
  BENCH_MAYBE static void run_##name (float *const *a)                         \
  {                                                                            \
    name##_gradient taken;                                                     \
  }                                                                            \
  static void hand_##name (float *const *a)                                    \
  {                                                                            \
    name##_backward written;                                                   \
  }

ROW (product, (bench_hide (SIZE), P (0), P (1), P (2), P (3), a[4]),
     (bench_hide (SIZE), P (0), P (1), P (2), P (3), P (5), P (6), a[4], a[7]),
     (bench_hide (SIZE), P (0), P (1), P (2), P (3), P (5), P (6), a[7]))
ROW (entropy, (bench_hide (ROWS), bench_hide (COLUMNS), P (0), label, a[1]),
     (bench_hide (ROWS), bench_hide (COLUMNS), P (0), label, a[1], P (2)),
     (bench_hide (ROWS), bench_hide (COLUMNS), P (0), label, a[1], P (2)))
ROW (layer, (bench_hide (ROWS), bench_hide (COLUMNS), P (0), a[1], a[2], P (3)),
     (bench_hide (ROWS), bench_hide (COLUMNS), P (0), a[1], a[2], P (3), P (4),
      a[5], a[6]),
     (bench_hide (ROWS), bench_hide (COLUMNS), P (0), a[1], P (3), P (4), a[5],
      a[6]))
ROW (norm,
     (bench_hide (ROWS), bench_hide (COLUMNS), P (0), a[1], a[2], P (3), a[7],
      a[8]),
     (bench_hide (ROWS), bench_hide (COLUMNS), P (0), a[1], a[2], P (3), P (4),
      a[5], a[6], a[7], a[8]),
     (bench_hide (ROWS), bench_hide (COLUMNS), P (0), a[1], P (3), P (4), a[5],
      a[6], a[7], a[8]))
ROW (convolution, (bench_hide (PLANES), bench_hide (EDGE), P (0), P (1), P (2)),
     (bench_hide (PLANES), bench_hide (EDGE), P (0), P (1), P (2), P (3),
      P (4)),
     (bench_hide (PLANES), bench_hide (EDGE), P (0), P (1), P (2), P (3),
      P (4)))
ROW (attention, (bench_hide (TEXT), P (0), P (1)),
     (bench_hide (TEXT), P (0), P (1), P (2)),
     (bench_hide (TEXT), P (0), P (1), P (2)))
ROW (causal, (bench_hide (TEXT), P (0), P (1)),
     (bench_hide (TEXT), P (0), P (1), P (2)),
     (bench_hide (TEXT), P (0), P (1), P (2)))
ROW (lstm,
     (bench_hide (BATCH), bench_hide (CELLS), P (0), P (1), P (2), P (3),
      P (4)),
     (bench_hide (BATCH), bench_hide (CELLS), P (0), P (1), P (2), P (3), P (4),
      P (5), P (6), P (7)),
     (bench_hide (BATCH), bench_hide (CELLS), P (0), P (1), P (2), P (3), P (4),
      P (5), P (6), P (7)))

ROW (embedding,
     (bench_hide (TOKENS), bench_hide (FEATURES), token, P (0), P (1)),
     (bench_hide (TOKENS), bench_hide (FEATURES), token, P (1), P (2)),
     (bench_hide (TOKENS), bench_hide (FEATURES), token, P (1), P (2)))

#define KERNEL(words, function)                                                \
  .name = "gradient of " words, .low = -1, .high = 1, .run = RUN (function),   \
  .hand = hand_##function, .hand_is_planned = true,                            \
  .forward = forward_##function

/* What is like a product: FORM times its forward's time at most.  */
#define LIKE_A_PRODUCT(form)                                                   \
  .goal = { { BENCH_FAST, 1, 5 },                                              \
            { BENCH_HAND, 1, 0.95 },                                           \
            { BENCH_FORWARD, 1, 1 / (form) },                                  \
            { BENCH_PEAK, 1, 0.35 } }

#define LIKE_A_COPY(form)                                                      \
  .goal = { { BENCH_FAST, 1, 1.5 },                                            \
            { BENCH_HAND, 1, 0.95 },                                           \
            { BENCH_FORWARD, 1, 1 / (form) },                                  \
            { BENCH_COPY, 1, 0.85 } }

#define PAGE (ROWS * COLUMNS)
#define ALL  (HEADS * TEXT * WIDTH)
#define RIM  (PLANES * (EDGE + 2) * (EDGE + 2))
#define TAPS (PLANES * PLANES * 9)

const bench_kernel bench_kernels[] = {
  { KERNEL ("product and GELU, given", product),
    .length = { SIZE * SIZE, SIZE *SIZE, SIZE *SIZE, SIZE *SIZE, SIZE,
                SIZE *SIZE, SIZE *SIZE, SIZE },
    .flops = 4.0 * SIZE * SIZE * SIZE, LIKE_A_PRODUCT (3.0) },
  { KERNEL ("softmax and entropy", entropy), .length = { PAGE, ROWS, PAGE },
    .bytes = 12.0 * PAGE, LIKE_A_COPY (3.5) },
  { KERNEL ("layer norm", layer),
    .length = { PAGE, COLUMNS, COLUMNS, PAGE, PAGE, COLUMNS, COLUMNS },
    .bytes = 16.0 * PAGE, LIKE_A_COPY (3.5) },
  { KERNEL ("batch norm, given", norm),
    .length = { PAGE, COLUMNS, COLUMNS, PAGE, PAGE, COLUMNS, COLUMNS, COLUMNS,
                COLUMNS },
    .bytes = 24.0 * PAGE, LIKE_A_COPY (3.0) },
  { KERNEL ("convolution", convolution),
    .length = { RIM, TAPS, PLANES *EDGE *EDGE, RIM, TAPS },
    .flops = 36.0 * PLANES * PLANES * EDGE * EDGE, LIKE_A_PRODUCT (3.5) },
  { KERNEL ("attention", attention), .length = { 3 * ALL, ALL, 3 * ALL },
    .flops = 10.0 * ALL * TEXT, LIKE_A_PRODUCT (3.5) },
  { KERNEL ("causal attention", causal), .length = { 3 * ALL, ALL, 3 * ALL },
    .flops = 5.0 * ALL * TEXT, LIKE_A_PRODUCT (3.5) },
  { KERNEL ("LSTM cell, given", lstm),
    .length = { BATCH * CELLS, 4 * CELLS *CELLS, 4 * BATCH *CELLS, BATCH *CELLS,
                BATCH *CELLS, BATCH *CELLS, 4 * CELLS *CELLS, BATCH *CELLS },
    .flops = 16.0 * BATCH * CELLS * CELLS, LIKE_A_PRODUCT (3.0) },
  { KERNEL ("embedding", embedding),
    .length = { WORDS * FEATURES, TOKENS *FEATURES, WORDS *FEATURES },
    .bytes = 12.0 * TOKENS * FEATURES, .goal = { { BENCH_HAND, 1, 0.95 } } },
  { .name = 0 },
};
