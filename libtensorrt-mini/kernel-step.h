/* Steps of optimisers, and products with compressed rows.

   Of a step, all arrays have n elements, one for each weight: w weights, g
   gradients, v velocity or mean of squares, m mean.  scale is what clipping
   leaves of the gradients, keep what decay leaves of the weights:

     sgd       w := keep * w - rate * scale * g
     momentum  v := momentum * v + scale * g; w := keep * w - rate * v
     adam      m := m + (scale * g - m) * part1
               v := v + ((scale * g)^2 - v) * part2
               w := keep * w - rate * m / (sqrt (v) * root + epsilon)
     squares   the sum of g^2, in double
     masked    w := 0 where kept is 0

   Steps are strict: the same bits on every processor, and as plain C.  */

static void
F (sgd) (int64_t n, R *restrict w, const R *restrict g, R rate, R scale, R keep)
{
#pragma tensor name("sgd") fp(strict)
  for (int64_t i = 0; i < n; i++)
    w[i] = keep * w[i] - rate * (scale * g[i]);
}

static void
F (momentum) (int64_t n, R *restrict w, const R *restrict g, R *restrict v,
              R rate, R momentum, R scale, R keep)
{
#pragma tensor name("momentum") fp(strict)
  for (int64_t i = 0; i < n; i++)
    {
      v[i] = momentum * v[i] + scale * g[i];
      w[i] = keep * w[i] - rate * v[i];
    }
}

static void
F (adam) (int64_t n, R *restrict w, const R *restrict g, R *restrict m,
          R *restrict v, R part1, R part2, R rate, R root, R epsilon, R scale,
          R keep)
{
#pragma tensor name("adam") fp(strict)
  for (int64_t i = 0; i < n; i++)
    {
      R x = scale * g[i];
      m[i] = m[i] + (x - m[i]) * part1;
      v[i] = v[i] + (x * x - v[i]) * part2;
      w[i] = keep * w[i] - rate * m[i] / (M (sqrt) (v[i]) * root + epsilon);
    }
}

static double
F (squares) (int64_t n, const R *restrict g)
{
  double sum = 0;
#pragma tensor name("squares")
  for (int64_t i = 0; i < n; i++)
    sum += (double) g[i] * (double) g[i];
  return sum;
}

static void
F (masked) (int64_t n, R *restrict w, const uint8_t *restrict kept)
{
#pragma tensor name("masked")
  for (int64_t i = 0; i < n; i++)
    w[i] = kept[i] ? w[i] : 0;
}

/* Products with the kept elements of a matrix w [p][q], by rows: element e is
   in column column[e], and in row r for begin[r] <= e < begin[r + 1].

     y[r][i] := sum over e of row r of w[e] * x[column[e]][i]

   x [q][n], y [p][n], n a multiple of LANES: so many sums stay in registers
   while the elements of a row go by, which one vector alone would wait for.  */
#define LANES 32
static void
F (rows) (int64_t p, int64_t n, R *restrict y, const R *restrict x,
          const R *restrict w, const int32_t *restrict begin,
          const int32_t *restrict column)
{
#pragma tensor name("compressed rows")
  for (int64_t r = 0; r < p; r++)
    for (int64_t b = 0; b < n / LANES; b++)
      {
        R sum[LANES];
        for (int64_t l = 0; l < LANES; l++)
          sum[l] = 0;
        for (int32_t e = begin[r]; e < begin[r + 1]; e++)
          for (int64_t l = 0; l < LANES; l++)
            sum[l] += w[e] * x[column[e] * n + b * LANES + l];
        for (int64_t l = 0; l < LANES; l++)
          y[r * n + b * LANES + l] = sum[l];
      }
}
#undef LANES

/* The same by pairs (row[e], column[e]), e < kept, which the gradient of w is
   made of.  That of x is a product by rows with w'.  */
static void
F (pairs) (int64_t p, int64_t n, int64_t kept, R *restrict y,
           const R *restrict x, const R *restrict w,
           const int32_t *restrict row, const int32_t *restrict column)
{
#pragma tensor name("compressed pairs")
  {
    for (int64_t i = 0; i < p * n; i++)
      y[i] = 0;
    for (int64_t e = 0; e < kept; e++)
      for (int64_t i = 0; i < n; i++)
        y[row[e] * n + i] += w[e] * x[column[e] * n + i];
  }
}
#pragma tensor gradient(F (pairs)) of(y : dy) wrt(w : dw)
static void F (pairs_w) (int64_t p, int64_t n, int64_t kept,
                         const R *restrict dy, const R *restrict x,
                         R *restrict dw, const int32_t *restrict row,
                         const int32_t *restrict column);
