/* What one thread does of a loop by owner (lowering/owners.h), as trees.

     first, last     the owners that are this thread's

     for (base = lo; base < hi; base += PIECE * step)
       {
         long mine[PIECE], n = 0;
         for (i = base; i < min (base + PIECE * step, hi); i += step)
           {
             mine[n] = i;
             n += (unsigned long) (owner (i) - first) < last - first;
           }
         for (k = 0; k < n; k++)
           {
             i = mine[k];
             body;
           }
       }

   Nothing branches on whose an iteration is, which nobody can foretell.  */

#include "lowering/build.hh"

/* Iterations that are looked at before they are done.  */
enum
{
  PIECE = 256
};

/* A loop under construction.

   n, mine  how many iterations are in the list, and it
   end      of the piece
   variables  of the scope around  */
typedef struct owned
{
  tns_build *build;
  tns_node *loop;
  tree type;
  tree iter;
  tree base;
  tree end;
  tree bound;
  tree n;
  tree mine;
  tree variables;
} owned;

/* A variable NAME of TYPE around O.  */
static tree
add_variable (owned *o, const char *name, tree type)
{
  tree variable = tns_build_variable (o->build, name, type);
  DECL_CHAIN (variable) = o->variables;
  o->variables = variable;
  return variable;
}

/* N as an I64.  */
static tree
number (const owned *o, HOST_WIDE_INT n)
{
  return build_int_cst (o->type, n);
}

/* A CODE B, I64.  */
static tree
op2 (const owned *o, tree_code code, tree a, tree b)
{
  return build2 (code, o->type, a, b);
}

/* Append TARGET = VALUE to *LIST.  */
static void
add_set (const owned *o, tree target, tree value, tree *list)
{
  append_to_statement_list (tns_build_set (o->build, target, value), list);
}

/* The element of the list at AT.  */
static tree
element (const owned *o, tree at)
{
  return build4 (ARRAY_REF, o->type, o->mine, at, NULL_TREE, NULL_TREE);
}

/* Append the search for the thread's iterations in the piece to *LIST.  */
static void
add_search (owned *o, tree first, tree last, tree *list)
{
  tree body = NULL_TREE;
  tree wide = long_unsigned_type_node;
  tree owner = tns_build_expr (o->build, o->loop->marks.owner);
  tree place = fold_convert (wide, op2 (o, MINUS_EXPR, owner, first));
  tree length = fold_convert (wide, op2 (o, MINUS_EXPR, last, first));
  tree is_mine = build2 (LT_EXPR, boolean_type_node, place, length);
  add_set (o, element (o, o->n), o->iter, &body);
  add_set (o, o->n, op2 (o, PLUS_EXPR, o->n, fold_convert (o->type, is_mine)),
           &body);
  add_set (o, o->n, number (o, 0), list);
  add_set (o, o->iter, o->base, list);
  tns_build_repeat (o->build, o->iter, o->end, number (o, o->loop->step), body,
                    list);
}

/* Append what is done with them to *LIST.  */
static void
add_work (owned *o, tree *list)
{
  tree body = NULL_TREE;
  tree variables = NULL_TREE;
  tree k = add_variable (o, "k", o->type);
  add_set (o, o->iter, element (o, k), &body);
  tns_build_enter (o->build, o->loop->iter, &body, &variables);
  tns_build_node (o->build, o->loop->body, &body);
  tns_build_leave (o->build);
  add_set (o, k, number (o, 0), list);
  tns_build_repeat (o->build, k, o->n, number (o, 1),
                    tns_build_scope (variables, body), list);
}

void
tns_build_owned_loop (tns_build *build, tns_node *loop, tree first, tree last,
                      tree *list)
{
  tree type = tns_build_type (tns_scalar (TNS_I64));
  owned o;
  memset (&o, 0, sizeof o);
  o.build = build;
  o.loop = loop;
  o.type = type;
  tree body = NULL_TREE;
  tree all = NULL_TREE;
  tree length = build_int_cst (type, PIECE * loop->step);
  o.iter = add_variable (&o, loop->iter->name, type);
  o.base = add_variable (&o, "base", type);
  o.end = add_variable (&o, "end", type);
  o.bound = add_variable (&o, "bound", type);
  o.n = add_variable (&o, "n", type);
  o.mine = add_variable (&o, "mine", build_array_type_nelts (type, PIECE));
  build->decl[loop->iter->id] = o.iter;
  add_set (&o, o.bound, tns_build_expr (build, loop->hi), &all);
  add_set (&o, o.base, tns_build_expr (build, loop->lo), &all);
  add_set (&o, o.end,
           op2 (&o, MIN_EXPR, op2 (&o, PLUS_EXPR, o.base, length), o.bound),
           &body);
  add_search (&o, first, last, &body);
  add_work (&o, &body);
  tns_build_repeat (build, o.base, o.bound, length, body, &all);
  append_to_statement_list (tns_build_scope (o.variables, all), list);
}
