/* Sums of columns as text: lowering/cuda-columns.h.  */

#include "lowering/cuda-columns.h"

#include "ir/walk.h"
#include "lowering/cuda-block.h"
#include "lowering/cuda-number.h"
#include "lowering/grid.h"

/* A block begins.  */
static void
open_brace (tns_c99 *c)
{
  tns_text_line (c->text, "  {");
  c->text->indent += 4;
}

/* It ends.  */
static void
close_brace (tns_c99 *c)
{
  c->text->indent -= 4;
  tns_text_line (c->text, "  }");
}

/* NODE stores to memory, not to a cell.  */
static bool
stores (const tns_node *node)
{
  const tns_sym *sym = node->target->sym;
  return sym->rank > 0 || !tns_sym_is_local (sym);
}

/* What the groups added up in LOOP is put together.  */
static void
add_folds (tns_c99 *c, const tns_node *loop)
{
  for (int k = 0; k < loop->marks.n_reductions; k++)
    {
      const tns_reduction *r = &loop->marks.reductions[k];
      const char *name = tns_c99_name (c, r->sym);
      tns_text_begin (c->text);
      tns_text_format (c->text, "%s = tns_fold_groups (%s, ", name, name);
      tns_cuda_operator (c, r->op, r->sym->type.elem);
      tns_text_add (c->text, ", tns_parts, tns_wide);\n");
    }
}

/* The sums of LOOP, whose iterations the groups share.  */
static void
add_sums (tns_c99 *c, tns_node *loop)
{
  long long lo;
  tns_text_line (c->text, "{");
  c->text->indent += 2;
  tns_text_begin (c->text);
  tns_text_add (c->text, "const long tns_own = tns_turns (");
  tns_c99_expr (c, tns_grid_trip (c->text->arena, loop), 0);
  tns_text_add (c->text, ", tns_group, tns_groups);\n");
  tns_text_line (c->text, "TNS_UNROLL8");
  tns_text_line (c->text,
                 "for (long tns_turn = 0; tns_turn < tns_own; tns_turn++)");
  open_brace (c);
  tns_text_begin (c->text);
  tns_text_format (c->text, "const long %s = ", tns_c99_name (c, loop->iter));
  if (!tns_expr_is_int (loop->lo, &lo) || lo != 0)
    {
      tns_c99_expr (c, loop->lo, 12);
      tns_text_add (c->text, " + ");
    }
  tns_text_add (c->text, "(tns_group + tns_turn * tns_groups)");
  if (loop->step != 1)
    tns_text_format (c->text, " * (%lldL)", loop->step);
  tns_text_add (c->text, ";\n");
  tns_c99_node (c, loop->body);
  close_brace (c);
  c->text->indent -= 2;
  tns_text_line (c->text, "}");
  add_folds (c, loop);
}

/* NODE's statements; what is stored is stored by the first group.  */
static void
add_node (tns_c99 *c, tns_node *node)
{
  if (node->kind == TNS_BLOCK)
    for (int k = 0; k < node->n_kids; k++)
      add_node (c, node->kid[k]);
  else if (node->kind == TNS_LOCAL)
    tns_c99_declare (c, node->sym);
  else if (node->kind == TNS_LOOP && node->marks.simd > 1)
    add_sums (c, node);
  else if (node->kind == TNS_IF)
    {
      tns_text_begin (c->text);
      tns_text_add (c->text, "if (");
      tns_c99_expr (c, node->cond, 0);
      tns_text_add (c->text, ")\n");
      open_brace (c);
      add_node (c, node->then);
      close_brace (c);
    }
  else if (node->kind == TNS_ASSIGN && stores (node))
    {
      tns_text_line (c->text, "if (tns_group == 0 && tns_there)");
      c->text->indent += 2;
      tns_c99_node (c, node);
      c->text->indent -= 2;
    }
  else
    tns_c99_node (c, node);
}

/* The place of the thread's column, and the iterators of LOOP[0..N).  */
static void
add_place (tns_c99 *c, int n, tns_node **loop)
{
  tns_text *text = c->text;
  tns_text_line (text, "long tns_first;");
  tns_text_line (text, "const long tns_row = tns_divide (tns_at, tns_tiles, "
                       "&tns_first);");
  tns_text_line (text, "const long tns_place = tns_first * tns_wide + "
                       "threadIdx.x %% tns_wide;");
  tns_text_line (text, "const bool tns_there = tns_place < tns_columns;");
  tns_text_line (text, "const long tns_column = tns_there ? tns_place : "
                       "tns_columns - 1;");
  if (n > 1)
    tns_cuda_iterators (c, "row", n - 1, loop);
  else
    tns_text_line (text, "(void) tns_row;");
  tns_cuda_iterators (c, "column", 1, &loop[n - 1]);
}

void
tns_cuda_columns (tns_c99 *c, int n, tns_node **loop)
{
  tns_text *text = c->text;
  tns_cuda_trips (c, "row", n - 1, loop);
  tns_cuda_trips (c, "column", 1, &loop[n - 1]);
  tns_text_line (text,
                 "const int tns_wide = tns_lanes (tns_rows, tns_columns);");
  tns_text_line (text, "const int tns_group = threadIdx.x / tns_wide;");
  tns_text_line (text, "const int tns_groups = blockDim.x / tns_wide;");
  tns_text_line (text, "const long tns_tiles = (tns_columns + tns_wide - 1) / "
                       "tns_wide;");
  tns_text_line (text, "for (long tns_at = blockIdx.x; tns_at < tns_rows * "
                       "tns_tiles; tns_at += gridDim.x)");
  open_brace (c);
  add_place (c, n, loop);
  add_node (c, loop[n - 1]->body);
  close_brace (c);
}
