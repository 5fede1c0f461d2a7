/* A walk like that of scop-build.c, but only for conditions: what depends on
   data around one is taken to be so always.  */

#include "poly/never.h"

#include "ir/walk.h"
#include "poly/scop-build.h"

/* b     the builder, at the place that the walk has come to
   open  the first of the IFs of which no guard says that they are never
         executed  */
typedef struct walk
{
  tns_builder b;
  const tns_node *open;
} walk;

static void rule_out (walk *w, tns_node *node);

/* NODE, an IF, is never executed in the current domain.  */
static void
rule_out_if (walk *w, tns_node *node)
{
  isl_set *bad = tns_build_within (&w->b, node->cond, false);
  if (!bad || !tns_build_exclude (&w->b, bad, isl_set_copy (w->b.domain)))
    w->open = node;
}

/* What stands in BRANCH of an IF under COND, or, with NEGATE, where that does
   not hold.  */
static void
rule_out_branch (walk *w, tns_node *branch, tns_expr *cond, bool negate)
{
  tns_builder *b = &w->b;
  if (!branch)
    return;
  isl_set *part = tns_build_within (b, cond, negate);
  isl_set *outer = b->domain;
  int n_known = b->n_known;
  b->domain = part ? part : isl_set_copy (outer);
  rule_out (w, branch);
  isl_set_free (b->domain);
  b->domain = outer;
  b->n_known = n_known;
}

/* What stands in LOOP.  */
static void
rule_out_loop (walk *w, tns_node *loop)
{
  tns_builder *b = &w->b;
  isl_set *outer = isl_set_copy (b->domain);
  int n_known = b->n_known;
  tns_build_enter_loop (b, loop, true);
  rule_out (w, loop->body);
  b->n_known = n_known;
  tns_build_leave_loop (b, outer);
}

/* All of NODE's IFs that must never be executed.  */
static void
rule_out (walk *w, tns_node *node)
{
  int n_known = w->b.n_known;
  switch (node->kind)
    {
    case TNS_BLOCK:
      for (int k = 0; k < node->n_kids && !w->open; k++)
        rule_out (w, node->kid[k]);
      w->b.n_known = n_known;
      break;
    case TNS_LOOP:
      rule_out_loop (w, node);
      break;
    case TNS_IF:
      if (node->never)
        rule_out_if (w, node);
      rule_out_branch (w, node->then, node->cond, false);
      rule_out_branch (w, node->otherwise, node->cond, true);
      break;
    case TNS_ASSIGN:
      tns_build_note_known (&w->b, node);
      break;
    default:
      break;
    }
}

/* The visitor of a search for such an IF.  */
static bool
visit_never (tns_node *node, void *self)
{
  bool *found = self;
  *found |= node->never != NULL;
  return !*found;
}

/* Without them.  */
static tns_node *
drop_never (tns_node *node, void *self)
{
  (void) self;
  return node->never ? NULL : node;
}

bool
tns_region_rule_out (tns_ctx *ctx, tns_region *region)
{
  bool any = false;
  walk w = { .open = NULL };
  tns_node_walk (region->body, visit_never, &any);
  tns_scop *scop = any ? tns_build_begin (ctx, region, &w.b) : NULL;
  if (!scop)
    return !any;
  rule_out (&w, region->body);
  tns_build_end (&w.b);
  if (w.b.failed || isl_ctx_last_error (scop->isl) != isl_error_none)
    tns_isl_refuse (ctx, scop->isl, region->loc, "never");
  else if (w.open)
    tns_refuse_by (ctx, w.open->never);
  for (int k = 0; k < scop->region->n_guard; k++)
    tns_region_add_guard (ctx->arena, region, scop->region->guard[k]);
  tns_scop_free (scop);
  region->body
    = tns_node_rebuild (ctx->arena, region->body, drop_never, NULL, NULL);
  return ctx->status == TNS_DONE;
}
