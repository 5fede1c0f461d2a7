/* Scans as text: lowering/cuda-scan.h.  */

#include "lowering/cuda-scan.h"

#include "ir/walk.h"
#include "lowering/cuda-block.h"
#include "lowering/cuda-number.h"
#include "lowering/grid-scan.h"

/* Neighbours of a thread.  */
#define EACH 4

static const char prelude[]
  = "#ifndef TNS_SCAN\n"
    "#define TNS_SCAN\n"
    "/* V of the thread K lanes in front.  */\n"
    "template <typename T>\n"
    "static __device__ __forceinline__ T\n"
    "tns_in_front (T v, int k)\n"
    "{\n"
    "  if constexpr (sizeof (T) < 4)\n"
    "    return (T) __shfl_up_sync (0xffffffffu, (int) v, k);\n"
    "  else\n"
    "    return __shfl_up_sync (0xffffffffu, v, k);\n"
    "}\n"
    "\n"
    "/* NONE and V of the threads in front put together by F, and *TOTAL, of\n"
    "   all, in an order that depends on nothing but their number.  SHARED "
    "has\n"
    "   room for a number of each warp.  */\n"
    "template <typename T, typename F>\n"
    "static __device__ __forceinline__ T\n"
    "tns_scan (T v, T none, F f, void *shared, T *total)\n"
    "{\n"
    "  T *const part = (T *) shared;\n"
    "  const int lane = threadIdx.x % 32;\n"
    "  for (int k = 1; k < 32; k *= 2)\n"
    "    {\n"
    "      const T in_front = tns_in_front (v, k);\n"
    "      v = lane >= k ? f (in_front, v) : v;\n"
    "    }\n"
    "  T own = tns_in_front (v, 1);\n"
    "  own = lane == 0 ? none : own;\n"
    "  if (lane == 31)\n"
    "    part[threadIdx.x / 32] = v;\n"
    "  __syncthreads ();\n"
    "  T all = none, before = none;\n"
    "  for (int k = 0; k < (int) blockDim.x / 32; k++)\n"
    "    {\n"
    "      before = k == (int) threadIdx.x / 32 ? all : before;\n"
    "      all = f (all, part[k]);\n"
    "    }\n"
    "  __syncthreads ();\n"
    "  *total = all;\n"
    "  return f (before, own);\n"
    "}\n"
    "#endif\n"
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
