/* Loops, sums, owners, shifts and values of a nest, as ir/gather.c says.  */

#include "ir/gather-nest.h"

#include "ir/walk.h"

enum
{
  MOST_NODES = 64
};

const tns_node *
tns_gather_loop_in (const tns_node *body, bool guarded, bool *plain)
{
  const tns_node *found = NULL;
  bool asks = false;
  for (int k = 0; k < body->n_kids; k++)
    {
      const tns_node *kid = body->kid[k];
      *plain &= kid->kind == TNS_LOCAL || kid->kind == TNS_ASSIGN
                || (kid->kind == TNS_LOOP && !found)
                || (kid->kind == TNS_IF && guarded);
      found = kid->kind == TNS_LOOP ? kid : found;
      asks |= kid->kind == TNS_IF;
    }
  *plain &= !found || !asks;
  return found;
}

/* The visitor: whether EXPR reads memory.  */
static bool
note_read (tns_expr *expr, void *self)
{
  bool *reads = self;
  *reads |= tns_expr_reads (expr);
  return !*reads;
}

bool
tns_gather_is_outside (const tns_gathering *g, tns_expr *expr)
{
  bool reads = false;
  tns_expr_walk (expr, note_read, &reads);
  for (int k = 0; k < g->n; k++)
    reads |= tns_expr_mentions (expr, g->loop[k]->iter);
  return !reads && tns_sum_of (g->arena, expr).n >= 0;
}

/* The loops of G from ROOT on.  Whether they are as they should be.  */
static bool
find_loops (tns_gathering *g, const tns_node *root)
{
  bool plain = true;
  for (const tns_node *loop = root; loop && plain;
       loop = tns_gather_loop_in (loop->body, true, &plain))
    {
      if (g->n == TNS_GATHER_LOOPS || loop->step != 1)
        return false;
      g->owned[g->n] = -1;
      g->loop[g->n++] = loop;
    }
  for (int k = 0; k < g->n; k++)
    plain &= tns_gather_is_outside (g, g->loop[k]->lo)
             && tns_gather_is_outside (g, g->loop[k]->hi);
  return plain;
}

/* NODE is a sum of G's array.  */
static bool
is_sum (const tns_gathering *g, tns_node *node)
{
  bool is_float = tns_elem_is_float (g->sym->type.elem);
  if (node->kind != TNS_ASSIGN || node->target->sym != g->sym || node->mask
      || node->update != TNS_ADD || node->target->n_args == 0
      || node->target->n_args > TNS_MOST_RANK
      || (is_float && g->ctx->wish.fp == TNS_FP_STRICT))
    return false;
  for (int k = 0; k < node->target->n_args; k++)
    if (tns_expr_mentions (node->target->arg[k], g->sym))
      return false;
  return !tns_expr_mentions (node->value, g->sym);
}

/* The sums of G's array among the kids of BODY, which GUARD, or NULL, has
   around it; false where it is mentioned otherwise.  */
static bool
find_sums_in (tns_gathering *g, const tns_node *body, const tns_node *guard)
{
  for (int k = 0; k < body->n_kids; k++)
    {
      tns_node *kid = body->kid[k];
      if (kid->kind == TNS_LOOP || kid->kind == TNS_IF
          || !tns_node_mentions (kid, g->sym))
        continue;
      if (g->n_sums == TNS_GATHER_SUMS || !is_sum (g, kid))
        return false;
      g->one_by_one |= guard != NULL;
      g->sum[g->n_sums].guard = guard;
      g->sum[g->n_sums++].node = kid;
    }
  return true;
}

/* The same in the branch of NODE, an IF of the innermost body that asks nothing
   of memory.  */
static bool
find_guarded (tns_gathering *g, const tns_node *node)
{
  bool reads = false;
  tns_expr_walk (node->cond, note_read, &reads);
  for (int k = 0; k < node->then->n_kids; k++)
    reads |= node->then->kid[k]->kind != TNS_ASSIGN;
  return !reads && !node->otherwise && tns_node_mentions (node->then, g->sym)
         && find_sums_in (g, node->then, node);
}

/* The sums of G's array; false where it is mentioned otherwise.  */
static bool
find_sums (tns_gathering *g)
{
  const tns_node *inner = g->loop[g->n - 1]->body;
  for (int l = 0; l + 1 < g->n; l++)
    if (!find_sums_in (g, g->loop[l]->body, NULL) || g->n_sums > 0)
      return false;
  for (int k = 0; k < inner->n_kids; k++)
    if (inner->kid[k]->kind == TNS_IF && !find_guarded (g, inner->kid[k]))
      return false;
  return find_sums_in (g, inner, NULL) && g->n_sums > 0;
}

/* By how much ITER moves FORM.  */
static long long
factor_of (const tns_affine *form, const tns_sym *iter)
{
  for (int k = 0; k < form->n; k++)
    if (form->sym[k] == iter)
      return form->factor[k];
  return 0;
}

/* The owner of subscript K, as FORM says, into G; false where it has none that
   is fit.  */
static bool
find_owner (tns_gathering *g, int k, const tns_affine *form)
{
  g->sub[k].loop = -1;
  for (int l = 0; l < g->n; l++)
    {
      long long factor = factor_of (form, g->loop[l]->iter);
      if (factor == 0)
        continue;
      g->sub[k].is_tapped |= g->sub[k].loop >= 0;
      if (g->sub[k].loop >= 0)
        continue;
      if (factor != 1 || g->owned[l] >= 0)
        return false;
      g->sub[k].loop = l;
      g->owned[l] = k;
    }
  return true;
}

tns_expr *
tns_gather_nothing (const tns_gathering *g)
{
  tns_elem elem = g->sym->type.elem;
  return tns_elem_is_float (elem) ? tns_real (g->arena, elem, -0.0L)
                                  : tns_int_of (g->arena, elem, 0);
}

tns_sum
tns_gather_iter (const tns_gathering *g, tns_sym *sym)
{
  return tns_sum_of (g->arena, tns_value (g->arena, sym));
}

tns_sum
tns_gather_minus (const tns_gathering *g, tns_sum a, tns_sum b)
{
  return tns_sum_add (g->arena, a, tns_sum_scale (g->arena, b, -1));
}

tns_sum
tns_gather_plus (const tns_gathering *g, tns_sum a, tns_sum b)
{
  return tns_sum_add (g->arena, a, b);
}

tns_sum
tns_gather_lo (const tns_gathering *g, int l)
{
  return tns_sum_of (g->arena, g->loop[l]->lo);
}

tns_sum
tns_gather_hi (const tns_gathering *g, int l)
{
  return tns_sum_of (g->arena, g->loop[l]->hi);
}

/* SHIFT, whose symbols are FORM's, with each tap at its end: where it is
   greatest, with MOST, or least.  */
static tns_sum
end_of (const tns_gathering *g, tns_sum shift, const tns_affine *form,
        int owner, bool most)
{
  for (int l = 0; l < g->n; l++)
    {
      long long factor = l == owner ? 0 : factor_of (form, g->loop[l]->iter);
      tns_sum last
        = tns_gather_minus (g, tns_gather_hi (g, l), tns_sum_int (g->arena, 1));
      if (factor != 0)
        shift = tns_sum_substitute (
          g->arena, shift, g->loop[l]->iter,
          (factor > 0) == most ? last : tns_gather_lo (g, l));
    }
  return shift;
}

/* The shifts of subscript K in all sums into G; false where they are not
   fit.  */
static bool
find_shifts (tns_gathering *g, int k)
{
  tns_gather_sub *sub = &g->sub[k];
  tns_affine form;
  long long least = 0;
  long long most = 0;
  tns_expr *first = g->sum[0].node->target->arg[k];
  if (!tns_affine_of (g->arena, first, &form) || !find_owner (g, k, &form))
    return false;
  sub->shift = tns_sum_of (g->arena, first);
  for (int s = 0; s < g->n_sums; s++)
    {
      tns_sum other = tns_sum_of (g->arena, g->sum[s].node->target->arg[k]);
      if (!tns_sum_is_int (tns_gather_minus (g, other, sub->shift),
                           &g->sum[s].by[k]))
        return false;
      least = g->sum[s].by[k] < least ? g->sum[s].by[k] : least;
      most = g->sum[s].by[k] > most ? g->sum[s].by[k] : most;
    }
  sub->is_fixed = least == most && !sub->is_tapped;
  if (sub->loop < 0)
    return sub->is_fixed;
  tns_sum owner = tns_gather_iter (g, g->loop[sub->loop]->iter);
  sub->shift = tns_gather_minus (g, sub->shift, owner);
  sub->from
    = tns_gather_plus (g, end_of (g, sub->shift, &form, sub->loop, false),
                       tns_sum_int (g->arena, least));
  sub->to = tns_gather_plus (g, end_of (g, sub->shift, &form, sub->loop, true),
                             tns_sum_int (g->arena, most));
  return sub->shift.n >= 0 && sub->from.n >= 0 && sub->to.n >= 0;
}

/* All subscripts are fit, each loop owns one or is a tap, the outermost owns,
   and something is shifted.  */
static bool
find_subscripts (tns_gathering *g)
{
  bool some = false;
  int rank = g->sum[0].node->target->n_args;
  for (int k = 0; k < rank; k++)
    {
      if (!find_shifts (g, k))
        return false;
      some |= !g->sub[k].is_fixed;
    }
  for (int l = 0; l < g->n; l++)
    {
      bool is_used = g->owned[l] >= 0;
      for (int k = 0; k < rank && !is_used; k++)
        is_used = tns_expr_mentions (g->sum[0].node->target->arg[k],
                                     g->loop[l]->iter);
      g->one_by_one |= g->owned[l] < 0;
      if (!is_used)
        return false;
    }
  return some && g->owned[0] >= 0;
}

/* The kids of BODY that declare and that assign SYM into *LOCALS and *SETS; the
   last assignment's value, or NULL.  */
static tns_expr *
value_in (const tns_node *body, const tns_sym *sym, int *locals, int *sets)
{
  tns_expr *value = NULL;
  *locals = *sets = 0;
  for (int k = 0; k < body->n_kids; k++)
    {
      const tns_node *kid = body->kid[k];
      *locals += kid->kind == TNS_LOCAL && kid->sym == sym;
      *sets += kid->kind == TNS_IF && tns_node_writes ((tns_node *) kid, sym)
                 ? 2
                 : 0;
      if (kid->kind != TNS_ASSIGN || kid->target->sym != sym)
        continue;
      *sets += tns_node_sets_cell (kid) && kid->update == TNS_NONE ? 1 : 2;
      value = kid->value;
    }
  return value;
}

/* The value of the cell SYM, which one body of G declares and sets once; NULL
   where it is none.  */
static tns_expr *
value_of_cell (const tns_gathering *g, const tns_sym *sym)
{
  tns_expr *found = NULL;
  int locals, sets;
  int all = 0;
  for (int l = 0; l < g->n; l++)
    {
      tns_expr *value = value_in (g->loop[l]->body, sym, &locals, &sets);
      all += sets;
      found = locals == 1 && sets == 1 ? value : found;
    }
  return all == 1 ? found : NULL;
}

/* The changer that reads through cells.  */
static tns_expr *
read_through (tns_expr *expr, void *self)
{
  const tns_gathering *g = self;
  if (expr->op != TNS_LOAD || expr->n_args > 0)
    return expr;
  tns_expr *value = value_of_cell (g, expr->sym);
  if (!value || tns_expr_mentions (value, expr->sym))
    return expr;
  return tns_expr_rebuild (g->arena, value, read_through, self);
}

/* Whether a value may be computed elsewhere, and how long it is.  */
typedef struct measure
{
  const tns_gathering *g;
  int n;
  bool fits;
} measure;

/* The visitor of its parts.  */
static bool
measure_expr (tns_expr *expr, void *self)
{
  measure *m = self;
  bool divides = expr->op == TNS_DIV || expr->op == TNS_REM;
  m->fits &= ++m->n <= MOST_NODES && !tns_op_is_function (expr->op)
             && !(divides && expr->arg[1]->n_args > 0);
  if (tns_expr_reads (expr))
    m->fits &= !tns_node_writes ((tns_node *) m->g->loop[0], expr->sym);
  return m->fits;
}

/* The visitor of what differs between the iterations of loops outside.  */
static bool
note_iter (tns_expr *expr, void *self)
{
  bool *found = self;
  *found |= expr->op == TNS_SYM && expr->sym->kind == TNS_SYM_ITER;
  return !*found;
}

/* Values of sums can be kept in rows: each loop owns, the outermost one moves
   sums apart, and their bounds are over VALUEs.  */
static bool
may_keep (const tns_gathering *g)
{
  bool moves = !g->one_by_one && !g->sub[g->owned[0]].is_fixed;
  bool found = false;
  for (int l = 0; l < g->n && moves; l++)
    {
      tns_expr_walk (g->loop[l]->lo, note_iter, &found);
      tns_expr_walk (g->loop[l]->hi, note_iter, &found);
    }
  return moves && !found;
}

/* EXPR reads no cell that an iteration of G leaves to the next one.  */
static bool
is_of_iteration (const tns_gathering *g, tns_expr *expr)
{
  bool right = true;
  for (int k = 0; k < expr->n_args; k++)
    right &= is_of_iteration (g, expr->arg[k]);
  if (!tns_expr_reads (expr) || expr->n_args > 0
      || !tns_node_writes ((tns_node *) g->loop[0], expr->sym))
    return right;
  int locals = 0;
  int sets;
  for (int l = 0; l < g->n && locals == 0; l++)
    value_in (g->loop[l]->body, expr->sym, &locals, &sets);
  return right && locals > 0;
}

/* Read the values through, or find that they are to be kept; false where they
   are not fit.  */
static bool
find_values (tns_gathering *g)
{
  for (int s = 0; s < g->n_sums; s++)
    {
      measure m = { g, 0, true };
      g->sum[s].value
        = tns_expr_rebuild (g->arena, g->sum[s].node->value, read_through, g);
      tns_expr_walk (g->sum[s].value, measure_expr, &m);
      g->sum[s].is_kept = !m.fits;
      if (!m.fits
          && (!may_keep (g) || !is_of_iteration (g, g->sum[s].node->value)))
        return false;
    }
  return true;
}

bool
tns_gather_find (tns_gathering *g, const tns_node *root)
{
  return find_loops (g, root) && find_sums (g) && find_subscripts (g)
         && find_values (g);
}
