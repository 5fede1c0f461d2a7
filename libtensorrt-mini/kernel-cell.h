/* Recurrent cells: all gates of a step, their products among them.  */

/* Cells: x [n][q], h, c and y [n][p], w [..][p][q], u [..][p][p], b [..][p].

   z keeps, for backward, what goes into the gates: of lstm [n][4][p], of gru
   [n][4][p], too, since the new state has one part of x and one of h, which
   the reset gate scales.  */
#ifndef SIGMOID
# define SIGMOID
static inline float
sigmoidf (float x)
{
  return 1 / (1 + expf (-x));
}
static inline double
sigmoid (double x)
{
  return 1 / (1 + exp (-x));
}
#endif

static void
F (rnn) (int64_t n, int64_t p, int64_t q, R *restrict y, const R *restrict x,
         const R *restrict h, const R *restrict w, const R *restrict u,
         const R *restrict b)
{
#pragma tensor
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < p; j++)
      {
        R sum = b[j];
        for (int64_t k = 0; k < q; k++)
          sum += x[i * q + k] * w[j * q + k];
        for (int64_t k = 0; k < p; k++)
          sum += h[i * p + k] * u[j * p + k];
        y[i * p + j] = M (tanh) (sum);
      }
}
#pragma tensor gradient(F (rnn)) of(y : dy)                                  \
  wrt(x : dx, h : dh, w : dw, u : du, b : db) given(y)
static void F (rnn_back) (int64_t n, int64_t p, int64_t q,
                          const R *restrict y, const R *restrict dy,
                          const R *restrict x, const R *restrict h,
                          const R *restrict w, const R *restrict u,
                          R *restrict dx, R *restrict dh, R *restrict dw,
                          R *restrict du, R *restrict db);

/* e becomes the new cell state.  */
static void
F (lstm) (int64_t n, int64_t p, int64_t q, R *restrict y, R *restrict e,
          R *restrict z, const R *restrict x, const R *restrict h,
          const R *restrict c, const R *restrict w, const R *restrict u,
          const R *restrict b)
{
#pragma tensor
  {
    for (int64_t i = 0; i < n; i++)
      for (int64_t g = 0; g < 4; g++)
        for (int64_t j = 0; j < p; j++)
          {
            R sum = b[g * p + j];
            for (int64_t k = 0; k < q; k++)
              sum += x[i * q + k] * w[(g * p + j) * q + k];
            for (int64_t k = 0; k < p; k++)
              sum += h[i * p + k] * u[(g * p + j) * p + k];
            z[(i * 4 + g) * p + j] = sum;
          }
    for (int64_t i = 0; i < n; i++)
      for (int64_t j = 0; j < p; j++)
        {
          R input = M (sigmoid) (z[(i * 4 + 0) * p + j]);
          R forget = M (sigmoid) (z[(i * 4 + 1) * p + j]);
          R cell = M (tanh) (z[(i * 4 + 2) * p + j]);
          R output = M (sigmoid) (z[(i * 4 + 3) * p + j]);
          R next = forget * c[i * p + j] + input * cell;
          e[i * p + j] = next;
          y[i * p + j] = output * M (tanh) (next);
        }
  }
}
#pragma tensor gradient(F (lstm)) of(y : dy, e : de)                         \
  wrt(x : dx, h : dh, c : dc, w : dw, u : du, b : db) given(z)
static void F (lstm_back) (int64_t n, int64_t p, int64_t q,
                           const R *restrict z, const R *restrict dy,
                           const R *restrict de, const R *restrict x,
                           const R *restrict h, const R *restrict c,
                           const R *restrict w, const R *restrict u,
                           R *restrict dx, R *restrict dh, R *restrict dc,
                           R *restrict dw, R *restrict du, R *restrict db);

static void
F (gru) (int64_t n, int64_t p, int64_t q, R *restrict y, R *restrict z,
         const R *restrict x, const R *restrict h, const R *restrict w,
         const R *restrict u, const R *restrict b, const R *restrict c)
{
#pragma tensor
  {
    for (int64_t i = 0; i < n; i++)
      for (int64_t g = 0; g < 2; g++)
        for (int64_t j = 0; j < p; j++)
          {
            R sum = b[g * p + j] + c[g * p + j];
            for (int64_t k = 0; k < q; k++)
              sum += x[i * q + k] * w[(g * p + j) * q + k];
            for (int64_t k = 0; k < p; k++)
              sum += h[i * p + k] * u[(g * p + j) * p + k];
            z[(i * 4 + g) * p + j] = sum;
          }
    for (int64_t i = 0; i < n; i++)
      for (int64_t j = 0; j < p; j++)
        {
          R left = b[2 * p + j], right = c[2 * p + j];
          for (int64_t k = 0; k < q; k++)
            left += x[i * q + k] * w[(2 * p + j) * q + k];
          for (int64_t k = 0; k < p; k++)
            right += h[i * p + k] * u[(2 * p + j) * p + k];
          z[(i * 4 + 2) * p + j] = left;
          z[(i * 4 + 3) * p + j] = right;
        }
    for (int64_t i = 0; i < n; i++)
      for (int64_t j = 0; j < p; j++)
        {
          R reset = M (sigmoid) (z[(i * 4 + 0) * p + j]);
          R update = M (sigmoid) (z[(i * 4 + 1) * p + j]);
          R fresh = M (tanh) (z[(i * 4 + 2) * p + j]
                              + reset * z[(i * 4 + 3) * p + j]);
          y[i * p + j] = (1 - update) * fresh + update * h[i * p + j];
        }
  }
}
#pragma tensor gradient(F (gru)) of(y : dy)                                  \
  wrt(x : dx, h : dh, w : dw, u : du, b : db, c : dc) given(z)
static void F (gru_back) (int64_t n, int64_t p, int64_t q,
                          const R *restrict z, const R *restrict dy,
                          const R *restrict x, const R *restrict h,
                          const R *restrict w, const R *restrict u,
                          R *restrict dx, R *restrict dh, R *restrict dw,
                          R *restrict du, R *restrict db, R *restrict dc);
