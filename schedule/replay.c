/* A plan as text, read back: one function for each form of line.

   Each form is the one that the planner writes (tns_planner_take and the
   marks); the step is made by schedule/step.h, checked, and taken.  */

#include "schedule/replay.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/section.h"
#include "schedule/check.h"
#include "schedule/misfit.h"
#include "schedule/step.h"

#define WORD "%63[^ :\n]"

/* Statements that one line names, at most.  */
#define MOST_NAMED 32

/* The statement called NAME, or -1.  */
static int
stmt_of_name (const tns_planner *p, const char *name)
{
  for (int s = 0; s < p->scop->n_stmts; s++)
    if (!strcmp (p->scop->stmt[s].name, name))
      return s;
  return -1;
}

/* Say that LINE is illegal because of WHY, or, where that is NULL, that it
   does not apply.  Always false.  */
static bool
complain (tns_planner *p, const char *line, const char *why)
{
  const char *words
    = tns_arena_format (p->ctx->arena, "\"%s\" %s: %s", line,
                        why ? "is not legal" : "does not apply to these loops",
                        why ? why : tns_plan_misfit (p, line));
  tns_error (p->ctx, p->scop->region->loc, TNS_WHY_PLAN, words);
  return false;
}

/* Say that LINE no longer holds, because of BROKEN when that is known.
   Always false.  */
static bool
stale (tns_planner *p, const char *line, const tns_dep *broken)
{
  return complain (p, line, broken ? tns_dep_words (p->deps, broken) : NULL);
}

/* Say that DIM cannot be marked as LINE says.  Always false.  */
static bool
stale_mark (tns_planner *p, const char *line, tns_tree *dim)
{
  bool carries = dim && dim->role != TNS_ROLE_FREE;
  return complain (p, line, carries ? tns_dim_words (p, dim) : NULL);
}

/* Take TREE, made by LINE.  */
static bool
take (tns_planner *p, tns_tree *tree, const char *line)
{
  const tns_dep *broken = NULL;
  if (!tns_step_holds (p, line, tree, &broken))
    return stale (p, line, broken);
  tns_planner_take (p, tree, "%s", line);
  return true;
}

/* The number behind LINE's colon; 0 when there is none.  */
static long
number_of (const char *line)
{
  const char *colon = strchr (line, ':');
  long n = 0;
  return colon && sscanf (colon + 1, "%ld", &n) == 1 && n > 0 && n <= INT_MAX
           ? n
           : 0;
}

/* TREE has one DIM called NAME above the statements S and T.  */
static bool
share_dim (tns_tree *tree, int s, int t, const char *name)
{
  tns_tree *dim = tns_tree_find (tree, s, name);
  return dim && tns_tree_has (dim, t);
}

/* fuse S T at d, and T's iterations later by n: shift n  */
static bool
replay_fuse (tns_planner *p, const char *line)
{
  char a[64];
  char b[64];
  char dim[64];
  long shift = 0;
  int used = 0;
  if (sscanf (line, "fuse " WORD " " WORD " at " WORD "%n", a, b, dim, &used)
      != 3)
    return stale (p, line, NULL);
  const char *rest = line + used;
  int end = 0;
  if (*rest && (sscanf (rest, " shift %ld%n", &shift, &end) != 1 || rest[end]))
    return stale (p, line, NULL);
  int s = stmt_of_name (p, a);
  int t = stmt_of_name (p, b);
  tns_tree *fused = s < 0 || t < 0
                      ? NULL
                      : tns_step_fuse (p->ctx->arena, p->tree, s, t, shift);
  return take (p, fused && share_dim (fused, s, t, dim) ? fused : NULL, line);
}

/* The statements that the words of TEXT name, into STMT[0..MOST): how many; -1
   when one names none.  */
static int
stmts_of_words (tns_planner *p, const char *text, int most, int *stmt)
{
  int n = 0;
  char *rest = tns_arena_string (p->ctx->arena, text);
  for (char *word = strtok (rest, " "); word && n < most;
       word = strtok (NULL, " "))
    if ((stmt[n++] = stmt_of_name (p, word)) < 0)
      return -1;
  return n;
}

/* split d in S, or split d in S: T U  */
static bool
replay_split (tns_planner *p, const char *line)
{
  char dim[64];
  char a[64];
  int apart[MOST_NAMED];
  const char *colon = strchr (line, ':');
  int s = sscanf (line, "split " WORD " in " WORD, dim, a) == 2
            ? stmt_of_name (p, a)
            : -1;
  int n = colon ? stmts_of_words (p, colon + 1, MOST_NAMED, apart) : 0;
  if (s < 0 || n < 0 || (colon && n == 0))
    return stale (p, line, NULL);
  return take (p, tns_step_split (p->ctx->arena, p->tree, s, dim, n, apart),
               line);
}

/* Number PART by the statements in the words TEXT, parts with a '/' between
   them: how many; -1 when a word names none.  */
static int
parts_of_words (tns_planner *p, const char *text, int *part)
{
  int n = 1;
  char *rest = tns_arena_string (p->ctx->arena, text);
  for (char *word = strtok (rest, " "); word; word = strtok (NULL, " "))
    {
      bool ends = !strcmp (word, "/");
      int s = ends ? 0 : stmt_of_name (p, word);
      if (s < 0)
        return -1;
      if (ends)
        n++;
      else
        part[s] = n - 1;
    }
  return n;
}

/* distribute d in S: S T / U  */
static bool
replay_distribute (tns_planner *p, const char *line)
{
  char dim[64];
  char a[64];
  int *part = TNS_NEW_ARRAY (p->ctx->arena, int, p->scop->n_stmts + 1);
  const char *colon = strchr (line, ':');
  int s = sscanf (line, "distribute " WORD " in " WORD, dim, a) == 2
            ? stmt_of_name (p, a)
            : -1;
  for (int k = 0; k < p->scop->n_stmts; k++)
    part[k] = -1;
  int n = colon ? parts_of_words (p, colon + 1, part) : 0;
  if (s < 0 || n < 2)
    return stale (p, line, NULL);
  return take (p, tns_step_distribute (p->ctx->arena, p->tree, s, dim, n, part),
               line);
}

/* reverse d in S  */
static bool
replay_reverse (tns_planner *p, const char *line)
{
  char dim[64];
  char a[64];
  int s = sscanf (line, "reverse " WORD " in " WORD, dim, a) == 2
            ? stmt_of_name (p, a)
            : -1;
  return take (
    p, s < 0 ? NULL : tns_step_reverse (p->ctx->arena, p->tree, s, dim), line);
}

/* interchange d e in S  */
static bool
replay_interchange (tns_planner *p, const char *line)
{
  char d[64];
  char e[64];
  char a[64];
  int n = sscanf (line, "interchange " WORD " " WORD " in " WORD, d, e, a);
  int s = n == 3 ? stmt_of_name (p, a) : -1;
  return take (
    p, s < 0 ? NULL : tns_step_interchange (p->ctx->arena, p->tree, s, d, e),
    line);
}

/* tile d in S: n  */
static bool
replay_tile (tns_planner *p, const char *line)
{
  char dim[64];
  char a[64];
  long size = number_of (line);
  if (sscanf (line, "tile " WORD " in " WORD ":", dim, a) != 2 || size < 1)
    return stale (p, line, NULL);
  int s = stmt_of_name (p, a);
  const tns_tree *plain = p->tree;
  if (s >= 0 && tns_ctx_breaks (p->ctx, "tile"))
    plain = tns_step_reverse (p->ctx->arena, plain, s, dim);
  return take (
    p, s < 0 ? NULL : tns_step_tile (p->ctx->arena, plain, s, dim, size), line);
}

/* order S: d e f  */
static bool
replay_order (tns_planner *p, const char *line)
{
  char a[64];
  int used = 0;
  int n = 0;
  const char *name[2 * TNS_MAX_DEPTH];
  if (sscanf (line, "order " WORD ":%n", a, &used) != 1 || !used)
    return stale (p, line, NULL);
  char *rest = tns_arena_string (p->ctx->arena, line + used);
  for (char *word = strtok (rest, " "); word && n < TNS_MAX_DEPTH;
       word = strtok (NULL, " "))
    name[n++] = word;
  int s = stmt_of_name (p, a);
  return take (
    p, s < 0 ? NULL : tns_step_order (p->ctx->arena, p->tree, s, n, name),
    line);
}

/* kernel S: i:14 j:32  */
static bool
replay_kernel (tns_planner *p, const char *line)
{
  char a[64];
  long rows = 0;
  long columns = 0;
  if (sscanf (line, "kernel " WORD ": %*[^ :]:%ld %*[^ :]:%ld", a, &rows,
              &columns)
      != 3)
    return stale (p, line, NULL);
  int s = stmt_of_name (p, a);
  return (s >= 0 && tns_plan_kernel_at (p, s, rows, columns))
         || stale (p, line, NULL);
}

/* share d in S: n  */
static bool
replay_share (tns_planner *p, const char *line)
{
  char a[64];
  char dim[64];
  int n = sscanf (line, "share " WORD " in " WORD, dim, a);
  int s = n == 2 ? stmt_of_name (p, a) : -1;
  return (s >= 0 && tns_plan_share_at (p, s, dim)) || stale (p, line, NULL);
}

/* block S: k:256  */
static bool
replay_block (tns_planner *p, const char *line)
{
  char a[64];
  long depth = 0;
  if (sscanf (line, "block " WORD ": %*[^ :]:%ld", a, &depth) != 2)
    return stale (p, line, NULL);
  int s = stmt_of_name (p, a);
  return (s >= 0 && depth > 1 && tns_plan_block_at (p, s, depth))
         || stale (p, line, NULL);
}

/* panel S: j:256 sweeps 32  */
static bool
replay_panel (tns_planner *p, const char *line)
{
  char a[64];
  char column[64];
  long width = 0;
  int sweeps = 0;
  int n = sscanf (line, "panel " WORD ": " WORD ":%ld sweeps %d", a, column,
                  &width, &sweeps);
  int s = n == 4 ? stmt_of_name (p, a) : -1;
  return (s >= 0 && width > 0
          && tns_plan_panel_at (p, s, column, width, sweeps))
         || stale (p, line, NULL);
}

/* embed S in T: k.0:n  */
static bool
replay_embed (tns_planner *p, const char *line)
{
  char a[64];
  char b[64];
  long value = 0;
  int n
    = sscanf (line, "embed " WORD " in " WORD ": %*[^ :]:%ld", a, b, &value);
  int s = n == 3 ? stmt_of_name (p, a) : -1;
  int t = n == 3 ? stmt_of_name (p, b) : -1;
  return take (p,
               s < 0 || t < 0
                 ? NULL
                 : tns_step_embed (p->ctx->arena, p->tree, s, t, value),
               line);
}

/* sink S in T: k.0  */
static bool
replay_sink (tns_planner *p, const char *line)
{
  char a[64];
  char b[64];
  int n = sscanf (line, "sink " WORD " in " WORD, a, b);
  int s = n == 2 ? stmt_of_name (p, a) : -1;
  int t = n == 2 ? stmt_of_name (p, b) : -1;
  return take (p, s < 0 || t < 0 ? NULL : tns_plan_sunk (p, s, t), line);
}

/* The DIM that a mark's LINE names, "WORD d in S..."; NULL when there is
   none.  */
static tns_tree *
marked_dim (tns_planner *p, const char *line)
{
  char dim[64];
  char a[64];
  if (sscanf (line, "%*s " WORD " in " WORD, dim, a) != 2)
    return NULL;
  int s = stmt_of_name (p, a);
  return s < 0 ? NULL : tns_tree_find (p->tree, s, dim);
}

/* parallel d in S  */
static bool
replay_parallel (tns_planner *p, const char *line)
{
  tns_tree *dim = marked_dim (p, line);
  return (dim && tns_dim_mark_free (p, dim)) || stale_mark (p, line, dim);
}

/* collapse d in S: n  */
static bool
replay_collapse (tns_planner *p, const char *line)
{
  tns_tree *dim = marked_dim (p, line);
  return (dim && tns_dim_mark_collapse (p, dim, (int) number_of (line)))
         || stale (p, line, NULL);
}

/* balanced d in S  */
static bool
replay_balanced (tns_planner *p, const char *line)
{
  tns_tree *dim = marked_dim (p, line);
  return (dim && tns_dim_mark_balanced (p, dim)) || stale (p, line, NULL);
}

/* reduce d in S: n  */
static bool
replay_reduce (tns_planner *p, const char *line)
{
  tns_tree *dim = marked_dim (p, line);
  long n = number_of (line);
  return (dim && n >= 2 && tns_dim_mark_chunks (p, dim, (int) n))
         || stale_mark (p, line, dim);
}

/* async d in S: n  */
static bool
replay_async (tns_planner *p, const char *line)
{
  tns_tree *dim = marked_dim (p, line);
  return (dim && tns_dim_mark_async (p, dim, (int) number_of (line)))
         || stale_mark (p, line, dim);
}

/* own d in S  */
static bool
replay_own (tns_planner *p, const char *line)
{
  tns_tree *dim = marked_dim (p, line);
  return (dim && tns_dim_mark_owned (p, dim)) || stale_mark (p, line, dim);
}

/* factor, flatten, reshape, forward, private, pack, recompute, trapezoid.
   These were taken before the model was built, where they hold.  */
static bool
replay_taken (tns_planner *p, const char *line)
{
  return tns_plan_step_is (tns_text_chars (&p->scop->steps), line)
         || stale (p, line, NULL);
}

/* contract x at d in S, expand x.  They wait for the order
   (schedule/contract.c).  */
static bool
replay_storage (tns_planner *p, const char *line)
{
  char array[64];
  return sscanf (line, "%*s " WORD, array) == 1 || stale (p, line, NULL);
}

/* lanes d in S: n  */
static bool
replay_lanes (tns_planner *p, const char *line)
{
  tns_tree *dim = marked_dim (p, line);
  return (dim && tns_plan_lanes_at (p, dim)) || stale_mark (p, line, dim);
}

/* carry d in S  */
static bool
replay_carry (tns_planner *p, const char *line)
{
  tns_tree *dim = marked_dim (p, line);
  return (dim && tns_dim_mark_carry (p, dim)) || stale (p, line, NULL);
}

/* skew d in S: n by m  */
static bool
replay_skew (tns_planner *p, const char *line)
{
  tns_tree *dim = marked_dim (p, line);
  const char *colon = strchr (line, ':');
  long rows = 0;
  long skew = 0;
  if (!dim || !colon || sscanf (colon + 1, "%ld by %ld", &rows, &skew) != 2)
    return stale (p, line, NULL);
  return tns_dim_mark_skew (p, dim, rows, skew) || stale_mark (p, line, dim);
}

/* simd d in S: n  */
static bool
replay_simd (tns_planner *p, const char *line)
{
  tns_tree *dim = marked_dim (p, line);
  long lanes = number_of (line);
  bool is_ordered
    = dim && dim->role == TNS_ROLE_ORDERED && !tns_ctx_breaks (p->ctx, "simd");
  if (!dim || lanes < 1 || dim->marks.simd || is_ordered
      || tns_tree_depth (dim->body) > 0)
    return stale_mark (p, line, dim);
  tns_dim_mark_simd (p, dim, (int) lanes);
  return true;
}

/* align d in S: x  */
static bool
replay_align (tns_planner *p, const char *line)
{
  tns_tree *dim = marked_dim (p, line);
  const char *colon = strchr (line, ':');
  char array[64];
  return (dim && colon && sscanf (colon + 1, " " WORD, array) == 1
          && tns_dim_mark_align (p, dim, array))
         || stale_mark (p, line, dim);
}

/* unroll d in S: n  */
static bool
replay_unroll (tns_planner *p, const char *line)
{
  tns_tree *dim = marked_dim (p, line);
  long copies = number_of (line);
  bool is_ordered = dim && dim->role == TNS_ROLE_ORDERED
                    && !tns_ctx_breaks (p->ctx, "unroll");
  if (!dim || copies < 2 || (is_ordered && tns_tree_depth (dim->body) > 0))
    return stale_mark (p, line, dim);
  tns_dim_mark_unroll (p, dim, (int) copies);
  return true;
}

/* transpose S: j:16  */
static bool
replay_transpose (tns_planner *p, const char *line)
{
  char a[64];
  int s
    = sscanf (line, "transpose " WORD ":", a) == 1 ? stmt_of_name (p, a) : -1;
  return (s >= 0 && tns_plan_transpose_at (p, s)) || stale (p, line, NULL);
}

/* tasks S T ...  */
static bool
replay_tasks (tns_planner *p, const char *line)
{
  int stmt[MOST_NAMED];
  int n = stmts_of_words (p, line + strlen ("tasks "), MOST_NAMED, stmt);
  return (n >= 0 && tns_plan_tasks_at (p, n, stmt)) || stale (p, line, NULL);
}

/* cut, hoist.  They wait for the loops (driver/pipeline.c).  */
static bool
replay_late (tns_planner *p, const char *line)
{
  size_t length = strlen (line);
  return length == strcspn (line, " ") || stale (p, line, NULL);
}

/* prefetch x, prefetch x: n.  It waits for the loops, too.  */
static bool
replay_prefetch (tns_planner *p, const char *line)
{
  char array[64];
  long n = 1;
  int used = 0;
  bool right = sscanf (line, "prefetch " WORD "%n", array, &used) == 1;
  if (right && line[used])
    right = sscanf (line + used, ": %ld%n", &n, &used) == 1 && n > 0
            && n <= INT_MAX && !*(strchr (line, ':') + used);
  return right || stale (p, line, NULL);
}

static const struct
{
  const char *word;
  bool (*replay) (tns_planner *p, const char *line);
} forms[] = {
  { "fuse ", replay_fuse },
  { "tile ", replay_tile },
  { "order ", replay_order },
  { "kernel ", replay_kernel },
  { "parallel ", replay_parallel },
  { "collapse ", replay_collapse },
  { "balanced ", replay_balanced },
  { "reduce ", replay_reduce },
  { "own ", replay_own },
  { "async ", replay_async },
  { "private ", replay_taken },
  { "contract ", replay_storage },
  { "expand ", replay_storage },
  { "simd ", replay_simd },
  { "pack ", replay_taken },
  { "transpose ", replay_transpose },
  { "align ", replay_align },
  { "unroll ", replay_unroll },
  { "flatten ", replay_taken },
  { "reshape ", replay_taken },
  { "forward ", replay_taken },
  { "factor ", replay_taken },
  { "block ", replay_block },
  { "panel ", replay_panel },
  { "embed ", replay_embed },
  { "sink ", replay_sink },
  { "lanes ", replay_lanes },
  { "share ", replay_share },
  { "tasks ", replay_tasks },
  { "carry ", replay_carry },
  { "skew ", replay_skew },
  { "split ", replay_split },
  { "distribute ", replay_distribute },
  { "reverse ", replay_reverse },
  { "interchange ", replay_interchange },
  { "cut", replay_late },
  { "hoist", replay_late },
  { "prefetch ", replay_prefetch },
  { "recompute ", replay_taken },
  { "trapezoid ", replay_taken },
  { "slab ", replay_taken },
};

/* Steps that a plan may have some day, or that are taken without a line.  */
static const char *const later[] = { "band", "waves", "gemm" };

/* LINE begins with a word that no step has.  Always false.  */
static bool
complain_of_word (tns_planner *p, const char *line)
{
  char word[64] = "";
  const char *what = "is no step";
  sscanf (line, WORD, word);
  for (size_t k = 0; k < sizeof later / sizeof later[0]; k++)
    if (!strcmp (word, later[k]))
      what = "is not there yet as a step of a plan";
  tns_error (
    p->ctx, p->scop->region->loc, TNS_WHY_PLAN,
    tns_arena_format (p->ctx->arena, "'%s' in \"%s\" %s", word, line, what));
  return false;
}

/* Apply one LINE.  */
static bool
replay_line (tns_planner *p, const char *line)
{
  for (size_t k = 0; k < sizeof forms / sizeof forms[0]; k++)
    if (!strncmp (line, forms[k].word, strlen (forms[k].word)))
      return forms[k].replay (p, line);
  return complain_of_word (p, line);
}

/* The same, for tns_plan_lines.  */
static bool
visit_line (const char *line, void *self)
{
  return replay_line (self, line);
}

bool
tns_plan_replay (tns_planner *planner, bool *found)
{
  const char *name = planner->scop->region->name;
  *found = tns_plan_is_given (planner->ctx, name);
  return tns_plan_lines (planner->ctx, name, visit_line, planner);
}
