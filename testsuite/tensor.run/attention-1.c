/* Shows that attention, full and causal, over heads means the same but for
   rounding.  */

#include "compare.h"

static NOINLINE void
plain_causal (float *out, float *pre, float *att, const float *in, int T, int C,
              int NH)
{
  int C3 = C * 3;
  int hs = C / NH;
  float scale = 1.0f / sqrtf (hs);
  for (int t = 0; t < T; t++)
    for (int h = 0; h < NH; h++)
      {
        const float *query = in + t * C3 + h * hs;
        float *row = pre + h * T * T + t * T;
        float *weight = att + h * T * T + t * T;
        float most = -10000.0f;
        for (int u = 0; u <= t; u++)
          {
            const float *key = in + u * C3 + h * hs + C;
            float v = 0.0f;
            for (int i = 0; i < hs; i++)
              v += query[i] * key[i];
            v *= scale;
            if (v > most)
              most = v;
            row[u] = v;
          }
        float sum = 0.0f;
        for (int u = 0; u <= t; u++)
          {
            float e = expf (row[u] - most);
            sum += e;
            weight[u] = e;
          }
        float inverse = sum == 0.0f ? 0.0f : 1.0f / sum;
        for (int u = 0; u < T; u++)
          {
            if (u <= t)
              weight[u] *= inverse;
            else
              weight[u] = 0.0f;
          }
        float *to = out + t * C + h * hs;
        for (int i = 0; i < hs; i++)
          to[i] = 0.0f;
        for (int u = 0; u <= t; u++)
          {
            const float *value = in + u * C3 + h * hs + C * 2;
            float w = weight[u];
            for (int i = 0; i < hs; i++)
              to[i] += w * value[i];
          }
      }
}

static NOINLINE void
plain_full (int n, int d, const float q[n][d], const float k[n][d],
            const float v[n][d], float s[n][n], float o[n][d])
{
  {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        {
          s[i][j] = 0;
          for (int c = 0; c < d; c++)
            s[i][j] += q[i][c] * k[j][c];
          s[i][j] *= 0.125f;
        }
    for (int i = 0; i < n; i++)
      {
        float sum = 0;
        for (int j = 0; j < n; j++)
          {
            s[i][j] = expf (s[i][j]);
            sum += s[i][j];
          }
        for (int j = 0; j < n; j++)
          s[i][j] /= sum;
      }
    for (int i = 0; i < n; i++)
      for (int c = 0; c < d; c++)
        {
          o[i][c] = 0;
          for (int j = 0; j < n; j++)
            o[i][c] += s[i][j] * v[j][c];
        }
  }
}

static NOINLINE void
causal (float *out, float *pre, float *att, const float *in, int T, int C,
        int NH)
{
  int C3 = C * 3;
  int hs = C / NH;
  float scale = 1.0f / sqrtf (hs);
#pragma tensor
  for (int t = 0; t < T; t++)
    for (int h = 0; h < NH; h++)
      {
        const float *query = in + t * C3 + h * hs;
        float *row = pre + h * T * T + t * T;
        float *weight = att + h * T * T + t * T;
        float most = -10000.0f;
        for (int u = 0; u <= t; u++)
          {
            const float *key = in + u * C3 + h * hs + C;
            float v = 0.0f;
            for (int i = 0; i < hs; i++)
              v += query[i] * key[i];
            v *= scale;
            if (v > most)
              most = v;
            row[u] = v;
          }
        float sum = 0.0f;
        for (int u = 0; u <= t; u++)
          {
            float e = expf (row[u] - most);
            sum += e;
            weight[u] = e;
          }
        float inverse = sum == 0.0f ? 0.0f : 1.0f / sum;
        for (int u = 0; u < T; u++)
          {
            if (u <= t)
              weight[u] *= inverse;
            else
              weight[u] = 0.0f;
          }
        float *to = out + t * C + h * hs;
        for (int i = 0; i < hs; i++)
          to[i] = 0.0f;
        for (int u = 0; u <= t; u++)
          {
            const float *value = in + u * C3 + h * hs + C * 2;
            float w = weight[u];
            for (int i = 0; i < hs; i++)
              to[i] += w * value[i];
          }
      }
}

static NOINLINE void
full (int n, int d, const float q[n][d], const float k[n][d],
      const float v[n][d], float s[n][n], float o[n][d])
{
#pragma tensor
  {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        {
          s[i][j] = 0;
          for (int c = 0; c < d; c++)
            s[i][j] += q[i][c] * k[j][c];
          s[i][j] *= 0.125f;
        }
    for (int i = 0; i < n; i++)
      {
        float sum = 0;
        for (int j = 0; j < n; j++)
          {
            s[i][j] = expf (s[i][j]);
            sum += s[i][j];
          }
        for (int j = 0; j < n; j++)
          s[i][j] /= sum;
      }
    for (int i = 0; i < n; i++)
      for (int c = 0; c < d; c++)
        {
          o[i][c] = 0;
          for (int j = 0; j < n; j++)
            o[i][c] += s[i][j] * v[j][c];
        }
  }
}

static float in[2][33 * 96], out[2][33 * 32], pre[2][2 * 33 * 33],
  att[2][2 * 33 * 33];
static float q[2][AREA], k[2][AREA], v[2][AREA], s[2][AREA], o[2][AREA];

int
main (void)
{
  EACH_SMALL (n)
  {
    FILL_REAL (in);
    FILL_REAL (out);
    FILL_REAL (pre);
    FILL_REAL (att);
    BOTH (causal, out[W], pre[W], att[W], in[W], n, 32, 2);
    CHECK_NEAR (out, 1e-5);
    CHECK_NEAR (att, 1e-5);
    EACH_SMALL_TOO (d)
    {
      FILL_REAL (q);
      FILL_REAL (k);
      FILL_REAL (v);
      FILL_REAL (o);
      BOTH (full, n, d, (void *) q[W], (void *) k[W], (void *) v[W],
            (void *) s[W], (void *) o[W]);
      CHECK_NEAR (o, 1e-5);
    }
  }
  return 0;
}
