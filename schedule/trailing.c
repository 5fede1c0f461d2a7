/* Loops over a slab's iterations: as many nests as can be told apart.

     for b                                  for b {
       for k = b to b + 32                    for k = b to b + 32
         for i = b + 32 to n {                  for i = b + 32 to n {
           A[i][k] /= A[k][k]                     A[i][k] /= A[k][k]
           for j = k + 1 to b + 32        ->      for j = k + 1 to b + 32
             A[i][j] -= A[i][k]*A[k][j]             A[i][j] -= A[i][k]*A[k][j]
           for j = b + 32 to n                  }
             A[i][j] -= A[i][k]*A[k][j]       for k = b to b + 32
         }                                      for i = b + 32 to n
                                                  for j = b + 32 to n
                                                    A[i][j] -= A[i][k]*A[k][j]
                                            }

   A DIM counts slabs when its iterator moves nothing that a statement accesses
   but says where a loop further in begins and ends: the slab's iterations.
   Their DIM is distributed: statements stay together that depend on each other
   in both ways, in one run of it, or through a temporary, which would need
   memory; the others follow each other as they depend on each other, and as
   written where they do not.  It is done where some update gets a tile of rows
   and columns by it: what is slow runs for the slab alone.

   Rows that are left, of all of the slab's iterations each, wait for their own
   quotients: some go side by side.  */

#include "ir/walk.h"
#include "schedule/check.h"
#include "schedule/contraction.h"
#include "schedule/step.h"

#define ROWS 8

/* The statements below a DIM, in order, and what must not come before what:
   after[a][b], statement b of them not before a.  path[0..depth): the DIMs
   around.  */
typedef struct group
{
  int n;
  int *stmt;
  bool **after;
  int depth;
  tns_tree *path[2 * TNS_MAX_DEPTH];
} group;

/* The loop of STMT that begins and ends where ITER says; NULL: none does
   so.  */
static const tns_node *
loop_in_slab (const tns_stmt *stmt, const tns_sym *iter)
{
  for (int k = 0; k < stmt->n_iters; k++)
    if (tns_expr_mentions (stmt->loop[k]->lo, iter)
        && tns_expr_mentions (stmt->loop[k]->hi, iter))
      return stmt->loop[k];
  return NULL;
}

/* The number of DIMs above that of a slab's iterations, FROM at least, above
   statement S and another loop; -1: there is none.  */
static int
depth_of_slab (const tns_planner *p, int s, int from)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  const tns_stmt *stmt = &p->scop->stmt[s];
  int n = tns_tree_path (p->tree, s, path);
  for (int l = from; l + 1 < n; l++)
    for (int k = 0; k < l; k++)
      {
        const tns_sym *iter = tns_dim_iter (p->scop, path[k], s);
        const tns_node *loop = iter ? loop_in_slab (stmt, iter) : NULL;
        if (loop && tns_dim_iter (p->scop, path[l], s) == loop->iter)
          return l;
      }
  return -1;
}

/* Statements S and T touch a temporary.  */
static bool
share_temporary (const tns_scop *scop, int s, int t)
{
  const tns_stmt *stmt = &scop->stmt[s];
  for (int a = 0; a < stmt->n_accesses; a++)
    if (scop->array[stmt->access[a].array].dead_after
        && tns_stmt_touches (&scop->stmt[t], stmt->access[a].array))
      return true;
  return false;
}

/* The place of statement S in G, or -1.  */
static int
place_of (const group *g, int s)
{
  for (int k = 0; k < g->n; k++)
    if (g->stmt[k] == s)
      return k;
  return -1;
}

/* Fill what depends on what in G by itself.  */
static void
note_deps (const tns_planner *p, group *g)
{
  tns_distance reach;
  for (int k = 0; k < p->deps->n; k++)
    {
      const tns_dep *dep = &p->deps->dep[k];
      int a = place_of (g, dep->source);
      int b = place_of (g, dep->target);
      if (a < 0 || b < 0 || dep->freed || g->after[a][b])
        continue;
      bool known = tns_dep_reach (p->scop, dep, g->depth, g->path, &reach);
      g->after[a][b] = !known || !reach.empty;
    }
  for (int a = 0; a < g->n; a++)
    for (int b = 0; b < g->n; b++)
      if (a != b && share_temporary (p->scop, g->stmt[a], g->stmt[b]))
        g->after[a][b] = true;
}

/* Add to G what follows from what.  */
static void
close_order (group *g)
{
  for (int k = 0; k < g->n; k++)
    for (int a = 0; a < g->n; a++)
      for (int b = 0; b < g->n; b++)
        g->after[a][b] |= g->after[a][k] && g->after[k][b];
}

/* The group of the DIM at DEPTH above statement S.  */
static group
group_at (const tns_planner *p, int s, int depth)
{
  group g = { .depth = depth };
  tns_arena *arena = p->ctx->arena;
  tns_tree_path (p->tree, s, g.path);
  g.stmt = TNS_NEW_ARRAY (arena, int, p->scop->n_stmts + 1);
  g.n = tns_tree_stmts (g.path[depth], g.stmt);
  g.after = TNS_NEW_ARRAY (arena, bool *, g.n + 1);
  for (int a = 0; a < g.n; a++)
    g.after[a] = TNS_NEW_ARRAY (arena, bool, g.n + 1);
  note_deps (p, &g);
  close_order (&g);
  return g;
}

/* Statement AT of G, and all that it depends on but what it cannot be told
   apart from, has its part.  */
static bool
is_ready (const group *g, int at, const int *part)
{
  for (int a = 0; a < g->n; a++)
    if (g->after[a][at] && !g->after[at][a] && part[g->stmt[a]] < 0)
      return false;
  return true;
}

/* Number the parts of G into PART, by statement: how many.  */
static int
number_parts (const group *g, int *part)
{
  int n = 0;
  for (int k = 0; k < g->n; k++)
    part[g->stmt[k]] = -1;
  for (int k = 0; k < g->n;)
    if (part[g->stmt[k]] < 0 && is_ready (g, k, part))
      {
        for (int b = 0; b < g->n; b++)
          if (b == k || (g->after[k][b] && g->after[b][k]))
            part[g->stmt[b]] = n;
        n++;
        k = 0;
      }
    else
      k++;
  return n;
}

/* The N parts of G as words.  */
static const char *
words_of (const tns_planner *p, const group *g, int n, const int *part)
{
  tns_text words = tns_text_new (p->ctx->arena);
  for (int k = 0; k < n; k++)
    {
      tns_text_add (&words, k ? " /" : "");
      for (int a = 0; a < g->n; a++)
        if (part[g->stmt[a]] == k)
          tns_text_format (&words, " %s", p->scop->stmt[g->stmt[a]].name);
    }
  return tns_text_chars (&words);
}

/* Nothing stands beside statement S in the loops below DEPTH DIMs.  */
static bool
is_alone (const tns_planner *p, int s, int depth)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (p->tree, s, path);
  for (int k = depth; k < n; k++)
    if (path[k]->body->kind == TNS_TREE_SEQ)
      return false;
  return true;
}

/* Some statement of G has a tile of rows and columns in P's tree, alone.  */
static bool
has_tile (const tns_planner *p, const group *g)
{
  tns_contraction c;
  for (int k = 0; k < g->n; k++)
    if (is_alone (p, g->stmt[k], g->depth)
        && tns_contraction_at (p, g->stmt[k], &c) && c.row && c.column)
      return true;
  return false;
}

/* Distribute the DIM at DEPTH above statement S where that suits it.  */
static void
try_dim (tns_planner *p, int s, int depth)
{
  group g = group_at (p, s, depth);
  int *part = TNS_NEW_ARRAY (p->ctx->arena, int, p->scop->n_stmts + 1);
  const char *name = g.path[depth]->name;
  tns_planner apart = *p;
  int n = number_parts (&g, part);
  if (n < 2)
    return;
  apart.tree = tns_step_distribute (p->ctx->arena, p->tree, s, name, n, part);
  if (tns_step_holds (p, "distribute", apart.tree, NULL)
      && has_tile (&apart, &g))
    tns_planner_take (p, apart.tree, "distribute %s in %s:%s", name,
                      p->scop->stmt[s].name, words_of (p, &g, n, part));
}

void
tns_plan_slabs (tns_planner *planner)
{
  for (int s = 0; s < planner->scop->n_stmts; s++)
    for (int depth = depth_of_slab (planner, s, 0); depth >= 0;
         depth = depth_of_slab (planner, s, depth + 1))
      try_dim (planner, s, depth);
}

/* Some loop below DIM begins or ends where ITER says.  */
static bool
is_bent_by (const tns_planner *p, const tns_tree *dim, const tns_sym *iter)
{
  for (int s = 0; s < p->scop->n_stmts; s++)
    for (int k = 0; tns_tree_has (dim, s) && k < p->scop->stmt[s].n_iters; k++)
      {
        const tns_node *loop = p->scop->stmt[s].loop[k];
        if (tns_expr_mentions (loop->lo, iter)
            || tns_expr_mentions (loop->hi, iter))
          return true;
      }
  return false;
}

/* DIM goes over a slab's iterations.  */
static bool
is_of_slab (const tns_planner *p, const tns_tree *dim)
{
  for (int s = 0; s < p->scop->n_stmts; s++)
    if (tns_tree_has (dim, s))
      {
        tns_tree *path[2 * TNS_MAX_DEPTH];
        int depth = depth_of_slab (p, s, 0);
        tns_tree_path (p->tree, s, path);
        if (depth >= 0 && path[depth] == dim)
          return true;
      }
  return false;
}

/* Jam rows of DIM where they wait in a loop over a slab's iterations.  */
static void
jam_rows (tns_planner *p, tns_tree *dim, void *self)
{
  (void) self;
  const tns_tree *inner = dim->body;
  int s = tns_tree_first_stmt (dim);
  const tns_sym *iter = tns_dim_iter (p->scop, dim, s);
  if (dim->role != TNS_ROLE_FREE || dim->marks.unroll || !iter
      || inner->kind != TNS_TREE_DIM || inner->role != TNS_ROLE_ORDERED
      || !tns_dim_is_slow (p, inner) || !is_of_slab (p, inner)
      || is_bent_by (p, inner, iter))
    return;
  int copies = tns_fitting_copies (tns_dim_operations (p, inner, 1), ROWS);
  if (copies > 1)
    tns_dim_mark_unroll (p, dim, copies);
}

void
tns_plan_slab_rows (tns_planner *planner)
{
  tns_tree_dims (planner, planner->tree, jam_rows, NULL);
}
