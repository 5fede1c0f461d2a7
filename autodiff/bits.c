/* Floating values that go on as bits, as autodiff/bits.h says: a fixpoint over
   the integers that carry some, then a look at what becomes of them.  */

#include "autodiff/bits.h"

#include "autodiff/partial.h"

/* carries  by symbol id, of integers  */
typedef struct finder
{
  tns_sym *const *varied;
  bool *carries;
} finder;

/* The first operand of EXPR that its value is made of: a condition is none.  */
static int
first_operand (const tns_expr *expr)
{
  return expr->op == TNS_SELECT ? 1 : 0;
}

/* The integer EXPR carries bits of what varies.  */
static bool
carries (const finder *f, tns_expr *expr)
{
  if (expr->type.elem == TNS_BOOL)
    return false;
  if (expr->op == TNS_LOAD)
    return f->carries[expr->sym->id];
  if (tns_elem_is_float (expr->type.elem))
    return false;
  if (expr->op == TNS_BITS && tns_expr_varies (expr->arg[0], f->varied))
    return true;
  for (int k = first_operand (expr); k < expr->n_args; k++)
    if (carries (f, expr->arg[k]))
      return true;
  return false;
}

/* Where in the floating EXPR bits become a value; NULL: nowhere.  */
static tns_expr *
find_value (const finder *f, tns_expr *expr)
{
  bool converts = expr->op == TNS_BITS || expr->op == TNS_CAST;
  if (!tns_elem_is_float (expr->type.elem) || expr->op == TNS_LOAD)
    return NULL;
  if (converts && carries (f, expr->arg[0]))
    return expr;
  for (int k = first_operand (expr); k < expr->n_args; k++)
    {
      tns_expr *found = find_value (f, expr->arg[k]);
      if (found)
        return found;
    }
  return NULL;
}

/* Note the integer that NODE gives bits to; whether it is a new one.  */
static bool
note_carrier (finder *f, const tns_node *node)
{
  int id = node->kind == TNS_ASSIGN ? node->target->sym->id : 0;
  if (node->kind != TNS_ASSIGN || f->carries[id]
      || tns_elem_is_float (node->target->type.elem)
      || !carries (f, node->value))
    return false;
  f->carries[id] = true;
  return true;
}

bool
tns_bits_are_passive (tns_ctx *ctx, const tns_view *view,
                      tns_sym *const *varied, const bool *useful)
{
  bool *found = TNS_NEW_ARRAY (ctx->arena, bool, view->region->n_syms + 1);
  finder f = { varied, found };
  for (bool more = true; more;)
    {
      more = false;
      for (int s = 0; s < view->n_sites; s++)
        more |= note_carrier (&f, view->site[s].node);
    }
  for (int s = 0; s < view->n_sites; s++)
    {
      const tns_node *node = view->site[s].node;
      tns_expr *value = NULL;
      if (node->kind == TNS_ASSIGN && useful[node->target->sym->id])
        value = find_value (&f, node->value);
      if (!value)
        continue;
      tns_refuse (ctx, value->loc.line ? value->loc : node->loc,
                  TNS_WHY_DERIVATIVE, "a value taken from bits");
      return false;
    }
  return true;
}
