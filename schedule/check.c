/* Is a tree legal, and what is each DIM?  One walk, as schedule/check.h says.

   A dependence alive at a node is kept as a map restricted to the pairs that
   are equal on all DIMs above:

     alive = DEP * { S[i] -> T[j] : v_S (i) = v_T (j) for each DIM above }

   Maps are made only where a distance is not known to be 0 throughout.  */

#include "schedule/check.h"

#include "poly/legal.h"

/* One dependence on its way down.  map is owned.  */
typedef struct alive
{
  const tns_dep *dep;
  isl_map *map;
} alive;

typedef struct checker
{
  tns_ctx *ctx;
  const tns_deps *deps;
  const tns_dep *broken;
} checker;

/* Free the maps of LIVE[0..N).  */
static void
drop (int n, alive *live)
{
  for (int k = 0; k < n; k++)
    isl_map_free (live[k].map);
}

/* Those of LIVE[0..N) with both ends below TREE, as copies; how many.  */
static int
select_below (const tns_tree *tree, int n, const alive *live, alive *below)
{
  int count = 0;
  for (int k = 0; k < n; k++)
    if (tns_tree_has (tree, live[k].dep->source)
        && tns_tree_has (tree, live[k].dep->target))
      {
        below[count] = live[k];
        below[count++].map = isl_map_copy (live[k].map);
      }
  return count;
}

/* DIM carries pairs of the freed class of DEP.  */
static void
add_carried (const checker *c, tns_tree *dim, const tns_dep *dep)
{
  tns_sym *sym = c->deps->scop->array[dep->array].sym;
  for (int k = 0; k < dim->n_carried; k++)
    if (dim->carried[k].sym == sym && dim->carried[k].op == dep->op)
      return;
  tns_reduction *grown
    = TNS_NEW_ARRAY (c->ctx->arena, tns_reduction, dim->n_carried + 1);
  for (int k = 0; k < dim->n_carried; k++)
    grown[k] = dim->carried[k];
  grown[dim->n_carried++] = (tns_reduction){ .sym = sym, .op = dep->op };
  dim->carried = grown;
}

/* DEP has distance D at DIM: what DIM is, now that this is known.  False
   when DIM breaks it.  */
static bool
weigh_distance (checker *c, tns_tree *dim, const tns_dep *dep,
                const tns_distance *d)
{
  bool zero = d->empty || (d->lo_known && d->hi_known && !d->lo && !d->hi);
  if (zero)
    return true;
  if (dep->freed)
    {
      add_carried (c, dim, dep);
      if (dim->role == TNS_ROLE_FREE)
        dim->role = TNS_ROLE_REDUCTION;
      return true;
    }
  dim->role = TNS_ROLE_ORDERED;
  if (d->lo_known && d->lo >= 0)
    return true;
  c->broken = dep;
  return false;
}

/* Keep in LIVE only the pairs at distance 0 on the row values V, W.  */
static void
keep_equal (alive *live, __isl_take isl_pw_aff *v, __isl_take isl_pw_aff *w)
{
  isl_map *equal = isl_map_from_pw_aff (v);
  equal
    = isl_map_apply_range (equal, isl_map_reverse (isl_map_from_pw_aff (w)));
  live->map = isl_map_intersect (live->map, equal);
}

/* One dependence at DIM.  False when it is broken or isl gave up.  */
static bool
pass_dim (checker *c, tns_tree *dim, alive *live)
{
  const tns_scop *scop = c->deps->scop;
  isl_pw_aff *v = tns_tree_pw_aff (scop, dim, live->dep->source);
  isl_pw_aff *w = tns_tree_pw_aff (scop, dim, live->dep->target);
  tns_dep restricted = *live->dep;
  restricted.map = live->map;
  tns_distance d;
  bool known = tns_dep_distance (&restricted, v, w, NULL, &d);
  bool right = known && weigh_distance (c, dim, live->dep, &d);
  if (right && (d.empty || (d.lo_known && d.lo > 0)))
    {
      isl_map_free (live->map);
      live->map = NULL;
    }
  else if (right && !(d.lo_known && d.hi_known && !d.lo && !d.hi))
    {
      keep_equal (live, v, w);
      return true;
    }
  isl_pw_aff_free (v);
  isl_pw_aff_free (w);
  return right;
}

/* Remove the entries without a map; how many stay.  */
static int
squeeze (int n, alive *live)
{
  int count = 0;
  for (int k = 0; k < n; k++)
    if (live[k].map)
      live[count++] = live[k];
  return count;
}

/* LIVE[0..N) at the kids of SEQ: broken when one points backward.  */
static bool
pass_seq (checker *c, const tns_tree *seq, int n, const alive *live)
{
  for (int k = 0; k < n; k++)
    {
      int source = 0;
      int target = 0;
      if (live[k].dep->freed)
        continue;
      while (!tns_tree_has (seq->kid[source], live[k].dep->source))
        source++;
      while (!tns_tree_has (seq->kid[target], live[k].dep->target))
        target++;
      if (source > target && !isl_map_is_empty (live[k].map))
        {
          c->broken = live[k].dep;
          return false;
        }
    }
  return true;
}

/* At a leaf nothing may be alive but freed pairs.  */
static bool
pass_leaf (checker *c, int n, const alive *live)
{
  for (int k = 0; k < n; k++)
    if (!live[k].dep->freed && isl_map_is_empty (live[k].map) != isl_bool_true)
      {
        c->broken = live[k].dep;
        return false;
      }
  return true;
}

/* Check TREE under LIVE[0..N), dependences with both ends below it, whose
   maps are taken.  */
static bool
check (checker *c, tns_tree *tree, int n, alive *live)
{
  bool right = true;
  if (tree->kind == TNS_TREE_LEAF)
    right = pass_leaf (c, n, live);
  else if (tree->kind == TNS_TREE_DIM)
    {
      tree->role = TNS_ROLE_FREE;
      tree->n_carried = 0;
      for (int k = 0; k < n && right; k++)
        right = pass_dim (c, tree, &live[k]);
      if (right)
        {
          n = squeeze (n, live);
          return check (c, tree->body, n, live);
        }
    }
  else
    {
      right = pass_seq (c, tree, n, live);
      alive *below = TNS_NEW_ARRAY (c->ctx->arena, alive, n);
      for (int k = 0; k < tree->n_kids && right; k++)
        {
          int count = select_below (tree->kid[k], n, live, below);
          right = check (c, tree->kid[k], count, below);
        }
    }
  drop (n, live);
  return right;
}

/* Walk from TREE down to AT with LIVE[0..*N), which all lie below AT: only
   the pairs that are equal on the way stay.  */
static void
descend (checker *c, tns_tree *tree, const tns_tree *at, int n, alive *live)
{
  int stmt = tns_tree_first_stmt (at);
  const tns_scop *scop = c->deps->scop;
  while (tree != at)
    if (tree->kind == TNS_TREE_SEQ)
      {
        int k = 0;
        while (!tns_tree_has (tree->kid[k], stmt))
          k++;
        tree = tree->kid[k];
      }
    else
      {
        for (int k = 0; k < n; k++)
          keep_equal (&live[k],
                      tns_tree_pw_aff (scop, tree, live[k].dep->source),
                      tns_tree_pw_aff (scop, tree, live[k].dep->target));
        tree = tree->body;
      }
}

bool
tns_tree_check_at (tns_ctx *ctx, const tns_deps *deps, tns_tree *tree,
                   tns_tree *at, const tns_dep **broken)
{
  checker c = { ctx, deps, NULL };
  alive *live = TNS_NEW_ARRAY (ctx->arena, alive, deps->n);
  int n = 0;
  for (int k = 0; k < deps->n; k++)
    if (tns_tree_has (at, deps->dep[k].source)
        && tns_tree_has (at, deps->dep[k].target))
      live[n++] = (alive){ &deps->dep[k], isl_map_copy (deps->dep[k].map) };
  descend (&c, tree, at, n, live);
  bool right = check (&c, at, n, live);
  if (broken)
    *broken = c.broken;
  return right;
}

bool
tns_tree_check (tns_ctx *ctx, const tns_deps *deps, tns_tree *tree,
                const tns_dep **broken)
{
  checker c = { ctx, deps, NULL };
  alive *live = TNS_NEW_ARRAY (ctx->arena, alive, deps->n);
  for (int k = 0; k < deps->n; k++)
    live[k] = (alive){ &deps->dep[k], isl_map_copy (deps->dep[k].map) };
  bool right = check (&c, tree, deps->n, live);
  if (broken)
    *broken = c.broken;
  return right;
}
