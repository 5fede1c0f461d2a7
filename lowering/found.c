/* Boxes of sums, as lowering/found.h says: the loop once more, without what
   does not lead to a subscript.

   Kept are loops, conditions, and the integer cells of an iteration; sums of
   the array become updates of its ends.  With lanes where there is nothing but
   statements and, where lanes may be masked, conditions, whose loads go from
   element to element.  */

#include "lowering/found.h"

#include "ir/affine.h"
#include "ir/fresh.h"
#include "ir/range.h"
#include "ir/stride.h"
#include "ir/walk.h"
#include "poly/scan.h"
#include "schedule/machine.h"

#define CELL_CHUNKS 64

/* A look.

   ranges   of iterators
   simple   nothing but statements is in the loop, whose loads are near each
            other
   widest   bytes of the largest element that is read
   sure     it may be done
   least, most  cells  */
typedef struct look
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_ranges ranges;
  tns_node *loop;
  const tns_sym *sym;
  bool simple;
  int widest;
  bool sure;
  tns_expr *least;
  tns_expr *most;
} look;

/* SYM is an integer cell of one iteration of L's loop.  */
static bool
is_kept (const look *l, const tns_sym *sym)
{
  return sym->rank == 0 && tns_elem_is_integer (sym->type.elem)
         && tns_node_declares (l->loop->body, sym);
}

/* Lanes may read under a condition.  */
static bool
may_mask (const look *l)
{
  return l->ctx->machine && l->ctx->machine->masks;
}

/* The visitor of what is read.  */
static bool
note_read (tns_expr *expr, void *self)
{
  look *l = self;
  long long distance = 0;
  if (!tns_expr_reads (expr))
    return true;
  l->sure &= is_kept (l, expr->sym) || !tns_node_writes (l->loop, expr->sym);
  l->simple &= tns_access_distance (l->arena, expr, l->loop->iter, &distance)
               && distance >= 0 && distance <= 1;
  int bytes = tns_elem_bytes (expr->type.elem);
  l->widest = bytes > l->widest ? bytes : l->widest;
  return true;
}

/* TARGET's subscripts but the first lie in the extents.  */
static bool
lies_in_rows (const look *l, const tns_expr *target)
{
  bool inside = true;
  for (int k = 1; k < target->n_args; k++)
    {
      long long extent = 0;
      long long first = tns_sym_first (l->sym, k);
      tns_expr_is_int (l->sym->extent[k], &extent);
      inside &= tns_range_within (tns_range_of (&l->ranges, target->arg[k]),
                                  (tns_range){ first, first + extent - 1 });
    }
  return inside;
}

/* The visitor of what leads to subscripts.  */
static bool
note_node (tns_node *node, void *self)
{
  look *l = self;
  bool is_loop = node->kind == TNS_LOOP && node != l->loop;
  l->simple &= !is_loop && (node->kind != TNS_IF || may_mask (l));
  if (node->kind != TNS_ASSIGN)
    tns_node_exprs (node, note_read, l);
  else if (node->target->sym == l->sym)
    {
      l->sure &= node->update == TNS_ADD && !node->mask
                 && lies_in_rows (l, node->target);
      tns_expr_walk (node->target->arg[0], note_read, l);
    }
  else if (is_kept (l, node->target->sym))
    tns_expr_walk (node->value, note_read, l);
  return true;
}

long long
tns_found_rows (const tns_reduction *r)
{
  long long rows = TNS_FOUND_MOST;
  for (int k = 1; k < r->sym->rank; k++)
    {
      long long extent = 0;
      if (!r->sym->extent[k] || !tns_expr_is_int (r->sym->extent[k], &extent)
          || extent < 1)
        return 0;
      rows /= extent;
    }
  return rows;
}

/* A look at R's array in LOOP, of REGION.  */
static look
look_at (tns_ctx *ctx, tns_region *region, tns_node *loop,
         const tns_reduction *r)
{
  look l = { .ctx = ctx,
             .arena = ctx->arena,
             .ranges = tns_ranges_of (ctx->arena, region),
             .loop = loop,
             .sym = r->sym,
             .simple = true };
  l.sure = r->op == TNS_ADD && tns_found_rows (r) > 0 && loop->step > 0;
  if (l.sure)
    tns_node_walk (loop, note_node, &l);
  return l;
}

bool
tns_found_is_sure (tns_ctx *ctx, tns_region *region, tns_node *loop,
                   const tns_reduction *r)
{
  return look_at (ctx, region, loop, r).sure;
}

/* SUBSCRIPT as the narrower integer that it was made of, if it was.  */
static tns_expr *
narrow (tns_expr *subscript)
{
  bool is_cast = subscript->op == TNS_CAST
                 && tns_elem_is_integer (subscript->arg[0]->type.elem)
                 && tns_elem_bytes (subscript->arg[0]->type.elem) <= 4;
  return is_cast ? subscript->arg[0] : subscript;
}

/* A search for the type of subscripts.  */
typedef struct typing
{
  const look *l;
  int n;
  tns_elem elem;
} typing;

/* The visitor.  */
static bool
note_type (tns_node *node, void *self)
{
  typing *t = self;
  if (node->kind != TNS_ASSIGN || node->target->sym != t->l->sym)
    return true;
  tns_elem elem = narrow (node->target->arg[0])->type.elem;
  t->elem = t->n++ == 0 || t->elem == elem ? elem : TNS_I64;
  return true;
}

/* The type of L's ends.  */
static tns_elem
type_of (const look *l)
{
  typing t = { l, 0, TNS_I64 };
  tns_node_walk (l->loop, note_type, &t);
  return t.elem;
}

/* LOOP, its body changed: a condition where all iterations look at the same,
   NULL where they look at nothing.  */
static tns_node *
change_loop (const look *l, tns_node *loop)
{
  loop->marks = (tns_marks){ 0 };
  if (loop->body->n_kids == 0)
    return NULL;
  if (loop->iter == l->loop->iter || tns_node_mentions (loop->body, loop->iter))
    return loop;
  tns_op op = loop->step > 0 ? TNS_LT : TNS_GT;
  return tns_if (l->arena, loop->loc,
                 tns_binary (l->arena, op, loop->lo, loop->hi), loop->body,
                 NULL);
}

/* The changer: sums of L's array become updates of its ends; what leads to no
   subscript is dropped.  */
static tns_node *
change_node (tns_node *node, void *self)
{
  const look *l = self;
  if (node->kind == TNS_LOCAL)
    return is_kept (l, node->sym) ? node : NULL;
  if (node->kind == TNS_LOOP)
    return change_loop (l, node);
  if (node->kind == TNS_IF)
    return node->then->n_kids || (node->otherwise && node->otherwise->n_kids)
             ? node
             : NULL;
  if (node->kind == TNS_BLOCK)
    return node;
  if (node->kind != TNS_ASSIGN || node->target->sym != l->sym)
    return node->kind == TNS_ASSIGN && is_kept (l, node->target->sym) ? node
                                                                      : NULL;
  tns_expr *at = node->target->arg[0];
  if (l->least->type.elem != TNS_I64)
    at = narrow (at);
  tns_node *both = tns_block (l->arena, node->loc);
  tns_block_add (l->arena, both,
                 tns_assign (l->arena, node->loc, l->least, TNS_MIN, at));
  tns_block_add (l->arena, both,
                 tns_assign (l->arena, node->loc, l->most, TNS_MAX, at));
  return both;
}

/* The element that LIST is where ITER is AT, if SOME, a BOOL, holds, else
   0.  */
static tns_expr *
element_where (const look *l, tns_expr *some, const tns_expr *list,
               const tns_sym *iter, tns_expr *at)
{
  tns_expr *place = tns_expr_substitute (l->arena, list->arg[0], 1,
                                         (tns_sym *const *) &iter, &at);
  tns_expr *load = tns_load (l->arena, list->sym, &place);
  return tns_ternary (l->arena, TNS_SELECT, some,
                      tns_cast (l->arena, tns_scalar (TNS_I64), load),
                      tns_int (l->arena, 0));
}

/* EXPR, a bound, as the element of a list that is known to rise in REGION; NULL
   where it is none.  */
static tns_expr *
element_of (const tns_region *region, tns_expr *expr)
{
  expr = tns_expr_unwidened (expr);
  bool is_one = expr->op == TNS_LOAD && expr->sym->rank == 1
                && tns_scan_saw_rise (region, expr->sym);
  return is_one ? expr : NULL;
}

/* LOOP over rows, of which nothing but the loop over a row's entries is left,
   as a loop over all entries: rows follow each other where their bounds rise.
   LOOP where it is none.  */
static tns_node *
over_entries (const look *l, const tns_region *region, tns_node *loop)
{
  tns_node *row = tns_node_bare (loop->body);
  if (row->kind != TNS_LOOP || row->step != 1 || loop->step != 1
      || tns_node_has_loop (row->body)
      || tns_node_mentions (row->body, loop->iter))
    return loop;
  tns_expr *first = element_of (region, row->lo);
  tns_expr *last = element_of (region, row->hi);
  if (!first || !last || first->sym != last->sym)
    return loop;
  tns_arena *arena = l->arena;
  tns_sum next = tns_sum_add (arena, tns_sum_of (arena, first->arg[0]),
                              tns_sum_int (arena, 1));
  tns_expr *after = tns_binary (arena, TNS_ADD, tns_value (arena, loop->iter),
                                tns_int (arena, 1));
  tns_expr *moved
    = tns_expr_substitute (arena, first->arg[0], 1, &loop->iter, &after);
  if (!tns_sum_equal (next, tns_sum_of (arena, last->arg[0]))
      || !tns_sum_equal (next, tns_sum_of (arena, moved)))
    return loop;
  tns_expr *some = tns_binary (arena, TNS_LT, loop->lo, loop->hi);
  return tns_loop (arena, loop->loc, row->iter,
                   element_where (l, some, first, loop->iter, loop->lo),
                   element_where (l, some, first, loop->iter, loop->hi), 1,
                   row->body);
}

/* All that LOOP reads is as near to each other as lanes want it.  */
static bool
is_simple (const look *l, tns_node *loop)
{
  look again = *l;
  again.loop = loop;
  again.simple = true;
  for (int k = 0; k < loop->body->n_kids && again.simple; k++)
    {
      again.simple = loop->body->kid[k]->kind == TNS_ASSIGN;
      tns_expr_walk (loop->body->kid[k]->value, note_read, &again);
    }
  return again.simple;
}

/* The loop that looks.  */
static tns_node *
looking_loop (const look *l, tns_region *region)
{
  tns_node *kept
    = tns_node_rebuild (l->arena, l->loop, change_node, NULL, (void *) l);
  tns_node *made = over_entries (l, region, kept);
  bool simple = made == kept ? l->simple : is_simple (l, made);
  made = tns_node_fresh (l->ctx, region, made);
  made->marks = (tns_marks){ .parallel = true, .chunks = CELL_CHUNKS };
  tns_marks_add_reduction (l->arena, &made->marks, l->least->sym, TNS_MIN);
  tns_marks_add_reduction (l->arena, &made->marks, l->most->sym, TNS_MAX);
  int bytes = l->ctx->machine ? l->ctx->machine->vector_bytes : 0;
  int least = tns_elem_bytes (l->least->type.elem);
  int lanes = bytes / (l->widest > least ? l->widest : least);
  if (simple && lanes >= 4)
    made->marks.simd = lanes;
  return made;
}

/* A cell of ELEM called NAME, a LOCAL of BLOCK that holds FIRST.  */
static tns_expr *
add_cell (const look *l, tns_region *region, tns_node *block, const char *name,
          tns_elem elem, long long first)
{
  tns_sym *sym
    = tns_region_add_array (l->arena, region, name, elem, 0, TNS_SYM_LOCAL);
  tns_expr *cell = tns_cell (l->arena, sym);
  tns_block_add (l->arena, block, tns_local (l->arena, l->loop->loc, sym));
  tns_block_add (l->arena, block,
                 tns_assign (l->arena, l->loop->loc, cell, TNS_NONE,
                             tns_int_of (l->arena, elem, first)));
  return cell;
}

/* CELL as a subscript.  */
static tns_expr *
subscript (const look *l, tns_expr *cell)
{
  return tns_cast (l->arena, tns_scalar (TNS_I64), cell);
}

/* The values of ELEM as far as indices have them, so that their difference is
   a number.  */
static tns_range
ends_of (tns_elem elem)
{
  const tns_range indices = { -(1LL << 61), 1LL << 61 };
  tns_range all = tns_range_of_elem (elem);
  return tns_range_within (all, indices) ? all : indices;
}

tns_node *
tns_found_look (tns_ctx *ctx, tns_region *region, tns_node *loop,
                tns_reduction *r, tns_node *block)
{
  look l = look_at (ctx, region, loop, r);
  tns_elem elem = type_of (&l);
  tns_range range = ends_of (elem);
  l.least = add_cell (&l, region, block, "least", elem, range.hi);
  l.most = add_cell (&l, region, block, "most", elem, range.lo);
  tns_expr *least = subscript (&l, l.least);
  tns_expr *far = tns_binary (l.arena, TNS_SUB, subscript (&l, l.most), least);
  r->offset = TNS_NEW_ARRAY (l.arena, tns_expr *, r->sym->rank);
  r->extent = TNS_NEW_ARRAY (l.arena, tns_expr *, r->sym->rank);
  for (int k = 1; k < r->sym->rank; k++)
    {
      r->offset[k] = tns_int (l.arena, tns_sym_first (r->sym, k));
      r->extent[k] = r->sym->extent[k];
    }
  r->offset[0] = least;
  r->extent[0] = tns_binary (l.arena, TNS_ADD, far, tns_int (l.arena, 1));
  r->found = true;
  return looking_loop (&l, region);
}
