/* Tensors of random numbers.

   A law says what numbers a fill is made of; kernel-random.h makes whole groups
   of them.  The last group, of which only a part is wanted, is made aside:

     200 floats of 128 a group  | group 0 | group 1, 72 of 128 |
     the counter moves on by    2 groups of 32  */

#include "tensor.h"

#include "kernel.h"
#include "philox.h"

#include <math.h>
#include <string.h>

#define LANES 32

typedef enum law_kind
{
  UNIFORM,
  NORMAL,
  INTEGERS,
  BERNOULLI
} law_kind;

/* What numbers: of TYPE, GROUP of them to a group.

   a, b         low and width; mean and deviation
   least, most  of UNIFORM the ends, which are among the numbers
   low, range   of INTEGERS; of BERNOULLI range is the bound of true words  */
typedef struct law
{
  law_kind kind;
  trm_type type;
  int64_t group;
  double a, b;
  double least, most;
  int64_t low;
  uint64_t range;
} law;

/* N groups of L's numbers from counter FROM.counter on.  */
static void
make_groups (const law *l, int64_t n, trm_random from, void *to)
{
  uint64_t seed = from.seed, counter = from.counter;
  if (l->kind == UNIFORM && l->type == TRM_F64)
    trm_kernels_random->f64.uniform (n, seed, counter, l->a, l->b, l->least,
                                     l->most, to);
  else if (l->kind == UNIFORM)
    trm_kernels_random->f32.uniform (n, seed, counter, (float) l->a,
                                     (float) l->b, (float) l->least,
                                     (float) l->most, to);
  else if (l->kind == NORMAL && l->type == TRM_F64)
    trm_kernels_random->f64.normal (n, seed, counter, l->a, l->b, to);
  else if (l->kind == NORMAL)
    trm_kernels_random->f32.normal (n, seed, counter, (float) l->a,
                                    (float) l->b, to);
  else if (l->kind == INTEGERS)
    trm_kernels_random->f64.integers (n, seed, counter, l->low, l->range, to);
  else
    trm_kernels_random->f64.bernoulli (n, seed, counter, l->range, to);
}

/* Fill T, of L's type, with L's numbers; the counter of RANDOM moves on.  */
static void
fill (const law *l, trm_random *random, trm_tensor *t)
{
  double last[2 * LANES];
  int64_t n = trm_count (t), whole = n / l->group, rest = n % l->group;
  if (whole)
    make_groups (l, whole, *random, t->at);
  random->counter += (uint64_t) (LANES * whole);
  if (!rest)
    return;
  make_groups (l, 1, *random, last);
  random->counter += LANES;
  size_t bytes = trm_type_bytes (l->type);
  memcpy ((char *) t->at + (size_t) (whole * l->group) * bytes, last,
          (size_t) rest * bytes);
}

/* A new tensor of L's numbers.  */
static trm_tensor *
filled (const law *l, trm_random *random, int rank, const int64_t *extent)
{
  trm_tensor *t = trm_empty (l->type, rank, extent);
  if (t)
    fill (l, random, t);
  return t;
}

/* The same, rounded to TYPE.  */
static trm_tensor *
filled_as (trm_type type, const law *l, trm_random *random, int rank,
           const int64_t *extent)
{
  if (type == l->type)
    return filled (l, random, rank, extent);
  if (trm_scope_open ())
    return NULL;
  trm_tensor *t
    = trm_scope_give (trm_cast (filled (l, random, rank, extent), type));
  trm_scope_close ();
  return t;
}

/* Whether NAME may fill a tensor of TYPE by RANDOM; if not, why.  */
static bool
may_fill (const char *name, const trm_random *random, trm_type type)
{
  if (!random)
    trm_fail (TRM_BAD_ARGUMENT, "%s: no trm_random", name);
  else if (!trm_type_is_float (type))
    trm_fail (TRM_BAD_TYPE, "%s: %s is no floating type", name,
              trm_type_name (type));
  else
    return true;
  return false;
}

/* The number of TYPE next to VALUE, which is one.  */
static double
neighbour (trm_type type, double value, bool up)
{
  uint64_t bits = 0, sign = (uint64_t) 1 << (8 * trm_type_bytes (type) - 1);
  trm_element_set (type, &bits, value);
  if (!(bits & ~sign))
    bits = up ? 1 : sign | 1;
  else if (((bits & sign) != 0) == up)
    bits--;
  else
    bits++;
  return trm_element_get (type, &bits);
}

/* VALUE rounded to TYPE.  */
static double
rounded (trm_type type, double value)
{
  uint64_t bits = 0;
  trm_element_set (type, &bits, value);
  return trm_element_get (type, &bits);
}

trm_tensor *
trm_uniform (trm_random *random, trm_type type, int rank, const int64_t *extent,
             double low, double high)
{
  if (!may_fill ("uniform", random, type))
    return NULL;
  trm_type computed = trm_type_computed (type);
  law l = { .kind = UNIFORM,
            .type = computed,
            .group = computed == TRM_F64 ? 2 * LANES : 4 * LANES,
            .a = low,
            .b = high - low,
            .least = rounded (type, low),
            .most = rounded (type, high) };
  if (l.least < low)
    l.least = neighbour (type, l.least, true);
  if (l.most >= high)
    l.most = neighbour (type, l.most, false);
  if (!(l.least <= l.most) || !isfinite (rounded (computed, l.b)))
    return trm_fail_null (TRM_BAD_ARGUMENT,
                          "uniform: there are no %s from %g up to %g",
                          trm_type_name (type), low, high);
  return filled_as (type, &l, random, rank, extent);
}

trm_tensor *
trm_normal (trm_random *random, trm_type type, int rank, const int64_t *extent,
            double mean, double deviation)
{
  if (!may_fill ("normal", random, type))
    return NULL;
  if (!(deviation >= 0))
    return trm_fail_null (TRM_BAD_ARGUMENT, "normal: a deviation of %g",
                          deviation);
  trm_type computed = trm_type_computed (type);
  law l = { .kind = NORMAL,
            .type = computed,
            .group = computed == TRM_F64 ? 2 * LANES : 4 * LANES,
            .a = mean,
            .b = deviation };
  return filled_as (type, &l, random, rank, extent);
}

trm_tensor *
trm_integers (trm_random *random, int rank, const int64_t *extent, int64_t low,
              int64_t high)
{
  law l = { .kind = INTEGERS,
            .type = TRM_I64,
            .group = 2 * LANES,
            .low = low,
            .range = (uint64_t) high - (uint64_t) low };
  if (!may_fill ("integers", random, TRM_F64))
    return NULL;
  if (low >= high)
    return trm_fail_null (TRM_BAD_ARGUMENT,
                          "integers: there are none from %lld up to %lld",
                          (long long) low, (long long) high);
  return filled (&l, random, rank, extent);
}

trm_tensor *
trm_bernoulli (trm_random *random, int rank, const int64_t *extent,
               double probability)
{
  if (!may_fill ("bernoulli", random, TRM_F64))
    return NULL;
  if (!(probability >= 0 && probability <= 1))
    return trm_fail_null (TRM_BAD_ARGUMENT, "bernoulli: a probability of %g",
                          probability);
  law l = { .kind = BERNOULLI,
            .type = TRM_BOOL,
            .group = 4 * LANES,
            .range = (uint64_t) (probability * 0x1p32 + 0.5) };
  return filled (&l, random, rank, extent);
}

/* Put the elements of AT[0..n) in random order: from the last one on each
   changes places with one of those up to it (R. Durstenfeld, 1964).  */
static void
shuffle (int64_t *at, int64_t n, trm_random from)
{
  uint32_t word[4];
  for (int64_t i = n - 1, k = 0; i > 0; i--, k++)
    {
      if (k % 2 == 0)
        trm_philox (from.seed, from.counter + (uint64_t) (k / 2), word);
      const uint32_t *half = word + 2 * (k % 2);
      uint64_t number = (uint64_t) half[1] << 32 | half[0];
      int64_t other
        = (int64_t) ((unsigned __int128) number * (uint64_t) (i + 1) >> 64);
      int64_t kept = at[i];
      at[i] = at[other];
      at[other] = kept;
    }
}

trm_tensor *
trm_permutation (trm_random *random, int64_t n)
{
  if (!may_fill ("permutation", random, TRM_F64))
    return NULL;
  if (n < 0)
    return trm_fail_null (TRM_BAD_SHAPE, "permutation: of %lld numbers",
                          (long long) n);
  trm_tensor *t = trm_empty (TRM_I64, TRM_SHAPE (n));
  if (!t)
    return NULL;
  int64_t *at = t->at;
  for (int64_t i = 0; i < n; i++)
    at[i] = i;
  shuffle (at, n, *random);
  random->counter += (uint64_t) ((n + 1) / 2);
  return t;
}
