/* Tiles as text: lowering/cuda-tile.h.  */

#include "lowering/cuda-tile.h"

#include "ir/walk.h"
#include "lowering/cuda-edge.h"
#include "lowering/cuda-number.h"
#include "lowering/cuda-stages.h"
#include "lowering/cuda-tiling.h"

/* How many elements of OPERAND's tile each thread fetches.  */
static int
fetched (const tns_tiling *t, const tns_operand *operand)
{
  return tns_tiling_lines (t, operand->role) * t->shape->depth
         / t->shape->threads;
}

/* Shared memory, and what is on its way there.  */
static void
add_shared (const tns_tiling *t)
{
  const tns_tile *tile = t->tile;
  for (int o = 0; o < tile->n_operands; o++)
    tns_text_line (
      t->c->text, "__shared__ __align__ (16) %s tns_shared%d[%d][%d][%d];",
      tns_tiling_type (&tile->operand[o]), o, tns_stages_parts (t, o),
      t->shape->depth,
      tns_tile_pitch (tns_tiling_lines (t, tile->operand[o].role)));
  for (int o = 0; o < tile->n_operands; o++)
    if (!tns_stages_send (t, o))
      tns_text_line (t->c->text, "__align__ (16) %s tns_next%d[%d];",
                     tns_tiling_type (&tile->operand[o]), o,
                     fetched (t, &tile->operand[o]));
}

/* The numbers of the element that is moved, where the innermost index of shared
   memory is OPERAND's line.  */
static void
add_place (const tns_tiling *t, const tns_operand *operand)
{
  const char *word = tns_tiling_word (operand->role);
  int by
    = operand->along ? t->shape->depth : tns_tiling_lines (t, operand->role);
  tns_node *loop[TNS_MOST_TILED];
  int n = tns_tiling_loops (t, operand->role, loop);
  tns_text_line (t->c->text, "const long tns_inner = tns_from + tns_e %s %d;",
                 operand->along ? "%" : "/", by);
  tns_text_line (t->c->text, "const long tns_%s = tns_%s0 + tns_e %s %d;", word,
                 word, operand->along ? "/" : "%", by);
  if (operand->wide == 1)
    return;
  tns_cuda_iterators (t->c, "inner", t->tile->n_inner, t->tile->inner);
  tns_cuda_iterators (t->c, word, n, loop);
}

/* Fetch one element of operand O, which may be none.  */
static void
add_single (const tns_tiling *t, int o)
{
  const tns_operand *operand = &t->tile->operand[o];
  tns_text *text = t->c->text;
  const char *word = tns_tiling_word (operand->role);
  tns_node *loop[TNS_MOST_TILED];
  int n = tns_tiling_loops (t, operand->role, loop);
  tns_text_line (text, "tns_next%d[tns_q] = 0;", o);
  tns_text_line (text, "if (tns_whole || (tns_inner < %s && tns_%s < tns_%ss))",
                 tns_cuda_edge_end (t->tile), word, word);
  text->indent += 2;
  tns_tiling_open (t);
  tns_cuda_iterators (t->c, "inner", t->tile->n_inner, t->tile->inner);
  tns_cuda_iterators (t->c, word, n, loop);
  bool guarded = tns_cuda_edge_fetch (t->c, t->tile, operand->role);
  text->indent += 2 * guarded;
  tns_text_begin (text);
  tns_text_format (text, "tns_next%d[tns_q] = ", o);
  tns_c99_expr (t->c, operand->load, 0);
  tns_text_add (text, ";\n");
  text->indent -= 2 * guarded;
  tns_tiling_close (t);
  text->indent -= 2;
}

/* Append operand O's address.  */
static void
add_address (const tns_tiling *t, int o)
{
  tns_text_add (t->c->text, "&");
  tns_c99_expr (t->c, t->tile->operand[o].load, 14);
}

/* Fetch several elements of operand O, some of which may not be there.  */
static void
add_several (const tns_tiling *t, int o)
{
  const tns_operand *operand = &t->tile->operand[o];
  tns_text *text = t->c->text;
  const char *word = tns_tiling_word (operand->role);
  const char *along = operand->along ? "inner" : word;
  const char *across = operand->along ? word : "inner";
  for (int whole = operand->even && t->whole; whole >= 0; whole--)
    {
      if (whole)
        tns_text_line (text, "if (tns_whole)");
      else if (operand->even && t->whole)
        tns_text_line (text, "else");
      tns_text_begin (text);
      tns_text_format (text, "  tns_%s<%d> (&tns_next%d[tns_q * %d], ",
                       whole ? "take" : "fetch", operand->wide, o,
                       operand->wide);
      add_address (t, o);
      if (!whole)
        tns_text_format (text, ", tns_%s < tns_%ss ? tns_%ss - tns_%s : 0",
                         across, across, along, along);
      tns_text_add (text, ");\n");
    }
}

/* For each of the elements of OPERAND that the thread moves, or of those that
   it moves at once, between braces: tns_e, its number.  */
static void
open_moves (const tns_tiling *t, const tns_operand *operand)
{
  tns_text *text = t->c->text;
  tns_text_line (text, "TNS_UNROLL for (int tns_q = 0; tns_q < %d; tns_q++)",
                 fetched (t, operand) / operand->wide);
  text->indent += 2;
  tns_tiling_open (t);
  if (operand->wide == 1)
    tns_text_line (text, "const int tns_e = threadIdx.x + tns_q * %d;",
                   t->shape->threads);
  else
    tns_text_line (text, "const int tns_e = (threadIdx.x + tns_q * %d) * %d;",
                   t->shape->threads, operand->wide);
}

/* What open_moves began ends.  */
static void
close_moves (const tns_tiling *t)
{
  tns_tiling_close (t);
  t->c->text->indent -= 2;
}

/* tns_tiling's take.  */
static void
take_operand (const tns_tiling *t, int o)
{
  const tns_operand *operand = &t->tile->operand[o];
  open_moves (t, operand);
  add_place (t, operand);
  if (operand->wide == 1)
    add_single (t, o);
  else
    add_several (t, o);
  close_moves (t);
}

/* tns_tiling's keep.  */
static void
keep_operand (const tns_tiling *t, int o)
{
  const tns_operand *operand = &t->tile->operand[o];
  int wide = operand->wide;
  int lines = tns_tiling_lines (t, operand->role);
  int depth = t->shape->depth;
  tns_text *text = t->c->text;
  open_moves (t, operand);
  if (!operand->along && wide > 1)
    tns_text_line (text,
                   "tns_give<%d> (&tns_shared%d[tns_half][tns_e / %d][tns_e %% "
                   "%d], &tns_next%d[tns_q * %d]);",
                   wide, o, lines, lines, o, wide);
  else if (!operand->along)
    tns_text_line (text,
                   "tns_shared%d[tns_half][tns_e / %d][tns_e %% %d] = "
                   "tns_next%d[tns_q];",
                   o, lines, lines, o);
  else
    for (int k = 0; k < wide; k++)
      tns_text_line (text,
                     "tns_shared%d[tns_half][tns_e %% %d + %d][tns_e / %d] = "
                     "tns_next%d[tns_q * %d + %d];",
                     o, depth, k, depth, o, wide, k);
  close_moves (t);
}

/* tns_tiling's send: whole copies where the tile is, else what is there.  */
static void
send_operand (const tns_tiling *t, int o)
{
  const tns_operand *operand = &t->tile->operand[o];
  tns_text *text = t->c->text;
  const char *word = tns_tiling_word (operand->role);
  int lines = tns_tiling_lines (t, operand->role);
  open_moves (t, operand);
  add_place (t, operand);
  for (int whole = t->whole != NULL; whole >= 0; whole--)
    {
      if (t->whole)
        tns_text_line (text, whole ? "if (tns_whole)" : "else");
      tns_text_begin (text);
      tns_text_format (text,
                       "  %s (&tns_shared%d[tns_into][tns_e / %d][tns_e %% "
                       "%d], ",
                       whole ? "tns_copy_async16" : "tns_send", o, lines,
                       lines);
      add_address (t, o);
      if (!whole)
        tns_text_format (
          text, ", tns_inner < tns_inners ? tns_%ss - tns_%s : 0", word, word);
      tns_text_add (text, ");\n");
    }
  close_moves (t);
}

/* The function that tells whether what the thread reads at once is aligned.  */
static void
add_alignment (const tns_tiling *t)
{
  tns_text *text = t->c->text;
  tns_text_line (text, "const auto tns_suits = [&] () TNS_INLINE");
  tns_tiling_open (t);
  tns_text_line (text, "const long tns_from = 0;");
  tns_text_line (text, "bool tns_even = true;");
  for (int o = 0; o < t->tile->n_operands; o++)
    if (t->tile->operand[o].wide > 1)
      {
        open_moves (t, &t->tile->operand[o]);
        add_place (t, &t->tile->operand[o]);
        tns_text_begin (text);
        tns_text_format (text, "tns_even &= tns_is_even<%d> (",
                         t->tile->operand[o].wide);
        add_address (t, o);
        tns_text_add (text, ");\n");
        close_moves (t);
      }
  tns_text_line (text, "return tns_even;");
  t->c->text->indent -= 2;
  tns_text_line (text, "};");
}

/* Some operand of T is read several elements at once.  */
static bool
is_wide (const tns_tiling *t)
{
  bool wide = false;
  for (int o = 0; o < t->tile->n_operands; o++)
    wide |= t->tile->operand[o].wide > 1;
  return wide;
}

/* tns_tiling's whole.  */
static void
add_whole (const tns_tiling *t)
{
  bool wide = is_wide (t);
  if (wide)
    add_alignment (t);
  tns_text_line (t->c->text,
                 "const bool tns_whole = tns_row0 + %d <= tns_rows "
                 "&& tns_column0 + %d <= tns_columns && tns_inners >= %d%s;",
                 t->shape->rows, t->shape->columns,
                 tns_stages_ahead (t) * t->shape->depth,
                 wide ? " && __syncthreads_and (tns_suits ())" : "");
}

/* All operands of TILE go evenly.  */
static bool
is_even (const tns_tile *tile)
{
  bool even = true;
  for (int o = 0; o < tile->n_operands; o++)
    even &= tile->operand[o].even;
  return even;
}

/* The changer: an operand is in a register.  */
static tns_expr *
use_register (tns_expr *expr, void *self)
{
  const tns_tiling *t = self;
  tns_arena *arena = t->c->text->arena;
  for (int o = 0; tns_expr_reads (expr) && o < t->tile->n_operands; o++)
    if (tns_expr_equal (expr, t->tile->operand[o].load))
      return tns_cuda_named (
        t->c,
        tns_arena_format (arena, "tns_own%d[%s]", o,
                          t->tile->operand[o].role == TNS_TILE_ROW ? "tns_i"
                                                                   : "tns_j"),
        expr->type.elem);
  return expr;
}

/* What the thread's rows, or columns, have of operand O for one inner
   value.  */
static void
add_own (const tns_tiling *t, int o)
{
  tns_text *text = t->c->text;
  const tns_operand *operand = &t->tile->operand[o];
  int own = tns_tiling_own (t, operand->role);
  tns_text_line (text, "__align__ (16) %s tns_own%d[%d];",
                 tns_tiling_type (operand), o, own);
  tns_text_line (text, "TNS_UNROLL for (int tns_i = 0; tns_i < %d; tns_i += 4)",
                 own);
  tns_text_line (text,
                 "  tns_take<4> (&tns_own%d[tns_i], "
                 "&tns_shared%d[%s][tns_k][tns_i / 4 * %d + "
                 "tns_own_%s * 4]);",
                 o, o, tns_stages_read (t, o),
                 tns_tiling_lines (t, operand->role) / (own / 4),
                 tns_tiling_word (operand->role));
}

/* What an inner value adds to the sum of an element.  */
static void
add_sum (const tns_tiling *t)
{
  tns_text *text = t->c->text;
  const tns_node *update = t->tile->update;
  tns_elem elem = update->target->type.elem;
  tns_expr *arg[2] = { tns_cuda_named (t->c, t->sum, elem),
                       tns_expr_rebuild (text->arena, update->value,
                                         use_register, (void *) t) };
  tns_text_begin (text);
  tns_text_format (text, "%s = ", t->sum);
  tns_c99_expr (
    t->c,
    tns_make (text->arena, update->update, tns_scalar (elem), NULL, 2, arg), 0);
  tns_text_add (text, ";\n");
}

/* tns_tiling's rest.  */
static void
add_update (const tns_tiling *t)
{
  tns_text *text = t->c->text;
  for (int o = 0; o < t->tile->n_operands; o++)
    add_own (t, o);
  tns_text_line (text, "TNS_UNROLL for (int tns_i = 0; tns_i < %d; tns_i++)",
                 t->shape->thread_rows);
  tns_text_line (text, "  TNS_UNROLL for (int tns_j = 0; tns_j < %d; tns_j++)",
                 t->shape->thread_columns);
  text->indent += 4;
  add_sum (t);
  text->indent -= 4;
}

/* tns_tiling's some.  */
static void
add_some (const tns_tiling *t)
{
  tns_text *text = t->c->text;
  tns_node *loop[TNS_MOST_TILED];
  for (int o = 0; o < t->tile->n_operands; o++)
    add_own (t, o);
  tns_text_line (text, "const long tns_inner = tns_from + tns_k;");
  tns_cuda_iterators (t->c, "inner", t->tile->n_inner, t->tile->inner);
  tns_tiling_open_elements (t);
  for (int role = TNS_TILE_ROW; role <= TNS_TILE_COLUMN; role++)
    {
      int n = tns_tiling_loops (t, (tns_tile_role) role, loop);
      const char *word = tns_tiling_word ((tns_tile_role) role);
      bool moves = false;
      for (int k = 0; k < n; k++)
        moves |= tns_cuda_edge_mentions (t->tile, loop[k]->iter);
      if (moves)
        tns_cuda_iterators (t->c, word, n, loop);
      tns_text_line (text, "(void) %s;",
                     moves ? tns_c99_name (t->c, loop[0]->iter)
                           : tns_arena_format (text->arena, "tns_%s", word));
    }
  tns_cuda_edge_inner (t->c, t->tile);
  text->indent += 2;
  add_sum (t);
  text->indent -= 2;
  tns_tiling_close_elements (t);
}

/* All values of a step, for which CALL does what there is to do.  */
static void
add_values (const tns_tiling *t, const char *head, const char *call)
{
  tns_text_line (t->c->text, "%s for (int tns_k = 0; tns_k < %d; tns_k++)",
                 head, t->shape->depth);
  tns_text_line (t->c->text, "  %s (tns_k);", call);
}

/* tns_tiling's add.  */
static void
add_step (const tns_tiling *t)
{
  tns_text *text = t->c->text;
  if (!tns_cuda_edge_step (t->c, t->tile, t->shape->depth))
    {
      add_values (t, "TNS_UNROLL", "tns_update");
      return;
    }
  tns_text_line (text, "if (tns_full)");
  text->indent += 2;
  add_values (t, "TNS_UNROLL", "tns_update");
  text->indent -= 2;
  tns_text_line (text, "else");
  text->indent += 2;
  add_values (t, "TNS_ROLL", "tns_update_some");
  text->indent -= 2;
}

/* Where the thread's sums lie in the tile: fours, as far from each other as may
   be.  */
static const char *
place_of (const tns_tiling *t, tns_tile_role role)
{
  const char *i = role == TNS_TILE_ROW ? "tns_i" : "tns_j";
  return tns_arena_format (
    t->c->text->arena, "%s / 4 * %d + tns_own_%s * 4 + %s %% 4", i,
    tns_tiling_lines (t, role) / (tns_tiling_own (t, role) / 4),
    tns_tiling_word (role), i);
}

/* The part of the tile that a thread has: a warp's threads are 4 rows and 8
   columns of threads, so that few of them read other words of shared
   memory.  */
static void
add_own_place (const tns_tiling *t)
{
  int across = t->shape->columns / t->shape->thread_columns / 8;
  tns_text_line (t->c->text,
                 "const int tns_own_row = threadIdx.x / 32 / %d * 4 + "
                 "threadIdx.x %% 32 / 8;",
                 across);
  tns_text_line (t->c->text,
                 "const int tns_own_column = threadIdx.x / 32 %% %d * 8 + "
                 "threadIdx.x %% 8;",
                 across);
}

void
tns_cuda_tile (tns_c99 *c, const tns_tile *tile, const tns_tile_shape *shape,
               const tns_stages *stages)
{
  tns_tiling t = { .c = c, .tile = tile, .shape = shape, .stages = stages };
  tns_text *text = c->text;
  t.place[TNS_TILE_ROW] = place_of (&t, TNS_TILE_ROW);
  t.place[TNS_TILE_COLUMN] = place_of (&t, TNS_TILE_COLUMN);
  t.sum = "tns_sum[tns_i][tns_j]";
  t.whole = is_even (tile) && !tns_tile_is_uneven (tile) ? add_whole : NULL;
  t.take = take_operand;
  t.keep = keep_operand;
  t.send = send_operand;
  t.add = add_step;
  t.rest = add_update;
  t.some = tile->moving ? add_some : NULL;
  tns_tiling_extents (&t);
  add_own_place (&t);
  add_shared (&t);
  tns_text_line (text, "%s tns_sum[%d][%d];",
                 tns_elem_c_name (tile->update->target->type.elem),
                 shape->thread_rows, shape->thread_columns);
  tns_tiling_tiles (&t);
}
