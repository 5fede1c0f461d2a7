/* The kernels of the texts beside this against plain loops: sizes 0 and 1,
   primes, those that fill no block, in several orders of threads and blocks.
   kernels FOLDER [TEXT]: the objects are there; of TEXT alone.  */

#include "launch.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) ((int) (sizeof (array) / sizeof *(array)))

static const unsigned long seeds[] = { 0, 1, 2, 77 };

static unsigned state = 5;

/* A whole number, -8 to 8.  */
static float
any (void)
{
  state = state * 1664525u + 1013904223u;
  return (float) ((state >> 16) % 17) - 8;
}

/* X[0..N) with whole numbers.  */
static float *
some (const struct object *object, long long n)
{
  float *x = object_floats (object, n, false);
  for (long long i = 0; i < n; i++)
    x[i] = any ();
  return x;
}

/* Whether Y[0..N) is WANT to a relative BOUND.  */
static bool
is_close (const float *y, const float *want, long long n, float bound)
{
  for (long long i = 0; i < n; i++)
    if (!(fabsf (y[i] - want[i]) <= bound * fabsf (want[i])))
      return false;
  return true;
}

/* End a case: RIGHT, or the message; its memory is forgotten.  */
static bool
is_done (const struct object *object, int status, bool right, const char *what)
{
  object->allow (NULL, 0, 0);
  if (status)
    printf ("%s: %s\n", what, object->message ());
  else if (!right)
    printf ("%s: wrong\n", what);
  return !status && right;
}

struct chain_args
{
  float *y;
  const float *x;
  float a, b;
  long long n;
};

/* One chain of N elements.  */
static bool
is_chain_right (const struct object *object, const char *kernel, long long n)
{
  struct shape shape = { { 3, 1, 1 }, { 64, 1, 1 }, 0 };
  float *x = some (object, n), *y = object_floats (object, n, true);
  float *want = malloc ((size_t) n * sizeof *want + 1);
  struct chain_args args = { y, x, 1.25f, -2, n };
  for (long long i = 0; i < n; i++)
    want[i] = fmaxf (fmaf (1.25f, x[i], -2), 0);
  int status = object_launch (object, kernel, shape, &args, sizeof args);
  bool right = is_done (object, status, is_close (y, want, n, 0), kernel);
  free (x);
  free (y);
  free (want);
  return right;
}

/* Chains, in the order of SEED.  */
static bool
are_chains_right (const struct object *object)
{
  static const long long sizes[] = { 0, 1, 3, 4, 97, 192, 193, 1009 };
  bool right = true;
  for (int i = 0; i < COUNT (sizes); i++)
    right = right && is_chain_right (object, "chain", sizes[i])
            && is_chain_right (object, "chain_by_four", sizes[i]);
  return right;
}

struct rows_args
{
  float *y;
  const float *x;
  long long rows, columns;
};

/* The softmax of X[0..N) in Y.  */
static void
softmax (float *y, const float *x, long long n)
{
  float most = -INFINITY;
  double sum = 0;
  for (long long j = 0; j < n; j++)
    most = fmaxf (most, x[j]);
  for (long long j = 0; j < n; j++)
    sum += y[j] = expf (x[j] - most);
  for (long long j = 0; j < n; j++)
    y[j] = (float) (y[j] / sum);
}

/* The softmax of ROWS x COLUMNS.  */
static bool
is_softmax_right (const struct object *object, long long rows,
                  long long columns)
{
  long long n = rows * columns;
  unsigned blocks = rows ? (unsigned) (rows + 3) / 4 : 1;
  struct shape shape = { { blocks, 1, 1 }, { 128, 1, 1 }, 0 };
  float *x = some (object, n), *y = object_floats (object, n, true);
  float *want = malloc ((size_t) n * sizeof *want + 1);
  struct rows_args args = { y, x, rows, columns };
  for (long long i = 0; i < rows; i++)
    softmax (want + i * columns, x + i * columns, columns);
  int status = object_launch (object, "rows", shape, &args, sizeof args);
  bool right = is_done (object, status, is_close (y, want, n, 2e-6f), "rows");
  free (x);
  free (y);
  free (want);
  return right;
}

/* Softmaxes of all sizes.  */
static bool
are_softmaxes_right (const struct object *object)
{
  static const long long rows[] = { 0, 1, 3, 7 };
  static const long long columns[] = { 0, 1, 31, 32, 33, 97 };
  bool right = true;
  for (int i = 0; i < COUNT (rows); i++)
    for (int j = 0; j < COUNT (columns); j++)
      right = right && is_softmax_right (object, rows[i], columns[j]);
  return right;
}

struct sum_args
{
  float *sum;
  const float *x;
  float *partial;
  unsigned *ticket;
  long long n;
};

/* The sum of N elements by BLOCKS blocks.  */
static bool
is_sum_right (const struct object *object, long long n, unsigned blocks)
{
  struct shape shape = { { blocks, 1, 1 }, { 256, 1, 1 }, 0 };
  float *x = some (object, n), *y = object_floats (object, 1, true);
  float *partial = object_floats (object, blocks, true), want = 0;
  unsigned *ticket = (unsigned *) object_floats (object, 1, true);
  struct sum_args args = { y, x, partial, ticket, n };
  for (long long i = 0; i < n; i++)
    want += x[i];
  *ticket = 0;
  int status = object_launch (object, "sum", shape, &args, sizeof args);
  bool right = is_done (object, status, *y == want && *ticket == 0, "sum");
  free (x);
  free (y);
  free (partial);
  free (ticket);
  return right;
}

/* Sums of all sizes.  */
static bool
are_sums_right (const struct object *object)
{
  static const long long sizes[] = { 0, 1, 31, 257, 4099 };
  bool right = true;
  for (int i = 0; i < COUNT (sizes); i++)
    right = right && is_sum_right (object, sizes[i], 1)
            && is_sum_right (object, sizes[i], 7)
            && is_sum_right (object, sizes[i], 41);
  return right;
}

struct product_args
{
  float *c;
  const float *a, *b;
  long long m, n, k;
};

/* C = A B, in the order of k.  */
static float *
plain_product (const float *a, const float *b, long long m, long long n,
               long long k)
{
  float *c = malloc ((size_t) (m * n) * sizeof *c + 1);
  for (long long i = 0; i < m; i++)
    for (long long j = 0; j < n; j++)
      {
        float sum = 0;
        for (long long l = 0; l < k; l++)
          sum = fmaf (a[i * k + l], b[l * n + j], sum);
        c[i * n + j] = sum;
      }
  return c;
}

/* The product M x K by K x N.  */
static bool
is_product_right (const struct object *object, long long m, long long n,
                  long long k)
{
  struct shape shape = {
    { (unsigned) (n + 31) / 32, (unsigned) (m + 31) / 32, 1 }, { 64, 1, 1 }, 0
  };
  float *a = some (object, m * k), *b = some (object, k * n);
  float *c = object_floats (object, m * n, true);
  float *want = plain_product (a, b, m, n, k);
  struct product_args args = { c, a, b, m, n, k };
  int status = object_launch (object, "product", shape, &args, sizeof args);
  bool right
    = is_done (object, status, is_close (c, want, m * n, 0), "product");
  free (a);
  free (b);
  free (c);
  free (want);
  return right;
}

/* Products of all sizes.  */
static bool
are_products_right (const struct object *object)
{
  static const long long sizes[] = { 1, 31, 65 }, depths[] = { 0, 1, 8, 29 };
  bool right = true;
  for (int i = 0; i < COUNT (sizes); i++)
    for (int j = 0; j < COUNT (sizes); j++)
      for (int k = 0; k < COUNT (depths); k++)
        right
          = right && is_product_right (object, sizes[i], sizes[j], depths[k]);
  return right;
}

/* The transposition of ROWS x COLUMNS.  */
static bool
is_transpose_right (const struct object *object, long long rows,
                    long long columns)
{
  struct shape shape
    = { { (unsigned) (columns + 31) / 32, (unsigned) (rows + 31) / 32, 1 },
        { 32, 8, 1 },
        32 * 33 * sizeof (float) };
  float *x = some (object, rows * columns);
  float *y = object_floats (object, rows * columns, true);
  struct rows_args args = { y, x, rows, columns };
  int status = object_launch (object, "transpose", shape, &args, sizeof args);
  bool right = true;
  for (long long i = 0; i < rows; i++)
    for (long long j = 0; j < columns; j++)
      right &= y[j * rows + i] == x[i * columns + j];
  right = is_done (object, status, right, "transpose");
  free (x);
  free (y);
  return right;
}

/* Transpositions of all sizes.  */
static bool
are_transposes_right (const struct object *object)
{
  static const long long sizes[] = { 1, 31, 32, 67 };
  bool right = true;
  for (int i = 0; i < COUNT (sizes); i++)
    for (int j = 0; j < COUNT (sizes); j++)
      right = right && is_transpose_right (object, sizes[i], sizes[j]);
  return right;
}

/* The 16 bits of X, a whole number of at most 8, as bf16, or HALF: as f16.  */
static uint16_t
bits_of (float x, bool half)
{
  uint32_t bits;
  memcpy (&bits, &x, sizeof bits);
  if (!half || x == 0)
    return (uint16_t) (bits >> 16);
  return (
    uint16_t) ((bits >> 16 & 0x8000)
               | ((((bits >> 23 & 255) - 112) << 10) + (bits >> 13 & 1023)));
}

/* X[0..N) as 16 bits.  */
static uint16_t *
narrow (const struct object *object, const float *x, long long n, bool half)
{
  uint16_t *to = (uint16_t *) object_floats (object, n / 2, false);
  for (long long i = 0; i < n; i++)
    to[i] = bits_of (x[i], half);
  return to;
}

/* The product on tensor cores, M x K by K x N.  */
static bool
are_tiles_right (const struct object *object, bool half, long long m,
                 long long n, long long k)
{
  struct shape shape = {
    { (unsigned) (n + 15) / 16, (unsigned) (m + 15) / 16, 1 }, { 32, 1, 1 }, 0
  };
  float *a = some (object, m * k), *b = some (object, k * n);
  float *c = object_floats (object, m * n, true);
  uint16_t *of_a = narrow (object, a, m * k, half);
  uint16_t *of_b = narrow (object, b, k * n, half);
  float *want = plain_product (a, b, m, n, k);
  struct
  {
    float *c;
    const void *a, *b;
    long long m, n, k;
  } args = { c, of_a, of_b, m, n, k };
  const char *kernel = half ? "tiles_f16" : "tiles";
  int status = object_launch (object, kernel, shape, &args, sizeof args);
  bool right = is_done (object, status, is_close (c, want, m * n, 0), kernel);
  free (a);
  free (b);
  free (c);
  free (of_a);
  free (of_b);
  free (want);
  return right;
}

/* Products on tensor cores of all sizes; tf32 by the plain product's
   function.  */
static bool
are_all_tiles_right (const struct object *object)
{
  static const long long rows[] = { 1, 16, 37 }, sizes[] = { 8, 16, 40 };
  bool right = true;
  for (int i = 0; i < COUNT (rows); i++)
    for (int j = 0; j < COUNT (sizes); j++)
      for (int k = 0; k < COUNT (sizes); k++)
        right = right
                && are_tiles_right (object, false, rows[i], sizes[j], sizes[k])
                && are_tiles_right (object, true, rows[i], sizes[j], sizes[k]);
  return right;
}

/* ROWS x COLUMNS of X as 16 bits, TURNED: the other way round.  */
static uint16_t *
narrow_turned (const struct object *object, const float *x, long long rows,
               long long columns, bool half, bool turned)
{
  uint16_t *to = narrow (object, x, rows * columns, half);
  for (long long i = 0; turned && i < rows; i++)
    for (long long j = 0; j < columns; j++)
      to[j * rows + i] = bits_of (x[i * columns + j], half);
  return to;
}

/* The product of warpgroups by KERNEL, M x K by K x N.  */
static bool
is_group_right (const struct object *object, const char *kernel, long long m,
                long long n, long long k)
{
  struct shape shape
    = { { (unsigned) (n + 63) / 64, (unsigned) (m + 63) / 64, 1 },
        { 128, 1, 1 },
        3 * 8192 };
  bool half = !strcmp (kernel, "groups_f16");
  bool across = !strcmp (kernel, "across");
  float *a = some (object, m * k), *b = some (object, k * n);
  float *c = object_floats (object, m * n, true);
  uint16_t *of_a = narrow_turned (object, a, m, k, half, across);
  uint16_t *of_b = narrow_turned (object, b, k, n, half, !across);
  float *want = plain_product (a, b, m, n, k);
  struct
  {
    float *c;
    const void *a, *b;
    long long m, n, k;
  } args = { c, of_a, of_b, m, n, k };
  int status = object_launch (object, kernel, shape, &args, sizeof args);
  bool right = is_done (object, status, is_close (c, want, m * n, 0), kernel);
  free (a);
  free (b);
  free (c);
  free (of_a);
  free (of_b);
  free (want);
  return right;
}

/* Those of all layouts and sizes.  */
static bool
are_groups_right (const struct object *object)
{
  static const long long sizes[] = { 8, 64, 72 }, depths[] = { 0, 8, 40, 104 };
  bool right = true;
  for (int i = 0; i < COUNT (sizes); i++)
    for (int j = 0; j < COUNT (depths); j++)
      right = right
              && is_group_right (object, "groups", sizes[i] - 7,
                                 sizes[(i + 1) % 3] - 3, depths[j])
              && is_group_right (object, "groups_f16", sizes[i],
                                 sizes[(i + 1) % 3], depths[j])
              && is_group_right (object, "across", sizes[i], sizes[(i + 1) % 3],
                                 depths[j]);
  return right;
}

/* The product of tf32, 16 x K by K x 8; what tf32 cannot hold is rounded.  */
static bool
is_tf32_right (const struct object *object, long long k)
{
  struct shape shape = { { 1, 1, 1 }, { 32, 1, 1 }, 0 };
  float *a = some (object, 16 * k), *b = some (object, k * 8);
  float *c = object_floats (object, 16 * 8, true);
  float *want = plain_product (a, b, 16, 8, k);
  struct product_args args = { c, a, b, 16, 8, k };
  for (long long i = 0; i < 16 * k; i++)
    a[i] *= 1 + 0x1p-12f;
  int status = object_launch (object, "tiles_tf32", shape, &args, sizeof args);
  bool right
    = is_done (object, status, is_close (c, want, 16 * 8, 0), "tiles_tf32");
  free (a);
  free (b);
  free (c);
  free (want);
  return right;
}

/* Conversions to bf16 and f16: ties, the largest, the least, none.  */
static bool
are_pairs_right (const struct object *object, bool half)
{
  static const struct
  {
    float x;
    uint16_t bf16, f16;
  } rows[] = {
    { 1, 0x3f80, 0x3c00 },
    { -2.5f, 0xc020, 0xc100 },
    { 1 + 0x1p-8f, 0x3f80, 0x3c04 },
    { 1 + 0x3p-8f, 0x3f82, 0x3c0c },
    { 0, 0, 0 },
    { -0.0f, 0x8000, 0x8000 },
    { 1 + 0x1p-11f, 0x3f80, 0x3c00 },
    { 1 + 0x3p-11f, 0x3f80, 0x3c02 },
    { 65504, 0x4780, 0x7bff },
    { 65519, 0x4780, 0x7bff },
    { 65520, 0x4780, 0x7c00 },
    { 0x1p-24f, 0x3380, 1 },
    { 0x1p-25f, 0x3300, 0 },
    { 0x3p-25f, 0x33c0, 2 },
    { 0x1p-14f, 0x3880, 0x0400 },
    { INFINITY, 0x7f80, 0x7c00 },
  };
  struct shape shape = { { 1, 1, 1 }, { 32, 1, 1 }, 0 };
  float *x = object_floats (object, COUNT (rows), false);
  uint16_t *y = (uint16_t *) object_floats (object, COUNT (rows) / 2, true);
  struct product_args args
    = { (float *) y, x, NULL, 0, COUNT (rows) / 2, half };
  for (int i = 0; i < COUNT (rows); i++)
    x[i] = rows[i].x;
  int status = object_launch (object, "pairs", shape, &args, sizeof args);
  bool right = true;
  for (int i = 0; i < COUNT (rows); i++)
    right &= y[i] == (half ? rows[i].f16 : rows[i].bf16);
  right = is_done (object, status, right, "pairs");
  free (x);
  free (y);
  return right;
}

#define N_RESULTS 22

/* What thread T of 64, with X[t] = t, gets as number E in warp.cu.  */
static double
warp_result (int e, int t)
{
  int first = t / 32 * 32, lane = t % 32, of_eight = t / 8 * 8;
  switch (e)
    {
    case 0:
      return first + 5;
    case 1:
      return of_eight + 1;
    case 2:
      return t ^ 3;
    case 3:
      return lane < 2 ? t : t - 2;
    case 4:
      return t - 3 < of_eight ? t : t - 3;
    case 5:
      return lane + 4 < 32 ? t + 4 : t;
    case 6:
      return 4294967297.0 * (t % 16 < 15 ? t + 1 : t);
    case 7:
      return first ? 0x92492492u : 0x49249249u;
    case 8:
      return first == 32;
    case 9:
    case 11:
    case 13:
      return 1;
    case 10:
      return first == 32;
    case 12:
    case 14:
      return 0;
    case 15:
      return 22;
    case 16:
      return lane < 16 ? t ^ 8 : t ^ 4;
    case 17:
      return 1.5 * t;
    case 18:
      return 2.5 * t;
    case 19:
      return 2 * t + 1;
    case 20:
      return 2 * t + 4;
    default:
      return 1 / sqrtf ((float) t + 1);
    }
}

/* What block I's thread T writes in warp.cu's kernel of many parameters.  */
static double
wide_result (int i, int t)
{
  int leading = i ? __builtin_clz ((unsigned) i) : 32;
  return 7 * i + 0.5 * t + __builtin_popcount ((unsigned) i) + leading + 74;
}

/* Many parameters, all dimensions.  */
static bool
is_wide_right (const struct object *object)
{
  struct shape shape = { { 3, 2, 4 }, { 5, 3, 2 }, 0 };
  struct
  {
    double *out;
    long long first[100];
    float last[4] __attribute__ ((aligned (16)));
  } args = { .out = (double *) object_floats (object, 2 * 24 * 30, true),
             .last = { 0, 0, 0, 0.5f } };
  for (int i = 0; i < 24; i++)
    args.first[i] = 7 * i;
  int status = object_launch (object, "wide", shape, &args, sizeof args);
  bool right = true;
  for (int e = 0; e < 24 * 30; e++)
    right &= args.out[e] == wide_result (e / 30, e % 30);
  right = is_done (object, status, right, "wide");
  free (args.out);
  return right;
}

/* Functions of warps and blocks.  */
static bool
are_warps_right (const struct object *object)
{
  struct shape shape = { { 1, 1, 1 }, { 64, 1, 1 }, 0 };
  int *x = (int *) object_floats (object, 64, false);
  double *y = (double *) object_floats (object, 2 * 64 * N_RESULTS, true);
  struct
  {
    double *out;
    const int *x;
    long long n;
  } args = { y, x, 64 };
  for (int i = 0; i < 64; i++)
    x[i] = i;
  int status = object_launch (object, "warp", shape, &args, sizeof args);
  bool right = true;
  for (int e = 0; e < N_RESULTS; e++)
    for (int t = 0; t < 64; t++)
      if (!status && y[64 * e + t] != warp_result (e, t))
        {
          if (right)
            printf ("number %d, thread %d: %g\n", e, t, y[64 * e + t]);
          right = false;
        }
  if (!status)
    status = object_launch (object, "warp_turn", shape, &args, sizeof args);
  for (int t = 0; t < 64; t++)
    right &= y[t] == (t ^ 31);
  if (!status)
    {
      memset (y, 0, 6 * sizeof *y);
      status = object_launch (object, "count", shape, &args, sizeof args);
      right &= y[0] == 16 && y[3] == 16 && y[4] == 0 && y[5] == 1;
    }
  right = is_done (object, status, right, "warp");
  free (x);
  free (y);
  return right;
}

/* Tensor cores beside the products of tiles.  */
static bool
are_other_tiles_right (const struct object *object)
{
  return is_tf32_right (object, 8) && is_tf32_right (object, 40)
         && are_pairs_right (object, false) && are_pairs_right (object, true);
}

/* A text, and what of it is right.  */
struct row
{
  const char *text;
  bool (*is_right) (const struct object *);
  const char *what;
};

static const struct row texts[] = {
  { "chain", are_chains_right, "a chain" },
  { "rows", are_softmaxes_right, "softmax of rows" },
  { "sum", are_sums_right, "a sum with a ticket" },
  { "product", are_products_right, "a tiled product" },
  { "transpose", are_transposes_right, "a transposition" },
  { "tiles", are_all_tiles_right, "products of bf16 and f16" },
  { "tiles", are_other_tiles_right, "tf32 and conversions" },
  { "groups", are_groups_right, "products of warpgroups" },
  { "warp", is_wide_right, "many parameters, all dimensions" },
  { "warp", are_warps_right, "functions of warps and blocks" },
};

/* Whether ROW is right in all orders.  */
static bool
is_row_right (const char *folder, const struct row *row)
{
  struct object object = object_open (folder, row->text);
  bool right = true;
  for (int i = 0; i < COUNT (seeds) && right; i++)
    {
      object.seed (seeds[i]);
      right = row->is_right (&object);
    }
  object_close (&object);
  return right;
}

int
main (int argc, char **argv)
{
  const char *folder = argc > 1 ? argv[1] : ".";
  for (int i = 0; i < COUNT (texts); i++)
    if (argc < 3 || !strcmp (argv[2], texts[i].text))
      expect (is_row_right (folder, &texts[i]), "%s", texts[i].what);
  return expect_status ();
}
