/* Dependences of small regions, as sets of pairs, and how far they reach.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "poly/legal.h"

enum
{
  MOST_CHECKS = 6
};

/* shown  what the row shows
   head, body  the region; n and m are I64 VALUEs
   fp     algebra allowed
   check  what must hold, by the first letter:
            n 2      there are 2 dependences
            u 1      1 of them is not the same pairs as an earlier one
            k MAP    all flow, anti and output dependences that are kept,
                     between two statements, are MAP
            f MAP    all freed ones are
            d S T array dim dim lo hi  the distance of the kept flow
                     dependence from dimension to dimension, ? is unknown
            s TEXT   what the first dependence is in words
            a ITER   (first) the user's word: iterations of ITER do not meet in
                     what is named by index  */
typedef struct row
{
  const char *shown;
  const char *head;
  const char *body;
  tns_fp fp;
  const char *check[MOST_CHECKS];
} row;

#define X     "array f32 x[]; array f32 y[]; "
#define APART "array f32 x[] apart; array i64 p[] const; array f32 y[]; "

static const row rows[] = {
  { "none", X, "for i = 0 to n { x[i] = y[i]; }", TNS_FP_REASSOC, { "n 0" } },
  { "in the same iteration",
    X,
    "for i = 0 to n { x[i] = 1.0f32; y[i] = x[i]; }",
    TNS_FP_REASSOC,
    { "n 1", "k [n] -> { S0[i] -> S1[i] : 0 <= i < n }", "d S0 S1 x 0 0 0 0",
      "s x[i] written by S0 (line 1) is read by S1 (line 1)" } },
  { "in a later iteration",
    X,
    "for i = 2 to n { x[i] = x[i - 2]; }",
    TNS_FP_REASSOC,
    { "n 1", "k [n] -> { S0[i] -> S0[i + 2] : 2 <= i < n - 2 }",
      "d S0 S0 x 0 0 2 2",
      "s x[i] written by S0 (line 1) is read by S0 (line 1) in a later "
      "iteration of i" } },
  { "against the direction of the loop",
    X,
    "for i = n - 2 to -1 step -1 { x[i] = x[i + 1]; }",
    TNS_FP_REASSOC,
    { "n 1", "k [n] -> { S0[i] -> S0[i - 1] : 1 <= i < n - 1 }",
      "d S0 S0 x 0 0 -1 -1" } },
  { "a read before",
    X,
    "for i = 0 to n { x[i] = x[i + 1]; }",
    TNS_FP_REASSOC,
    { "n 1", "k [n] -> { S0[i] -> S0[i + 1] : 0 <= i < n - 1 }" } },
  { "between nests",
    X,
    "for i = 0 to n { x[i] = 1.0f32; } for j = 0 to n { y[j] = x[n - j]; }",
    TNS_FP_REASSOC,
    { "n 1", "k [n] -> { S0[i] -> S1[n - i] : 0 < i < n }",
      "d S0 S1 x 0 0 ? ?" } },
  { "a triangle",
    "array f32 a[][m]; ",
    "for i = 0 to m { for j = 0 to i { a[i][j] = a[j][i]; } }",
    TNS_FP_REASSOC,
    { "n 0" } },
  { "a sum is freed",
    X "cell f32 s; ",
    "for i = 0 to n { s += x[i]; }",
    TNS_FP_REASSOC,
    { "n 3", "f [n] -> { S0[i] -> S0[j] : 0 <= i < j < n }", "u 1" } },
  { "not under strict",
    X "cell f32 s; ",
    "for i = 0 to n { s += x[i]; }",
    TNS_FP_STRICT,
    { "n 3", "k [n] -> { S0[i] -> S0[j] : 0 <= i < j < n }" } },
  { "a sum of integers always is",
    "array i32 x[]; cell i32 s; ",
    "for i = 0 to n { s += x[i]; }",
    TNS_FP_STRICT,
    { "f [n] -> { S0[i] -> S0[j] : 0 <= i < j < n }" } },
  { "two operators are not one",
    "array i32 x[]; cell i32 s; ",
    "for i = 0 to n { s += x[i]; s *= x[i]; }",
    TNS_FP_REASSOC,
    { "k [n] -> { S0[i] -> S1[j] : 0 <= i <= j < n }",
      "k [n] -> { S1[i] -> S0[j] : 0 <= i < j < n }",
      "f [n] -> { S0[i] -> S0[j] : 0 <= i < j < n }" } },
  { "an operand that is updated elsewhere",
    "array f32 p[][m]; ",
    "for k = 0 to m { for i = 0 to m { for j = 0 to m {"
    "  p[i][j] min= p[i][k] + p[k][j]; } } }",
    TNS_FP_REASSOC,
    { "f [m] -> { S0[k, i, j] -> S0[l, i, j] : 0 <= k < l < m and 0 <= i < m "
      "and 0 <= j < m }" } },
  { "initialised, summed, read",
    X "array f32 s[]; ",
    "for i = 0 to n { s[i] = 0.0f32; for j = 0 to m { s[i] += x[j]; }"
    "  y[i] = s[i]; }",
    TNS_FP_REASSOC,
    { "k [n, m] -> { S0[i] -> S1[i, j] : 0 <= i < n and 0 <= j < m }",
      "k [n, m] -> { S1[i, j] -> S2[i] : 0 <= i < n and 0 <= j < m }",
      "f [n, m] -> { S1[i, j] -> S1[i, k] : 0 <= i < n and 0 <= j < k < m }",
      "k [n] -> { S0[i] -> S2[i] : 0 <= i < n }" } },
  { "a scatter meets itself",
    X "array i64 p[]; ",
    "for i = 0 to n { x[p[i]] = y[i]; }",
    TNS_FP_REASSOC,
    { "n 1", "k [n] -> { S0[i] -> S0[j] : 0 <= i < j < n }",
      "d S0 S0 x 0 0 1 ?",
      "s x[p[i]] written by S0 (line 1) is written by S0 (line 1) in a later "
      "iteration of i; if they never meet, independent(i) says so" } },
  { "a scatter apart meets nothing",
    APART,
    "for i = 0 to n { x[p[i]] = y[i]; }",
    TNS_FP_REASSOC,
    { "n 0" } },
  { "nor does a sum by index, under strict",
    APART,
    "for i = 0 to n { x[p[i]] += y[i]; }",
    TNS_FP_STRICT,
    { "n 0" } },
  { "one place of the index array is one element",
    APART,
    "for i = 0 to n { x[p[i / 2]] += y[i]; }",
    TNS_FP_STRICT,
    { "k [n] -> { S0[i] -> S0[1 + i] : 0 <= i < n - 1 and i mod 2 = 0 }" } },
  { "so it is in a time loop, and in a later nest",
    APART,
    "for t = 0 to m { for i = 0 to n { x[p[i]] = y[i]; } for j = 0 to n {"
    "  y[j] = x[p[j]]; } }",
    TNS_FP_REASSOC,
    { "k [m, n] -> { S0[t, i] -> S1[u, i] : 0 <= t <= u < m and 0 <= i < n }",
      "k [m, n] -> { S0[t, i] -> S0[u, i] : 0 <= t < u < m and 0 <= i < n "
      "}" } },
  { "an index in a cell",
    APART,
    "for i = 0 to n { local i64 k; k = p[i]; x[k] = x[k] + y[i]; }",
    TNS_FP_STRICT,
    { "k [n] -> { S1[i] -> S1[j] : false }" } },
  { "nothing is said of two index arrays",
    APART "array i64 q[] const; ",
    "for i = 0 to n { x[p[i]] = x[q[i]]; }",
    TNS_FP_REASSOC,
    { "k [n] -> { S0[i] -> S0[j] : 0 <= i < j < n }" } },
  { "nor of sums with what varies",
    APART,
    "for i = 0 to n { x[p[i] + i] = y[i]; }",
    TNS_FP_REASSOC,
    { "k [n] -> { S0[i] -> S0[j] : 0 <= i < j < n }" } },
  { "a sum with what does not vary, rows, an index array of an index array",
    "array f32 x[][m] apart; array i64 p[] const; array f32 y[]; ",
    "for i = 0 to n { for j = 0 to m { x[p[p[i]] + m][j] += y[j]; } }",
    TNS_FP_STRICT,
    { "n 0" } },
  { "an index array that is written says nothing",
    "array f32 x[] apart; array i64 p[]; array f32 y[]; ",
    "for i = 0 to n { x[p[i]] = y[i]; p[n - i] = i; }",
    TNS_FP_REASSOC,
    { "k [n] -> { S0[i] -> S0[j] : 0 <= i < j < n }" } },
  { "iterations that do not meet",
    X "array i64 p[]; ",
    "for i = 0 to n { x[p[i] * i] += y[i]; }",
    TNS_FP_STRICT,
    { "a i", "n 0" } },
  { "iterations of the loop inside do not meet",
    X "array i64 p[]; ",
    "for i = 0 to n { for j = 0 to m { x[p[i] * j] = y[j]; } }",
    TNS_FP_REASSOC,
    { "a j", "k [n, m] -> { S0[i, j] -> S0[k, l] : 0 <= i < k < n and "
             "0 <= j < m and 0 <= l < m }" } },
  { "what is not by index meets all the same",
    X,
    "for i = 2 to n { x[i] = x[i - 2]; }",
    TNS_FP_REASSOC,
    { "a i", "k [n] -> { S0[i] -> S0[i + 2] : 2 <= i < n - 2 }" } },
};

/* The statement of SCOP called NAME; -1 when there is none.  */
static int
find_stmt (const tns_scop *scop, const char *name)
{
  for (int s = 0; name && s < scop->n_stmts; s++)
    if (!strcmp (scop->stmt[s].name, name))
      return s;
  return -1;
}

/* All dependences between the statements of MAP, freed or kept, are MAP.  */
static bool
has_pairs (const tns_deps *deps, bool freed, const char *map)
{
  const tns_scop *scop = deps->scop;
  isl_map *wanted = isl_map_read_from_str (scop->isl, map);
  int source = find_stmt (scop, isl_map_get_tuple_name (wanted, isl_dim_in));
  int target = find_stmt (scop, isl_map_get_tuple_name (wanted, isl_dim_out));
  isl_map *all = isl_map_empty (isl_map_get_space (wanted));
  for (int k = 0; k < deps->n; k++)
    {
      const tns_dep *dep = &deps->dep[k];
      if (dep->source == source && dep->target == target && dep->freed == freed)
        all = isl_map_union (all, isl_map_copy (dep->map));
    }
  bool same = isl_map_is_equal (all, wanted) == isl_bool_true;
  isl_map_free (all);
  isl_map_free (wanted);
  return same;
}

/* Iterator DIM of statement S.  */
static tns_moment
iterator (const tns_scop *scop, int s, int dim)
{
  int n = scop->stmt[s].n_iters;
  tns_moment moment = { .known = true, .n = n, .divisor = 1 };
  moment.coef = TNS_NEW_ARRAY (scop->ctx->arena, long, n);
  moment.coef[dim] = 1;
  return moment;
}

/* BOUND is as WORD says.  */
static bool
bound_is (bool known, long bound, const char *word)
{
  return *word == '?' ? !known : known && bound == atol (word);
}

/* The distance in WORDS holds.  */
static bool
has_distance (const tns_deps *deps, const char *words)
{
  char source[16], target[16], array[16], lo[16], hi[16];
  int from, to;
  if (sscanf (words, "%15s %15s %15s %d %d %15s %15s", source, target, array,
              &from, &to, lo, hi)
      != 7)
    return false;
  const tns_scop *scop = deps->scop;
  for (int k = 0; k < deps->n; k++)
    {
      const tns_dep *dep = &deps->dep[k];
      if (dep->source != find_stmt (scop, source)
          || dep->target != find_stmt (scop, target)
          || strcmp (scop->array[dep->array].name, array))
        continue;
      tns_moments asked = { iterator (scop, dep->source, from),
                            iterator (scop, dep->target, to) };
      tns_distance d;
      bool done = tns_pairs_distance (dep->map, &asked, &d);
      return done && !d.empty && bound_is (d.lo_known, d.lo, lo)
             && bound_is (d.hi_known, d.hi, hi);
    }
  return false;
}

/* How many of DEPS are no other's pairs again.  */
static int
count_unlike (const tns_deps *deps)
{
  int n = 0;
  for (int k = 0; k < deps->n; k++)
    n += deps->dep[k].same == k;
  return n;
}

/* CHECK holds of DEPS.  */
static bool
holds (const tns_deps *deps, const char *check)
{
  const char *rest = check + 2;
  switch (check[0])
    {
    case 'n':
      return deps->n == atoi (rest);
    case 'u':
      return count_unlike (deps) == atoi (rest);
    case 'k':
    case 'f':
      return has_pairs (deps, check[0] == 'f', rest);
    case 'd':
      return has_distance (deps, rest);
    case 'a':
      return true;
    case 's':
      return deps->n && !strcmp (tns_dep_words (deps, deps->dep), rest);
    default:
      return false;
    }
}

/* The loops of REGION over the iterator that CHECK names are apart.  */
static void
set_apart (tns_region *region, const char *check)
{
  for (int k = 0; check && check[0] == 'a' && k < region->n_syms; k++)
    if (region->syms[k]->kind == TNS_SYM_ITER
        && !strcmp (region->syms[k]->name, check + 2))
      region->syms[k]->flags |= TNS_SYM_APART;
}

/* Row R; how many checks fail.  */
static int
check_row (const row *r)
{
  char text[2048];
  snprintf (text, sizeof text,
            "region r { value i64 n; value i64 m; %s { %s } }", r->head,
            r->body);
  tns_ctx *ctx = agree_ctx ("avx2");
  ctx->wish.fp = r->fp;
  tns_region *region = agree_parse (ctx, text);
  set_apart (region, r->check[0]);
  tns_scop *scop = tns_scop_build (ctx, region);
  tns_deps *deps = tns_deps_build (ctx, scop);
  int failures = deps == NULL;
  for (int k = 0; deps && k < MOST_CHECKS && r->check[k]; k++)
    if (!holds (deps, r->check[k]))
      {
        printf ("FAIL: deps: %s: %s\n", r->shown, r->check[k]);
        failures++;
      }
  if (failures && deps)
    tns_deps_print (stdout, deps);
  tns_deps_free (deps);
  tns_scop_free (scop);
  tns_ctx_free (ctx);
  return failures;
}

int
main (void)
{
  int failures = 0;
  for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
    failures += check_row (&rows[k]);
  printf ("%s: deps: table\n", failures ? "FAIL" : "PASS");
  return failures != 0;
}
