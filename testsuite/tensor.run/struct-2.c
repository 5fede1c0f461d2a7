/* Shows that structures as values mean the same: local ones, copies, lists,
   arguments and results of functions, members that are arrays or structures,
   a copy that changes what its own subscript was read from.  */

#include "compare.h"

typedef struct pair
{
  float re;
  float im;
} pair;

typedef struct body
{
  pair at;
  float weight;
  short kind;
  int trail[3];
} body;

static inline pair
pair_mul (pair a, const pair b)
{
  pair c = { a.re * b.re - a.im * b.im };
  c.im = a.re * b.im + a.im * b.re;
  return c;
}

static inline pair
pair_scale (pair a, float by)
{
  return (pair){ by * a.re, by * a.im };
}

static inline float
weight_of (body b)
{
  b.weight += b.trail[1];
  return b.weight * b.kind;
}

static NOINLINE void
plain_products (int n, pair *restrict a, const pair *restrict b)
{
  for (int i = 0; i < n; i++)
    a[i] = pair_mul (pair_mul (a[i], b[i]), pair_scale (b[i], 0.5f));
}

static NOINLINE void
plain_swapped (int n, pair *restrict a)
{
  for (int i = 0; i < n; i++)
    {
      pair old = a[i];
      a[i] = a[2 * n - 1 - i];
      a[2 * n - 1 - i] = (pair){ old.im, old.re };
    }
}

static NOINLINE void
plain_bodies (int n, body *restrict to, const body *restrict from, float *w)
{
  for (int i = 0; i < n; i++)
    {
      body b = from[i];
      body none = { .weight = 2, .trail = { [1] = 5 } };
      if (b.kind > 0)
        none = b;
      none.at.re += 1;
      to[i] = none;
      w[i] = weight_of (none) + b.trail[2];
    }
}

static NOINLINE void
plain_filtered (int n, pair *restrict a, const pair *restrict b)
{
  for (int i = 2; i < n; i++)
    {
      pair window[3];
      pair sum = { 0 };
      for (int k = 0; k < 3; k++)
        window[k] = b[i - k];
      for (int k = 0; k < 3; k++)
        {
          sum.re += window[k].re;
          sum.im += window[2 - k].im * k;
        }
      a[i] = sum;
    }
}

static NOINLINE void
plain_chained (int n, body *b)
{
  for (int i = 0; i < n; i++)
    b[b[0].trail[0]] = b[i];
}

static NOINLINE void
products (int n, pair *restrict a, const pair *restrict b)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    a[i] = pair_mul (pair_mul (a[i], b[i]), pair_scale (b[i], 0.5f));
}

static NOINLINE void
swapped (int n, pair *restrict a)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      pair old = a[i];
      a[i] = a[2 * n - 1 - i];
      a[2 * n - 1 - i] = (pair){ old.im, old.re };
    }
}

static NOINLINE void
bodies (int n, body *restrict to, const body *restrict from, float *w)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      body b = from[i];
      body none = { .weight = 2, .trail = { [1] = 5 } };
      if (b.kind > 0)
        none = b;
      none.at.re += 1;
      to[i] = none;
      w[i] = weight_of (none) + b.trail[2];
    }
}

static NOINLINE void
filtered (int n, pair *restrict a, const pair *restrict b)
{
#pragma tensor
  for (int i = 2; i < n; i++)
    {
      pair window[3];
      pair sum = { 0 };
      for (int k = 0; k < 3; k++)
        window[k] = b[i - k];
      for (int k = 0; k < 3; k++)
        {
          sum.re += window[k].re;
          sum.im += window[2 - k].im * k;
        }
      a[i] = sum;
    }
}

static NOINLINE void
chained (int n, body *b)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    b[b[0].trail[0]] = b[i];
}

static pair a[2][AREA], b[2][AREA];
static body from[2][256], to[2][256];
static float w[2][256];

/* All members of A and of B are the same.  */
static int
same (const body *a, const body *b)
{
  return !memcmp (&a->at, &b->at, sizeof a->at) && a->weight == b->weight
         && a->kind == b->kind && !memcmp (a->trail, b->trail, sizeof a->trail);
}

/* Fail where the two rows of X differ.  */
static void
check_bodies (body x[2][256], const char *name)
{
  for (int k = 0; k < 256; k++)
    if (!same (&x[0][k], &x[1][k]))
      differ (name, k, x[0][k].weight, x[1][k].weight);
}

/* Fail where the two rows of A differ.  */
static void
check_pairs (void)
{
  for (int k = 0; k < AREA; k++)
    if (memcmp (&a[0][k], &a[1][k], sizeof (pair)))
      differ ("a", k, a[0][k].re, a[1][k].re);
}

/* Numbers in all members.  */
static void
fill (void)
{
  for (int k = 0; k < AREA; k++)
    {
      a[0][k] = a[1][k] = (pair){ k % 7 - 3, k % 5 };
      b[0][k] = b[1][k] = (pair){ k % 3, 2 - k % 11 };
    }
  for (int k = 0; k < 256; k++)
    from[0][k] = from[1][k] = to[0][k] = to[1][k]
      = (body){ { k, -k }, k % 4, k % 3 - 1, { (k + 5) % 13, k % 9, 3 * k } };
}

int
main (void)
{
  EACH_SIZE (n)
  {
    fill ();
    BOTH (products, n, a[W], b[W]);
    check_pairs ();
    BOTH (swapped, n, a[W]);
    check_pairs ();
    BOTH (bodies, n, to[W], from[W], w[W]);
    CHECK (w);
    check_bodies (to, "to");
    BOTH (filtered, n, a[W], b[W]);
    check_pairs ();
    BOTH (chained, n, from[W]);
    check_bodies (from, "from");
  }
  return 0;
}
