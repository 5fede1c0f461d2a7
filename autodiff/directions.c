/* Wider tangents, as autodiff/directions.h says.

   1. spread   an array is wide when one of its elements is made of a wide one
   2. symbols  a new one for each wide array
   3. rewrite  in each block the longest runs of statements that store to wide
               arrays alone go into a loop; a cell that only one run uses stays
               a cell, in its loop  */

#include "autodiff/directions.h"

#include "ir/walk.h"

/* The work.

   wide   by symbol id: the array is wide
   to     by symbol id: the wider array, NULL: a cell of one run, or not wide
   iter   of the run that is being rewritten  */
typedef struct work
{
  tns_arena *arena;
  tns_region *region;
  tns_gradient_wish *wish;
  int n_syms;
  bool *wide;
  tns_sym **to;
  tns_sym *iter;
  bool more;
} work;

/* What is asked of expressions.  */
typedef struct question
{
  const work *w;
  const tns_sym *sym;
  bool found;
  int n;
} question;

/* The visitor that finds a wide array.  */
static bool
find_wide (tns_expr *expr, void *self)
{
  question *q = self;
  q->found |= tns_expr_reads (expr) && q->w->wide[expr->sym->id];
  return !q->found;
}

/* The visitor that spreads.  */
static bool
spread (tns_node *node, void *self)
{
  work *w = self;
  question q = { w, NULL, false, 0 };
  if (node->kind != TNS_ASSIGN || w->wide[node->target->sym->id])
    return true;
  tns_expr_walk (node->value, find_wide, &q);
  w->more |= q.found;
  w->wide[node->target->sym->id] = q.found;
  return true;
}

/* Stores of a node.  */
typedef struct stores
{
  const work *w;
  bool wide;
  bool other;
} stores;

/* The visitor of them.  */
static bool
note_store (tns_node *node, void *self)
{
  stores *s = self;
  if (node->kind != TNS_ASSIGN)
    return true;
  bool is_wide = s->w->wide[node->target->sym->id];
  s->wide |= is_wide;
  s->other |= !is_wide;
  return true;
}

/* NODE stores to wide arrays alone, or begins the life of one.  */
static bool
is_wide_node (const work *w, tns_node *node)
{
  stores s = { w, false, false };
  if (node->kind == TNS_LOCAL)
    return w->wide[node->sym->id];
  tns_node_walk (node, note_store, &s);
  return s.wide && !s.other;
}

/* The visitor that counts what an expression names.  */
static bool
count_expr (tns_expr *expr, void *self)
{
  question *q = self;
  q->n += expr->sym == q->sym;
  return true;
}

/* The same of nodes.  */
static bool
count_node (tns_node *node, void *self)
{
  tns_node_exprs (node, count_expr, self);
  return true;
}

/* How often KID[0..N) name SYM.  */
static int
count (tns_node *const *kid, int n, const tns_sym *sym)
{
  question q = { NULL, sym, false, 0 };
  for (int k = 0; k < n; k++)
    tns_node_walk (kid[k], count_node, &q);
  return q.n;
}

/* The LOCAL SYM, one dimension wider.  */
static tns_sym *
wider_local (work *w, const tns_sym *sym)
{
  tns_sym *made
    = tns_region_add_array (w->arena, w->region, sym->name, sym->type.elem,
                            sym->rank + 1, TNS_SYM_LOCAL);
  made->loc = sym->loc;
  made->spelled = sym->spelled;
  made->extent[0] = w->wish->directions;
  for (int k = 0; k < sym->rank; k++)
    made->extent[k + 1] = sym->extent[k];
  return made;
}

/* The changer of one node of an expression.  */
static tns_expr *
rewrite (tns_expr *expr, void *self)
{
  work *w = self;
  tns_sym *to
    = expr->sym && expr->sym->id < w->n_syms ? w->to[expr->sym->id] : NULL;
  if (!to)
    return expr;
  tns_expr **sub = TNS_NEW_ARRAY (w->arena, tns_expr *, to->rank);
  sub[0] = tns_value (w->arena, w->iter);
  for (int k = 0; k < expr->n_args; k++)
    sub[k + 1] = expr->arg[k];
  tns_expr *load = tns_load (w->arena, to, sub);
  load->loc = expr->loc;
  return load;
}

/* The changer of whole expressions.  */
static tns_expr *
rewrite_whole (tns_expr *expr, void *self)
{
  work *w = self;
  return tns_expr_rebuild (w->arena, expr, rewrite, w);
}

/* The changer of nodes in a run.  */
static tns_node *
rewrite_node (tns_node *node, void *self)
{
  work *w = self;
  if (node->kind == TNS_LOCAL && w->to[node->sym->id])
    node->sym = w->to[node->sym->id];
  return node;
}

/* Append KID[0..N), a run, to BLOCK: locals that others use too, then the loop
   over the directions.  */
static void
add_run (work *w, tns_node *block, tns_node *const *kid, int n)
{
  tns_arena *arena = w->arena;
  tns_node *body = tns_block (arena, kid[0]->loc);
  w->iter = tns_region_add_iter (arena, w->region, "d");
  for (int k = 0; k < n; k++)
    {
      tns_node *made
        = tns_node_rebuild (arena, kid[k], rewrite_node, rewrite_whole, w);
      bool stays = made->kind == TNS_LOCAL && w->to[kid[k]->sym->id];
      tns_block_add (arena, stays ? block : body, made);
    }
  if (body->n_kids)
    tns_block_add (arena, block,
                   tns_loop (arena, kid[0]->loc, w->iter, tns_int (arena, 0),
                             w->wish->directions, 1, body));
}

/* The wide LOCALs among KID[0..N), a run, that all of the region names in this
   run only stay as they are; others become wider.  */
static void
choose_locals (work *w, tns_node *const *kid, int n)
{
  for (int k = 0; k < n; k++)
    if (kid[k]->kind == TNS_LOCAL && !w->to[kid[k]->sym->id])
      {
        const tns_sym *sym = kid[k]->sym;
        if (sym->rank > 0
            || count (kid, n, sym) != count (&w->region->body, 1, sym))
          w->to[sym->id] = wider_local (w, sym);
      }
}

/* The length of the run that begins at kid FIRST of BLOCK.  */
static int
run_length (const work *w, const tns_node *block, int first)
{
  int n = 0;
  while (first + n < block->n_kids && is_wide_node (w, block->kid[first + n]))
    n++;
  return n;
}

/* The visitor that chooses for all runs.  */
static bool
choose (tns_node *node, void *self)
{
  work *w = self;
  if (node->kind != TNS_BLOCK)
    return !is_wide_node (w, node);
  for (int k = 0; k < node->n_kids;)
    {
      int n = run_length (w, node, k);
      choose_locals (w, node->kid + k, n);
      k += n > 0 ? n : 1;
    }
  return true;
}

static tns_node *widen_block (work *w, const tns_node *block);

/* NODE, which does other things too, with loops in it.  */
static tns_node *
widen_node (work *w, const tns_node *node)
{
  tns_node *made = tns_node_copy (w->arena, node);
  if (node->kind == TNS_BLOCK)
    return widen_block (w, node);
  if (node->kind == TNS_LOOP)
    made->body = widen_block (w, node->body);
  if (node->kind == TNS_IF)
    {
      made->then = widen_block (w, node->then);
      made->otherwise
        = node->otherwise ? widen_block (w, node->otherwise) : NULL;
    }
  return made;
}

/* BLOCK with loops.  */
static tns_node *
widen_block (work *w, const tns_node *block)
{
  tns_node *made = tns_block (w->arena, block->loc);
  for (int k = 0; k < block->n_kids;)
    {
      int n = run_length (w, block, k);
      if (n > 0)
        add_run (w, made, block->kid + k, n);
      else
        tns_block_add (w->arena, made, widen_node (w, block->kid[k]));
      k += n > 0 ? n : 1;
    }
  return made;
}

/* MADE is called what SYM, which it stands for, was called; nothing is left of
   SYM but its place in the table.  */
static void
take_name (tns_sym *made, tns_sym *sym)
{
  sym->flags |= TNS_SYM_LOCAL;
  sym->rank = 0;
  const char *name = made->name;
  made->name = sym->name;
  sym->name = name;
}

/* MADE's first subscript counts ROW elements, the others are dense.  */
static void
set_strides (work *w, tns_sym *made, tns_expr *row)
{
  tns_expr *step = tns_int (w->arena, 1);
  made->stride = TNS_NEW_ARRAY (w->arena, tns_expr *, made->rank);
  for (int k = made->rank - 1; k > 0; k--)
    {
      made->stride[k] = step;
      step = tns_binary (w->arena, TNS_MUL, step, made->extent[k]);
    }
  made->stride[0] = row;
}

/* The adjoint of SEED, a parameter, wider.  */
static tns_sym *
wider_parameter (work *w, tns_seed *seed)
{
  tns_sym *sym = seed->adjoint;
  tns_sym *made = tns_region_add_array (
    w->arena, w->region, sym->name, sym->type.elem, sym->rank + 1, sym->flags);
  made->loc = sym->loc;
  made->spelled = sym->spelled;
  made->extent[0] = w->wish->directions;
  for (int k = 0; k < sym->rank; k++)
    made->extent[k + 1] = k > 0 || sym->extent[0] ? sym->extent[k] : seed->end;
  if (seed->row && sym->rank > 0)
    set_strides (w, made, seed->row);
  take_name (made, sym);
  return made;
}

/* REGION lists the wider parameters.  */
static void
set_parameters (work *w)
{
  tns_region *region = w->region;
  for (int k = 0; k < region->n_params; k++)
    if (w->to[region->params[k]->id])
      region->params[k] = w->to[region->params[k]->id];
  for (int k = 0; k < region->n_overlaps; k++)
    {
      tns_overlap *pair = &region->overlaps[k];
      pair->a = w->to[pair->a->id] ? w->to[pair->a->id] : pair->a;
      pair->b = w->to[pair->b->id] ? w->to[pair->b->id] : pair->b;
    }
}

tns_region *
tns_region_widen (tns_ctx *ctx, tns_region *region, tns_gradient_wish *wish)
{
  int n = region->n_syms;
  work w = { .arena = ctx->arena, .region = region, .wish = wish, .n_syms = n };
  w.wide = TNS_NEW_ARRAY (ctx->arena, bool, n + 1);
  w.to = TNS_NEW_ARRAY (ctx->arena, tns_sym *, n + 1);
  for (int k = 0; k < wish->n_seeds; k++)
    if (wish->seed[k].adjoint)
      w.wide[wish->seed[k].adjoint->id] = true;
  do
    {
      w.more = false;
      tns_node_walk (region->body, spread, &w);
    }
  while (w.more);
  for (int k = 0; k < wish->n_seeds; k++)
    if (wish->seed[k].adjoint)
      {
        int id = wish->seed[k].adjoint->id;
        w.to[id] = wider_parameter (&w, &wish->seed[k]);
        wish->seed[k].adjoint = w.to[id];
      }
  tns_node_walk (region->body, choose, &w);
  set_parameters (&w);
  region->body = widen_block (&w, region->body);
  return region;
}
