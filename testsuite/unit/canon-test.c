/* ir/updates, ir/shapes and ir/flat: what is made of C's spellings and of
   flat subscripts, and what is left alone.  */

#include <string.h>

#include "ir/canon.h"
#include "ir/verify.h"
#include "verdict.h"

/* body, and what it becomes under strict, reassoc and fast; NULL: as under
   the one before.  */
static const struct
{
  const char *body;
  const char *made[3];
} updates[] = {
  { "s = s + x;", { "s += x;" } },
  { "s = x + s;", { "s += x;" } },
  { "s = s - x;", { "s += -x;" } },
  { "s = x - s;", { "s = x - s;" } },
  { "s = s * x;", { "s *= x;" } },
  { "s = s / x;", { "s = s / x;" } },
  { "s = s + s;", { "s = s + s;" } },
  { "s = s + x * s;", { "s = s + x * s;" } },
  { "S1: s = s + x - y;",
    { "S1: s += x; S1_1: s += -y;", "S1: s += x + -y;" } },
  { "S1: k = k + n - 1;", { "S1: k += n; S1_1: k += -1;" } },
  { "A[n] = A[n] + A[n - 1];", { "A[n] += A[n - 1];" } },
  { "A[n] = A[n] + A[n - 1] + x;",
    { "A[n] = A[n] + A[n - 1] + x;", "A[n] += A[n - 1] + x;" } },
  { "k = k & n;", { "k &= n;" } },
  { "b = b || n > 3;", { "b lor= n > 3;" } },
  { "b = b || A[n] > x;", { "b = b || A[n] > x;" } },
  { "s = max(s, x);", { "s max= x;" } },
  { "s = max(x, s);", { "s = max(x, s);", NULL, "s max= x;" } },
  { "k = max(n, k);", { "k max= n;" } },
  { "s = fmax(x, s);", { "s fmax= x;" } },
  { "s = (x > s ? x : s);", { "s max= x;" } },
  { "s = (s < x ? x : s);", { "s max= x;" } },
  { "s = (x < s ? x : s);", { "s min= x;" } },
  { "s = (x >= s ? x : s);", { "s = (x >= s ? x : s);", "s max= x;" } },
  { "s = (s > x ? s : x);", { "s = (s > x ? s : x);", NULL, "s max= x;" } },
  { "k = (k > n ? k : n);", { "k max= n;" } },
  { "if (x > s) { s = x; }", { "s max= x;" } },
  { "if (s > x) { s = x; }", { "s min= x;" } },
  { "if (x > s) { s = x; k = n; }", { "if (x > s) { s = x; k = n; }" } },
  { "if (x > s) { s = x; } else { k = n; }", { "else { k = n; }" } },
  { "if (x > A[n]) { A[n] = x; }", { "if (x > A[n]) { A[n] = x; }" } },
  { "A[n] = y; if (x > A[n]) { A[n] = x; }", { "A[n] max= x;" } },
};

/* Statements, and the array and subscripts that they become; "flat": left
   alone.  */
static const struct
{
  const char *body;
  const char *array;
  const char *made;
} shapes[] = {
  { "for b = 0 to n { for t = 0 to T { for c = 0 to C { "
    "x[b * T * C + t * C + c] = 1.0f32; } } }",
    "array f32 x[][T][C];", "x[b][t][c] = " },
  { "for b = 0 to n { for t = 0 to T { for c = 0 to C { "
    "x[(b * T + t) * C + c] = 1.0f32; } } }",
    "array f32 x[][T][C];", "x[b][t][c] = " },
  { "for i = 1 to n { for j = 0 to C - 1 { "
    "x[(i - 1) * C + j + 1] = 1.0f32; } }",
    "array f32 x[][C];", "x[i - 1][j + 1] = " },
  { "for i = 0 to n { for j = 0 to 64 { x[i * 64 + j] = 1.0f32; } }",
    "array f32 x[][64];", "x[i][j] = " },
  { "for i = 0 to n { for j = 0 to 65 { x[i * 64 + j] = 1.0f32; } }",
    "array f32 x[];", "flat" },
  { "for i = 0 to n { for j = 1 to 63 { x[i * 64 + j] = "
    "x[i * 64 + 63 + j] + x[i * 64 - 65 + j]; } }",
    "array f32 x[][64];", "x[i][j] = x[i + 1][j - 1] + x[i - 1][j - 1];" },
  { "for i = 0 to n { for j = 0 to C { x[i * C + j] = x[j]; } }",
    "array f32 x[][C];", "x[i][j] = x[0][j];" },
  { "for k = 0 to n * C { x[k] = 0.0f32; } "
    "for i = 0 to n { for j = 0 to C { x[i * C + j] += 1.0f32; } }",
    "array f32 x[];", "flat" },
  { "for i = 0 to C { for j = 0 to C { x[i * C + j] = x[j * T + i]; } }",
    "array f32 x[];", "flat" },
  { "for i = 0 to C { for j = 0 to i + 1 { x[i * C + j] = x[j * C + i]; } }",
    "array f32 x[][C];", "x[i][j] = x[j][i];" },
  { "for i = 0 to n { for j = 0 to T { x[i * C + j] = 1.0f32; } }",
    "array f32 x[][C];", "x[i][j] = " },
  { "for i = 0 to n { x[i * C] = 1.0f32; }", "array f32 x[][C];",
    "x[i][0] = " },
  { "for i = 0 to n { x[2 * i + 1] = x[2 * i]; }", "array f32 x[];", "flat" },
  { "for i = 0 to n { for h = 0 to n { for e = 0 to hs { "
    "x[i * C + h * hs + e] = 1.0f32; } } }",
    "array f32 x[][floordiv(C, max(hs, 1))][hs] stride(C, hs, 1);",
    "x[i][h][e] = " },
  { "for t = 0 to n { for c = 0 to C { "
    "x[t * 3 * C + c] = x[t * 3 * C + C + c] * x[t * 3 * C + 2 * C + c]; } }",
    "array f32 x[][3][C];", "x[t][0][c] = x[t][1][c] * x[t][2][c];" },
  { "for p = 0 to n { for q = 0 to C { for ch = 0 to 3 { "
    "x[(p * C + q) * 3 + ch] = x[(p * C + q) * 3 + 2]; } } }",
    "array f32 x[][C][3];", "x[p][q][ch] = x[p][q][2];" },
  { "for t = 0 to n { for c = 0 to C { "
    "y[t * C + c] = x[i64(ix[t]) * C + c]; } }",
    "array f32 x[][C];", "y[t][c] = x[i64(ix[t])][c];" },
  { "for t = 0 to n { y[t] = x[t * C + i64(ix[t])]; }", "array f32 x[];",
    "flat" },
  { "for i = 0 to i64(w) { for j = 0 to i64(w) { "
    "x[i64(i32(i) * w + i32(j))] = 1.0f32; } }",
    "array f32 x[][i64(w)];", "x[i64(i32(i))][i64(i32(j))] = " },
  { "for i = 0 to n { for j = 0 to i64(u) { "
    "x[i64(u32(i) * u + u32(j))] = 1.0f32; } }",
    "array f32 x[];", "flat" },
  { "for i = 0 to n { for j = 0 to i64(z) { "
    "x[i64(u64(i) * z + u64(j))] = 1.0f32; } }",
    "array f32 x[][i64(z)];", "x[i][j] = " },
  { "for i = 0 to n { for j = 0 to C { for a = 0 to T { for b = 0 to T { "
    "y[i * C + j] += x[(i + a) * (C + T) + j + b]; } } } }",
    "array f32 x[][T + C];", "+= x[i + a][j + b];" },
  { "for i = 0 to n { for j = 0 to C { "
    "x[(i + T) * (C + T) + j + T] = x[i * (C + T) + j]; } }",
    "array f32 x[][T + C];", "x[T + i][T + j] = x[i][j];" },
  { "for p = 0 to n { for i = 0 to C { for j = 0 to T { "
    "x[(p * (C + 2 * hs) + i + hs) * (T + 2 * hs) + j + hs] = 1.0f32; } } }",
    "array f32 x[][C + 2 * hs][T + 2 * hs];", "x[p][hs + i][hs + j] = " },
};

/* One row of updates under FP.  */
static void
check_update (const char *body, const char *wanted, tns_fp fp)
{
  static const char *const names[] = { "strict", "reassoc", "fast" };
  tns_ctx *ctx = verdict_ctx (fp);
  const char *text = tns_arena_format (
    ctx->arena,
    "region r { value i64 n; value f32 x; value f32 y; array f32 A[]; "
    "cell f32 s; cell i64 k; cell bool b; { %s } }",
    body);
  tns_region *region = tns_region_updates (ctx, verdict_region (ctx, text));
  region = tns_region_verify (ctx, region, "updates");
  const char *made = verdict_region_text (ctx, region);
  verdict (verdict_has (ctx, made, wanted), "%s: %s becomes %s", names[fp],
           body, wanted);
  tns_ctx_free (ctx);
}

/* One row of shapes.  */
static void
check_shape (const char *body, const char *array, const char *wanted)
{
  tns_ctx *ctx = verdict_ctx (TNS_FP_STRICT);
  const char *text = tns_arena_format (
    ctx->arena,
    "region r { value i64 n; value i64 T; value i64 C; value i64 hs; "
    "value i32 w; value u32 u; value u64 z; array i32 ix[] const; "
    "array f32 x[]; array f32 y[]; { %s } }",
    body);
  tns_region *in = verdict_region (ctx, text);
  const char *before = verdict_region_text (ctx, in);
  tns_region *out
    = tns_region_verify (ctx, tns_region_shapes (ctx, in), "shapes");
  const char *after = verdict_region_text (ctx, out);
  bool ok = verdict_has (ctx, after, array)
            && (!strcmp (wanted, "flat") || verdict_has (ctx, after, wanted))
            && !strcmp (before, verdict_region_text (ctx, in));
  verdict (ok, "%s %s", array, wanted);
  if (!ok)
    puts (after);
  tns_ctx_free (ctx);
}

int
main (void)
{
  for (size_t k = 0; k < sizeof updates / sizeof *updates; k++)
    {
      const char *wanted = NULL;
      for (int fp = 0; fp < 3; fp++)
        {
          const char *next = updates[k].made[fp];
          wanted = next ? next : wanted;
          check_update (updates[k].body, wanted, (tns_fp) fp);
        }
    }
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
    check_shape (shapes[k].body, shapes[k].array, shapes[k].made);
  return verdict_status ();
}
