/* Parts of steered regions, as driver/parts.h says: cut out, planned, put
   back.  A symbol keeps its id in a part, where a cell that steers is a VALUE
   and what lives around the part is a parameter; the symbols that parts make
   are appended.  */

#include "driver/parts.h"

#include "base/text.h"
#include "ir/fresh.h"
#include "ir/verify.h"
#include "ir/walk.h"

/* A part.

   plain   its statements
   n       how many symbols there were before it was planned
   own     by symbol id: begins its life in it
   result  what the pipeline made of it, NULL: it stays  */
typedef struct part
{
  tns_node *plain;
  int n;
  bool *own;
  tns_result *result;
} part;

/* What is done with the parts.  */
typedef enum task
{
  PLAN,
  PUT_SCHEDULED,
  PUT_OUT
} task;

/* The work.

   made   the region that gets the parts
   at     the next part  */
typedef struct work
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *made;
  task task;
  int n_parts;
  part *parts;
  int at;
} work;

/* A change between a part's symbols and the region's.

   to  by symbol id  */
typedef struct exchange
{
  tns_arena *arena;
  int n;
  tns_sym **to;
} exchange;

/* Names of statements.  */
typedef struct namer
{
  tns_arena *arena;
  int n;
} namer;

/* SYM decides which loops run.  */
static bool
steers (const tns_sym *sym)
{
  return (sym->flags & TNS_SYM_STEERS) != 0;
}

/* Some symbol of REGION is of KIND and steers.  */
static bool
has_steering (const tns_region *region, tns_sym_kind kind)
{
  bool found = false;
  for (int k = 0; region && k < region->n_syms; k++)
    found |= region->syms[k]->kind == kind && steers (region->syms[k]);
  return found;
}

bool
tns_region_is_steered (const tns_region *region)
{
  return has_steering (region, TNS_SYM_ARRAY);
}

bool
tns_region_is_part (const tns_region *region)
{
  return has_steering (region, TNS_SYM_VALUE);
}

/* The visitor of what a condition asks, subscripts of arrays apart.  */
static bool
is_steering (tns_expr *expr, void *self)
{
  bool *found = self;
  *found |= expr->sym && steers (expr->sym);
  return !*found && !tns_expr_reads (expr);
}

/* The visitor that finds a store to what steers, its LOCAL, or an IF that
   asks it.  */
static bool
is_control (tns_node *node, void *self)
{
  bool *found = self;
  tns_expr_walk (node->cond, is_steering, found);
  *found |= node->kind == TNS_ASSIGN && steers (node->target->sym);
  *found |= node->kind == TNS_LOCAL && steers (node->sym);
  return !*found;
}

/* Something in NODE sets or asks what steers.  */
static bool
has_control (tns_node *node)
{
  bool found = false;
  tns_node_walk (node, is_control, &found);
  return found;
}

/* The changer of cells to VALUEs, and of VALUEs to cells.  */
static tns_expr *
exchange_cell (tns_expr *expr, void *self)
{
  const exchange *e = self;
  tns_sym *sym
    = expr->sym && expr->sym->id < e->n ? e->to[expr->sym->id] : NULL;
  if (!sym || sym->kind == expr->sym->kind)
    return expr;
  return sym->kind == TNS_SYM_VALUE ? tns_value (e->arena, sym)
                                    : tns_cell (e->arena, sym);
}

/* The changer of whole expressions.  */
static tns_expr *
exchange_cells (tns_expr *expr, void *self)
{
  const exchange *e = self;
  return tns_expr_rebuild (e->arena, expr, exchange_cell, self);
}

/* SYM's extents after E, in a copy of it.  */
static tns_sym *
with_extents (const exchange *e, const tns_sym *sym)
{
  tns_sym *made = TNS_NEW (e->arena, tns_sym);
  *made = *sym;
  if (sym->rank > 0)
    made->extent = TNS_NEW_ARRAY (e->arena, tns_expr *, sym->rank);
  for (int k = 0; k < sym->rank; k++)
    made->extent[k] = exchange_cells (sym->extent[k], (void *) e);
  return made;
}

/* NODE after E.  */
static tns_node *
exchange_node (const exchange *e, tns_node *node)
{
  node = tns_node_rebuild (e->arena, node, NULL, exchange_cells, (void *) e);
  return tns_node_renamed (e->arena, node, e->n, e->to);
}

/* The visitor that marks the LOCALs of a part.  */
static bool
mark_own (tns_node *node, void *self)
{
  part *p = self;
  if (node->kind == TNS_LOCAL)
    p->own[node->sym->id] = true;
  return true;
}

/* SYM is a cell that is set before the region's guards.  */
static bool
is_early (const work *w, const tns_sym *sym)
{
  const tns_node *before = w->made->before;
  for (int k = 0; before && k < before->n_kids; k++)
    if (before->kid[k]->kind == TNS_LOCAL && before->kid[k]->sym == sym)
      return true;
  return false;
}

/* The symbols of the region as part P knows them.  A cell that is set late is
   a VALUE that steers still.  */
static exchange
into (const work *w, const part *p)
{
  exchange e = { w->arena, p->n, TNS_NEW_ARRAY (w->arena, tns_sym *, p->n) };
  for (int k = 0; k < p->n; k++)
    if (steers (w->made->syms[k]))
      {
        e.to[k] = with_extents (&e, w->made->syms[k]);
        e.to[k]->kind = e.to[k]->rank ? TNS_SYM_ARRAY : TNS_SYM_VALUE;
        e.to[k]->flags = e.to[k]->rank || is_early (w, w->made->syms[k])
                           ? 0
                           : TNS_SYM_STEERS;
      }
  for (int k = 0; k < p->n; k++)
    if (w->made->syms[k]->kind == TNS_SYM_ARRAY && !e.to[k]
        && tns_sym_is_local (w->made->syms[k]))
      {
        e.to[k] = with_extents (&e, w->made->syms[k]);
        if (!p->own[k])
          e.to[k]->flags = TNS_SYM_OBJECT | TNS_SYM_RESTRICT;
      }
  return e;
}

/* The changer that names statements, in the order of the text.  */
static tns_node *
name_statement (tns_node *node, void *self)
{
  namer *n = self;
  if (node->kind == TNS_ASSIGN)
    node->name = tns_arena_format (n->arena, "S%d", ++n->n);
  return node;
}

/* A region of P's statements.  */
static tns_region *
cut_out (const work *w, const part *p)
{
  tns_region *region = tns_region_copy (w->arena, w->made);
  exchange e = into (w, p);
  region->name = tns_arena_format (w->arena, "%s_%d", region->name, w->at + 1);
  region->body = tns_block (w->arena, p->plain->loc);
  namer names = { w->arena, 0 };
  tns_block_add (w->arena, region->body,
                 tns_node_rebuild (w->arena, exchange_node (&e, p->plain),
                                   name_statement, NULL, &names));
  region->before = NULL;
  for (int k = 0; k < region->n_guard; k++)
    tns_region_add_assume (w->arena, region, region->guard[k]);
  region->n_params = region->n_overlaps = region->n_still = 0;
  region->n_spans = region->n_guard = 0;
  for (int k = 0; k < p->n; k++)
    {
      tns_sym *sym = e.to[k] ? e.to[k] : region->syms[k];
      region->syms[k] = sym;
      if (sym->kind == TNS_SYM_VALUE
          || (sym->kind == TNS_SYM_ARRAY && !p->own[k]
              && tns_node_mentions (region->body, sym)))
        tns_region_add_param (w->arena, region, sym);
    }
  for (int k = 0; k < w->made->n_overlaps; k++)
    {
      const tns_overlap *pair = &w->made->overlaps[k];
      if (tns_node_mentions (region->body, pair->a)
          && tns_node_mentions (region->body, pair->b))
        tns_region_add_overlap (w->arena, region, pair->a, pair->b);
    }
  return region;
}

/* The visitor that finds what is not known before the region's guards.  */
static bool
is_late (tns_expr *expr, void *self)
{
  bool *late = self;
  *late |= expr->op == TNS_SYM && steers (expr->sym);
  return !*late;
}

/* What the pipeline made of P asks for nothing that cannot be had at its
   place: it is known at the start how large its arrays are, no parameters may
   overlap, and what lives around it has the rank that it has in REGION.  */
static bool
can_put (const part *p, const tns_region *region, const tns_region *out)
{
  bool late = out->n_overlaps > 0 || out->before;
  for (int k = 0; k < p->n; k++)
    late |= !p->own[k] && out->syms[k]->rank != region->syms[k]->rank;
  for (int k = 0; k < out->n_syms; k++)
    {
      const tns_sym *sym = out->syms[k];
      if (sym->kind == TNS_SYM_ARRAY && tns_sym_is_local (sym)
          && (k >= p->n || p->own[k]))
        for (int d = 0; d < sym->rank; d++)
          tns_expr_walk (sym->extent[d], is_late, &late);
    }
  return !late;
}

/* The symbols of P back to the region's.  */
static exchange
out_of (const work *w, const part *p)
{
  exchange e = { w->arena, p->n, TNS_NEW_ARRAY (w->arena, tns_sym *, p->n) };
  for (int k = 0; k < p->n; k++)
    if (!p->own[k])
      e.to[k] = w->made->syms[k];
  return e;
}

/* The symbols of FROM, made of P, that are new, or P's own, become the
   region's, which has room for them.  */
static void
take_symbols (const work *w, const part *p, const tns_region *from)
{
  exchange e = out_of (w, p);
  for (int k = 0; k < from->n_syms; k++)
    {
      tns_sym *sym = from->syms[k];
      if (k < p->n && !p->own[k])
        continue;
      for (int d = 0; d < sym->rank; d++)
        sym->extent[d] = exchange_cells (sym->extent[d], &e);
      w->made->syms[k] = sym;
    }
}

/* Room for as many symbols as OUT has.  */
static void
make_room (const work *w, const tns_region *out)
{
  tns_region *longer = tns_region_copy (w->arena, out);
  for (int k = 0; k < w->made->n_syms; k++)
    longer->syms[k] = w->made->syms[k];
  w->made->syms = longer->syms;
  w->made->n_syms = longer->n_syms;
}

/* Plan the part at hand, whose statements are BLOCK.  */
static void
plan (work *w, tns_node *block)
{
  tns_ctx *quiet = tns_ctx_quiet (w->ctx);
  part p = { .plain = block, .n = w->made->n_syms };
  quiet->wish.require = (tns_wish_list){ 0 };
  quiet->ledger = TNS_LEDGER_NONE;
  p.own = TNS_NEW_ARRAY (w->arena, bool, p.n + 1);
  tns_node_walk (block, mark_own, &p);
  tns_result *result = tns_pipeline (quiet, cut_out (w, &p));
  tns_ctx_arm (w->ctx);
  if (result && result->out && !result->kept
      && can_put (&p, w->made, result->out))
    {
      p.result = result;
      make_room (w, result->out);
      take_symbols (w, &p, result->out);
    }
  w->parts = tns_arena_grow (w->arena, w->parts, sizeof p * (size_t) w->n_parts,
                             sizeof p * ((size_t) w->n_parts + 1));
  w->parts[w->n_parts++] = p;
}

/* All that OUT guards.  */
static tns_expr *
guard_of (const work *w, const exchange *e, const tns_region *out)
{
  tns_expr *all = NULL;
  for (int k = 0; k < out->n_guard; k++)
    {
      tns_expr *one = exchange_cells (out->guard[k], (void *) e);
      all = all ? tns_binary (w->arena, TNS_LAND, all, one) : one;
    }
  return all;
}

/* What became of the part at hand.  */
static tns_node *
put (work *w)
{
  bool before = w->at > 0 && tns_ctx_breaks (w->ctx, "parts");
  const part *p = &w->parts[w->at - before];
  if (!p->result)
    return p->plain;
  const tns_region *made
    = w->task == PUT_OUT ? p->result->out : p->result->scheduled;
  exchange e = out_of (w, p);
  take_symbols (w, p, made);
  tns_node *body = exchange_node (&e, made->body);
  tns_expr *guard = guard_of (w, &e, made);
  if (!guard)
    return body;
  tns_node *plain = tns_node_fresh (w->ctx, w->made, p->plain);
  return tns_if (w->arena, p->plain->loc, guard, body, plain);
}

/* Append RUN, which has no control, to BLOCK, as the task says.  */
static void
end_run (work *w, tns_node *block, tns_node *run)
{
  if (run->n_kids == 0)
    return;
  if (w->task == PLAN)
    plan (w, tns_node_copy (w->arena, run));
  else
    tns_block_add (w->arena, block, put (w));
  w->at++;
  *run = *tns_block (w->arena, run->loc);
}

/* NODE, which has control in it, after the task.  */
static tns_node *
visit (work *w, tns_node *node)
{
  tns_node *made = tns_node_copy (w->arena, node);
  made->body = node->body ? visit (w, node->body) : NULL;
  made->then = node->then ? visit (w, node->then) : NULL;
  made->otherwise = node->otherwise ? visit (w, node->otherwise) : NULL;
  if (node->kind != TNS_BLOCK)
    return made;
  made->n_kids = 0;
  made->kid = NULL;
  tns_node *run = tns_block (w->arena, node->loc);
  for (int k = 0; k < node->n_kids; k++)
    {
      tns_node *kid = node->kid[k];
      bool is_control = kid->kind == TNS_LOCAL || has_control (kid);
      if (is_control)
        end_run (w, made, run);
      tns_block_add (w->arena, is_control ? made : run,
                     is_control ? visit (w, kid) : kid);
    }
  end_run (w, made, run);
  return made;
}

/* The region of W with its parts as WHAT says.  */
static tns_region *
assemble (work w, task what)
{
  w.task = what;
  w.at = 0;
  w.made = tns_region_copy (w.arena, w.made);
  w.made->body = visit (&w, w.made->body);
  return tns_region_verify (w.ctx, w.made, "parts");
}

/* Add what is told of FROM to TO.  */
static void
add_numbers (tns_result *to, const tns_result *from, tns_text *plan)
{
  to->loops_before += from->loops_before;
  to->loops_after += from->loops_after;
  to->parallel_loops += from->parallel_loops;
  to->simd_loops += from->simd_loops;
  to->recurrences += from->recurrences;
  to->contracted += from->contracted;
  if (from->made.lanes > to->made.lanes)
    to->made.lanes = from->made.lanes;
  tns_text_add (plan, from->plan);
}

void
tns_pipeline_parts (tns_ctx *ctx, tns_region *region, tns_result *result)
{
  work w = { .ctx = ctx, .arena = ctx->arena };
  tns_text steps = tns_text_new (ctx->arena);
  result->in = region;
  w.made = tns_region_copy (ctx->arena, region);
  (void) visit (&w, region->body);
  result->kept = true;
  for (int k = 0; k < w.n_parts; k++)
    if (w.parts[k].result)
      {
        add_numbers (result, w.parts[k].result, &steps);
        result->kept = false;
      }
  result->plan = tns_text_chars (&steps);
  result->scheduled = assemble (w, PUT_SCHEDULED);
  result->out = assemble (w, PUT_OUT);
}
