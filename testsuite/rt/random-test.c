/* Random numbers: Philox against published values; element i is a function of
   seed, counter and i, normal ones, too, whatever the count and the threads;
   ends of ranges; moments and distributions; errors.  */

#include "differences.h"

#include "philox.h"

#include <stdlib.h>

#define MANY 200000

static void
test_philox (void)
{
  static const struct
  {
    uint64_t seed, counter;
    uint32_t word[4];
  } known[] = {
    { 0, 0, { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 } },
    { 0x123456789abcdef0,
      77,
      { 0x6aa2bb8a, 0x8893708e, 0x4c7f96f6, 0xd8134311 } },
    { UINT64_MAX,
      UINT64_MAX,
      { 0x4d18d7d2, 0x430ac65a, 0xbd2fa22a, 0x0afae10d } },
    { 0x299f31d0a4093822,
      0x85a308d3243f6a88,
      { 0xe69c9c31, 0xb5a3d762, 0xe733bfc1, 0x341a787c } },
  };
  bool right = true;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    {
      uint32_t word[4];
      trm_philox (known[i].seed, known[i].counter, word);
      right &= !memcmp (word, known[i].word, sizeof word);
    }
  expect (right, "known answers of Philox 4x32-10");
}

/* The words that element I of numbers of TYPE is made of; gives its number
   among those of them.  */
static int
words_of (trm_type type, trm_random from, int64_t i, uint32_t word[4])
{
  int64_t count = type == TRM_F64 ? 2 : 4, group = i / (32 * count);
  trm_philox (from.seed, from.counter + (uint64_t) (32 * group + i % 32), word);
  return (int) (i / 32 % count);
}

/* Number K of WORD from 0 to 1.  */
static double
unit (trm_type type, const uint32_t word[4], int k)
{
  if (type == TRM_F32)
    return (word[k] >> 8) * 0x1p-24;
  return ((double) (word[2 * k + 1] >> 5) * 0x1p26 + (word[2 * k] >> 6))
         * 0x1p-53;
}

/* Element I of uniform numbers of TYPE from 0 to 1, from Philox itself.  */
static double
uniform_element (trm_type type, trm_random from, int64_t i)
{
  uint32_t word[4];
  int k = words_of (type, from, i, word);
  return unit (type, word, k);
}

/* The same of normal numbers: of f32 the angle is that of a quarter, put to one
   of the four by signs.  */
static double
normal_element (trm_type type, trm_random from, int64_t i)
{
  uint32_t word[4];
  int k = words_of (type, from, i, word), odd = k % 2;
  double pi = acos (-1);
  if (type == TRM_F64)
    {
      double angle = 2 * pi * (unit (type, word, k - odd + 1) - 0.5);
      return sqrt (-2 * log (unit (type, word, k - odd) + 0x1p-54))
             * (odd ? sin (angle) : cos (angle));
    }
  uint32_t turn = word[k - odd + 1];
  double angle = pi / 4 * (1 + (int32_t) (turn << 2) * 0x1p-31);
  double radius = sqrt (-2 * log (((word[k - odd] >> 1) + 0.5) * 0x1p-31));
  double size = radius * (odd ? sin (angle) : cos (angle));
  return (odd ? turn << 1 : turn) >> 31 ? -size : size;
}

static void
test_normal_elements (void)
{
  for (trm_type type = TRM_F32; type <= TRM_F64; type++)
    {
      trm_random start = { 0xfedcba9876543210, 99 }, random = start;
      trm_tensor *x = trm_normal (&random, type, TRM_SHAPE (20000), 0, 1);
      double apart = 0;
      for (int64_t i = 0; i < 20000; i++)
        apart = fmax (apart,
                      fabs (element (x, i) - normal_element (type, start, i)));
      expect (apart < (type == TRM_F64 ? 1e-14 : 2e-6),
              "normal numbers of %s are those of their words",
              trm_type_name (type));
    }
}

static void
test_elements (void)
{
  bool right = true;
  trm_random start = { 42, UINT64_MAX - 3 };
  for (trm_type type = TRM_F32; type <= TRM_F64; type++)
    for (int64_t n = 0; n <= 200; n++)
      {
        trm_random random = start;
        trm_scope_open ();
        trm_tensor *x = trm_uniform (&random, type, TRM_SHAPE (n), 0, 1);
        for (int64_t i = 0; i < n; i++)
          right &= element (x, i) == uniform_element (type, start, i);
        trm_scope_close ();
      }
  expect (right, "element i is a function of seed, counter and i");
}

static trm_random shared;
static int64_t shared_n;

static trm_tensor *
make_uniform (trm_random *r)
{
  return trm_uniform (r, TRM_F32, TRM_SHAPE (shared_n), -3, 2);
}
static trm_tensor *
make_uniform_double (trm_random *r)
{
  return trm_uniform (r, TRM_F64, TRM_SHAPE (shared_n), -3, 2);
}
static trm_tensor *
make_half (trm_random *r)
{
  return trm_uniform (r, TRM_F16, TRM_SHAPE (shared_n), -3, 2);
}
static trm_tensor *
make_normal (trm_random *r)
{
  return trm_normal (r, TRM_F32, TRM_SHAPE (shared_n), 1, 2);
}
static trm_tensor *
make_normal_double (trm_random *r)
{
  return trm_normal (r, TRM_F64, TRM_SHAPE (shared_n), 1, 2);
}
static trm_tensor *
make_integers (trm_random *r)
{
  return trm_integers (r, TRM_SHAPE (shared_n), -5, 1000);
}
static trm_tensor *
make_truths (trm_random *r)
{
  return trm_bernoulli (r, TRM_SHAPE (shared_n), 0.3);
}
static trm_tensor *
make_permutation (trm_random *r)
{
  return trm_permutation (r, shared_n);
}

static trm_tensor *(*const makers[]) (trm_random *r)
  = { make_uniform,       make_uniform_double, make_half,   make_normal,
      make_normal_double, make_integers,       make_truths, make_permutation };
#define MAKERS (int) (sizeof makers / sizeof *makers)

/* What MAKER makes of N numbers from seed 7 and COUNTER on.  */
static trm_tensor *
made (int maker, int64_t n, uint64_t counter)
{
  shared = (trm_random){ 7, counter };
  shared_n = n;
  return makers[maker](&shared);
}

static void
test_threads (void)
{
  static const uint64_t counters[] = { 32, 32, 32, 32, 32, 32, 32, 23 };
  bool right = true, front = true, moved = true;
  for (int m = 0; m < MAKERS; m++)
    {
      use_threads (1);
      trm_tensor *one = made (m, MANY + 13, 5);
      uint64_t next = shared.counter;
      for (int threads = 2; threads <= 5; threads += 3)
        {
          use_threads (threads);
          right &= same_bits (one, made (m, MANY + 13, 5));
        }
      trm_tensor *few = made (m, 45, 5);
      if (makers[m] != make_permutation)
        front &= same_bits (few, trm_slice (one, 0, 0, 45, 1));
      moved &= shared.counter == 5 + counters[m] && next - 5 >= MANY / 4
               && !same_bits (few, makers[m](&shared))
               && !same_bits (few, made (m, 45, 6));
    }
  use_threads (2);
  expect (right, "the same bits for 1, 2 and 5 threads");
  expect (front, "fewer numbers are the first of more");
  expect (moved, "a call moves the counter on");
}

/* Whether all of T are from LOW up to, not including, HIGH.  */
static bool
is_within (const trm_tensor *t, double low, double high)
{
  for (int64_t i = 0; t && i < trm_count (t); i++)
    if (!(element (t, i) >= low && element (t, i) < high))
      return false;
  return t != NULL;
}

static void
test_ends (void)
{
  static const double ends[][2]
    = { { 0, 1 },        { 1, 1.01 }, { 0.1, 0.3 },
        { -0.7, -0.3 },  { -1, 0 },   { 2047, 2049 },
        { -1e-3, 1e-3 }, { 0, 1e6 },  { 1000, 1e5 } };
  bool right = true;
  trm_random random = { 1, 0 };
  for (trm_type type = TRM_BF16; type <= TRM_F64; type++)
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
      {
        trm_scope_open ();
        right &= is_within (trm_uniform (&random, type, TRM_SHAPE (20000),
                                         ends[i][0], ends[i][1]),
                            ends[i][0], ends[i][1]);
        trm_scope_close ();
      }
  expect (right, "uniform numbers keep to their range, of narrow types, too");
  trm_tensor *one
    = trm_uniform (&random, TRM_F32, TRM_SHAPE (100), 1, nextafterf (1, 2));
  expect (is_within (one, 1, 1.00000001), "a range of one number");
  trm_tensor *all
    = trm_integers (&random, TRM_SHAPE (20000), INT64_MIN, INT64_MAX);
  int64_t high = 0;
  for (int64_t i = 0; i < 20000; i++)
    high += ((int64_t *) all->at)[i] > 0;
  expect (high > 9700 && high < 10300, "whole numbers of the widest range");
  trm_tensor *same
    = trm_integers (&random, TRM_SHAPE (50), INT64_MAX - 1, INT64_MAX);
  bool is_same = true;
  for (int64_t i = 0; i < 50; i++)
    is_same &= ((int64_t *) same->at)[i] == INT64_MAX - 1;
  expect (is_same, "whole numbers of a range of one");
}

/* For qsort.  */
static int
by_value (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

static double
uniform_below (double x)
{
  return x < 0 ? 0 : x > 1 ? 1 : x;
}
static double
normal_below (double x)
{
  return 0.5 * erfc (-x / sqrt (2));
}

/* The greatest distance of T's distribution from that of BELOW, times the root
   of the count: above 1.95 in one of 1000 cases (Kolmogorov).  */
static double
distance (const trm_tensor *t, double (*below) (double x))
{
  trm_tensor *x = trm_cast ((trm_tensor *) t, TRM_F64);
  int64_t n = trm_count (t);
  double *at = trm_copy (x)->at, most = 0;
  qsort (at, (size_t) n, sizeof *at, by_value);
  for (int64_t i = 0; i < n; i++)
    {
      double p = below (at[i]);
      most = fmax (most, fmax (p - (double) i / (double) n,
                               (double) (i + 1) / (double) n - p));
    }
  return most * sqrt ((double) n);
}

/* Mean of the product of neighbours STEP apart in T, less its mean of 0.  */
static double
correlation (const trm_tensor *t, int64_t step)
{
  double sum = 0;
  int64_t n = trm_count (t) - step;
  for (int64_t i = 0; i < n; i++)
    sum += element (t, i) * element (t, i + step);
  return sum / sqrt ((double) n);
}

static void
test_distributions (void)
{
  trm_random random = { 2024, 0 };
  for (trm_type type = TRM_F32; type <= TRM_F64; type++)
    {
      const char *name = trm_type_name (type);
      trm_scope_open ();
      trm_tensor *x = trm_uniform (&random, type, TRM_SHAPE (20000), 0, 1);
      trm_tensor *z = trm_normal (&random, type, TRM_SHAPE (20000), 0, 1);
      double apart
        = fmax (distance (x, uniform_below), distance (z, normal_below));
      expect (apart < 1.95, "distributions of %s", name);
      double square = 0, cube = 0, fourth = 0;
      for (int64_t i = 0; i < 20000; i++)
        {
          double v = element (z, i);
          square += v * v / 20000;
          cube += v * v * v / 20000;
          fourth += v * v * v * v / 20000;
        }
      expect (fabs (square - 1) < 0.04 && fabs (cube) < 0.1
                && fabs (fourth - 3) < 0.3,
              "moments of normal numbers of %s", name);
      bool free = true;
      for (int64_t step = 1; step <= 64; step *= 2)
        free &= fabs (correlation (z, step)) < 4;
      expect (free, "neighbours of %s do not go together", name);
      trm_scope_close ();
    }
  trm_tensor *moved = trm_normal (&random, TRM_BF16, TRM_SHAPE (1000), 50, 0);
  expect (is_within (moved, 50, 50.1), "mean and a deviation of 0");
}

static void
test_counts (void)
{
  trm_random random = { 3, 3 };
  int64_t count[10] = { 0 }, truths = 0, orders[27] = { 0 };
  trm_tensor *x = trm_integers (&random, TRM_SHAPE (10000), 5, 15);
  trm_tensor *b = trm_bernoulli (&random, TRM_SHAPE (100, 100), 0.3);
  double chi = 0;
  for (int64_t i = 0; i < 10000; i++)
    {
      count[((int64_t *) x->at)[i] - 5]++;
      truths += ((uint8_t *) b->at)[i];
    }
  for (int i = 0; i < 10; i++)
    chi += (double) ((count[i] - 1000) * (count[i] - 1000)) / 1000;
  expect (chi < 28, "each whole number comes as often");
  expect (truths > 2860 && truths < 3140, "bernoulli 0.3");
  b = trm_bernoulli (&random, TRM_SHAPE (1000), 0);
  trm_tensor *c = trm_bernoulli (&random, TRM_SHAPE (1000), 1);
  expect (is_within (b, 0, 1) && is_within (c, 1, 2), "bernoulli 0 and 1");
  for (int i = 0; i < 6000; i++)
    {
      trm_scope_open ();
      const int64_t *p = trm_permutation (&random, 3)->at;
      orders[p[0] * 9 + p[1] * 3 + p[2]]++;
      trm_scope_close ();
    }
  chi = 0;
  for (int i = 0; i < 27; i++)
    if (orders[i])
      chi += (double) ((orders[i] - 1000) * (orders[i] - 1000)) / 1000;
  expect (chi < 21, "each order of three comes as often");
}

static void
test_permutation (void)
{
  bool right = true;
  trm_random random = { 8, 0 };
  for (int64_t n = 0; n < 300; n = n * 2 + 1)
    {
      trm_tensor *p = trm_permutation (&random, n);
      bool seen[300] = { false };
      right &= p && p->rank == 1 && p->extent[0] == n && p->type == TRM_I64;
      for (int64_t i = 0; right && i < n; i++)
        {
          int64_t k = ((int64_t *) p->at)[i];
          right = k >= 0 && k < n && !seen[k];
          seen[k] = true;
        }
    }
  expect (right, "permutations hold each number once");
}

static void
test_errors (void)
{
  trm_random random = { 1, 2 };
  expect (!trm_uniform (NULL, TRM_F32, TRM_SCALAR, 0, 1)
            && expect_failed (TRM_BAD_ARGUMENT, "uniform"),
          "no trm_random");
  expect (!trm_uniform (&random, TRM_I32, TRM_SCALAR, 0, 1)
            && expect_failed (TRM_BAD_TYPE, "uniform: i32")
            && !trm_normal (&random, TRM_BOOL, TRM_SCALAR, 0, 1)
            && expect_failed (TRM_BAD_TYPE, "normal: bool"),
          "whole types");
  expect (!trm_uniform (&random, TRM_F32, TRM_SCALAR, 1, 1)
            && expect_failed (TRM_BAD_ARGUMENT, "uniform: there are no f32")
            && !trm_uniform (&random, TRM_F16, TRM_SCALAR, 1.0001, 1.0002)
            && expect_failed (TRM_BAD_ARGUMENT, "uniform")
            && !trm_uniform (&random, TRM_F64, TRM_SCALAR, NAN, 1)
            && expect_failed (TRM_BAD_ARGUMENT, "uniform"),
          "ranges without numbers");
  expect (!trm_normal (&random, TRM_F32, TRM_SCALAR, 0, -1)
            && expect_failed (TRM_BAD_ARGUMENT, "normal: a deviation of -1")
            && !trm_integers (&random, TRM_SCALAR, 3, 3)
            && expect_failed (TRM_BAD_ARGUMENT, "integers")
            && !trm_bernoulli (&random, TRM_SCALAR, 1.5)
            && expect_failed (TRM_BAD_ARGUMENT, "bernoulli")
            && !trm_permutation (&random, -1)
            && expect_failed (TRM_BAD_SHAPE, "permutation"),
          "a negative deviation, no range, no probability, less than none");
  expect (random.counter == 2, "what failed leaves the counter alone");
}

int
main (void)
{
  int64_t before = trm_memory_now ().bytes;
  void (*const tests[]) (void)
    = { test_philox,  test_elements,    test_normal_elements,
        test_threads, test_ends,        test_distributions,
        test_counts,  test_permutation, test_errors };
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
    {
      trm_scope_open ();
      tests[i]();
      trm_scope_close ();
    }
  expect (trm_memory_now ().bytes == before, "no memory is lost");
  return expect_status ();
}
