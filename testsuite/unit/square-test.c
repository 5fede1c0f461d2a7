/* Tiles of triangles: the same memory, and jammed rows where a tile is
   whole.  */

#include <stdio.h>
#include <string.h>

#include "agree.h"
#include "ir/walk.h"
#include "lowering/registers.h"
#include "lowering/square.h"
#include "rows.h"

/* shown   what the row shows
   tile    a tile of rows and columns
   copies  the copies that are jammed into one loop of columns, at most
   sums    those in a loop k that has no loop in it, at most  */
typedef struct row
{
  const char *shown;
  const char *tile;
  int copies;
  int sums;
} row;

#define K     "for k = 0 to N { "
#define ROWS  "for i = a to min(a + 4, N) unroll(4) { "
#define S     "C[i][j] += A[i][k] * B[k][j]; "
#define STRIP "simd(8) unroll(4) { C[a][j] += A[a][k] * B[k][j]; "
#define COLS  "for j = b to min(b + 8, 2 * N) simd(8) { "

static const row rows[] = {
  { "below the diagonal",
    K ROWS "for j = b to min(b + 7, i) + 1 simd(8) { " S "} } }", 4, 4 },
  { "below the diagonal, without it",
    K ROWS "for j = b to min(b + 8, i) simd(8) { " S "} } }", 4, 4 },
  { "above the diagonal",
    K ROWS "for j = max(b, i + 1) to min(b + 8, N) simd(8) { " S "} } }", 4,
    4 },
  { "a band",
    K ROWS "for j = max(b, i - 20) to min(min(b + 8, N), i + 20) simd(8) { " S
           "} } }",
    4, 4 },
  { "columns that are copied",
    K ROWS "for j = b to min(b + 3, i) + 1 unroll(4) { " S "} } }", 16, 16 },
  { "a square", K ROWS "for j = b to min(b + 8, N) simd(8) { " S "} } }", 4,
    4 },
  { "rows that move the limit by two",
    K ROWS "for j = b to min(b + 7, 2 * i) + 1 simd(8) { " S "} } }", 1, 1 },
  { "rows from k on",
    K "for i = max(a, k) to min(a + 6, N) unroll(6) { " COLS S "} } }", 6, 6 },
  { "rows behind k, which begins late",
    "for k = b to N { for i = max(a, k + 1) to min(a + 6, N) unroll(6) { " COLS
      S "} } }",
    6, 6 },
  { "rows up to k",
    K "for i = a to min(min(a + 6, N), k + 1) unroll(6) { " COLS S "} } }", 6,
    6 },
  { "rows from the end less k on",
    K "for i = max(a, N - k) to min(a + 6, N) unroll(6) { " COLS S "} } }", 6,
    6 },
  { "rows up to the end less k",
    K "for i = a to min(min(a + 6, N), N - k) unroll(6) { " COLS S "} } }", 6,
    6 },
  { "rows around k",
    K "for i = max(a, k - 9) to min(min(a + 6, N), k + 9) unroll(6) { " COLS S
      "} } }",
    6, 6 },
  { "rows around k that are never all there",
    K "for i = max(a, k - 1) to min(min(a + 6, N), k + 1) unroll(6) { " COLS S
      "} } }",
    6, 6 },
  { "rows that are as many as k",
    "for k = 0 to 6 { for i = max(a, k) to min(a + 6, N) unroll(6) { " COLS S
    "} } }",
    6, 0 },
  { "rows from twice k on",
    K "for i = max(a, 2 * k) to min(a + 6, N) unroll(6) { " COLS S "} } }", 6,
    0 },
};

/* The passes.  */
static tns_region *
passes (tns_ctx *ctx, tns_region *region)
{
  return tns_region_registers (ctx, tns_region_square (ctx, region));
}

/* The most statements of one block.  */
static bool
note_block (tns_node *node, void *self)
{
  int *most = self;
  int n = 0;
  for (int k = 0; node->kind == TNS_BLOCK && k < node->n_kids; k++)
    n += node->kid[k]->kind == TNS_ASSIGN;
  *most = n > *most ? n : *most;
  return true;
}

/* The visitor: there is a loop.  */
static bool
note_loop (tns_node *node, void *self)
{
  bool *found = self;
  *found |= node->kind == TNS_LOOP;
  return !*found;
}

/* The visitor: the most statements in a loop k without loops inside.  */
static bool
note_sums (tns_node *node, void *self)
{
  int *most = self;
  int n = 0;
  bool has_loop = false;
  if (node->kind != TNS_LOOP || strcmp (node->iter->name, "k"))
    return true;
  tns_node_walk (node->body, note_loop, &has_loop);
  tns_node_walk (node->body, note_block, &n);
  *most = n > *most && !has_loop ? n : *most;
  return true;
}

/* Row R; whether all is as it should be.  */
static bool
check (const row *r)
{
  char text[2048];
  snprintf (text, sizeof text,
            "region r { value i64 N; array u32 A[N][N] const; "
            "array u32 B[N][2 * N] const; array u32 C[N][2 * N]; {"
            "  for b = 0 to N step 8 { for a = 0 to N step 4 { %s } } } }",
            r->tile);
  tns_ctx *ctx = agree_ctx ("avx512");
  tns_region *out = agree_all (ctx, text, passes);
  int most = 0;
  if (out)
    tns_node_walk (out->body, note_block, &most);
  int sums = 0;
  if (out)
    tns_node_walk (out->body, note_sums, &sums);
  bool ok = out && most == r->copies && sums == r->sums;
  if (!ok)
    fprintf (stderr, "FAIL: %s: %d copies, %d sums\n", r->shown, most, sums);
  tns_ctx_free (ctx);
  return ok;
}

MAIN_OF_ROWS (rows, check)
