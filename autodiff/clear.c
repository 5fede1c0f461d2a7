/* Clearing nests, as autodiff/clear.h says: for each store, or read, from it
   outwards.  */

#include "autodiff/clear.h"

#include "autodiff/hull.h"
#include "autodiff/partial.h"

#include "ir/walk.h"

/* What is evaluated at site SITE of VIEW.

   computed  of what the function computes, which is only known there
   depth     how many cells have been read through
   lenient   IFs whose conditions are computed are taken to hold  */
typedef struct search
{
  tns_arena *arena;
  const tns_view *view;
  int site;
  int depth;
  bool computed;
  bool lenient;
} search;

enum
{
  MOST_DEPTH = 8
};

/* The visitor that finds what is computed.  */
static bool
note_computed (tns_expr *expr, void *self)
{
  search *s = self;
  s->computed |= tns_expr_reads (expr)
                 && (tns_sym_is_local (expr->sym)
                     || tns_node_writes (s->view->region->body, expr->sym));
  return !s->computed;
}

/* The visitor that finds floating numbers, which might be rounded otherwise
   when they are computed again.  */
static bool
note_floating (tns_expr *expr, void *self)
{
  bool *found = self;
  *found |= tns_elem_class (expr->type.elem) == 'F';
  return !*found;
}

/* The only statement of VIEW that stores to the cell SYM, its site; -1 where
   there are none or several.  */
static int
only_store (const tns_view *view, const tns_sym *sym)
{
  int found = -1;
  for (int s = 0; s < view->n_sites; s++)
    {
      const tns_node *node = view->site[s].node;
      if (node->kind != TNS_ASSIGN || node->target->sym != sym)
        continue;
      if (found >= 0 || !tns_node_sets_cell (node) || node->update != TNS_NONE)
        return -1;
      found = s;
    }
  return found;
}

/* Whenever site S is reached site STORE, before it, has just been.  */
static bool
is_right_behind (const tns_view *view, int store, int s)
{
  int around = view->site[store].under;
  if (store >= s)
    return false;
  if (around < 0)
    return true;
  const tns_node *node = view->site[around].node;
  const tns_node *at = view->site[s].node;
  if (node->kind == TNS_LOOP)
    return tns_node_holds (node->body, at);
  bool is_then = tns_node_holds (node->then, view->site[store].node);
  tns_node *branch = is_then ? node->then : node->otherwise;
  return branch && tns_node_holds (branch, at);
}

static tns_expr *read_through (search *s, tns_expr *expr);

/* The changer of read_through: a cell's value takes its place.  */
static tns_expr *
value_of_cell (tns_expr *expr, void *self)
{
  search *s = self;
  bool floats = false;
  if (expr->op != TNS_LOAD || expr->n_args > 0 || !tns_sym_is_local (expr->sym)
      || s->depth == MOST_DEPTH)
    return expr;
  int store = only_store (s->view, expr->sym);
  if (store < 0 || !is_right_behind (s->view, store, s->site))
    return expr;
  tns_expr *value = s->view->site[store].node->value;
  tns_expr_walk (value, note_floating, &floats);
  search there = { s->arena, s->view, store, s->depth + 1, false, false };
  return floats ? expr : read_through (&there, value);
}

/* EXPR, evaluated at S's site, with integer cells that are stored to once, for
   what follows, read through.  */
static tns_expr *
read_through (search *s, tns_expr *expr)
{
  return tns_expr_rebuild (s->arena, expr, value_of_cell, s);
}

/* EXPR at S's site in terms of what the function only reads; S knows where
   that fails.  */
static tns_expr *
known (search *s, tns_expr *expr)
{
  expr = read_through (s, expr);
  tns_expr_walk (expr, note_computed, s);
  return expr;
}

/* NODE under LOOP, S's site: in a loop like it, or where it runs at all.  */
static tns_node *
under_loop (search *s, const tns_node *loop, tns_node *node)
{
  tns_arena *arena = s->arena;
  tns_node *body = tns_block (arena, node->loc);
  tns_op order = loop->step > 0 ? TNS_LT : TNS_GT;
  tns_expr *lo = known (s, loop->lo);
  tns_expr *hi = known (s, loop->hi);
  tns_block_add (arena, body, node);
  if (tns_node_mentions (node, loop->iter))
    return tns_loop (arena, node->loc, loop->iter, lo, hi, loop->step, body);
  return tns_if (arena, node->loc, tns_binary (arena, order, lo, hi), body,
                 NULL);
}

/* NODE, which takes the place of SITE, under CHOICE, an IF around that and S's
   site.  */
static tns_node *
under_if (search *s, const tns_node *choice, const tns_node *site,
          tns_node *node)
{
  tns_node *body = tns_block (s->arena, node->loc);
  search there = { s->arena, s->view, s->site, 0, false, false };
  tns_expr *cond = known (&there, choice->cond);
  if (there.computed && s->lenient)
    return node;
  s->computed |= there.computed;
  tns_block_add (s->arena, body, node);
  if (!tns_node_holds (choice->then, site))
    cond = tns_unary (s->arena, TNS_LNOT, cond);
  return tns_if (s->arena, node->loc, cond, body, NULL);
}

/* NODE under ARMS, conditions at S's site that are not all of it.  */
static tns_node *
under_arms (search *s, const tns_known *arms, tns_node *node)
{
  for (; arms; arms = arms->next)
    {
      tns_node *body = tns_block (s->arena, node->loc);
      tns_expr *cond = known (s, arms->cond);
      tns_block_add (s->arena, body, node);
      if (arms->negated)
        cond = tns_unary (s->arena, TNS_LNOT, cond);
      node = tns_if (s->arena, node->loc, cond, body, NULL);
    }
  return node;
}

/* The nest that clears TARGET where site S comes to ACCESS, under ARMS, NULL:
   always; NULL where that depends on what is computed.  A read's IFs may be
   left out, as they are where its rows are asked for.  */
static tns_node *
nest_of (tns_arena *arena, const tns_view *view, int s, const tns_expr *access,
         const tns_known *arms, tns_sym *target)
{
  const tns_node *site = view->site[s].node;
  bool is_read = access != site->target;
  search look = { arena, view, s, 0, false, is_read };
  tns_expr **place = TNS_NEW_ARRAY (arena, tns_expr *, access->n_args + 1);
  for (int k = 0; k < access->n_args; k++)
    place[k] = known (&look, access->arg[k]);
  tns_node *made
    = tns_assign (arena, site->loc, tns_load (arena, target, place), TNS_NONE,
                  tns_real (arena, target->type.elem, 0));
  made = under_arms (&look, arms, made);
  for (int at = view->site[s].under; at >= 0; at = view->site[at].under)
    {
      const tns_node *around = view->site[at].node;
      look.site = at;
      made = around->kind == TNS_LOOP ? under_loop (&look, around, made)
                                      : under_if (&look, around, site, made);
    }
  return look.computed ? NULL : made;
}

bool
tns_clear_written (tns_arena *arena, const tns_view *view, const tns_sym *sym,
                   tns_sym *target, tns_node *block)
{
  tns_node *made = tns_block (arena, view->region->body->loc);
  for (int s = 0; s < view->n_sites; s++)
    {
      const tns_node *node = view->site[s].node;
      if (node->kind != TNS_ASSIGN || node->target->sym != sym)
        continue;
      tns_node *nest = nest_of (arena, view, s, node->target, NULL, target);
      if (!nest)
        return false;
      tns_block_add (arena, made, nest);
    }
  for (int k = 0; k < made->n_kids; k++)
    tns_block_add (arena, block, made->kid[k]);
  return true;
}

/* What reads SYM, at site SITE: BLOCK gets the nests that clear TARGET there;
   FAILED: not all of them are known.  */
typedef struct reads
{
  tns_arena *arena;
  const tns_view *view;
  int site;
  const tns_sym *sym;
  tns_sym *target;
  tns_node *block;
  bool failed;
} reads;

/* EXPR, of R's site, read under ARMS; an adjoint goes to it where it is
   ACTIVE.  */
static void
add_reads (reads *r, tns_expr *expr, bool active, const tns_known *arms)
{
  if (!expr)
    return;
  if (expr->op == TNS_LOAD && expr->sym == r->sym && !active)
    {
      tns_node *nest
        = nest_of (r->arena, r->view, r->site, expr, arms, r->target);
      r->failed |= !nest;
      if (nest)
        tns_block_add (r->arena, r->block, nest);
    }
  for (int k = 0; k < expr->n_args; k++)
    {
      bool chosen = expr->op == TNS_SELECT && k > 0;
      bool later = (expr->op == TNS_LAND || expr->op == TNS_LOR) && k > 0;
      bool negated = chosen ? k == 2 : expr->op == TNS_LOR;
      tns_known arm = { expr->arg[0], negated, arms };
      add_reads (r, expr->arg[k], active && tns_expr_depends (expr, k),
                 chosen || later ? &arm : arms);
    }
}

/* The reads of site S; ADJOINT by symbol id.  */
static void
add_site (reads *r, int s, tns_sym *const *adjoint)
{
  const tns_node *node = r->view->site[s].node;
  r->site = s;
  if (node->kind == TNS_ASSIGN)
    {
      const tns_sym *target = node->target->sym;
      for (int k = 0; k < node->target->n_args; k++)
        add_reads (r, node->target->arg[k], false, NULL);
      add_reads (r, node->value, adjoint[target->id] != NULL, NULL);
    }
  add_reads (r, node->cond, false, NULL);
  add_reads (r, node->lo, false, NULL);
  add_reads (r, node->hi, false, NULL);
}

bool
tns_clear_idle (tns_arena *arena, const tns_view *view, tns_sym *const *adjoint,
                const tns_sym *sym, tns_sym *target, tns_node *block)
{
  reads r = { .arena = arena, .view = view, .sym = sym, .target = target };
  r.block = block;
  for (int s = 0; s < view->n_sites; s++)
    add_site (&r, s, adjoint);
  return !r.failed;
}
