/* Conditions around accesses, as poly/when.h says.  */

#include "poly/when.h"

#include "ir/walk.h"

/* A search in a node.

   n      how often EXPR was met
   about  a condition is about LOAD and VALUEs
   when   what is known where EXPR was met first  */
typedef struct search
{
  tns_arena *arena;
  const tns_expr *expr;
  const tns_expr *load;
  int n;
  bool about;
  tns_expr *when;
} search;

/* The visitor of a condition.  */
static bool
note_leaf (tns_expr *expr, void *self)
{
  search *s = self;
  if (tns_expr_equal (expr, s->load))
    return false;
  s->about &= !expr->sym || expr->sym->kind == TNS_SYM_VALUE;
  return s->about;
}

/* KNOWN, NULL: nothing, and what COND, or, NEGATED, its contrary says of S's
   load.  */
static tns_expr *
with_condition (search *s, tns_expr *known, tns_expr *cond, bool negated)
{
  tns_op splits = negated ? TNS_LOR : TNS_LAND;
  if (cond->op == TNS_LNOT)
    return with_condition (s, known, cond->arg[0], !negated);
  if (cond->op == splits)
    {
      known = with_condition (s, known, cond->arg[0], negated);
      return with_condition (s, known, cond->arg[1], negated);
    }
  s->about = true;
  tns_expr_walk (cond, note_leaf, s);
  if (!s->about)
    return known;
  if (negated)
    cond = tns_unary (s->arena, TNS_LNOT, cond);
  return known ? tns_binary (s->arena, TNS_LAND, known, cond) : cond;
}

/* The visitor that counts the accesses.  */
static bool
count_access (tns_expr *expr, void *self)
{
  search *s = self;
  s->n += tns_expr_reads (expr) && tns_expr_equal (expr, s->expr);
  return true;
}

/* Look for S's access in NODE, where KNOWN holds.  */
static void
look (search *s, tns_node *node, tns_expr *known)
{
  int before = s->n;
  if (!node)
    return;
  tns_node_exprs (node, count_access, s);
  if (before == 0 && s->n == 1)
    s->when = known;
  for (int k = 0; k < node->n_kids; k++)
    look (s, node->kid[k], known);
  look (s, node->body, known);
  if (node->then)
    look (s, node->then, with_condition (s, known, node->cond, false));
  if (node->otherwise)
    look (s, node->otherwise, with_condition (s, known, node->cond, true));
}

tns_expr *
tns_when (tns_arena *arena, tns_node *node, const tns_expr *expr,
          const tns_expr *load)
{
  search s = { .arena = arena, .expr = expr, .load = load };
  look (&s, node, NULL);
  return s.n == 1 ? s.when : NULL;
}
