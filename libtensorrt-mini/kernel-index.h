/* Elements that are named by a list: of each of h parts of x, m elements each,
   n elements from at[i] on, for i below k.

     rows  y[a][i][j] := x[a][at[i] + j]
     pick  the same with n = 1

   Their gradients add: dx[a][at[i] + j] += dy[a][i][j], each element in the
   order of i, since threads own elements of dx.  */

static void
F (rows) (int64_t h, int64_t m, int64_t k, int64_t n, R *restrict y,
          const R *restrict x, const int64_t *restrict at)
{
#pragma tensor name("index-rows")
  for (int64_t a = 0; a < h; a++)
    for (int64_t i = 0; i < k; i++)
      for (int64_t j = 0; j < n; j++)
        y[(a * k + i) * n + j] = x[a * m + at[i] + j];
}
#pragma tensor gradient(F (rows)) of(y : dy) wrt(x : dx)
static void F (rows_back) (int64_t h, int64_t m, int64_t k, int64_t n,
                           const R *restrict dy, R *restrict dx,
                           const int64_t *restrict at);

static void
F (pick) (int64_t h, int64_t m, int64_t k, R *restrict y, const R *restrict x,
          const int64_t *restrict at)
{
#pragma tensor name("index-pick")
  for (int64_t a = 0; a < h; a++)
    for (int64_t i = 0; i < k; i++)
      y[a * k + i] = x[a * m + at[i]];
}
#pragma tensor gradient(F (pick)) of(y : dy) wrt(x : dx)
static void F (pick_back) (int64_t h, int64_t m, int64_t k,
                           const R *restrict dy, R *restrict dx,
                           const int64_t *restrict at);
