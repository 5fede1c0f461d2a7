/* Differences of subscripts, trip counts.  */

#include <stdio.h>

#include "agree.h"
#include "ir/parse.h"
#include "lowering/linear.h"

static const char head[]
  = "region r { value i64 N; value i64 M; value i32 n; array i64 a[N]; {"
    " for i = 0 to N { for j = i to M { a[i] = j; } } } }";

/* a, b   two expressions
   known  their difference is a constant
   d      it  */
typedef struct distance
{
  const char *a;
  const char *b;
  bool known;
  long long d;
} distance;

static const distance distances[] = {
  { "i", "i", true, 0 },
  { "i + 3", "i", true, 3 },
  { "i - 3 + j", "j + i + 1", true, -4 },
  { "2 * i + 1", "i * 2", true, 1 },
  { "3 * (i - 1)", "i + 2 * i", true, -3 },
  { "i", "j", false, 0 },
  { "i * N", "i * M", false, 0 },
  { "(i + 1) * N + j", "N * i + N + j", true, 0 },
  { "i64(n * 2i32 + 1i32)", "2 * i64(n)", true, 1 },
  { "a[i] + 1", "a[i]", true, 1 },
  { "a[i]", "a[j]", false, 0 },
  { "i << 2", "4 * i - 1", true, 1 },
  { "9223372036854775807 + i", "i - 2", false, 0 },
};

/* lo, hi  bounds of a loop
   step
   trip    its iterations, -1 when not known
   most    an upper bound, -1 when not known
   runs    at least once, inside for i = 0 to N  */
typedef struct trip
{
  const char *lo;
  const char *hi;
  long long step;
  long long trip;
  long long most;
  bool runs;
} trip;

static const trip trips[] = {
  { "0", "10", 1, 10, 10, true },
  { "0", "10", 3, 4, 4, true },
  { "10", "0", -3, 4, 4, false },
  { "10", "0", 1, 0, 0, false },
  { "i", "i + 14", 1, 14, 14, true },
  { "i", "min(i + 14, N)", 1, -1, 14, true },
  { "i", "min(N, i + 14)", 2, -1, 7, true },
  { "14 * i", "min(N - 1, 14 * i + 13) + 1", 1, -1, 14, false },
  { "i", "1 + min(N - 1, i + 4)", 1, -1, 5, true },
  { "max(i, 3) - 1", "i + 4", 1, -1, 5, true },
  { "i", "min(min(i + 8, N), i + 4)", 1, -1, 4, true },
  { "max(i, i - 1)", "i + 5", 1, -1, 5, true },
  { "i", "N", 1, -1, -1, true },
  { "i + 1", "N", 1, -1, -1, false },
  { "i", "M", 1, -1, -1, false },
  { "i", "N + 1", 1, -1, -1, true },
  { "i", "min(i + 14, M)", 1, -1, 14, false },
  { "0", "N", 1, -1, -1, true },
  { "0", "N - 1", 1, -1, -1, false },
  { "i", "2 * N - 1", 1, -1, -1, true },
  { "16 * floordiv(i, 16)", "N", 1, -1, -1, true },
  { "16 * floordiv(i, 16)", "i", 1, -1, -1, false },
  { "a[0]", "a[0] + i + 1", 1, -1, -1, true },
};

/* What two elements of a[..][..] are to each other; lanes of each.  */
typedef struct pair
{
  const char *a[2];
  const char *b[2];
  int a_lanes;
  int b_lanes;
  tns_cells cells;
} pair;

static const pair pairs[] = {
  { { "i", "j" }, { "i", "j" }, 1, 1, TNS_CELLS_SAME },
  { { "i", "j" }, { "i", "j" }, 16, 16, TNS_CELLS_SAME },
  { { "i", "j" }, { "i", "j" }, 16, 1, TNS_CELLS_UNKNOWN },
  { { "i", "j" }, { "i + 1", "N" }, 1, 1, TNS_CELLS_APART },
  { { "i", "j" }, { "i", "j + 1" }, 1, 1, TNS_CELLS_APART },
  { { "i", "j" }, { "i", "j + 15" }, 16, 1, TNS_CELLS_UNKNOWN },
  { { "i", "j" }, { "i", "j + 16" }, 16, 1, TNS_CELLS_APART },
  { { "i", "j" }, { "i", "j - 1" }, 16, 1, TNS_CELLS_APART },
  { { "i", "j" }, { "i", "j - 15" }, 1, 16, TNS_CELLS_UNKNOWN },
  { { "i", "j" }, { "i", "j - 16" }, 1, 16, TNS_CELLS_APART },
  { { "i", "j" }, { "N", "j" }, 1, 1, TNS_CELLS_UNKNOWN },
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

/* The table of distances.  */
static void
check_distances (tns_ctx *ctx, tns_region *r)
{
  for (unsigned k = 0; k < sizeof distances / sizeof *distances; k++)
    {
      const distance *row = &distances[k];
      long long d;
      bool known = tns_linear_distance (ctx->arena, parse (ctx, r, row->a),
                                        parse (ctx, r, row->b), &d);
      if (known != row->known || (known && d != row->d))
        fail (row->a);
    }
}

/* The table of trips.  */
static void
check_trips (tns_ctx *ctx, tns_region *r)
{
  tns_node *around = r->body->kid[0];
  for (unsigned k = 0; k < sizeof trips / sizeof *trips; k++)
    {
      const trip *row = &trips[k];
      tns_node loop = *around->body->kid[0];
      loop.lo = parse (ctx, r, row->lo);
      loop.hi = parse (ctx, r, row->hi);
      loop.step = row->step;
      long long found, most;
      if (!tns_loop_trip (ctx->arena, &loop, &found))
        found = -1;
      if (!tns_loop_trip_most (ctx->arena, &loop, &most))
        most = -1;
      if (found != row->trip || most != row->most
          || tns_loop_runs (ctx->arena, &loop, 1, &around) != row->runs)
        fail (row->hi);
    }
}

/* The table of pairs.  */
static void
check_pairs (tns_ctx *ctx, tns_region *r)
{
  tns_sym *sym
    = tns_region_add_array (ctx->arena, r, "b", TNS_F32, 2, TNS_SYM_LOCAL);
  for (unsigned k = 0; k < sizeof pairs / sizeof *pairs; k++)
    {
      const pair *row = &pairs[k];
      tns_expr *a[2], *b[2];
      for (int l = 0; l < 2; l++)
        {
          a[l] = parse (ctx, r, row->a[l]);
          b[l] = parse (ctx, r, row->b[l]);
        }
      tns_expr *one = tns_make (ctx->arena, TNS_LOAD,
                                tns_vector (TNS_F32, row->a_lanes), sym, 2, a);
      tns_expr *two = tns_make (ctx->arena, TNS_LOAD,
                                tns_vector (TNS_F32, row->b_lanes), sym, 2, b);
      if (tns_cells_compare (ctx->arena, one, two) != row->cells)
        fail (row->b[1]);
    }
}

int
main (void)
{
  tns_ctx *ctx = agree_ctx ("avx512");
  tns_region *region = agree_parse (ctx, head);
  check_distances (ctx, region);
  check_trips (ctx, region);
  check_pairs (ctx, region);
  tns_ctx_free (ctx);
  return failures != 0;
}
