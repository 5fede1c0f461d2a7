/* Shows that an LSTM cell and a layer with its bias mean the same but for
   rounding.  */

#include "compare.h"

static float
sigmoid (float x)
{
  return 1.0f / (1.0f + expf (-x));
}

static NOINLINE void
plain_lstm (const float *gates, float *c, float *h, int batch, int width)
{
  for (int b = 0; b < batch; b++)
    for (int j = 0; j < width; j++)
      {
        const float *g = gates + b * 4 * width;
        float in = sigmoid (g[j]);
        float forget = sigmoid (g[width + j]);
        float out = sigmoid (g[2 * width + j]);
        float cell = forget * c[b * width + j] + in * tanhf (g[3 * width + j]);
        c[b * width + j] = cell;
        h[b * width + j] = out * tanhf (cell);
      }
}

static NOINLINE void
plain_layer (float *out, const float *in, const float *weight,
             const float *bias, int rows, int C, int OC)
{
  for (int r = 0; r < rows; r++)
    for (int o = 0; o < OC; o++)
      {
        float value = (bias != NULL) ? bias[o] : 0.0f;
        for (int i = 0; i < C; i++)
          value += in[r * C + i] * weight[o * C + i];
        out[r * OC + o] = value;
      }
}

static NOINLINE void
lstm (const float *gates, float *c, float *h, int batch, int width)
{
#pragma tensor
  for (int b = 0; b < batch; b++)
    for (int j = 0; j < width; j++)
      {
        const float *g = gates + b * 4 * width;
        float in = sigmoid (g[j]);
        float forget = sigmoid (g[width + j]);
        float out = sigmoid (g[2 * width + j]);
        float cell = forget * c[b * width + j] + in * tanhf (g[3 * width + j]);
        c[b * width + j] = cell;
        h[b * width + j] = out * tanhf (cell);
      }
}

static NOINLINE void
layer (float *out, const float *in, const float *weight, const float *bias,
       int rows, int C, int OC)
{
#pragma tensor
  for (int r = 0; r < rows; r++)
    for (int o = 0; o < OC; o++)
      {
        float value = (bias != NULL) ? bias[o] : 0.0f;
        for (int i = 0; i < C; i++)
          value += in[r * C + i] * weight[o * C + i];
        out[r * OC + o] = value;
      }
}

static float g[2][4 * 33 * 33], c[2][33 * 33], h[2][33 * 33], w[2][33 * 33],
  b[2][33];

int
main (void)
{
  EACH_SMALL (n)
  EACH_SMALL_TOO (m)
  {
    FILL_REAL (g);
    FILL_REAL (c);
    FILL_REAL (h);
    BOTH (lstm, g[W], c[W], h[W], n, m);
    CHECK_NEAR (c, 2e-6);
    CHECK_NEAR (h, 2e-6);
    FILL (g);
    FILL (w);
    FILL (b);
    BOTH (layer, h[W], g[W], w[W], b[W], n, m, 33);
    CHECK (h);
    BOTH (layer, h[W], g[W], w[W], NULL, n, 33, m);
    CHECK (h);
  }
  return 0;
}
