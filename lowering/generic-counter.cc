/* Values of an iterator in other types, counted beside it.

     for i ... y[i] = x[i] * (int) i        k = (int) lo;  k += s each time
     for i ... step 16  y = iota (int (i))  v = {lo, lo + 1, ...};  v += {16}

   An iterator is as wide as an address.  Lanes of a narrower type made of it
   anew cost a broadcast and a sum each time, and where GCC makes the vectors
   it counts in wide ones and packs them.

   Of the loops without threads and without other loops inside, whose iterator
   is a variable of the function that is built.  */

#include "lowering/build.hh"

extern "C"
{
#include "ir/walk.h"
}

/* A variable that counts.

   type      of its value: lanes where it is a vector
   next      another, of this loop or of one around it  */
typedef struct tns_counter
{
  const tns_sym *iter;
  tns_type type;
  tree variable;
  struct tns_counter *next;
} counter;

/* A search for what LOOP's body wants to have counted.  */
typedef struct finding
{
  tns_build *build;
  const tns_node *loop;
  counter *found;
} finding;

/* EXPR is the iterator ITER, and *MORE is 0, or ITER and the constant *MORE,
   converted to a narrower integer.  */
static bool
is_narrowed (const tns_expr *expr, const tns_sym *iter, long long *more)
{
  *more = 0;
  if (expr->op != TNS_CAST || expr->type.lanes > 1
      || expr->type.elem == TNS_BOOL || !tns_elem_is_integer (expr->type.elem)
      || tns_elem_bytes (expr->type.elem) >= 8)
    return false;
  expr = expr->arg[0];
  if (expr->op == TNS_ADD && tns_expr_is_int (expr->arg[1], more))
    expr = expr->arg[0];
  return expr->op == TNS_SYM && expr->sym == iter;
}

/* EXPR, of ITER, is such a value, or such lanes.  */
static bool
is_counted (const tns_expr *expr, const tns_sym *iter, long long *more)
{
  if (expr->op == TNS_IOTA)
    return VECTOR_MODE_P (TYPE_MODE (tns_build_type (expr->type)))
           && is_narrowed (expr->arg[0], iter, more)
           && expr->arg[0]->type.elem == expr->type.elem;
  return is_narrowed (expr, iter, more);
}

/* The counter of TYPE for ITER among LIST, or NULL.  */
static counter *
find_counter (counter *list, const tns_sym *iter, tns_type type)
{
  while (list
         && (list->iter != iter || list->type.elem != type.elem
             || list->type.lanes != type.lanes))
    list = list->next;
  return list;
}

/* The visitor: EXPR is to be counted.  */
static bool
note_counted (tns_expr *expr, void *self)
{
  finding *f = (finding *) self;
  long long more;
  if (!is_counted (expr, f->loop->iter, &more))
    return true;
  if (!find_counter (f->found, f->loop->iter, expr->type))
    {
      counter *made = TNS_NEW (f->build->ctx->arena, counter);
      made->iter = f->loop->iter;
      made->type = expr->type;
      made->next = f->found;
      f->found = made;
    }
  return false;
}

/* The visitor: the same in NODE's expressions.  */
static bool
note_node (tns_node *node, void *self)
{
  tns_node_exprs (node, note_counted, self);
  return true;
}

/* The visitor: NODE is a loop.  */
static bool
note_loop (tns_node *node, void *self)
{
  bool *found = (bool *) self;
  *found |= node->kind == TNS_LOOP;
  return !*found;
}

/* What C counts in: it wraps.  */
static tree
counting_type (const counter *c)
{
  return unsigned_type_for (tns_build_type (c->type));
}

/* VALUE as TYPE, scalars or vectors of the same size.  */
static tree
as_type (tree type, tree value)
{
  return VECTOR_TYPE_P (type) ? fold_build1 (VIEW_CONVERT_EXPR, type, value)
                              : fold_convert (type, value);
}

/* N in each lane of TYPE.  */
static tree
each (tree type, long long n)
{
  if (!VECTOR_TYPE_P (type))
    return build_int_cst (type, n);
  return build_vector_from_val (type, build_int_cst (TREE_TYPE (type), n));
}

/* Declare C and set it to what LOOP's first iteration has.  */
static void
start (tns_build *build, counter *c, tree *variables, tree *list)
{
  tns_arena *arena = build->ctx->arena;
  tree type = counting_type (c);
  tns_expr *iter = tns_value (arena, (tns_sym *) c->iter);
  tns_expr *value = tns_cast (arena, tns_scalar (c->type.elem), iter);
  if (c->type.lanes > 1)
    value = tns_make (arena, TNS_IOTA, c->type, NULL, 1, &value);
  tree first = as_type (type, tns_build_expr (build, value));
  c->variable = tns_build_variable (build, "count", type);
  DECL_CHAIN (c->variable) = *variables;
  *variables = c->variable;
  append_to_statement_list (tns_build_set (build, c->variable, first), list);
}

void
tns_build_count (tns_build *build, const tns_node *loop, tree *variables,
                 tree *list)
{
  bool has_loop = false;
  finding f = { build, loop, NULL };
  tns_node_walk (loop->body, note_loop, &has_loop);
  if (has_loop)
    return;
  tns_node_walk (loop->body, note_node, &f);
  for (counter *c = f.found; c; c = c->next)
    start (build, c, variables, list);
  while (f.found)
    {
      counter *c = f.found;
      f.found = c->next;
      c->next = build->counters;
      build->counters = c;
    }
}

void
tns_build_count_on (tns_build *build, const tns_node *loop, tree *list)
{
  for (counter *c = build->counters; c && c->iter == loop->iter; c = c->next)
    {
      tree type = TREE_TYPE (c->variable);
      tree next
        = fold_build2 (PLUS_EXPR, type, c->variable, each (type, loop->step));
      append_to_statement_list (tns_build_set (build, c->variable, next), list);
    }
}

tree
tns_build_counted (tns_build *build, const tns_expr *expr)
{
  long long more;
  for (counter *c = build->counters; c; c = c->next)
    if (c->type.elem == expr->type.elem && c->type.lanes == expr->type.lanes
        && is_counted (expr, c->iter, &more))
      {
        tree type = TREE_TYPE (c->variable);
        tree value
          = fold_build2 (PLUS_EXPR, type, c->variable, each (type, more));
        return as_type (tns_build_type (expr->type), value);
      }
  return NULL_TREE;
}
