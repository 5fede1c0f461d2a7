/* The model of small regions: instances, elements, guards.  Sets are compared
   as sets, whatever their spelling.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "ir/print.h"
#include "poly/scop.h"

enum
{
  MOST_CHECKS = 6
};

/* shown  what the row shows
   head   declarations
   body   statements
   privatised  private arrays are found first
   check  what must hold, by the first letter:
            n 2            there are 2 statements
            d SET          the domain of the statement of that name
            r MAP, w MAP   all that it reads, writes, of that array
            m S a          its accesses of array a may be more than that
            e S a          they are not
            g EXPR         the guards, joined by &&; "1" for none  */
typedef struct row
{
  const char *shown;
  const char *head;
  const char *body;
  bool privatised;
  const char *check[MOST_CHECKS];
} row;

#define N "value i64 n; value i64 m; "
#define X "array f32 x[]; "

static const row rows[] = {
  { "a loop",
    N X,
    "for i = 0 to n { x[i] = 1.0f32; }",
    false,
    { "n 1", "d [n] -> { S0[i] : 0 <= i < n }",
      "w [n] -> { S0[i] -> x[i] : 0 <= i < n }", "e S0 x", "g 1" } },
  { "steps and directions",
    N X,
    "for i = 3 to n step 4 { for j = i to -1 step -2 { x[j] = 1.0f32; } }",
    false,
    { "d [n] -> { S0[i, j] : exists a, b : i = 3 + 4a and j = i - 2b and "
      "3 <= i < n and 0 <= j <= i }" } },
  { "bounds by max and min",
    N X,
    "for i = max(0, m) to min(n, 9) { x[i] = 1.0f32; }",
    false,
    { "d [n, m] -> { S0[i] : 0 <= i and m <= i and i < n and i < 9 }" } },
  { "conditions",
    N X,
    "for i = 0 to n { if (i != 3 && !(i > 7 || i == m)) { x[i] = 1.0f32; } "
    "else { x[i] = 2.0f32; } }",
    false,
    { "n 2",
      "d [n, m] -> { S0[i] : 0 <= i < n and i <= 7 and i != 3 and i != m }",
      "d [n, m] -> { S1[i] : 0 <= i < n and (i > 7 or i = 3 or i = m) }" } },
  { "an if on data is one statement",
    N X,
    "for i = 0 to n { if (x[i] > 0.0f32) { x[i + 1] = 2.0f32; } }",
    false,
    { "n 1", "m S0 x", "r [n] -> { S0[i] -> x[i] : 0 <= i < n }",
      "w [n] -> { S0[i] -> x[i + 1] : 0 <= i < n }" } },
  { "bounds from data",
    N X "array i64 p[]; ",
    "for i = 0 to n { for k = p[i] to p[i + 1] { x[i] += x[k]; } }",
    false,
    { "n 1", "m S0 x", "d [n] -> { S0[i] : 0 <= i < n }",
      "w [n] -> { S0[i] -> x[i] : 0 <= i < n }",
      "r [n] -> { S0[i] -> x[j] : 0 <= i < n }" } },
  { "a gather and a scatter",
    N X "array i64 p[]; ",
    "for i = 0 to n { x[p[i]] = x[i]; }",
    false,
    { "m S0 x", "w [n] -> { S0[i] -> x[j] : 0 <= i < n }",
      "r [n] -> { S0[i] -> p[i] : 0 <= i < n }" } },
  { "quotients of what is not negative",
    N X,
    "for i = 0 to n { x[i / 2] = x[i % 3]; }",
    false,
    { "w [n] -> { S0[i] -> x[floor(i/2)] : 0 <= i < n }",
      "r [n] -> { S0[i] -> x[i mod 3] : 0 <= i < n }" } },
  { "quotients towards zero",
    N X,
    "for i = -n to n { x[i / 2] = 1.0f32; }",
    false,
    { "w [n] -> { S0[i] -> x[j] : -n <= i < n and "
      "((i >= 0 and 2j <= i <= 2j + 1) or (i < 0 and 2j - 1 <= i <= 2j)) }" } },
  { "a product of values is a parameter",
    N X,
    "for i = 0 to n * m { x[m * n - i - 1] = 1.0f32; }",
    false,
    { "d [e2] -> { S0[i] : 0 <= i < e2 }",
      "w [e2] -> { S0[i] -> x[e2 - i - 1] : 0 <= i < e2 }" } },
  { "a known local is read through",
    N X,
    "for i = 0 to n { local i32 j; j = i32(i) + 1i32; x[i64(j)] = 1.0f32; }",
    false,
    { "w [n] -> { S1[i] -> x[i + 1] : 0 <= i < n }", "e S1 x" } },
  { "a condition on values alone",
    N X "value f32 a; ",
    "for i = 0 to n { if (a > 0.0f32) { x[i] = a; } }",
    false,
    { "d [n, e1] -> { S0[i] : 0 <= i < n and e1 >= 1 }", "e S0 x" } },
  { "unsigned that may wrap is guarded",
    "value u32 n; array f32 x[]; ",
    "for i = 0 to i64(n - 1u32) { x[i] = 1.0f32; }",
    false,
    { "d [n] -> { S0[i] : 0 <= i < n - 1 }", "g i64(n) >= 1" } },
  { "unsigned that cannot wrap is not",
    "value u32 n; array f32 x[]; ",
    "for i = 1 to i64(n) { x[i64(u32(i) - 1u32)] = 1.0f32; }",
    false,
    { "w [n] -> { S0[i] -> x[i - 1] : 0 < i < n }", "g 1" } },
  { "unsigned that wraps is not affine",
    "value u32 n; array f32 x[]; ",
    "for i = 0 to i64(n) { x[i64(u32(i) - 7u32 - n)] = 1.0f32; }",
    false,
    { "m S0 x" } },
  { "a subscript beyond its extent",
    N "array f32 x[][m]; ",
    "for i = 0 to n { for j = 0 to n { x[i][j] = 1.0f32; } }",
    false,
    { "g m >= n" } },
  { "no guard helps: one cell",
    N "array f32 x[][m]; ",
    "for i = 0 to n { x[i][m] = x[i + 1][0]; }",
    false,
    { "m S0 x", "w [n] -> { S0[i] -> x[a, b] : 0 <= i < n }" } },
  { "a local is private to its loops",
    N X,
    "for i = 0 to n { local f32 t; t = x[i]; x[i] = t; }",
    false,
    { "w [n] -> { S0[i] -> t[i] : 0 <= i < n }" } },
  { "a cell outside becomes private",
    N X "cell f32 t; ",
    "for i = 0 to n { t = x[i]; x[i] = t * t; }",
    true,
    { "n 3", "w [n] -> { S0[i] -> t_1[i] : 0 <= i < n }",
      "d [n] -> { out_t_1[i] : 0 <= i = n - 1 }",
      "w [n] -> { out_t_1[i] -> t[] : 0 <= i = n - 1 }" } },
  { "two lives of a cell",
    N X "cell f32 t; ",
    "for i = 0 to n { t = x[i]; x[i] = t * t; }"
    "for j = n - 1 to -1 step -1 { t = x[j]; x[j] = t + t; }",
    true,
    { "n 5", "w [n] -> { S2[j] -> t_2[j] : 0 <= j < n }",
      "d [n] -> { out_t_2[j] : 0 = j < n }" } },
  { "an accumulator stays shared",
    N X "cell f32 t; ",
    "for i = 0 to n { t += x[i]; }",
    true,
    { "n 1", "w [n] -> { S0[i] -> t[] : 0 <= i < n }" } },
  { "a cell that both branches write",
    N X "cell f32 t; ",
    "for i = 0 to n { if (x[i] > 0.0f32) { t = 1.0f32; } else { t = x[i]; }"
    "  x[i] = t; }",
    true,
    { "n 3", "e S0 t_1", "w [n] -> { S0[i] -> t_1[i] : 0 <= i < n }",
      "w [n] -> { out_t_1[i] -> t[] : 0 <= i = n - 1 }" } },
  { "a last write that data decides",
    N X "cell f32 t; ",
    "for i = 0 to n { t = x[i]; x[i] = t; if (x[i] > 0.0f32) "
    "{ t = 1.0f32; } }",
    true,
    { "n 3", "w [n] -> { S0[i] -> t[] : 0 <= i < n }" } },
  { "a temporary array",
    N "array f32 x[][m]; array f32 t[m] temp; ",
    "for i = 0 to n { for j = 0 to m { t[j] = x[i][j]; }"
    "  for k = 0 to m { x[i][k] = t[m - k - 1]; } }",
    true,
    { "n 2", "w [n, m] -> { S0[i, j] -> t_1[i, j] : 0 <= i < n and "
             "0 <= j < m }" } },
};

/* The statement of SCOP called NAME, or NULL.  */
static const tns_stmt *
find_stmt (const tns_scop *scop, const char *name)
{
  for (int s = 0; name && s < scop->n_stmts; s++)
    if (!strcmp (scop->stmt[s].name, name))
      return &scop->stmt[s];
  return NULL;
}

/* A domain is SET.  */
static bool
has_domain (const tns_scop *scop, const char *set)
{
  isl_set *wanted = isl_set_read_from_str (scop->isl, set);
  const tns_stmt *stmt = find_stmt (scop, isl_set_get_tuple_name (wanted));
  bool same = stmt && isl_set_is_equal (stmt->domain, wanted) == isl_bool_true;
  isl_set_free (wanted);
  return same;
}

/* All reads, or writes, of a statement and an array are MAP.  */
static bool
has_accesses (const tns_scop *scop, bool write, const char *map)
{
  isl_map *wanted = isl_map_read_from_str (scop->isl, map);
  const char *array = isl_map_get_tuple_name (wanted, isl_dim_out);
  const tns_stmt *stmt
    = find_stmt (scop, isl_map_get_tuple_name (wanted, isl_dim_in));
  isl_map *all = NULL;
  for (int a = 0; stmt && a < stmt->n_accesses; a++)
    {
      const tns_access *access = &stmt->access[a];
      if (access->write != write
          || strcmp (scop->array[access->array].name, array))
        continue;
      isl_map *one = isl_map_copy (access->map);
      all = all ? isl_map_union (all, one) : one;
    }
  bool same = all && isl_map_is_equal (all, wanted) == isl_bool_true;
  isl_map_free (all);
  isl_map_free (wanted);
  return same;
}

/* Whether an access of statement and array in WORDS may be more.  */
static bool
has_may (const tns_scop *scop, const char *words)
{
  char name[64], array[64];
  bool may = false;
  if (sscanf (words, "%63s %63s", name, array) != 2)
    return false;
  const tns_stmt *stmt = find_stmt (scop, name);
  for (int a = 0; stmt && a < stmt->n_accesses; a++)
    if (!strcmp (scop->array[stmt->access[a].array].name, array))
      may |= stmt->access[a].may;
  return may;
}

/* The guards are EXPR.  */
static bool
has_guards (const tns_scop *scop, const char *expr)
{
  tns_text text = tns_text_new (scop->ctx->arena);
  for (int k = 0; k < scop->region->n_guard; k++)
    {
      if (k)
        tns_text_add (&text, " && ");
      tns_expr_print (&text, scop->region->guard[k]);
    }
  if (!scop->region->n_guard)
    tns_text_add (&text, "1");
  return !strcmp (tns_text_chars (&text), expr);
}

/* CHECK holds of SCOP.  */
static bool
holds (const tns_scop *scop, const char *check)
{
  const char *rest = check + 2;
  switch (check[0])
    {
    case 'n':
      return scop->n_stmts == atoi (rest);
    case 'd':
      return has_domain (scop, rest);
    case 'r':
    case 'w':
      return has_accesses (scop, check[0] == 'w', rest);
    case 'm':
    case 'e':
      return has_may (scop, rest) == (check[0] == 'm');
    case 'g':
      return has_guards (scop, rest);
    default:
      return false;
    }
}

/* Row R; how many checks fail.  */
static int
check_row (const row *r)
{
  char text[2048];
  snprintf (text, sizeof text, "region r { %s { %s } }", r->head, r->body);
  tns_ctx *ctx = agree_ctx ("avx2");
  tns_scop *scop = tns_scop_build (ctx, agree_parse (ctx, text));
  if (r->privatised)
    scop = tns_scop_privatise (ctx, scop);
  int failures = scop == NULL;
  for (int k = 0; scop && k < MOST_CHECKS && r->check[k]; k++)
    if (!holds (scop, r->check[k]))
      {
        printf ("FAIL: scop: %s: %s\n", r->shown, r->check[k]);
        failures++;
      }
  if (failures && scop)
    tns_scop_print (stdout, scop);
  tns_scop_free (scop);
  tns_ctx_free (ctx);
  return failures;
}

/* A budget of one operation is spent, and said so.  */
static int
check_budget (void)
{
  tns_ctx *ctx = agree_ctx ("avx2");
  ctx->wish.budget = 1;
  tns_region *region
    = agree_parse (ctx, "region r { value i64 n; array f32 x[]; "
                        "{ for i = 0 to n { x[i / 2] = 1.0f32; } } }");
  tns_scop *scop = tns_scop_build (ctx, region);
  const tns_remark *verdict = tns_verdict (ctx);
  bool ok = !scop && verdict && verdict->why == TNS_WHY_BUDGET;
  tns_scop_free (scop);
  tns_ctx_free (ctx);
  if (!ok)
    printf ("FAIL: scop: a spent budget\n");
  return !ok;
}

int
main (void)
{
  int failures = check_budget ();
  for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
    failures += check_row (&rows[k]);
  printf ("%s: scop: table\n", failures ? "FAIL" : "PASS");
  return failures != 0;
}
