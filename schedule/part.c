/* Contractions of a device in nests of their own.

     for h for i {                       for h for i for j {
       for j {                             s = 0;
         s = 0;                            for l  s += q[h][i][l] * k[h][j][l];
         for l  s += q[h][i][l]            p[h][i][j] = f (s); }
                     * k[h][j][l];   ->  for h for i {
         p[j] = f (s);                     for j  m = max (m, p[h][i][j]);
         m = max (m, p[j]); }              for j  p[h][i][j] = .. }
       for j  p[j] = ..                  for h for l {
       for l {                             s = 0;
         s = 0;                            for j  s += p[h][i][j] * v[h][j][l];
         for j  s += p[j] * v[h][j][l];    y[h][i][l] = s / z[h][i]; }
         y[h][i][l] = s / z; } }

   In one nest the threads of a block share an iteration of h and i, and what
   all of them read of k and v comes from the caches again for each of these; a
   contraction of its own gets tiles (lowering/grid-tile.h), and reads it once
   for all rows of a tile.  What goes between the nests needs a cell for each
   iteration then, in the device's memory.

   1. the innermost DIM that moves the contraction's cell, when all inner DIMs
      are below it: its body is split, and what begins the cell, or is done with
      it, and carries nothing along the DIMs that move it, goes back into its
      loop; others go back together
   2. the DIMs outside of that, from the inside out: what need not come before
      the contraction's nest moves behind it, and it gets a loop of its own

   A contraction that stays in the way of another one, or of which that is not
   legal, stays where it is.  It pays where

     what is read of the caches for a cell, an operand of each inner iteration,
       >  arithmetic + what is stored and loaded of each array between nests

   in the machine's cycles; loops whose length is not known count as LONG.  */

#include "schedule/part.h"

#include "schedule/check.h"
#include "schedule/contraction.h"
#include "schedule/step.h"

#define LONG        64
#define LEAST_LINES 24
#define LEAST_DEPTH 16

/* A contraction and the DIMs above it, outermost first: those in
   path[first..last] are one chain, the last of which is the innermost that
   moves its cell.  */
typedef struct place
{
  tns_contraction c;
  int n;
  int first;
  int last;
  tns_tree *path[2 * TNS_MAX_DEPTH];
} place;

/* Find the contraction with rows and columns at statement S.  False when it is
   none.  */
static bool
find_place (const tns_planner *p, int s, place *at)
{
  if (!tns_contraction_tiles (p, s, &at->c))
    return false;
  at->n = tns_tree_path (p->tree, s, at->path);
  at->last = at->n - 1;
  while (!tns_dim_moves_cell (p, at->path[at->last], s))
    at->last--;
  at->first = at->last;
  while (at->first > 0 && at->path[at->first - 1]->body == at->path[at->first]
         && at->path[at->first - 1]->role != TNS_ROLE_ORDERED)
    at->first--;
  return true;
}

/* TREE is the loops around statement S, or has statements alone beside
   those.  */
static bool
is_around (const tns_tree *tree, int s)
{
  const tns_tree *inner = tree;
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids; k++)
    if (tns_tree_has (tree->kid[k], s))
      inner = tree->kid[k];
    else if (tree->kid[k]->kind != TNS_TREE_LEAF)
      return false;
  if (inner != tree && inner->kind == TNS_TREE_LEAF)
    return false;
  while (inner->kind == TNS_TREE_DIM)
    inner = inner->body;
  return inner->kind == TNS_TREE_LEAF;
}

/* Blocks can take tiles of the contraction at AT.  */
static bool
suits_tiles (const tns_planner *p, const place *at)
{
  int lines = 0;
  const tns_tree *body = at->path[at->last]->body;
  for (int k = 0; k < at->first; k++)
    if (at->path[k]->role != TNS_ROLE_ORDERED)
      return false;
  for (int k = at->first; k <= at->last; k++)
    {
      const tns_tree *dim = at->path[k];
      bool sums = dim->role == TNS_ROLE_REDUCTION
                  && !tns_dim_moves_cell (p, dim, at->c.stmt)
                  && body->kind != TNS_TREE_SEQ;
      lines += dim == at->c.row || dim == at->c.column;
      if (dim->role != TNS_ROLE_FREE && !sums)
        return false;
    }
  return lines == 2 && is_around (body, at->c.stmt);
}

int
tns_parts_count (const tns_planner *planner)
{
  int n = 0;
  for (int s = 0; s < planner->scop->n_stmts; s++)
    {
      place at;
      n += find_place (planner, s, &at) && suits_tiles (planner, &at);
    }
  return n;
}

bool
tns_parts_has (const tns_planner *planner, const tns_tree *dim)
{
  bool has = false;
  for (int s = 0; s < planner->scop->n_stmts && !has; s++)
    {
      place at;
      if (tns_tree_has (dim, s) && find_place (planner, s, &at)
          && suits_tiles (planner, &at))
        for (int k = at.first; k <= at.last; k++)
          has |= at.path[k] == dim && dim->role == TNS_ROLE_FREE;
    }
  return has;
}

/* Take TREE as P's when it is legal, and write the step down as WORDS.  */
static bool
take (tns_planner *p, tns_tree *tree, const char *words)
{
  if (!tree || !tns_tree_check (p->ctx, p->deps, tree, NULL))
    return false;
  tns_planner_take (p, tree, "%s", words);
  return true;
}

/* Statements S and T touch a common array that is written.  */
static bool
hands_over (const tns_scop *scop, int s, int t)
{
  for (int a = 0; a < scop->stmt[s].n_accesses; a++)
    for (int b = 0; b < scop->stmt[t].n_accesses; b++)
      {
        int array = scop->stmt[s].access[a].array;
        if (array == scop->stmt[t].access[b].array
            && scop->array[array].written)
          return true;
      }
  return false;
}

/* KID, beside the contraction at AT, may stay in its loop: a statement with no
   dependence along the DIMs that move the cell, which has to do with one of
   those below the N kids KIN.  */
static bool
belongs (const tns_planner *p, const place *at, const tns_tree *kid, int n,
         tns_tree **kin)
{
  if (kid->kind != TNS_TREE_LEAF)
    return false;
  for (int k = 0; k <= at->last; k++)
    if (tns_dim_moves_cell (p, at->path[k], at->c.stmt)
        && !tns_dim_is_free_for (p->scop, at->path[k], kid->stmt))
      return false;
  for (int k = 0; k < n; k++)
    for (int s = 0; s < p->scop->n_stmts; s++)
      if (tns_tree_has (kin[k], s) && hands_over (p->scop, s, kid->stmt))
        return true;
  return false;
}

/* Put the loops around KID[FIRST..LAST] together again.  */
static bool
join (tns_planner *p, tns_tree **kid, int first, int last, const char *name)
{
  for (int k = first + 1; k <= last; k++)
    {
      int a = tns_tree_first_stmt (kid[first]);
      int b = tns_tree_first_stmt (kid[k]);
      if (!take (p, tns_step_fuse (p->ctx->arena, p->tree, a, b, 0),
                 tns_arena_format (p->ctx->arena, "fuse %s %s at %s",
                                   p->scop->stmt[a].name, p->scop->stmt[b].name,
                                   name)))
        return false;
    }
  return true;
}

/* The place of the kid of SEQ that has statement S.  */
static int
place_of (const tns_tree *seq, int s)
{
  int k = 0;
  while (!tns_tree_has (seq->kid[k], s))
    k++;
  return k;
}

/* The kids of the innermost DIM that moves the cell of the contraction at AT,
   a SEQ, that stay in its loop: kid[*LO..*HI].  Whether these are all.  */
static bool
find_kin (const tns_planner *p, const place *at, int *lo, int *hi)
{
  tns_tree *seq = at->path[at->last]->body;
  int own = place_of (seq, at->c.stmt);
  *lo = own;
  *hi = own;
  while (*lo > 0
         && belongs (p, at, seq->kid[*lo - 1], *hi - *lo + 1, &seq->kid[*lo]))
    --*lo;
  while (*hi + 1 < seq->n_kids
         && belongs (p, at, seq->kid[*hi + 1], *hi - *lo + 1, &seq->kid[*lo]))
    ++*hi;
  return *lo == 0 && *hi == seq->n_kids - 1;
}

/* Step 1: the innermost DIM that moves the cell of the contraction at AT has
   the contraction, and what belongs to it, alone.  */
static bool
part_cells (tns_planner *p, const place *at)
{
  int lo;
  int hi;
  int s = at->c.stmt;
  const tns_tree *dim = at->path[at->last];
  const char *name = dim->name;
  tns_tree *seq = dim->body;
  return !find_kin (p, at, &lo, &hi)
         && take (p, tns_step_split (p->ctx->arena, p->tree, s, name, 0, NULL),
                  tns_arena_format (p->ctx->arena, "split %s in %s", name,
                                    p->scop->stmt[s].name))
         && join (p, seq->kid, 0, lo - 1, name)
         && join (p, seq->kid, lo, hi, name)
         && join (p, seq->kid, hi + 1, seq->n_kids - 1, name);
}

/* TREE with kid K of the SEQ in the loop NAME above statement S behind S's;
   NULL: S needs it.  */
static tns_tree *
put_behind (tns_planner *p, tns_tree *tree, int s, const char *name, int k)
{
  const tns_tree *seq = tns_tree_find (tree, s, name)->body;
  int moved = tns_tree_first_stmt (seq->kid[k]);
  for (int own = place_of (seq, s); k < own; k++)
    {
      seq = tns_tree_find (tree, s, name)->body;
      tree = tns_step_swap (p->ctx->arena, tree, moved,
                            tns_tree_first_stmt (seq->kid[k + 1]));
    }
  return tns_tree_check (p->ctx, p->deps, tree, NULL) ? tree : NULL;
}

/* Step 2: the contraction at AT has its loop of the DIM PATH[K] alone.  */
static bool
part_loop (tns_planner *p, const place *at, int k)
{
  int s = at->c.stmt;
  const char *name = at->path[k]->name;
  const char *own = p->scop->stmt[s].name;
  tns_tree *tree = p->tree;
  for (int x = place_of (at->path[k]->body, s) - 1; x >= 0; x--)
    {
      tns_tree *moved = put_behind (p, tree, s, name, x);
      tree = moved ? moved : tree;
    }
  return take (
    p, tns_step_split (p->ctx->arena, tree, s, name, 1, &s),
    tns_arena_format (p->ctx->arena, "split %s in %s: %s", name, own, own));
}

/* The innermost DIM of AT whose loop the contraction shares with more than what
   belongs to it; -1: there is none that the host does not run.  */
static int
innermost_shared (const tns_planner *p, const place *at)
{
  int lo;
  int hi;
  int k = at->n - 1;
  while (k >= 0
         && (at->path[k]->body->kind != TNS_TREE_SEQ
             || (k == at->last && k + 1 < at->n
                 && is_around (at->path[k]->body, at->c.stmt)
                 && find_kin (p, at, &lo, &hi))))
    k--;
  return k >= 0 && at->path[k]->role == TNS_ROLE_ORDERED ? -1 : k;
}

/* A planner like P, with steps of its own.  */
static tns_planner
branch_of (const tns_planner *p)
{
  tns_planner branch = *p;
  branch.steps = tns_text_new (p->ctx->arena);
  tns_text_add (&branch.steps, tns_text_chars (&p->steps));
  return branch;
}

/* DIM has LEAST iterations, as far as is known.  */
static bool
is_long (const tns_planner *p, const tns_tree *dim, long least)
{
  long trip = tns_dim_trip (p->scop, dim);
  return trip == 0 || trip >= least;
}

/* How many inner iterations the contraction C has.  */
static double
depth_of (const tns_planner *p, const tns_contraction *c)
{
  double depth = 1;
  for (int k = 0; k < c->n_inner; k++)
    {
      long trip = tns_dim_trip (p->scop, c->inner[k]);
      depth *= trip > 0 ? (double) trip : LONG;
    }
  return depth;
}

/* ARRAY is a temporary of a loop that statements below DIM touch, and
   others.  */
static bool
goes_between (const tns_planner *p, const tns_tree *dim, int array)
{
  bool inside = false;
  bool outside = false;
  const tns_array *x = &p->scop->array[array];
  for (int s = 0; s < p->scop->n_stmts; s++)
    if (tns_stmt_touches (&p->scop->stmt[s], array))
      {
        inside |= tns_tree_has (dim, s);
        outside |= !tns_tree_has (dim, s);
      }
  return inside && outside && x->dead_after && x->n_private > 0;
}

/* A nest of its own pays for the contraction at AT, which has one in P.  */
static bool
pays (const tns_planner *p, const place *at)
{
  const tns_machine *m = p->machine;
  double depth = depth_of (p, &at->c);
  double between = 0;
  if (!is_long (p, at->c.row, LEAST_LINES)
      || !is_long (p, at->c.column, LEAST_LINES) || depth < LEAST_DEPTH)
    return false;
  int bytes
    = tns_elem_bytes (p->scop->array[at->c.target->array].sym->type.elem);
  for (int a = 0; a < p->scop->n_arrays; a++)
    if (goes_between (p, at->path[at->first], a))
      between += 2 * tns_elem_bytes (p->scop->array[a].sym->type.elem);
  return depth * bytes / m->l2_bandwidth
         > depth / (m->fma_per_cycle * at->c.lanes)
             + between / m->memory_bandwidth;
}

/* The contraction of statement S in a nest of its own.  False when it has one,
   or may or shall not have one.  */
static bool
part (tns_planner *p, int s)
{
  place at;
  tns_planner branch = branch_of (p);
  int n = tns_parts_count (p);
  if (!find_place (p, s, &at) || suits_tiles (p, &at))
    return false;
  for (int k = innermost_shared (p, &at); k >= 0;
       k = innermost_shared (&branch, &at))
    {
      bool is_cells = k == at.last && k + 1 < at.n;
      if (!(is_cells ? part_cells (&branch, &at) : part_loop (&branch, &at, k))
          || !find_place (&branch, s, &at))
        return false;
    }
  if (!suits_tiles (&branch, &at) || tns_parts_count (&branch) <= n
      || !pays (&branch, &at))
    return false;
  *p = branch;
  return true;
}

bool
tns_plan_parts (tns_planner *planner)
{
  bool some = false;
  if (planner->ctx->wish.tile.off)
    return false;
  for (int s = 0; s < planner->scop->n_stmts; s++)
    some |= part (planner, s);
  return some;
}
