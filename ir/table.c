/* Tables of functions, as ir/table.h says.

   Of a loop, the owner, each ASSIGN is looked at that stands under no
   condition in it.  A function of math.h in its value belongs into a table
   over the loops inside of the owner whose iterators it mentions when

     it does not mention the owner's iterator, and reads nothing that the owner
     writes
     the bounds of the owner and of all loops between are the same for each
     iteration of the owner
     something that it reads has all of the table's iterators in its subscripts

   The loops that it does not mention must run at least once, or what it reads
   may not be there: that is the condition under which the table is filled.
   The outermost owner counts.  */

#include "ir/table.h"

#include "ir/affine.h"
#include "ir/walk.h"

enum
{
  MOST_LOOPS = 32,
  MOST_TABLES = 16,
  /* A loop that runs less often than that owns nothing.  */
  LEAST_TRIPS = 4
};

/* A table of VALUE over loop[0..n), filled WHEN.  */
typedef struct table
{
  tns_expr *value;
  tns_expr *when;
  int n;
  const tns_node *loop[MOST_LOOPS];
  tns_sym *sym;
} table;

/* The work at one owner.

   loop[0..n)  the loops around the statement at hand, the owner first  */
typedef struct work
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
  int n;
  const tns_node *loop[MOST_LOOPS];
  int n_tables;
  table table[MOST_TABLES];
  bool changed;
} work;

/* What is asked of an expression.

   forbidden  the iterators of so many of W's loops, the first ones, may not
              stand in it
   right      they do not, and it is the same for each iteration of the owner
   reads      it reads memory  */
typedef struct question
{
  const work *w;
  int forbidden;
  bool right;
  bool reads;
} question;

/* The visitor of its parts.  */
static bool
ask (tns_expr *expr, void *self)
{
  question *q = self;
  for (int l = 0; l < q->forbidden; l++)
    q->right &= expr->op != TNS_SYM || expr->sym != q->w->loop[l]->iter;
  q->right &= expr->op != TNS_CALL;
  if (tns_expr_reads (expr))
    {
      q->reads = true;
      q->right &= !tns_node_writes ((tns_node *) q->w->loop[0], expr->sym)
                  || tns_ctx_breaks (q->w->ctx, "table");
    }
  return q->right;
}

/* EXPR, a bound, is the same for each iteration of W's loops.  */
static bool
is_fixed (const work *w, tns_expr *expr)
{
  question q = { w, w->n, true, false };
  tns_expr_walk (expr, ask, &q);
  return q.right && !q.reads;
}

/* LOOP runs often enough, as far as that is known.  */
static bool
runs_often (const work *w, const tns_node *loop)
{
  long long trips;
  tns_sum lo = tns_sum_scale (w->arena, tns_sum_of (w->arena, loop->lo), -1);
  tns_sum all = tns_sum_add (w->arena, tns_sum_of (w->arena, loop->hi), lo);
  return !tns_sum_is_int (all, &trips) || trips >= LEAST_TRIPS;
}

/* All of W's loops go up by one between bounds that are fixed.  */
static bool
are_plain (const work *w)
{
  bool plain = true;
  for (int l = 0; l < w->n; l++)
    plain &= w->loop[l]->step == 1 && is_fixed (w, w->loop[l]->lo)
             && is_fixed (w, w->loop[l]->hi);
  return plain;
}

/* What is looked for: an element whose subscripts mention all of T's
   iterators.  */
typedef struct search
{
  const table *t;
  bool found;
} search;

/* The visitor that finds it.  */
static bool
find_element (tns_expr *expr, void *self)
{
  search *s = self;
  bool all = tns_expr_reads (expr) && expr->n_args > 0;
  for (int l = 0; l < s->t->n && all; l++)
    all = tns_expr_mentions (expr, s->t->loop[l]->iter);
  s->found |= all;
  return !s->found;
}

/* A and B, where A may be NULL.  */
static tns_expr *
both (const work *w, tns_expr *a, tns_expr *b)
{
  return a ? tns_binary (w->arena, TNS_LAND, a, b) : b;
}

/* The table of EXPR, a function, into *T; false where it belongs into none.  */
static bool
find_table (const work *w, tns_expr *expr, table *t)
{
  question q = { w, 1, true, false };
  tns_expr_walk (expr, ask, &q);
  if (!q.right || !are_plain (w))
    return false;
  *t = (table){ .value = expr };
  for (int l = 0; l < w->n; l++)
    if (l > 0 && tns_expr_mentions (expr, w->loop[l]->iter))
      t->loop[t->n++] = w->loop[l];
    else
      t->when
        = both (w, t->when,
                tns_binary (w->arena, TNS_LT, w->loop[l]->lo, w->loop[l]->hi));
  search s = { t, false };
  tns_expr_walk (expr, find_element, &s);
  return t->n > 0 && t->n <= TNS_MOST_RANK && s.found;
}

/* A and B are one table.  */
static bool
are_same (const table *a, const table *b)
{
  bool same = a->n == b->n && tns_expr_equal (a->value, b->value)
              && tns_expr_equal (a->when, b->when);
  for (int l = 0; l < a->n && same; l++)
    same = a->loop[l]->iter == b->loop[l]->iter
           && tns_expr_equal (a->loop[l]->lo, b->loop[l]->lo)
           && tns_expr_equal (a->loop[l]->hi, b->loop[l]->hi);
  return same;
}

/* How many iterations LOOP has.  */
static tns_expr *
trips (const work *w, const tns_node *loop)
{
  return tns_binary (w->arena, TNS_MAX, tns_int (w->arena, 0),
                     tns_binary (w->arena, TNS_SUB, loop->hi, loop->lo));
}

/* The one of W's tables that T is, or becomes; NULL where there is no room.  */
static const table *
enter (work *w, const table *t)
{
  for (int k = 0; k < w->n_tables; k++)
    if (are_same (&w->table[k], t))
      return &w->table[k];
  if (w->n_tables == MOST_TABLES)
    return NULL;
  table *made = &w->table[w->n_tables++];
  *made = *t;
  made->sym = tns_region_add_array (w->arena, w->region, "table",
                                    t->value->type.elem, t->n, TNS_SYM_LOCAL);
  made->sym->loc = t->value->loc;
  for (int l = 0; l < t->n; l++)
    made->sym->extent[l] = trips (w, t->loop[l]);
  return made;
}

/* T's element for the iterators at hand.  */
static tns_expr *
element (const work *w, const table *t)
{
  tns_expr **sub = TNS_NEW_ARRAY (w->arena, tns_expr *, t->n);
  for (int l = 0; l < t->n; l++)
    sub[l]
      = tns_binary (w->arena, TNS_SUB, tns_value (w->arena, t->loop[l]->iter),
                    t->loop[l]->lo);
  return tns_load (w->arena, t->sym, sub);
}

/* EXPR with functions looked up.  What is not always evaluated stays.  */
static tns_expr *
look_up (work *w, tns_expr *expr)
{
  table t;
  if (tns_op_is_function (expr->op) && find_table (w, expr, &t))
    {
      const table *found = enter (w, &t);
      return found ? element (w, found) : expr;
    }
  if (expr->n_args == 0 || expr->op == TNS_LOAD)
    return expr;
  bool chooses
    = expr->op == TNS_SELECT || expr->op == TNS_LAND || expr->op == TNS_LOR;
  tns_expr **arg = TNS_NEW_ARRAY (w->arena, tns_expr *, expr->n_args);
  for (int k = 0; k < expr->n_args; k++)
    arg[k] = chooses && k > 0 ? expr->arg[k] : look_up (w, expr->arg[k]);
  return tns_expr_with_args (w->arena, expr, arg);
}

/* NODE, inside of the owner, with functions looked up.  */
static tns_node *
rebuild_inside (work *w, tns_node *node)
{
  bool is_deep = node->kind == TNS_LOOP && w->n == MOST_LOOPS;
  if (node->kind == TNS_IF || is_deep)
    return node;
  tns_node *made = tns_node_copy (w->arena, node);
  switch (node->kind)
    {
    case TNS_LOOP:
      w->loop[w->n++] = node;
      made->body = rebuild_inside (w, node->body);
      w->n--;
      break;
    case TNS_BLOCK:
      made->kid = TNS_NEW_ARRAY (w->arena, tns_node *, node->n_kids + 1);
      for (int k = 0; k < node->n_kids; k++)
        made->kid[k] = rebuild_inside (w, node->kid[k]);
      break;
    case TNS_ASSIGN:
      if (!node->mask)
        made->value = look_up (w, node->value);
      break;
    default:
      break;
    }
  return made;
}

/* Append to BLOCK: T's LOCAL, and the loops that fill it.  */
static void
add_table (const work *w, tns_node *block, const table *t)
{
  tns_arena *arena = w->arena;
  tns_loc loc = t->sym->loc;
  tns_node *node = tns_assign (arena, loc, element (w, t), TNS_NONE, t->value);
  node->name = t->sym->name;
  for (int l = t->n - 1; l >= 0; l--)
    {
      tns_node *body = tns_block (arena, loc);
      tns_block_add (arena, body, node);
      node = tns_node_copy (arena, t->loop[l]);
      node->body = body;
    }
  tns_node *then = tns_block (arena, loc);
  tns_block_add (arena, then, node);
  tns_block_add (arena, block, tns_local (arena, loc, t->sym));
  tns_block_add (arena, block, tns_if (arena, loc, t->when, then, NULL));
}

static void rebuild (work *w, tns_node *block, tns_node *node);

/* NODE, a BLOCK, with the tables of the loops in it.  */
static tns_node *
rebuild_block (work *w, tns_node *node)
{
  tns_node *made = tns_block (w->arena, node->loc);
  for (int k = 0; k < node->n_kids; k++)
    rebuild (w, made, node->kid[k]);
  return made;
}

/* Append to BLOCK: NODE, and before it the tables that it owns.  */
static void
rebuild (work *w, tns_node *block, tns_node *node)
{
  tns_node *made = tns_node_copy (w->arena, node);
  if (node->kind == TNS_LOOP)
    {
      if (runs_often (w, node))
        made = rebuild_inside (w, node);
      w->changed |= w->n_tables > 0;
      for (int k = 0; k < w->n_tables; k++)
        add_table (w, block, &w->table[k]);
      w->n_tables = 0;
      made->body = rebuild_block (w, made->body);
    }
  if (node->kind == TNS_BLOCK)
    made = rebuild_block (w, node);
  if (node->kind == TNS_IF)
    {
      made->then = rebuild_block (w, node->then);
      made->otherwise
        = node->otherwise ? rebuild_block (w, node->otherwise) : NULL;
    }
  tns_block_add (w->arena, block, made);
}

tns_region *
tns_region_table (tns_ctx *ctx, tns_region *region)
{
  if (!region || tns_wish_names_loops (&ctx->wish))
    return region;
  tns_region *made = tns_region_copy (ctx->arena, region);
  work w = { .ctx = ctx, .arena = ctx->arena, .region = made };
  made->body = rebuild_block (&w, region->body);
  return w.changed ? made : region;
}
