/* Fusion of siblings.

     for i  t[i] = x[i] * x[i];           for i { t = x[i] * x[i];
     for j  y[j] = t[j] + 1;        ->            y[i] = t + 1; }

   Two neighbours in a SEQ are fused when

   1. they touch a common array: something is saved;
   2. their DIMs take the same values under the DIMs above, so that no test
      is needed inside the loop;
   3. the result is legal;
   4. what was FREE in both stays FREE; a FREE and a REDUCTION one may meet
      only below a FREE DIM, where threads have their work already, or where
      that is tried (schedule/meet.c);
   5. neither is a copy that the planner made and wants apart (its loops would
      keep threads from those of the other);
   6. the arrays streamed in the fused loop do not exceed what the hardware
      follows (MAX_STREAMS);
   7. neither is marked for a kernel or lanes already, which would be lost;
   8. they are not products that only read something in common: each element
      is used again and again anyway, and a tile of two products has less
      room for either;
   9. on a device no contraction loses its tiles by it (schedule/part.h), when
      all that became neighbours below is fused, too.

   The search goes from the outside in; bodies that became neighbours are
   tried next, each pair once.  */

#include "schedule/box.h"
#include "schedule/check.h"
#include "schedule/part.h"
#include "schedule/planner.h"
#include "schedule/step.h"

#define MAX_STREAMS 24
#define MAX_TRIED   512

/* Pairs that were tried in vain: first statements and depth.  */
typedef struct tried
{
  int n;
  int a[MAX_TRIED];
  int b[MAX_TRIED];
  int depth[MAX_TRIED];
} tried;

/* Two neighbours: X and Y at DEPTH, below a FREE DIM or not, with the DIMs
   above them.  */
typedef struct neighbours
{
  tns_tree *x;
  tns_tree *y;
  int depth;
  bool below_free;
  int n_above;
  tns_tree *above[2 * TNS_MAX_DEPTH];
} neighbours;

/* PAIR stands in TRIED; if not, it is put there.  */
static bool
was_tried (tried *list, const neighbours *pair)
{
  int a = tns_tree_first_stmt (pair->x);
  int b = tns_tree_first_stmt (pair->y);
  for (int k = 0; k < list->n; k++)
    if (list->a[k] == a && list->b[k] == b && list->depth[k] == pair->depth)
      return true;
  if (list->n == MAX_TRIED)
    return true;
  list->a[list->n] = a;
  list->b[list->n] = b;
  list->depth[list->n++] = pair->depth;
  return false;
}

/* Find neighbours below TREE that were not tried; the DIMs above them are
   in PAIR already.  */
static bool
find_pair (tns_tree *tree, tried *list, neighbours *pair)
{
  if (tree->kind == TNS_TREE_DIM)
    {
      bool outer_free = pair->below_free;
      pair->below_free |= tree->role == TNS_ROLE_FREE;
      pair->above[pair->n_above++] = tree;
      if (find_pair (tree->body, list, pair))
        return true;
      pair->n_above--;
      pair->below_free = outer_free;
      return false;
    }
  if (tree->kind != TNS_TREE_SEQ)
    return false;
  for (int k = 0; k + 1 < tree->n_kids; k++)
    {
      pair->x = tree->kid[k];
      pair->y = tree->kid[k + 1];
      pair->depth = pair->n_above;
      if (pair->x->kind == TNS_TREE_DIM && pair->y->kind == TNS_TREE_DIM
          && !was_tried (list, pair))
        return true;
    }
  for (int k = 0; k < tree->n_kids; k++)
    if (find_pair (tree->kid[k], list, pair))
      return true;
  return false;
}

/* Mark in SEEN the arrays that the statements below TREE touch; rank 0 ones
   apart.  */
static void
collect_arrays (const tns_scop *scop, const tns_tree *tree, bool *seen)
{
  for (int s = 0; s < scop->n_stmts; s++)
    if (tns_tree_has (tree, s))
      for (int a = 0; a < scop->stmt[s].n_accesses; a++)
        seen[scop->stmt[s].access[a].array] = true;
}

/* A statement below TREE is best left alone.  */
static bool
is_apart (const tns_scop *scop, const tns_tree *tree)
{
  for (int s = 0; s < scop->n_stmts; s++)
    if (scop->stmt[s].node->apart && tns_tree_has (tree, s))
      return true;
  return false;
}

/* A DIM below TREE carries sums.  */
static bool
has_sum (const tns_tree *tree)
{
  if (tree->kind == TNS_TREE_DIM)
    return tree->role == TNS_ROLE_REDUCTION || has_sum (tree->body);
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids; k++)
    if (has_sum (tree->kid[k]))
      return true;
  return false;
}

/* TREE holds a sum of products of rows and columns.  */
static bool
is_product (const tns_tree *tree)
{
  return tns_tree_depth (tree) >= 3 && has_sum (tree);
}

/* A kernel or lanes have taken DIM: its copies are not those of another.  */
static bool
is_taken (const tns_tree *dim)
{
  return dim->marks.unroll || dim->marks.simd;
}

/* Something is saved by fusing X and Y, and not too much streams.  */
static bool
is_worth (const tns_planner *p, const neighbours *pair)
{
  int n = p->scop->n_arrays;
  bool *in_x = TNS_NEW_ARRAY (p->ctx->arena, bool, n);
  bool *in_y = TNS_NEW_ARRAY (p->ctx->arena, bool, n);
  int common = 0;
  int streams = 0;
  int flows = 0;
  collect_arrays (p->scop, pair->x, in_x);
  collect_arrays (p->scop, pair->y, in_y);
  for (int k = 0; k < n; k++)
    {
      common += in_x[k] && in_y[k];
      flows += in_x[k] && in_y[k] && p->scop->array[k].written;
      streams += (in_x[k] || in_y[k]) && !p->scop->array[k].dead_after
                 && p->scop->array[k].sym->rank > 0;
    }
  if (!flows && is_product (pair->x) && is_product (pair->y))
    return false;
  return common > 0 && streams <= MAX_STREAMS;
}

/* { [above] -> [v] }: the values of DIM under the DIMs above it.  */
static __isl_give isl_map *
values_of (const tns_planner *p, const neighbours *pair, const tns_tree *dim)
{
  isl_map *all = NULL;
  for (int s = 0; s < p->scop->n_stmts; s++)
    if (tns_tree_has (dim, s))
      {
        isl_map *above
          = tns_box_prefix (p->scop, s, pair->n_above, pair->above);
        isl_map *value
          = isl_map_from_pw_aff (tns_tree_pw_aff (p->scop, dim, s));
        value = isl_map_apply_range (isl_map_reverse (above), value);
        all = all ? isl_map_union (all, value) : value;
      }
  return isl_map_intersect_params (all, isl_set_copy (p->scop->context));
}

/* X and Y take the same values, wherever both take any, and somewhere they
   do.  */
static bool
same_values (const tns_planner *p, const neighbours *pair)
{
  isl_map *x = values_of (p, pair, pair->x);
  isl_map *y = values_of (p, pair, pair->y);
  isl_set *x_params = isl_map_params (isl_map_copy (x));
  isl_set *y_params = isl_map_params (isl_map_copy (y));
  x = isl_map_intersect_params (x, y_params);
  y = isl_map_intersect_params (y, x_params);
  bool same = isl_map_is_equal (x, y) == isl_bool_true
              && isl_map_is_empty (x) == isl_bool_false;
  isl_map_free (x);
  isl_map_free (y);
  return same;
}

/* The fused DIM's ROLE is as good as those it came from.  */
static bool
keeps_roles (const tns_planner *p, const neighbours *pair, tns_role role)
{
  tns_role x = pair->x->role;
  tns_role y = pair->y->role;
  if (x == TNS_ROLE_FREE && y == TNS_ROLE_FREE)
    return role == TNS_ROLE_FREE;
  if (x == y)
    return role <= x;
  return (pair->below_free || p->meets) && role == TNS_ROLE_REDUCTION
         && x != TNS_ROLE_ORDERED && y != TNS_ROLE_ORDERED;
}

/* Fuse PAIR if that is right and good: the fused DIM, or NULL.  */
static tns_tree *
fuse_pair (tns_planner *p, const neighbours *pair)
{
  int a = tns_tree_first_stmt (pair->x);
  int b = tns_tree_first_stmt (pair->y);
  if (is_apart (p->scop, pair->x) || is_apart (p->scop, pair->y)
      || is_taken (pair->x) || is_taken (pair->y)
      || (p->ctx->wish.fuse != TNS_FUSE_MAX && !is_worth (p, pair)))
    return NULL;
  if (!same_values (p, pair))
    return NULL;
  tns_tree *fused = tns_step_fuse (p->ctx->arena, p->tree, a, b, 0);
  tns_tree *path[2 * TNS_MAX_DEPTH];
  if (!fused)
    return NULL;
  tns_tree_path (fused, a, path);
  tns_tree *dim = path[pair->depth];
  if (!tns_tree_check_at (p->ctx, p->deps, fused, dim, NULL)
      || !keeps_roles (p, pair, dim->role))
    return NULL;
  tns_planner_take (p, fused, "fuse %s %s at %s", p->scop->stmt[a].name,
                    p->scop->stmt[b].name, dim->name);
  return dim;
}

/* Fuse the last loop of what came from X of PAIR, fused into DIM, with the
   first of what came from Y, and so on, as deep as that goes.  */
static void
fuse_below (tns_planner *p, const neighbours *pair, tns_tree *dim)
{
  int b = tns_tree_first_stmt (pair->y);
  neighbours below = *pair;
  while (dim && dim->body->kind == TNS_TREE_SEQ)
    {
      int k = 0;
      below.below_free |= dim->role == TNS_ROLE_FREE;
      below.above[below.n_above++] = dim;
      while (!tns_tree_has (dim->body->kid[k], b))
        k++;
      below.x = dim->body->kid[k - (k > 0)];
      below.y = dim->body->kid[k];
      below.depth = below.n_above;
      dim = k > 0 && below.x->kind == TNS_TREE_DIM
                && below.y->kind == TNS_TREE_DIM
              ? fuse_pair (p, &below)
              : NULL;
    }
}

/* Fuse PAIR as above, and on a device what is below, but not where tiles of a
   contraction would be lost by it.  */
static void
try_pair (tns_planner *p, const neighbours *pair)
{
  tns_planner branch = *p;
  if (!p->machine->device)
    {
      fuse_pair (p, pair);
      return;
    }
  branch.steps = tns_text_new (p->ctx->arena);
  fuse_below (&branch, pair, fuse_pair (&branch, pair));
  if (branch.tree == p->tree || tns_parts_count (&branch) < tns_parts_count (p))
    return;
  p->tree = branch.tree;
  tns_text_add (&p->steps, tns_text_chars (&branch.steps));
}

void
tns_plan_fuse (tns_planner *planner)
{
  tried *list = TNS_NEW (planner->ctx->arena, tried);
  neighbours pair = { .depth = 0 };
  while (planner->ctx->wish.fuse != TNS_FUSE_NONE
         && find_pair (planner->tree, list, &pair))
    {
      try_pair (planner, &pair);
      pair = (neighbours){ .depth = 0 };
    }
}
