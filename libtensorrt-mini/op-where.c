/* CONDITION ? A : B, element by element.

   The three are stretched to one shape, made contiguous, and of one type, by
   operations that are written down; where itself sees plain arrays.  */

#include "pairs.h"
#include "rows.h"

/* Y := C ? A : B of whole numbers.  */
static void
choose_whole (int64_t n, int64_t *restrict y, const uint8_t *c,
              const int64_t *a, const int64_t *b)
{
  for (int64_t i = 0; i < n; i++)
    y[i] = c[i] ? a[i] : b[i];
}

/* Backward for A (I is 1) or B (2) by a kernel.  */
static trm_status
back_by_kernel (trm_call *call, int i, const trm_tensor *c)
{
  trm_tensor *dy = trm_gradient_rows (call);
  trm_tensor *d = dy ? trm_gain_new (call, i) : NULL;
  if (!d)
    return trm_error ();
  if (i == 1)
    trm_kernel (elementwise, where_back_a, dy->type, trm_count (dy), c->at,
                dy->at, d->at);
  else
    trm_kernel (elementwise, where_back_b, dy->type, trm_count (dy), c->at,
                dy->at, d->at);
  return TRM_OK;
}

/* Backward for both by one kernel.  */
static trm_status
back_together (trm_call *call, const trm_tensor *c)
{
  trm_tensor *dy = trm_gradient_rows (call);
  trm_tensor *da = trm_gain_new (call, 1), *db = trm_gain_new (call, 2);
  if (!dy || !da || !db)
    return trm_error ();
  trm_kernel (elementwise, where_back_both, dy->type, trm_count (dy), c->at,
              dy->at, da->at, db->at);
  return TRM_OK;
}

/* The gradient of A or B as operations.  */
static trm_tensor *
back_by_operations (trm_call *call, int i, trm_tensor *c)
{
  trm_tensor *g = trm_out_gradient (call, 0);
  trm_tensor *zero = trm_number (g->type, 0);
  return i == 1 ? trm_where (c, g, zero) : trm_where (c, zero, g);
}

/* Backward: da += c ? dy : 0, db += c ? 0 : dy.  */
static trm_status
where_back (trm_call *call)
{
  trm_tensor *c = trm_in (call, 0);
  trm_status status = TRM_OK;
  if (!trm_is_twice (call) && trm_is_wanted (call, 1)
      && trm_is_wanted (call, 2))
    return back_together (call, c);
  for (int i = 1; i < 3 && !status; i++)
    if (!trm_is_wanted (call, i))
      continue;
    else if (trm_is_twice (call))
      status = trm_add_gain (call, i, back_by_operations (call, i, c));
    else
      status = back_by_kernel (call, i, c);
  return status;
}

static const trm_function where_function
  = { .name = "where", .backward = where_back, .twice = true, .saves_in = 1 };

/* where of plain arrays of one shape.  */
static trm_tensor *
apply (trm_tensor *c, trm_tensor *a, trm_tensor *b)
{
  trm_tensor *y = c && a && b ? trm_empty_like (a, a->type) : NULL;
  if (!y)
    return NULL;
  if (a->type == TRM_I64)
    choose_whole (trm_count (y), y->at, c->at, a->at, b->at);
  else
    trm_kernel (elementwise, where, y->type, trm_count (y), y->at, c->at, a->at,
                b->at);
  trm_tensor *in[] = { c, a, b };
  if (!trm_is_recording (3, in))
    return y;
  return trm_record (&where_function, 3, in, 1, &y, NULL) ? NULL : y;
}

/* The shape that A, B and C broadcast to; its rank, -1 with a message.  */
static int
shape_of_three (const trm_tensor *c, const trm_tensor *a, const trm_tensor *b,
                int64_t extent[TRM_RANK])
{
  trm_tensor both = { .rank = trm_broadcast ("where", a, b, both.extent) };
  return both.rank < 0 ? -1 : trm_broadcast ("where", c, &both, extent);
}

trm_tensor *
trm_where (trm_tensor *condition, trm_tensor *a, trm_tensor *b)
{
  int64_t extent[TRM_RANK];
  if (!condition || !a || !b)
    return NULL;
  trm_type type = trm_type_common (a->type, b->type);
  trm_type computed
    = trm_type_is_float (type) ? trm_type_computed (type) : TRM_I64;
  if (trm_same_shape (a, b) && trm_same_shape (a, condition)
      && trm_is_plain (condition, TRM_BOOL) && trm_is_plain (a, computed)
      && trm_is_plain (b, computed))
    return apply (condition, a, b);
  int rank = shape_of_three (condition, a, b, extent);
  if (rank < 0 || trm_scope_open ())
    return NULL;
  trm_tensor *in[] = { trm_cast (condition, TRM_BOOL), trm_cast (a, computed),
                       trm_cast (b, computed) };
  for (int i = 0; i < 3; i++)
    in[i] = trm_contiguous (trm_expand (in[i], rank, extent));
  trm_tensor *y = trm_cast (apply (in[0], in[1], in[2]), type);
  trm_scope_give (y);
  trm_scope_close ();
  return y;
}
