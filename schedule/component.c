/* Strongly connected components, as schedule/component.h says, by closing the
   order of a few statements.  */

#include "schedule/component.h"

#include "poly/legal.h"

/* Statements S and T touch a temporary that NEEDS room at DEPTH.  */
static bool
share_temporary (const tns_scop *scop, int s, int t, int depth,
                 tns_needs_room needs)
{
  const tns_stmt *stmt = &scop->stmt[s];
  for (int a = 0; a < stmt->n_accesses; a++)
    {
      int array = stmt->access[a].array;
      if (scop->array[array].dead_after
          && tns_stmt_touches (&scop->stmt[t], array)
          && (!needs || needs (scop, array, depth)))
        return true;
    }
  return false;
}

/* The place of statement S in G, or -1.  */
static int
place_of (const tns_components *g, int s)
{
  for (int k = 0; k < g->n; k++)
    if (g->stmt[k] == s)
      return k;
  return -1;
}

/* Fill what depends on what in G by itself; what NEEDS room keeps statements
   together.  */
static void
note_deps (const tns_planner *p, tns_components *g, tns_needs_room needs)
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
      if (a != b
          && share_temporary (p->scop, g->stmt[a], g->stmt[b], g->depth, needs))
        g->after[a][b] = true;
}

/* Add to G what follows from what.  */
static void
close_order (tns_components *g)
{
  for (int k = 0; k < g->n; k++)
    for (int a = 0; a < g->n; a++)
      for (int b = 0; b < g->n; b++)
        g->after[a][b] |= g->after[a][k] && g->after[k][b];
}

/* Statement AT of G, and all that it depends on but what it cannot be told
   apart from, has its part.  */
static bool
is_ready (const tns_components *g, int at)
{
  for (int a = 0; a < g->n; a++)
    if (g->after[a][at] && !g->after[at][a] && g->part[g->stmt[a]] < 0)
      return false;
  return true;
}

/* Number the parts of G.  */
static void
number_parts (tns_components *g)
{
  int n = 0;
  int *part = g->part;
  for (int k = 0; k < g->n; k++)
    part[g->stmt[k]] = -1;
  for (int k = 0; k < g->n;)
    if (part[g->stmt[k]] < 0 && is_ready (g, k))
      {
        for (int b = 0; b < g->n; b++)
          if (b == k || (g->after[k][b] && g->after[b][k]))
            part[g->stmt[b]] = n;
        n++;
        k = 0;
      }
    else
      k++;
  g->n_parts = n;
}

tns_components
tns_components_at (const tns_planner *planner, int s, int depth,
                   tns_needs_room needs)
{
  tns_components g = { .depth = depth };
  tns_arena *arena = planner->ctx->arena;
  tns_tree_path (planner->tree, s, g.path);
  g.stmt = TNS_NEW_ARRAY (arena, int, planner->scop->n_stmts + 1);
  g.part = TNS_NEW_ARRAY (arena, int, planner->scop->n_stmts + 1);
  g.n = tns_tree_stmts (g.path[depth], g.stmt);
  g.after = TNS_NEW_ARRAY (arena, bool *, g.n + 1);
  for (int a = 0; a < g.n; a++)
    g.after[a] = TNS_NEW_ARRAY (arena, bool, g.n + 1);
  note_deps (planner, &g, needs);
  close_order (&g);
  number_parts (&g);
  return g;
}

const char *
tns_components_words (const tns_planner *planner,
                      const tns_components *components)
{
  const tns_components *g = components;
  tns_text words = tns_text_new (planner->ctx->arena);
  for (int k = 0; k < g->n_parts; k++)
    {
      tns_text_add (&words, k ? " /" : "");
      for (int a = 0; a < g->n; a++)
        if (g->part[g->stmt[a]] == k)
          tns_text_format (&words, " %s", planner->scop->stmt[g->stmt[a]].name);
    }
  return tns_text_chars (&words);
}
