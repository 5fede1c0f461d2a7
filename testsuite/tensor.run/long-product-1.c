/* Shows that products of 32-bit numbers in 64 bits are whole: of numbers with
   the highest bit, of negative ones, of halves of longer numbers, whose other
   halves hold anything.  */

#include "compare.h"

static NOINLINE void
plain_products (int n, const uint32_t *a, const uint32_t *b, const int32_t *c,
                const int32_t *d, uint64_t *x, int64_t *y)
{
  for (int i = 0; i < n; i++)
    {
      x[i] = (uint64_t) a[i] * b[i];
      y[i] = (int64_t) c[i] * d[i] - (int64_t) a[i] * (int64_t) b[i];
    }
}
static NOINLINE void
products (int n, const uint32_t *restrict a, const uint32_t *restrict b,
          const int32_t *restrict c, const int32_t *restrict d,
          uint64_t *restrict x, int64_t *restrict y)
{
#pragma tensor require(simd)
  for (int i = 0; i < n; i++)
    {
      x[i] = (uint64_t) a[i] * b[i];
      y[i] = (int64_t) c[i] * d[i] - (int64_t) a[i] * (int64_t) b[i];
    }
}

static NOINLINE void
plain_halves (int n, const uint64_t *p, const uint64_t *q, uint64_t *x,
              uint32_t *z)
{
  for (int i = 0; i < n; i++)
    {
      x[i] = (p[i] & 0xffffffff) * (q[i] >> 32) + (uint32_t) q[i] * p[i];
      z[i] = ((uint64_t) (uint32_t) (p[i] ^ q[i]) * 0xd2511f53) >> 32;
    }
}
static NOINLINE void
halves (int n, const uint64_t *restrict p, const uint64_t *restrict q,
        uint64_t *restrict x, uint32_t *restrict z)
{
#pragma tensor require(simd)
  for (int i = 0; i < n; i++)
    {
      x[i] = (p[i] & 0xffffffff) * (q[i] >> 32) + (uint32_t) q[i] * p[i];
      z[i] = ((uint64_t) (uint32_t) (p[i] ^ q[i]) * 0xd2511f53) >> 32;
    }
}

/* Products that do not fit: operands of 33 bits, and a negative one.  */
static NOINLINE void
plain_wide (int n, const uint64_t *p, const int32_t *c, uint64_t *x, int64_t *y)
{
  for (int i = 0; i < n; i++)
    {
      x[i] = (p[i] & 0x1ffffffff) * (p[i] >> 31);
      y[i] = (int64_t) c[i] * (int64_t) (p[i] & 0xffffffff);
    }
}
static NOINLINE void
wide (int n, const uint64_t *restrict p, const int32_t *restrict c,
      uint64_t *restrict x, int64_t *restrict y)
{
#pragma tensor require(simd)
  for (int i = 0; i < n; i++)
    {
      x[i] = (p[i] & 0x1ffffffff) * (p[i] >> 31);
      y[i] = (int64_t) c[i] * (int64_t) (p[i] & 0xffffffff);
    }
}

#define WORD      ((uint32_t) next () << 16 | next ())
#define LONG_WORD ((uint64_t) WORD << 32 | WORD)

static uint32_t a[2][128], b[2][128], z[2][128];
static int32_t c[2][128], d[2][128];
static uint64_t p[2][128], q[2][128], x[2][128];
static int64_t y[2][128];

int
main (void)
{
  FILL_WITH (a, k_ % 3 ? WORD : 0xffffffff);
  FILL_WITH (b, k_ % 5 ? WORD : 0xffffffff);
  FILL_WITH (c, (int32_t) (k_ % 3 ? WORD : 0x80000000));
  FILL_WITH (d, (int32_t) (k_ % 5 ? WORD : 0x80000000));
  FILL_WITH (p, k_ % 3 ? LONG_WORD : UINT64_MAX);
  FILL_WITH (q, k_ % 5 ? LONG_WORD : UINT64_MAX);
  EACH_SIZE (n)
  {
    FILL (x);
    FILL (y);
    FILL (z);
    BOTH (products, n, a[W], b[W], c[W], d[W], x[W], y[W]);
    CHECK (x);
    CHECK (y);
    BOTH (halves, n, p[W], q[W], x[W], z[W]);
    CHECK (x);
    CHECK (z);
    BOTH (wide, n, p[W], c[W], x[W], y[W]);
    CHECK (x);
    CHECK (y);
  }
  return 0;
}
