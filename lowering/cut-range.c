/* Ranges of iterations cut out, as lowering/cut-range.h says.

   Each comparison is taken as s*iter + rest < 0 with s = sign * step, step > 0:

     sign 1    iter <  (-rest - 1) /_ step + 1
     sign -1   iter >= rest /_ step + 1

   where /_ rounds down.  */

#include "lowering/cut-range.h"

#include "ir/affine.h"
#include "ir/fresh.h"
#include "ir/walk.h"
#include "lowering/linear.h"

enum
{
  MOST_POSITIVE = 4,
  MOST_CONDITIONS = 32
};

/* A condition.

   same  its parts that do not move; NULL for none
   rest  those that stay; NULL for none  */
typedef struct condition
{
  tns_expr *whole;
  tns_expr *same;
  tns_expr *rest;
} condition;

/* A loop and its conditions, CONDITION[0..n).

   from, to      of the iterations; NULL where no part bounds them there
   same          what does not move in any of them; NULL for nothing
   positive[0..n_positive)  VALUEs that must be
   fails         there are conditions of other forms  */
typedef struct range
{
  tns_arena *arena;
  const tns_node *loop;
  int n;
  condition condition[MOST_CONDITIONS];
  tns_expr *from;
  tns_expr *to;
  tns_expr *same;
  int n_positive;
  tns_expr *positive[MOST_POSITIVE];
  bool fails;
} range;

/* A OP B, or B where A is NULL.  */
static tns_expr *
joined (const range *r, tns_op op, tns_expr *a, tns_expr *b)
{
  return a ? tns_binary (r->arena, op, a, b) : b;
}

/* The OP, MIN or MAX, of A and B, or B where A is NULL: one of them where they
   are a constant apart.  */
static tns_expr *
nearer (const range *r, tns_op op, tns_expr *a, tns_expr *b)
{
  long long d;
  if (a && tns_linear_distance (r->arena, a, b, &d))
    return (d > 0) == (op == TNS_MAX) ? a : b;
  return joined (r, op, a, b);
}

/* EXPR, a VALUE, must be positive.  */
static void
need_positive (range *r, tns_expr *expr)
{
  for (int k = 0; k < r->n_positive; k++)
    if (tns_expr_equal (r->positive[k], expr))
      return;
  r->fails |= expr->op != TNS_SYM || expr->sym->kind != TNS_SYM_VALUE
              || r->n_positive == MOST_POSITIVE;
  if (!r->fails)
    r->positive[r->n_positive++] = expr;
}

/* The visitor that looks at the divisors of what the loop does not change.  */
static bool
note_divisor (tns_expr *expr, void *self)
{
  range *r = self;
  long long divisor;
  bool divides = expr->op == TNS_DIV || expr->op == TNS_REM
                 || expr->op == TNS_FLOORDIV || expr->op == TNS_MOD;
  r->fails |= tns_op_is_function (expr->op);
  if (divides && !(tns_expr_is_int (expr->arg[1], &divisor) && divisor > 0))
    need_positive (r, expr->arg[1]);
  return !r->fails;
}

/* EXPR is the same in all iterations and may be computed ahead of them.  */
static bool
is_same (range *r, tns_expr *expr)
{
  range probe = *r;
  if (tns_expr_mentions (expr, r->loop->iter) || tns_expr_loads (expr))
    return false;
  tns_expr_walk (expr, note_divisor, &probe);
  if (!probe.fails)
    *r = probe;
  return !probe.fails;
}

/* SUM as *SIGN * *STEP * iter + *REST; false where that is not known to be the
   form.  */
static bool
split (range *r, tns_sum sum, int *sign, tns_expr **step, tns_sum *rest)
{
  *sign = 0;
  *rest = tns_sum_int (r->arena, 0);
  for (int k = 0; k < sum.n; k++)
    {
      tns_term by = { 1, 0, TNS_NEW_ARRAY (r->arena, tns_expr *, 2) };
      const tns_term *term = &sum.term[k];
      int iters = 0;
      for (int a = 0; a < term->n_atoms; a++)
        if (tns_atom_symbol (term->atom[a]) == r->loop->iter)
          iters++;
        else if (by.n_atoms < 1)
          by.atom[by.n_atoms++] = term->atom[a];
      tns_expr *whole
        = tns_sum_expr (r->arena, tns_sum_of_term (r->arena, *term));
      if (iters == 0)
        {
          *rest
            = tns_sum_add (r->arena, *rest, tns_sum_of_term (r->arena, *term));
          if (!whole || !is_same (r, whole))
            return false;
          continue;
        }
      if (*sign || iters > 1 || by.n_atoms + iters != term->n_atoms)
        return false;
      *sign = term->factor < 0 ? -1 : 1;
      by.factor = term->factor * *sign;
      if (by.n_atoms)
        need_positive (r, by.atom[0]);
      *step = tns_sum_expr (r->arena, tns_sum_of_term (r->arena, by));
    }
  return *sign && sum.n >= 0 && rest->n >= 0 && !r->fails;
}

/* Take SUM < 0 into the bounds; false where it is not of the form.  */
static bool
take_negative (range *r, tns_sum sum)
{
  int sign;
  tns_expr *step;
  tns_sum rest;
  range with = *r;
  if (!split (&with, sum, &sign, &step, &rest))
    return false;
  if (sign > 0)
    rest = tns_sum_add (r->arena, tns_sum_scale (r->arena, rest, -1),
                        tns_sum_int (r->arena, -1));
  tns_expr *one = tns_int (r->arena, 1);
  tns_expr *edge = tns_sum_expr (r->arena, rest);
  if (!edge)
    return false;
  edge = tns_binary (r->arena, TNS_ADD,
                     tns_expr_equal (step, one)
                       ? edge
                       : tns_binary (r->arena, TNS_FLOORDIV, edge, step),
                     one);
  *r = with;
  if (sign > 0)
    r->to = nearer (r, TNS_MIN, r->to, edge);
  else
    r->from = nearer (r, TNS_MAX, r->from, edge);
  return true;
}

/* Take EXPR, a comparison of I64 values, into the bounds; false where it is
   none, or not of the form.  */
static bool
take_comparison (range *r, tns_expr *expr)
{
  if (expr->n_args != 2 || expr->arg[0]->type.elem != TNS_I64
      || expr->arg[1]->type.elem != TNS_I64 || expr->arg[0]->type.lanes != 1)
    return false;
  bool swaps = expr->op == TNS_GT || expr->op == TNS_GE;
  bool equal = expr->op == TNS_LE || expr->op == TNS_GE;
  if (!swaps && expr->op != TNS_LT && expr->op != TNS_LE)
    return false;
  tns_sum a = tns_sum_of (r->arena, expr->arg[swaps]);
  tns_sum b = tns_sum_of (r->arena, expr->arg[!swaps]);
  tns_sum less = tns_sum_add (r->arena, a, tns_sum_scale (r->arena, b, -1));
  if (equal)
    less = tns_sum_add (r->arena, less, tns_sum_int (r->arena, -1));
  return take_negative (r, less);
}

/* ALL and PART, unless that is one of them already.  */
static tns_expr *
with_part (const range *r, tns_expr *all, tns_expr *part)
{
  for (tns_expr *left = all; left; left = left->arg[0])
    {
      bool is_pair = left->op == TNS_LAND;
      if (tns_expr_equal (is_pair ? left->arg[1] : left, part))
        return all;
      if (!is_pair)
        break;
    }
  return joined (r, TNS_LAND, all, part);
}

/* Take COND, a part of C, apart.  */
static void
take_parts (range *r, condition *c, tns_expr *cond)
{
  if (cond->op == TNS_LAND)
    {
      take_parts (r, c, cond->arg[0]);
      take_parts (r, c, cond->arg[1]);
    }
  else if (take_comparison (r, cond))
    return;
  else if (is_same (r, cond))
    {
      c->same = joined (r, TNS_LAND, c->same, cond);
      r->same = with_part (r, r->same, cond);
    }
  else
    c->rest = joined (r, TNS_LAND, c->rest, cond);
}

/* WHOLE guards what a loop in lanes would do under a mask: take it.  */
static void
consider (range *r, tns_expr *whole)
{
  for (int k = 0; k < r->n; k++)
    if (tns_expr_equal (r->condition[k].whole, whole))
      return;
  r->fails |= r->n == MOST_CONDITIONS;
  if (r->fails)
    return;
  condition *c = &r->condition[r->n++];
  *c = (condition){ .whole = whole };
  take_parts (r, c, whole);
}

/* The visitor of expressions.  */
static bool
visit_expr (tns_expr *expr, void *self)
{
  range *r = self;
  if (expr->op == TNS_SELECT
      && (tns_expr_loads (expr->arg[1]) || tns_expr_loads (expr->arg[2])))
    consider (r, expr->arg[0]);
  return !r->fails;
}

/* The visitor of nodes.  */
static bool
visit_node (tns_node *node, void *self)
{
  range *r = self;
  if (node->kind == TNS_IF)
    consider (r, node->cond);
  tns_node_exprs (node, visit_expr, r);
  return !r->fails;
}

/* What is known of the conditions in some of the iterations.

   NOTHING  they stay
   NONE     none holds
   MOVING   what moves holds in all of them
   ALL      and so does what does not move  */
typedef enum knowing
{
  NOTHING,
  NONE,
  MOVING,
  ALL
} knowing;

/* What takes the place of conditions.  */
typedef struct exchange
{
  const range *range;
  knowing known;
} exchange;

/* What is left of C.  */
static tns_expr *
left_of (const exchange *e, const condition *c)
{
  tns_expr *left = c->rest;
  if (e->known == NONE)
    return tns_int_of (e->range->arena, TNS_BOOL, 0);
  if (e->known == MOVING && c->same)
    left
      = left ? tns_binary (e->range->arena, TNS_LAND, c->same, left) : c->same;
  return left ? left : tns_int_of (e->range->arena, TNS_BOOL, 1);
}

/* The changer that puts it in.  */
static tns_expr *
change_part (tns_expr *expr, void *self)
{
  const exchange *e = self;
  for (int k = 0; k < e->range->n; k++)
    if (tns_expr_equal (expr, e->range->condition[k].whole))
      return left_of (e, &e->range->condition[k]);
  return expr;
}

/* The same of whole expressions.  */
static tns_expr *
change_whole (tns_expr *expr, void *self)
{
  const exchange *e = self;
  return tns_expr_rebuild (e->range->arena, expr, change_part, self);
}

/* R's loop from LO to HI, where this much is KNOWN.  */
static tns_node *
part (tns_ctx *ctx, tns_region *region, const range *r, tns_expr *lo,
      tns_expr *hi, knowing known)
{
  exchange e = { r, known };
  tns_node *made
    = tns_node_fresh (ctx, region, tns_node_copy (r->arena, r->loop));
  made->lo = lo;
  made->hi = hi;
  if (known != NOTHING)
    made->body
      = tns_node_rebuild (r->arena, made->body, NULL, change_whole, &e);
  return made;
}

/* A fresh LOCAL of REGION called NAME that is VALUE from OUT's end on.  */
static tns_expr *
kept (tns_arena *arena, tns_region *region, const char *name, tns_expr *value,
      tns_node *out)
{
  tns_sym *sym
    = tns_region_add_array (arena, region, name, TNS_I64, 0, TNS_SYM_LOCAL);
  tns_expr *cell = tns_cell (arena, sym);
  tns_block_add (arena, out, tns_local (arena, out->loc, sym));
  tns_block_add (arena, out,
                 tns_assign (arena, out->loc, cell, TNS_NONE, value));
  return cell;
}

/* R's loop from FROM to TO, where all that moves holds: two where there are
   several conditions that do not move, one of them for when these hold.  */
static tns_node *
middle (tns_ctx *ctx, tns_region *region, const range *r, tns_expr *from,
        tns_expr *to)
{
  tns_node *all = part (ctx, region, r, from, to, ALL);
  if (r->n == 1 || !r->same)
    return all;
  return tns_if (r->arena, r->loop->loc, r->same, all,
                 part (ctx, region, r, from, to, MOVING));
}

/* The three loops of R.  */
static tns_node *
three (tns_ctx *ctx, tns_region *region, const range *r)
{
  tns_arena *arena = r->arena;
  tns_expr *from = r->loop->lo;
  tns_expr *hi = r->loop->hi;
  knowing outside = r->n == 1 ? NONE : NOTHING;
  tns_node *out = tns_block (arena, r->loop->loc);
  if (r->from)
    {
      tns_expr *first = tns_binary (arena, TNS_MAX, r->from, from);
      from = kept (arena, region, "from",
                   tns_binary (arena, TNS_MIN, first, hi), out);
      tns_block_add (arena, out,
                     part (ctx, region, r, r->loop->lo, from, outside));
    }
  tns_expr *to = r->to ? tns_binary (arena, TNS_MIN, r->to, hi) : hi;
  if (r->n == 1 && r->same)
    to = tns_ternary (arena, TNS_SELECT, r->same, to, from);
  bool has_end
    = (r->to || (r->n == 1 && r->same)) && !tns_ctx_breaks (ctx, "cut");
  if (has_end)
    to = kept (arena, region, "to", tns_binary (arena, TNS_MAX, to, from), out);
  tns_block_add (arena, out, middle (ctx, region, r, from, has_end ? to : hi));
  if (has_end)
    tns_block_add (arena, out, part (ctx, region, r, to, hi, outside));
  return out;
}

tns_node *
tns_loop_cut_range (tns_ctx *ctx, tns_region *region, const tns_node *loop)
{
  range r = { .arena = ctx->arena, .loop = loop };
  if (loop->marks.simd < 2 || loop->marks.accumulators > 1)
    return NULL;
  tns_node_walk (loop->body, visit_node, &r);
  if (r.fails || (!r.from && !r.to))
    return NULL;
  tns_expr *may = tns_binary (ctx->arena, TNS_LT, loop->lo, loop->hi);
  for (int k = 0; k < r.n_positive; k++)
    may = tns_binary (
      ctx->arena, TNS_LAND, may,
      tns_binary (ctx->arena, TNS_GE, r.positive[k], tns_int (ctx->arena, 1)));
  tns_node *otherwise = NULL;
  if (r.n_positive > 0)
    otherwise = part (ctx, region, &r, loop->lo, loop->hi, NOTHING);
  return tns_if (ctx->arena, loop->loc, may, three (ctx, region, &r),
                 otherwise);
}
