/* Comparisons and logic, element by element: bool tensors, without gradients.

   Comparisons read f32, f64 or i64; logic reads bool, as which a number is
   whether it is not 0.  */

#include "pairs.h"

/* RUN of A and B, which are read as COMPUTED.  */
static trm_tensor *
compare (const char *name, void (*run) (trm_type, const trm_block *),
         trm_type computed, trm_tensor *a, trm_tensor *b)
{
  trm_pairs p
    = { .name = name, .computed = computed, .written = TRM_BOOL, .run = run };
  if (trm_is_plain (a, computed) && trm_is_plain (b, computed))
    return trm_pairs_apply (&p, a, b);
  if (trm_scope_open ())
    return NULL;
  trm_tape_pause ();
  a = trm_plain (a, computed);
  b = trm_plain (b, computed);
  trm_tensor *y = a && b ? trm_pairs_apply (&p, a, b) : NULL;
  trm_tape_resume ();
  trm_scope_give (y);
  trm_scope_close ();
  return y;
}

/* The type in which A and B are compared.  */
static trm_type
compared_type (const trm_tensor *a, const trm_tensor *b)
{
  trm_type common = trm_type_common (a->type, b->type);
  return trm_type_is_float (common) ? trm_type_computed (common) : TRM_I64;
}

#define TRM_COMPARE(name, value)                                               \
  TRM_BLOCK_LOOP (name##_whole, uint8_t, int64_t, value)                       \
  static void name##_run (trm_type type, const trm_block *block)               \
  {                                                                            \
    if (type == TRM_I64)                                                       \
      name##_whole (block);                                                    \
    else                                                                       \
      TRM_RUN_BLOCK (name, type, block);                                       \
  }                                                                            \
  trm_tensor *trm_##name (trm_tensor *a, trm_tensor *b)                        \
  {                                                                            \
    return a && b ? compare (#name, name##_run, compared_type (a, b), a, b)    \
                  : NULL;                                                      \
  }
#include "kernel-elementwise.def"

#define TRM_LOGIC(name, value)                                                 \
  static void name##_run (trm_type type, const trm_block *block)               \
  {                                                                            \
    TRM_RUN_BLOCK (name, type, block);                                         \
  }                                                                            \
  trm_tensor *trm_##name (trm_tensor *a, trm_tensor *b)                        \
  {                                                                            \
    return a && b ? compare (#name, name##_run, TRM_BOOL, a, b) : NULL;        \
  }
#include "kernel-elementwise.def"

/* !A of bool, contiguous.  */
static trm_tensor *
negation (const trm_tensor *a)
{
  trm_tensor *y = a ? trm_empty_like (a, TRM_BOOL) : NULL;
  if (!y)
    return NULL;
  trm_kernel (elementwise, not, TRM_F32, trm_count (y), y->at, a->at);
  return y;
}

trm_tensor *
trm_not (trm_tensor *a)
{
  if (!a || trm_scope_open ())
    return NULL;
  trm_tensor *y = trm_scope_give (negation (trm_plain (a, TRM_BOOL)));
  trm_scope_close ();
  return y;
}
