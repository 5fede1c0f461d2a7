/* Rows: where they lie apart, softmax, norms, losses, dropout, rows of a table.

   m is the number of rows, n their length.  A row is read from memory once and
   stays in the cache; sums over it that backward needs (mean, scale) are left
   in arrays of the caller's.

   Gradients of norms take the epsilon of their function and do not read it,
   since scale is given.

   What is subtracted for stability begins at -R_MAX, so that a row of -inf
   gives what 0 / 0 gives.  */

#include "philox.h"

/* y[i] := x[i]', of m matrices.  */
static void
F (swap) (int64_t m, int64_t n, int64_t p, R y[restrict m][p][n],
          const R x[restrict m][n][p])
{
#pragma tensor
  for (int64_t i = 0; i < m; i++)
    for (int64_t k = 0; k < p; k++)
      for (int64_t j = 0; j < n; j++)
        y[i][k][j] = x[i][j][k];
}

/* y[i] := exp (x[i]) / sum (exp (x[i])).  */
static void
F (softmax) (int64_t m, int64_t n, R y[restrict m][n], const R x[restrict m][n])
{
#pragma tensor
  for (int64_t i = 0; i < m; i++)
    {
      R most = -R_MAX, sum = 0;
      for (int64_t j = 0; j < n; j++)
        most = M (fmax) (most, x[i][j]);
      for (int64_t j = 0; j < n; j++)
        sum += M (exp) (x[i][j] - most);
      R part = 1 / sum;
      for (int64_t j = 0; j < n; j++)
        y[i][j] = M (exp) (x[i][j] - most) * part;
    }
}

/* What softmax, whose result is y, makes of a small x added to its operand:
   linear in x, so that the gradient is the same as softmax's, and reads y in
   place of exponentials.  */
static void
F (softmax_slope) (int64_t m, int64_t n, R z[restrict m][n],
                   const R y[restrict m][n], const R x[restrict m][n])
{
#pragma tensor
  for (int64_t i = 0; i < m; i++)
    {
      R dot = 0;
      for (int64_t j = 0; j < n; j++)
        dot += x[i][j] * y[i][j];
      for (int64_t j = 0; j < n; j++)
        z[i][j] = y[i][j] * (x[i][j] - dot);
    }
}
#pragma tensor gradient(F (softmax_slope)) of(z : dz) wrt(x : dx) clear(dx)
static void F (softmax_back) (int64_t m, int64_t n, const R y[restrict m][n],
                              const R dz[restrict m][n], R dx[restrict m][n]);

/* y[i] := x[i] - log (sum (exp (x[i]))).  */
static void
F (log_softmax) (int64_t m, int64_t n, R y[restrict m][n],
                 const R x[restrict m][n])
{
#pragma tensor
  for (int64_t i = 0; i < m; i++)
    {
      R most = -R_MAX, sum = 0;
      for (int64_t j = 0; j < n; j++)
        most = M (fmax) (most, x[i][j]);
      for (int64_t j = 0; j < n; j++)
        sum += M (exp) (x[i][j] - most);
      R part = M (log) (sum);
      for (int64_t j = 0; j < n; j++)
        y[i][j] = x[i][j] - most - part;
    }
}

/* The same of log_softmax.  */
static void
F (log_softmax_slope) (int64_t m, int64_t n, R z[restrict m][n],
                       const R y[restrict m][n], const R x[restrict m][n])
{
#pragma tensor
  for (int64_t i = 0; i < m; i++)
    {
      R mean = 0;
      for (int64_t j = 0; j < n; j++)
        mean += x[i][j] * M (exp) (y[i][j]);
      for (int64_t j = 0; j < n; j++)
        z[i][j] = x[i][j] - mean;
    }
}
#pragma tensor gradient(F (log_softmax_slope)) of(z : dz) wrt(x : dx)      \
  clear(dx)
static void F (log_softmax_back) (int64_t m, int64_t n,
                                  const R y[restrict m][n],
                                  const R dz[restrict m][n],
                                  R dx[restrict m][n]);

/* y[i] := (x[i] - mean[i]) * scale[i] * gain + shift.  */
static void
F (layer_norm) (int64_t m, int64_t n, R epsilon, R y[restrict m][n],
                R mean[restrict m], R scale[restrict m],
                const R x[restrict m][n], const R gain[restrict n],
                const R shift[restrict n])
{
#pragma tensor
  for (int64_t i = 0; i < m; i++)
    {
      R sum = 0, squares = 0;
      for (int64_t j = 0; j < n; j++)
        sum += x[i][j];
      mean[i] = sum / n;
      for (int64_t j = 0; j < n; j++)
        squares += (x[i][j] - mean[i]) * (x[i][j] - mean[i]);
      scale[i] = 1 / M (sqrt) (squares / n + epsilon);
      for (int64_t j = 0; j < n; j++)
        y[i][j] = (x[i][j] - mean[i]) * scale[i] * gain[j] + shift[j];
    }
}
#pragma tensor gradient(F (layer_norm)) of(y : dy)                            \
  wrt(x : dx, gain : dgain, shift : dshift) given(mean, scale)                \
  clear(dx, dgain, dshift)
static void F (layer_norm_back) (int64_t m, int64_t n, R epsilon,
                                 const R x[restrict m][n],
                                 const R gain[restrict n],
                                 const R mean[restrict m],
                                 const R scale[restrict m],
                                 const R dy[restrict m][n], R dx[restrict m][n],
                                 R dgain[restrict n], R dshift[restrict n]);

/* y[i] := x[i] * scale[i] * gain.  */
static void
F (rms_norm) (int64_t m, int64_t n, R epsilon, R y[restrict m][n],
              R scale[restrict m], const R x[restrict m][n],
              const R gain[restrict n])
{
#pragma tensor
  for (int64_t i = 0; i < m; i++)
    {
      R squares = 0;
      for (int64_t j = 0; j < n; j++)
        squares += x[i][j] * x[i][j];
      scale[i] = 1 / M (sqrt) (squares / n + epsilon);
      for (int64_t j = 0; j < n; j++)
        y[i][j] = x[i][j] * scale[i] * gain[j];
    }
}
#pragma tensor gradient(F (rms_norm)) of(y : dy)                              \
  wrt(x : dx, gain : dgain) given(scale) clear(dx, dgain)
static void F (rms_norm_back) (int64_t m, int64_t n, R epsilon,
                               const R x[restrict m][n],
                               const R gain[restrict n],
                               const R scale[restrict m],
                               const R dy[restrict m][n], R dx[restrict m][n],
                               R dgain[restrict n]);

/* Channel j of x [m][n][p], over i and k:
   y := (x - mean[j]) * scale[j] * gain[j] + shift[j].  */
static void
F (batch_norm) (int64_t m, int64_t n, int64_t p, R epsilon,
                R y[restrict m][n][p], R mean[restrict n],
                R variance[restrict n], R scale[restrict n],
                const R x[restrict m][n][p], const R gain[restrict n],
                const R shift[restrict n])
{
#pragma tensor
  for (int64_t j = 0; j < n; j++)
    {
      R sum = 0, squares = 0;
      for (int64_t i = 0; i < m; i++)
        for (int64_t k = 0; k < p; k++)
          sum += x[i][j][k];
      mean[j] = sum / (m * p);
      for (int64_t i = 0; i < m; i++)
        for (int64_t k = 0; k < p; k++)
          squares += (x[i][j][k] - mean[j]) * (x[i][j][k] - mean[j]);
      variance[j] = squares / (m * p);
      scale[j] = 1 / M (sqrt) (variance[j] + epsilon);
      for (int64_t i = 0; i < m; i++)
        for (int64_t k = 0; k < p; k++)
          y[i][j][k] = (x[i][j][k] - mean[j]) * scale[j] * gain[j] + shift[j];
    }
}
#pragma tensor gradient(F (batch_norm)) of(y : dy)                            \
  wrt(x : dx, gain : dgain, shift : dshift) given(mean, scale)                \
  clear(dx, dgain, dshift)
static void
  F (batch_norm_back) (int64_t m, int64_t n, int64_t p, R epsilon,
                       const R x[restrict m][n][p], const R gain[restrict n],
                       const R mean[restrict n], const R scale[restrict n],
                       const R dy[restrict m][n][p], R dx[restrict m][n][p],
                       R dgain[restrict n], R dshift[restrict n]);

/* The same of x [m][n], whose columns lie side by side.  */
static void
F (column_norm) (int64_t m, int64_t n, R epsilon, R y[restrict m][n],
                 R mean[restrict n], R variance[restrict n],
                 R scale[restrict n], const R x[restrict m][n],
                 const R gain[restrict n], const R shift[restrict n])
{
#pragma tensor
  {
    for (int64_t j = 0; j < n; j++)
      mean[j] = variance[j] = 0;
    for (int64_t i = 0; i < m; i++)
      for (int64_t j = 0; j < n; j++)
        mean[j] += x[i][j] / m;
    for (int64_t i = 0; i < m; i++)
      for (int64_t j = 0; j < n; j++)
        variance[j] += (x[i][j] - mean[j]) * (x[i][j] - mean[j]) / m;
    for (int64_t j = 0; j < n; j++)
      scale[j] = 1 / M (sqrt) (variance[j] + epsilon);
    for (int64_t i = 0; i < m; i++)
      for (int64_t j = 0; j < n; j++)
        y[i][j] = (x[i][j] - mean[j]) * scale[j] * gain[j] + shift[j];
  }
}
#pragma tensor gradient(F (column_norm)) of(y : dy)                           \
  wrt(x : dx, gain : dgain, shift : dshift) given(mean, scale)                \
  clear(dx, dgain, dshift)
static void
  F (column_norm_back) (int64_t m, int64_t n, R epsilon,
                        const R x[restrict m][n], const R gain[restrict n],
                        const R mean[restrict n], const R scale[restrict n],
                        const R dy[restrict m][n], R dx[restrict m][n],
                        R dgain[restrict n], R dshift[restrict n]);

/* y := x * factor[j] + offset[j] for channel j of x [m][n][p], and of x [m][n],
   whose columns lie side by side.  */
static void
F (scaled) (int64_t m, int64_t n, int64_t p, R y[restrict m][n][p],
            const R x[restrict m][n][p], const R factor[restrict n],
            const R offset[restrict n])
{
#pragma tensor
  for (int64_t i = 0; i < m; i++)
    for (int64_t j = 0; j < n; j++)
      for (int64_t k = 0; k < p; k++)
        y[i][j][k] = x[i][j][k] * factor[j] + offset[j];
}
#pragma tensor gradient(F (scaled)) of(y : dy)                                \
  wrt(x : dx, factor : dfactor, offset : doffset) clear(dx, dfactor, doffset)
static void F (scaled_back) (int64_t m, int64_t n, int64_t p,
                             const R x[restrict m][n][p],
                             const R factor[restrict n],
                             const R dy[restrict m][n][p],
                             R dx[restrict m][n][p], R dfactor[restrict n],
                             R doffset[restrict n]);
static void
F (scaled_columns) (int64_t m, int64_t n, R y[restrict m][n],
                    const R x[restrict m][n], const R factor[restrict n],
                    const R offset[restrict n])
{
#pragma tensor
  for (int64_t i = 0; i < m; i++)
    for (int64_t j = 0; j < n; j++)
      y[i][j] = x[i][j] * factor[j] + offset[j];
}
#pragma tensor gradient(F (scaled_columns)) of(y : dy)                        \
  wrt(x : dx, factor : dfactor, offset : doffset) clear(dx, dfactor, doffset)
static void F (scaled_columns_back) (int64_t m, int64_t n,
                                     const R x[restrict m][n],
                                     const R factor[restrict n],
                                     const R dy[restrict m][n],
                                     R dx[restrict m][n], R dfactor[restrict n],
                                     R doffset[restrict n]);

/* loss := weight * the sum of log (sum (exp (x[i]))) - x[i][label[i]] over the
   rows whose label is not negative.  */
static void
F (cross_entropy) (int64_t m, int64_t n, R weight, R *restrict loss,
                   const R x[restrict m][n], const int64_t label[restrict m])
{
#pragma tensor
  {
    R total = 0;
    for (int64_t i = 0; i < m; i++)
      {
        R most = -R_MAX, sum = 0;
        for (int64_t j = 0; j < n; j++)
          most = M (fmax) (most, x[i][j]);
        for (int64_t j = 0; j < n; j++)
          sum += M (exp) (x[i][j] - most);
        if (label[i] >= 0)
          total += most + M (log) (sum) - x[i][label[i]];
      }
    *loss = total * weight;
  }
}

/* The same, and slope := the gradient of x for one of 1, whose exponentials are
   those of the loss: weight * (softmax (x[i]) - one-hot (label[i])), 0 in rows
   whose label is negative.  */
static void
F (cross_entropy_slope) (int64_t m, int64_t n, R weight, R *restrict loss,
                         R slope[restrict m][n], const R x[restrict m][n],
                         const int64_t label[restrict m])
{
#pragma tensor
  {
    R total = 0;
    for (int64_t i = 0; i < m; i++)
      {
        R most = -R_MAX, sum = 0;
        for (int64_t j = 0; j < n; j++)
          most = M (fmax) (most, x[i][j]);
        for (int64_t j = 0; j < n; j++)
          sum += M (exp) (x[i][j] - most);
        R part = label[i] >= 0 ? weight / sum : 0;
        for (int64_t j = 0; j < n; j++)
          slope[i][j] = M (exp) (x[i][j] - most) * part;
        if (label[i] >= 0)
          {
            total += most + M (log) (sum) - x[i][label[i]];
            slope[i][label[i]] -= weight;
          }
      }
    *loss = total * weight;
  }
}

/* loss := the mean of (a[i] - b[i])^2; the gradient of b alone is that of a,
   with both exchanged.  */
static void
F (mse) (int64_t n, R *restrict loss, const R a[restrict n],
         const R b[restrict n])
{
#pragma tensor
  {
    R sum = 0;
    for (int64_t i = 0; i < n; i++)
      sum += (a[i] - b[i]) * (a[i] - b[i]);
    *loss = sum / n;
  }
}
#pragma tensor gradient(F (mse)) of(loss : dloss) wrt(a : da) clear(da)
static void F (mse_back) (int64_t n, const R a[restrict n],
                          const R b[restrict n], const R *restrict dloss,
                          R da[restrict n]);
#pragma tensor gradient(F (mse)) of(loss : dloss) wrt(a : da, b : db)         \
  clear(da, db)
static void F (mse_back_both) (int64_t n, const R a[restrict n],
                               const R b[restrict n], const R *restrict dloss,
                               R da[restrict n], R db[restrict n]);

/* y[k][i] := 0 where 24 bits of word k of block i are below LIMIT, else x[k][i]
   * scale.  */
static void
F (dropout) (int64_t n, uint64_t seed, uint64_t counter, uint32_t limit,
             R scale, R y[restrict 4][n], const R x[restrict 4][n])
{
#pragma tensor unroll(i: 4)
  for (int64_t i = 0; i < n; i++)
    {
      uint32_t word[4];
      int kept[4];
      trm_philox (seed, counter + (uint64_t) i, word);
      for (int k = 0; k < 4; k++)
        kept[k] = word[k] >> 8 >= limit;
      for (int k = 0; k < 4; k++)
        y[k][i] = kept[k] ? x[k][i] * scale : 0;
    }
}

/* y[i] := table[index[i]], of v rows.  */
static void
F (embedding) (int64_t m, int64_t n, int64_t v, R y[restrict m][n],
               const R table[restrict v][n], const int64_t index[restrict m])
{
#pragma tensor
  for (int64_t i = 0; i < m; i++)
    for (int64_t j = 0; j < n; j++)
      y[i][j] = table[index[i]][j];
}
#pragma tensor gradient(F (embedding)) of(y : dy) wrt(table : dtable)
static void F (embedding_back) (int64_t m, int64_t n, int64_t v,
                                const int64_t index[restrict m],
                                const R dy[restrict m][n],
                                R dtable[restrict v][n]);
