/* ir/affine and ir/range: sums of products, affine forms, intervals.  */

#include "ir/affine.h"

#include <limits.h>
#include <string.h>

#include "ir/range.h"
#include "verdict.h"

static const struct
{
  const char *text;
  const char *sum;
} sums[] = {
  { "i + 1 + i", "2 * i + 1" },
  { "(i + 1) * (n - 1)", "n * i + n - i - 1" },
  { "(i * n + j) * m - i * n * m", "m * j" },
  { "i64(i32(i) * w + 3i32)", "i64(w) * i64(i32(i)) + 3" },
  { "i64(u32(i) + u)", "i64(u32(i) + u)" },
  { "i64(u64(i) - z)", "i - i64(z)" },
  { "i64(u)", "i64(u)" },
  { "i << 3", "8 * i" },
  { "i / 2 * 2", "2 * (i / 2)" },
  { "-(i - n)", "n - i" },
  { "i - i", "0" },
  { "9223372036854775807 * i + i * 9223372036854775807", "" },
};

static const struct
{
  const char *text;
  bool is_affine;
  long long constant;
  int n;
  long long first;
} affines[] = {
  { "2 * i - j + 7", true, 7, 2, 2 }, { "i64(w) * 3", true, 0, 1, 3 },
  { "i * n", false, 0, 0, 0 },        { "i / 2", false, 0, 0, 0 },
  { "i64(i32(i))", false, 0, 0, 0 },  { "5", true, 5, 0, 0 },
};

static const struct
{
  const char *text;
  long long lo;
  long long hi;
} ranges[] = {
  { "3 + 4", 7, 7 },
  { "i64(w)", INT_MIN, INT_MAX },
  { "i64(u) * 2", 0, 2LL * UINT_MAX },
  { "n", LLONG_MIN, LLONG_MAX },
  { "n + 1", LLONG_MIN, LLONG_MAX },
  { "min(n, 5)", LLONG_MIN, 5 },
  { "max(min(n, 5), 1) * -2", -10, -2 },
  { "mod(n, 8)", 0, 7 },
  { "n % 8", -7, 7 },
  { "i64(u) / 2", 0, UINT_MAX / 2 },
  { "floordiv(min(max(n, -3), 3), 2)", -2, 1 },
  { "n & 15", LLONG_MIN, LLONG_MAX },
  { "i64(u) & 15", 0, 15 },
  { "i64(b)", 0, 1 },
  { "(b ? 3 : 9)", 3, 9 },
  { "u + 1u32", 0, UINT_MAX },
  { "w + 1i32", INT_MIN + 1LL, INT_MAX },
};

/* The intervals of iterators.  */
static void
check_iterators (void)
{
  tns_ctx *ctx = verdict_ctx (TNS_FP_STRICT);
  tns_region *region = verdict_region (
    ctx, "region r { value i32 w; cell f32 s; { for i = 2 to i64(w) { "
         "for j = i to 0 step -1 { s = 1.0f32; } } "
         "for k = 0 to 8 { s = 1.0f32; } for k = 20 to 30 { } } }");
  tns_ranges r = tns_ranges_of (ctx->arena, region);
  tns_range i = r.sym[tns_region_find (region, "i")->id];
  tns_range j = r.sym[tns_region_find (region, "j")->id];
  tns_range k = r.sym[tns_region_find (region, "k")->id];
  verdict (i.lo == 2 && i.hi == INT_MAX - 1LL, "a loop upwards");
  verdict (j.lo == 1 && j.hi == INT_MAX - 1LL, "a loop downwards");
  verdict (k.lo == 0 && k.hi == 29, "two loops over one iterator");
  tns_ctx_free (ctx);
}

int
main (void)
{
  tns_ctx *ctx = verdict_ctx (TNS_FP_STRICT);
  for (size_t k = 0; k < sizeof sums / sizeof *sums; k++)
    {
      tns_expr *expr = verdict_expr (ctx, sums[k].text);
      tns_sum sum = tns_sum_of (ctx->arena, expr);
      const char *got = verdict_expr_text (ctx, tns_sum_expr (ctx->arena, sum));
      bool is_atom
        = sum.n == 1 && sum.term[0].n_atoms == 1 && sum.term[0].factor == 1;
      verdict (*sums[k].sum ? !strcmp (got, sums[k].sum) : is_atom, "%s is %s",
               sums[k].text, got);
    }
  for (size_t k = 0; k < sizeof affines / sizeof *affines; k++)
    {
      tns_affine a;
      bool is
        = tns_affine_of (ctx->arena, verdict_expr (ctx, affines[k].text), &a);
      verdict (
        is == affines[k].is_affine
          && (!is
              || (a.constant == affines[k].constant && a.n == affines[k].n
                  && (!a.n || a.factor[0] == affines[k].first))),
        "%s is %saffine", affines[k].text, is ? "" : "not ");
    }
  for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++)
    {
      tns_range r = tns_range_of (NULL, verdict_expr (ctx, ranges[k].text));
      verdict (r.lo == ranges[k].lo && r.hi == ranges[k].hi,
               "%s lies in [%lld, %lld]", ranges[k].text, r.lo, r.hi);
    }
  check_iterators ();
  tns_ctx_free (ctx);
  return verdict_status ();
}
