/* matmul and linear: against plain sums in double, for sizes, layouts and
   batches that broadcast; element types; gradients against differences, and
   gradients of gradients; threads; errors.  */

#include "differences.h"

/* The product of A and B of rank 2 or more and f64, by sums over elements.  */
static trm_tensor *
plain_matmul (const trm_tensor *a, const trm_tensor *b)
{
  int rank = a->rank > b->rank ? a->rank : b->rank;
  int64_t extent[TRM_RANK];
  for (int i = 0; i < rank - 2; i++)
    {
      int ai = i - (rank - a->rank), bi = i - (rank - b->rank);
      int64_t x = ai < 0 ? 1 : a->extent[ai], y = bi < 0 ? 1 : b->extent[bi];
      extent[i] = x == 1 ? y : x;
    }
  extent[rank - 2] = a->extent[a->rank - 2];
  extent[rank - 1] = b->extent[b->rank - 1];
  trm_tensor *y = trm_empty (TRM_F64, rank, extent);
  for (int64_t e = 0; e < trm_count (y); e++)
    {
      const double *left = a->at, *right = b->at;
      int64_t rest = e, p = 0;
      double sum = 0;
      for (int i = rank - 1; i >= 0; i--)
        {
          int64_t at = rest % extent[i];
          int ai = i - (rank - a->rank), bi = i - (rank - b->rank);
          rest /= extent[i];
          if (ai >= 0 && i != rank - 1 && a->extent[ai] != 1)
            left += at * a->stride[ai];
          if (bi >= 0 && i != rank - 2 && b->extent[bi] != 1)
            right += at * b->stride[bi];
        }
      for (p = 0; p < a->extent[a->rank - 1]; p++)
        sum += left[p * a->stride[a->rank - 1]]
               * right[p * b->stride[b->rank - 2]];
      ((double *) y->at)[e] = sum;
    }
  return y;
}

/* A matrix of H x P in layout KIND: by rows, by columns, every second element
   of rows from the end, part of wider rows.  */
static trm_tensor *
matrix (unsigned seed, int64_t h, int64_t p, int kind)
{
  if (kind == 1)
    return trm_t (numbers (seed, -1, 1, TRM_SHAPE (p, h)));
  if (kind == 2)
    return trm_slice (numbers (seed, -1, 1, TRM_SHAPE (h, 2 * p)), 1, TRM_END,
                      TRM_END, -2);
  if (kind == 3)
    return trm_slice (numbers (seed, -1, 1, TRM_SHAPE (h, p + 3)), 1, 1, p + 1,
                      1);
  return numbers (seed, -1, 1, TRM_SHAPE (h, p));
}

/* Products of all sizes and layouts.  */
static void
test_sizes (void)
{
  static const int64_t sizes[] = { 0, 1, 2, 7, 16, 37 };
  bool right[2] = { true, true };
  for (int e = 0; e < 6 * 6 * 6; e++)
    for (int kind = 0; kind < 16; kind++)
      {
        int64_t h = sizes[e % 6], p = sizes[e / 6 % 6], q = sizes[e / 36];
        trm_scope_open ();
        trm_tensor *a = matrix (1, h, q, kind % 4);
        trm_tensor *b = matrix (2, q, p, kind / 4);
        trm_tensor *y = plain_matmul (a, b);
        right[0] &= expect_close (trm_matmul (a, b), y, 1e-12);
        right[1] &= expect_close (
          trm_matmul (trm_cast (a, TRM_F32), trm_cast (b, TRM_F32)),
          trm_cast (y, TRM_F32), 2e-5);
        trm_scope_close ();
      }
  expect (right[0], "matmul of f64, all sizes and layouts");
  expect (right[1], "matmul of f32, all sizes and layouts");
  trm_scope_open ();
  trm_tensor *a = matrix (3, 131, 257, 0), *b = matrix (4, 257, 139, 0);
  bool large = expect_close (trm_matmul (a, b), plain_matmul (a, b), 1e-12);
  a = matrix (3, 131, 257, 1);
  large &= expect_close (trm_matmul (a, b), plain_matmul (a, b), 1e-12);
  b = matrix (4, 257, 139, 1);
  large &= expect_close (trm_matmul (a, b), plain_matmul (a, b), 1e-12);
  expect (large, "matmul of sizes beyond a tile");
  trm_scope_close ();
}

/* Ranks and extents of two arguments whose batches broadcast.  */
static const struct
{
  int a_rank, b_rank;
  int64_t a[5], b[5];
} batches[] = {
  { 3, 3, { 4, 3, 5 }, { 4, 5, 2 } },
  { 3, 2, { 4, 3, 5 }, { 5, 2 } },
  { 2, 3, { 3, 5 }, { 4, 5, 2 } },
  { 3, 3, { 1, 3, 5 }, { 4, 5, 2 } },
  { 4, 4, { 2, 1, 3, 5 }, { 1, 4, 5, 2 } },
  { 4, 3, { 2, 3, 3, 5 }, { 3, 5, 2 } },
  { 5, 2, { 2, 1, 2, 1, 3 }, { 3, 4 } },
  { 3, 3, { 0, 3, 5 }, { 1, 5, 2 } },
  { 3, 3, { 2, 3, 0 }, { 2, 0, 2 } },
};
#define BATCHES ((int) (sizeof batches / sizeof *batches))

/* Argument number SIDE of row I of batches; where TURNED, its last two axes lie
   the other way round, where SPREAD the first ones do.  */
static trm_tensor *
batch (int i, int side, bool turned, bool spread)
{
  int rank = side ? batches[i].b_rank : batches[i].a_rank;
  const int64_t *extent = side ? batches[i].b : batches[i].a;
  int64_t lies[5];
  for (int k = 0; k < rank; k++)
    lies[k] = extent[k];
  if (turned)
    {
      lies[rank - 2] = extent[rank - 1];
      lies[rank - 1] = extent[rank - 2];
    }
  if (spread && rank > 2)
    {
      lies[0] = extent[rank - 3];
      lies[rank - 3] = extent[0];
    }
  trm_tensor *t = numbers (5 + (unsigned) side, -1, 1, rank, lies);
  t = turned ? trm_t (t) : t;
  return spread && rank > 2 ? trm_transpose (t, 0, -3) : t;
}

/* Products of batches.  */
static void
test_batches (void)
{
  bool right = true;
  for (int e = 0; e < BATCHES * 16; e++)
    {
      trm_scope_open ();
      trm_tensor *a = batch (e / 16, 0, e & 1, e & 4);
      trm_tensor *b = batch (e / 16, 1, e & 2, e & 8);
      right &= expect_close (trm_matmul (a, b), plain_matmul (a, b), 1e-12);
      trm_scope_close ();
    }
  expect (right, "matmul of batches that broadcast");
}

/* Arguments of rank 1.  */
static void
test_vectors (void)
{
  trm_scope_open ();
  trm_tensor *a = numbers (1, -1, 1, TRM_SHAPE (7));
  trm_tensor *b = numbers (2, -1, 1, TRM_SHAPE (7));
  trm_tensor *m = numbers (3, -1, 1, TRM_SHAPE (7, 5));
  trm_tensor *n = numbers (4, -1, 1, TRM_SHAPE (3, 5, 7));
  trm_tensor *row = trm_unsqueeze (a, 0), *column = trm_unsqueeze (b, 1);
  trm_tensor *dot = trm_matmul (a, b);
  expect (dot && dot->rank == 0
            && expect_close (
              dot, trm_reshape (plain_matmul (row, column), TRM_SCALAR), 1e-12),
          "a row by a column is a number");
  expect (expect_close (trm_matmul (a, m),
                        trm_squeeze (plain_matmul (row, m), 0), 1e-12),
          "a row by a matrix is a row");
  expect (expect_close (trm_matmul (n, b),
                        trm_squeeze (plain_matmul (n, column), -1), 1e-12),
          "matrices by a column are columns");
  trm_scope_close ();
}

/* Element types.  */
static void
test_types (void)
{
  trm_scope_open ();
  trm_tensor *a = numbers (1, -1, 1, TRM_SHAPE (9, 20));
  trm_tensor *b = numbers (2, -1, 1, TRM_SHAPE (20, 11));
  trm_tensor *half = trm_cast (a, TRM_F16), *brief = trm_cast (b, TRM_BF16);
  trm_tensor *exact = trm_cast (half, TRM_F32);
  trm_tensor *wide = trm_matmul (exact, trm_t (exact));
  expect (
    expect_close (trm_matmul (half, trm_t (half)), trm_cast (wide, TRM_F16), 0),
    "f16 is summed as f32 and rounded once");
  trm_tensor *mixed = trm_matmul (half, brief);
  expect (mixed && mixed->type == TRM_F32, "f16 by bf16 is f32");
  static const int64_t one[] = { INT64_MAX, 3, -5, 1 }, other[] = { 2, 7 };
  trm_tensor *m = trm_from (TRM_I64, TRM_SHAPE (2, 2), one);
  trm_tensor *v = trm_from (TRM_I64, TRM_SHAPE (2), other);
  trm_tensor *w = trm_matmul (m, v);
  expect (w && w->type == TRM_I64 && trm_get_int (w, TRM_SHAPE (0)) == 19
            && trm_get_int (w, TRM_SHAPE (1)) == -3,
          "whole numbers are exact, and wrap");
  trm_tensor *small = trm_matmul (trm_cast (m, TRM_I8), trm_cast (v, TRM_I8));
  expect (small && small->type == TRM_I8, "i8 by i8 is i8");
  trm_scope_close ();
}

/* As functions of their arguments.  */
static trm_tensor *
matmul_of (trm_tensor **x)
{
  return trm_matmul (x[0], x[1]);
}
static trm_tensor *
turned_of (trm_tensor **x)
{
  return trm_matmul (trm_t (x[0]), trm_t (x[1]));
}
static trm_tensor *
left_turned_of (trm_tensor **x)
{
  return trm_matmul (trm_t (x[0]), x[1]);
}
static trm_tensor *
right_turned_of (trm_tensor **x)
{
  return trm_matmul (x[0], trm_t (x[1]));
}
static trm_tensor *
square_of (trm_tensor **x)
{
  return trm_matmul (x[0], x[0]);
}
static trm_tensor *
linear_of (trm_tensor **x)
{
  return trm_linear (x[0], x[1], x[2]);
}
static trm_tensor *
bare_linear_of (trm_tensor **x)
{
  return trm_linear (x[0], x[1], NULL);
}

/* Gradients against differences.  */
static void
test_gradients (void)
{
  bool right = true;
  for (int i = 0; i < BATCHES; i++)
    {
      trm_scope_open ();
      trm_tensor *x[]
        = { batch (i, 0, false, false), batch (i, 1, false, false) };
      trm_tensor *turned[]
        = { batch (i, 0, true, false), batch (i, 1, true, false) };
      trm_tensor *flat[] = { trm_contiguous (trm_t (turned[0])),
                             trm_contiguous (trm_t (turned[1])) };
      trm_tensor *left[] = { flat[0], x[1] }, *second[] = { x[0], flat[1] };
      right &= gradients_agree (matmul_of, 2, x)
               && gradients_agree (turned_of, 2, flat)
               && gradients_agree (left_turned_of, 2, left)
               && gradients_agree (right_turned_of, 2, second);
      trm_scope_close ();
    }
  expect (right, "gradients of matmul, of batches and of both layouts");
  trm_scope_open ();
  trm_tensor *v[]
    = { numbers (1, -1, 1, TRM_SHAPE (7)), numbers (2, -1, 1, TRM_SHAPE (7)) };
  trm_tensor *row[] = { v[0], numbers (3, -1, 1, TRM_SHAPE (7, 5)) };
  trm_tensor *column[] = { numbers (4, -1, 1, TRM_SHAPE (3, 5, 7)), v[1] };
  expect (gradients_agree (matmul_of, 2, v)
            && gradients_agree (matmul_of, 2, row)
            && gradients_agree (matmul_of, 2, column),
          "gradients of products of vectors");
  trm_tensor *one[] = { numbers (1, -1, 1, TRM_SHAPE (6, 6)) };
  expect (gradients_agree (square_of, 1, one), "the gradient of a a");
  trm_scope_close ();
}

/* linear against matmul, and its gradients.  */
static void
test_linear (void)
{
  static const int64_t shapes[][3]
    = { { 0, 3, 4 },   { 3, 0, 4 },   { 3, 4, 0 },      { 1, 1, 1 },
        { 7, 17, 33 }, { 64, 5, 16 }, { 41, 199, 130 }, { 3, 400, 1500 } };
  bool right = true;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    {
      int64_t n = shapes[i][0], p = shapes[i][1], q = shapes[i][2];
      trm_scope_open ();
      trm_tensor *x = numbers (1, -1, 1, TRM_SHAPE (n, q));
      trm_tensor *w = numbers (2, -1, 1, TRM_SHAPE (p, q));
      trm_tensor *b = numbers (3, -1, 1, TRM_SHAPE (p));
      trm_tensor *y = plain_matmul (x, trm_t (w));
      right &= expect_close (trm_linear (x, w, NULL), y, 1e-12);
      for (int64_t k = 0; k < n * p; k++)
        ((double *) y->at)[k] += ((double *) b->at)[k % p];
      right &= expect_close (trm_linear (x, w, b), y, 1e-12);
      trm_scope_close ();
    }
  expect (right, "linear");
  trm_scope_open ();
  trm_tensor *x[] = { numbers (1, -1, 1, TRM_SHAPE (2, 3, 5)),
                      numbers (2, -1, 1, TRM_SHAPE (4, 5)),
                      numbers (3, -1, 1, TRM_SHAPE (4)) };
  trm_tensor *y = trm_linear (x[0], x[1], x[2]);
  expect (y && y->rank == 3 && y->extent[1] == 3 && y->extent[2] == 4,
          "linear keeps the axes in front");
  expect (gradients_agree (linear_of, 3, x)
            && gradients_agree (bare_linear_of, 2, x),
          "gradients of linear");
  x[0] = numbers (1, -1, 1, TRM_SHAPE (5));
  expect (gradients_agree (linear_of, 3, x), "gradients of linear of one row");
  trm_scope_close ();
}

/* Whether the gradients of a sum of the gradients of F, a number, at the N
   tensors X agree with differences.  */
static bool
twice_agree (function_of *f, int n, trm_tensor **x)
{
  bool right = true;
  trm_tape_open ();
  trm_tensor *in[3], *g[3], *h[3], *seed[3];
  for (int i = 0; i < n; i++)
    {
      in[i] = trm_want_gradient (trm_detach (x[i]));
      seed[i] = numbers (11 + (unsigned) i, -1, 1, x[i]->rank, x[i]->extent);
    }
  right = !trm_gradients (f (in), n, in, g);
  for (int i = 0; i < n && right; i++)
    {
      trm_tensor *flat = trm_reshape (g[i], TRM_SHAPE (trm_count (g[i])));
      trm_tensor *part = trm_matmul (
        flat, trm_reshape (seed[i], TRM_SHAPE (trm_count (g[i]))));
      right = !trm_backward_keep (part, NULL);
    }
  for (int i = 0; i < n && right; i++)
    h[i] = trm_keep (trm_gradient_of (in[i]));
  trm_tape_close ();
  for (int i = 0; i < n && right; i++)
    for (int64_t k = 0; k < trm_count (x[i]) && h[i]; k++)
      {
        double *at = (double *) x[i]->at + k, kept = *at, sum[2] = { 0, 0 };
        for (int side = 0; side < 2; side++)
          {
            *at = kept + (side ? -1e-4 : 1e-4);
            trm_tape_open ();
            trm_tensor *moved[3];
            for (int j = 0; j < n; j++)
              moved[j] = trm_want_gradient (trm_detach (x[j]));
            right &= !trm_backward (f (moved), NULL);
            for (int j = 0; j < n && right; j++)
              sum[side] += inner_product (
                trm_gradient_of (moved[j]),
                numbers (11 + (unsigned) j, -1, 1, x[j]->rank, x[j]->extent));
            trm_tape_close ();
          }
        *at = kept;
        double slope = (sum[0] - sum[1]) / 2e-4;
        right
          &= fabs (element (h[i], k) - slope) <= 1e-6 * fmax (1, fabs (slope));
      }
  for (int i = 0; i < n && right; i++)
    trm_drop (h[i]);
  return right;
}

/* Numbers made of products, not linear in any argument.  */
static trm_tensor *
cubic_of (trm_tensor **x)
{
  trm_tensor *y = trm_matmul (trm_matmul (x[0], x[1]), x[0]);
  trm_tensor *row = trm_reshape (y, TRM_SHAPE (trm_count (y)));
  return trm_matmul (row, row);
}
static trm_tensor *
batches_of (trm_tensor **x)
{
  trm_tensor *y = trm_matmul (trm_matmul (x[0], x[1]), trm_t (x[0]));
  trm_tensor *row = trm_reshape (y, TRM_SHAPE (trm_count (y)));
  return trm_matmul (row, row);
}
static trm_tensor *
layers_of (trm_tensor **x)
{
  trm_tensor *y = trm_linear (trm_linear (x[0], x[1], x[2]), x[1], x[2]);
  trm_tensor *row = trm_reshape (y, TRM_SHAPE (trm_count (y)));
  return trm_matmul (row, row);
}

/* Gradients of gradients.  */
static void
test_twice (void)
{
  trm_scope_open ();
  trm_tensor *x[] = { numbers (1, -1, 1, TRM_SHAPE (3, 3)),
                      numbers (2, -1, 1, TRM_SHAPE (3, 3)) };
  expect (twice_agree (cubic_of, 2, x), "gradients of gradients of matmul");
  trm_tensor *many[] = { numbers (1, -1, 1, TRM_SHAPE (2, 2, 3)),
                         numbers (2, -1, 1, TRM_SHAPE (3, 3)) };
  expect (twice_agree (batches_of, 2, many), "and of batches that broadcast");
  trm_tensor *y[] = { numbers (1, -1, 1, TRM_SHAPE (2, 3)),
                      numbers (2, -1, 1, TRM_SHAPE (3, 3)),
                      numbers (3, -1, 1, TRM_SHAPE (3)) };
  expect (twice_agree (layers_of, 3, y), "gradients of gradients of linear");
  trm_scope_close ();
}

/* The same bits for any number of threads.  */
static void
test_threads (void)
{
  trm_scope_open ();
  trm_tensor *x[] = { numbers (1, -1, 1, TRM_SHAPE (193, 301)),
                      numbers (2, -1, 1, TRM_SHAPE (301, 97)) };
  trm_tensor *many[] = { numbers (3, -1, 1, TRM_SHAPE (40, 31, 65)),
                         numbers (4, -1, 1, TRM_SHAPE (40, 65, 33)) };
  trm_tensor *map[] = { numbers (5, -1, 1, TRM_SHAPE (64, 1000)),
                        numbers (6, -1, 1, TRM_SHAPE (100, 1000)),
                        numbers (7, -1, 1, TRM_SHAPE (100)) };
  trm_tensor *wide[] = { map[0], numbers (8, -1, 1, TRM_SHAPE (210, 1000)),
                         numbers (9, -1, 1, TRM_SHAPE (210)) };
  expect (same_for_threads (matmul_of, 2, x)
            && same_for_threads (matmul_of, 2, many),
          "matmul has the same bits for 1, 2 and 4 threads");
  expect (same_for_threads (linear_of, 3, map)
            && same_for_threads (linear_of, 3, wide),
          "linear has the same bits for 1, 2 and 4 threads");
  trm_scope_close ();
}

/* What cannot be multiplied.  */
static void
test_errors (void)
{
  trm_scope_open ();
  trm_tensor *a = numbers (1, -1, 1, TRM_SHAPE (2, 3));
  trm_tensor *b = numbers (1, -1, 1, TRM_SHAPE (4, 5));
  trm_tensor *n = trm_number (TRM_F64, 1);
  expect (!trm_matmul (a, b)
            && expect_failed (TRM_BAD_SHAPE,
                              "matmul: a [2, 3] does not go with b [4, 5]"),
          "matmul names both shapes");
  expect (!trm_matmul (numbers (1, -1, 1, TRM_SHAPE (2, 2, 3)),
                       numbers (1, -1, 1, TRM_SHAPE (3, 3, 4)))
            && expect_failed (TRM_BAD_SHAPE, "a [2, 2, 3] does not go with b"
                                             " [3, 3, 4]"),
          "matmul names shapes whose batches do not broadcast");
  expect (!trm_matmul (a, n) && expect_failed (TRM_BAD_SHAPE, "matmul: a"),
          "matmul of a number fails");
  expect (!trm_linear (a, b, NULL)
            && expect_failed (TRM_BAD_SHAPE,
                              "linear: x [2, 3] does not go with w [4, 5]"),
          "linear names both shapes");
  expect (!trm_linear (a, numbers (1, -1, 1, TRM_SHAPE (4, 3)),
                       numbers (1, -1, 1, TRM_SHAPE (3)))
            && expect_failed (TRM_BAD_SHAPE,
                              "linear: b [3] does not go with w [4, 3]"),
          "linear names the shapes of b and w");
  expect (!trm_matmul (NULL, a) && !trm_linear (a, NULL, NULL),
          "NULL gives NULL");
  trm_scope_close ();
}

int
main (void)
{
  test_sizes ();
  test_batches ();
  test_vectors ();
  test_types ();
  test_gradients ();
  test_linear ();
  test_twice ();
  test_threads ();
  test_errors ();
  return expect_status ();
}
