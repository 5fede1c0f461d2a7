/* Numbers that stand in several places: the same memory at all sizes, and how
   many LOCALs they became.  */

#include <stdio.h>

#include "agree.h"
#include "ir/print.h"
#include "ir/walk.h"
#include "lowering/common.h"
#include "rows.h"

/* shown    what the row shows
   head     declarations; N is an i64 VALUE
   body     statements
   numbers  LOCALs that there are then  */
typedef struct row
{
  const char *shown;
  const char *head;
  const char *body;
  int numbers;
} row;

#define Y "array f32 y[N]; "

static const row rows[] = {
  { "a bound that stands twice", Y,
    "for k = 0 to 2 { for i = 0 to min(N, 16 * floordiv(N, 16)) {"
    "  y[i] += 1.0f32; } }"
    "for i = 0 to min(N, 16 * floordiv(N, 16)) { y[i] += 2.0f32; }",
    1 },
  { "the parts of a number are not counted again", Y,
    "for i = 0 to max(min(floordiv(N, 4), 64), 1) - 1 { y[i] += 1.0f32; }"
    "for i = 0 to max(min(floordiv(N, 4), 64), 1) - 1 { y[i] += 1.0f32; }",
    1 },
  { "numbers of numbers", Y,
    "for i = 0 to min(floordiv(N, 4), 64) - 1 { y[i] += 1.0f32; }"
    "for i = 0 to min(floordiv(N, 4), 64) - 1 { y[i] += 1.0f32; }"
    "for i = 0 to max(0, min(floordiv(N, 4), 64)) { y[i] += 1.0f32; }",
    2 },
  { "of an iterator, in its loop", Y,
    "for k = 0 to floordiv(N, 8) {"
    "  for i = k * 8 + min(k, 3) to min(N, k * 8 + 8) { y[i] += 1.0f32; }"
    "  for i = k * 8 + min(k, 3) to min(N, k * 8 + 8) { y[i] *= 2.0f32; } }",
    2 },
  { "one place is enough for none", Y,
    "for i = 0 to 16 * floordiv(N, 16) { y[i] += 1.0f32; }", 0 },
  { "sums are left", Y,
    "for i = 1 to N - 1 - 1 { y[i] += 1.0f32; }"
    "for i = 1 to N - 1 - 1 { y[i] += 1.0f32; }",
    0 },
  { "nothing by what may be 0", Y,
    "for k = 1 to N { "
    "  for i = 0 to floordiv(N, k) { y[i] += 1.0f32; }"
    "  for i = 0 to floordiv(N, k) { y[i] += 1.0f32; } }",
    0 },
  { "a quotient by what a guard knows", Y "value i64 M; guard 1 <= M; ",
    "for k = 0 to N { for i = 0 to N { y[i] += f32(k % M); } }", 1 },
  { "what threads may have to do is computed when there is enough", Y,
    "for k = 0 to 2 parallel when(N > 4096 && N * max(N, 3) > 9)"
    "  work(N * max(N, 3)) {"
    "  for i = k to min(N, k + 1) { y[i] += 1.0f32; } }",
    0 },
  { "loops that threads share together stay together", Y,
    "for k = 0 to 2 parallel collapse(2) {"
    "  for l = 0 to 2 {"
    "    for i = k * 2 + min(k, 1) to min(N, k * 2 + min(k, 1) + 1) {"
    "      y[i] += 1.0f32; } } }",
    1 },
};

/* What a region is made of.  */
typedef struct parts
{
  int numbers;
  bool is_apart;
} parts;

/* The visitor that counts LOCALs of I64, and looks for loops that threads share
   together with something between them.  */
static bool
note_parts (tns_node *node, void *self)
{
  parts *p = self;
  p->numbers += node->kind == TNS_LOCAL && node->sym->type.elem == TNS_I64;
  const tns_node *body = node->body;
  while (body && body->kind == TNS_BLOCK && body->n_kids == 1)
    body = body->kid[0];
  p->is_apart |= node->marks.collapse > 1 && (!body || body->kind != TNS_LOOP);
  return true;
}

/* Run ROW.  */
static bool
check_row (const row *r)
{
  char text[2048];
  parts p = { 0, false };
  tns_ctx *ctx = agree_ctx ("avx512");
  snprintf (text, sizeof text, "region r { value i64 N; %s { %s } }", r->head,
            r->body);
  tns_region *out = agree_all (ctx, text, tns_region_common);
  if (out)
    tns_node_walk (out->body, note_parts, &p);
  bool ok = out && p.numbers == r->numbers && !p.is_apart;
  printf ("%s: %s\n", ok ? "PASS" : "FAIL", r->shown);
  if (out && !ok)
    fprintf (stderr, "%s: %d numbers\n", r->shown, p.numbers);
  tns_ctx_free (ctx);
  return ok;
}

MAIN_OF_ROWS (rows, check_row)
