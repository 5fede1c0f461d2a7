/* ir/op, ir/expr, ir/nest and ir/walk: tables, constructors, rebuilding.  */

#include <string.h>

#include "ir/print.h"
#include "ir/walk.h"
#include "verdict.h"

/* Every row of op.def can be found by its name; the tables agree.  */
static void
check_ops (void)
{
  bool found = true;
  bool typed = true;
  for (int op = 0; op < TNS_N_OPS; op++)
    {
      found = found && (int) tns_op_from_name (tns_op_name ((tns_op) op)) == op;
      typed
        = typed && strchr ("LACBMX", tns_op_class ((tns_op) op))
          && tns_op_arity ((tns_op) op) <= 3
          && (!tns_op_infix ((tns_op) op) || tns_op_arity ((tns_op) op) == 2);
    }
  verdict (found && tns_op_from_name ("plus") == TNS_N_OPS,
           "operators are found by name");
  verdict (typed, "operators have a class and an arity");
  verdict (!strcmp (tns_op_math_name (TNS_EXP, TNS_F32), "expf")
             && !strcmp (tns_op_math_name (TNS_POW, TNS_F64), "pow")
             && !strcmp (tns_op_math_name (TNS_SIN, TNS_F80), "sinl"),
           "math.h's names");
  verdict (tns_op_reduce (TNS_ADD) == TNS_REDUCE_ADD
             && tns_op_reduce (TNS_LOR) == TNS_REDUCE_OR
             && tns_op_reduce (TNS_SUB) == TNS_NONE
             && tns_op_is_reduction (TNS_FMAX)
             && !tns_op_is_reduction (TNS_SUB),
           "reductions");
  verdict (tns_op_flops (TNS_FMA) == 2 && tns_op_flops (TNS_EXP) == 1
             && tns_op_flops (TNS_NEG) == 0 && tns_op_flops (TNS_LT) == 0,
           "operations that count");
}

/* Constructors fold I64 and nothing else.  */
static void
check_exprs (void)
{
  tns_ctx *ctx = verdict_ctx (TNS_FP_STRICT);
  tns_arena *a = ctx->arena;
  tns_expr *n = verdict_expr (ctx, "n");
  tns_expr *x = verdict_expr (ctx, "x");
  tns_expr *zero = tns_int (a, 0);
  verdict (tns_binary (a, TNS_ADD, n, zero) == n
             && tns_binary (a, TNS_MUL, n, zero)->op == TNS_INT
             && tns_binary (a, TNS_MUL, tns_int (a, 6), tns_int (a, 7))->integer
                  == 42,
           "I64 constants are folded");
  verdict (tns_binary (a, TNS_MUL, tns_int (a, 1LL << 62), tns_int (a, 4))->op
             == TNS_MUL,
           "not where they overflow");
  tns_expr *one = tns_real (a, TNS_F32, 1);
  verdict (tns_binary (a, TNS_MUL, x, one)->op == TNS_MUL,
           "floats are not folded");
  verdict (tns_binary (a, TNS_LT, x, one)->type.elem == TNS_BOOL
             && tns_ternary (a, TNS_SELECT, tns_int_of (a, TNS_BOOL, 1), x, one)
                    ->type.elem
                  == TNS_F32
             && tns_cast (a, x->type, x) == x
             && tns_int_of (a, TNS_U8, 257)->integer == 1,
           "types follow from operands");
  verdict (tns_binary (a, TNS_ADD, NULL, n) == NULL, "NULL gives NULL");
  verdict (
    tns_expr_equal (verdict_expr (ctx, "2.0f32"), tns_real (a, TNS_F32, 2))
      && !tns_expr_equal (tns_real (a, TNS_F64, 0.0L),
                          tns_real (a, TNS_F64, -0.0L))
      && !tns_expr_equal (n, x) && tns_expr_equal (NULL, NULL),
    "equality tells zeros apart");
  tns_ctx_free (ctx);
}

/* Regions: unique names, lists that grow, copies that do not share.  */
static void
check_regions (void)
{
  tns_ctx *ctx = verdict_ctx (TNS_FP_STRICT);
  tns_arena *a = ctx->arena;
  tns_region *r = tns_region_new (a, "r");
  tns_sym *first = tns_region_add_value (a, r, "t->n", TNS_I32);
  tns_sym *second = tns_region_add_value (a, r, "t->n", TNS_I32);
  tns_sym *third = tns_region_add_iter (a, r, "3d");
  verdict (!strcmp (first->name, "t__n") && !strcmp (second->name, "t__n_1")
             && !strcmp (third->name, "_3d")
             && !strcmp (second->spelled, "t->n"),
           "names become unique identifiers");
  for (int k = 0; k < 100; k++)
    tns_region_add_array (a, r, "A", TNS_F32, 1, 0);
  verdict (r->n_syms == 103 && r->syms[102]->id == 102
             && tns_region_find (r, "A_99") == r->syms[102],
           "lists grow");
  tns_region *copy = tns_region_copy (a, r);
  tns_region_add_value (a, copy, "new", TNS_I64);
  tns_region_add_guard (a, copy, tns_int_of (a, TNS_BOOL, 1));
  tns_region_add_guard (a, copy, tns_int_of (a, TNS_BOOL, 1));
  tns_region_add_overlap (a, copy, r->syms[5], r->syms[6]);
  tns_region_add_overlap (a, copy, r->syms[6], r->syms[5]);
  verdict (r->n_syms == 103 && copy->n_syms == 104 && copy->n_guard == 1
             && copy->n_overlaps == 1 && r->n_guard == 0,
           "a copy grows alone, without the same twice");
  tns_ctx_free (ctx);
}

/* Stores become nothing, but the first becomes two.  */
static tns_node *
change (tns_node *node, void *self)
{
  tns_arena *arena = self;
  if (node->kind != TNS_ASSIGN)
    return node;
  if (!node->name)
    return NULL;
  tns_node *block = tns_block (arena, node->loc);
  tns_block_add (arena, block, node);
  tns_block_add (arena, block, node);
  return block;
}

/* Rebuilding, substitution and questions.  */
static void
check_walks (void)
{
  tns_ctx *ctx = verdict_ctx (TNS_FP_STRICT);
  tns_region *r = verdict_region (
    ctx, "region r { value i64 n; array f32 A[]; cell f32 s; { "
         "for i = 0 to n { S1: A[i] = s; s = A[i + n]; } "
         "if (n > 3) { s = 1.0f32; } } }");
  tns_sym *n = tns_region_find (r, "n");
  tns_sym *array = tns_region_find (r, "A");
  tns_sym *s = tns_region_find (r, "s");
  tns_node *loop = r->body->kid[0];
  verdict (tns_node_mentions (r->body, n) && tns_node_mentions (loop, array)
             && !tns_node_mentions (r->body->kid[1], array)
             && tns_node_writes (loop, array)
             && !tns_node_writes (r->body->kid[1], array)
             && tns_node_writes (r->body->kid[1], s)
             && tns_expr_mentions (loop->hi, n),
           "mentions and writes");

  tns_region *out = tns_region_copy (ctx->arena, r);
  out->body = tns_node_rebuild (ctx->arena, r->body, change, NULL, ctx->arena);
  verdict (verdict_has (ctx, verdict_region_text (ctx, out),
                        "{ for i = 0 to n { S1: A[i] = s; S1: A[i] = s; } "
                        "if (n > 3) { } }"),
           "dropped and spliced");

  tns_expr *five = tns_int (ctx->arena, 5);
  out->body = tns_node_substitute (ctx->arena, r->body, 1, &n, &five);
  verdict (verdict_has (ctx, verdict_region_text (ctx, out),
                        "for i = 0 to 5 { S1: A[i] = s; s = A[i + 5]; } "
                        "if (5 > 3)"),
           "substituted");
  verdict (verdict_has (ctx, verdict_region_text (ctx, r),
                        "for i = 0 to n { S1: A[i] = s; s = A[i + n]; }"),
           "what was rebuilt is as it was");
  tns_ctx_free (ctx);
}

int
main (void)
{
  check_ops ();
  check_exprs ();
  check_regions ();
  check_walks ();
  return verdict_status ();
}
