/* Windows over pictures x [n][h][w]: [k][l] of them, [oh][ow] places, s apart,
   their elements d apart.  What hangs over a border was put around the pictures
   before: element (u, v) of place (i, j) is

     x[m][i * s + u * d][j * s + v * d]

   The loops of windows that are not dilated have no d: they have versions of
   their own for s = 1 and s = 2.  */

#define SIZES                                                                 \
  int64_t n, int64_t h, int64_t w, int64_t k, int64_t l, int64_t oh,          \
    int64_t ow, int64_t s

/* A window's element is number PLACE of x; all of MORE is d, or nothing.  Pools
   take the places of a row side by side.

   columns      z[m][u][v][i][j] := x there
   max_pool     the greatest
   max_pool_at  the same, and at := where in x they are, the first of equal ones
   avg_pool     the sum of all by k * l  */
#define EACH_ROW                                                              \
  _Pragma ("tensor") for (int64_t m = 0; m < n; m++)                          \
    for (int64_t i = 0; i < oh; i++)
#define EACH_ELEMENT                                                          \
  for (int64_t u = 0; u < k; u++)                                             \
    for (int64_t v = 0; v < l; v++)                                           \
      for (int64_t j = 0; j < ow; j++)
#define OUT(y) y[(m * oh + i) * ow + j]
#define WINDOWS(suffix, place, ...)                                           \
  static void F (columns##suffix) (__VA_ARGS__, R *restrict z,                \
                                   const R *restrict x)                       \
  {                                                                           \
    _Pragma ("tensor") for (int64_t m = 0; m < n; m++)                        \
      for (int64_t u = 0; u < k; u++)                                         \
        for (int64_t v = 0; v < l; v++)                                       \
          for (int64_t i = 0; i < oh; i++)                                    \
            for (int64_t j = 0; j < ow; j++)                                  \
              z[(((m * k + u) * l + v) * oh + i) * ow + j] = x[place];        \
  }                                                                           \
  static void F (max_pool##suffix) (__VA_ARGS__, R *restrict y,               \
                                    const R *restrict x)                      \
  {                                                                           \
    EACH_ROW                                                                  \
      {                                                                       \
        for (int64_t j = 0; j < ow; j++)                                      \
          OUT (y) = -INFINITY;                                                \
        EACH_ELEMENT                                                          \
          OUT (y) = x[place] > OUT (y) ? x[place] : OUT (y);                  \
      }                                                                       \
  }                                                                           \
  static void F (max_pool_at##suffix) (__VA_ARGS__, R *restrict y,            \
                                       int32_t *restrict at,                  \
                                       const R *restrict x)                   \
  {                                                                           \
    EACH_ROW                                                                  \
      {                                                                       \
        for (int64_t j = 0; j < ow; j++)                                      \
          {                                                                   \
            OUT (y) = -INFINITY;                                              \
            OUT (at) = (int32_t) ((m * h + i * s) * w + j * s);               \
          }                                                                   \
        EACH_ELEMENT                                                          \
          {                                                                   \
            R here = x[place], most = OUT (y);                                \
            int32_t found = (int32_t) (place);                                \
            OUT (at) = here > most ? found : OUT (at);                        \
            OUT (y) = here > most ? here : most;                              \
          }                                                                   \
      }                                                                       \
  }                                                                           \
  static void F (avg_pool##suffix) (__VA_ARGS__, R *restrict y,               \
                                    const R *restrict x)                      \
  {                                                                           \
    EACH_ROW                                                                  \
      {                                                                       \
        for (int64_t j = 0; j < ow; j++)                                      \
          OUT (y) = 0;                                                        \
        EACH_ELEMENT                                                          \
          OUT (y) += x[place] / (R) (k * l);                                  \
      }                                                                       \
  }
WINDOWS (, (m * h + i * s + u) * w + j * s + v, SIZES)
WINDOWS (_apart, (m * h + i * s + u * d) * w + j * s + v * d, SIZES, int64_t d)
#undef WINDOWS
#undef EACH_ROW
#undef EACH_ELEMENT
#undef OUT

#pragma tensor gradient(F (columns)) of(z : dz) wrt(x : dx)
static void F (columns_x) (SIZES, R *restrict dx, const R *restrict dz);
#pragma tensor gradient(F (columns_apart)) of(z : dz) wrt(x : dx)
static void F (columns_x_apart) (SIZES, int64_t d, R *restrict dx,
                                 const R *restrict dz);
#pragma tensor gradient(F (avg_pool)) of(y : dy) wrt(x : dx)
static void F (avg_pool_x) (SIZES, R *restrict dx, const R *restrict dy);
#pragma tensor gradient(F (avg_pool_apart)) of(y : dy) wrt(x : dx)
static void F (avg_pool_x_apart) (SIZES, int64_t d, R *restrict dx,
                                  const R *restrict dy);

/* max_pool for windows of 2 x 2 side by side, which most are: of a and b above
   c and d, the greatest so far is first, second, third.  */
#define AT(u, v)         x[(m * h + i * 2 + u) * w + j * 2 + v]
#define MORE(a, b, p, q) ((a) > (b) ? (p) : (q))
static void
F (max_pool_two) (int64_t n, int64_t h, int64_t w, int64_t oh, int64_t ow,
                  R *restrict y, const R *restrict x)
{
#pragma tensor
  for (int64_t m = 0; m < n; m++)
    for (int64_t i = 0; i < oh; i++)
      for (int64_t j = 0; j < ow; j++)
        {
          R a = AT (0, 0), b = AT (0, 1), c = AT (1, 0), d = AT (1, 1);
          R first = MORE (a, -INFINITY, a, -INFINITY);
          R second = MORE (b, first, b, first);
          R third = MORE (c, second, c, second);
          y[(m * oh + i) * ow + j] = MORE (d, third, d, third);
        }
}

/* The same, and at := where in x the greatest are.  */
static void
F (max_pool_two_at) (int64_t n, int64_t h, int64_t w, int64_t oh, int64_t ow,
                     R *restrict y, int32_t *restrict at, const R *restrict x)
{
#pragma tensor
  for (int64_t m = 0; m < n; m++)
    for (int64_t i = 0; i < oh; i++)
      for (int64_t j = 0; j < ow; j++)
        {
          R a = AT (0, 0), b = AT (0, 1), c = AT (1, 0), d = AT (1, 1);
          R first = MORE (a, -INFINITY, a, -INFINITY);
          R second = MORE (b, first, b, first);
          R third = MORE (c, second, c, second);
          int32_t above = (int32_t) ((m * h + i * 2) * w + j * 2);
          int32_t below = above + (int32_t) w;
          int32_t higher = MORE (b, first, above + 1, above);
          int32_t left = MORE (c, second, below, higher);
          y[(m * oh + i) * ow + j] = MORE (d, third, d, third);
          at[(m * oh + i) * ow + j] = MORE (d, third, below + 1, left);
        }
}
#undef AT

/* max_pool for windows of 3 x 3, and avg_pool for those of 2 x 2 side by
   side.  */
#define AT(u, v) x[(m * h + i * s + u) * w + j * s + v]
static void
F (max_pool_three) (int64_t n, int64_t h, int64_t w, int64_t oh, int64_t ow,
                    int64_t s, R *restrict y, const R *restrict x)
{
#pragma tensor
  for (int64_t m = 0; m < n; m++)
    for (int64_t i = 0; i < oh; i++)
      for (int64_t j = 0; j < ow; j++)
        {
          R a = AT (0, 0), b = AT (0, 1), c = AT (0, 2);
          R d = AT (1, 0), e = AT (1, 1), f = AT (1, 2);
          R g = AT (2, 0), o = AT (2, 1), p = AT (2, 2);
          R one = MORE (a, -INFINITY, a, -INFINITY);
          R two = MORE (b, one, b, one);
          R three = MORE (c, two, c, two);
          R four = MORE (d, three, d, three);
          R five = MORE (e, four, e, four);
          R six = MORE (f, five, f, five);
          R seven = MORE (g, six, g, six);
          R eight = MORE (o, seven, o, seven);
          y[(m * oh + i) * ow + j] = MORE (p, eight, p, eight);
        }
}
#undef AT
#undef MORE

#define AT(u, v) x[(m * h + i * 2 + u) * w + j * 2 + v]
static void
F (avg_pool_two) (int64_t n, int64_t h, int64_t w, int64_t oh, int64_t ow,
                  R *restrict y, const R *restrict x)
{
#pragma tensor
  for (int64_t m = 0; m < n; m++)
    for (int64_t i = 0; i < oh; i++)
      for (int64_t j = 0; j < ow; j++)
        y[(m * oh + i) * ow + j]
          = (AT (0, 0) + AT (0, 1) + AT (1, 0) + AT (1, 1)) * (R) .25;
}
#undef AT
#pragma tensor gradient(F (avg_pool_two)) of(y : dy) wrt(x : dx)
static void F (avg_pool_two_x) (int64_t n, int64_t h, int64_t w, int64_t oh,
                                int64_t ow, R *restrict dx,
                                const R *restrict dy);

/* The same of pictures that are all windows: n rows of m, each of two rows of x
   of m pairs.  Its gradient sets each element once.  */
static void
F (avg_pool_whole) (int64_t n, int64_t m, R y[restrict n][m],
                    const R x[restrict n][2][m][2])
{
#pragma tensor
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < m; j++)
      {
        R s = 0;
        for (int u = 0; u < 2; u++)
          for (int v = 0; v < 2; v++)
            s += x[i][u][j][v];
        y[i][j] = s * (R) .25;
      }
}
#pragma tensor gradient(F (avg_pool_whole)) of(y : dy) wrt(x : dx) clear(dx)
static void F (avg_pool_whole_x) (int64_t n, int64_t m,
                                  R dx[restrict n][2][m][2],
                                  const R dy[restrict n][m]);

/* y[i] := x[at[i]], n of m.  */
static void
F (taken) (int64_t m, int64_t n, R y[restrict n], const R x[restrict m],
           const int32_t at[restrict n])
{
#pragma tensor
  for (int64_t i = 0; i < n; i++)
    y[i] = x[at[i]];
}
#pragma tensor gradient(F (taken)) of(y : dy) wrt(x : dx)
static void F (taken_x) (int64_t m, int64_t n, const R dy[restrict n],
                         R dx[restrict m], const int32_t at[restrict n]);
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
