/* Products of matrices: matmul and linear.

   A product of batches is walked batch by batch; where batches lie one after
   the other, or share an operand, many become one call:

     [n, h, q] by [n, q, p]   n products in one call of the loops
     [n, h, q] by [q, p]      one product of n * h rows
     [q, p] += sum over n     one product that sums over n * h

   An operand whose last two axes are exchanged is read as it lies; of other
   strides it is copied first.  Gradients are products that add,
   or set where no gradient has come before:

     y = a b    da += dy b'    db += a' dy

   linear goes over its columns by strips: what a strip reads of w, and what it
   writes of y, stays in the caches while all rows of x go by.  A column's sums
   are the same in any strip.  Threads share the strips where there are enough
   of them, else what is inside.  */

#include <omp.h>

#include "axes.h"
#include "kernel.h"
#include "ready.h"
#include "rows.h"
#include "tape.h"

/* The columns of a strip of linear, and what x has at least where there are
   strips.  */
enum
{
  STRIP = 64,
  LEAST_SHARED = 4096
};

/* By the operand that lies transposed (kernel-product.h), each that adds as far
   behind the one that sets; WHOLE is nn of i64.  */
typedef enum product_kind
{
  NN,
  NT,
  TN,
  NN_ADD,
  NT_ADD,
  TN_ADD,
  WHOLE
} product_kind;

/* out [h][p] := or += left [h][q] right [q][p], all of TYPE.  */
typedef struct product
{
  product_kind kind;
  trm_type type;
  int64_t h, p, q;
} product;

/* N products of whole numbers, which wrap.  */
static void
multiply_whole (const product *m, int64_t n, uint64_t *y, const uint64_t *a,
                const uint64_t *b)
{
  for (int64_t i = 0; i < n * m->h; i++)
    for (int64_t j = 0; j < m->p; j++)
      {
        const uint64_t *column = b + i / m->h * m->q * m->p + j;
        uint64_t sum = 0;
        for (int64_t k = 0; k < m->q; k++)
          sum += a[i * m->q + k] * column[k * m->p];
        y[i * m->p + j] = sum;
      }
}

#define MULTIPLY(kind, name)                                                   \
  case kind:                                                                   \
    if (n == 1)                                                                \
      trm_kernel (product, name, m->type, m->h, m->p, m->q, out, left, right); \
    else                                                                       \
      trm_kernel (product, name##s, m->type, n, m->h, m->p, m->q, out, left,   \
                  right);                                                      \
    break;

/* N products, one after the other in memory.  */
static void
multiply (const product *m, int64_t n, void *out, const void *left,
          const void *right)
{
  switch (m->kind)
    {
      MULTIPLY (NN, nn)
      MULTIPLY (NT, nt)
      MULTIPLY (TN, tn)
      MULTIPLY (NN_ADD, nn_add)
      MULTIPLY (NT_ADD, nt_add)
      MULTIPLY (TN_ADD, tn_add)
    case WHOLE:
      multiply_whole (m, n, out, left, right);
      break;
    }
}

/* Whether N products of the STEPs out, left and right can be one, which then
   is *M.  */
static bool
fold (product *m, int64_t n, const bool follows[3], const int64_t step[3])
{
  bool rows = m->kind != TN && m->kind != TN_ADD;
  if (rows && follows[0] && follows[1] && step[2] == 0)
    m->h *= n;
  else if (m->kind == TN_ADD && step[0] == 0 && follows[1] && follows[2])
    m->q *= n;
  else
    return false;
  return true;
}

/* N products; AT and STEP are of out, left and right, in elements.  */
static void
multiply_row (product m, int64_t n, char *const at[3], const int64_t step[3])
{
  const int64_t whole[3] = { m.h * m.p, m.h * m.q, m.q * m.p };
  int64_t bytes = (int64_t) trm_type_bytes (m.type);
  bool follows[3];
  for (int k = 0; k < 3; k++)
    follows[k] = step[k] == whole[k];
  bool all = n == 1 || (follows[0] && follows[1] && follows[2]);
  if (all || fold (&m, n, follows, step))
    multiply (&m, all ? n : 1, at[0], at[1], at[2]);
  else
    for (int64_t i = 0; i < n; i++)
      multiply (&m, 1, at[0] + i * step[0] * bytes, at[1] + i * step[1] * bytes,
                at[2] + i * step[2] * bytes);
}

/* The products M over all batches of WHOLE, to which OPERAND, out, left and
   right, stretch.  */
static void
multiply_all (const product *m, const trm_tensor *whole,
              trm_tensor *const operand[3])
{
  trm_axes axes;
  int64_t stride[3][TRM_RANK];
  const int64_t *const strides[] = { stride[0], stride[1], stride[2] };
  int64_t bytes = (int64_t) trm_type_bytes (m->type);
  int rank = whole->rank - 2;
  for (int k = 0; k < 3; k++)
    {
      trm_tensor front = *operand[k];
      front.rank -= 2;
      trm_broadcast_strides (&front, rank, stride[k]);
    }
  if (m->h * m->p == 0
      || !trm_axes_order (&axes, 3, rank, whole->extent, strides))
    return;
  do
    {
      char *at[3];
      int64_t step[3];
      for (int k = 0; k < 3; k++)
        {
          at[k] = (char *) operand[k]->at + axes.offset[k] * bytes;
          step[k] = trm_axes_step (&axes, k);
        }
      multiply_row (*m, axes.extent[axes.n - 1], at, step);
    }
  while (trm_axes_next (&axes));
}

/* The extent of axis I of T, counted from the end.  */
static int64_t
extent_of (const trm_tensor *t, int i)
{
  return t->extent[t->rank - i];
}

/* The stride of that axis.  */
static int64_t
stride_of (const trm_tensor *t, int i)
{
  return t->stride[t->rank - i];
}

/* Whether the matrices of T lie by rows.  */
static bool
lies_by_rows (const trm_tensor *t)
{
  int64_t h = extent_of (t, 2), p = extent_of (t, 1);
  return (p == 1 || stride_of (t, 1) == 1) && (h == 1 || stride_of (t, 2) == p);
}

/* Whether they lie by columns.  */
static bool
lies_by_columns (const trm_tensor *t)
{
  int64_t h = extent_of (t, 2), p = extent_of (t, 1);
  return (h == 1 || stride_of (t, 2) == 1) && (p == 1 || stride_of (t, 1) == h);
}

/* T, or a copy, whose matrices lie by rows or, where COLUMNS, by columns.  */
static trm_tensor *
laid_out (trm_tensor *t, bool columns)
{
  if (!t || lies_by_rows (t) || (columns && lies_by_columns (t)))
    return t;
  return trm_copy (t);
}

/* Backward as operations.  */
static trm_status
matmul_twice (trm_call *call)
{
  trm_tensor *g = trm_out_gradient (call, 0);
  trm_status status = TRM_OK;
  if (trm_is_wanted (call, 0))
    status = trm_add_gain (call, 0, trm_matmul (g, trm_t (trm_in (call, 1))));
  if (!status && trm_is_wanted (call, 1))
    status = trm_add_gain (call, 1, trm_matmul (trm_t (trm_in (call, 0)), g));
  return status;
}

/* Whether the products over the batches of G are the first gradient of input I
   of CALL, one for each of its matrices.  */
static bool
can_set (const trm_call *call, int i, const trm_tensor *g)
{
  const trm_tensor *x = call->in[i];
  bool same = x->rank == g->rank;
  for (int k = 0; k + 2 < g->rank && same; k++)
    same = x->extent[k] == g->extent[k];
  return same && trm_gain_is_first (call, i);
}

/* Input I of CALL gains the products M, of a kind that adds, of LEFT and RIGHT
   over the batches of the result.  */
static trm_status
give_product (trm_call *call, int i, product m, trm_tensor *left,
              trm_tensor *right)
{
  const trm_tensor *g = trm_out_gradient (call, 0);
  bool sets = can_set (call, i, g);
  trm_tensor *gain = sets ? trm_gain_new (call, i) : trm_gain (call, i);
  if (!gain)
    return trm_error ();
  m.kind -= sets ? NN_ADD - NN : 0;
  m.type = g->type;
  m.h = extent_of (gain, 2);
  m.p = extent_of (gain, 1);
  multiply_all (&m, g, (trm_tensor *const[]){ gain, left, right });
  return TRM_OK;
}

/* A product of KIND that sums Q terms.  */
static product
of_terms (product_kind kind, int64_t q)
{
  return (product){ .kind = kind, .q = q };
}

/* Backward: da += dy b', db += a' dy.  */
static trm_status
matmul_back (trm_call *call)
{
  if (trm_is_twice (call))
    return matmul_twice (call);
  trm_tensor *a = trm_in (call, 0), *b = trm_in (call, 1);
  trm_tensor *g = trm_gradient_rows (call);
  trm_status status = g ? TRM_OK : trm_error ();
  if (!status && trm_is_wanted (call, 0))
    status = give_product (
      call, 0, of_terms (lies_by_rows (b) ? NT_ADD : NN_ADD, extent_of (g, 1)),
      g, b);
  if (!status && trm_is_wanted (call, 1))
    status = give_product (
      call, 1, of_terms (lies_by_rows (a) ? TN_ADD : NN_ADD, extent_of (g, 2)),
      a, g);
  return status;
}

static const trm_function matmul_function
  = { .name = "matmul", .backward = matmul_back, .twice = true, .saves_in = 3 };

/* a b, of one type, f32, f64 or i64, with batches that broadcast to the RANK
   extents at EXTENT, which have room for two more.  */
static trm_tensor *
matmul (trm_tensor *a, trm_tensor *b, int rank, int64_t *extent)
{
  bool whole = a && a->type == TRM_I64;
  a = laid_out (a, !whole);
  b = laid_out (b, !whole && a && lies_by_rows (a));
  if (!a || !b)
    return NULL;
  extent[rank] = extent_of (a, 2);
  extent[rank + 1] = extent_of (b, 1);
  trm_tensor *in[] = { a, b }, *y = trm_empty (a->type, rank + 2, extent);
  if (!y)
    return NULL;
  product_kind kind = whole               ? WHOLE
                      : !lies_by_rows (a) ? TN
                      : lies_by_rows (b)  ? NN
                                          : NT;
  product m
    = { kind, y->type, extent[rank], extent[rank + 1], extent_of (a, 1) };
  multiply_all (&m, y, (trm_tensor *const[]){ y, a, b });
  return trm_record (&matmul_function, 2, in, 1, &y, NULL) ? NULL : y;
}

/* Whether matrices A and B, of rank 2 or more, can be multiplied; the rank and
   the extents that their batches broadcast to.  */
static bool
batches_fit (const trm_tensor *a, const trm_tensor *b, int *rank,
             int64_t *extent)
{
  trm_tensor a_front = *a, b_front = *b;
  a_front.rank -= 2;
  b_front.rank -= 2;
  *rank = extent_of (a, 1) == extent_of (b, 2)
            ? trm_broadcast ("matmul", &a_front, &b_front, extent)
            : -1;
  return *rank >= 0;
}

/* What a product whose operands are of type COMMON is computed in.  */
static trm_type
product_type (trm_type common)
{
  return trm_type_is_float (common) ? trm_type_computed (common) : TRM_I64;
}

/* The product of A and B of rank 2 or more; A_OWN and B_OWN, for messages, are
   what the user gave.  */
static trm_tensor *
matmul_cast (trm_tensor *a, trm_tensor *b, const trm_tensor *a_own,
             const trm_tensor *b_own)
{
  int rank;
  int64_t extent[TRM_RANK];
  if (!a || !b)
    return NULL;
  if (!batches_fit (a, b, &rank, extent))
    return trm_misfit ("matmul", "a", a_own, "b", b_own);
  trm_type common = trm_type_common (a->type, b->type);
  trm_type type = product_type (common);
  return trm_cast (
    matmul (trm_cast (a, type), trm_cast (b, type), rank, extent), common);
}

trm_tensor *
trm_matmul (trm_tensor *a, trm_tensor *b)
{
  if (!a || !b)
    return NULL;
  if (!a->rank || !b->rank)
    return trm_misfit ("matmul", "a", a, "b", b);
  if (trm_scope_open ())
    return NULL;
  bool row = a->rank == 1, column = b->rank == 1;
  trm_tensor *y = matmul_cast (row ? trm_unsqueeze (a, 0) : a,
                               column ? trm_unsqueeze (b, 1) : b, a, b);
  y = row && y ? trm_squeeze (y, -2) : y;
  y = column && y ? trm_squeeze (y, -1) : y;
  trm_scope_give (y);
  trm_scope_close ();
  return y;
}

/* Backward of linear as operations.  */
static trm_status
linear_twice (trm_call *call)
{
  trm_tensor *g = trm_out_gradient (call, 0);
  trm_status status = TRM_OK;
  if (trm_is_wanted (call, 0))
    status = trm_add_gain (call, 0, trm_matmul (g, trm_in (call, 1)));
  if (!status && trm_is_wanted (call, 1))
    status = trm_add_gain (call, 1, trm_matmul (trm_t (g), trm_in (call, 0)));
  if (!status && trm_is_wanted (call, 2))
    status = trm_add_gain (call, 2, g);
  return status;
}

/* Backward: dx += dy w, dw += dy' x, db += the sum of dy's rows.  */
static trm_status
linear_back (trm_call *call)
{
  if (trm_is_twice (call))
    return linear_twice (call);
  trm_tensor *x = trm_in (call, 0), *w = trm_in (call, 1);
  trm_tensor *g = trm_gradient_rows (call);
  trm_status status = g ? TRM_OK : trm_error ();
  if (!status && trm_is_wanted (call, 0))
    status = give_product (call, 0, of_terms (NN_ADD, w->extent[0]), g, w);
  if (!status && trm_is_wanted (call, 1))
    status = give_product (call, 1, of_terms (TN_ADD, x->extent[0]), g, x);
  if (status || !trm_is_wanted (call, 2))
    return status;
  trm_tensor *db = trm_gain (call, 2);
  if (!db)
    return trm_error ();
  trm_kernel (product, linear_b, g->type, x->extent[0], w->extent[0],
              w->extent[1], w->extent[0], g->at, db->at);
  return TRM_OK;
}

static const trm_function linear_function
  = { .name = "linear", .backward = linear_back, .twice = true, .saves_in = 3 };

/* Row or element AT of T.  */
static void *
part_of (const trm_tensor *t, int64_t at)
{
  return (char *) t->at
         + at * t->stride[0] * (int64_t) trm_type_bytes (t->type);
}

/* Strip K of N of the columns of y := x w' + b, of OPERAND y, x, w and b.  */
static void
linear_strip (trm_tensor *const operand[4], int64_t k, int64_t n)
{
  const trm_tensor *y = operand[0], *x = operand[1], *w = operand[2];
  int64_t p = y->extent[1], at = k * STRIP, size = k + 1 < n ? STRIP : p - at;
  void *to = (char *) y->at + at * (int64_t) trm_type_bytes (y->type);
  trm_kernel (product, linear, y->type, y->extent[0], size, w->extent[1], p, to,
              x->at, part_of (w, at), part_of (operand[3], at));
}

/* The same of all columns.  */
static void
linear_strips (trm_tensor *const operand[4])
{
  const trm_tensor *x = operand[1], *w = operand[2];
  int64_t n
    = x->extent[0] * x->extent[1] < LEAST_SHARED ? 1 : w->extent[0] / STRIP;
  bool shares = n >= omp_get_max_threads () && !omp_in_parallel ();
  if (n <= 1)
    linear_strip (operand, 0, 1);
  else
#pragma omp parallel for schedule(static) if (shares)
    for (int64_t k = 0; k < n; k++)
      linear_strip (operand, k, n);
}

/* x w' + b, where IN is x [h][q], w and b or NULL, all ready.  */
static trm_tensor *
linear (trm_tensor **in)
{
  trm_tensor *x = in[0], *w = in[1], *b = in[2];
  int64_t p = w->extent[0];
  trm_tensor *y = trm_empty (x->type, TRM_SHAPE (x->extent[0], p));
  b = b ? b : trm_zeros (x->type, TRM_SHAPE (p));
  if (!y || !b)
    return NULL;
  linear_strips ((trm_tensor *const[]){ y, x, w, b });
  return trm_record (&linear_function, 3, in, 1, &y, NULL) ? NULL : y;
}

/* The same of x of any rank, and of any types.  */
static trm_tensor *
linear_cast (trm_tensor *x, trm_tensor *w, trm_tensor *b)
{
  trm_type type;
  int64_t extent[TRM_RANK];
  int last = x->rank - 1;
  bool whole = !trm_type_is_float (x->type) && !trm_type_is_float (w->type)
               && (!b || !trm_type_is_float (b->type));
  if (whole)
    {
      trm_tensor *y = trm_matmul (x, trm_t (w));
      return b ? trm_add (y, b) : y;
    }
  for (int i = 0; i < last; i++)
    extent[i] = x->extent[i];
  extent[last] = w->extent[0];
  bool flat = last == 1;
  trm_tensor *rows
    = flat ? x : trm_reshape (x, TRM_SHAPE (trm_rows (x), x->extent[last]));
  trm_tensor *in[] = { rows, w, b };
  trm_tensor *y = rows && trm_ready (3, in, &type) ? linear (in) : NULL;
  y = flat || !y ? y : trm_reshape (y, last + 1, extent);
  return trm_cast (y, type);
}

trm_tensor *
trm_linear (trm_tensor *x, trm_tensor *w, trm_tensor *b)
{
  if (!x || !w)
    return NULL;
  if (!x->rank || w->rank != 2 || x->extent[x->rank - 1] != w->extent[1])
    return trm_misfit ("linear", "x", x, "w", w);
  if (b && (b->rank != 1 || b->extent[0] != w->extent[0]))
    return trm_misfit ("linear", "b", b, "w", w);
  if (trm_scope_open ())
    return NULL;
  trm_tensor *y = trm_scope_give (linear_cast (x, w, b));
  trm_scope_close ();
  return y;
}
