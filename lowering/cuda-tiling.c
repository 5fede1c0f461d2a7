/* Tiles of all kinds as text: lowering/cuda-tiling.h.  */

#include "lowering/cuda-tiling.h"

#include "ir/walk.h"
#include "lowering/cuda-edge.h"
#include "lowering/cuda-number.h"
#include "lowering/cuda-stages.h"

void
tns_tiling_open (const tns_tiling *t)
{
  tns_text_line (t->c->text, "{");
  t->c->text->indent += 2;
}

void
tns_tiling_close (const tns_tiling *t)
{
  t->c->text->indent -= 2;
  tns_text_line (t->c->text, "}");
}

int
tns_tiling_loops (const tns_tiling *t, tns_tile_role role, tns_node **loop)
{
  int n = 0;
  for (int k = 0; k < t->tile->n; k++)
    if (t->tile->role[k] == role)
      loop[n++] = t->tile->loop[k];
  return n;
}

const char *
tns_tiling_word (tns_tile_role role)
{
  static const char *const words[] = { "batch", "row", "column" };
  return words[role];
}

int
tns_tiling_lines (const tns_tiling *t, tns_tile_role role)
{
  return role == TNS_TILE_ROW ? t->shape->rows : t->shape->columns;
}

int
tns_tiling_own (const tns_tiling *t, tns_tile_role role)
{
  return role == TNS_TILE_ROW ? t->shape->thread_rows
                              : t->shape->thread_columns;
}

const char *
tns_tiling_type (const tns_operand *operand)
{
  return tns_elem_c_name (operand->load->type.elem);
}

/* The target is in memory, and nothing but the sum touches it.  */
static bool
is_bare (const tns_tiling *t)
{
  const tns_sym *sym = t->tile->update->target->sym;
  return !tns_sym_is_local (sym) && !tns_node_writes (t->tile->before, sym);
}

void
tns_tiling_extents (const tns_tiling *t)
{
  tns_node *loop[TNS_MOST_TILED];
  tns_text *text = t->c->text;
  for (int role = TNS_TILE_BATCH; role <= TNS_TILE_COLUMN; role++)
    {
      int n = tns_tiling_loops (t, (tns_tile_role) role, loop);
      tns_cuda_trips (t->c, tns_tiling_word ((tns_tile_role) role), n, loop);
    }
  tns_cuda_trips (t->c, "inner", t->tile->n_inner, t->tile->inner);
  for (int role = TNS_TILE_ROW; role <= TNS_TILE_COLUMN; role++)
    {
      const char *word = tns_tiling_word ((tns_tile_role) role);
      int lines = tns_tiling_lines (t, (tns_tile_role) role);
      tns_text_line (text, "const long tns_%s_blocks = (tns_%ss + %d) / %d;",
                     word, word, lines - 1, lines);
    }
  tns_text_line (text,
                 "const long tns_tiles = %stns_batchs * tns_row_blocks * "
                 "tns_column_blocks;",
                 is_bare (t) ? "tns_inners == 0 ? 0 : " : "");
}

/* tns_column0, tns_row0 and tns_batch of tile tns_at, by bands.  */
static void
add_banded (const tns_tiling *t)
{
  tns_text *text = t->c->text;
  tns_text_line (text, "long tns_in_batch;");
  tns_text_line (text, "long tns_in_band;");
  tns_text_line (text, "const long tns_batch = tns_divide (tns_at, "
                       "tns_row_blocks * tns_column_blocks, &tns_in_batch);");
  tns_text_line (text,
                 "const long tns_band = tns_divide (tns_in_batch, %d * "
                 "tns_column_blocks, &tns_in_band) * %d;",
                 t->band, t->band);
  tns_text_line (text,
                 "const long tns_band_rows = tns_row_blocks - tns_band < %d ? "
                 "tns_row_blocks - tns_band : %d;",
                 t->band, t->band);
  tns_text_line (text, "tns_column0 = tns_divide (tns_in_band, tns_band_rows, "
                       "&tns_row0);");
  tns_text_line (text, "tns_row0 += tns_band;");
}

/* The same, row by row.  */
static void
add_rowwise (const tns_tiling *t)
{
  tns_text_line (t->c->text, "const long tns_left = tns_divide (tns_at, "
                             "tns_column_blocks, &tns_column0);");
  tns_text_line (t->c->text, "const long tns_batch = tns_divide (tns_left, "
                             "tns_row_blocks, &tns_row0);");
}

void
tns_tiling_position (const tns_tiling *t)
{
  tns_text *text = t->c->text;
  tns_node *loop[TNS_MOST_TILED];
  int n = tns_tiling_loops (t, TNS_TILE_BATCH, loop);
  tns_text_line (text, "long tns_column0;");
  tns_text_line (text, "long tns_row0;");
  if (!tns_cuda_edge_order (t->c, t->tile))
    (t->band ? add_banded : add_rowwise) (t);
  tns_text_line (text, "tns_column0 *= %d;", t->shape->columns);
  tns_text_line (text, "tns_row0 *= %d;", t->shape->rows);
  tns_text_line (text, "(void) tns_batch;");
  tns_cuda_iterators (t->c, "batch", n, loop);
  tns_cuda_edge_tile (t->c, t->tile, t->shape);
}

void
tns_tiling_open_elements (const tns_tiling *t)
{
  tns_text *text = t->c->text;
  tns_text_line (text, "TNS_UNROLL for (int tns_i = 0; tns_i < %d; tns_i++)",
                 t->shape->thread_rows);
  text->indent += 2;
  tns_text_line (text, "TNS_UNROLL for (int tns_j = 0; tns_j < %d; tns_j++)",
                 t->shape->thread_columns);
  text->indent += 2;
  tns_tiling_open (t);
  for (int role = TNS_TILE_ROW; role <= TNS_TILE_COLUMN; role++)
    {
      const char *word = tns_tiling_word ((tns_tile_role) role);
      tns_text_line (text, "const long tns_%s = tns_%s0 + %s;", word, word,
                     t->place[role]);
    }
}

void
tns_tiling_close_elements (const tns_tiling *t)
{
  tns_tiling_close (t);
  t->c->text->indent -= 4;
}

/* The iterators of rows and columns, for NODE and the target.  */
static void
add_element_iterators (const tns_tiling *t, tns_node *node)
{
  tns_node *loop[TNS_MOST_TILED];
  for (int role = TNS_TILE_ROW; role <= TNS_TILE_COLUMN; role++)
    {
      int n = tns_tiling_loops (t, (tns_tile_role) role, loop);
      tns_cuda_iterators (t->c, tns_tiling_word ((tns_tile_role) role), n,
                          loop);
      for (int k = 0; k < n; k++)
        if (!tns_node_mentions (node, loop[k]->iter)
            && !tns_expr_mentions (t->tile->update->target, loop[k]->iter))
          tns_text_line (t->c->text, "(void) %s;",
                         tns_c99_name (t->c, loop[k]->iter));
    }
}

/* What follows is done for elements that are there; whether that has to be
   asked.  */
static bool
open_guard (const tns_tiling *t)
{
  bool guarded = tns_cuda_edge_element (t->c, t->tile, is_bare (t));
  if (guarded)
    {
      t->c->text->indent += 2;
      tns_tiling_open (t);
    }
  return guarded;
}

/* It ends, if GUARDED.  */
static void
close_guard (const tns_tiling *t, bool guarded)
{
  if (!guarded)
    return;
  tns_tiling_close (t);
  t->c->text->indent -= 2;
}

void
tns_tiling_begin (const tns_tiling *t)
{
  tns_text *text = t->c->text;
  tns_tiling_open_elements (t);
  tns_text_line (text, "%s = 0;", t->sum);
  tns_text_line (text, "if (tns_row < tns_rows && tns_column < tns_columns)");
  text->indent += 2;
  tns_tiling_open (t);
  add_element_iterators (t, t->tile->before);
  bool guarded = open_guard (t);
  tns_c99_node (t->c, t->tile->before);
  tns_text_begin (text);
  tns_text_format (text, "%s = ", t->sum);
  tns_c99_expr (t->c, t->tile->update->target, 0);
  tns_text_add (text, ";\n");
  close_guard (t, guarded);
  tns_tiling_close (t);
  text->indent -= 2;
  tns_tiling_close_elements (t);
}

/* LOCALs that stand before the inner loops begin here again.  */
static void
add_locals (const tns_tiling *t)
{
  const tns_node *before = t->tile->before;
  for (int k = 0; k < before->n_kids; k++)
    if (before->kid[k]->kind == TNS_LOCAL)
      tns_c99_declare (t->c, before->kid[k]->sym);
}

void
tns_tiling_end (const tns_tiling *t)
{
  tns_text *text = t->c->text;
  tns_tiling_open_elements (t);
  tns_text_line (text, "if (tns_row < tns_rows && tns_column < tns_columns)");
  text->indent += 2;
  tns_tiling_open (t);
  add_element_iterators (t, t->tile->after);
  bool guarded = open_guard (t);
  add_locals (t);
  tns_text_begin (text);
  tns_c99_expr (t->c, t->tile->update->target, 0);
  tns_text_format (text, " = %s;\n", t->sum);
  tns_c99_node (t->c, t->tile->after);
  close_guard (t, guarded);
  tns_tiling_close (t);
  text->indent -= 2;
  tns_tiling_close_elements (t);
}

/* The functions that take what is next from memory, whose inner values begin at
   tns_from, and that put it into shared memory, the half tns_half; the one that
   lets copies do both.  */
static void
add_moves (const tns_tiling *t)
{
  tns_text *text = t->c->text;
  for (int o = 0; t->look && o < t->tile->n_operands; o++)
    t->look (t, o);
  tns_stages_function (t);
  if (!tns_stages_leave (t))
    return;
  tns_text_line (text, "const auto tns_fetch_next = [&] (long tns_from, bool "
                       "tns_whole) TNS_INLINE");
  tns_tiling_open (t);
  tns_text_line (text, "(void) tns_whole;");
  for (int o = 0; o < t->tile->n_operands; o++)
    if (!tns_stages_send (t, o))
      t->take (t, o);
  text->indent -= 2;
  tns_text_line (text, "};");
  tns_text_line (text,
                 "const auto tns_keep = [&] (int tns_half, long tns_from) "
                 "TNS_INLINE");
  tns_tiling_open (t);
  for (int o = 0; o < t->tile->n_operands; o++)
    if (!tns_stages_send (t, o))
      t->keep (t, o);
  text->indent -= 2;
  tns_text_line (text, "};");
}

/* The function NAME, which does what BODY does for one inner value.  */
static void
add_function (const tns_tiling *t, const char *name,
              void (*body) (const tns_tiling *t))
{
  tns_text_line (t->c->text, "const auto %s = [&] (int tns_k) TNS_INLINE",
                 name);
  tns_tiling_open (t);
  body (t);
  t->c->text->indent -= 2;
  tns_text_line (t->c->text, "};");
}

/* The first values are in shared memory, WHOLE or not.  */
static void
add_first (const tns_tiling *t, const char *whole)
{
  tns_stages_first (t, whole);
  if (!tns_stages_leave (t))
    return;
  tns_text_line (t->c->text, "tns_fetch_next (tns_from, %s);", whole);
  tns_text_line (t->c->text, "tns_keep (0, tns_from);");
}

/* The threads wait for what they have stored, and for copies.  */
static void
add_barrier (const tns_tiling *t)
{
  tns_stages_wait (t);
  tns_text_line (t->c->text, "__syncthreads ();");
}

/* The next half, and stage, is computed from here on.  */
static void
add_turn (const tns_tiling *t)
{
  if (tns_stages_leave (t))
    tns_text_line (t->c->text, "tns_half ^= 1;");
  tns_stages_turn (t);
}

/* CALL, if MORE is not false.  */
static void
add_call (const tns_tiling *t, const char *more, const char *call)
{
  if (!tns_stages_leave (t))
    return;
  if (more)
    tns_text_line (t->c->text, "if (%s)", more);
  tns_text_line (t->c->text, "%s%s", more ? "  " : "", call);
}

/* A step: the next values, if MORE is not false, are on their way from memory
   while it computes, WHOLE or not.  */
static void
add_step (const tns_tiling *t, const char *more, const char *whole)
{
  tns_arena *arena = t->c->text->arena;
  int depth = t->shape->depth;
  tns_stages_next (t, whole);
  add_call (t, more,
            tns_arena_format (arena, "tns_fetch_next (tns_from + %d, %s);",
                              depth, whole));
  t->add (t);
  add_turn (t);
  add_call (
    t, more,
    tns_arena_format (arena, "tns_keep (tns_half, tns_from + %d);", depth));
}

/* The same where registers are free again before the step computes, and what is
   fetched then has until the next one does.  */
static void
add_early_step (const tns_tiling *t)
{
  tns_arena *arena = t->c->text->arena;
  static const char more[] = "tns_from + %d < tns_inners";
  int depth = t->shape->depth;
  tns_stages_next (t, "false");
  add_call (
    t, tns_arena_format (arena, more, depth),
    tns_arena_format (arena, "tns_keep (tns_half ^ 1, tns_from + %d);", depth));
  add_call (t, tns_arena_format (arena, more, 2 * depth),
            tns_arena_format (arena, "tns_fetch_next (tns_from + %d, false);",
                              2 * depth));
  t->add (t);
  add_turn (t);
}

/* All steps but the last one of a tile that is whole, which need no look at
   what is there; of another one, what is needed for the first.  */
static void
add_whole_steps (const tns_tiling *t)
{
  tns_text *text = t->c->text;
  int depth = t->shape->depth;
  t->whole (t);
  tns_text_line (text, "if (tns_whole)");
  text->indent += 2;
  tns_tiling_open (t);
  add_first (t, "true");
  add_barrier (t);
  tns_text_line (text, "for (; tns_from + %d <= tns_inners; tns_from += %d)",
                 (tns_stages_ahead (t) + 1) * depth, depth);
  text->indent += 2;
  tns_tiling_open (t);
  add_step (t, NULL, "true");
  add_barrier (t);
  tns_tiling_close (t);
  text->indent -= 2;
  tns_tiling_close (t);
  text->indent -= 2;
  tns_text_line (text, "else");
  text->indent += 2;
  tns_tiling_open (t);
  add_first (t, "false");
  tns_tiling_close (t);
  text->indent -= 2;
  add_barrier (t);
}

/* What is left of the inner loops, one by one.  */
static void
add_rest (const tns_tiling *t)
{
  tns_text *text = t->c->text;
  tns_text_line (text,
                 "TNS_ROLL for (int tns_k = 0; tns_k < %s - tns_from; tns_k++)",
                 tns_cuda_edge_end (t->tile));
  tns_text_line (text, "  %s (tns_k);",
                 t->some ? "tns_update_some" : "tns_update");
  tns_text_line (text, "__syncthreads ();");
}

/* The first step's values are in shared memory, and the text knows where it
   is.  */
static void
begin_steps (const tns_tiling *t)
{
  tns_text *text = t->c->text;
  if (tns_stages_leave (t))
    tns_text_line (text, "int tns_half = 0;");
  if (t->stages->n)
    tns_text_line (text, "unsigned int tns_stage = 0;");
  tns_text_line (text, "long tns_from = %s;", tns_cuda_edge_begin (t->tile));
  if (t->rest)
    add_function (t, "tns_update", t->rest);
  if (t->some)
    add_function (t, "tns_update_some", t->some);
  if (t->whole)
    {
      add_whole_steps (t);
      return;
    }
  add_first (t, "false");
  if (t->early)
    add_call (t, NULL,
              tns_arena_format (text->arena, "tns_fetch_next (%d, false);",
                                t->shape->depth));
  add_barrier (t);
}

/* The inner loops, a few values at a time.  */
static void
add_steps (const tns_tiling *t)
{
  tns_text *text = t->c->text;
  int depth = t->shape->depth;
  const char *end = tns_cuda_edge_end (t->tile);
  begin_steps (t);
  if (t->rest)
    tns_text_line (text, "for (; tns_from + %d <= %s; tns_from += %d)", depth,
                   end, depth);
  else
    tns_text_line (text, "for (; tns_from < tns_inners; tns_from += %d)",
                   depth);
  text->indent += 2;
  tns_tiling_open (t);
  if (t->early)
    add_early_step (t);
  else
    add_step (t,
              tns_arena_format (text->arena, "tns_from + %d < %s", depth, end),
              "false");
  add_barrier (t);
  tns_tiling_close (t);
  text->indent -= 2;
  if (t->rest)
    add_rest (t);
}

void
tns_tiling_tiles (const tns_tiling *t)
{
  tns_text *text = t->c->text;
  tns_text_line (text, "for (long tns_at = blockIdx.x; tns_at < tns_tiles; "
                       "tns_at += gridDim.x)");
  text->indent += 2;
  tns_tiling_open (t);
  tns_tiling_position (t);
  tns_tiling_begin (t);
  add_moves (t);
  add_steps (t);
  tns_tiling_end (t);
  tns_tiling_close (t);
  text->indent -= 2;
}
