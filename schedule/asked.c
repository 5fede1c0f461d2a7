/* The user's own steps: clauses that name loops.

   tile (i: 32, j: 64)   each loop i and j in tiles, the tile loops outside
   interchange (i, j)    the two loops change places; more than two stand in
                         the order named, the outermost first
   parallel (i)          exactly these loops, and no others
   simd (j)              lanes along j, which becomes innermost
   unroll (k: 4)         four copies of the body of k

   A name means every loop of that name in the region.  A step that breaks a
   dependence is an error at the clause; it names the two accesses.  */

#include <string.h>

#include "poly/legal.h"
#include "base/section.h"
#include "schedule/check.h"
#include "schedule/planner.h"
#include "schedule/step.h"

/* Say that WORD at LOC is illegal because of BROKEN, or WHY.  Always
   false.  */
static bool
complain (tns_planner *p, tns_loc loc, const char *word, const tns_dep *broken,
          const char *why)
{
  const char *because = broken ? tns_dep_words (p->deps, broken) : why;
  tns_error (
    p->ctx, loc, TNS_WHY_ILLEGAL_STEP,
    tns_arena_format (p->ctx->arena, "%s is not legal: %s", word, because));
  return false;
}

/* Take TREE, made by the clause WORD at LOC, if it is legal; LINE is the step
   as the plan has it.  */
static bool
take_legal (tns_planner *p, tns_tree *tree, tns_loc loc, const char *word,
            const char *line)
{
  const tns_dep *broken = NULL;
  if (!tree)
    return complain (p, loc, word, NULL,
                     "the loops are not nested directly in each other");
  if (!tns_tree_check (p->ctx, p->deps, tree, &broken))
    return complain (p, loc, word, broken, "the analysis gave up");
  tns_planner_take (p, tree, "%s", line);
  return true;
}

/* "order S: d e f" for NAME[0..N) above statement S.  */
static const char *
order_line (const tns_planner *p, int s, int n, const char *const *name)
{
  tns_text line = tns_text_new (p->ctx->arena);
  tns_text_format (&line, "order %s:", p->scop->stmt[s].name);
  for (int k = 0; k < n; k++)
    tns_text_format (&line, " %s", name[k]);
  return tns_text_chars (&line);
}

/* The first statement from FIRST on with a DIM called NAME above it that no
   earlier statement has; -1 when there is none.  */
static int
next_with (const tns_planner *p, int first, const char *name)
{
  for (int s = first; s < p->scop->n_stmts; s++)
    {
      tns_tree *dim = tns_tree_find (p->tree, s, name);
      if (dim && tns_tree_first_stmt (dim) == s)
        return s;
    }
  return -1;
}

/* NAME is an iterator of some loop; else an error.  */
static bool
is_known (tns_planner *p, const tns_wish_name *name)
{
  if (next_with (p, 0, name->name) >= 0)
    return true;
  tns_error (p->ctx, name->loc, TNS_WHY_NO_LOOP, name->name);
  return false;
}

/* Tile every loop called NAME.  */
static bool
tile_named (tns_planner *p, const tns_wish_name *name)
{
  int s;
  if (!is_known (p, name))
    return false;
  for (int from = 0; (s = next_with (p, from, name->name)) >= 0; from = s + 1)
    {
      const char *word
        = tns_arena_format (p->ctx->arena, "tile %s in %s: %ld", name->name,
                            p->scop->stmt[s].name, name->number);
      tns_tree *tree
        = tns_step_tile (p->ctx->arena, p->tree, s, name->name, name->number);
      if (!take_legal (p, tree, name->loc, word, word))
        return false;
    }
  return true;
}

/* In the chain above statement S, the point loops of the tiled names go below
   all of the tile loops.  */
static bool
gather_tiles (tns_planner *p, int s, tns_loc loc)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  const char *name[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (p->tree, s, path);
  int count = 0;
  for (int k = 0; k < n; k++)
    if (path[k]->row[s]->divisor > 1)
      name[count++] = path[k]->name;
  for (int k = 0; k < n; k++)
    if (path[k]->row[s]->divisor == 1)
      name[count++] = path[k]->name;
  bool same = true;
  for (int k = 0; k < n; k++)
    same &= !strcmp (name[k], path[k]->name);
  if (same)
    return true;
  tns_tree *tree = tns_step_order (p->ctx->arena, p->tree, s, n, name);
  return !tree || take_legal (p, tree, loc, "tile", order_line (p, s, n, name));
}

/* tile (...).  */
static bool
apply_tiles (tns_planner *p, const tns_wish_list *list)
{
  for (int k = 0; k < list->n; k++)
    if (!tile_named (p, &list->names[k]))
      return false;
  for (int s = 0; list->n > 1 && s < p->scop->n_stmts; s++)
    if (!gather_tiles (p, s, list->loc))
      return false;
  return true;
}

/* LIST names DIM.  */
static bool
names_dim (const tns_wish_list *list, const tns_tree *dim)
{
  for (int k = 0; k < list->n; k++)
    if (!strcmp (dim->name, list->names[k].name))
      return true;
  return false;
}

/* What stands in place K among the loops of LIST, when NOW stands there:
   one of two changes places with the other, more stand in LIST's order.  */
static const char *
name_in_place (const tns_wish_list *list, int k, const char *now)
{
  if (list->n > 2)
    return list->names[k].name;
  return list->names[strcmp (now, list->names[0].name) == 0].name;
}

/* "interchange i j in S", for messages.  */
static const char *
interchange_words (const tns_planner *p, int s, const tns_wish_list *list)
{
  tns_text words = tns_text_new (p->ctx->arena);
  tns_text_add (&words, "interchange");
  for (int k = 0; k < list->n; k++)
    tns_text_format (&words, " %s", list->names[k].name);
  tns_text_format (&words, " in %s", p->scop->stmt[s].name);
  return tns_text_chars (&words);
}

/* The loops of LIST above statement S change their order; *FOUND is set
   where all of them stand there and S is the first statement in them.  */
static bool
interchange (tns_planner *p, int s, const tns_wish_list *list, bool *found)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  const char *name[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (p->tree, s, path);
  int count = 0;
  int first = 0;
  int last = 0;
  for (int k = 0; k < n; k++)
    if (names_dim (list, path[k]))
      {
        first = count == 0 ? k : first;
        last = k;
        name[k] = name_in_place (list, count % list->n, path[k]->name);
        count++;
      }
    else
      name[k] = path[k]->name;
  if (count != list->n || tns_tree_first_stmt (path[last]) != s)
    return true;
  *found = true;
  n = last - first + 1;
  return take_legal (
    p, tns_step_order (p->ctx->arena, p->tree, s, n, name + first), list->loc,
    interchange_words (p, s, list), order_line (p, s, n, name + first));
}

/* interchange (...): every nest that has all of the loops.  */
static bool
apply_interchange (tns_planner *p, const tns_wish_list *list)
{
  bool found = list->n == 0;
  for (int k = 0; k < list->n; k++)
    if (!is_known (p, &list->names[k]))
      return false;
  for (int s = 0; list->n > 0 && s < p->scop->n_stmts; s++)
    if (!interchange (p, s, list, &found))
      return false;
  return found
         || complain (p, list->loc, "interchange", NULL,
                      "no nest has all of these loops");
}

/* The loop NAME above statement S becomes the innermost one.  Where loops
   stand side by side in it, it stays: marks complain.  */
static bool
move_inside (tns_planner *p, int s, const tns_wish_name *name)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  const char *order[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (p->tree, s, path);
  int at = 0;
  while (at < n && strcmp (path[at]->name, name->name))
    at++;
  if (at + 1 >= n)
    return true;
  int count = 0;
  for (int k = at + 1; k < n; k++)
    order[count++] = path[k]->name;
  order[count++] = name->name;
  tns_tree *tree = tns_step_order (p->ctx->arena, p->tree, s, count, order);
  return !tree
         || take_legal (
           p, tree, name->loc,
           tns_arena_format (p->ctx->arena, "simd(%s)", name->name),
           order_line (p, s, count, order));
}

/* simd (...): the loops of LIST become innermost.  */
static bool
apply_simd (tns_planner *p, const tns_wish_list *list)
{
  for (int k = 0; k < list->n; k++)
    for (int s, from = 0; (s = next_with (p, from, list->names[k].name)) >= 0;
         from = s + 1)
      if (!move_inside (p, s, &list->names[k]))
        return false;
  return true;
}

bool
tns_plan_asked (tns_planner *planner)
{
  const tns_wish *wish = &planner->ctx->wish;
  return apply_interchange (planner, &wish->interchange)
         && apply_tiles (planner, &wish->tile)
         && apply_simd (planner, &wish->simd);
}

/* What mark_named shall do with each DIM of a name.  */
typedef enum mark_kind
{
  MARK_PARALLEL,
  MARK_SIMD,
  MARK_UNROLL
} mark_kind;

const char *
tns_dim_words (const tns_planner *p, tns_tree *dim)
{
  for (int k = 0; k < p->deps->n; k++)
    {
      const tns_dep *dep = &p->deps->dep[k];
      tns_distance d;
      if (!tns_tree_has (dim, dep->source) || !tns_tree_has (dim, dep->target))
        continue;
      bool known = tns_dep_reach (p->scop, dep, 0, &dim, &d);
      bool zero = d.empty || (d.lo_known && d.hi_known && !d.lo && !d.hi);
      if (known && !zero)
        return tns_dep_words (p->deps, dep);
    }
  return "its iterations depend on each other";
}

/* LIST names DIM, or the loop whose tiles DIM runs over.  */
static bool
is_named (const tns_wish_list *list, const tns_tree *dim)
{
  for (int k = 0; k < list->n; k++)
    {
      size_t length = strlen (list->names[k].name);
      if (!strncmp (dim->name, list->names[k].name, length)
          && (!dim->name[length] || !strcmp (dim->name + length, ".0")))
        return true;
    }
  return false;
}

/* Threads share DIM, above statement S, as one space with the DIMs around it
   and inside of it that the clause names too.  False when they cannot.  */
static bool
mark_shared (tns_planner *p, int s, tns_tree *dim)
{
  const tns_wish_list *list = &p->ctx->wish.parallel;
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (p->tree, s, path);
  int first = 0, last;
  while (
    path[first] != dim
    && (path[first]->role != TNS_ROLE_FREE || !is_named (list, path[first])))
    first++;
  for (last = first + 1; last < n && is_named (list, path[last]);)
    last++;
  return dim->role != TNS_ROLE_ORDERED
         && tns_dim_mark_parallel (p, path[first], last - first);
}

/* Put the mark KIND on DIM, above statement S, asked for by NAME.  */
static bool
mark_dim (tns_planner *p, int s, tns_tree *dim, const tns_wish_name *name,
          mark_kind kind)
{
  const char *words[] = { "parallel", "simd", "unroll" };
  bool inner = tns_tree_depth (dim->body) == 0;
  bool ordered = dim->role == TNS_ROLE_ORDERED;
  const char *word
    = tns_arena_format (p->ctx->arena, "%s(%s)", words[kind], name->name);
  bool right = kind == MARK_PARALLEL
                 ? mark_shared (p, s, dim)
                 : !ordered || (kind == MARK_UNROLL && inner);
  if (!right)
    return complain (p, name->loc, word, NULL, tns_dim_words (p, dim));
  if (kind == MARK_SIMD && !inner)
    return complain (p, name->loc, word, NULL, "it is not the innermost loop");
  if (kind == MARK_UNROLL)
    tns_dim_mark_unroll (p, dim, name->number ? (int) name->number : 4);
  else if (kind == MARK_SIMD && !dim->marks.simd)
    tns_dim_mark_simd (p, dim, tns_dim_lanes (p, dim));
  return true;
}

/* Put the mark KIND on every DIM that LIST names; tiled ones by their tile
   loop, or, for lanes and copies, by their point loop.  */
static bool
mark_list (tns_planner *p, const tns_wish_list *list, mark_kind kind)
{
  const char *suffix = kind == MARK_PARALLEL ? ".0" : ".1";
  for (int k = 0; k < list->n; k++)
    {
      tns_wish_name name = list->names[k];
      int s;
      if (next_with (p, 0, name.name) < 0)
        name.name = tns_arena_format (p->ctx->arena, "%s%s", name.name, suffix);
      if (!is_known (p,
                     next_with (p, 0, name.name) < 0 ? &list->names[k] : &name))
        return false;
      for (int from = 0; (s = next_with (p, from, name.name)) >= 0;
           from = s + 1)
        if (!mark_dim (p, s, tns_tree_find (p->tree, s, name.name),
                       &list->names[k], kind))
          return false;
    }
  return true;
}

bool
tns_plan_asked_marks (tns_planner *planner)
{
  const tns_wish *wish = &planner->ctx->wish;
  return mark_list (planner, &wish->parallel, MARK_PARALLEL)
         && mark_list (planner, &wish->simd, MARK_SIMD)
         && mark_list (planner, &wish->unroll, MARK_UNROLL);
}

/* Some DIM below TREE has the mark that WORD, "parallel" or "simd",
   names.  */
static bool
has_mark (const tns_tree *tree, const char *word)
{
  bool found = false;
  if (tree->kind == TNS_TREE_DIM)
    found = (strcmp (word, "parallel") ? tree->marks.simd > 0
                                       : tree->marks.parallel)
            || has_mark (tree->body, word);
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids; k++)
    found |= has_mark (tree->kid[k], word);
  return found;
}

/* What WORD of require asks for is there.  */
static bool
is_achieved (const tns_planner *p, const tns_plan *plan, const char *word)
{
  const char *steps = tns_text_chars (&p->steps);
  if (!strcmp (word, "parallel"))
    return p->ctx->flags.openmp && has_mark (plan->tree, word);
  if (!strcmp (word, "simd") || !strcmp (word, "vectorize"))
    return has_mark (plan->tree, "simd");
  if (!strcmp (word, "fuse"))
    return tns_plan_count (steps, "fuse") > 0;
  if (!strcmp (word, "gemm"))
    return tns_plan_count (steps, "kernel") > 0;
  if (!strcmp (word, "transform"))
    return !plan->kept;
  return true;
}

/* Nothing of what the user calls ARRAY is left: it was read through.  */
static bool
is_forwarded (const tns_plan *plan, const char *array)
{
  const tns_region *region = plan->scop->region;
  bool is_there = false;
  for (int k = 0; k < plan->scop->n_arrays; k++)
    {
      const tns_sym *sym = plan->scop->array[k].sym;
      is_there |= !strcmp (sym->spelled ? sym->spelled : sym->name, array);
    }
  for (int k = 0; k < region->n_syms && !is_there; k++)
    {
      const tns_sym *sym = region->syms[k];
      if (sym->kind == TNS_SYM_ARRAY && tns_sym_is_dead_after (sym)
          && !strcmp (sym->spelled ? sym->spelled : sym->name, array))
        return true;
    }
  return false;
}

/* The array ARRAY became smaller.  */
static bool
is_contracted (const tns_plan *plan, const char *array)
{
  for (int k = 0; k < plan->n_buffers; k++)
    {
      const tns_buffer *buffer = &plan->buffer[k];
      const tns_sym *sym = plan->scop->array[buffer->array].sym;
      const char *name = sym->spelled ? sym->spelled : sym->name;
      if (!strcmp (name, array) && buffer->dim)
        return true;
    }
  return is_forwarded (plan, array);
}

/* What the outermost DIM below TREE whose iterations are ordered carries, as
   words; NULL when there is none.  */
static const char *
ordered_words (tns_planner *p, tns_tree *tree)
{
  const char *words = NULL;
  if (tree->kind == TNS_TREE_DIM)
    return tree->role == TNS_ROLE_ORDERED ? tns_dim_words (p, tree)
                                          : ordered_words (p, tree->body);
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids && !words; k++)
    words = ordered_words (p, tree->kid[k]);
  return words;
}

/* The array ARRAY is not needed after the region.  */
static bool
is_dead_after (const tns_scop *scop, const char *array)
{
  for (int k = 0; k < scop->n_arrays; k++)
    {
      const tns_sym *sym = scop->array[k].sym;
      const char *name = sym->spelled ? sym->spelled : sym->name;
      if (!strcmp (name, array))
        return tns_sym_is_local (sym) || (sym->flags & TNS_SYM_TEMP);
    }
  return false;
}

/* Why WORD of require was not achieved.  */
static const char *
missing_words (tns_planner *p, const tns_plan *plan, const char *word)
{
  const char *ordered = NULL;
  if (!strncmp (word, "contract:", 9))
    return is_dead_after (p->scop, word + 9)
             ? "its values are used across loops that were not fused"
             : "its values may be needed after the region";
  if (!strcmp (word, "parallel") && !p->ctx->flags.openmp)
    return "threads need -fopenmp";
  if (!strcmp (word, "parallel") || !strcmp (word, "simd"))
    ordered = ordered_words (p, plan->tree);
  if (ordered)
    return ordered;
  if (!strcmp (word, "gemm"))
    return "no sums of products use what they read again";
  return plan->kept ? "the loops are kept as written"
                    : "no legal step of that kind was predicted to gain";
}

/* One word of require, or one name in contract (...), which the parser hands
   over as "contract:NAME".  */
static bool
check_required (tns_planner *p, const tns_plan *plan, const tns_wish_name *word)
{
  const char *array
    = strncmp (word->name, "contract:", 9) ? NULL : word->name + 9;
  if (array ? is_contracted (plan, array) : is_achieved (p, plan, word->name))
    return true;
  tns_arena *arena = p->ctx->arena;
  tns_error (p->ctx, word->loc, TNS_WHY_REQUIRE,
             array ? tns_arena_format (arena, "contract(%s)", array)
                   : word->name,
             missing_words (p, plan, word->name));
  return false;
}

bool
tns_plan_required (tns_planner *planner, const tns_plan *plan)
{
  const tns_wish_list *list = &planner->ctx->wish.require;
  for (int k = 0; k < list->n; k++)
    if (!check_required (planner, plan, &list->names[k]))
      return false;
  return true;
}
