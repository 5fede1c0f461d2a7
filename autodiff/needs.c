/* Slices and tapes, as autodiff/needs.h says: a closure.  */

#include "autodiff/needs.h"

#include "autodiff/tapes.h"
#include "ir/handed.h"
#include "ir/walk.h"

/* Reads of an expression at SITE, when what runs is the slice of LEVEL.  */
typedef struct reading
{
  tns_needs *needs;
  int level;
  int site;
} reading;

static void add_statement (tns_needs *needs, int level, int s);

tns_needs *
tns_needs_new (tns_ctx *ctx, tns_region *region, const tns_flow *flow,
               bool *given, const bool *absent)
{
  tns_needs *needs = TNS_NEW (ctx->arena, tns_needs);
  int n = flow->view->n_levels * flow->view->n_sites;
  *needs = (tns_needs){ .ctx = ctx,
                        .region = region,
                        .flow = flow,
                        .slice = TNS_NEW_ARRAY (ctx->arena, bool, n + 1),
                        .given = given,
                        .absent = absent };
  return needs;
}

bool
tns_needs_runs (const tns_needs *needs, int level, int s)
{
  return needs->slice[level * needs->flow->view->n_sites + s];
}

/* What LOAD, read at SITE, holds is made by statements of the slice of
   LEVEL.  */
static void
add_makers (tns_needs *needs, int level, int site, tns_expr *load)
{
  const tns_view *view = needs->flow->view;
  for (int s = 0; s < view->n_sites; s++)
    {
      const tns_node *node = view->site[s].node;
      if (node->kind == TNS_ASSIGN && node->target->sym == load->sym
          && !tns_needs_runs (needs, level, s)
          && tns_flow_earlier (needs->flow, s, site, load))
        add_statement (needs, level, s);
    }
}

tns_need *
tns_needs_find (const tns_needs *needs, int site, const tns_expr *load)
{
  for (int k = 0; k < needs->n; k++)
    if (needs->need[k].site == site
        && tns_expr_equal (needs->need[k].load, load))
      return &needs->need[k];
  return NULL;
}

/* LOAD, and COUNT elements from there on, NULL: it alone, read at SITE, must be
   had after the slice of its home.  */
static void
add_need (tns_needs *needs, int site, tns_expr *load, tns_expr *count)
{
  int home = needs->flow->view->home[load->sym->id];
  tns_need *found = tns_needs_find (needs, site, load);
  if (found)
    {
      found->count = found->count ? found->count : count;
      return;
    }
  needs->need = tns_arena_grow (needs->ctx->arena, needs->need,
                                sizeof (tns_need) * (size_t) needs->n,
                                sizeof (tns_need) * (size_t) (needs->n + 1));
  needs->need[needs->n++]
    = (tns_need){ .site = site, .load = load, .count = count, .home = home };
  if (!needs->given[load->sym->id])
    add_makers (needs, home, site, load);
}

/* Add what LOAD, and COUNT elements from there on, NULL: it alone, reads: of
   what is given nobody makes it.  */
static void
read_load (const reading *r, tns_expr *load, tns_expr *count)
{
  const tns_view *view = r->needs->flow->view;
  if (!r->needs->given[load->sym->id]
      && tns_view_holds (view, r->level, view->home[load->sym->id]))
    add_makers (r->needs, r->level, r->site, load);
  else
    add_need (r->needs, r->site, load, count);
}

/* The visitor of what a slice reads.  */
static bool
read_in_slice (tns_expr *expr, void *self)
{
  const reading *r = self;
  bool is_call = tns_call_arguments (expr);
  for (int k = 0; is_call && k < expr->n_args; k++)
    if (tns_argument_is_place (expr, k))
      {
        read_load (r, expr->arg[k], expr->arg[k + 1]);
        for (int i = 0; i < expr->arg[k]->n_args; i++)
          tns_expr_walk (expr->arg[k]->arg[i], read_in_slice, self);
      }
    else
      tns_expr_walk (expr->arg[k], read_in_slice, self);
  if (tns_expr_reads (expr))
    read_load (r, expr, NULL);
  return !is_call;
}

/* The slice of LEVEL comes to site S: all conditions and bounds around it
   inside the level are known there.  */
static void
reach (tns_needs *needs, int level, int s)
{
  const tns_view *view = needs->flow->view;
  for (int at = view->site[s].under;
       at >= 0 && tns_view_holds (view, level, view->site[at].level);
       at = view->site[at].under)
    {
      reading r = { needs, level, at };
      tns_expr_walk (view->site[at].node->lo, read_in_slice, &r);
      tns_expr_walk (view->site[at].node->hi, read_in_slice, &r);
      tns_expr_walk (view->site[at].node->cond, read_in_slice, &r);
    }
}

/* ASSIGN site S runs in the slice of LEVEL.  */
static void
add_statement (tns_needs *needs, int level, int s)
{
  const tns_node *node = needs->flow->view->site[s].node;
  reading r = { needs, level, s };
  needs->slice[level * needs->flow->view->n_sites + s] = true;
  tns_expr_walk (node->value, read_in_slice, &r);
  for (int k = 0; k < node->target->n_args; k++)
    tns_expr_walk (node->target->arg[k], read_in_slice, &r);
  if (node->update != TNS_NONE)
    read_in_slice (node->target, &r);
  reach (needs, level, s);
}

void
tns_needs_run_all (tns_needs *needs)
{
  const tns_view *view = needs->flow->view;
  for (int s = 0; s < view->n_sites; s++)
    needs->slice[s] |= view->site[s].node->kind == TNS_ASSIGN;
}

void
tns_needs_join (tns_needs *needs, int site)
{
  const tns_view *view = needs->flow->view;
  int level = view->site[site].inner;
  for (int s = 0; s < view->n_sites; s++)
    needs->slice[level * view->n_sites + s]
      |= view->site[s].node->kind == TNS_ASSIGN
         && tns_view_holds (view, level, view->site[s].level);
}

/* Some ASSIGN from site FROM on writes SYM.  */
static bool
is_made_from (const tns_needs *needs, int from, const tns_sym *sym)
{
  const tns_view *view = needs->flow->view;
  for (int s = from; s < view->n_sites; s++)
    if (view->site[s].node->kind == TNS_ASSIGN
        && view->site[s].node->target->sym == sym)
      return true;
  return false;
}

bool
tns_needs_may_join (const tns_needs *needs, int site)
{
  const tns_view *view = needs->flow->view;
  int level = view->site[site].inner;
  for (int k = 0; k < needs->n; k++)
    {
      const tns_need *need = &needs->need[k];
      bool inside = tns_view_holds (view, level, view->site[need->site].level);
      if (need->site >= site
          && (inside
                ? need->home == 0 && need->taped
                : need->taped || is_made_from (needs, site, need->load->sym)))
        return false;
    }
  for (int k = 0; k < needs->n_outcomes; k++)
    if (needs->outcome[k].site > site
        && !tns_view_holds (view, level,
                            view->site[needs->outcome[k].site].level))
      return false;
  return true;
}

void
tns_needs_read (tns_needs *needs, int site, tns_expr *load, tns_expr *count)
{
  add_need (needs, site, load, count);
}

/* What NEED reads is destroyed before the backward pass comes to it.  */
static bool
is_destroyed (const tns_needs *needs, const tns_need *need)
{
  const tns_view *view = needs->flow->view;
  bool given = needs->given[need->load->sym->id];
  for (int s = 0; s < view->n_sites; s++)
    {
      const tns_node *node = view->site[s].node;
      if (node->kind == TNS_ASSIGN && node->target->sym == need->load->sym
          && (given || tns_needs_runs (needs, need->home, s))
          && tns_flow_later (needs->flow, s, need->site, need->load))
        return true;
    }
  return false;
}

/* Tape what is destroyed; false where nothing new is.  */
static bool
tape_more (tns_needs *needs)
{
  bool more = false;
  for (int k = 0; k < needs->n; k++)
    {
      tns_need need = needs->need[k];
      if (need.taped || !is_destroyed (needs, &need))
        continue;
      if (needs->given[need.load->sym->id])
        {
          needs->given[need.load->sym->id] = false;
          needs->again = true;
        }
      reading r = { needs, need.home, need.site };
      needs->need[k].taped = true;
      for (int i = 0; i < need.load->n_args; i++)
        tns_expr_walk (need.load->arg[i], read_in_slice, &r);
      tns_expr_walk (tns_tapes_condition (needs, &need), read_in_slice, &r);
      reach (needs, r.level, r.site);
      more = true;
    }
  return more;
}

/* The outcome at SITE, or NULL.  */
static tns_outcome *
find_outcome (const tns_needs *needs, int site)
{
  for (int k = 0; k < needs->n_outcomes; k++)
    if (needs->outcome[k].site == site)
      return &needs->outcome[k];
  return NULL;
}

void
tns_needs_outcome (tns_needs *needs, int site, tns_expr *value)
{
  size_t n = (size_t) needs->n_outcomes;
  if (find_outcome (needs, site))
    return;
  needs->outcome
    = tns_arena_grow (needs->ctx->arena, needs->outcome,
                      sizeof (tns_outcome) * n, sizeof (tns_outcome) * (n + 1));
  needs->outcome[needs->n_outcomes++]
    = (tns_outcome){ site, value, false, false };
}

bool
tns_needs_stands (const tns_needs *needs, int site)
{
  const tns_outcome *outcome = find_outcome (needs, site);
  return outcome && outcome->stands;
}

/* The target of the ASSIGN at site S keeps what S gives it.  */
static bool
lasts (const tns_needs *needs, int s)
{
  const tns_view *view = needs->flow->view;
  const tns_sym *sym = view->site[s].node->target->sym;
  for (int k = 0; k < view->n_sites; k++)
    {
      const tns_node *node = view->site[k].node;
      if (node->kind == TNS_ASSIGN && node->target->sym == sym
          && tns_flow_overwrites (needs->flow, s, k))
        return false;
    }
  return true;
}

/* Decide which outcomes stand, as far as that is sure; false where no new one
   does.  */
static bool
find_standing (tns_needs *needs)
{
  const tns_view *view = needs->flow->view;
  bool more = false;
  for (int k = 0; k < needs->n_outcomes; k++)
    {
      tns_outcome *outcome = &needs->outcome[k];
      const tns_sym *sym = view->site[outcome->site].node->target->sym;
      bool is_made
        = needs->given[sym->id]
          || tns_needs_runs (needs, view->home[sym->id], outcome->site);
      if (outcome->known || !is_made)
        continue;
      outcome->known = lasts (needs, outcome->site);
      outcome->stands = outcome->known;
      more |= outcome->known;
    }
  return more;
}

/* Reads of an outcome that is computed again.  */
typedef struct again
{
  tns_needs *needs;
  int site;
} again;

/* The visitor of these.  */
static bool
read_again (tns_expr *expr, void *self)
{
  const again *a = self;
  if (expr->op == TNS_LOAD)
    add_need (a->needs, a->site, expr, NULL);
  return true;
}

/* An outcome of which nothing is known is computed again; false where there is
   none.  */
static bool
compute_one (tns_needs *needs)
{
  for (int k = 0; k < needs->n_outcomes; k++)
    {
      tns_outcome *outcome = &needs->outcome[k];
      again a = { needs, outcome->site };
      if (outcome->known)
        continue;
      outcome->known = true;
      tns_expr_walk (outcome->value, read_again, &a);
      return true;
    }
  return false;
}

bool
tns_needs_close (tns_needs *needs)
{
  while (!needs->again
         && (tape_more (needs) || find_standing (needs) || compute_one (needs)))
    continue;
  return needs->again || tns_tapes_make (needs);
}

/* The visitor of values: a function of math.h is in EXPR.  */
static bool
is_dear (tns_expr *expr, void *self)
{
  bool *dear = self;
  *dear |= tns_op_is_function (expr->op);
  return !*dear;
}

/* ASSIGN site S runs in the slice of LEVEL and in one further out.  */
static bool
runs_twice (const tns_needs *needs, int level, int s)
{
  const tns_view *view = needs->flow->view;
  bool further = false;
  for (int out = view->level[level].outer; out >= 0;
       out = view->level[out].outer)
    further |= tns_needs_runs (needs, out, s);
  return further && tns_needs_runs (needs, level, s);
}

/* What the slice of LEVEL makes twice is dear: a sum, or a function.  */
static bool
costs_twice (const tns_needs *needs, int level)
{
  const tns_view *view = needs->flow->view;
  bool dear = false;
  for (int s = 0; s < view->n_sites && !dear; s++)
    {
      tns_node *node = view->site[s].node;
      if (node->kind != TNS_ASSIGN || !runs_twice (needs, level, s))
        continue;
      dear = node->update != TNS_NONE
             && view->site[s].level != view->home[node->target->sym->id];
      tns_expr_walk (node->value, is_dear, &dear);
    }
  return dear;
}

const tns_sym *
tns_needs_twice (const tns_needs *needs, int n, const tns_sym *const *moved)
{
  const tns_view *view = needs->flow->view;
  for (int k = 0; k < n; k++)
    for (int s = 0; s < view->n_sites; s++)
      {
        const tns_node *node = view->site[s].node;
        int home = view->home[moved[k]->id];
        if (node->kind == TNS_ASSIGN && node->target->sym == moved[k]
            && runs_twice (needs, home, s) && costs_twice (needs, home))
          return moved[k];
      }
  return NULL;
}
