/* Operations on two tensors, broadcast, element by element.

   A row of kernel-elementwise.def is an operation: its loops, how the gradient
   of each argument comes, and of what operations it is made.  Loops run over
   contiguous tensors of f32, f64 or i64, each of its own shape (pairs.h), which
   casts and copies that are written down bring to them.

   Gradients have the shape of the result; those of an argument that was
   stretched are summed to its shape by trm_add_gain.  */

#include "op-row.h"
#include "pairs.h"
#include "rows.h"
#include "tape.h"

/* An operation: its function, which stands first since calls name it; its
   loops; whether whole numbers stay such; the gradients of a and b, NULL where
   it is that of the result; both by one loop, or NULL; these made of
   operations.  */
typedef struct binary
{
  trm_function function;
  void (*run) (trm_type type, const trm_block *block);
  bool whole;
  void (*back[2]) (trm_type type, int64_t n, const void *a, const void *b,
                   const void *dy, void *d);
  void (*both) (trm_type type, int64_t n, const void *a, const void *b,
                const void *dy, void *da, void *db);
  trm_tensor *(*twice[2]) (trm_tensor *g, trm_tensor *a, trm_tensor *b);
} binary;

/* A number of G's type: 0, which stretches.  */
static trm_tensor *
zero_of (const trm_tensor *g)
{
  return g ? trm_number (g->type, 0) : NULL;
}

/* Whether of A and B the second is the greater, or the one that is NaN.  */
static trm_tensor *
takes_second (trm_tensor *a, trm_tensor *b)
{
  return trm_and (trm_not (trm_less_equal (b, a)), trm_equal (a, a));
}

/* G times the derivative of a^b in a: b a^(b - 1), 0 where b is 0.  */
static trm_tensor *
base_slope (trm_tensor *g, trm_tensor *a, trm_tensor *b)
{
  trm_tensor *zero = zero_of (g), *one = trm_number (g->type, 1);
  trm_tensor *both = trm_and (trm_equal (a, zero), trm_equal (b, zero));
  trm_tensor *base = trm_where (both, one, a);
  return trm_mul (g, trm_mul (b, trm_pow (base, trm_affine (b, 1, -1))));
}

/* G times the derivative of a^b in b: a^b log (a), 0 where a is 0.  */
static trm_tensor *
exponent_slope (trm_tensor *g, trm_tensor *a, trm_tensor *b)
{
  trm_tensor *zero = zero_of (g), *one = trm_number (g->type, 1);
  trm_tensor *base = trm_where (trm_equal (a, zero), one, a);
  return trm_mul (g, trm_mul (trm_pow (a, b), trm_log (base)));
}

/* T stretched to the shape of G, contiguous.  */
static trm_tensor *
stretched (trm_tensor *t, const trm_tensor *g)
{
  return t ? trm_contiguous (trm_expand (t, g->rank, g->extent)) : NULL;
}

/* Where a gradient of G's shape and type for input I of CALL is set: the gain
   itself where it has these, else a tensor of them, which *APART tells.  */
static trm_tensor *
target (trm_call *call, int i, const trm_tensor *g, bool *apart)
{
  *apart = !trm_same_shape (call->in[i], g);
  return *apart ? trm_empty_like (g, g->type) : trm_gain_new (call, i);
}

/* Backward for input I by a kernel; what it reads was saved.  */
static trm_status
back_by_kernel (trm_call *call, int i)
{
  const binary *op = (const binary *) call->function;
  bool apart, reads = op->function.saves_in;
  trm_tensor *dy = trm_gradient_rows (call);
  trm_tensor *d = dy ? target (call, i, dy, &apart) : NULL;
  trm_tensor *a = d ? stretched (trm_in (call, 0), dy) : NULL;
  trm_tensor *b = d ? stretched (trm_in (call, 1), dy) : NULL;
  if (!d || (reads && (!a || !b)))
    return trm_error ();
  op->back[i](dy->type, trm_count (dy), a ? a->at : NULL, b ? b->at : NULL,
              dy->at, d->at);
  return apart ? trm_add_gain (call, i, d) : TRM_OK;
}

/* The gradient G of CALL's result, if it is that of input 0, is copied sooner
   or later: a leaf keeps a gradient of its own.  */
static bool
is_copied (const trm_call *call, const trm_tensor *g)
{
  return call->in[0]->own->leaf && !trm_is_sole (g);
}

/* Whether both gradients of CALL come by one loop: they are wanted, nothing was
   stretched, and the loop reads the inputs or sets what would be copied.  */
static bool
come_together (trm_call *call, const trm_tensor *g)
{
  const binary *op = (const binary *) call->function;
  return op->both && !trm_is_twice (call) && trm_is_wanted (call, 0)
         && trm_is_wanted (call, 1) && trm_same_shape (call->in[0], g)
         && trm_same_shape (call->in[1], g)
         && (op->function.saves_in || is_copied (call, g));
}

/* Backward for both inputs.  */
static trm_status
back_together (trm_call *call)
{
  const binary *op = (const binary *) call->function;
  const trm_tensor *a = trm_in (call, 0), *b = trm_in (call, 1);
  trm_tensor *dy = trm_gradient_rows (call);
  trm_tensor *da = trm_gain_new (call, 0), *db = trm_gain_new (call, 1);
  if (!dy || !da || !db)
    return trm_error ();
  op->both (dy->type, trm_count (dy), a ? a->at : NULL, b ? b->at : NULL,
            dy->at, da->at, db->at);
  return TRM_OK;
}

/* Backward: da += dy df/da, db += dy df/db.  */
static trm_status
binary_back (trm_call *call)
{
  const binary *op = (const binary *) call->function;
  trm_tensor *g = trm_out_gradient (call, 0);
  trm_status status = TRM_OK;
  if (come_together (call, g))
    return back_together (call);
  for (int i = 0; i < 2 && !status; i++)
    if (!trm_is_wanted (call, i))
      continue;
    else if (trm_is_twice (call))
      status = trm_add_gain (
        call, i, op->twice[i](g, trm_in (call, 0), trm_in (call, 1)));
    else if (op->back[i])
      status = back_by_kernel (call, i);
    else
      status = trm_add_gain (call, i, g);
  return status;
}

/* Whether CALL's result Y of A and B of pow, of its shape, gives the gradients
   (kernel-elementwise.h).  */
static bool
are_near (const trm_tensor *a, const trm_tensor *y)
{
  int64_t far;
  trm_kernel (elementwise, count_far, y->type, trm_count (y), a->at, y->at,
              &far);
  return far == 0;
}

/* Backward of pow by its result, where that may be; else as of the others.  */
static trm_status
pow_back (trm_call *call)
{
  trm_tensor *dy = trm_gradient_rows (call), *y = trm_out (call, 0);
  if (!dy)
    return trm_error ();
  trm_tensor *a = trm_in (call, 0), *b = trm_in (call, 1);
  bool wants_a = trm_is_wanted (call, 0), wants_b = trm_is_wanted (call, 1);
  if (trm_is_twice (call) || !trm_same_shape (a, y) || !trm_same_shape (b, y)
      || !are_near (a, y))
    return binary_back (call);
  trm_tensor *da = wants_a ? trm_gain_new (call, 0) : NULL;
  trm_tensor *db = wants_b ? trm_gain_new (call, 1) : NULL;
  if ((wants_a && !da) || (wants_b && !db))
    return trm_error ();
  int64_t n = trm_count (y);
  if (da && db)
    trm_kernel (elementwise, pow_near_back_both, y->type, n, a->at, b->at,
                y->at, dy->at, da->at, db->at);
  else if (da)
    trm_kernel (elementwise, pow_near_back_a, y->type, n, a->at, b->at, y->at,
                dy->at, da->at);
  else if (db)
    trm_kernel (elementwise, pow_near_back_b, y->type, n, a->at, b->at, y->at,
                dy->at, db->at);
  return TRM_OK;
}

/* What a row's column becomes: the function of backward, whether a and b, and
   the result, are saved, the gradient's function, and that function, which
   calls the kernel.  */
#define WALK_SAME       binary_back
#define WALK_AB         binary_back
#define WALK_PART       pow_back
#define SAVES_SAME      0
#define SAVES_G         0
#define SAVES_AB        3
#define SAVES_PART      3
#define RESULT_SAME     0
#define RESULT_AB       0
#define RESULT_PART     1
#define BACK_SAME(name) NULL
#define BACK_G(name)    name
#define BACK_AB(name)   name
#define BACK_PART(name) name
#define CALL_SAME(name)
#define CALL_PART            CALL_AB
#define CALL_G(name)         CALL (name, dy, d)
#define CALL_AB(name)        CALL (name, a, b, dy, d)
#define BOTH_SAME_SAME(name) NULL
#define BOTH_SAME_G(name)    name
#define BOTH_AB_AB(name)     name
#define BOTH_PART_AB(name)   name
#define CALL_BOTH_PART_AB    CALL_BOTH_AB_AB
#define CALL_BOTH_SAME_SAME(name)
#define CALL_BOTH_SAME_G(name) CALL_BOTH (name, dy, da, db)
#define CALL_BOTH_AB_AB(name)  CALL_BOTH (name, a, b, dy, da, db)
#define CALL_BOTH(name, ...)                                                   \
  static void name (trm_type type, int64_t n, const void *a UNUSED,            \
                    const void *b UNUSED, const void *dy, void *da, void *db)  \
  {                                                                            \
    trm_kernel (elementwise, name, type, n, __VA_ARGS__);                      \
  }
#define CALL(name, ...)                                                        \
  static void name (trm_type type, int64_t n, const void *a UNUSED,            \
                    const void *b UNUSED, const void *dy, void *d)             \
  {                                                                            \
    trm_kernel (elementwise, name, type, n, __VA_ARGS__);                      \
  }

#define TRM_BINARY(id, value, whole_of, back_a, twice_a, back_b, twice_b)      \
  CALL_##back_a (id##_back_a) CALL_##back_b (id##_back_b)                      \
    CALL_BOTH_##back_a##_##back_b (id##_back_both)
#include "kernel-elementwise.def"

#define TRM_BINARY(id, value, whole_of, back_a, twice_a, back_b, twice_b)      \
  TRM_BLOCK_LOOP (id##_whole, int64_t, int64_t, SECOND (whole_of))             \
  static void id##_run (trm_type type, const trm_block *block)                 \
  {                                                                            \
    if (FIRST (whole_of) && type == TRM_I64)                                   \
      id##_whole (block);                                                      \
    else                                                                       \
      TRM_RUN_BLOCK (id, type, block);                                         \
  }                                                                            \
  static trm_tensor *id##_twice_a (trm_tensor *g, trm_tensor *a UNUSED,        \
                                   trm_tensor *b UNUSED)                       \
  {                                                                            \
    return twice_a;                                                            \
  }                                                                            \
  static trm_tensor *id##_twice_b (trm_tensor *g, trm_tensor *a UNUSED,        \
                                   trm_tensor *b UNUSED)                       \
  {                                                                            \
    return twice_b;                                                            \
  }                                                                            \
  static const binary id##_op                                                  \
    = { .function = { .name = #id,                                             \
                      .backward = WALK_##back_a,                               \
                      .twice = true,                                           \
                      .saves_in = SAVES_##back_a | SAVES_##back_b,             \
                      .saves_out = RESULT_##back_a },                          \
        .run = id##_run,                                                       \
        .whole = FIRST (whole_of),                                             \
        .back = { BACK_##back_a (id##_back_a), BACK_##back_b (id##_back_b) },  \
        .both = BOTH_##back_a##_##back_b (id##_back_both),                     \
        .twice = { id##_twice_a, id##_twice_b } };
#include "kernel-elementwise.def"

/* OP of A and B, contiguous and of a type that is computed with.  */
static trm_tensor *
apply (const binary *op, trm_tensor *a, trm_tensor *b)
{
  trm_tensor *in[] = { a, b };
  trm_pairs p = { .name = op->function.name,
                  .computed = a->type,
                  .written = a->type,
                  .run = op->run };
  trm_tensor *y = trm_pairs_apply (&p, a, b);
  if (!y || !trm_is_recording (2, in))
    return y;
  return trm_record (&op->function, 2, in, 1, &y, NULL) ? NULL : y;
}

/* OP of A and B, of any types and strides.  */
static trm_tensor *
binary_of (const binary *op, trm_tensor *a, trm_tensor *b)
{
  if (!a || !b)
    return NULL;
  trm_type common = trm_type_common (a->type, b->type);
  bool whole = op->whole && !trm_type_is_float (common);
  trm_type type = whole ? common : trm_real_type (common);
  trm_type computed = whole ? TRM_I64 : trm_type_computed (type);
  if (trm_is_plain (a, computed) && trm_is_plain (b, computed))
    return apply (op, a, b);
  if (trm_scope_open ())
    return NULL;
  a = trm_plain (a, computed);
  b = trm_plain (b, computed);
  trm_tensor *y = a && b ? trm_cast (apply (op, a, b), type) : NULL;
  trm_scope_give (y);
  trm_scope_close ();
  return y;
}

#define TRM_BINARY(id, value, whole_of, back_a, twice_a, back_b, twice_b)      \
  trm_tensor *trm_##id (trm_tensor *a, trm_tensor *b)                          \
  {                                                                            \
    return binary_of (&id##_op, a, b);                                         \
  }
#include "kernel-elementwise.def"
