/* Places are found by a walk from the outside in.  What a condition says holds
   until something that it is about is stored.  */

#include "ir/place.h"

#include "ir/affine.h"
#include "ir/walk.h"

/* A new place inside OUTER.  */
static tns_place *
place_in (tns_arena *arena, tns_place_kind kind, const tns_place *outer)
{
  tns_place *place = TNS_NEW (arena, tns_place);
  *place = (tns_place){ .kind = kind, .outer = outer };
  return place;
}

/* Behind kid[0..AT) of BLOCK, which stands at OUTER.  */
static const tns_place *
place_among (tns_arena *arena, tns_node *block, int at, const tns_place *outer)
{
  tns_place *place = place_in (arena, TNS_AMONG, outer);
  place->node = block;
  place->at = at;
  return place;
}

const tns_place *
tns_place_when (tns_arena *arena, const tns_place *outer, tns_expr *cond,
                bool negated)
{
  tns_place *place = place_in (arena, TNS_WHEN, outer);
  place->cond = cond;
  place->negated = negated;
  return place;
}

const tns_place *
tns_place_behind (tns_arena *arena, const tns_place *outer, tns_expr *cond,
                  bool negated, tns_node *block)
{
  const tns_place *place = tns_place_when (arena, outer, cond, negated);
  return block ? place_among (arena, block, block->n_kids, place) : place;
}

/* A search for places.  */
typedef struct search
{
  tns_arena *arena;
  const tns_expr *expr;
  tns_place_visitor visit;
  void *self;
} search;

/* Look for the places in EXPR, which is evaluated at PLACE.  */
static void
look_in_expr (search *s, tns_expr *expr, const tns_place *place)
{
  if (!expr)
    return;
  if (tns_expr_reads (expr) && tns_expr_equal (expr, s->expr))
    s->visit (place, s->self);
  bool chooses
    = expr->op == TNS_SELECT || expr->op == TNS_LAND || expr->op == TNS_LOR;
  for (int k = 0; k < expr->n_args; k++)
    {
      bool negated = expr->op == TNS_LOR || k == 2;
      bool is_chosen = chooses && k > 0;
      look_in_expr (s, expr->arg[k],
                    is_chosen
                      ? tns_place_when (s->arena, place, expr->arg[0], negated)
                      : place);
    }
}

/* Look for the places in NODE, which stands at PLACE.  */
static void
look (search *s, tns_node *node, const tns_place *place)
{
  if (!node)
    return;
  look_in_expr (s, node->lo, place);
  look_in_expr (s, node->hi, place);
  look_in_expr (s, node->cond, place);
  look_in_expr (s, node->target, place);
  look_in_expr (s, node->value, place);
  look_in_expr (s, node->mask, place);
  for (int k = 0; k < node->n_kids; k++)
    look (s, node->kid[k], place_among (s->arena, node, k, place));
  if (node->then)
    look (s, node->then, tns_place_when (s->arena, place, node->cond, false));
  if (node->otherwise)
    look (s, node->otherwise,
          tns_place_when (s->arena, place, node->cond, true));
  if (node->body)
    {
      tns_place *inside = place_in (s->arena, TNS_INSIDE, place);
      inside->node = node;
      look (s, node->body, inside);
    }
}

void
tns_places_of (tns_arena *arena, tns_node *body, const tns_expr *expr,
               tns_place_visitor visit, void *self)
{
  search s = { arena, expr, visit, self };
  look (&s, body, NULL);
}

/* What facts are looked for about.  cells: all that it reads is such.  */
typedef struct question
{
  tns_arena *arena;
  tns_expr *expr;
  tns_fact_visitor visit;
  void *self;
  tns_node *node;
  bool cells;
  bool changes;
} question;

/* The visitor that asks whether only cells are read, and whether the node
   writes them.  */
static bool
ask_cell (tns_expr *expr, void *self)
{
  question *q = self;
  if (!tns_expr_reads (expr))
    return true;
  q->cells &= tns_sym_is_local (expr->sym) && expr->sym->rank == 0;
  q->changes |= q->node && tns_node_writes (q->node, expr->sym);
  return q->cells;
}

/* NODE writes what the question is about.  */
static bool
changes (question *q, tns_node *node)
{
  q->node = node;
  q->changes = false;
  tns_expr_walk (q->expr, ask_cell, q);
  return q->changes;
}

/* The comparison with its operands exchanged.  */
static tns_op
mirrored (tns_op op)
{
  return op == TNS_LT   ? TNS_GT
         : op == TNS_LE ? TNS_GE
         : op == TNS_GT ? TNS_LT
         : op == TNS_GE ? TNS_LE
                        : op;
}

/* The comparison that is true when OP is false.  */
static tns_op
contrary (tns_op op)
{
  return op == TNS_LT   ? TNS_GE
         : op == TNS_LE ? TNS_GT
         : op == TNS_GT ? TNS_LE
         : op == TNS_GE ? TNS_LT
         : op == TNS_EQ ? TNS_NE
                        : TNS_EQ;
}

/* EXPR without conversions to wider floating numbers.  */
static tns_expr *
narrowest (tns_expr *expr)
{
  while (expr->op == TNS_CAST && tns_elem_is_float (expr->type.elem)
         && tns_elem_is_float (expr->arg[0]->type.elem)
         && tns_elem_bytes (expr->arg[0]->type.elem)
              < tns_elem_bytes (expr->type.elem))
    expr = expr->arg[0];
  return expr;
}

/* SIDE is what the question is about, and *PLUS.  */
static bool
is_asked (const question *q, tns_expr *side, long long *plus)
{
  *plus = 0;
  if (tns_elem_is_float (q->expr->type.elem))
    return tns_expr_equal (narrowest (side), narrowest (q->expr));
  if (!tns_elem_is_integer (side->type.elem)
      || tns_elem_is_unsigned (side->type.elem)
           != tns_elem_is_unsigned (q->expr->type.elem))
    return false;
  if (tns_expr_equal (side, q->expr))
    return true;
  tns_sum mine = tns_sum_scale (q->arena, tns_sum_of (q->arena, q->expr), -1);
  return !tns_elem_is_unsigned (side->type.elem)
         && tns_sum_is_int (
           tns_sum_add (q->arena, tns_sum_of (q->arena, side), mine), plus);
}

/* Tell what COND, NEGATED, evaluated at PLACE, says.  */
static void
tell (question *q, const tns_expr *cond, bool negated, const tns_place *place)
{
  tns_fact fact = { .place = place };
  if (cond->op == TNS_LNOT)
    tell (q, cond->arg[0], !negated, place);
  else if (cond->op == (negated ? TNS_LOR : TNS_LAND))
    {
      tell (q, cond->arg[0], negated, place);
      tell (q, cond->arg[1], negated, place);
    }
  if (tns_op_class (cond->op) != 'C' || cond->type.lanes != 1)
    return;
  for (int k = 0; k < 2; k++)
    if (is_asked (q, cond->arg[k], &fact.plus))
      {
        fact.op = negated ? contrary (cond->op) : cond->op;
        fact.op = k == 0 ? fact.op : mirrored (fact.op);
        fact.other = cond->arg[1 - k];
        q->visit (&fact, q->self);
      }
}

/* What the question is about may change on the way to PLACE from its
   outside.  */
static bool
changes_at (question *q, const tns_place *place)
{
  if (place->kind == TNS_INSIDE)
    return tns_expr_mentions (q->expr, place->node->iter)
           || changes (q, place->node);
  for (int k = 0; place->kind == TNS_AMONG && k < place->at; k++)
    if (changes (q, place->node->kid[k]))
      return true;
  return false;
}

void
tns_facts_at (tns_arena *arena, const tns_place *place, tns_expr *expr,
              tns_fact_visitor visit, void *self)
{
  question q = { .arena = arena, .expr = expr, .visit = visit, .self = self };
  q.cells = true;
  tns_expr_walk (expr, ask_cell, &q);
  for (; place && q.cells && !changes_at (&q, place); place = place->outer)
    if (place->kind == TNS_WHEN)
      tell (&q, place->cond, place->negated, place->outer);
}

tns_node *
tns_writer_before (tns_arena *arena, const tns_place *place,
                   const tns_sym *cell, const tns_place **where)
{
  for (; place; place = place->outer)
    {
      if (place->kind == TNS_INSIDE && tns_node_writes (place->node, cell))
        return NULL;
      for (int k = place->kind == TNS_AMONG ? place->at - 1 : -1; k >= 0; k--)
        if (tns_node_writes (place->node->kid[k], cell))
          {
            *where = place_among (arena, place->node, k, place->outer);
            return place->node->kid[k];
          }
    }
  return NULL;
}
