/* Shows that integers at the ends of their ranges, wrapping unsigned sums
   and large strides mean the same.  */

#include "compare.h"

static NOINLINE uint64_t
plain_hash (const uint64_t *x, int n)
{
  uint64_t h = 14695981039346656037u;
  for (int i = 0; i < n; i++)
    h = (h ^ x[i]) * 1099511628211u;
  return h >> 12;
}

static NOINLINE uint32_t
plain_checksum (const uint32_t *x, int n)
{
  uint32_t a = 1, b = 0;
  for (int i = 0; i < n; i++)
    {
      a += x[i];
      b += a;
    }
  return a ^ b;
}

static NOINLINE int64_t
plain_sum_of_int (const int *x, int n)
{
  int64_t s = INT64_MIN / 2;
  for (int i = 0; i < n; i++)
    s += x[i];
  return s / 4096;
}

static NOINLINE int
plain_sum_to_the_edge (const int *x, int n)
{
  int s = 0;
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}

static NOINLINE void
plain_remainders (const int *x, const int *y, int *q, int *r, int n)
{
  for (int i = 0; i < n; i++)
    {
      q[i] = x[i] / (y[i] | 1);
      r[i] = x[i] % (y[i] | 1) + (unsigned) x[i] % 1000u;
    }
}

static NOINLINE void
plain_far (const double *x, double *y, long n, long pitch)
{
  for (long i = 0; i < n; i++)
    y[i * pitch] = x[(n - 1 - i) * pitch] + 1;
}

static NOINLINE uint64_t
hash (const uint64_t *x, int n)
{
  uint64_t h = 14695981039346656037u;
#pragma tensor
  for (int i = 0; i < n; i++)
    h = (h ^ x[i]) * 1099511628211u;
  return h >> 12;
}

static NOINLINE uint32_t
checksum (const uint32_t *x, int n)
{
  uint32_t a = 1, b = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      a += x[i];
      b += a;
    }
  return a ^ b;
}

static NOINLINE int64_t
sum_of_int (const int *x, int n)
{
  int64_t s = INT64_MIN / 2;
#pragma tensor
  for (int i = 0; i < n; i++)
    s += x[i];
  return s / 4096;
}

static NOINLINE int
sum_to_the_edge (const int *x, int n)
{
  int s = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}

static NOINLINE void
remainders (const int *x, const int *y, int *q, int *r, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      q[i] = x[i] / (y[i] | 1);
      r[i] = x[i] % (y[i] | 1) + (unsigned) x[i] % 1000u;
    }
}

static NOINLINE void
far (const double *x, double *y, long n, long pitch)
{
#pragma tensor
  for (long i = 0; i < n; i++)
    y[i * pitch] = x[(n - 1 - i) * pitch] + 1;
}

static uint64_t h[2][128];
static uint32_t u[2][128];
static int x[2][128], y[2][128], q[2][128], r[2][128];
static double d[2][AREA], e[2][AREA];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL_WITH (h, (uint64_t) next () << 48 ^ next () << 16 ^ next ());
    FILL_WITH (u, next () * 65537u);
    FILL_WITH (x, (int) (next () * 65537u) / 2);
    FILL_WITH (y, (int) next () - 32768);
    BOTH_EQUAL (hash, h[W], n);
    BOTH_EQUAL (checksum, u[W], n);
    BOTH_EQUAL (sum_of_int, x[W], n);
    BOTH (remainders, x[W], y[W], q[W], r[W], n);
    CHECK (q);
    CHECK (r);
    FILL_WITH (x, k_ % 2 ? -2000000000 : 2000000000);
    BOTH_EQUAL (sum_to_the_edge, x[W], n);
    FILL (d);
    FILL (e);
    BOTH (far, d[W], e[W], n, 129);
    CHECK (e);
  }
  return 0;
}
