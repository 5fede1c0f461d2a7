/* Dependences told to the user, and printed for dumps.  */

#include "poly/deps.h"

#include <stdlib.h>

#include "ir/print.h"

/* The outermost loop around both statements in which the instances of DEP
   differ for all of its pairs, or -1.  */
static int
carried_by (const tns_deps *deps, const tns_dep *dep)
{
  const tns_stmt *s = &deps->scop->stmt[dep->source];
  const tns_stmt *t = &deps->scop->stmt[dep->target];
  isl_map *rest = isl_map_copy (dep->map);
  int level = -1;
  for (int k = 0; level < 0 && k < s->n_iters && k < t->n_iters
                  && s->loop[k] == t->loop[k];
       k++)
    {
      rest = isl_map_equate (rest, isl_dim_in, k, isl_dim_out, k);
      if (isl_map_is_empty (rest) == isl_bool_true)
        level = k;
    }
  isl_map_free (rest);
  return level;
}

/* "S1 (line 12)".  */
static const char *
statement_words (const tns_deps *deps, int k)
{
  const tns_stmt *stmt = &deps->scop->stmt[k];
  tns_arena *arena = deps->scop->ctx->arena;
  if (stmt->node->loc.line <= 0)
    return stmt->name;
  return tns_arena_format (arena, "%s (line %d)", stmt->name,
                           stmt->node->loc.line);
}

/* "x[i]", as the IR writes it.  */
static const char *
access_words (const tns_deps *deps, const tns_access *access)
{
  tns_text text = tns_text_new (deps->scop->ctx->arena);
  tns_expr_print (&text, access->expr);
  return tns_text_chars (&text);
}

const char *
tns_dep_words (const tns_deps *deps, const tns_dep *dep)
{
  tns_arena *arena = deps->scop->ctx->arena;
  const char *first = dep->kind == TNS_DEP_ANTI ? "read" : "written";
  const char *then = dep->kind == TNS_DEP_FLOW ? "read" : "written";
  const char *words = tns_arena_format (
    arena, "%s %s by %s is %s by %s", access_words (deps, dep->source_access),
    first, statement_words (deps, dep->source), then,
    statement_words (deps, dep->target));
  int level = carried_by (deps, dep);
  if (level < 0)
    return words;
  const char *iter = deps->scop->stmt[dep->source].iter[level]->spelled;
  words
    = tns_arena_format (arena, "%s in a later iteration of %s", words, iter);
  if (!dep->source_access->by_index && !dep->target_access->by_index)
    return words;
  return tns_arena_format (
    arena, "%s; if they never meet, independent(%s) says so", words, iter);
}

/* "flow", "anti", "output".  */
static const char *
kind_name (tns_dep_kind kind)
{
  static const char *const name[] = { "flow", "anti", "output" };
  return name[kind];
}

void
tns_deps_print (FILE *out, const tns_deps *deps)
{
  const tns_scop *scop = deps->scop;
  for (int k = 0; k < deps->n; k++)
    {
      const tns_dep *dep = &deps->dep[k];
      char *map = isl_map_to_str (dep->map);
      fprintf (out, "%s%s %s -> %s through %s: %s\n",
               dep->freed ? "freed " : "", kind_name (dep->kind),
               scop->stmt[dep->source].name, scop->stmt[dep->target].name,
               scop->array[dep->array].sym->name, map ? map : "(none)");
      free (map);
    }
}
