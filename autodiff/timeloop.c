/* Time loops, as autodiff/timeloop.h says.  */

#include "autodiff/timeloop.h"

#include "autodiff/tapes.h"
#include "ir/walk.h"

/* Loops around any site, at most.  */
enum
{
  MOST_LOOPS = TNS_MOST_RANK + 64
};

/* The reads of a site of LOOP that runs in the slice.

   found  by symbol id: the array is state  */
typedef struct search
{
  const tns_needs *needs;
  const tns_node *loop;
  bool *found;
  int site;
} search;

/* EXPR reads an array.  */
static bool
is_data (tns_expr *expr, void *self)
{
  bool *found = self;
  *found |= tns_expr_reads (expr);
  return true;
}

/* The bounds of LOOP are over VALUEs.  */
static bool
is_known (const tns_node *loop)
{
  bool found = false;
  tns_expr_walk (loop->lo, is_data, &found);
  tns_expr_walk (loop->hi, is_data, &found);
  return !found;
}

/* The loop of level 0 around site S, or NULL.  */
static tns_node *
outermost (const tns_view *view, int s)
{
  tns_node *loop[MOST_LOOPS];
  int n = tns_view_loops (view, s, 0, loop);
  return n > 0 ? loop[0] : NULL;
}

/* How many subscripts the tapes over LOOP have.  */
static int
count_tapes (const tns_needs *needs, const tns_node *loop)
{
  int n = 0;
  for (int k = 0; k < needs->n_tapes; k++)
    if (tns_tape_is_over (needs, needs->tape[k], loop))
      n += needs->tape[k]->sym->rank;
  return n;
}

/* LOOP stands in no condition.  */
static bool
is_outside (const tns_view *view, const tns_node *loop)
{
  return view->site[tns_view_site (view, loop)].under < 0;
}

/* The visitor of reads.  */
static bool
note_read (tns_expr *expr, void *self)
{
  search *s = self;
  const tns_needs *needs = s->needs;
  if (tns_expr_reads (expr) && needs->flow->view->home[expr->sym->id] == 0
      && !s->found[expr->sym->id])
    s->found[expr->sym->id]
      = tns_flow_crosses (needs->flow, s->site, expr, needs->slice);
  return true;
}

/* Note what the conditions and bounds around site SITE, inside the loop,
   read.  */
static void
note_around (search *s, int site)
{
  const tns_view *view = s->needs->flow->view;
  for (int at = view->site[site].under; view->site[at].node != s->loop;
       at = view->site[at].under)
    {
      s->site = at;
      tns_node_exprs (view->site[at].node, note_read, s);
    }
}

/* Note what ASSIGN site SITE reads.  */
static void
note_assign (search *s, int site)
{
  const tns_node *node = s->needs->flow->view->site[site].node;
  s->site = site;
  tns_expr_walk (node->value, note_read, s);
  for (int k = 0; k < node->target->n_args; k++)
    tns_expr_walk (node->target->arg[k], note_read, s);
  if (node->update != TNS_NONE)
    note_read (node->target, s);
  note_around (s, site);
}

/* Note what taping NEED reads.  */
static void
note_need (search *s, const tns_need *need)
{
  s->site = need->site;
  tns_expr_walk (need->load, note_read, s);
  note_around (s, need->site);
}

tns_node *
tns_timeloop_find (const tns_needs *needs)
{
  const tns_view *view = needs->flow->view;
  tns_node *found = NULL;
  int most = 0;
  for (int s = 0; s < view->n_sites; s++)
    {
      tns_node *node = view->site[s].node;
      if (node->kind != TNS_LOOP || view->site[s].level != 0
          || !is_outside (view, node) || !is_known (node))
        continue;
      int n = count_tapes (needs, node);
      if (n > most)
        found = node;
      most = n > most ? n : most;
    }
  return found;
}

tns_timeloop
tns_timeloop_of (const tns_needs *needs, tns_node *node)
{
  tns_arena *arena = needs->ctx->arena;
  const tns_view *view = needs->flow->view;
  const tns_region *f = view->region;
  search s = { needs, node, TNS_NEW_ARRAY (arena, bool, f->n_syms + 1), 0 };
  for (int k = 0; k < view->n_sites; k++)
    if (outermost (view, k) == node && tns_needs_runs (needs, 0, k))
      note_assign (&s, k);
  for (int k = 0; k < needs->n; k++)
    if (needs->need[k].tape
        && tns_tape_is_over (needs, needs->need[k].tape, node))
      note_need (&s, &needs->need[k]);
  tns_sym **state = TNS_NEW_ARRAY (arena, tns_sym *, f->n_syms + 1);
  tns_timeloop loop = { node, 0, state };
  for (int k = 0; k < f->n_syms; k++)
    if (s.found[k])
      state[loop.n_state++] = f->syms[k];
  return loop;
}
