/* How far expressions and accesses move with an iterator, and lanes.  */

#include <stdio.h>

#include "agree.h"
#include "ir/parse.h"
#include "ir/stride.h"
#include "ir/walk.h"

static const char head[]
  = "region r { value i64 N; array i64 a[N]; array f32 b[N][N];"
    " array f32 c[N][3]; array f32 d[N][N] stride(1, N);"
    " array u8 p[N] stride(3); {"
    " for i = 0 to N { for j = i to N { a[i] = j; } } } }";

/* expr    an expression
   known   it is linear in i
   stride  by that much  */
typedef struct stride
{
  const char *expr;
  bool known;
  long long stride;
} stride;

static const stride strides[] = {
  { "i", true, 1 },
  { "j", true, 0 },
  { "3 - i", true, -1 },
  { "2 * (i + j) - i", true, 1 },
  { "i * i", false, 0 },
  { "i * N", false, 0 },
  { "a[i]", false, 0 },
  { "a[j] + i", true, 1 },
  { "i64(i32(i))", false, 0 },
  { "(i + N) * 4 - N * N", true, 4 },
  { "(i + j) * 8 - 8 * i", true, 0 },
  { "i * 9223372036854775807 + i", false, 0 },
  { "i64(2i32) * i", true, 2 },
};

/* access    an element
   known     it moves with i by a constant
   elements  so many  */
typedef struct distance
{
  const char *access;
  bool known;
  long long elements;
} distance;

static const distance distances[] = {
  { "a[i]", true, 1 },          { "a[N - 2 * i]", true, -2 },
  { "a[j]", true, 0 },          { "b[j][i]", true, 1 },
  { "b[i][j]", false, 0 },      { "b[a[i]][j]", false, 0 },
  { "c[i][2]", true, 3 },       { "c[2 * i][j]", true, 6 },
  { "c[i][0 - i]", true, 2 },   { "d[i][j]", true, 1 },
  { "d[j][i]", false, 0 },      { "p[i]", true, 3 },
  { "p[4 * i + 1]", true, 12 },
};

static int failures;

/* One failure more, about WORDS.  */
static void
fail (const char *words)
{
  fprintf (stderr, "FAIL: %s\n", words);
  failures++;
}

/* The expression that CHARS says.  */
static tns_expr *
parse (tns_ctx *ctx, tns_region *region, const char *chars)
{
  tns_parse_error error = { 0 };
  tns_expr *expr = tns_expr_parse (ctx->arena, region, chars, &error);
  if (!expr)
    fail (chars);
  return expr ? expr : tns_int (ctx->arena, 0);
}

/* The table of strides.  */
static void
check_strides (tns_ctx *ctx, tns_region *r)
{
  tns_sym *iter = tns_region_find (r, "i");
  for (unsigned k = 0; k < sizeof strides / sizeof *strides; k++)
    {
      const stride *row = &strides[k];
      long long found;
      bool known
        = tns_expr_stride (ctx->arena, parse (ctx, r, row->expr), iter, &found);
      if (known != row->known || (known && found != row->stride))
        fail (row->expr);
    }
}

/* EXPR with lanes of its own in the place of ITER.  */
static tns_expr *
with_lanes (tns_ctx *ctx, tns_expr *expr, const tns_sym *iter)
{
  tns_type type = tns_vector (expr->type.elem, 16);
  if (expr->op == TNS_SYM && expr->sym == iter)
    return tns_make (ctx->arena, TNS_IOTA, type, NULL, 1, &expr);
  if (!tns_expr_mentions (expr, iter))
    return tns_make (ctx->arena, TNS_SPLAT, type, NULL, 1, &expr);
  tns_expr **arg = TNS_NEW_ARRAY (ctx->arena, tns_expr *, expr->n_args);
  for (int k = 0; k < expr->n_args; k++)
    arg[k] = with_lanes (ctx, expr->arg[k], iter);
  return tns_make (ctx->arena, expr->op, type, expr->sym, expr->n_args, arg);
}

/* The table of distances, by iterations and by lanes.  */
static void
check_distances (tns_ctx *ctx, tns_region *r)
{
  tns_sym *iter = tns_region_find (r, "i");
  for (unsigned k = 0; k < sizeof distances / sizeof *distances; k++)
    {
      const distance *row = &distances[k];
      tns_expr *access = parse (ctx, r, row->access);
      tns_expr *lanes = with_lanes (ctx, access, iter);
      long long found;
      bool known = tns_access_distance (ctx->arena, access, iter, &found);
      if (known != row->known || (known && found != row->elements))
        fail (row->access);
      known = tns_expr_mentions (access, iter)
              && tns_access_distance (ctx->arena, lanes, NULL, &found);
      if (known && (!row->known || found != row->elements))
        fail (row->access);
      if (!known && row->known && tns_expr_mentions (access, iter))
        fail (row->access);
    }
}

int
main (void)
{
  tns_ctx *ctx = agree_ctx ("avx512");
  tns_region *region = agree_parse (ctx, head);
  check_strides (ctx, region);
  check_distances (ctx, region);
  tns_ctx_free (ctx);
  return failures != 0;
}
