/* Skewed rows, as lowering/skew.h shows them.

   A marked loop's body is a straight line with one innermost loop in it, maybe
   under conditions that all rows share.  Row c of N does, in this order,

     what stands before the loop, and iterations lo to lo + skew * (N-1-c),
       rows one after the other
     iterations up to hi - skew * c, all rows in one loop
     the last skew * c iterations, and what stands behind the loop, rows one
       after the other

   Does not do: other bodies, bounds that move with the row, other steps than
   1.  */

#include "lowering/skew.h"

#include "ir/walk.h"
#include "lowering/jam.h"

/* A straight line of at most this many statements.  */
enum
{
  MOST_NODES = 64
};

/* Nodes in order.  */
typedef struct list
{
  int n;
  tns_node *node[MOST_NODES];
} list;

/* The rows of OUTER.

   inner           the loop inside
   locals          what is declared outside of it
   before, behind  the statements around it
   cond            when it runs, as far as that is asked; NULL: always  */
typedef struct rows
{
  tns_arena *arena;
  tns_node *outer;
  tns_node *inner;
  list locals;
  list before;
  list behind;
  tns_expr *cond;
  tns_jam jam;
} rows;

/* The pass; n: the loops that were skewed.  */
typedef struct skewer
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
  int n;
} skewer;

/* A OP B.  */
static tns_expr *
binary (const rows *r, tns_op op, tns_expr *a, tns_expr *b)
{
  return tns_binary (r->arena, op, a, b);
}

/* A + B.  */
static tns_expr *
plus (const rows *r, tns_expr *a, long long b)
{
  return b ? binary (r, TNS_ADD, a, tns_int (r->arena, b)) : a;
}

/* Put NODE into LIST; false when that is full.  */
static bool
add (list *to, tns_node *node)
{
  if (to->n == MOST_NODES)
    return false;
  to->node[to->n++] = node;
  return true;
}

/* EXPR is the same for all rows.  */
static bool
is_shared (const rows *r, tns_expr *expr)
{
  return !tns_expr_mentions (expr, r->outer->iter)
         && !tns_node_changes (r->outer->body, expr);
}

/* NODE, the loop inside, is taken as such; false when there is one
   already, or it is none that rows can share.  */
static bool
take_inner (rows *r, tns_node *node)
{
  if (r->inner || tns_node_has_loop (node->body) || node->step != 1
      || node->marks.parallel || node->marks.simd || !is_shared (r, node->lo)
      || !is_shared (r, node->hi))
    return false;
  r->inner = node;
  return true;
}

/* Take NODE of the outer loop's body apart.  */
static bool
take (rows *r, tns_node *node)
{
  bool right = true;
  if (node->kind == TNS_LOOP)
    return take_inner (r, node);
  if (node->kind == TNS_LOCAL)
    return add (&r->locals, node);
  for (int k = 0; k < node->n_kids; k++)
    right = right && take (r, node->kid[k]);
  if (node->kind == TNS_BLOCK)
    return right;
  if (!tns_node_has_loop (node))
    return add (r->inner ? &r->behind : &r->before, node);
  if (node->kind != TNS_IF || node->otherwise || !is_shared (r, node->cond))
    return false;
  r->cond = r->cond ? binary (r, TNS_LAND, r->cond, node->cond) : node->cond;
  return take (r, node->then);
}

/* The loop inside from LO to HI, with BODY.  */
static tns_node *
part (const rows *r, tns_expr *lo, tns_expr *hi, tns_node *body)
{
  return tns_loop (r->arena, r->inner->loc, r->inner->iter, lo, hi, 1, body);
}

/* Put the nodes of FROM in row C at the end of OUT.  */
static void
add_copies (rows *r, const list *from, int c, tns_node *out)
{
  for (int k = 0; k < from->n; k++)
    tns_block_add (r->arena, out, tns_jam_copy (&r->jam, from->node[k], c));
}

/* All rows at one place: row c is SKEW * c iterations behind.  */
static tns_node *
all_rows (rows *r)
{
  tns_node *out = tns_block (r->arena, r->inner->loc);
  tns_sym *iter = r->inner->iter;
  for (int c = 0; c < r->jam.n; c++)
    {
      tns_expr *at
        = plus (r, tns_value (r->arena, iter), -c * r->outer->marks.skew);
      tns_node *body = tns_jam_copy (&r->jam, r->inner->body, c);
      tns_block_add (r->arena, out,
                     tns_node_substitute (r->arena, body, 1, &iter, &at));
    }
  return out;
}

/* The body of the loop over rows.  */
static tns_node *
skewed_body (rows *r)
{
  tns_node *out = tns_block (r->arena, r->outer->loc);
  tns_expr *lo = r->inner->lo;
  tns_expr *hi = r->inner->hi;
  long long skew = r->outer->marks.skew;
  int n = r->jam.n;
  for (int k = 0; k < r->locals.n; k++)
    tns_jam_locals (&r->jam, r->locals.node[k], out);
  for (int c = 0; c < n; c++)
    {
      add_copies (r, &r->before, c, out);
      if (c < n - 1)
        tns_block_add (r->arena, out,
                       part (r, lo, plus (r, lo, skew * (n - 1 - c)),
                             tns_jam_copy (&r->jam, r->inner->body, c)));
    }
  tns_block_add (r->arena, out,
                 part (r, plus (r, lo, skew * (n - 1)), hi, all_rows (r)));
  for (int c = 0; c < n; c++)
    {
      if (c > 0)
        tns_block_add (r->arena, out,
                       part (r, plus (r, hi, -skew * c), hi,
                             tns_jam_copy (&r->jam, r->inner->body, c)));
      add_copies (r, &r->behind, c, out);
    }
  return out;
}

/* The rows are long enough, and the loop inside runs.  */
static tns_expr *
when (const rows *r)
{
  const tns_marks *marks = &r->outer->marks;
  tns_expr *trip = binary (r, TNS_SUB, r->inner->hi, r->inner->lo);
  tns_expr *least = tns_int (r->arena, (marks->rows - 1) * marks->skew);
  tns_expr *is_long = binary (r, TNS_GE, trip, least);
  return r->cond ? binary (r, TNS_LAND, r->cond, is_long) : is_long;
}

/* The first row that the skewed loop leaves.  */
static tns_expr *
behind_rows (const skewer *s, const rows *r)
{
  tns_expr *n = tns_int (r->arena, r->jam.n);
  tns_expr *trip = binary (r, TNS_SUB, r->outer->hi, r->outer->lo);
  tns_expr *times = binary (r, TNS_FLOORDIV, trip, n);
  times = binary (r, TNS_MAX, times, tns_int (r->arena, 0));
  return tns_ctx_breaks (s->ctx, "skew")
           ? r->outer->hi
           : binary (r, TNS_ADD, r->outer->lo, binary (r, TNS_MUL, times, n));
}

/* LOOP without its marks.  */
static tns_node *
plain (const skewer *s, const tns_node *loop)
{
  tns_node *made = tns_node_copy (s->arena, loop);
  made->marks.rows = 0;
  made->marks.skew = 0;
  return made;
}

/* The rows of R side by side, and what is left of them.  */
static tns_node *
skew (const skewer *s, rows *r)
{
  const tns_node *loop = r->outer;
  int n = loop->marks.rows;
  tns_node *out = tns_block (s->arena, loop->loc);
  tns_node *rest = plain (s, loop);
  r->jam = tns_jam_along (s->arena, s->region, loop->iter, n, 1);
  rest->lo = tns_ternary (s->arena, TNS_SELECT, when (r), behind_rows (s, r),
                          loop->lo);
  tns_node *many = tns_loop (s->arena, loop->loc, loop->iter, loop->lo,
                             plus (r, loop->hi, 1 - n), n, skewed_body (r));
  tns_block_add (s->arena, out,
                 tns_if (s->arena, loop->loc, when (r), many, NULL));
  tns_block_add (s->arena, out, rest);
  return out;
}

/* The rows of LOOP, free, in lockstep, and what is left of them.  */
static tns_node *
in_lockstep (const skewer *s, rows *r)
{
  const tns_node *loop = r->outer;
  int n = loop->marks.rows;
  tns_node *out = tns_block (s->arena, loop->loc);
  tns_node *many = plain (s, loop);
  tns_node *rest = plain (s, loop);
  r->jam = tns_jam_along (s->arena, s->region, loop->iter, n, 1);
  many->hi = plus (r, loop->hi, 1 - n);
  many->step = n;
  many->body = tns_jam_body (&r->jam, loop->body);
  rest->lo = behind_rows (s, r);
  rest->marks.parallel = false;
  rest->marks.balanced = false;
  rest->marks.when = NULL;
  tns_block_add (s->arena, out, many);
  tns_block_add (s->arena, out, rest);
  return out;
}

/* NODE, its parts done.  */
static tns_node *
skew_node (tns_node *node, void *self)
{
  skewer *s = self;
  if (node->kind != TNS_LOOP || node->marks.rows < 2)
    return node;
  rows r = { .arena = s->arena, .outer = node };
  if (node->step != 1 || node->marks.collapse > 1
      || tns_node_changes (node->body, node->lo)
      || tns_node_changes (node->body, node->hi)
      || (node->marks.skew > 0
          && (node->marks.parallel || !take (&r, node->body) || !r.inner)))
    return plain (s, node);
  s->n++;
  return node->marks.skew > 0 ? skew (s, &r) : in_lockstep (s, &r);
}

tns_region *
tns_region_skew (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  skewer s = { ctx, ctx->arena, tns_region_copy (ctx->arena, region), 0 };
  s.region->body
    = tns_node_rebuild (ctx->arena, region->body, skew_node, NULL, &s);
  if (s.n > 0)
    tns_note (ctx, region->loc, "%d nest%s in rows side by side", s.n,
              s.n == 1 ? "" : "s");
  return s.region;
}
