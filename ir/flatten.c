/* Two loops as one, as ir/flatten.h says.

   A nest of i and j, where j has M iterations, may become one loop i_j when
   all that its body does with i and j is to name elements X[.., i, j, ..] of
   arrays whose rows have M elements; X then has one subscript less.  All other
   accesses of X must go with that: each is in such a nest and has the pair at
   the same place.  So nests and arrays drop out until none is left that holds
   another back.  What is left is done; then the next pair of loops further
   out.

   Rows of LONG elements gain nothing.  A clause that names loops keeps
   them.

   Does not do: loops that begin elsewhere than at 0, arrays with strides of
   their own, bodies with loops.  */

#include "ir/flatten.h"

#include "base/section.h"
#include "ir/exchange.h"
#include "ir/simplify.h"

enum
{
  LONG = 256,
  MOST_NESTS = 32
};

/* outer, inner  the loops
   good          nothing is known that keeps them apart
   iter          of the one loop  */
typedef struct nest
{
  const tns_node *outer;
  const tns_node *inner;
  bool good;
  tns_sym *iter;
} nest;

/* used[s]   loops whose iterator is the symbol s
   at[s]     the second subscript of the pair in the array s; 0: unknown
   keeps[s]  some access of the array s has none
   here      the nest that is looked at, or NULL
   changed   a nest or an array has dropped out  */
typedef struct finder
{
  tns_ctx *ctx;
  const tns_region *region;
  int *used;
  int *at;
  bool *keeps;
  int n;
  nest nest[MOST_NESTS];
  nest *here;
  bool changed;
} finder;

/* The only loop that NODE's body holds, or NULL.  */
static tns_node *
only_loop (const tns_node *node)
{
  tns_node *body = node->body;
  while (body->kind == TNS_BLOCK && body->n_kids == 1)
    body = body->kid[0];
  return body->kind == TNS_LOOP ? body : NULL;
}

/* The visitor that finds a loop.  */
static bool
note_loop (tns_node *node, void *self)
{
  bool *some = self;
  *some |= node->kind == TNS_LOOP;
  return !*some;
}

/* Rows of LOOP are known to be long.  */
static bool
is_long (const tns_node *loop)
{
  long long hi;
  return tns_expr_is_int (loop->hi, &hi) && hi >= LONG;
}

/* N's line of a plan; NULL when its statements have no name.  */
static const char *
line_of (const finder *f, const nest *n)
{
  const char *stmt = tns_node_first_name (n->inner);
  return stmt ? tns_arena_format (f->ctx->arena, "flatten %s %s in %s",
                                  tns_sym_words (n->outer->iter),
                                  tns_sym_words (n->inner->iter), stmt)
              : NULL;
}

/* N's rows may gain, or a user's plan says so.  */
static bool
is_wanted (const finder *f, const nest *n)
{
  const char *line = line_of (f, n);
  if (line && tns_plan_line (f->ctx, f->region->name, ""))
    return tns_plan_has_line (f->ctx, f->region->name, line);
  return line && !is_long (n->inner);
}

/* The visitor that lists the nests that may be.  */
static bool
list_nest (tns_node *node, void *self)
{
  finder *f = self;
  tns_node *inner = node->kind == TNS_LOOP ? only_loop (node) : NULL;
  bool loops = false;
  if (!inner || f->n == MOST_NESTS || !tns_loop_is_plain (node)
      || !tns_loop_is_plain (inner) || f->used[node->iter->id] > 1
      || f->used[inner->iter->id] > 1
      || tns_expr_mentions (inner->hi, node->iter))
    return true;
  tns_node_walk (inner->body, note_loop, &loops);
  nest *made = &f->nest[f->n];
  *made = (nest){ node, inner, true, NULL };
  f->n += !loops && is_wanted (f, made);
  return true;
}

/* The second subscript of HERE's pair in LOAD, or 0.  */
static int
pair_in (const finder *f, const nest *here, const tns_expr *load)
{
  bool any = tns_ctx_breaks (f->ctx, "flatten");
  for (int k = 1; k < load->n_args; k++)
    if (load->arg[k - 1]->op == TNS_SYM
        && load->arg[k - 1]->sym == here->outer->iter
        && load->arg[k]->op == TNS_SYM && load->arg[k]->sym == here->inner->iter
        && load->sym->extent[k]
        && (any || tns_expr_equal (load->sym->extent[k], here->inner->hi)))
      return k;
  return 0;
}

/* SYM may have a subscript less.  */
static bool
is_candidate (const finder *f, const tns_sym *sym)
{
  const tns_node *before = f->region->before;
  return !sym->stride && !tns_sym_is_local (sym)
         && !tns_region_has_still (f->region, sym)
         && !(before && tns_node_mentions ((tns_node *) before, sym));
}

/* FLAG, where nothing has dropped out yet, is what drops out now.  */
static void
drop (finder *f, bool *flag, bool value)
{
  f->changed |= *flag != value;
  *flag = value;
}

/* The visitor of expressions: what they say of nests and arrays.  */
static bool
look (tns_expr *expr, void *self)
{
  finder *f = self;
  nest *here = f->here && f->here->good ? f->here : NULL;
  if (here && expr->op == TNS_SYM
      && (expr->sym == here->outer->iter || expr->sym == here->inner->iter))
    drop (f, &here->good, false);
  if (expr->op != TNS_LOAD)
    return true;
  int id = expr->sym->id;
  int k = here ? pair_in (f, here, expr) : 0;
  bool fits
    = k && is_candidate (f, expr->sym) && (!f->at[id] || f->at[id] == k);
  if (!fits)
    drop (f, &f->keeps[id], true);
  if (k && f->keeps[id])
    drop (f, &here->good, false);
  if (!fits)
    return true;
  f->at[id] = k;
  for (int a = 0; a < expr->n_args; a++)
    if (a != k && a != k - 1)
      tns_expr_walk (expr->arg[a], look, f);
  return false;
}

/* The visitor of nodes.  */
static bool
look_below (tns_node *node, void *self)
{
  finder *f = self;
  nest *outside = f->here;
  for (int k = 0; k < f->n; k++)
    if (f->nest[k].outer == node)
      f->here = &f->nest[k];
  tns_node_exprs (node, look, f);
  for (int k = 0; k < node->n_kids; k++)
    look_below (node->kid[k], f);
  tns_node *part[] = { node->body, node->then, node->otherwise };
  for (int k = 0; k < 3; k++)
    if (part[k])
      look_below (part[k], f);
  f->here = outside;
  return true;
}

/* The nest of F that has the outer iterator ITER and is left.  */
static const nest *
nest_of (const finder *f, const tns_sym *iter)
{
  for (int k = 0; k < f->n; k++)
    if (f->nest[k].good && f->nest[k].outer->iter == iter)
      return &f->nest[k];
  return NULL;
}

/* max (A, 0) * B.  */
static tns_expr *
product_of (tns_ctx *ctx, tns_expr *a, tns_expr *b)
{
  a = tns_binary (ctx->arena, TNS_MAX, a, tns_int (ctx->arena, 0));
  return tns_expr_simplify (ctx, tns_binary (ctx->arena, TNS_MUL, a, b));
}

/* SYM with its subscripts K - 1 and K as one.  */
static tns_sym *
flat_symbol (tns_ctx *ctx, const tns_sym *sym, int k)
{
  tns_sym *made = TNS_NEW (ctx->arena, tns_sym);
  *made = *sym;
  made->rank--;
  made->extent = TNS_NEW_ARRAY (ctx->arena, tns_expr *, sym->rank);
  for (int d = 0; d < made->rank; d++)
    made->extent[d] = sym->extent[d < k ? d : d + 1];
  if (sym->extent[k - 1])
    made->extent[k - 1] = product_of (ctx, sym->extent[k - 1], sym->extent[k]);
  return made;
}

/* The exchange of one symbol.  */
typedef struct exchange
{
  const finder *f;
  const tns_sym *old;
  tns_sym *made;
  int k;
} exchange;

/* One node of an expression.  */
static tns_expr *
change_part (tns_expr *expr, void *self)
{
  const exchange *e = self;
  tns_arena *arena = e->f->ctx->arena;
  if (expr->op != TNS_LOAD || expr->sym != e->old)
    return expr;
  tns_expr **arg = TNS_NEW_ARRAY (arena, tns_expr *, expr->n_args);
  for (int a = 0; a < e->made->rank; a++)
    arg[a] = expr->arg[a < e->k ? a : a + 1];
  const nest *n = nest_of (e->f, arg[e->k - 1]->sym);
  arg[e->k - 1] = tns_value (arena, n->iter);
  tns_expr *made = tns_load (arena, e->made, arg);
  made->loc = expr->loc;
  return made;
}

/* One whole expression.  */
static tns_expr *
change_expr (tns_expr *expr, void *self)
{
  const exchange *e = self;
  return tns_expr_rebuild (e->f->ctx->arena, expr, change_part, self);
}

/* A nest becomes one loop.  */
static tns_node *
change_node (tns_node *node, void *self)
{
  const finder *f = self;
  const nest *n = node->kind == TNS_LOOP ? nest_of (f, node->iter) : NULL;
  if (!n)
    return node;
  const tns_node *inner = only_loop (node);
  return tns_loop (f->ctx->arena, node->loc, n->iter, node->lo,
                   product_of (f->ctx, node->hi, inner->hi), 1, inner->body);
}

/* REGION with what is left in F done.  */
static tns_region *
apply (finder *f, tns_region *region, tns_text *steps)
{
  tns_arena *arena = f->ctx->arena;
  int n_syms = region->n_syms;
  region = tns_region_copy (arena, region);
  for (int k = 0; k < f->n; k++)
    if (f->nest[k].good)
      {
        nest *n = &f->nest[k];
        const char *name
          = tns_arena_format (arena, "%s_%s", tns_sym_words (n->outer->iter),
                              tns_sym_words (n->inner->iter));
        n->iter = tns_region_add_iter (arena, region, name);
        n->iter->spelled = name;
        tns_text_format (steps, "%s\n", line_of (f, n));
      }
  for (int id = 0; id < n_syms; id++)
    if (f->at[id] && !f->keeps[id])
      {
        const tns_sym *old = region->syms[id];
        exchange e
          = { f, old, flat_symbol (f->ctx, old, f->at[id]), f->at[id] };
        region
          = tns_region_exchange (arena, region, old, e.made, change_expr, &e);
      }
  region->body = tns_node_rebuild (arena, region->body, change_node, NULL, f);
  return region;
}

/* The innermost pairs of REGION's loops; REGION itself when there are none.  */
static tns_region *
flatten_once (tns_ctx *ctx, tns_region *region, tns_text *steps)
{
  finder *f = TNS_NEW (ctx->arena, finder);
  f->ctx = ctx;
  f->region = region;
  f->used = tns_region_loops_of (ctx->arena, region);
  f->at = TNS_NEW_ARRAY (ctx->arena, int, region->n_syms + 1);
  f->keeps = TNS_NEW_ARRAY (ctx->arena, bool, region->n_syms + 1);
  tns_node_walk (region->body, list_nest, f);
  do
    {
      f->changed = false;
      look_below (region->body, f);
    }
  while (f->changed);
  bool some = false;
  for (int k = 0; k < f->n; k++)
    some |= f->nest[k].good;
  return some ? apply (f, region, steps) : region;
}

tns_region *
tns_region_flatten (tns_ctx *ctx, tns_region *region, tns_text *steps)
{
  if (!region || tns_wish_names_loops (&ctx->wish))
    return region;
  for (tns_region *before = NULL; before != region;)
    {
      before = region;
      region = flatten_once (ctx, region, steps);
    }
  return region;
}
