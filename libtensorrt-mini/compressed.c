/* Products with pruned matrices, of which only the kept elements are read.

     y[i][r] = sum over kept (r, c) of w[r][c] * x[i][c]

   The kernels run along rows of x, so x and y are turned, and made so wide that
   blocks of LANES fit: x' [q][wide], y' [p][wide], zeros behind n.  Of w they
   take its kept elements beside each other, which are gathered for each call.
   Backward: of w at the kept elements only, of x whole, a product with w',
   whose rows are w's columns.  */

#include "tensor.h"

#include "kernel.h"
#include "train.h"

#include <stdlib.h>
#include <string.h>

/* Rows of x that the kernels take at a time (kernel-step.h).  */
#define LANES 32

/* An element of compressed rows costs as much as PRICE of the whole matrix,
   backward and turning included, and that only along at least LEAST_ROWS rows
   of x, which are vectors.  */
#define PRICE      4
#define LEAST_ROWS 16

trm_compressed *
trm_compressed_drop (trm_compressed *rows)
{
  if (rows && __atomic_sub_fetch (&rows->references, 1, __ATOMIC_ACQ_REL) == 0)
    {
      free (rows->begin);
      free (rows->row);
      free (rows->column);
      free (rows->begin_column);
      free (rows->of_column);
      free (rows->row_of);
      free (rows);
    }
  return NULL;
}

/* The same for the tape.  */
static void
drop_context (void *context)
{
  trm_compressed_drop (context);
}

/* Fill ROWS from the elements KEPT [p][q].  */
static void
fill_rows (trm_compressed *rows, const uint8_t *kept)
{
  int32_t e = 0;
  for (int64_t r = 0; r < rows->p; r++)
    {
      rows->begin[r] = e;
      for (int64_t c = 0; c < rows->q; c++)
        if (kept[r * rows->q + c])
          {
            rows->row[e] = (int32_t) r;
            rows->column[e++] = (int32_t) c;
          }
    }
  rows->begin[rows->p] = e;
}

/* Fill the columns of ROWS, whose rows are there: counts become where columns
   begin, and while elements are put there, where they end.  */
static void
fill_columns (trm_compressed *rows)
{
  int32_t *begin = rows->begin_column;
  memset (begin, 0, (size_t) (rows->q + 1) * sizeof *begin);
  for (int64_t e = 0; e < rows->kept; e++)
    begin[rows->column[e] + 1]++;
  for (int64_t c = 0; c < rows->q; c++)
    begin[c + 1] += begin[c];
  for (int32_t e = 0; e < rows->kept; e++)
    {
      int32_t k = begin[rows->column[e]]++;
      rows->of_column[k] = e;
      rows->row_of[k] = rows->row[e];
    }
  memmove (begin + 1, begin, (size_t) rows->q * sizeof *begin);
  begin[0] = 0;
}

/* Room for N numbers.  */
static int32_t *
numbers (int64_t n)
{
  return malloc ((size_t) (n + 1) * sizeof (int32_t));
}

trm_compressed *
trm_compressed_new (const trm_tensor *mask)
{
  const uint8_t *kept = mask->at;
  int64_t n = 0, all = trm_count (mask);
  for (int64_t i = 0; i < all; i++)
    n += kept[i] != 0;
  if (all > INT32_MAX)
    return trm_fail_null (TRM_BAD_SHAPE,
                          "compressed rows: more than 2^31 elements");
  trm_compressed *rows = calloc (1, sizeof *rows);
  if (!rows)
    return trm_fail_null (TRM_NO_MEMORY, "compressed rows: no memory");
  *rows = (trm_compressed){ .references = 1,
                            .p = mask->extent[0],
                            .q = mask->extent[1],
                            .kept = n,
                            .begin = numbers (mask->extent[0]),
                            .row = numbers (n),
                            .column = numbers (n),
                            .begin_column = numbers (mask->extent[1]),
                            .of_column = numbers (n),
                            .row_of = numbers (n) };
  if (!rows->begin || !rows->row || !rows->column || !rows->begin_column
      || !rows->of_column || !rows->row_of)
    {
      trm_compressed_drop (rows);
      return trm_fail_null (TRM_NO_MEMORY, "compressed rows: no memory");
    }
  fill_rows (rows, kept);
  fill_columns (rows);
  return rows;
}

bool
trm_compressed_gains (const trm_compressed *rows, int64_t n)
{
  return n >= LEAST_ROWS && rows->kept * PRICE <= rows->p * rows->q;
}

/* The width of N rows of x, turned: of more than a few blocks an odd number,
   since elements that lie a power of two apart share few sets of a cache.  */
static int64_t
width_of (int64_t n)
{
  int64_t blocks = (n + LANES - 1) / LANES;
  return (blocks > 4 ? blocks | 1 : blocks) * LANES;
}

/* The first N elements of each row of WIDE [m][width_of (n)].  */
static trm_tensor *
narrowed (trm_tensor *wide, int64_t n)
{
  return wide ? trm_slice (wide, 1, 0, n, 1) : NULL;
}

/* T [.., m], contiguous, as [m][width_of (n)], n the product of the axes in
   front; zeros behind n.  */
static trm_tensor *
turned (trm_tensor *t, int64_t n, int64_t m)
{
  int64_t width = width_of (n);
  trm_tensor *flat
    = trm_reshape (trm_contiguous (trm_detach (t)), TRM_SHAPE (n, m));
  trm_tensor *wide = trm_empty (t->type, TRM_SHAPE (m, width));
  trm_tensor *narrow = narrowed (wide, n);
  if (!flat || !narrow || trm_copy_to (narrow, trm_t (flat)))
    return NULL;
  size_t bytes = trm_type_bytes (t->type);
  for (int64_t i = 0; i < m; i++)
    memset ((char *) wide->at + (size_t) (i * width + n) * bytes, 0,
            (size_t) (width - n) * bytes);
  return wide;
}

/* The kept elements of W, the k-th is number ORDER[k] of them (NULL: k).  */
static trm_tensor *
gathered (const trm_tensor *w, const trm_compressed *rows, const int32_t *order)
{
  trm_tensor *kept = trm_empty (w->type, TRM_SHAPE (rows->kept));
  if (!kept)
    return NULL;
  for (int64_t k = 0; k < rows->kept; k++)
    {
      int64_t e = order ? order[k] : k;
      int64_t at = rows->row[e] * rows->q + rows->column[e];
      if (w->type == TRM_F64)
        ((double *) kept->at)[k] = ((const double *) w->at)[at];
      else
        ((float *) kept->at)[k] = ((const float *) w->at)[at];
    }
  return kept;
}

/* Add DW of the kept elements to GAIN [p][q].  */
static void
scatter (trm_tensor *gain, const trm_tensor *dw, const trm_compressed *rows)
{
  for (int64_t e = 0; e < rows->kept; e++)
    {
      int64_t at = rows->row[e] * rows->q + rows->column[e];
      if (gain->type == TRM_F64)
        ((double *) gain->at)[at] += ((const double *) dw->at)[e];
      else
        ((float *) gain->at)[at] += ((const float *) dw->at)[e];
    }
  trm_changed (gain);
}

/* Backward of w: DY' [p][wide].  */
static trm_status
weight_back (trm_call *call, trm_tensor *dy, int64_t n)
{
  const trm_compressed *rows = trm_context (call);
  trm_tensor *x = turned (trm_in (call, 0), n, rows->q);
  trm_tensor *dw = trm_zeros (dy->type, TRM_SHAPE (rows->kept));
  trm_tensor *gain = trm_gain (call, 1);
  if (!x || !dw || !gain)
    return trm_error ();
  trm_kernel (step, pairs_w, dy->type, rows->p, width_of (n), rows->kept,
              dy->at, x->at, dw->at, rows->row, rows->column);
  scatter (gain, dw, rows);
  return TRM_OK;
}

/* Backward of x: DY' [p][wide].  */
static trm_status
argument_back (trm_call *call, trm_tensor *dy, int64_t n)
{
  const trm_compressed *rows = trm_context (call);
  trm_tensor *w = gathered (trm_in (call, 1), rows, rows->of_column);
  trm_tensor *dx = trm_empty (dy->type, TRM_SHAPE (rows->q, width_of (n)));
  trm_tensor *gain = trm_gain (call, 0);
  if (!w || !dx || !gain)
    return trm_error ();
  trm_kernel (step, rows, dy->type, rows->q, width_of (n), dx->at, dy->at,
              w->at, rows->begin_column, rows->row_of);
  trm_tensor *flat = trm_reshape (trm_detach (gain), TRM_SHAPE (n, rows->q));
  dx = narrowed (dx, n);
  return flat && dx ? trm_accumulate (flat, trm_t (dx)) : trm_error ();
}

/* Backward of the product.  */
static trm_status
product_back (trm_call *call)
{
  const trm_compressed *rows = trm_context (call);
  trm_tensor *g = trm_out_gradient (call, 0);
  int64_t n = rows->p ? trm_count (g) / rows->p : 0;
  trm_tensor *dy = turned (g, n, rows->p);
  trm_status status = dy ? TRM_OK : trm_error ();
  if (!status && trm_is_wanted (call, 1))
    status = weight_back (call, dy, n);
  if (!status && trm_is_wanted (call, 0))
    status = argument_back (call, dy, n);
  return status;
}

static const trm_function product_function = { .name = "compressed product",
                                               .backward = product_back,
                                               .saves_in = 3,
                                               .freed = drop_context };

/* The product itself, in the scope of the caller.  */
static trm_tensor *
product (trm_tensor *x, trm_tensor *w, const trm_compressed *rows)
{
  int64_t extent[TRM_RANK];
  for (int i = 0; i < x->rank; i++)
    extent[i] = x->extent[i];
  extent[x->rank - 1] = rows->p;
  int64_t n = rows->q ? trm_count (x) / rows->q : 0;
  trm_tensor *xt = turned (x, n, rows->q);
  trm_tensor *kept = gathered (w, rows, NULL);
  trm_tensor *yt = trm_empty (w->type, TRM_SHAPE (rows->p, width_of (n)));
  trm_tensor *narrow = narrowed (yt, n);
  if (!xt || !kept || !narrow)
    return NULL;
  trm_kernel (step, rows, w->type, rows->p, width_of (n), yt->at, xt->at,
              kept->at, rows->begin, rows->column);
  return trm_reshape (trm_copy (trm_t (narrow)), x->rank, extent);
}

trm_tensor *
trm_compressed_product (trm_tensor *x, trm_tensor *w, trm_compressed *rows)
{
  trm_tensor *in[] = { x, w };
  if (trm_scope_open ())
    return NULL;
  trm_tape_pause ();
  trm_tensor *out = product (x, w, rows);
  trm_tape_resume ();
  if (out && trm_is_recording (2, in))
    {
      __atomic_add_fetch (&rows->references, 1, __ATOMIC_RELAXED);
      if (trm_record (&product_function, 2, in, 1, &out, rows))
        out = NULL;
    }
  trm_scope_give (out);
  trm_scope_close ();
  return out;
}
