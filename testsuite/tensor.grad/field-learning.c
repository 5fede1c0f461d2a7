/* { dg-no-verdicts "the pragmas come of macros" } */
/* Shows gradients of machine learning: cells, layers, losses.  */

#include "field.h"

static inline real
sigmoid (real x)
{
  return 1 / (1 + exp (-x));
}

/* A cell with gates, along time.  */
static void
lstm (int n, const real *x, const real *w, const real *p, real *y)
{
  real h[2] = { 0, 0 }, c[2] = { 0, 0 };
  for (int t = 0; t < n; t++)
    {
      real gate[4][2];
      for (int g = 0; g < 4; g++)
        for (int k = 0; k < 2; k++)
          {
            gate[g][k] = p[2 * g + k];
            for (int j = 0; j < 2; j++)
              gate[g][k] += w[8 * g + 2 * k + j] * x[2 * t + j]
                            + w[8 * g + 4 + 2 * k + j] * h[j];
          }
      for (int k = 0; k < 2; k++)
        {
          c[k] = sigmoid (gate[0][k]) * c[k]
                 + sigmoid (gate[1][k]) * tanh (gate[2][k]);
          h[k] = sigmoid (gate[3][k]) * tanh (c[k]);
          y[2 * t + k] = h[k];
        }
    }
}
FIELD (lstm)

/* A cell with two gates.  */
static void
gru (int n, const real *x, const real *w, const real *p, real *y)
{
  real h = p[0];
  for (int t = 0; t < n; t++)
    {
      real z = sigmoid (w[0] * x[t] + w[1] * h + p[1]);
      real r = sigmoid (w[2] * x[t] + w[3] * h + p[2]);
      real fresh = tanh (w[4] * x[t] + w[5] * (r * h) + p[3]);
      h = (1 - z) * h + z * fresh;
      y[t] = h;
    }
}
FIELD (gru)

/* Columns made 0 in the mean and 1 in length over a batch.  */
static void
batch_norm (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int j = 0; j < 3; j++)
    {
      real mean = 0, square = 0;
      for (int i = 0; i < n; i++)
        {
          mean += x[i * 3 + j];
          square += x[i * 3 + j] * x[i * 3 + j];
        }
      mean /= n + 1;
      real scale = 1 / sqrt (square / (n + 1) - mean * mean + 0.01);
      for (int i = 0; i < n; i++)
        y[i * 3 + j] = w[j] * (x[i * 3 + j] - mean) * scale + p[j];
    }
}
FIELD (batch_norm)

/* Convolution in the plane with a stride, borders of zeros.  */
static void
convolution (int n, const real *x, const real *w, const real *p, real *y)
{
  int half = (n + 1) / 2;
  for (int i = 0; i < half; i++)
    for (int j = 0; j < half; j++)
      {
        real s = p[0];
        for (int k = -1; k <= 1; k++)
          for (int l = -1; l <= 1; l++)
            {
              int row = 2 * i + k, column = 2 * j + l;
              if (row >= 0 && row < n && column >= 0 && column < n)
                s += x[row * n + column] * w[3 * k + l + 4];
            }
        y[i * half + j] = s > 0 ? s : 0.1 * s;
      }
}
FIELD (convolution)

/* Attention of two rows of keys to all before.  */
static void
attention (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int i = 0; i < n; i++)
    {
      real score[MOST], most = -1e30, sum = 0;
      for (int j = 0; j <= i; j++)
        {
          score[j] = 0;
          for (int k = 0; k < 2; k++)
            score[j] += x[2 * i + k] * w[2 * j + k];
          most = fmax (most, score[j]);
        }
      for (int j = 0; j <= i; j++)
        {
          score[j] = exp (score[j] - most);
          sum += score[j];
        }
      for (int k = 0; k < 2; k++)
        {
          real s = 0;
          for (int j = 0; j <= i; j++)
            s += score[j] / sum * p[2 * j + k];
          y[2 * i + k] = s;
        }
    }
}
FIELD (attention)

/* Losses of labels after a softmax.  */
static void
entropy (int n, const real *x, const real *w, const real *p, real *y)
{
  y[0] = 0;
  for (int i = 0; i < n; i++)
    {
      real sum = 0;
      for (int j = 0; j < 4; j++)
        sum += exp (x[4 * i + j] * w[j] + p[j]);
      int label = index_of[i] % 4;
      y[0] += log (sum) - x[4 * i + label] * w[label] - p[label];
    }
}
FIELD (entropy)

/* Rows taken by index, added and put through a layer.  */
static void
embedding (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++)
      {
        real s = p[k];
        for (int j = 0; j < 3; j++)
          s += w[3 * k + j] * (x[3 * index_of[i] + j] + x[3 * i + j]);
        y[3 * i + k] = s / (1 + fabs (s));
      }
}
FIELD (embedding)

/* The greatest of each window, then a sum.  */
static void
pooling (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int i = 0; i < n; i++)
    {
      real most = x[3 * i];
      for (int k = 1; k < 3; k++)
        most = x[3 * i + k] > most ? x[3 * i + k] : most;
      y[i] = most * w[i] + p[i];
    }
}
FIELD (pooling)

/* Two layers with a smooth step between.  */
static void
network (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int i = 0; i < n; i++)
    {
      real hidden[3];
      for (int k = 0; k < 3; k++)
        {
          real s = p[k];
          for (int j = 0; j < 2; j++)
            s += w[2 * k + j] * x[2 * i + j];
          hidden[k] = 0.5 * s * (1 + erf (s * M_SQRT1_2));
        }
      y[i] = p[3];
      for (int k = 0; k < 3; k++)
        y[i] += w[6 + k] * hidden[k];
    }
}
FIELD (network)

/* The cosine between rows.  */
static void
cosine (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int i = 0; i < n; i++)
    {
      real xx = 0, ww = 0, xw = 0;
      for (int k = 0; k < 4; k++)
        {
          xx += x[4 * i + k] * x[4 * i + k];
          ww += w[4 * i + k] * w[4 * i + k];
          xw += x[4 * i + k] * w[4 * i + k];
        }
      y[i] = p[i] * xw / (sqrt (xx) * sqrt (ww));
    }
}
FIELD (cosine)

/* Pairs that are alike shall be nearer than others, by a margin.  */
static void
triplets (int n, const real *x, const real *w, const real *p, real *y)
{
  y[0] = 0;
  for (int i = 0; i < n; i++)
    {
      real near = (x[i] - w[i]) * (x[i] - w[i]);
      real far = (x[i] - p[index_of[i]]) * (x[i] - p[index_of[i]]);
      y[0] += fmax (near - far + 0.05, 0);
    }
}
FIELD (triplets)

/* Moments with decay and the step that they give.  */
static void
optimiser (int n, const real *x, const real *w, const real *p, real *y)
{
  for (int i = 0; i < n; i++)
    {
      real m = 0, v = 0.1, at = w[i];
      for (int t = 0; t < 4; t++)
        {
          real slope = 2 * (at - x[i]) + p[0];
          m = 0.9 * m + 0.1 * slope;
          v = 0.99 * v + 0.01 * slope * slope;
          at -= 0.1 * m / (sqrt (v) + 1e-3);
        }
      y[i] = at;
    }
}
FIELD (optimiser)

int
main (void)
{
  CHECK (lstm)
  CHECK (gru)
  CHECK (batch_norm)
  CHECK (convolution)
  CHECK (attention)
  CHECK (entropy)
  CHECK (embedding)
  CHECK (pooling)
  CHECK (network)
  CHECK (cosine)
  CHECK (triplets)
  CHECK (optimiser)
  return faults != 0;
}
