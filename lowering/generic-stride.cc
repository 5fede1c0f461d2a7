/* Gathers whose lanes lie at one small distance from each other.

     gather (b[n - iota (i)])    the 16 elements that end at b[n - i], turned
                                 round
     gather (b[2 * iota (i)])    two vectors, of b[2*i ... 2*i+30], and every
                                 second element picked from both

   The last vector ends at the last element wanted: nothing beyond is read.
   Of the first lanes alone, in the tail of a loop, the vectors are read under
   masks.  Under another mask, and where the target cannot pick so, it is lane
   by lane (generic-vector.cc).  */

#include "lowering/build.hh"

extern "C"
{
#include "ir/stride.h"
}

#define MOST_DISTANCE 4

/* The distance in elements between the lanes of EXPR, a GATHER; 0 where it is
   not one small number, or leaves but one element to a vector.  */
static int
distance_of (const tns_build *build, const tns_expr *expr)
{
  long long distance;
  bool is_small = tns_access_distance (build->ctx->arena, expr, NULL, &distance)
                  && distance >= -1 && distance <= MOST_DISTANCE
                  && distance < expr->type.lanes;
  return is_small ? (int) distance : 0;
}

/* The vector of TYPE that begins AT elements behind FIRST, an address.  */
static tree
vector_at (tns_build *build, const tns_sym *sym, tree type, tree first, int at)
{
  HOST_WIDE_INT bytes = tree_to_shwi (TYPE_SIZE_UNIT (build->elem[sym->id]));
  tree offset = build_int_cst (TREE_TYPE (tns_build_alias (build, sym)),
                               (HOST_WIDE_INT) at * bytes);
  type = build_aligned_type (type, TYPE_ALIGN (build->elem[sym->id]));
  tree vector = build2_loc (build->loc, MEM_REF, type, first, offset);
  tns_gcc_quiet (vector);
  return vector;
}

/* The lanes FROM[0..lanes) of A followed by B.  */
static tree
pick (tree type, tree a, tree b, const vec_perm_builder &from)
{
  unsigned HOST_WIDE_INT lanes = TYPE_VECTOR_SUBPARTS (type).to_constant ();
  vec_perm_indices indices (from, a == b ? 1 : 2, lanes);
  if (!targetm.vectorize.vec_perm_const
      || !targetm.vectorize.vec_perm_const (TYPE_MODE (type), NULL, NULL, NULL,
                                            indices))
    return NULL_TREE;
  tree numbers = vec_perm_indices_to_tree (tns_build_integers (type), indices);
  return build3 (VEC_PERM_EXPR, type, a, b, numbers);
}

/* VALUE turned round.  */
static tree
turned (tree type, tree value)
{
  unsigned HOST_WIDE_INT lanes = TYPE_VECTOR_SUBPARTS (type).to_constant ();
  vec_perm_builder from (lanes, lanes, 1);
  for (unsigned HOST_WIDE_INT lane = 0; lane < lanes; lane++)
    from.quick_push (lanes - 1 - lane);
  value = tns_build_once (value);
  return pick (type, value, value, from);
}

/* Every element of DONE, the elements picked from vectors 0 to K - 1, and of
   NEXT, vector K, which begins at element START.  */
static tree
joined (tree type, tree done, tree next, int distance, int k, int start)
{
  int lanes = (int) TYPE_VECTOR_SUBPARTS (type).to_constant ();
  vec_perm_builder from (lanes, lanes, 1);
  for (int lane = 0; lane < lanes; lane++)
    {
      int at = lane * distance;
      bool is_new = at >= k * lanes && at < (k + 1) * lanes;
      from.quick_push (is_new                 ? lanes + at - start
                       : k == 1 && at < lanes ? at
                                              : lane);
    }
  return pick (type, done, next, from);
}

/* Every DISTANCE-th element from FIRST on.  */
static tree
every (tns_build *build, const tns_expr *expr, tree type, tree first,
       int distance)
{
  int lanes = expr->type.lanes;
  tree value = vector_at (build, expr->sym, type, first, 0);
  for (int k = 1; k < distance && value; k++)
    {
      int start = k * lanes - (k == distance - 1 ? distance - 1 : 0);
      tree next = vector_at (build, expr->sym, type, first, start);
      value = joined (type, value, next, distance, k, start);
    }
  return value;
}

/* LANES * COUNT - AT, COUNT elements of so many lanes' places being wanted
   behind AT, cut to at most all LANES: how many of them vector AT / LANES
   has.  */
static tree
left_of (tree count, int distance, int at, int lanes)
{
  tree type = TREE_TYPE (count);
  tree last = fold_build2 (
    MULT_EXPR, type,
    fold_build2 (MINUS_EXPR, type, count, build_int_cst (type, 1)),
    build_int_cst (type, distance));
  tree left = fold_build2 (PLUS_EXPR, type, last, build_int_cst (type, 1 - at));
  left = fold_build2 (MIN_EXPR, type, left, build_int_cst (type, lanes));
  return fold_build2 (MAX_EXPR, type, left, build_int_cst (type, 0));
}

/* Every DISTANCE-th element from FIRST on, COUNT of them.  */
static tree
first_of_every (tns_build *build, const tns_expr *expr, tree type, tree first,
                tree count)
{
  int lanes = expr->type.lanes;
  int distance = distance_of (build, expr);
  tree value = NULL_TREE;
  count = tns_build_once (count);
  for (int k = 0; k < distance; k++)
    {
      tree address = fold_build_pointer_plus_hwi (
        first,
        tree_to_shwi (TYPE_SIZE_UNIT (build->elem[expr->sym->id])) * lanes * k);
      tree next
        = tns_build_load_first (build, expr->sym, type, address,
                                left_of (count, distance, k * lanes, lanes));
      value = k == 0 || !next
                ? next
                : joined (type, value, next, distance, k, k * lanes);
      if (!value)
        return NULL_TREE;
    }
  return value;
}

tree
tns_build_strided (tns_build *build, const tns_expr *expr)
{
  const tns_sym *sym = expr->sym;
  bool is_masked = expr->n_args > sym->rank;
  int distance = distance_of (build, expr);
  tree type = tns_build_type (expr->type);
  if (distance == 0 || (is_masked && distance < 0)
      || !VECTOR_MODE_P (TYPE_MODE (type)) || expr->type.lanes < MOST_DISTANCE)
    return NULL_TREE;
  tree count = NULL_TREE;
  if (is_masked)
    count = tns_build_first_lanes (build, expr->arg[sym->rank]);
  if (is_masked && !count)
    return NULL_TREE;
  tree *subscript = TNS_NEW_ARRAY (build->ctx->arena, tree, sym->rank);
  int end = distance < 0 ? expr->type.lanes - 1 : 0;
  for (int k = 0; k < sym->rank; k++)
    subscript[k] = tns_build_lane (build, expr->arg[k], end);
  tree element = tns_build_element_at (build, sym, subscript,
                                       tns_scalar (expr->type.elem));
  tree first = tns_build_once (build_fold_addr_expr (element));
  if (is_masked)
    return first_of_every (build, expr, type, first, count);
  if (distance < 0)
    return turned (type, vector_at (build, sym, type, first, 0));
  return every (build, expr, type, first, distance);
}
