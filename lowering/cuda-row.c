/* Rows in registers as text: lowering/cuda-row.h.  */

#include "lowering/cuda-row.h"

#include "lowering/cuda-number.h"

#include "ir/walk.h"
#include "lowering/cuda-wide.h"

/* Registers of a thread for what a loop accesses of a long row at once.  */
#define LONG_WORDS 24

/* Loop K of a row being printed.  */
typedef struct printing
{
  tns_c99 *c;
  const tns_grid_row *row;
  int k;
} printing;

/* Nothing is kept: loops go through memory, a few groups at a time.  */
static bool
is_long (const printing *p)
{
  return p->row->groups == 0;
}

/* The loop that is printed.  */
static const tns_row_loop *
loop_of (const printing *p)
{
  return &p->row->loop[p->k];
}

/* How many groups of a thread are accessed at once.  */
static int
groups_of (const printing *p)
{
  int words = 0;
  const tns_row_loop *l = loop_of (p);
  for (int r = 0; r < l->wide.n; r++)
    words += (tns_elem_bytes (l->wide.run[r].load->type.elem) + 3) / 4;
  if (!is_long (p))
    return p->row->groups;
  return 2 * words * p->row->width <= LONG_WORDS ? 2 : 1;
}

/* A block begins.  */
static void
open_brace (printing *p)
{
  tns_text_line (p->c->text, "{");
  p->c->text->indent += 2;
}

/* It ends.  */
static void
close_brace (printing *p)
{
  p->c->text->indent -= 2;
  tns_text_line (p->c->text, "}");
}

/* What run R is read into: all groups of a thread, or one.  */
static const char *
place_of (const printing *p, int r)
{
  int kept = loop_of (p)->kept[r];
  return tns_arena_format (p->c->text->arena,
                           kept < 0 ? "tns_run%d" : "tns_keep%d[tns_q]",
                           kept < 0 ? r : kept);
}

/* For each group of the thread, between braces.  */
static void
open_groups (printing *p)
{
  tns_text *text = p->c->text;
  tns_text_line (text, "TNS_UNROLL for (int tns_q = 0; tns_q < %d; tns_q++)",
                 groups_of (p));
  text->indent += 2;
  open_brace (p);
  tns_text_line (text,
                 "const int tns_e = (tns_q * blockDim.x + threadIdx.x) * %d;",
                 p->row->width);
}

/* What open_groups began ends.  */
static void
close_groups (printing *p)
{
  close_brace (p);
  p->c->text->indent -= 2;
}

/* The iterator at element tns_e, MORE, text, behind it.  */
static void
add_iterator (printing *p, const char *more)
{
  tns_text_line (p->c->text, "const long %s = tns_frame + %stns_e%s;",
                 tns_c99_name (p->c, loop_of (p)->loop->iter),
                 is_long (p) ? "tns_base + " : "", more);
}

/* &LOAD.  */
static void
add_address (tns_c99 *c, tns_expr *load)
{
  tns_text_add (c->text, "&");
  tns_c99_expr (c, load, 14);
}

/* Read or, where STORES, write run R of a group: its elements FIRST to LAST
   - 1, text.  */
static void
add_move (printing *p, int r, bool stores, const char *first, const char *last)
{
  tns_text *text = p->c->text;
  tns_expr *load = loop_of (p)->wide.run[r].load;
  int kept = loop_of (p)->kept[r];
  tns_text_begin (text);
  tns_text_format (text, stores ? "tns_give_part<%d> (" : "tns_take_part<%d> (",
                   p->row->width);
  if (!stores)
    tns_text_format (text, "%s, ", place_of (p, r));
  add_address (p->c, load);
  if (stores)
    tns_text_format (text, ", %s", place_of (p, r));
  if (kept >= 0)
    tns_text_format (text, ", tns_even%d", kept);
  else
    {
      tns_text_format (text, ", tns_is_even<%d> (", p->row->width);
      add_address (p->c, load);
      tns_text_add (text, ")");
    }
  tns_text_format (text, ", %s, %s);\n", first, last);
}

/* The array of run R is stored to in the row.  */
static bool
is_written (const printing *p, int kept)
{
  return p->row->kept[kept].stored >= 0;
}

/* Run R, which is kept, is read from memory here.  */
static bool
is_read (const printing *p, int r)
{
  const tns_row_kept *kept = &p->row->kept[loop_of (p)->kept[r]];
  return is_long (p) ? loop_of (p)->wide.run[r].loaded
                     : kept->first == p->k && !kept->is_set;
}

/* Read what is kept: all of the row where nothing stores to it, since some loop
   reads all of it.  */
static void
add_reads (printing *p)
{
  const tns_row_loop *l = loop_of (p);
  bool reads = false;
  for (int r = 0; r < l->wide.n; r++)
    reads |= l->kept[r] >= 0 && is_read (p, r);
  if (!reads)
    return;
  open_groups (p);
  add_iterator (p, "");
  for (int r = 0; r < l->wide.n; r++)
    if (l->kept[r] >= 0 && is_read (p, r))
      {
        bool all = !is_long (p) && !is_written (p, l->kept[r]);
        add_move (p, r, false, all ? "tns_first - tns_e" : "tns_from - tns_e",
                  all ? "tns_last - tns_e" : "tns_to - tns_e");
      }
  close_groups (p);
}

/* The changer: what a run has is in a register.  */
static tns_expr *
use_register (tns_expr *expr, void *self)
{
  const printing *p = self;
  tns_arena *arena = p->c->text->arena;
  long long at;
  int r = tns_expr_reads (expr)
            ? tns_wide_run (arena, &loop_of (p)->wide, expr, &at)
            : -1;
  if (r < 0)
    return expr;
  return tns_cuda_named (p->c,
                         tns_arena_format (arena, "%s[tns_w]", place_of (p, r)),
                         expr->type.elem);
}

/* The same in a whole expression.  */
static tns_expr *
use_registers (tns_expr *expr, void *self)
{
  const printing *p = self;
  return tns_expr_rebuild (p->c->text->arena, expr, use_register, self);
}

/* What is done for each element of a group.  */
static void
add_elements (printing *p)
{
  tns_text *text = p->c->text;
  tns_node *body = tns_node_rebuild (text->arena, loop_of (p)->loop->body, NULL,
                                     use_registers, p);
  tns_text_line (text, "TNS_UNROLL for (int tns_w = 0; tns_w < %d; tns_w++)",
                 p->row->width);
  tns_text_line (text,
                 "  if (tns_w >= tns_from - tns_e && tns_w < tns_to - tns_e)");
  text->indent += 4;
  open_brace (p);
  if (tns_node_mentions (body, loop_of (p)->loop->iter))
    add_iterator (p, " + tns_w");
  tns_c99_node (p->c, body);
  close_brace (p);
  text->indent -= 4;
}

/* Run R is written to memory here: what is kept where no loop behind this one
   stores it.  */
static bool
is_stored (const printing *p, int r)
{
  int kept = loop_of (p)->kept[r];
  return loop_of (p)->wide.run[r].stored
         && (kept < 0 || is_long (p) || p->row->kept[kept].stored == p->k);
}

/* What is computed of each group, and written.  */
static void
add_groups (printing *p)
{
  tns_text *text = p->c->text;
  const tns_row_loop *l = loop_of (p);
  int width = p->row->width;
  bool stores = false;
  open_groups (p);
  for (int r = 0; r < l->wide.n; r++)
    {
      stores |= is_stored (p, r);
      if (l->kept[r] >= 0)
        continue;
      tns_text_line (text, "%s tns_run%d[%d];",
                     tns_elem_c_name (l->wide.run[r].load->type.elem), r,
                     width);
      if (!l->wide.run[r].loaded)
        continue;
      open_brace (p);
      add_iterator (p, "");
      add_move (p, r, false, "tns_from - tns_e", "tns_to - tns_e");
      close_brace (p);
    }
  add_elements (p);
  if (stores)
    add_iterator (p, "");
  for (int r = 0; r < l->wide.n; r++)
    if (is_stored (p, r))
      add_move (p, r, true, "tns_from - tns_e", "tns_to - tns_e");
  close_groups (p);
}

/* Where the loop begins and ends, from where groups do, or, of a long row, from
   tns_base on.  */
static void
add_ends (printing *p)
{
  const tns_row_loop *l = loop_of (p);
  const char *form = is_long (p)
                       ? "const int %s = tns_clip (%s + %lld - tns_base);"
                       : "const int %s = tns_anew (%s + %lld);";
  tns_text_line (p->c->text, form, "tns_from", "tns_first", l->from);
  tns_text_line (p->c->text, form, "tns_to",
                 is_long (p) ? "tns_length" : "tns_last", l->to);
}

/* The loop over a long row, before its braces, and registers for groups.  */
static void
add_long (printing *p)
{
  tns_text *text = p->c->text;
  const tns_row_loop *l = loop_of (p);
  tns_text_line (text,
                 "for (long tns_base = 0; tns_base < tns_length; "
                 "tns_base += %d * blockDim.x)",
                 groups_of (p) * p->row->width);
  open_brace (p);
  for (int r = 0; r < l->wide.n; r++)
    if (l->kept[r] >= 0)
      tns_text_line (text, "%s tns_keep%d[%d][%d];",
                     tns_elem_c_name (l->wide.run[r].load->type.elem),
                     l->kept[r], groups_of (p), p->row->width);
}

void
tns_cuda_row_loop (tns_c99 *c, const tns_grid_row *row, int k)
{
  printing p = { c, row, k };
  if (is_long (&p))
    add_long (&p);
  else
    open_brace (&p);
  add_ends (&p);
  add_reads (&p);
  add_groups (&p);
  close_brace (&p);
}

/* The address of KEPT's element where its loop's iterator is AT.  */
static void
add_address_at (tns_c99 *c, const tns_grid_row *row, const tns_row_kept *kept,
                tns_expr *at)
{
  tns_arena *arena = c->text->arena;
  tns_sym *iter = row->loop[kept->first].loop->iter;
  add_address (c, tns_expr_substitute (arena, kept->load, 1, &iter, &at));
}

/* Where the first group begins: where groups of all rows do, if registers have
   room for it then.  */
static void
add_frame (tns_c99 *c, const tns_grid_row *row)
{
  tns_text *text = c->text;
  tns_text_begin (text);
  tns_text_add (text, "const long tns_grid_row = ");
  tns_c99_expr (c, row->hi, 12);
  tns_text_add (text, " - ");
  tns_c99_expr (c, row->lo, 13);
  tns_text_add (text, ";\n");
  tns_text_begin (text);
  tns_text_format (text, "const int tns_before = tns_beyond<%d> (", row->width);
  add_address_at (c, row, &row->kept[0], row->lo);
  tns_text_format (text, " - %s);\n", tns_c99_name (c, row->kept[0].load->sym));
  if (row->groups > 0)
    tns_text_line (text,
                   "const int tns_first = tns_grid_row + tns_before > %d * "
                   "blockDim.x ? 0 : tns_before;",
                   row->groups * row->width);
  else
    tns_text_line (text, "const int tns_first = tns_before;");
  tns_text_begin (text);
  tns_text_add (text, "const long tns_frame = ");
  tns_c99_expr (c, row->lo, 12);
  tns_text_add (text, " - tns_first;\n");
  if (row->groups > 0)
    tns_text_line (text, "const int tns_last = tns_clip (tns_grid_row + "
                         "tns_first);");
  else
    tns_text_line (text, "const long tns_length = tns_grid_row + tns_first;");
}

void
tns_cuda_row_begin (tns_c99 *c, const tns_grid_row *row)
{
  tns_text *text = c->text;
  tns_expr *frame = tns_cuda_named (c, "tns_frame", TNS_I64);
  add_frame (c, row);
  for (int k = 0; k < row->n_kept; k++)
    {
      const tns_row_kept *kept = &row->kept[k];
      if (row->groups > 0)
        tns_text_line (text, "%s tns_keep%d[%d][%d];",
                       tns_elem_c_name (kept->load->type.elem), k, row->groups,
                       row->width);
      tns_text_begin (text);
      tns_text_format (text, "const bool tns_even%d = tns_is_even<%d> (", k,
                       row->width);
      add_address_at (c, row, kept, frame);
      tns_text_add (text, ");\n");
    }
}
