/* Tiles as text: lowering/cuda-tile.h.  */

#include "lowering/cuda-tile.h"

#include "ir/walk.h"
#include "lowering/cuda-number.h"
#include "lowering/grid.h"

/* A tile being printed.  */
typedef struct tiling
{
  tns_c99 *c;
  const tns_tile *tile;
  const tns_tile_shape *shape;
} tiling;

/* A block begins.  */
static void
open_brace (tiling *t)
{
  tns_text_line (t->c->text, "{");
  t->c->text->indent += 2;
}

/* It ends.  */
static void
close_brace (tiling *t)
{
  t->c->text->indent -= 2;
  tns_text_line (t->c->text, "}");
}

/* The loops of T with ROLE, outermost first: how many.  */
static int
loops_of (const tiling *t, tns_tile_role role, tns_node **loop)
{
  int n = 0;
  for (int k = 0; k < t->tile->n; k++)
    if (t->tile->role[k] == role)
      loop[n++] = t->tile->loop[k];
  return n;
}

/* The word of ROLE.  */
static const char *
word_of (tns_tile_role role)
{
  static const char *const words[] = { "batch", "row", "column" };
  return words[role];
}

/* How many rows, or columns, a block has.  */
static int
lines_of (const tiling *t, tns_tile_role role)
{
  return role == TNS_TILE_ROW ? t->shape->rows : t->shape->columns;
}

/* What a thread has of them.  */
static int
own_lines (const tiling *t, tns_tile_role role)
{
  return role == TNS_TILE_ROW ? t->shape->thread_rows
                              : t->shape->thread_columns;
}

/* How many elements of OPERAND's tile each thread fetches.  */
static int
fetched (const tiling *t, const tns_operand *operand)
{
  return lines_of (t, operand->role) * t->shape->depth / t->shape->threads;
}

/* The type of OPERAND's elements.  */
static const char *
type_of (const tns_operand *operand)
{
  return tns_elem_c_name (operand->load->type.elem);
}

/* How often all loops of each role, and the inner ones, run.  */
static void
add_extents (tiling *t)
{
  tns_node *loop[TNS_MOST_TILED];
  for (int role = TNS_TILE_BATCH; role <= TNS_TILE_COLUMN; role++)
    {
      int n = loops_of (t, (tns_tile_role) role, loop);
      tns_cuda_trips (t->c, word_of ((tns_tile_role) role), n, loop);
    }
  tns_cuda_trips (t->c, "inner", t->tile->n_inner, t->tile->inner);
  for (int role = TNS_TILE_ROW; role <= TNS_TILE_COLUMN; role++)
    tns_text_line (
      t->c->text, "const long tns_%s_blocks = (tns_%ss + %d) / %d;",
      word_of ((tns_tile_role) role), word_of ((tns_tile_role) role),
      lines_of (t, (tns_tile_role) role) - 1,
      lines_of (t, (tns_tile_role) role));
}

/* The target is in memory, and nothing but the sum touches it.  */
static bool
is_bare (const tiling *t)
{
  const tns_sym *sym = t->tile->update->target->sym;
  return !tns_sym_is_local (sym) && !tns_node_writes (t->tile->before, sym);
}

/* Shared memory, and what is on its way there.  */
static void
add_shared (tiling *t)
{
  const tns_tile *tile = t->tile;
  for (int o = 0; o < tile->n_operands; o++)
    tns_text_line (t->c->text,
                   "__shared__ __align__ (16) %s tns_shared%d[2][%d][%d];",
                   type_of (&tile->operand[o]), o, t->shape->depth,
                   lines_of (t, tile->operand[o].role) + 4);
  for (int o = 0; o < tile->n_operands; o++)
    tns_text_line (t->c->text, "__align__ (16) %s tns_next%d[%d];",
                   type_of (&tile->operand[o]), o,
                   fetched (t, &tile->operand[o]));
}

/* The numbers of the element that is moved, where the innermost index of shared
   memory is OPERAND's line.  */
static void
add_place (tiling *t, const tns_operand *operand)
{
  const char *word = word_of (operand->role);
  int by = operand->along ? t->shape->depth : lines_of (t, operand->role);
  tns_node *loop[TNS_MOST_TILED];
  int n = loops_of (t, operand->role, loop);
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
add_single (tiling *t, int o)
{
  const tns_operand *operand = &t->tile->operand[o];
  tns_text *text = t->c->text;
  const char *word = word_of (operand->role);
  tns_node *loop[TNS_MOST_TILED];
  int n = loops_of (t, operand->role, loop);
  tns_text_line (text, "tns_next%d[tns_q] = 0;", o);
  tns_text_line (text, "if (tns_inner < tns_inners && tns_%s < tns_%ss)", word,
                 word);
  text->indent += 2;
  open_brace (t);
  tns_cuda_iterators (t->c, "inner", t->tile->n_inner, t->tile->inner);
  tns_cuda_iterators (t->c, word, n, loop);
  tns_text_begin (text);
  tns_text_format (text, "tns_next%d[tns_q] = ", o);
  tns_c99_expr (t->c, operand->load, 0);
  tns_text_add (text, ";\n");
  close_brace (t);
  text->indent -= 2;
}

/* Fetch several elements of operand O, some of which may not be there.  */
static void
add_several (tiling *t, int o)
{
  const tns_operand *operand = &t->tile->operand[o];
  tns_text *text = t->c->text;
  const char *word = word_of (operand->role);
  const char *along = operand->along ? "inner" : word;
  const char *across = operand->along ? word : "inner";
  tns_text_begin (text);
  tns_text_format (text, "tns_fetch<%d> (&tns_next%d[tns_q * %d], &",
                   operand->wide, o, operand->wide);
  tns_c99_expr (t->c, operand->load, 14);
  tns_text_format (text, ", tns_%s < tns_%ss ? tns_%ss - tns_%s : 0);\n",
                   across, across, along, along);
}

/* For each of the elements of OPERAND that the thread moves, or of those that
   it moves at once, between braces: tns_e, its number.  */
static void
open_moves (tiling *t, const tns_operand *operand)
{
  tns_text *text = t->c->text;
  tns_text_line (text, "TNS_UNROLL for (int tns_q = 0; tns_q < %d; tns_q++)",
                 fetched (t, operand) / operand->wide);
  text->indent += 2;
  open_brace (t);
  if (operand->wide == 1)
    tns_text_line (text, "const int tns_e = threadIdx.x + tns_q * %d;",
                   t->shape->threads);
  else
    tns_text_line (text, "const int tns_e = (threadIdx.x + tns_q * %d) * %d;",
                   t->shape->threads, operand->wide);
}

/* What open_moves began ends.  */
static void
close_moves (tiling *t)
{
  close_brace (t);
  t->c->text->indent -= 2;
}

/* Fetch operand O's elements, whose inner values begin at tns_from.  */
static void
add_fetch_of (tiling *t, int o)
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

/* Put operand O's elements into shared memory.  */
static void
add_keep_of (tiling *t, int o)
{
  const tns_operand *operand = &t->tile->operand[o];
  int wide = operand->wide;
  int lines = lines_of (t, operand->role);
  int depth = t->shape->depth;
  tns_text *text = t->c->text;
  open_moves (t, operand);
  if (!operand->along && wide > 1)
    tns_text_line (text,
                   "tns_take<%d> (&tns_shared%d[tns_half][tns_e / %d][tns_e %% "
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

/* The functions that fetch what is next, and that put it into shared memory,
   the half HALF.  */
static void
add_moves (tiling *t)
{
  tns_text *text = t->c->text;
  const tns_tile *tile = t->tile;
  tns_text_line (text,
                 "const auto tns_fetch_next = [&] (long tns_from) TNS_INLINE");
  open_brace (t);
  for (int o = 0; o < tile->n_operands; o++)
    add_fetch_of (t, o);
  text->indent -= 2;
  tns_text_line (text, "};");
  tns_text_line (text, "const auto tns_keep = [&] (int tns_half) TNS_INLINE");
  open_brace (t);
  for (int o = 0; o < tile->n_operands; o++)
    add_keep_of (t, o);
  text->indent -= 2;
  tns_text_line (text, "};");
}

/* The tile that the block takes now.  */
static void
add_position (tiling *t)
{
  tns_text *text = t->c->text;
  tns_node *loop[TNS_MOST_TILED];
  int n = loops_of (t, TNS_TILE_BATCH, loop);
  tns_text_line (text, "long tns_column0;");
  tns_text_line (text, "long tns_row0;");
  tns_text_line (text, "const long tns_left = tns_divide (tns_at, "
                       "tns_column_blocks, &tns_column0);");
  tns_text_line (text, "const long tns_batch = tns_divide (tns_left, "
                       "tns_row_blocks, &tns_row0);");
  tns_text_line (text, "tns_column0 *= %d;", t->shape->columns);
  tns_text_line (text, "tns_row0 *= %d;", t->shape->rows);
  tns_text_line (text, "(void) tns_batch;");
  tns_cuda_iterators (t->c, "batch", n, loop);
}

/* For each element of the thread's that is there, its iterators known,
   between braces.  */
static void
open_elements (tiling *t)
{
  tns_text *text = t->c->text;
  tns_text_line (text, "TNS_UNROLL for (int tns_i = 0; tns_i < %d; tns_i++)",
                 t->shape->thread_rows);
  text->indent += 2;
  tns_text_line (text, "TNS_UNROLL for (int tns_j = 0; tns_j < %d; tns_j++)",
                 t->shape->thread_columns);
  text->indent += 2;
  open_brace (t);
  for (int role = TNS_TILE_ROW; role <= TNS_TILE_COLUMN; role++)
    {
      const char *word = word_of ((tns_tile_role) role);
      int groups = own_lines (t, (tns_tile_role) role) / 4;
      const char *i = role == TNS_TILE_ROW ? "tns_i" : "tns_j";
      tns_text_line (text,
                     "const long tns_%s = tns_%s0 + %s / 4 * %d + tns_own_%s "
                     "* 4 + %s %% 4;",
                     word, word, i, lines_of (t, (tns_tile_role) role) / groups,
                     word, i);
    }
}

/* What open_elements began ends.  */
static void
close_elements (tiling *t)
{
  close_brace (t);
  t->c->text->indent -= 4;
}

/* The iterators of rows and columns, for NODE and the target.  */
static void
add_element_iterators (tiling *t, tns_node *node)
{
  tns_node *loop[TNS_MOST_TILED];
  for (int role = TNS_TILE_ROW; role <= TNS_TILE_COLUMN; role++)
    {
      int n = loops_of (t, (tns_tile_role) role, loop);
      tns_cuda_iterators (t->c, word_of ((tns_tile_role) role), n, loop);
      for (int k = 0; k < n; k++)
        if (!tns_node_mentions (node, loop[k]->iter)
            && !tns_expr_mentions (t->tile->update->target, loop[k]->iter))
          tns_text_line (t->c->text, "(void) %s;",
                         tns_c99_name (t->c, loop[k]->iter));
    }
}

/* The sums begin with what the target holds before the inner loops.  */
static void
add_begin (tiling *t)
{
  tns_text *text = t->c->text;
  open_elements (t);
  tns_text_line (text, "tns_sum[tns_i][tns_j] = 0;");
  tns_text_line (text, "if (tns_row < tns_rows && tns_column < tns_columns)");
  text->indent += 2;
  open_brace (t);
  add_element_iterators (t, t->tile->before);
  tns_c99_node (t->c, t->tile->before);
  tns_text_begin (text);
  tns_text_add (text, "tns_sum[tns_i][tns_j] = ");
  tns_c99_expr (t->c, t->tile->update->target, 0);
  tns_text_add (text, ";\n");
  close_brace (t);
  text->indent -= 2;
  close_elements (t);
}

/* LOCALs that stand before the inner loops begin here again.  */
static void
add_locals (tiling *t)
{
  const tns_node *before = t->tile->before;
  for (int k = 0; k < before->n_kids; k++)
    if (before->kid[k]->kind == TNS_LOCAL)
      tns_c99_declare (t->c, before->kid[k]->sym);
}

/* The sums go where they belong, and what comes behind is done.  */
static void
add_end (tiling *t)
{
  tns_text *text = t->c->text;
  open_elements (t);
  tns_text_line (text, "if (tns_row < tns_rows && tns_column < tns_columns)");
  text->indent += 2;
  open_brace (t);
  add_element_iterators (t, t->tile->after);
  add_locals (t);
  tns_text_begin (text);
  tns_c99_expr (t->c, t->tile->update->target, 0);
  tns_text_add (text, " = tns_sum[tns_i][tns_j];\n");
  tns_c99_node (t->c, t->tile->after);
  close_brace (t);
  text->indent -= 2;
  close_elements (t);
}

/* A number called NAME.  */
static tns_expr *
named (tiling *t, const char *name, tns_elem elem)
{
  tns_arena *arena = t->c->text->arena;
  tns_sym *sym = TNS_NEW (arena, tns_sym);
  sym->kind = TNS_SYM_VALUE;
  sym->type = tns_scalar (elem);
  sym->name = name;
  sym->id = t->c->region->n_syms;
  return tns_value (arena, sym);
}

/* The changer: an operand is in a register.  */
static tns_expr *
use_register (tns_expr *expr, void *self)
{
  tiling *t = self;
  tns_arena *arena = t->c->text->arena;
  for (int o = 0; tns_expr_reads (expr) && o < t->tile->n_operands; o++)
    if (tns_expr_equal (expr, t->tile->operand[o].load))
      return named (t,
                    tns_arena_format (arena, "tns_own%d[%s]", o,
                                      t->tile->operand[o].role == TNS_TILE_ROW
                                        ? "tns_i"
                                        : "tns_j"),
                    expr->type.elem);
  return expr;
}

/* What is done for one inner value, tns_k of the half tns_half.  */
static void
add_update (tiling *t)
{
  tns_text *text = t->c->text;
  const tns_node *update = t->tile->update;
  for (int o = 0; o < t->tile->n_operands; o++)
    {
      const tns_operand *operand = &t->tile->operand[o];
      int own = own_lines (t, operand->role);
      tns_text_line (text, "__align__ (16) %s tns_own%d[%d];",
                     type_of (operand), o, own);
      tns_text_line (
        text, "TNS_UNROLL for (int tns_i = 0; tns_i < %d; tns_i += 4)", own);
      tns_text_line (text,
                     "  tns_take<4> (&tns_own%d[tns_i], "
                     "&tns_shared%d[tns_half][tns_k][tns_i / 4 * %d + "
                     "tns_own_%s * 4]);",
                     o, o, lines_of (t, operand->role) / (own / 4),
                     word_of (operand->role));
    }
  tns_text_line (text, "TNS_UNROLL for (int tns_i = 0; tns_i < %d; tns_i++)",
                 t->shape->thread_rows);
  tns_text_line (text, "  TNS_UNROLL for (int tns_j = 0; tns_j < %d; tns_j++)",
                 t->shape->thread_columns);
  tns_text_begin (text);
  tns_elem elem = update->target->type.elem;
  tns_expr *arg[2]
    = { named (t, "tns_sum[tns_i][tns_j]", elem),
        tns_expr_rebuild (text->arena, update->value, use_register, t) };
  tns_text_add (text, "    tns_sum[tns_i][tns_j] = ");
  tns_c99_expr (
    t->c,
    tns_make (text->arena, update->update, tns_scalar (elem), NULL, 2, arg), 0);
  tns_text_add (text, ";\n");
}

/* The function that does what is done for one inner value, tns_k of the half
   tns_half.  */
static void
add_update_function (tiling *t)
{
  tns_text_line (t->c->text,
                 "const auto tns_update = [&] (int tns_k) TNS_INLINE");
  open_brace (t);
  add_update (t);
  t->c->text->indent -= 2;
  tns_text_line (t->c->text, "};");
}

/* The inner loops, as many values at a time as shared memory holds, while there
   are so many; what is left, one by one.  */
static void
add_steps (tiling *t)
{
  tns_text *text = t->c->text;
  int depth = t->shape->depth;
  tns_text_line (text, "int tns_half = 0;");
  add_update_function (t);
  tns_text_line (text, "tns_fetch_next (0);");
  tns_text_line (text, "tns_keep (0);");
  tns_text_line (text, "__syncthreads ();");
  tns_text_line (text, "long tns_from = 0;");
  tns_text_line (text, "for (; tns_from + %d <= tns_inners; tns_from += %d)",
                 depth, depth);
  text->indent += 2;
  open_brace (t);
  tns_text_line (text, "const bool tns_more = tns_from + %d < tns_inners;",
                 depth);
  tns_text_line (text, "if (tns_more)");
  tns_text_line (text, "  tns_fetch_next (tns_from + %d);", depth);
  tns_text_line (text, "TNS_UNROLL for (int tns_k = 0; tns_k < %d; tns_k++)",
                 depth);
  tns_text_line (text, "  tns_update (tns_k);");
  tns_text_line (text, "tns_half ^= 1;");
  tns_text_line (text, "if (tns_more)");
  tns_text_line (text, "  tns_keep (tns_half);");
  tns_text_line (text, "__syncthreads ();");
  close_brace (t);
  text->indent -= 2;
  tns_text_line (text,
                 "TNS_ROLL for (int tns_k = 0; tns_k < tns_inners - tns_from; "
                 "tns_k++)");
  tns_text_line (text, "  tns_update (tns_k);");
  tns_text_line (text, "__syncthreads ();");
}

/* The part of the tile that a thread has: a warp's threads are 4 rows and 8
   columns of threads, so that few of them read other words of shared
   memory.  */
static void
add_own (tiling *t)
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
tns_cuda_tile (tns_c99 *c, const tns_tile *tile, const tns_tile_shape *shape)
{
  tiling t = { c, tile, shape };
  tns_text *text = c->text;
  add_extents (&t);
  tns_text_line (text,
                 "const long tns_tiles = %stns_batchs * tns_row_blocks * "
                 "tns_column_blocks;",
                 is_bare (&t) ? "tns_inners == 0 ? 0 : " : "");
  add_own (&t);
  add_shared (&t);
  tns_text_line (text, "%s tns_sum[%d][%d];",
                 tns_elem_c_name (tile->update->target->type.elem),
                 shape->thread_rows, shape->thread_columns);
  tns_text_line (text, "for (long tns_at = blockIdx.x; tns_at < tns_tiles; "
                       "tns_at += gridDim.x)");
  text->indent += 2;
  open_brace (&t);
  add_position (&t);
  add_begin (&t);
  add_moves (&t);
  add_steps (&t);
  add_end (&t);
  close_brace (&t);
  text->indent -= 2;
}
