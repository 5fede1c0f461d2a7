/* Recurrences whose last value stays in a register.

     for j  x[j] = x[j-1] * a + b[j]       x[j-1] is what was just stored

     for j  v = v * b[j] * 0.5 + c[j]      0.5 may be multiplied by b[j] first

   The innermost loop is ORDERED by a flow dependence from one iteration to
   the next.  The tree stays as it is: lowering/carry.h does the work wherever
   it can; the step says that the loop is worth to be taken for it.  */

#include "ir/recurrence.h"
#include "ir/walk.h"
#include "schedule/known.h"
#include "schedule/planner.h"

/* DIM at both ends of DEP.  */
static tns_moments
moments_of (const tns_scop *scop, const tns_dep *dep, const tns_tree *dim)
{
  tns_row_pair rows = { dim->row[dep->source], dim->row[dep->target] };
  return tns_pair_moments (scop, dep, &rows);
}

bool
tns_dep_reach (const tns_scop *scop, const tns_dep *dep, int n, tns_tree **dim,
               tns_distance *reach)
{
  isl_map *pairs = isl_map_copy (dep->map);
  for (int k = 0; k < n; k++)
    {
      tns_moments equal = moments_of (scop, dep, dim[k]);
      pairs = tns_pairs_equate (pairs, &equal);
    }
  tns_moments asked = moments_of (scop, dep, dim[n]);
  bool known = tns_pairs_distance (pairs, &asked, reach);
  isl_map_free (pairs);
  return known;
}

/* DEP goes from an iteration of DIM[N], an innermost loop, to the next
   one, and to none nearer.  */
static bool
is_next (const tns_planner *p, const tns_dep *dep, int n, tns_tree **dim)
{
  tns_distance d;
  return tns_dep_reach (p->scop, dep, n, dim, &d) && !d.empty && d.lo_known
         && d.lo == 1;
}

/* ARRAY is stored to once below DIM.  */
static bool
is_stored_once (const tns_scop *scop, const tns_tree *dim, int array)
{
  int n = 0;
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; tns_tree_has (dim, s) && a < scop->stmt[s].n_accesses; a++)
      n += scop->stmt[s].access[a].array == array
           && scop->stmt[s].access[a].write;
  return n == 1;
}

/* The same of the cell SYM.  */
static bool
is_set_once (const tns_scop *scop, const tns_tree *dim, const tns_sym *sym)
{
  int array = 0;
  while (array < scop->n_arrays && scop->array[array].sym != sym)
    array++;
  return is_stored_once (scop, dim, array);
}

/* Operations of one kind, of which the first waits for SYM's value.  */
typedef struct chain
{
  const tns_sym *sym;
  bool found;
} chain;

/* OP; ADD for differences, which are sums.  */
static tns_op
kind_of (tns_op op)
{
  return op == TNS_SUB ? TNS_ADD : op;
}

/* Note whether EXPR is the last of such.  */
static bool
note_chain (tns_expr *expr, void *self)
{
  chain *c = self;
  tns_op op = kind_of (expr->op);
  bool is_free
    = (op == TNS_ADD || op == TNS_MUL) && tns_elem_is_float (expr->type.elem);
  for (int k = 0; is_free && k < expr->n_args; k++)
    c->found |= kind_of (expr->arg[k]->op) == op
                && tns_expr_mentions (expr->arg[k], c->sym);
  return !c->found;
}

/* SYM is CELL, or a statement below DIM gives CELL its value.  */
static bool
leads_to (const tns_planner *p, const tns_tree *dim, const tns_sym *sym,
          const tns_sym *cell)
{
  for (int s = 0; s < p->scop->n_stmts; s++)
    {
      const tns_node *node = p->scop->stmt[s].node;
      if (node->kind == TNS_ASSIGN && node->target->sym == cell
          && node->update == TNS_NONE && node->value->op == TNS_LOAD
          && node->value->sym == sym && tns_tree_has (dim, s))
        return true;
    }
  return sym == cell;
}

/* Sums or products of the statements below DIM that lead to ARRAY, a cell, wait
   for what it was in the iteration before, and need not.  */
static bool
waits_early (const tns_planner *p, const tns_tree *dim, int array)
{
  chain c = { p->scop->array[array].sym, false };
  if (c.sym->rank > 0 || p->ctx->wish.fp == TNS_FP_STRICT)
    return false;
  for (int s = 0; s < p->scop->n_stmts; s++)
    {
      const tns_node *node = p->scop->stmt[s].node;
      if (node->kind == TNS_ASSIGN && node->update == TNS_NONE
          && node->target->sym->rank == 0
          && leads_to (p, dim, node->target->sym, c.sym)
          && tns_tree_has (dim, s))
        tns_expr_walk (node->value, note_chain, &c);
    }
  return c.found;
}

/* Statement S, below DIM, makes a cell's value of the one before so that four
   iterations may wait once (lowering/lookahead.h), and it is not only wanted at
   the end.  */
static bool
looks_ahead (const tns_planner *p, const tns_tree *dim, int s)
{
  const tns_node *node = p->scop->stmt[s].node;
  tns_recurrence is;
  if (!tns_tree_has (dim, s) || node->kind != TNS_ASSIGN
      || p->ctx->wish.fp == TNS_FP_STRICT
      || !tns_recurrence_of (p->ctx->arena, node, node->target->sym, &is))
    return false;
  bool is_alone = dim->body->kind == TNS_TREE_LEAF;
  return is_set_once (p->scop, dim, node->target->sym)
         && (is.factor || !is_alone);
}

/* What DIM's iterations hand on in ARRAY is better kept in a register, or asked
   for later.  */
static bool
is_worth_carrying (const tns_planner *p, const tns_tree *dim, int array)
{
  return p->scop->array[array].sym->rank > 0 || waits_early (p, dim, array);
}

/* DIM, the innermost of PATH[0..N], hands on a value that is worth it.  */
static bool
hands_on (const tns_planner *p, const tns_tree *dim, int n, tns_tree **path)
{
  for (int s = 0; s < p->scop->n_stmts; s++)
    if (looks_ahead (p, dim, s))
      return true;
  for (int k = 0; k < p->deps->n; k++)
    {
      const tns_dep *dep = &p->deps->dep[k];
      if (dep->kind == TNS_DEP_FLOW && !dep->freed
          && is_worth_carrying (p, dim, dep->array)
          && tns_tree_has (dim, dep->source) && tns_tree_has (dim, dep->target)
          && is_stored_once (p->scop, dim, dep->array)
          && is_next (p, dep, n, path))
        return true;
    }
  return false;
}

bool
tns_dim_mark_carry (tns_planner *planner, tns_tree *dim)
{
  const tns_scop *scop = planner->scop;
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (planner->tree, tns_tree_first_stmt (dim), path) - 1;
  if (dim->role != TNS_ROLE_ORDERED || tns_tree_depth (dim->body) > 0
      || path[n] != dim || !hands_on (planner, dim, n, path))
    return false;
  tns_text_line (&planner->steps, "carry %s in %s", dim->name,
                 scop->stmt[tns_tree_first_stmt (dim)].name);
  return true;
}
