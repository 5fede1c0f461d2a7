/* Costs, read off expressions.

     y[i] = i > 0 ? x[i - 1] + x[i] : x[i]

       all instances     4 bytes (the store)
       those of i > 0    1 flop, 8 bytes
       the others        4 bytes

   An operand that data chooses is not certain, unless both cost the same;
   the larger of the two is a bound.  */

#include "poly/count-cost.h"

#include "poly/scop-build.h"

/* EXPR is still to be charged for DOMAIN.  */
typedef struct pending
{
  isl_set *domain;
  tns_expr *expr;
} pending;

/* The bills under construction; the current domain is the builder's.  */
typedef struct teller
{
  tns_builder b;
  tns_bills bills;
  int n_pending;
  pending *pending;
} teller;

/* A and B.  */
static tns_cost
both (tns_cost a, tns_cost b)
{
  return (tns_cost){ a.flops + b.flops, a.bytes + b.bytes,
                     a.certain && b.certain };
}

/* A or B, as data decides.  */
static tns_cost
either (tns_cost a, tns_cost b)
{
  bool same = a.flops == b.flops && a.bytes == b.bytes;
  return (tns_cost){ a.flops > b.flops ? a.flops : b.flops,
                     a.bytes > b.bytes ? a.bytes : b.bytes,
                     a.certain && b.certain && same };
}

/* Nothing.  */
static const tns_cost free_of_charge = { 0, 0, true };

/* What an access of SYM moves.  */
static tns_cost
access_cost (const tns_sym *sym)
{
  bool counts = !tns_sym_is_local (sym);
  return (tns_cost){ 0, counts ? tns_elem_bytes (sym->type.elem) : 0, true };
}

/* What EXPR costs without its operands.  */
static tns_cost
own_cost (const tns_expr *expr)
{
  if (tns_expr_reads (expr))
    return access_cost (expr->sym);
  bool computes = expr->n_args && tns_elem_is_float (expr->type.elem)
                  && expr->op != TNS_SELECT && expr->op != TNS_CAST
                  && expr->op != TNS_BITS;
  return (tns_cost){ computes ? tns_op_flops (expr->op) : 0, 0, true };
}

tns_cost
tns_cost_of_expr (const tns_expr *expr)
{
  tns_cost sum = free_of_charge;
  if (!expr)
    return sum;
  sum = own_cost (expr);
  for (int k = 0; k < expr->n_args; k++)
    sum = both (sum, tns_cost_of_expr (expr->arg[k]));
  return sum;
}

/* Append a bill for the current domain.  */
static void
add_bill (teller *t, tns_cost cost)
{
  if (cost.flops == 0 && cost.bytes == 0 && cost.certain)
    return;
  tns_bills *bills = &t->bills;
  bills->bill
    = tns_build_room (t->b.arena, bills->bill, bills->n, sizeof (tns_bill));
  bills->bill[bills->n++] = (tns_bill){ isl_set_copy (t->b.domain), cost };
}

/* Leave EXPR to be charged for DOMAIN (taken).  */
static void
put_off (teller *t, tns_expr *expr, __isl_take isl_set *domain)
{
  t->pending
    = tns_build_room (t->b.arena, t->pending, t->n_pending, sizeof (pending));
  t->pending[t->n_pending++] = (pending){ domain, expr };
}

/* The operands of EXPR, a SELECT, put off to where they are chosen.  False
   when data decides.  */
static bool
put_off_choice (teller *t, tns_expr *expr)
{
  isl_set *yes = tns_build_cond (&t->b, expr->arg[0], false);
  if (!yes)
    return false;
  isl_set *no
    = isl_set_subtract (isl_set_copy (t->b.domain), isl_set_copy (yes));
  put_off (t, expr->arg[1], yes);
  put_off (t, expr->arg[2], no);
  return true;
}

/* What EXPR costs in the current domain, without what is put off.  */
static tns_cost
expr_cost (teller *t, tns_expr *expr)
{
  if (!expr)
    return free_of_charge;
  tns_cost sum = own_cost (expr);
  bool lazy = expr->op == TNS_LAND || expr->op == TNS_LOR;
  bool selects = expr->op == TNS_SELECT;
  for (int k = 0; k < expr->n_args && !(selects && k > 0); k++)
    {
      tns_cost cost = expr_cost (t, expr->arg[k]);
      sum = both (sum, lazy && k > 0 ? either (cost, free_of_charge) : cost);
    }
  if (!selects)
    return sum;
  tns_cost all
    = both (tns_cost_of_expr (expr->arg[1]), tns_cost_of_expr (expr->arg[2]));
  if ((all.flops == 0 && all.bytes == 0) || put_off_choice (t, expr))
    return sum;
  return both (
    sum, either (expr_cost (t, expr->arg[1]), expr_cost (t, expr->arg[2])));
}

/* What an ASSIGN costs.  */
static tns_cost
assign_cost (teller *t, const tns_node *node)
{
  const tns_sym *sym = node->target->sym;
  tns_cost sum = expr_cost (t, node->value);
  for (int k = 0; k < node->target->n_args; k++)
    sum = both (sum, expr_cost (t, node->target->arg[k]));
  sum = both (sum, access_cost (sym));
  if (node->update != TNS_NONE)
    sum = both (sum, access_cost (sym));
  if (node->update != TNS_NONE && tns_elem_is_float (sym->type.elem))
    sum.flops += tns_op_flops (node->update);
  if (!node->mask)
    return sum;
  return both (either (sum, free_of_charge), expr_cost (t, node->mask));
}

/* What executing NODE once costs.  */
static tns_cost
node_cost (teller *t, const tns_node *node)
{
  if (!node)
    return free_of_charge;
  if (node->kind == TNS_ASSIGN)
    return assign_cost (t, node);
  tns_cost sum = both (expr_cost (t, node->lo), expr_cost (t, node->hi));
  sum = both (sum, expr_cost (t, node->cond));
  for (int k = 0; k < node->n_kids; k++)
    sum = both (sum, node_cost (t, node->kid[k]));
  sum = both (
    sum, either (node_cost (t, node->then), node_cost (t, node->otherwise)));
  tns_cost body = node_cost (t, node->body);
  body.certain &= node->kind != TNS_LOOP;
  return both (sum, body);
}

tns_bills
tns_cost_of_stmt (tns_ctx *ctx, tns_scop *scop, const tns_stmt *stmt)
{
  teller t = { .b = tns_build_resume (ctx, scop) };
  isl_set_free (t.b.domain);
  t.b.domain = isl_set_reset_tuple_id (isl_set_copy (stmt->domain));
  t.b.iter = stmt->iter;
  t.b.loop = stmt->loop;
  t.b.n_iters = stmt->n_iters;
  add_bill (&t, node_cost (&t, stmt->node));
  while (t.n_pending > 0)
    {
      pending next = t.pending[--t.n_pending];
      isl_set_free (t.b.domain);
      t.b.domain = next.domain;
      add_bill (&t, expr_cost (&t, next.expr));
    }
  tns_build_end (&t.b);
  return t.bills;
}
