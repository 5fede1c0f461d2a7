/* Products of matrices, and linear maps.

   Of a product the letters say which operand lies transposed in memory:

     nn  y[i][j] := sum over k of a[i][k] * b[k][j]
     nt  y[i][j] := sum over k of a[i][k] * b[j][k]
     tn  y[i][j] := sum over k of a[k][i] * b[k][j]

   with i below h, j below p, k below q.  Gradients of products are products
   that add, in the same order of arguments:

     nt_add  da += dy b', of nn      nn_add  da += dy b, of nt
     tn_add  db += a' dy, of nn

   What has an s at the end does the same to n products, one after the other in
   memory: threads share these, not their rows.  */

#define PRODUCT(name, left, right)                                            \
  static void F (name) (int64_t h, int64_t p, int64_t q, R *restrict y,       \
                        const R *restrict a, const R *restrict b)             \
  {                                                                           \
    _Pragma ("tensor") for (int64_t i = 0; i < h; i++)                        \
      for (int64_t j = 0; j < p; j++)                                         \
        {                                                                     \
          R sum = 0;                                                          \
          for (int64_t k = 0; k < q; k++)                                     \
            sum += a[left] * b[right];                                        \
          y[i * p + j] = sum;                                                 \
        }                                                                     \
  }                                                                           \
  static void F (name##s) (int64_t n, int64_t h, int64_t p, int64_t q,        \
                           R *restrict y, const R *restrict a,                \
                           const R *restrict b)                               \
  {                                                                           \
    _Pragma ("tensor") for (int64_t m = 0; m < n; m++)                        \
      F (name) (h, p, q, y + m * h * p, a + m * h * q, b + m * q * p);        \
  }
PRODUCT (nn, i * q + k, k * p + j)
PRODUCT (nt, i * q + k, j * q + k)
PRODUCT (tn, k * h + i, k * p + j)
#undef PRODUCT

#pragma tensor gradient(F (nn)) of(y : dy) wrt(a : da)
static void F (nt_add) (int64_t h, int64_t q, int64_t p, R *restrict da,
                        const R *restrict dy, const R *restrict b);
#pragma tensor gradient(F (nns)) of(y : dy) wrt(a : da)
static void F (nt_adds) (int64_t n, int64_t h, int64_t q, int64_t p,
                         R *restrict da, const R *restrict dy,
                         const R *restrict b);
#pragma tensor gradient(F (nt)) of(y : dy) wrt(a : da)
static void F (nn_add) (int64_t h, int64_t q, int64_t p, R *restrict da,
                        const R *restrict dy, const R *restrict b);
#pragma tensor gradient(F (nts)) of(y : dy) wrt(a : da)
static void F (nn_adds) (int64_t n, int64_t h, int64_t q, int64_t p,
                         R *restrict da, const R *restrict dy,
                         const R *restrict b);
#pragma tensor gradient(F (nn)) of(y : dy) wrt(b : db)
static void F (tn_add) (int64_t q, int64_t p, int64_t h, R *restrict db,
                        const R *restrict a, const R *restrict dy);
#pragma tensor gradient(F (nns)) of(y : dy) wrt(b : db)
static void F (tn_adds) (int64_t n, int64_t q, int64_t p, int64_t h,
                         R *restrict db, const R *restrict a,
                         const R *restrict dy);

/* y [h][p] := x w' + b, with x [h][q], w [p][q]; the rows of y begin WIDE
   elements apart.  The gradients with respect to x and w are nn_add and
   tn_add.  */
static void
F (linear) (int64_t h, int64_t p, int64_t q, int64_t wide, R *restrict y,
            const R *restrict x, const R *restrict w, const R *restrict b)
{
#pragma tensor
  for (int64_t i = 0; i < h; i++)
    for (int64_t j = 0; j < p; j++)
      {
        R sum = 0;
        for (int64_t k = 0; k < q; k++)
          sum += x[i * q + k] * w[j * q + k];
        y[i * wide + j] = sum + b[j];
      }
}
#pragma tensor gradient(F (linear)) of(y : dy) wrt(b : db)
static void F (linear_b) (int64_t h, int64_t p, int64_t q, int64_t wide,
                          const R *restrict dy, R *restrict db);
