/* Sums of the lanes of several vectors at once.

     s[0] += reduce_add (a);            h = {a, b} halved: lower + upper half
     s[1] += reduce_add (b);     ->     k = {c, d} halved
     s[2] += reduce_add (c);            v = {h, k} halved
     s[3] += reduce_add (d);            v += v turned by half of a quarter ...
                                        s[0..3] += the first lanes of quarters

   takes a third of the instructions, one load and one store; what is added
   to what is as reduce_add has it, so the sums are the same to the last bit.
   The elements of a LOCAL array that nobody reads as a vector are variables to
   GCC, as LOCAL cells are, and stay so: each gets its lane, where the vectors
   are long enough that taking these apart again is worth it.

   Only of neighbouring elements of one array, or of LOCAL cells, whose sums
   stand in one line of such statements, and of vectors that are LOCAL
   variables; where the target cannot pick lanes so, and for what is left, one
   by one.  */

#include "lowering/build.hh"

extern "C"
{
#include "ir/walk.h"
}

#define TOGETHER 4

/* NODE adds the lanes of a variable, floats, to an element of an array, or to a
   variable.  */
static bool
is_sum (const tns_node *node)
{
  if (node->kind != TNS_ASSIGN || node->update != TNS_ADD || node->mask
      || node->value->op != TNS_REDUCE_ADD)
    return false;
  const tns_expr *target = node->target;
  const tns_expr *lanes = node->value->arg[0];
  return (target->sym->rank > 0 ? tns_build_is_contiguous (target->sym)
                                : tns_sym_is_local (target->sym))
         && target->type.lanes == 1 && tns_elem_is_float (target->type.elem)
         && lanes->op == TNS_LOAD && lanes->sym->rank == 0
         && lanes->type.elem == target->type.elem
         && lanes->type.lanes >= TOGETHER;
}

/* A and B add as many lanes of one type to a variable each.  */
static bool
are_variables (const tns_node *a, const tns_node *b)
{
  return a->target->sym->rank == 0 && b->target->sym->rank == 0
         && a->target->sym != b->target->sym
         && tns_type_equal (a->value->arg[0]->type, b->value->arg[0]->type);
}

/* The element of B stands BY elements behind that of A, in one row.  */
static bool
is_behind (const tns_node *a, const tns_node *b, int by)
{
  const tns_expr *x = a->target;
  const tns_expr *y = b->target;
  int last = x->sym->rank - 1;
  long long at;
  long long other;
  if (x->sym != y->sym || x->sym->rank == 0
      || a->value->arg[0]->type.lanes != b->value->arg[0]->type.lanes
      || !tns_expr_is_int (x->arg[last], &at)
      || !tns_expr_is_int (y->arg[last], &other) || other - at != by)
    return false;
  for (int k = 0; k < last; k++)
    if (!tns_expr_equal (x->arg[k], y->arg[k]))
      return false;
  return true;
}

/* The sums KID[0..N) that are not DONE: the one of element BY behind KID[K]'s,
   or, of a variable, BY behind KID[K]; -1: none.  */
static int
find_behind (tns_node *const *kid, int n, const bool *done, int k, int by)
{
  int at = k + by;
  if (kid[k]->target->sym->rank == 0)
    return by == 0 || (at < n && !done[at] && are_variables (kid[k], kid[at]))
             ? at
             : -1;
  for (int j = 0; j < n; j++)
    if (!done[j] && is_behind (kid[k], kid[j], by))
      return j;
  return -1;
}

/* A and B, vectors of TYPE with GROUPS groups of lanes each, as one with twice
   as many, of half the lanes: the lower halves of the groups, or, UPPER, the
   upper ones.  */
static tree
pick_halves (tree type, tree a, tree b, int groups, bool upper)
{
  int lanes = (int) TYPE_VECTOR_SUBPARTS (type).to_constant ();
  int width = lanes / groups;
  vec_perm_builder from (lanes, lanes, 1);
  for (int group = 0; group < 2 * groups; group++)
    for (int lane = 0; lane < width / 2; lane++)
      from.quick_push (group * width + (upper ? width / 2 : 0) + lane);
  return tns_build_pick (type, a, b, from);
}

/* A + B, vectors of TYPE; NULL_TREE where one is.  */
static tree
sum_of (tns_build *build, tns_type type, tree a, tree b)
{
  tree arg[2] = { a, b };
  return a && b ? tns_build_once (tns_build_apply (build, TNS_ADD, type, arg))
                : NULL_TREE;
}

/* The groups of A and of B halved, in one vector.  */
static tree
halve_both (tns_build *build, tns_type type, tree a, tree b, int groups)
{
  tree vector = tns_build_type (type);
  if (!a || !b)
    return NULL_TREE;
  return sum_of (build, type, pick_halves (vector, a, b, groups, false),
                 pick_halves (vector, a, b, groups, true));
}

/* VALUE + VALUE turned by BY lanes in each group of WIDTH.  */
static tree
turn_over (tns_build *build, tns_type type, tree value, int width, int by)
{
  vec_perm_builder from (type.lanes, type.lanes, 1);
  for (int lane = 0; lane < type.lanes; lane++)
    from.quick_push (lane / width * width + (lane + by) % width);
  return sum_of (build, type, value,
                 tns_build_pick (tns_build_type (type), value, value, from));
}

/* The first lanes of VALUE's groups.  */
static tree
pick_firsts (tns_type type, tree value)
{
  tree result = tns_build_type (tns_vector (type.elem, TOGETHER));
  int width = type.lanes / TOGETHER;
  if (width == 1)
    return value;
  vec_perm_builder from (type.lanes, type.lanes, 1);
  for (int lane = 0; lane < type.lanes; lane++)
    from.quick_push (lane * width % type.lanes);
  tree firsts = tns_build_pick (tns_build_type (type), value, value, from);
  return firsts ? build3 (BIT_FIELD_REF, result, firsts, TYPE_SIZE (result),
                          bitsize_int (0))
                : NULL_TREE;
}

/* The sums of the lanes of SUM[0..TOGETHER), or NULL_TREE.  */
static tree
sums_of (tns_build *build, const tns_node *const *sum)
{
  tns_type type = sum[0]->value->arg[0]->type;
  tree value[TOGETHER];
  if (!VECTOR_MODE_P (TYPE_MODE (tns_build_type (type))))
    return NULL_TREE;
  for (int k = 0; k < TOGETHER; k++)
    value[k] = tns_build_once (tns_build_expr (build, sum[k]->value->arg[0]));
  int groups = 1;
  for (int n = TOGETHER; n > 1; n /= 2, groups *= 2)
    for (int k = 0; k < n / 2; k++)
      value[k]
        = halve_both (build, type, value[2 * k], value[2 * k + 1], groups);
  int width = type.lanes / TOGETHER;
  for (int by = width / 2; by > 0 && value[0]; by /= 2)
    value[0] = turn_over (build, type, value[0], width, by);
  return value[0] ? pick_firsts (type, value[0]) : NULL_TREE;
}

/* A look for reads of SYM by vectors.  */
typedef struct search
{
  const tns_sym *sym;
  bool found;
} search;

/* The visitor of expressions.  */
static bool
note_vector (tns_expr *expr, void *self)
{
  search *s = (search *) self;
  s->found |= expr->sym == s->sym && expr->type.lanes > 1;
  return !s->found;
}

/* The visitor of nodes.  */
static bool
note_vectors (tns_node *node, void *self)
{
  tns_expr_walk (node->value, note_vector, self);
  return !((search *) self)->found;
}

/* The elements of SYM are read by themselves alone, and nobody else can see
   them.  */
static bool
is_taken_apart (const tns_build *build, const tns_sym *sym)
{
  search s = { sym, false };
  if (!tns_sym_is_local (sym))
    return false;
  tns_node_walk (build->region->body, note_vectors, &s);
  return !s.found;
}

/* Append SUM[0..TOGETHER) += the lanes of SUMS to *LIST, one by one if
   APART.  */
static void
add_sums (tns_build *build, const tns_node *const *sum, tree sums, bool apart,
          tree *list)
{
  const tns_expr *target = sum[0]->target;
  int lanes = apart ? 1 : TOGETHER;
  tns_type type = { target->type.elem, lanes };
  sums = tns_build_once (sums);
  for (int k = 0; k < TOGETHER; k += lanes)
    {
      tree place = tns_build_element (build, sum[k]->target->sym,
                                      sum[k]->target->arg, type, 0);
      tree arg[2]
        = { unshare_expr (place), apart ? tns_build_extract (sums, k) : sums };
      tree value = tns_build_apply (build, TNS_ADD, type, arg);
      append_to_statement_list (tns_build_set (build, place, value), list);
    }
}

/* Append KID[K], of the sums KID[0..N), with its neighbours to *LIST, which are
   DONE then.  False where they cannot be done at once.  */
static bool
add_together (tns_build *build, tns_node *const *kid, int n, bool *done, int k,
              tree *list)
{
  const tns_node *sum[TOGETHER];
  int at[TOGETHER];
  for (int j = 0; j < TOGETHER; j++)
    {
      at[j] = find_behind (kid, n, done, k, j);
      if (at[j] < 0)
        return false;
      sum[j] = kid[at[j]];
    }
  bool apart = is_taken_apart (build, sum[0]->target->sym);
  if (apart && sum[0]->value->arg[0]->type.lanes <= 2 * TOGETHER)
    return false;
  tree sums = sums_of (build, sum);
  if (!sums)
    return false;
  add_sums (build, sum, sums, apart, list);
  for (int j = 0; j < TOGETHER; j++)
    done[at[j]] = true;
  return true;
}

int
tns_build_sums (tns_build *build, tns_node *const *kid, int n, tree *list)
{
  int sums = 0;
  while (sums < n && is_sum (kid[sums]))
    sums++;
  bool *done = TNS_NEW_ARRAY (build->ctx->arena, bool, sums + 1);
  for (int k = 0; k < sums; k++)
    if (!done[k] && !add_together (build, kid, sums, done, k, list))
      tns_build_node (build, kid[k], list);
  return sums;
}
