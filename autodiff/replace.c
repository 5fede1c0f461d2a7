/* Values in the place of arrays, as autodiff/replace.h says.  */

#include "autodiff/replace.h"

#include "autodiff/flow.h"
#include "ir/handed.h"
#include "ir/walk.h"

/* An array, SYM, and the statement at site WRITER that sets it: its value over
   the iterators ITER[0..rank), and the first of the sites of its loops.  */
typedef struct setting
{
  tns_ctx *ctx;
  const tns_flow *flow;
  const tns_sym *sym;
  int writer;
  int first;
  tns_sym *iter[TNS_MOST_RANK];
  tns_expr *value;
  int site;
  bool fits;
} setting;

/* SYM is a temporary of the whole function, or not there for WISH, which wants
   it to be computed again.  */
static bool
may_go (const tns_view *view, const tns_gradient_wish *wish, const tns_sym *sym)
{
  bool is_own = tns_sym_is_local (sym);
  for (int k = 0; k < wish->n_absent; k++)
    is_own |= wish->absent[k]->id == sym->id;
  return sym->kind == TNS_SYM_ARRAY && sym->rank > 0 && is_own
         && view->home[sym->id] == 0
         && tns_wish_list_has (&wish->recompute, sym)
         && tns_node_writes (view->region->body, sym);
}

/* The only statement that stores to S's array, if it is a plain one.  */
static bool
find_writer (setting *s)
{
  const tns_view *view = s->flow->view;
  int n = 0;
  for (int k = 0; k < view->n_sites; k++)
    {
      tns_node *node = view->site[k].node;
      if (node->kind != TNS_ASSIGN || node->target->sym != s->sym)
        continue;
      s->writer = k;
      s->value = node->value;
      n += node->update == TNS_NONE && !tns_node_hands_over (node, s->sym) ? 1
                                                                           : 2;
    }
  return n == 1;
}

/* ITER is a subscript of S's array, and no other one.  */
static bool
is_subscript (setting *s, tns_sym *iter)
{
  const tns_expr *target = s->flow->view->site[s->writer].node->target;
  int n = 0;
  for (int k = 0; k < target->n_args; k++)
    if (target->arg[k]->op == TNS_SYM && target->arg[k]->sym == iter)
      {
        s->iter[k] = iter;
        n++;
      }
  return n == 1;
}

/* S's statement stands in loops alone, over its subscripts.  */
static bool
find_loops (setting *s)
{
  const tns_view *view = s->flow->view;
  int n = 0;
  s->first = s->writer;
  for (int at = view->site[s->writer].under; at >= 0; at = view->site[at].under)
    {
      tns_node *node = view->site[at].node;
      if (node->kind != TNS_LOOP || !is_subscript (s, node->iter))
        return false;
      s->first = at;
      n++;
    }
  return n == s->sym->rank;
}

/* The visitor of S's value: what it reads nobody changes from its loops on.  */
static bool
check_operand (tns_expr *expr, void *self)
{
  setting *s = self;
  const tns_view *view = s->flow->view;
  s->fits &= !tns_call_arguments (expr);
  if (!tns_expr_reads (expr))
    return s->fits;
  s->fits &= expr->op == TNS_LOAD && view->home[expr->sym->id] == 0;
  for (int k = s->first; k < view->n_sites; k++)
    {
      const tns_node *node = view->site[k].node;
      s->fits &= node->kind != TNS_ASSIGN || node->target->sym != expr->sym;
    }
  return s->fits;
}

/* The visitor of what is read at S's site: of the array it was made.  */
static bool
check_read (tns_expr *expr, void *self)
{
  setting *s = self;
  if (!s->fits || !tns_expr_mentions (expr, s->sym))
    return false;
  s->fits &= !tns_call_arguments (expr);
  if (tns_expr_reads (expr) && expr->sym == s->sym)
    s->fits
      &= expr->op == TNS_LOAD && tns_flow_is_made (s->flow, s->site, expr);
  return s->fits;
}

/* All that reads S's array reads what its statement sets.  */
static bool
is_made_everywhere (setting *s)
{
  const tns_view *view = s->flow->view;
  for (s->site = 0; s->site < view->n_sites && s->fits; s->site++)
    if (s->site != s->writer)
      {
        tns_node *node = view->site[s->site].node;
        tns_expr_walk (node->lo, check_read, s);
        tns_expr_walk (node->hi, check_read, s);
        tns_expr_walk (node->cond, check_read, s);
        tns_expr_walk (node->value, check_read, s);
        for (int k = 0; node->target && k < node->target->n_args; k++)
          tns_expr_walk (node->target->arg[k], check_read, s);
      }
  return s->fits;
}

/* S's array, SYM, can be replaced.  */
static bool
is_replaceable (setting *s)
{
  if (!find_writer (s) || !find_loops (s))
    return false;
  s->fits = true;
  tns_expr_walk (s->value, check_operand, s);
  return s->fits && is_made_everywhere (s);
}

/* The changer that drops S's statement.  */
static tns_node *
drop (tns_node *node, void *self)
{
  const setting *s = self;
  bool is_it = node->kind == TNS_ASSIGN && node->target->sym == s->sym;
  return is_it ? NULL : node;
}

/* The changer of accesses.  */
static tns_expr *
replace_access (tns_expr *expr, void *self)
{
  const setting *s = self;
  if (expr->op != TNS_LOAD || expr->sym != s->sym)
    return expr;
  return tns_expr_substitute (s->ctx->arena, s->value, s->sym->rank,
                              (tns_sym **) s->iter, expr->arg);
}

/* The changer of whole expressions.  */
static tns_expr *
replace_accesses (tns_expr *expr, void *self)
{
  const setting *s = self;
  return tns_expr_rebuild (s->ctx->arena, expr, replace_access, self);
}

/* SYM is computed again.  */
static void
note_moved (tns_ctx *ctx, tns_gradient_wish *wish, const tns_sym *sym)
{
  size_t n = (size_t) wish->n_moved;
  wish->moved
    = tns_arena_grow (ctx->arena, wish->moved, sizeof *wish->moved * n,
                      sizeof *wish->moved * (n + 1));
  wish->moved[wish->n_moved++] = sym;
}

tns_region *
tns_region_replaced (tns_ctx *ctx, const tns_scop *scop,
                     tns_gradient_wish *wish)
{
  tns_region *f = scop->region;
  const tns_view *view = tns_view_of (ctx->arena, f);
  tns_flow flow = { view, scop };
  for (int k = 0; k < f->n_syms; k++)
    {
      setting s = { .ctx = ctx, .flow = &flow, .sym = f->syms[k] };
      if (!may_go (view, wish, s.sym) || !is_replaceable (&s))
        continue;
      tns_region *made = tns_region_copy (ctx->arena, f);
      made->body = tns_node_rebuild (ctx->arena, f->body, drop, NULL, &s);
      made->body
        = tns_node_rebuild (ctx->arena, made->body, NULL, replace_accesses, &s);
      note_moved (ctx, wish, s.sym);
      return made;
    }
  return f;
}
