/* The forward pass, as autodiff/tangent.h says: the function's statements, each
   behind its tangent, then those dropped that no tangent needs.  */

#include "autodiff/tangent.h"

#include "autodiff/ahead.h"
#include "autodiff/partial.h"
#include "ir/handed.h"
#include "ir/walk.h"

/* A pass.  read: by symbol id of the function's, somebody needs what it
   holds.  */
typedef struct pass
{
  const tns_tangent *about;
  tns_arena *arena;
  tns_partials partials;
  bool *read;
  bool more;
  bool failed;
} pass;

/* Values stand where they stood.  */
static tns_expr *
same (void *self, tns_expr *expr)
{
  (void) self;
  return expr;
}

/* Append to BLOCK: what PLACE, a tangent of SYM, holds is known outside.  */
static void
hand_on (pass *p, tns_node *block, const tns_sym *sym, tns_expr *place)
{
  tns_sym *outside = p->about->through[sym->id];
  if (outside)
    tns_block_add (p->arena, block,
                   tns_assign (p->arena, place->loc,
                               tns_load (p->arena, outside, place->arg),
                               TNS_NONE, place));
}

/* Append PLACE += DOT, each term of DOT in a statement of its own, so that each
   may be a product.  */
static void
add_terms (pass *p, tns_node *block, tns_expr *place, tns_expr *dot)
{
  bool splits = dot->op == TNS_ADD && !tns_expr_mentions (dot, place->sym);
  if (splits)
    for (int k = 0; k < 2; k++)
      add_terms (p, block, place, dot->arg[k]);
  else
    tns_block_add (p->arena, block,
                   tns_assign (p->arena, place->loc, place, TNS_ADD, dot));
}

/* BOTH, which gets the tangent of NODE, a call of a function that works on
   arrays, and NODE.  */
static tns_node *
with_call (pass *p, tns_node *both, tns_node *node)
{
  p->failed |= !tns_ahead_call (p->about, &p->partials, both, node);
  tns_partials_settle (both, node);
  tns_block_add (p->arena, both, node);
  return both;
}

/* The tangent of NODE, an ASSIGN, and NODE.  */
static tns_node *
with_tangent (pass *p, tns_node *node)
{
  tns_arena *arena = p->arena;
  const tns_sym *sym = node->target->sym;
  tns_node *both = tns_block (arena, node->loc);
  tns_expr *made = tns_assign_value (arena, node);
  tns_expr *dot;
  if (!p->about->tangent[sym->id])
    return node;
  if (tns_node_is_call (node))
    return with_call (p, both, node);
  if (!tns_partials_tangent (&p->partials, both, made, &dot))
    p->failed = true;
  bool adds = node->update == TNS_ADD;
  tns_expr *place = tns_partials_place (&p->partials, node->target);
  if (!dot && !adds)
    dot = tns_real (arena, place->type.elem, 0);
  if (dot && adds)
    add_terms (p, both, place, dot);
  else if (dot)
    tns_block_add (arena, both,
                   tns_assign (arena, node->loc, place, TNS_NONE, dot));
  hand_on (p, both, sym, place);
  tns_partials_settle (both, node);
  tns_block_add (arena, both, node);
  return both;
}

/* The changer of nodes: statements and locals with their tangents.  */
static tns_node *
add_tangent (tns_node *node, void *self)
{
  pass *p = self;
  if (node->kind == TNS_ASSIGN)
    return with_tangent (p, node);
  tns_sym *dot
    = node->kind == TNS_LOCAL ? p->about->tangent[node->sym->id] : NULL;
  if (!dot)
    return node;
  tns_node *both = tns_block (p->arena, node->loc);
  tns_block_add (p->arena, both, node);
  tns_block_add (p->arena, both, tns_local (p->arena, node->loc, dot));
  return both;
}

/* NODE stores what nobody has asked for so far.  */
static bool
is_idle (const pass *p, const tns_node *node)
{
  const tns_sym *sym = node->target->sym;
  return sym->id < p->about->view->region->n_syms && !p->read[sym->id];
}

/* The visitor that finds a store that is asked for.  */
static bool
find_work (tns_node *node, void *self)
{
  pass *p = ((void **) self)[0];
  bool *found = ((void **) self)[1];
  *found |= node->kind == TNS_ASSIGN && !is_idle (p, node);
  return !*found;
}

/* The visitor of what is read.  */
static bool
note_read (tns_expr *expr, void *self)
{
  pass *p = self;
  int n = p->about->view->region->n_syms;
  if (tns_expr_reads (expr) && expr->sym->id < n && !p->read[expr->sym->id])
    p->more = p->read[expr->sym->id] = true;
  return true;
}

/* The visitor of nodes that reads what NODE needs, if it does anything.  */
static bool
note_node (tns_node *node, void *self)
{
  pass *p = self;
  bool works = false;
  void *search[] = { p, &works };
  tns_node_walk (node, find_work, search);
  if (!works)
    return false;
  tns_expr_walk (node->lo, note_read, p);
  tns_expr_walk (node->hi, note_read, p);
  tns_expr_walk (node->cond, note_read, p);
  tns_expr_walk (node->value, note_read, p);
  for (int k = 0; node->target && k < node->target->n_args; k++)
    tns_expr_walk (node->target->arg[k], note_read, p);
  return true;
}

/* The changer of nodes that drops what is idle.  */
static tns_node *
drop_idle (tns_node *node, void *self)
{
  const pass *p = self;
  bool is_empty = node->kind == TNS_IF && node->then->n_kids == 0
                  && (!node->otherwise || node->otherwise->n_kids == 0);
  bool is_idle_store = node->kind == TNS_ASSIGN && is_idle (p, node);
  return is_empty || is_idle_store ? NULL : node;
}

tns_node *
tns_tangent_build (const tns_tangent *about)
{
  tns_arena *arena = about->ctx->arena;
  tns_region *f = about->view->region;
  pass p = { .about = about, .arena = arena };
  p.partials
    = (tns_partials){ about->ctx, about->region, about->tangent, same, NULL };
  p.read = TNS_NEW_ARRAY (arena, bool, f->n_syms + 1);
  for (int k = 0; about->wanted && k < f->n_syms; k++)
    p.read[k] = about->wanted[k];
  tns_node *made = tns_node_rebuild (arena, f->body, add_tangent, NULL, &p);
  if (p.failed)
    return NULL;
  do
    {
      p.more = false;
      tns_node_walk (made, note_node, &p);
    }
  while (p.more);
  return tns_node_rebuild (arena, made, drop_idle, NULL, &p);
}
