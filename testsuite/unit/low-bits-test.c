/* Small integers: the same memory, from comparisons and extremes of bytes.  */

#include <stdio.h>

#include "agree.h"
#include "ir/walk.h"
#include "lowering/low-bits.h"
#include "rows.h"

/* shown  what the row shows
   cond   a condition
   few    it is found in the low bits  */
typedef struct row
{
  const char *shown;
  const char *cond;
  bool few;
} row;

static const row rows[] = {
  { "the parity of a sum", "mod(i + j, 2) != 0", true },
  { "of a difference that may be negative", "mod(i - 3 * j, 8) == 5", true },
  { "of bits", "mod(i64(i32(i) ^ i32(j) | 1i32), 4) < 2", true },
  { "a mask", "(i32(i) + i32(j) & 15i32) > 7i32", true },
  { "of an element of 32 bits", "(x[i][j] + i32(j) & 15i32) > 7i32", false },
  { "of an element", "mod(i64(x[i][j]), 2) == 1", true },
  { "by the most", "mod(i * j, 256) >= 17", true },
  { "of what is shifted", "mod(floordiv(i, 8) + j, 2) == 0", true },
  { "by more", "mod(i + j, 512) == 3", false },
  { "by no power of two", "mod(i + j, 3) == 1", false },
  { "the greatest of bytes",
    "max(max(i32(z[i][j]), i32(z[j][i])), i32(z[j][j])) > 9i32", true },
  { "the least of bytes and words",
    "min(i32(z[i][j]), i32(u16(z[j][i]))) > 9i32", false },
  { "the greatest of words", "max(x[i][j], x[j][i]) > 9i32", false },
  { "with what it cannot be", "mod(i + j, 4) < 4", false },
};

/* The visitor: note a comparison of bytes with a remainder, and the greatest
   of bytes.  */
static bool
note_few (tns_expr *expr, void *self)
{
  bool *found = self;
  bool compares = tns_op_class (expr->op) == 'C' && expr->arg[0]->op == TNS_AND;
  if (compares || expr->op == TNS_MAX)
    *found |= expr->arg[0]->type.elem == TNS_U8;
  return true;
}

/* The visitor of nodes.  */
static bool
note_node (tns_node *node, void *self)
{
  tns_node_exprs (node, note_few, self);
  return true;
}

/* Row R; whether all is as it should be.  */
static bool
check (const row *r)
{
  char text[1024];
  snprintf (text, sizeof text,
            "region r { value i64 N; array i32 x[N][N] const;"
            " array u8 z[N][N] const;"
            " array u8 y[N][N]; { for i = 0 to N { for j = 0 to N simd(8) {"
            " y[i][j] = (%s ? 7u8 : y[i][j]); } } } }",
            r->cond);
  tns_ctx *ctx = agree_ctx ("avx512");
  tns_region *out = agree_all (ctx, text, tns_region_low_bits);
  bool few = false;
  if (out)
    tns_node_walk (out->body, note_node, &few);
  bool ok = out && few == r->few;
  if (!ok)
    fprintf (stderr, "FAIL: %s\n", r->shown);
  tns_ctx_free (ctx);
  return ok;
}

MAIN_OF_ROWS (rows, check)
