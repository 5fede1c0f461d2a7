/* Contractions by tensor cores as text: lowering/cuda-matrix.h.

   An instruction multiplies 16 x 16 elements of the row operand and 16 x 8 of
   the column operand, of tf32 16 x 8 and 8 x 8: of both two chunks of inner
   values (lowering/grid-matrix.h).  */

#include "lowering/cuda-matrix.h"

#include "ir/walk.h"
#include "lowering/cuda-number.h"
#include "lowering/cuda-stages.h"
#include "lowering/cuda-tiling.h"

/* A tile being printed, and what its factors are.  */
typedef struct product
{
  tns_tiling t;
  const tns_matrix *matrix;
} product;

/* The product that T is of.  */
static const product *
product_of (const tns_tiling *t)
{
  return (const product *) t;
}

/* Factor O of T.  */
static const tns_factor *
factor_of (const tns_tiling *t, int o)
{
  return &product_of (t)->matrix->factor[o];
}

/* T's factors are rounded to tf32, a word each.  */
static bool
is_tf32 (const tns_tiling *t)
{
  return product_of (t)->matrix->precision == TNS_PRECISION_TF32;
}

/* The operand with ROLE.  */
static int
operand_with (const tns_tiling *t, tns_tile_role role)
{
  return t->tile->operand[0].role == role ? 0 : 1;
}

/* How many neighbours of operand O are moved at once: a run.  */
static int
run_of (const tns_tiling *t, int o)
{
  return tns_stages_send (t, o) ? 8 : 4;
}

/* How many runs of operand O's elements a thread moves at a time.  */
static int
moved (const tns_tiling *t, int o)
{
  int lines = tns_tiling_lines (t, t->tile->operand[o].role);
  return lines * t->shape->depth / run_of (t, o) / t->shape->threads;
}

/* The elements of a part of operand O's shared memory.  */
static int
part_of (const tns_tiling *t, int o)
{
  return tns_tiling_lines (t, t->tile->operand[o].role) * t->shape->depth;
}

/* The bytes of all its parts.  */
static int
bytes_of (const tns_tiling *t, int o)
{
  return part_of (t, o) * tns_stages_parts (t, o) * (is_tf32 (t) ? 4 : 2);
}

/* Operand O's shared memory.  */
static void
add_memory (const tns_tiling *t, int o)
{
  tns_text *text = t->c->text;
  const char *type = is_tf32 (t) ? "unsigned int" : "unsigned short";
  if (!t->stages->bytes)
    {
      tns_text_line (text,
                     "__shared__ __align__ (128) %s tns_shared%d[%d][%d];",
                     type, o, tns_stages_parts (t, o), part_of (t, o));
      return;
    }
  if (o == 0)
    tns_text_line (text, "TNS_SHARED (unsigned char, tns_memory);");
  tns_text_line (text,
                 "%s (*const tns_shared%d)[%d] = (%s (*)[%d]) (tns_memory + "
                 "%d);",
                 type, o, part_of (t, o), type, part_of (t, o),
                 o ? bytes_of (t, 0) : 0);
}

/* Shared memory, the place of an element there, and what is on its way
   there.  */
static void
add_shared (const tns_tiling *t, int o)
{
  tns_text *text = t->c->text;
  tns_precision precision = product_of (t)->matrix->precision;
  int chunk = tns_matrix_chunk (precision);
  int lines = tns_tiling_lines (t, t->tile->operand[o].role);
  bool along = factor_of (t, o)->along;
  const char *row = along ? "tns_line" : "tns_inner";
  const char *column = along ? "tns_inner" : "tns_line";
  tns_swizzle by = tns_matrix_swizzle (precision, along);
  add_memory (t, o);
  tns_text_line (text,
                 "const auto tns_place%d = [] (unsigned int tns_line, unsigned "
                 "int tns_inner)",
                 o);
  tns_tiling_open (t);
  tns_text_line (text,
                 "return %s * %d + (%s / %d ^ %s / %d %% %d * %d) * %d + %s %% "
                 "%d;",
                 row, along ? t->shape->depth : lines, column, chunk, row,
                 by.divisor, by.modulus, by.factor, chunk, column, chunk);
  text->indent -= 2;
  tns_text_line (text, "};");
  if (!tns_stages_send (t, o))
    tns_text_line (text, "__align__ (16) %s tns_next%d[%d];",
                   tns_tiling_type (&t->tile->operand[o]), o, 4 * moved (t, o));
}

/* For each run of operand O that the thread moves, between braces: where in
   the tile the first is, tns_line0 and tns_inner0.  */
static void
open_runs (const tns_tiling *t, int o)
{
  tns_text *text = t->c->text;
  bool along = factor_of (t, o)->along;
  int lines = tns_tiling_lines (t, t->tile->operand[o].role);
  int run = run_of (t, o);
  int row = (along ? t->shape->depth : lines) / run;
  tns_text_line (text, "TNS_UNROLL for (int tns_q = 0; tns_q < %d; tns_q++)",
                 moved (t, o));
  text->indent += 2;
  tns_tiling_open (t);
  tns_text_line (text, "const unsigned int tns_e = threadIdx.x + tns_q * %d;",
                 t->shape->threads);
  tns_text_line (text, "const unsigned int tns_%s0 = tns_e %% %d * %d;",
                 along ? "inner" : "line", row, run);
  tns_text_line (text, "const unsigned int tns_%s0 = tns_e / %d;",
                 along ? "line" : "inner", row);
}

/* What open_runs began ends.  */
static void
close_runs (const tns_tiling *t)
{
  tns_tiling_close (t);
  t->c->text->indent -= 2;
}

/* The iterators of operand O's element with inner value tns_inner.  */
static void
add_iterators (const tns_tiling *t, int o)
{
  tns_node *loop[TNS_MOST_TILED];
  tns_tile_role role = t->tile->operand[o].role;
  int n = tns_tiling_loops (t, role, loop);
  tns_cuda_iterators (t->c, "inner", t->tile->n_inner, t->tile->inner);
  tns_cuda_iterators (t->c, tns_tiling_word (role), n, loop);
}

/* The iterators of the first of a run of operand O's elements, where inner
   values begin at FROM.  */
static void
add_first (const tns_tiling *t, int o, const char *from)
{
  const char *word = tns_tiling_word (t->tile->operand[o].role);
  tns_text_line (t->c->text, "const long tns_inner = %stns_inner0;", from);
  tns_text_line (t->c->text, "const long tns_%s = tns_%s0 + tns_line0;", word,
                 word);
  add_iterators (t, o);
}

/* Append HEAD, the address of operand O's element, and TAIL, a line.  */
static void
add_address (const tns_tiling *t, int o, const char *head, const char *tail)
{
  tns_text *text = t->c->text;
  tns_text_begin (text);
  tns_text_format (text, "%s&", head);
  tns_c99_expr (t->c, t->tile->operand[o].load, 0);
  tns_text_format (text, "%s\n", tail);
}

/* tns_tiling's look: the thread's first run of operand O, how far the next is
   away, whether all of its lines are there, and whether runs can be had at
   once, which stays so in all steps.  */
static void
look_at (const tns_tiling *t, int o)
{
  const char *word = tns_tiling_word (t->tile->operand[o].role);
  const char *type = tns_tiling_type (&t->tile->operand[o]);
  tns_text *text = t->c->text;
  if (!factor_of (t, o)->steady)
    return;
  tns_text_line (text, "bool tns_whole%d = tns_%s0 + %d <= tns_%ss;", o, word,
                 tns_tiling_lines (t, t->tile->operand[o].role), word);
  tns_text_line (text, "const %s *tns_from%d = 0;", type, o);
  tns_text_line (text, "long tns_gap%d = 0;", o);
  open_runs (t, o);
  add_first (t, o, "");
  add_address (
    t, o, tns_arena_format (text->arena, "const %s *const tns_here = ", type),
    ";");
  tns_text_line (text, "tns_whole%d &= tns_are<%d> (tns_here);", o,
                 run_of (t, o));
  tns_text_line (text, "if (tns_q == 0)");
  tns_text_line (text, "  tns_from%d = tns_here;", o);
  tns_text_line (text, "if (tns_q == 1)");
  tns_text_line (text, "  tns_gap%d = tns_here - tns_from%d;", o, o);
  close_runs (t);
}

/* The address of run number tns_q of operand O, which is steady, in a step: the
   runs of a thread are lines apart, or, where lines go across memory, inner
   values.  */
static const char *
address_of (const tns_tiling *t, int o)
{
  tns_arena *arena = t->c->text->arena;
  int lines = tns_tiling_lines (t, t->tile->operand[o].role);
  if (factor_of (t, o)->along)
    return tns_arena_format (arena, "tns_from%d + tns_from + tns_q * tns_gap%d",
                             o, o);
  return tns_arena_format (arena,
                           "tns_from%d + (tns_from / %d + tns_q) * tns_gap%d",
                           o, run_of (t, o) * t->shape->threads / lines, o);
}

/* How many of the first of a run of operand O's neighbours in memory are
   there.  */
static void
add_there (const tns_tiling *t, int o)
{
  const char *word = tns_tiling_word (t->tile->operand[o].role);
  if (factor_of (t, o)->along)
    tns_text_line (t->c->text,
                   "const long tns_there = tns_%s0 + tns_line0 < tns_%ss ? "
                   "tns_inners - tns_from - tns_inner0 : 0;",
                   word, word);
  else
    tns_text_line (t->c->text,
                   "const long tns_there = tns_from + tns_inner0 < tns_inners "
                   "? tns_%ss - tns_%s0 - tns_line0 : 0;",
                   word, word);
}

/* Data tell where operand O's elements lie: where there is none, they are not
   to be asked.  */
static bool
is_told (const tns_tiling *t, int o)
{
  const tns_expr *load = t->tile->operand[o].load;
  bool told = false;
  for (int k = 0; k < load->n_args; k++)
    told |= tns_expr_loads (load->arg[k]);
  return told;
}

/* Take four neighbours in memory of operand O, which is not steady, as far as
   they are there.  */
static void
take_placed (const tns_tiling *t, int o)
{
  tns_text *text = t->c->text;
  bool told = is_told (t, o);
  if (told)
    {
      tns_text_line (text,
                     "TNS_UNROLL for (int tns_v = 0; tns_v < 4; tns_v++)");
      tns_text_line (text, "  tns_next%d[tns_q * 4 + tns_v] = 0;", o);
      tns_text_line (text, "if (tns_there > 0)");
      text->indent += 2;
      tns_tiling_open (t);
    }
  add_first (t, o, "tns_from + ");
  add_address (
    t, o,
    tns_arena_format (text->arena, "tns_read4 (&tns_next%d[tns_q * 4], ", o),
    ", tns_there);");
  if (told)
    {
      tns_tiling_close (t);
      text->indent -= 2;
    }
}

/* The same of any operand that is dense.  */
static void
take_neighbours (const tns_tiling *t, int o)
{
  open_runs (t, o);
  add_there (t, o);
  if (factor_of (t, o)->steady)
    tns_text_line (t->c->text,
                   "tns_read4 (&tns_next%d[tns_q * 4], %s, tns_there);", o,
                   address_of (t, o));
  else
    take_placed (t, o);
  close_runs (t);
}

/* The same in one access each where all are there, else as above.  */
static void
take_whole (const tns_tiling *t, int o)
{
  tns_text *text = t->c->text;
  tns_text_line (text, "if (tns_whole%d && tns_from + %d <= tns_inners)", o,
                 t->shape->depth);
  tns_text_line (text, "  TNS_UNROLL for (int tns_q = 0; tns_q < %d; tns_q++)",
                 moved (t, o));
  tns_text_line (text, "    tns_get4 (&tns_next%d[tns_q * 4], %s);", o,
                 address_of (t, o));
  tns_text_line (text, "else");
  text->indent += 2;
  take_neighbours (t, o);
  text->indent -= 2;
}

/* Take four elements of operand O, each from where it is.  */
static void
take_each (const tns_tiling *t, int o)
{
  tns_text *text = t->c->text;
  const char *word = tns_tiling_word (t->tile->operand[o].role);
  bool along = factor_of (t, o)->along;
  open_runs (t, o);
  tns_text_line (text, "TNS_UNROLL for (int tns_v = 0; tns_v < 4; tns_v++)");
  text->indent += 2;
  tns_tiling_open (t);
  tns_text_line (text, "const long tns_inner = tns_from + tns_inner0%s;",
                 along ? " + tns_v" : "");
  tns_text_line (text, "const long tns_%s = tns_%s0 + tns_line0%s;", word, word,
                 along ? "" : " + tns_v");
  tns_text_line (text, "tns_next%d[tns_q * 4 + tns_v] = 0;", o);
  tns_text_line (text, "if (tns_inner < tns_inners && tns_%s < tns_%ss)", word,
                 word);
  text->indent += 2;
  tns_tiling_open (t);
  add_iterators (t, o);
  tns_text_begin (text);
  tns_text_format (text, "tns_next%d[tns_q * 4 + tns_v] = ", o);
  tns_c99_expr (t->c, t->tile->operand[o].load, 0);
  tns_text_add (text, ";\n");
  tns_tiling_close (t);
  text->indent -= 2;
  tns_tiling_close (t);
  text->indent -= 2;
  close_runs (t);
}

/* tns_tiling's take.  */
static void
take_operand (const tns_tiling *t, int o)
{
  if (factor_of (t, o)->steady)
    take_whole (t, o);
  else if (factor_of (t, o)->dense)
    take_neighbours (t, o);
  else
    take_each (t, o);
}

/* tns_tiling's send: whole copies where all are there, else what is.  */
static void
send_operand (const tns_tiling *t, int o)
{
  tns_text *text = t->c->text;
  tns_arena *arena = text->arena;
  const char *type = "const unsigned short *";
  const char *to = tns_arena_format (
    arena, "(&tns_shared%d[tns_into][tns_place%d (tns_line0, tns_inner0)], ", o,
    o);
  open_runs (t, o);
  add_there (t, o);
  if (factor_of (t, o)->steady)
    {
      tns_text_line (text, "if (tns_whole%d && tns_from + %d <= tns_inners)", o,
                     t->shape->depth);
      tns_text_line (text, "  tns_copy_async16 %s%s);", to, address_of (t, o));
      tns_text_line (text, "else");
      tns_text_line (text, "  tns_send %s(%s) (%s), tns_there);", to, type,
                     address_of (t, o));
    }
  else
    {
      add_first (t, o, "tns_from + ");
      add_address (t, o, tns_arena_format (arena, "tns_send %s(%s) ", to, type),
                   ", tns_there);");
    }
  close_runs (t);
}

/* The changer: an operand is in a register.  */
static tns_expr *
use_register (tns_expr *expr, void *self)
{
  const tns_tiling *t = self;
  for (int o = 0; tns_expr_reads (expr) && o < 2; o++)
    if (tns_expr_equal (expr, t->tile->operand[o].load))
      return tns_cuda_named (t->c,
                             tns_arena_format (t->c->text->arena,
                                               "tns_next%d[tns_q * 4 + tns_v]",
                                               o),
                             expr->type.elem);
  return expr;
}

/* Compute four values of factor O, tns_four; zeros behind the last inner
   value.  */
static void
add_values (const tns_tiling *t, int o)
{
  tns_text *text = t->c->text;
  const tns_factor *factor = factor_of (t, o);
  tns_expr *value
    = tns_expr_rebuild (text->arena, factor->value, use_register, (void *) t);
  tns_text_line (text, "float tns_four[4];");
  tns_text_line (text, "TNS_UNROLL for (int tns_v = 0; tns_v < 4; tns_v++)");
  tns_text_begin (text);
  tns_text_add (text, "  tns_four[tns_v] = ");
  if (!factor->plain)
    tns_text_format (text, "tns_inner0%s >= tns_inners - tns_from ? 0.0f : ",
                     factor->along ? " + tns_v" : "");
  tns_c99_expr (t->c, value, factor->plain ? 0 : 3);
  tns_text_add (text, ";\n");
}

/* tns_tiling's keep.  */
static void
keep_operand (const tns_tiling *t, int o)
{
  tns_precision precision = product_of (t)->matrix->precision;
  open_runs (t, o);
  if (!factor_of (t, o)->raw)
    add_values (t, o);
  tns_text_line (
    t->c->text,
    "tns_keep4_%s (&tns_shared%d[tns_half][tns_place%d (tns_line0, "
    "tns_inner0)], %s);",
    factor_of (t, o)->raw ? "raw" : tns_precision_word (precision), o, o,
    factor_of (t, o)->raw ? tns_arena_format (
      t->c->text->arena, "(const unsigned short *) &tns_next%d[tns_q * 4]", o)
                          : "tns_four");
  close_runs (t);
}

/* Load TO[0..4), what an instruction takes of 16 lines of operand O, number
   tns_i of the warp's: lines go on first for the row operand, inner values for
   the column operand.  */
static void
add_load (const tns_tiling *t, int o, const char *to)
{
  tns_text *text = t->c->text;
  tns_tile_role role = t->tile->operand[o].role;
  bool rows = role == TNS_TILE_ROW;
  bool along = factor_of (t, o)->along;
  int chunk = tns_matrix_chunk (product_of (t)->matrix->precision);
  const char *first
    = along == rows ? "tns_lane % 16" : "tns_lane % 8 + tns_lane / 16 * 8";
  const char *second = along == rows ? "tns_lane / 16" : "tns_lane / 8 % 2";
  if (is_tf32 (t) && !along)
    {
      tns_text_line (text,
                     "TNS_UNROLL for (int tns_m = 0; tns_m < 4; tns_m++)");
      tns_text_line (
        text,
        "  %s[tns_m] = tns_shared%d[tns_half][tns_place%d (tns_first_%s + "
        "tns_i * 16 + tns_m %s 2 * 8 + tns_lane / 4, tns_k + tns_m %s 2 * 4 + "
        "tns_lane %% 4)];",
        to, o, o, tns_tiling_word (role), rows ? "%" : "/", rows ? "/" : "%");
      return;
    }
  tns_text_line (
    text,
    "%s (%s, &tns_shared%d[%s][tns_place%d (tns_first_%s + tns_i * 16 + "
    "%s%s, tns_k + %s%s)]);",
    along ? "tns_load_tiles" : "tns_load_tiles_transposed", to, o,
    tns_stages_read (t, o), o, tns_tiling_word (role), along ? first : second,
    along ? "" : " * 8", along ? second : first,
    along ? tns_arena_format (text->arena, " * %d", chunk) : "");
}

/* Two chunks of inner values, from tns_k on: the columns' all at once, then by
   16 rows.  */
static void
add_products (const tns_tiling *t)
{
  tns_text *text = t->c->text;
  int columns = t->shape->thread_columns / 4;
  tns_text_line (text, "unsigned int tns_b[%d][4];", columns);
  tns_text_line (text, "TNS_UNROLL for (int tns_i = 0; tns_i < %d; tns_i++)",
                 columns);
  text->indent += 2;
  tns_tiling_open (t);
  add_load (t, operand_with (t, TNS_TILE_COLUMN), "tns_b[tns_i]");
  tns_tiling_close (t);
  text->indent -= 2;
  tns_text_line (text, "TNS_UNROLL for (int tns_i = 0; tns_i < %d; tns_i++)",
                 t->shape->thread_rows / 2);
  text->indent += 2;
  tns_tiling_open (t);
  tns_text_line (text, "unsigned int tns_a[4];");
  add_load (t, operand_with (t, TNS_TILE_ROW), "tns_a");
  tns_text_line (text, "TNS_UNROLL for (int tns_j = 0; tns_j < %d; tns_j++)",
                 2 * columns);
  tns_text_line (text,
                 "  tns_mma_%s (tns_sum[tns_i][tns_j], tns_a, &tns_b[tns_j / "
                 "2][tns_j %% 2 * 2]);",
                 tns_precision_word (product_of (t)->matrix->precision));
  tns_tiling_close (t);
  text->indent -= 2;
}

/* tns_tiling's add.  */
static void
add_step (const tns_tiling *t)
{
  tns_text *text = t->c->text;
  tns_precision precision = product_of (t)->matrix->precision;
  tns_text_line (text,
                 "TNS_UNROLL for (int tns_k = 0; tns_k < %d; tns_k += %d)",
                 t->shape->depth, 2 * tns_matrix_chunk (precision));
  text->indent += 2;
  tns_tiling_open (t);
  add_products (t);
  tns_tiling_close (t);
  text->indent -= 2;
}

/* Which rows and columns of the tile the warp has, and the thread.  */
static void
add_warp (const tns_tiling *t)
{
  tns_text *text = t->c->text;
  int rows = t->shape->thread_rows * 8;
  int columns = t->shape->thread_columns * 4;
  int across = t->shape->columns / columns;
  tns_text_line (text, "const unsigned int tns_lane = threadIdx.x %% 32;");
  tns_text_line (text,
                 "const unsigned int tns_first_row = threadIdx.x / 32 / %d * "
                 "%d;",
                 across, rows);
  tns_text_line (text,
                 "const unsigned int tns_first_column = threadIdx.x / 32 %% %d "
                 "* %d;",
                 across, columns);
}

void
tns_cuda_matrix (tns_c99 *c, const tns_tile *tile, const tns_matrix *matrix,
                 int shape, const tns_stages *stages)
{
  const tns_tile_shape *sizes = &tns_matrix_shapes (matrix)[shape];
  product p = { .t = { .c = c, .tile = tile, .shape = sizes, .stages = stages },
                .matrix = matrix };
  tns_tiling *t = &p.t;
  t->place[TNS_TILE_ROW] = "tns_first_row + tns_i * 8 + tns_lane / 4";
  t->place[TNS_TILE_COLUMN] = "tns_first_column + tns_j / 2 * 8 + tns_lane % 4 "
                              "* 2 + tns_j % 2";
  t->sum = "tns_sum[tns_i / 2][tns_j / 2][tns_i % 2 * 2 + tns_j % 2]";
  t->early = true;
  t->look = look_at;
  t->take = take_operand;
  t->keep = keep_operand;
  t->send = send_operand;
  t->add = add_step;
  tns_tiling_extents (t);
  add_warp (t);
  for (int o = 0; o < 2; o++)
    add_shared (t, o);
  tns_text_line (c->text, "float tns_sum[%d][%d][4];", sizes->thread_rows / 2,
                 sizes->thread_columns / 2);
  tns_tiling_tiles (t);
}
