/* Scans as text: lowering/cuda-scan.h.  */

#include "lowering/cuda-scan.h"

#include "ir/walk.h"
#include "lowering/cuda-block.h"
#include "lowering/cuda-number.h"
#include "lowering/grid-scan.h"

/* Neighbours of a thread.  */
#define EACH 4

static const char prelude[] =
#include "lowering/cuda-words-scan.inc"
  "\n";

void
tns_cuda_scan_prelude (tns_text *text)
{
  tns_text_add (text, prelude);
}

/* const long NAME = EXPR;  */
static void
add_number (tns_c99 *c, const char *name, const tns_expr *expr)
{
  tns_text_begin (c->text);
  tns_text_format (c->text, "const long %s = ", name);
  tns_c99_expr (c, expr, 0);
  tns_text_add (c->text, ";\n");
}

/* Each of a thread's iterations of LOOP, between braces.  */
static void
open_each (tns_c99 *c, const tns_node *loop)
{
  tns_text *text = c->text;
  tns_text_line (text, "TNS_UNROLL for (int tns_k = 0; tns_k < %d; tns_k++)",
                 EACH);
  tns_text_line (text, "  if (tns_from + tns_k < tns_end)");
  tns_text_line (text, "    {");
  text->indent += 6;
  tns_text_line (text, "const long %s = tns_from + tns_k;",
                 tns_c99_name (c, loop->iter));
  tns_text_line (text, "(void) %s;", tns_c99_name (c, loop->iter));
}

/* They end.  */
static void
close_each (tns_c99 *c)
{
  c->text->indent -= 6;
  tns_text_line (c->text, "    }");
}

/* The sum of a thread's own values of SCAN, in LOOP, and what is in front.  */
static void
add_own (tns_c99 *c, const tns_node *loop, const tns_scan *scan)
{
  tns_text *text = c->text;
  const char *type = tns_elem_c_name (scan->cell->type.elem);
  tns_expr *none = tns_neutral (text->arena, scan->op, scan->cell->type.elem);
  tns_text_begin (text);
  tns_text_format (text, "const %s tns_none = ", type);
  tns_c99_expr (c, none ? none : tns_cell (text->arena, (tns_sym *) scan->cell),
                0);
  tns_text_add (text, ";\n");
  tns_text_line (text, "%s tns_sum = tns_none, tns_total;", type);
  open_each (c, loop);
  tns_c99_node (c, scan->first);
  tns_text_begin (text);
  tns_text_add (text, "tns_sum = tns_both (tns_sum, ");
  tns_c99_expr (c, scan->value, 0);
  tns_text_add (text, ");\n");
  close_each (c);
  tns_text_line (text, "tns_sum = tns_scan (tns_sum, tns_none, tns_both, "
                       "tns_parts, &tns_total);");
}

/* A block's next iterations of LOOP, as SCAN.  */
static void
add_some (tns_c99 *c, const tns_node *loop, const tns_scan *scan)
{
  const char *cell = tns_c99_name (c, scan->cell);
  tns_text *text = c->text;
  tns_text_line (text,
                 "const long tns_from = tns_base + (long) threadIdx.x "
                 "* %d;",
                 EACH);
  add_own (c, loop, scan);
  tns_text_line (text, "const %s tns_next = tns_both (%s, tns_total);",
                 tns_elem_c_name (scan->cell->type.elem), cell);
  tns_text_line (text, "%s = tns_both (%s, tns_sum);", cell, cell);
  open_each (c, loop);
  tns_c99_node (c, loop->body);
  close_each (c);
  tns_text_line (text, "%s = tns_next;", cell);
}

bool
tns_cuda_scan (tns_c99 *c, const tns_node *loop)
{
  tns_scan scan;
  tns_text *text = c->text;
  if (!tns_scan_find (text->arena, loop, &scan))
    return false;
  tns_text_line (text, "{");
  text->indent += 2;
  add_number (c, "tns_begin", loop->lo);
  add_number (c, "tns_end", loop->hi);
  tns_text_begin (text);
  tns_text_add (text, "const auto tns_both = ");
  tns_cuda_operator (c, scan.op, scan.cell->type.elem);
  tns_text_add (text, ";\n");
  tns_text_line (text,
                 "for (long tns_base = tns_begin; tns_base < tns_end; "
                 "tns_base += (long) blockDim.x * %d)",
                 EACH);
  tns_text_line (text, "  {");
  text->indent += 4;
  add_some (c, loop, &scan);
  text->indent -= 4;
  tns_text_line (text, "  }");
  text->indent -= 2;
  tns_text_line (text, "}");
  return true;
}
