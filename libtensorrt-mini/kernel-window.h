/* Windows over pictures x [n][h][w]: [k][l] of them, [oh][ow] places, s apart,
   their elements d apart.  What hangs over a border was put around the pictures
   before: element (u, v) of place (i, j) is

     x[m][i * s + u * d][j * s + v * d]

   The loops of windows that are not dilated have no d: they have versions of
   their own for s = 1 and s = 2.  */

#define SIZES                                                                 \
  int64_t n, int64_t h, int64_t w, int64_t k, int64_t l, int64_t oh,          \
    int64_t ow, int64_t s

/* Reading x at a window's element is HERE; all of MORE is d, or nothing.

   columns   z[m][u][v][i][j] := x there
   max_pool  the greatest, the first of equal ones
   avg_pool  the sum of all by k * l  */
#define WINDOWS(suffix, here, ...)                                            \
  static void F (columns##suffix) (__VA_ARGS__, R *restrict z,                \
                                   const R *restrict x)                       \
  {                                                                           \
    _Pragma ("tensor") for (int64_t m = 0; m < n; m++)                        \
      for (int64_t u = 0; u < k; u++)                                         \
        for (int64_t v = 0; v < l; v++)                                       \
          for (int64_t i = 0; i < oh; i++)                                    \
            for (int64_t j = 0; j < ow; j++)                                  \
              z[(((m * k + u) * l + v) * oh + i) * ow + j] = here;            \
  }                                                                           \
  static void F (max_pool##suffix) (__VA_ARGS__, R *restrict y,               \
                                    const R *restrict x)                      \
  {                                                                           \
    _Pragma ("tensor") for (int64_t m = 0; m < n; m++)                        \
      for (int64_t i = 0; i < oh; i++)                                        \
        for (int64_t j = 0; j < ow; j++)                                      \
          {                                                                   \
            R most = -INFINITY;                                               \
            for (int64_t u = 0; u < k; u++)                                   \
              for (int64_t v = 0; v < l; v++)                                 \
                if (here > most)                                              \
                  most = here;                                                \
            y[(m * oh + i) * ow + j] = most;                                  \
          }                                                                   \
  }                                                                           \
  static void F (avg_pool##suffix) (__VA_ARGS__, R *restrict y,               \
                                    const R *restrict x)                      \
  {                                                                           \
    _Pragma ("tensor") for (int64_t m = 0; m < n; m++)                        \
      for (int64_t i = 0; i < oh; i++)                                        \
        for (int64_t j = 0; j < ow; j++)                                      \
          {                                                                   \
            R sum = 0;                                                        \
            for (int64_t u = 0; u < k; u++)                                   \
              for (int64_t v = 0; v < l; v++)                                 \
                sum += here;                                                  \
            y[(m * oh + i) * ow + j] = sum / (R) (k * l);                     \
          }                                                                   \
  }
WINDOWS (, x[(m * h + i * s + u) * w + j * s + v], SIZES)
WINDOWS (_apart, x[(m * h + i * s + u * d) * w + j * s + v * d], SIZES,
         int64_t d)
#undef WINDOWS

#pragma tensor gradient(F (columns)) of(z : dz) wrt(x : dx)
static void F (columns_x) (SIZES, R *restrict dx, const R *restrict dz);
#pragma tensor gradient(F (columns_apart)) of(z : dz) wrt(x : dx)
static void F (columns_x_apart) (SIZES, int64_t d, R *restrict dx,
                                 const R *restrict dz);
#pragma tensor gradient(F (max_pool)) of(y : dy) wrt(x : dx)
static void F (max_pool_x) (SIZES, R *restrict dx, const R *restrict dy,
                            const R *restrict x);
#pragma tensor gradient(F (max_pool_apart)) of(y : dy) wrt(x : dx)
static void F (max_pool_x_apart) (SIZES, int64_t d, R *restrict dx,
                                  const R *restrict dy, const R *restrict x);
#pragma tensor gradient(F (avg_pool)) of(y : dy) wrt(x : dx)
static void F (avg_pool_x) (SIZES, R *restrict dx, const R *restrict dy);
#pragma tensor gradient(F (avg_pool_apart)) of(y : dy) wrt(x : dx)
static void F (avg_pool_x_apart) (SIZES, int64_t d, R *restrict dx,
                                  const R *restrict dy);

/* max_pool for windows of 2 x 2 side by side, which most are.  */
static void
F (max_pool_two) (int64_t n, int64_t h, int64_t w, int64_t oh, int64_t ow,
                  R *restrict y, const R *restrict x)
{
#pragma tensor
  for (int64_t m = 0; m < n; m++)
    for (int64_t i = 0; i < oh; i++)
      for (int64_t j = 0; j < ow; j++)
        {
          R most = -INFINITY;
          for (int u = 0; u < 2; u++)
            for (int v = 0; v < 2; v++)
              if (x[(m * h + i * 2 + u) * w + j * 2 + v] > most)
                most = x[(m * h + i * 2 + u) * w + j * 2 + v];
          y[(m * oh + i) * ow + j] = most;
        }
}
#pragma tensor gradient(F (max_pool_two)) of(y : dy) wrt(x : dx)
static void F (max_pool_two_x) (int64_t n, int64_t h, int64_t w, int64_t oh,
                                int64_t ow, R *restrict dx,
                                const R *restrict dy, const R *restrict x);
#undef SIZES

/* y [h][p] := f z + b, with f [h][q], z [q][p] the columns of a picture, b [h];
   filters does that to n pictures, which threads share.  The gradients of
   filter but for b are tn_add and nt_add (kernel-product.h).  */
static void
F (filter) (int64_t h, int64_t p, int64_t q, R *restrict y,
            const R *restrict f, const R *restrict z, const R *restrict b)
{
#pragma tensor
  for (int64_t i = 0; i < h; i++)
    for (int64_t j = 0; j < p; j++)
      {
        R sum = 0;
        for (int64_t k = 0; k < q; k++)
          sum += f[i * q + k] * z[k * p + j];
        y[i * p + j] = sum + b[i];
      }
}
static void
F (filters) (int64_t n, int64_t h, int64_t p, int64_t q, R *restrict y,
             const R *restrict f, const R *restrict z, const R *restrict b)
{
#pragma tensor
  for (int64_t m = 0; m < n; m++)
    F (filter) (h, p, q, y + m * h * p, f, z + m * q * p, b);
}
#pragma tensor gradient(F (filters)) of(y : dy) wrt(z : dz)
static void F (filters_z) (int64_t n, int64_t h, int64_t p, int64_t q,
                           R *restrict dz, const R *restrict dy,
                           const R *restrict f);
#pragma tensor gradient(F (filters)) of(y : dy) wrt(f : df)
static void F (filters_f) (int64_t n, int64_t h, int64_t p, int64_t q,
                           R *restrict df, const R *restrict dy,
                           const R *restrict z);
#pragma tensor gradient(F (filters)) of(y : dy) wrt(b : db)
static void F (filters_b) (int64_t n, int64_t h, int64_t p, int64_t q,
                           R *restrict db, const R *restrict dy);
