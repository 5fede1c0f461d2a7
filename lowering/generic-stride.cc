/* Gathers whose lanes lie at one small distance from each other.

     gather (b[n - iota (i)])    the 16 elements that end at b[n - i], turned
                                 round
     gather (p[iota (i)].x)      where p[i] has members x, y, z, w of 4 bytes:
     gather (p[iota (i)].y)      four vectors, of p[i] ... p[i + 15], and in
     gather (p[iota (i)].z)      two steps every fourth element picked from
                                 them:

       v0 v1 v2 v3     x0 y0 z0 w0 x1 ...
       e0 e1, o0 o1    x0 z0 x1 z1 ..., y0 w0 y1 w1 ...     of two each
       x, z, y         every second element of e0 e1, of o0 o1

   Gathers of the same records in one block of statements read the same
   vectors, from the first member that one of them wants to the last one that
   one of them does; GCC finds what they have in common.  Nothing beyond is
   read: the last vector begins as much earlier.  Other distances than powers of
   two are picked from one vector after the other.

   Of the first lanes alone, in the tail of a loop, the vectors are read under
   masks: the last elements of the one that is turned round.  Under another
   mask, and where the target cannot pick so, it is lane by lane
   (generic-vector.cc).  */

#include "lowering/build.hh"

extern "C"
{
#include "ir/affine.h"
#include "ir/stride.h"
#include "ir/walk.h"
}

#define MOST_DISTANCE 8
#define LEAST_LANES   4

/* The vectors that a gather is picked from.

   lanes     of each
   distance  as many vectors, and from one wanted element to the next
   offset    of the first wanted element, from where the first vector begins
   shift     how much earlier the last vector begins than it would
   part      the vectors  */
typedef struct picking
{
  tree type;
  int lanes;
  int distance;
  int offset;
  int shift;
  tree part[MOST_DISTANCE];
} picking;

/* Gathers of the same records as WANTED.

   first    the one whose elements come first
   before   how many elements before WANTED's
   behind   how many elements the last one's come behind it  */
typedef struct neighbours
{
  tns_build *build;
  const tns_expr *wanted;
  int distance;
  const tns_expr *first;
  long long before;
  long long behind;
} neighbours;

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

/* Lane 0 of SUBSCRIPT, a vector or not, as a scalar.  */
static tns_expr *
lane_0 (tns_arena *arena, tns_expr *subscript)
{
  if (subscript->type.lanes == 1)
    return subscript;
  if (subscript->op == TNS_SPLAT || subscript->op == TNS_IOTA)
    return subscript->arg[0];
  tns_expr *arg[3];
  if (subscript->n_args > 3 || tns_expr_reads (subscript))
    return NULL;
  for (int k = 0; k < subscript->n_args; k++)
    {
      arg[k] = lane_0 (arena, subscript->arg[k]);
      if (!arg[k])
        return NULL;
    }
  return tns_make (arena, subscript->op, tns_scalar (subscript->type.elem),
                   subscript->sym, subscript->n_args, arg);
}

/* How many elements lane 0 of EXPR, a GATHER, is from element 0.  */
static tns_sum
number_of (tns_arena *arena, const tns_expr *expr)
{
  tns_sum none = { -1, NULL };
  tns_sum sum = tns_sum_int (arena, 0);
  for (int k = 0; k < expr->sym->rank; k++)
    {
      long long stride;
      tns_expr *subscript = lane_0 (arena, expr->arg[k]);
      if (!subscript || !tns_sym_stride (expr->sym, k, &stride))
        return none;
      tns_sum part
        = tns_sum_scale (arena, tns_sum_of (arena, subscript), stride);
      sum = tns_sum_add (arena, sum, part);
    }
  return sum;
}

/* How many elements A lies behind B, GATHERs, in *ELEMENTS; false where that
   is not known.  */
static bool
lies_behind (tns_build *build, const tns_expr *a, const tns_expr *b,
             long long *elements)
{
  HOST_WIDE_INT bytes_a, bytes_b;
  tns_arena *arena = build->ctx->arena;
  tree elem = build->elem[b->sym->id];
  HOST_WIDE_INT size = tree_to_shwi (TYPE_SIZE_UNIT (elem));
  tree record_a = tns_build_record (build, a->sym, &bytes_a);
  tree record_b = tns_build_record (build, b->sym, &bytes_b);
  if (a->type.elem != b->type.elem || a->type.lanes != b->type.lanes
      || elem != build->elem[a->sym->id] || record_a != record_b
      || (bytes_a - bytes_b) % size != 0)
    return false;
  tns_sum apart = tns_sum_add (arena, number_of (arena, a),
                               tns_sum_scale (arena, number_of (arena, b), -1));
  if (!tns_sum_is_int (apart, elements))
    return false;
  *elements += (bytes_a - bytes_b) / size;
  return true;
}

/* The visitor: note EXPR where it is of the same records.  What only one branch
   of a choice reads does not count.  */
static bool
note_neighbour (tns_expr *expr, void *self)
{
  neighbours *n = (neighbours *) self;
  long long elements;
  if ((expr->op == TNS_SELECT && expr->arg[0]->type.lanes == 1)
      || expr->op == TNS_LAND || expr->op == TNS_LOR)
    return false;
  if (expr->op != TNS_GATHER || expr->n_args > expr->sym->rank
      || distance_of (n->build, expr) != n->distance
      || !lies_behind (n->build, expr, n->wanted, &elements))
    return true;
  if (elements < -n->before && elements > n->behind - n->distance)
    {
      n->before = -elements;
      n->first = expr;
    }
  if (elements > n->behind && elements < n->distance - n->before)
    n->behind = elements;
  return true;
}

/* Look for N in the statements of NODE that are executed whenever it is.  */
static void
find_neighbours (neighbours *n, const tns_node *node)
{
  if (node->kind == TNS_ASSIGN)
    tns_expr_walk (node->value, note_neighbour, n);
  for (int k = 0; node->kind == TNS_BLOCK && k < node->n_kids; k++)
    find_neighbours (n, node->kid[k]);
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

tree
tns_build_pick (tree type, tree a, tree b, const vec_perm_builder &from)
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
  return tns_build_pick (type, value, value, from);
}

/* The lane of vector K of P that has ELEMENT; one behind the others, which
   nobody looks at in the end, where there is none.  */
static int
lane_of (const picking *p, int k, int element)
{
  int start = k * p->lanes - (k == p->distance - 1 ? p->shift : 0);
  return MIN (element - start, p->lanes - 1);
}

/* Every STEP-th element of vectors FROM to FROM + STEP - 1 of P, STEP being a
   power of two, with the first one wanted among them.  */
static tree
halved (const picking *p, int from, int step)
{
  if (step == 1)
    return p->part[from];
  int half = step / 2;
  int first = from * p->lanes;
  vec_perm_builder at (p->lanes, p->lanes, 1);
  for (int lane = 0; lane < p->lanes; lane++)
    {
      int element = first + p->offset % step + lane * step;
      int upper = element >= first + half * p->lanes;
      int start = first + p->offset % half + upper * half * p->lanes;
      int place = half == 1 ? lane_of (p, from + upper, element)
                            : (element - start) / half;
      at.quick_push (upper * p->lanes + place);
    }
  tree lower = halved (p, from, half);
  tree higher = halved (p, from + half, half);
  return lower && higher ? tns_build_pick (p->type, lower, higher, at)
                         : NULL_TREE;
}

/* Every element of DONE, the elements picked from vectors 0 to K - 1 of P, and
   of vector K.  */
static tree
joined (const picking *p, tree done, int k)
{
  vec_perm_builder from (p->lanes, p->lanes, 1);
  for (int lane = 0; lane < p->lanes; lane++)
    {
      int at = lane * p->distance + p->offset;
      bool is_new = at >= k * p->lanes && at < (k + 1) * p->lanes;
      from.quick_push (is_new                    ? p->lanes + lane_of (p, k, at)
                       : k == 1 && at < p->lanes ? at
                                                 : lane);
    }
  return tns_build_pick (p->type, done, p->part[k], from);
}

/* The wanted elements of P, or NULL_TREE.  */
static tree
picked (const picking *p)
{
  if (pow2p_hwi (p->distance))
    return halved (p, 0, p->distance);
  tree value = p->part[0];
  for (int k = 1; k < p->distance && value; k++)
    value = joined (p, value, k);
  return value;
}

/* The address of lane LANE of EXPR, a GATHER.  */
static tree
lane_address (tns_build *build, const tns_expr *expr, int lane)
{
  const tns_sym *sym = expr->sym;
  tree *subscript = TNS_NEW_ARRAY (build->ctx->arena, tree, sym->rank);
  for (int k = 0; k < sym->rank; k++)
    subscript[k] = tns_build_lane (build, expr->arg[k], lane);
  tree element = tns_build_element_at (build, sym, subscript,
                                       tns_scalar (expr->type.elem));
  return tns_build_once (build_fold_addr_expr (element));
}

/* EXPR, of a positive distance, all lanes of which are wanted.  */
static tree
every (tns_build *build, const tns_expr *expr, picking *p)
{
  neighbours n = { build, expr, p->distance, expr, 0, 0 };
  if (build->straight)
    find_neighbours (&n, build->straight);
  tree first = lane_address (build, n.first, 0);
  p->offset = (int) n.before;
  p->shift = p->distance - 1 - (int) (n.before + n.behind);
  for (int k = 0; k < p->distance; k++)
    {
      int start = k * p->lanes - (k == p->distance - 1 ? p->shift : 0);
      p->part[k] = vector_at (build, expr->sym, p->type, first, start);
    }
  return picked (p);
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

/* The first COUNT lanes of EXPR, of a positive distance.  */
static tree
first_of_every (tns_build *build, const tns_expr *expr, picking *p, tree count)
{
  tree first = lane_address (build, expr, 0);
  HOST_WIDE_INT bytes = tree_to_shwi (TYPE_SIZE_UNIT (p->type));
  count = tns_build_once (count);
  for (int k = 0; k < p->distance; k++)
    {
      p->part[k] = tns_build_load_first (
        build, expr->sym, p->type,
        fold_build_pointer_plus_hwi (first, bytes * k),
        left_of (count, p->distance, k * p->lanes, p->lanes));
      if (!p->part[k])
        return NULL_TREE;
    }
  return picked (p);
}

/* EXPR, whose lanes go backwards: all of them, or the first COUNT where that is
   not NULL_TREE.  */
static tree
backwards (tns_build *build, const tns_expr *expr, tree type, tree count)
{
  tree last = lane_address (build, expr, expr->type.lanes - 1);
  tree value = count ? tns_build_load_last (build, expr->sym, type, last, count)
                     : vector_at (build, expr->sym, type, last, 0);
  return value ? turned (type, value) : NULL_TREE;
}

tree
tns_build_strided (tns_build *build, const tns_expr *expr)
{
  const tns_sym *sym = expr->sym;
  bool is_masked = expr->n_args > sym->rank;
  int distance = distance_of (build, expr);
  tree type = tns_build_type (expr->type);
  if (distance == 0 || !VECTOR_MODE_P (TYPE_MODE (type))
      || expr->type.lanes < LEAST_LANES)
    return NULL_TREE;
  picking p = { type, expr->type.lanes, distance, 0, 0, {} };
  tree count = is_masked ? tns_build_first_lanes (build, expr->arg[sym->rank])
                         : NULL_TREE;
  if (is_masked && !count)
    return NULL_TREE;
  if (distance < 0)
    return backwards (build, expr, type, count);
  return count ? first_of_every (build, expr, &p, count)
               : every (build, expr, &p);
}
