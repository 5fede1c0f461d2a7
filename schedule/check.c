/* Is a tree legal, and what is each DIM?  One walk, as schedule/check.h says.

   A dependence alive at a node is kept as a map restricted to the pairs that
   are equal on all DIMs above:

     alive = DEP * { S[i] -> T[j] : v_S (i) = v_T (j) for each DIM above }

   Maps are made only where isl has to be asked: not where a distance is known
   to be 0 throughout, nor where the same was asked before
   (schedule/known.h).  */

#include "schedule/check.h"

#include "schedule/known.h"

/* One dependence on its way down.

   above[0..n)  rows on which the pairs are equal, but for those that all pairs
                are equal on anyway
   map          owned; restricted to the first n_done of them; NULL: not made
   gone         no pair is left  */
typedef struct alive
{
  const tns_dep *dep;
  isl_map *map;
  int n;
  int n_done;
  tns_row_pair above[2 * TNS_MAX_DEPTH];
  bool gone;
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
        below[count++].map = live[k].map ? isl_map_copy (live[k].map) : NULL;
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

/* All pairs are at distance 0.  */
static bool
is_zero (const tns_distance *d)
{
  return d->lo_known && d->hi_known && !d->lo && !d->hi;
}

/* DEP has distance D at DIM: what DIM is, now that this is known.  False
   when DIM breaks it.  */
static bool
weigh_distance (checker *c, tns_tree *dim, const tns_dep *dep,
                const tns_distance *d)
{
  if (d->empty || is_zero (d))
    return true;
  if (dep->freed)
    {
      add_carried (c, dim, dep);
      if (dim->role == TNS_ROLE_FREE)
        dim->role = TNS_ROLE_REDUCTION;
      return true;
    }
  dim->role = TNS_ROLE_ORDERED;
  dim->waits |= dep->kind != TNS_DEP_ANTI || dep->source != dep->target;
  if (d->lo_known && d->lo >= 0)
    return true;
  c->broken = dep;
  return false;
}

/* Make LIVE's map.  */
static void
make_map (const checker *c, alive *live)
{
  const tns_dep *dep = live->dep;
  if (!live->map)
    live->map = isl_map_copy (dep->map);
  for (; live->n_done < live->n; live->n_done++)
    {
      tns_moments equal
        = tns_pair_moments (c->deps->scop, dep, &live->above[live->n_done]);
      live->map = tns_pairs_equate (live->map, &equal);
    }
}

/* The question about LIVE at ASKED.  */
static tns_question
question_of (const checker *c, const alive *live, const tns_row_pair *asked)
{
  int dep = (int) (live->dep - c->deps->dep);
  return (tns_question){ dep, live->n, live->above, asked };
}

/* LIVE has no pair; an error counts as having some.  */
static bool
is_empty (const checker *c, alive *live)
{
  tns_distance d = { .empty = false };
  tns_question question = question_of (c, live, NULL);
  if (tns_known_find (c->deps, &question, &d))
    return d.empty;
  make_map (c, live);
  isl_bool empty = isl_map_is_empty (live->map);
  d.empty = empty == isl_bool_true;
  if (empty != isl_bool_error)
    tns_known_add (c->ctx->arena, c->deps, &question, d);
  return d.empty;
}

/* The distance of LIVE at ASKED where it is plain.  */
static bool
plain_distance (const checker *c, alive *live, tns_row_pair *asked,
                tns_distance *d)
{
  tns_moments above[2 * TNS_MAX_DEPTH];
  for (int k = 0; k < live->n; k++)
    above[k] = tns_pair_moments (c->deps->scop, live->dep, &live->above[k]);
  tns_moments at = tns_pair_moments (c->deps->scop, live->dep, asked);
  return tns_dep_plain_distance (live->dep, live->n, above, &at, d)
         && (d->empty || is_zero (d) || live->n == 0 || !is_empty (c, live));
}

/* The distance of LIVE at ASKED; false when isl gave up.  */
static bool
distance_of (const checker *c, alive *live, tns_row_pair *asked,
             tns_distance *d)
{
  tns_question question = question_of (c, live, asked);
  if (tns_known_find (c->deps, &question, d))
    return true;
  if (plain_distance (c, live, asked, d))
    {
      tns_known_add (c->ctx->arena, c->deps, &question, *d);
      return true;
    }
  make_map (c, live);
  tns_moments at = tns_pair_moments (c->deps->scop, live->dep, asked);
  bool known = tns_pairs_distance (live->map, &at, d);
  if (known)
    tns_known_add (c->ctx->arena, c->deps, &question, *d);
  return known;
}

/* Only the pairs of LIVE stay that are equal on PAIR.  */
static void
keep_equal (alive *live, const tns_row_pair *pair)
{
  live->above[live->n++] = *pair;
}

/* The rows of DIM for the ends of DEP.  */
static tns_row_pair
rows_of (const tns_tree *dim, const tns_dep *dep)
{
  return (tns_row_pair){ dim->row[dep->source], dim->row[dep->target] };
}

/* One dependence at DIM.  False when it is broken or isl gave up.  */
static bool
pass_dim (checker *c, tns_tree *dim, alive *live)
{
  tns_row_pair rows = rows_of (dim, live->dep);
  tns_distance d;
  if (!distance_of (c, live, &rows, &d)
      || !weigh_distance (c, dim, live->dep, &d))
    return false;
  live->gone = d.empty || (d.lo_known && d.lo > 0);
  if (!live->gone && !is_zero (&d))
    keep_equal (live, &rows);
  return true;
}

/* Remove the entries that are gone; how many stay.  */
static int
squeeze (int n, alive *live)
{
  int count = 0;
  for (int k = 0; k < n; k++)
    if (live[k].gone)
      isl_map_free (live[k].map);
    else
      live[count++] = live[k];
  return count;
}

/* LIVE[0..N) at the kids of SEQ: broken when one points backward.  */
static bool
pass_seq (checker *c, const tns_tree *seq, int n, alive *live)
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
      if (source > target && !is_empty (c, &live[k]))
        {
          c->broken = live[k].dep;
          return false;
        }
    }
  return true;
}

/* At a leaf nothing may be alive but freed pairs.  */
static bool
pass_leaf (checker *c, int n, alive *live)
{
  for (int k = 0; k < n; k++)
    if (!live[k].dep->freed && !is_empty (c, &live[k]))
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
      tree->waits = false;
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
descend (const checker *c, tns_tree *tree, const tns_tree *at, int n,
         alive *live)
{
  int stmt = tns_tree_first_stmt (at);
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
          {
            tns_distance d;
            tns_row_pair rows = rows_of (tree, live[k].dep);
            tns_question question = question_of (c, &live[k], &rows);
            if (!tns_known_find (c->deps, &question, &d) || !is_zero (&d))
              keep_equal (&live[k], &rows);
          }
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
      live[n++].dep = &deps->dep[k];
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
    live[k].dep = &deps->dep[k];
  bool right = check (&c, tree, deps->n, live);
  if (broken)
    *broken = c.broken;
  return right;
}
