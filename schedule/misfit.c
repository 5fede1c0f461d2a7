/* Why a line of a plan does not apply: the words of the line are looked up one
   by one, and where all of them are there the step's own condition is told.  */

#include "schedule/misfit.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define WORD "%63[^ :\n]"

/* What a step takes, by its word.  */
static const struct
{
  const char *word;
  const char *takes;
} needs[] = {
  { "fuse", "it takes two nests that follow each other under the same loops" },
  { "split", "it takes a loop around several statements" },
  { "interchange", "it takes two loops, one right inside the other" },
  { "order", "it takes all loops of a nest that stand right inside each other, "
             "each once" },
  { "tile", "it takes a loop and a positive size" },
  { "kernel", "it takes a product under loops over its rows and columns, and "
              "their sizes" },
  { "share", "it takes a loop that products have in common" },
  { "block", "it takes a product in a register tile and a size of at least 2" },
  { "panel", "it takes a product in blocks and a register tile, its column, "
             "some tiles of columns, and a number" },
  { "embed", "it takes a nest right before a loop, and one of its iterations" },
  { "parallel", "it takes a loop that no loop of threads stands around" },
  { "collapse", "it takes a parallel loop and the number of loops, free and "
                "right inside each other" },
  { "balanced", "it takes a parallel loop whose iterations get longer or "
                "shorter" },
  { "reduce", "it takes a loop that sums, and a number of at least 2" },
  { "own", "it takes a loop that sums into elements that indices name, one in "
           "each iteration" },
  { "simd", "it takes an innermost loop that is not in vectors yet, and a "
            "number of lanes" },
  { "align", "it takes an innermost loop in vectors as long as a cache line, "
             "without sums, and an array that it stores to in order" },
  { "unroll", "it takes a loop and a number of at least 2" },
  { "carry", "it takes an innermost loop whose next iteration loads what one "
             "has stored" },
  { "skew", "it takes two loops, one right inside the other, and two numbers: "
            "4 by 1" },
  { "tasks", "it takes nests that follow each other and do not depend on each "
             "other" },
  { "transpose", "it takes a copy that is read along another dimension" },
  { "lanes", "it takes a loop around others that can be cut" },
  { "private", "it takes a scalar or an array that each iteration uses anew" },
  { "flatten", "it takes two loops over rows without gaps" },
  { "reshape", "it takes a loop from 0 up, and sizes that divide its "
               "iterations" },
  { "prefetch", "it takes an array and a positive number" },
  { "forward", "it takes a temporary that is assigned once" },
  { "pack", "it takes an operand of a product, and the statement of its copy" },
  { "recompute", "it takes nests that reach beyond each other's iterations" },
  { "trapezoid", "it takes nests that reach beyond each other's iterations" },
  { "slab", "it takes a loop whose iterations wait for each other" },
  { "distribute", "it takes a loop and parts of what is in it, each statement "
                  "once" },
};

/* NAME is spelled as a statement's.  */
static bool
is_stmt_name (const char *name)
{
  return name[0] == 'S' && name[1]
         && strspn (name + 1, "0123456789") == strlen (name + 1);
}

/* The statement called NAME, or -1.  */
static int
stmt_of (const tns_planner *p, const char *name)
{
  for (int s = 0; s < p->scop->n_stmts; s++)
    if (!strcmp (p->scop->stmt[s].name, name))
      return s;
  return -1;
}

/* Words about the first statement of LINE that does not exist, or NULL.  */
static const char *
missing_stmt (tns_planner *p, const char *line)
{
  char *rest = tns_arena_string (p->ctx->arena, line);
  for (char *word = strtok (rest, " :"); word; word = strtok (NULL, " :"))
    if (is_stmt_name (word) && stmt_of (p, word) < 0)
      return tns_arena_format (p->ctx->arena, "there is no statement %s", word);
  return NULL;
}

/* Words about NAME, which is no loop around statement S of the tree.  */
static const char *
missing_loop (tns_planner *p, int s, const char *name)
{
  tns_tree *dim[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (p->tree, s, dim);
  tns_text around = tns_text_new (p->ctx->arena);
  for (int k = 0; k < n; k++)
    {
      tns_text_add (&around, k ? ", " : "");
      tns_text_add (&around, dim[k]->name);
    }
  return tns_arena_format (p->ctx->arena,
                           "%s is no loop around %s; there %s %s", name,
                           p->scop->stmt[s].name, n == 1 ? "is" : "are",
                           n ? tns_text_chars (&around) : "none");
}

/* Words about the first loop that LINE names before "in S" and that does not
   stand around S, or NULL.  */
static const char *
missing_dim (tns_planner *p, const char *line)
{
  char stmt[64];
  const char *in = strstr (line, " in ");
  if (!in || sscanf (in, " in " WORD, stmt) != 1 || stmt_of (p, stmt) < 0)
    return NULL;
  char *rest = tns_arena_string (p->ctx->arena, line);
  rest[in - line] = '\0';
  strtok (rest, " ");
  for (char *word = strtok (NULL, " "); word; word = strtok (NULL, " "))
    if (!is_stmt_name (word)
        && !tns_tree_find (p->tree, stmt_of (p, stmt), word))
      return missing_loop (p, stmt_of (p, stmt), word);
  return NULL;
}

/* The line's first word is one of those that name a loop of the tree.  */
static bool
names_a_loop (const char *line)
{
  static const char *const word[]
    = { "split ",    "reverse ",  "interchange ", "tile ",  "parallel ",
        "collapse ", "balanced ", "reduce ",      "simd ",  "unroll ",
        "carry ",    "skew ",     "lanes ",       "share ", "align " };
  for (size_t k = 0; k < sizeof word / sizeof word[0]; k++)
    if (!strncmp (line, word[k], strlen (word[k])))
      return true;
  return false;
}

const char *
tns_plan_misfit (tns_planner *planner, const char *line)
{
  char first[64] = "";
  const char *words = missing_stmt (planner, line);
  if (!words && names_a_loop (line))
    words = missing_dim (planner, line);
  sscanf (line, WORD, first);
  for (size_t k = 0; !words && k < sizeof needs / sizeof needs[0]; k++)
    if (!strcmp (first, needs[k].word))
      words = needs[k].takes;
  return words ? words : "its words are not those of this step";
}

const char *
tns_storage_misfit (tns_ctx *ctx, const tns_plan *plan, const char *line)
{
  char name[64] = "";
  const tns_scop *scop = plan->scop;
  sscanf (line, "%*s " WORD, name);
  for (int k = 0; k < scop->n_arrays; k++)
    {
      const tns_array *x = &scop->array[k];
      if (strcmp (x->sym->name, name))
        continue;
      if (!x->dead_after)
        return tns_arena_format (ctx->arena,
                                 "%s may be needed after the region", name);
      return tns_arena_format (ctx->arena,
                               line[0] == 'e'
                                 ? "%s has no copies in this order"
                                 : "in this order %s ends elsewhere",
                               name);
    }
  return tns_arena_format (ctx->arena, "there is no array %s", name);
}
