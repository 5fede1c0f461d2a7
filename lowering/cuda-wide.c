/* Groups of iterations as text: lowering/cuda-wide.h.  */

#include "lowering/cuda-wide.h"

#include "ir/walk.h"
#include "lowering/cuda-number.h"
#include "lowering/grid.h"

static const char prelude[] =
#include "lowering/cuda-words-wide.inc"
  "\n";

void
tns_cuda_wide_prelude (tns_text *text)
{
  tns_text_add (text, prelude);
}

/* Groups being printed.  */
typedef struct widening
{
  tns_c99 *c;
  int n;
  tns_node *const *loop;
  const tns_wide *wide;
} widening;

/* A block begins.  */
static void
open_brace (widening *w)
{
  tns_text_line (w->c->text, "{");
  w->c->text->indent += 2;
}

/* It ends.  */
static void
close_brace (widening *w)
{
  w->c->text->indent -= 2;
  tns_text_line (w->c->text, "}");
}

/* A line that repeats the block that begins behind it.  */
static void
open_loop (widening *w, const char *line)
{
  tns_text_line (w->c->text, "%s", line);
  w->c->text->indent += 2;
  open_brace (w);
}

/* That block ends.  */
static void
close_loop (widening *w)
{
  close_brace (w);
  w->c->text->indent -= 2;
}

/* The name of the iterator of loop K.  */
static const char *
iterator (const widening *w, int k)
{
  return tns_c99_name (w->c, w->loop[k]->iter);
}

/* How many elements of RUN a group has.  */
static int
elements_of (const widening *w, const tns_run *run)
{
  return (int) (run->to - run->from) + w->wide->width;
}

/* Append the address of the element AT behind RUN's first access.  */
static void
add_address (widening *w, const tns_run *run, long long at)
{
  tns_arena *arena = w->c->text->arena;
  int rank = run->load->sym->rank;
  tns_expr **arg = TNS_NEW_ARRAY (arena, tns_expr *, rank);
  for (int k = 0; k < rank; k++)
    arg[k] = run->load->arg[k];
  arg[rank - 1]
    = tns_binary (arena, TNS_ADD, arg[rank - 1], tns_int (arena, at));
  tns_text_add (w->c->text, "&");
  tns_c99_expr (
    w->c, tns_c99_tidy_expr (arena, tns_load (arena, run->load->sym, arg)), 14);
}

/* The head of a function NAME of all iterators.  */
static void
open_function (widening *w, const char *name)
{
  tns_text *text = w->c->text;
  tns_text_begin (text);
  tns_text_format (text, "const auto %s = [&] (", name);
  for (int k = 0; k < w->n; k++)
    tns_text_format (text, "%slong %s", k ? ", " : "", iterator (w, k));
  tns_text_add (text, ")\n");
  open_brace (w);
}

/* It ends.  */
static void
close_function (widening *w)
{
  w->c->text->indent -= 2;
  tns_text_line (w->c->text, "};");
}

/* The functions that give the address of the first access of the lead, and
   whether a group that begins there can access elements at once.  */
static void
add_functions (widening *w)
{
  tns_text *text = w->c->text;
  const tns_wide *wide = w->wide;
  open_function (w, "tns_lead");
  tns_text_begin (text);
  tns_text_add (text, "return ");
  add_address (w, &wide->run[wide->lead], 0);
  tns_text_add (text, ";\n");
  close_function (w);
  open_function (w, "tns_fits");
  tns_text_begin (text);
  tns_text_add (text, "return ");
  bool more = false;
  for (int k = 0; k < wide->n; k++)
    if (wide->run[k].even <= wide->run[k].to)
      {
        tns_text_format (text, "%stns_is_even<%d> (", more ? " && " : "",
                         wide->width);
        more = true;
        add_address (w, &wide->run[k], wide->run[k].even);
        tns_text_add (text, ")");
      }
  tns_text_add (text, ";\n");
  close_function (w);
}

/* The arguments for the iterators: where each loop begins, one step further in
   loop NEXT, and behind what the first group has in front in the innermost
   one, where HEAD.  */
static void
add_corner (widening *w, int next, bool head)
{
  tns_text *text = w->c->text;
  tns_text_add (text, "(");
  for (int k = 0; k < w->n; k++)
    {
      tns_expr *lo = w->loop[k]->lo;
      bool behind = head && k == w->n - 1;
      if (k == next)
        lo = tns_binary (text->arena, TNS_ADD, lo,
                         tns_int (text->arena, w->loop[k]->step));
      tns_text_add (text, k ? ", " : "");
      if (behind)
        tns_text_add (text, "tns_head + ");
      tns_c99_expr (w->c, lo, behind ? 12 : 0);
    }
  tns_text_add (text, ")");
}

/* How many groups and other iterations there are of the innermost loop.  */
static void
add_counts (widening *w)
{
  tns_text *text = w->c->text;
  int width = w->wide->width;
  if (w->n > 1)
    tns_cuda_trips (w->c, "row", w->n - 1, w->loop);
  tns_cuda_trips (w->c, "each", 1, &w->loop[w->n - 1]);
  add_functions (w);
  tns_text_begin (text);
  tns_text_format (text, "const long tns_head = tns_until_even<%d> (tns_lead ",
                   width);
  add_corner (w, -1, false);
  tns_text_add (text, ");\n");
  tns_text_begin (text);
  tns_text_add (text, "const bool tns_is_wide = tns_eachs > tns_head && "
                      "tns_fits ");
  add_corner (w, -1, true);
  for (int k = 0; k < w->n - 1; k++)
    {
      tns_text_add (text, " && tns_fits ");
      add_corner (w, k, true);
    }
  tns_text_add (text, ";\n");
  tns_text_line (text,
                 "const long tns_groups = tns_is_wide ? (tns_eachs - "
                 "tns_head) / %d : 0;",
                 width);
  tns_text_line (text, "const long tns_alone = tns_eachs - tns_groups * %d;",
                 width);
  tns_text_line (text, "const long tns_all = (long) gridDim.x * blockDim.x;");
}

/* The iterators of all loops but the innermost, in row ROW; those that nothing
   of NODE, nor of the runs that are loaded, where NODE is NULL, mentions are
   used in any case.  */
static void
add_outer_iterators (widening *w, tns_node *node)
{
  tns_cuda_iterators (w->c, "row", w->n - 1, w->loop);
  for (int k = 0; k < w->n - 1; k++)
    {
      const tns_sym *iter = w->loop[k]->iter;
      bool used = node && tns_node_mentions (node, iter);
      for (int r = 0; !node && r < w->wide->n; r++)
        used |= tns_expr_mentions (w->wide->run[r].load, iter);
      if (!used)
        tns_text_line (w->c->text, "(void) %s;", iterator (w, k));
    }
}

/* The innermost iterator, as number NUMBER, text.  */
static void
add_iterator (widening *w, const char *number)
{
  tns_text *text = w->c->text;
  long long lo;
  const tns_node *loop = w->loop[w->n - 1];
  tns_text_begin (text);
  tns_text_format (text, "const long %s = %s", iterator (w, w->n - 1), number);
  if (!tns_expr_is_int (loop->lo, &lo) || lo != 0)
    {
      tns_text_add (text, " + ");
      tns_c99_expr (w->c, loop->lo, 12);
    }
  tns_text_add (text, ";\n");
}

/* The iterators of group tns_place of row tns_row; OFFSET, text, behind its
   first iteration.  */
static void
add_group_iterators (widening *w, tns_node *node, const char *offset)
{
  tns_arena *arena = w->c->text->arena;
  if (w->n > 1)
    add_outer_iterators (w, node);
  add_iterator (w, tns_arena_format (arena, "tns_head + tns_place * %d%s",
                                     w->wide->width, offset));
}

/* The iteration, or group, tns_at as a row, of EACH, text, and a place there;
   in one row it is the place.  */
static void
add_place (widening *w, const char *each)
{
  tns_text *text = w->c->text;
  if (w->n == 1)
    {
      tns_text_line (text, "const long tns_place = tns_at;");
      return;
    }
  tns_text_line (text, "long tns_place;");
  tns_text_line (
    text, "const long tns_row = tns_divide (tns_at, %s, &tns_place);", each);
}

/* For each EACH, text, of each row that the thread has, between braces.  */
static void
open_share (widening *w, const char *each)
{
  tns_text *text = w->c->text;
  tns_text_line (text, "for (long tns_at = (long) blockIdx.x * blockDim.x + "
                       "threadIdx.x;");
  open_loop (w, tns_arena_format (text->arena,
                                  "     tns_at < %s%s; tns_at += tns_all)",
                                  each, w->n > 1 ? " * tns_rows" : ""));
  add_place (w, each);
}

/* Read the elements of RUN K of a group: those that are aligned at once.  */
static void
add_take (widening *w, int k)
{
  tns_text *text = w->c->text;
  const tns_run *run = &w->wide->run[k];
  int width = w->wide->width;
  long long end = run->to + width;
  long long at = run->from;
  while (at < end)
    {
      bool even
        = at >= run->even && at <= run->to && (at - run->even) % width == 0;
      tns_text_begin (text);
      tns_text_format (text, "tns_take<%d> (&tns_run%d[%lld], ",
                       even ? width : 1, k, at - run->from);
      add_address (w, run, at);
      tns_text_add (text, ");\n");
      at += even ? width : 1;
    }
}

/* Registers for the elements of all runs, and what is read into them.  */
static void
add_reads (widening *w)
{
  tns_text *text = w->c->text;
  for (int k = 0; k < w->wide->n; k++)
    {
      const tns_run *run = &w->wide->run[k];
      tns_text_line (text, "%s tns_run%d[%d];",
                     tns_elem_c_name (run->load->type.elem), k,
                     elements_of (w, run));
    }
  add_group_iterators (w, NULL, "");
  for (int k = 0; k < w->wide->n; k++)
    if (w->wide->run[k].loaded)
      add_take (w, k);
}

/* The changer: what a run has is in a register.  */
static tns_expr *
use_register (tns_expr *expr, void *self)
{
  const widening *w = self;
  tns_arena *arena = w->c->text->arena;
  long long at;
  int k = tns_expr_reads (expr) ? tns_wide_run (arena, w->wide, expr, &at) : -1;
  if (k < 0)
    return expr;
  tns_sym *sym = TNS_NEW (arena, tns_sym);
  sym->kind = TNS_SYM_VALUE;
  sym->type = expr->type;
  sym->id = w->c->region->n_syms;
  sym->flags = TNS_SYM_LOCAL;
  at -= w->wide->run[k].from;
  sym->name
    = tns_arena_format (arena, "tns_run%d[tns_w%s]", k,
                        at ? tns_arena_format (arena, " + %lld", at) : "");
  return tns_value (arena, sym);
}

/* The same in a whole expression.  */
static tns_expr *
use_registers (tns_expr *expr, void *self)
{
  const widening *w = self;
  return tns_expr_rebuild (w->c->text->arena, expr, use_register, self);
}

/* What a group computes, and what it writes.  */
static void
add_writes (widening *w)
{
  tns_text *text = w->c->text;
  const tns_wide *wide = w->wide;
  tns_node *body = w->loop[w->n - 1]->body;
  tns_node *made = tns_node_rebuild (text->arena, body, NULL, use_registers, w);
  tns_text_line (text, "TNS_UNROLL for (int tns_w = 0; tns_w < %d; tns_w++)",
                 wide->width);
  text->indent += 2;
  open_brace (w);
  add_group_iterators (w, made, " + tns_w");
  if (!tns_node_mentions (made, w->loop[w->n - 1]->iter))
    tns_text_line (text, "(void) %s;", iterator (w, w->n - 1));
  tns_c99_node (w->c, made);
  close_brace (w);
  text->indent -= 2;
  for (int k = 0; k < wide->n; k++)
    if (wide->run[k].stored)
      {
        int at_once = wide->run[k].even == 0 ? wide->width : 1;
        for (int at = 0; at < wide->width; at += at_once)
          {
            tns_text_begin (text);
            tns_text_format (text, "tns_give<%d> (", at_once);
            add_address (w, &wide->run[k], at);
            tns_text_format (text, ", &tns_run%d[%d]);\n", k, at);
          }
      }
}

/* The iterations that no group has.  */
static void
add_alone (widening *w)
{
  tns_text *text = w->c->text;
  tns_node *body = w->loop[w->n - 1]->body;
  tns_text_line (text, "TNS_UNROLL4");
  open_share (w, "tns_alone");
  if (w->n > 1)
    add_outer_iterators (w, body);
  add_iterator (w, tns_arena_format (text->arena,
                                     "(tns_place < tns_head ? tns_place : "
                                     "tns_place + tns_groups * %d)",
                                     w->wide->width));
  tns_c99_node (w->c, body);
  close_loop (w);
}

void
tns_cuda_wide (tns_c99 *c, int n, tns_node *const *loop, const tns_wide *wide)
{
  widening w = { c, n, loop, wide };
  add_counts (&w);
  open_share (&w, "tns_groups");
  add_reads (&w);
  add_writes (&w);
  close_loop (&w);
  add_alone (&w);
}
