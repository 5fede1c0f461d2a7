/* Products by warpgroups as text: lowering/cuda-group.h.  */

#include "lowering/cuda-group.h"

#include "lowering/cuda-tiling.h"

/* The inner values that one instruction takes; elements of a row of a stage;
   its bytes; those of eight rows.  */
enum
{
  DEPTH = 16,
  ROW_ELEMENTS = 64,
  ROW_BYTES = 128,
  BLOCK_BYTES = 1024
};

/* A product being printed.  */
typedef struct product
{
  tns_tiling t;
  const tns_matrix *matrix;
} product;

/* Operand O's elements lie along the inner loop.  */
static bool
is_along (const product *p, int o)
{
  return p->matrix->factor[o].along;
}

/* How many lines of operand O a tile has.  */
static int
lines_of (const product *p, int o)
{
  return tns_tiling_lines (&p->t, p->t.tile->operand[o].role);
}

/* Where the part of a stage begins that operand O has, in elements.  */
static int
part_of (const product *p, int o)
{
  return o == 0 ? 0 : lines_of (p, 0) * TNS_GROUP_DEPTH;
}

/* The elements of a stage.  */
static int
stage_of (const product *p)
{
  return (lines_of (p, 0) + lines_of (p, 1)) * TNS_GROUP_DEPTH;
}

/* Shared memory: the stages, and barriers; which warp and rows a thread
   has.  */
static void
add_shared (const product *p)
{
  tns_text *text = p->t.c->text;
  tns_text_line (text, "TNS_SHARED (unsigned short, tns_memory);");
  tns_text_line (text, "__shared__ tns_barrier tns_full[%d];",
                 TNS_GROUP_STAGES);
  tns_text_line (text, "__shared__ tns_barrier tns_empty[%d];",
                 TNS_GROUP_STAGES);
  tns_text_line (text, "const unsigned int tns_lane = threadIdx.x %% 32;");
  tns_text_line (text,
                 "const unsigned int tns_first_row = threadIdx.x / 32 * %d;",
                 p->t.shape->thread_rows * 8);
}

/* The barriers begin: one thread fills a stage, and all warps that multiply
   empty it.  */
static void
add_barriers (const product *p)
{
  tns_text *text = p->t.c->text;
  tns_text_line (text, "if (threadIdx.x == 0)");
  text->indent += 2;
  tns_tiling_open (&p->t);
  tns_text_line (text, "for (int tns_s = 0; tns_s < %d; tns_s++)",
                 TNS_GROUP_STAGES);
  tns_text_line (text, "  tns_barrier_init (&tns_full[tns_s], 1);");
  tns_text_line (text, "for (int tns_s = 0; tns_s < %d; tns_s++)",
                 TNS_GROUP_STAGES);
  tns_text_line (text, "  tns_barrier_init (&tns_empty[tns_s], %d);",
                 TNS_GROUP_WORKERS / 32);
  tns_text_line (text, "tns_group_show ();");
  tns_tiling_close (&p->t);
  text->indent -= 2;
  tns_text_line (text, "__syncthreads ();");
}

/* The loop over steps, and which stage a step has.  */
static void
open_steps (const product *p)
{
  tns_text *text = p->t.c->text;
  tns_text_line (text, "unsigned int tns_step = 0;");
  tns_text_line (text,
                 "TNS_ROLL for (long tns_from = 0; tns_from < tns_inners; "
                 "tns_from += %d, tns_step++)",
                 TNS_GROUP_DEPTH);
  text->indent += 2;
  tns_tiling_open (&p->t);
  tns_text_line (text, "const unsigned int tns_stage = tns_step %% %d;",
                 TNS_GROUP_STAGES);
  tns_text_line (text,
                 "unsigned short *const tns_here = tns_memory + tns_stage * "
                 "%d;",
                 stage_of (p));
}

/* It ends.  */
static void
close_steps (const product *p)
{
  tns_tiling_close (&p->t);
  p->t.c->text->indent -= 2;
}

/* The step's elements of operand O begin to be copied.  */
static void
add_copies (const product *p, int o)
{
  tns_text *text = p->t.c->text;
  const char *word = tns_tiling_word (p->t.tile->operand[o].role);
  if (is_along (p, o))
    {
      tns_text_line (text,
                     "tns_map_copy (tns_here + %d, &tns_given.map[%d], "
                     "tns_from, tns_%s0, &tns_full[tns_stage]);",
                     part_of (p, o), o, word);
      return;
    }
  tns_text_line (text, "TNS_UNROLL for (int tns_c = 0; tns_c < %d; tns_c++)",
                 lines_of (p, o) / ROW_ELEMENTS);
  tns_text_line (text,
                 "  tns_map_copy (tns_here + %d + tns_c * %d, "
                 "&tns_given.map[%d], tns_%s0 + tns_c * %d, tns_from, "
                 "&tns_full[tns_stage]);",
                 part_of (p, o), ROW_ELEMENTS * TNS_GROUP_DEPTH, o, word,
                 ROW_ELEMENTS);
}

/* What the thread that copies does.  */
static void
add_copier (const product *p)
{
  tns_text *text = p->t.c->text;
  tns_text_line (text, "tns_group_release<40> ();");
  tns_text_line (text, "if (threadIdx.x == %d)", TNS_GROUP_WORKERS);
  text->indent += 2;
  tns_tiling_open (&p->t);
  open_steps (p);
  tns_text_line (text, "if (tns_step >= %d)", TNS_GROUP_STAGES);
  tns_text_line (text,
                 "  tns_barrier_wait (&tns_empty[tns_stage], (tns_step / %d "
                 "- 1) %% 2);",
                 TNS_GROUP_STAGES);
  tns_text_line (text, "tns_barrier_expect (&tns_full[tns_stage], %d);",
                 stage_of (p) * 2);
  for (int o = 0; o < 2; o++)
    add_copies (p, o);
  close_steps (p);
  tns_tiling_close (&p->t);
  text->indent -= 2;
}

/* Where operand O's elements for inner values from tns_k on are: of the row
   operand those of the warpgroup's rows.  */
static const char *
place_of (const product *p, int o)
{
  tns_arena *arena = p->t.c->text->arena;
  bool rows = p->t.tile->operand[o].role == TNS_TILE_ROW;
  const char *group = rows
                        ? tns_arena_format (arena, "threadIdx.x / 128 * %d + ",
                                            ROW_ELEMENTS * TNS_GROUP_DEPTH)
                        : "";
  return tns_arena_format (
    arena, "tns_group_place (tns_here + %d + %stns_k%s, %d, %d, %d)",
    part_of (p, o), group,
    is_along (p, o) ? "" : tns_arena_format (arena, " * %d", ROW_ELEMENTS),
    ROW_BYTES, is_along (p, o) ? 0 : ROW_BYTES * TNS_GROUP_DEPTH, BLOCK_BYTES);
}

/* A step's products, and those of the one before are done.  */
static void
add_products (const product *p)
{
  tns_text *text = p->t.c->text;
  int row = p->t.tile->operand[0].role == TNS_TILE_ROW ? 0 : 1;
  tns_text_line (text,
                 "tns_barrier_wait (&tns_full[tns_stage], tns_step / %d %% 2);",
                 TNS_GROUP_STAGES);
  tns_text_line (text, "tns_group_fence ();");
  tns_text_line (text,
                 "TNS_UNROLL for (int tns_k = 0; tns_k < %d; tns_k += %d)",
                 TNS_GROUP_DEPTH, DEPTH);
  tns_text_line (text,
                 "  tns_group_multiply_%s<%d, %d, %d> (tns_sum[0], %s, %s);",
                 tns_precision_word (p->matrix->precision), p->t.shape->columns,
                 !is_along (p, row), !is_along (p, !row), place_of (p, row),
                 place_of (p, !row));
  tns_text_line (text, "tns_group_commit ();");
  tns_text_line (text, "tns_group_wait<1> ();");
  tns_text_line (text, "if (tns_step > 0 && tns_lane == 0)");
  tns_text_line (text,
                 "  tns_barrier_arrive (&tns_empty[(tns_step - 1) %% %d]);",
                 TNS_GROUP_STAGES);
}

/* What a thread that multiplies does.  */
static void
add_worker (const product *p)
{
  tns_text *text = p->t.c->text;
  tns_text_line (text, "tns_group_claim<232> ();");
  tns_text_line (text, "float tns_sum[1][%d][4];",
                 p->t.shape->thread_columns / 2);
  tns_tiling_begin (&p->t);
  open_steps (p);
  add_products (p);
  close_steps (p);
  tns_text_line (text, "tns_group_wait<0> ();");
  tns_text_line (text, "tns_group_take (tns_sum[0]);");
  tns_tiling_end (&p->t);
}

void
tns_cuda_group (tns_c99 *c, const tns_tile *tile, const tns_matrix *matrix)
{
  tns_tile_shape shape = tns_group_shape (matrix);
  static const tns_stages none = { .n = 0 };
  product p = { .t = { .c = c, .tile = tile, .shape = &shape, .stages = &none },
                .matrix = matrix };
  p.t.band = TNS_GROUP_BAND;
  p.t.place[TNS_TILE_ROW] = "tns_first_row + tns_i * 8 + tns_lane / 4";
  p.t.place[TNS_TILE_COLUMN] = "tns_j / 2 * 8 + tns_lane % 4 * 2 + tns_j % 2";
  p.t.sum = "tns_sum[0][tns_j / 2][tns_i * 2 + tns_j % 2]";
  tns_tiling_extents (&p.t);
  tns_text_line (c->text, "(void) tns_tiles;");
  add_shared (&p);
  tns_text_line (c->text, "const long tns_at = blockIdx.x;");
  tns_tiling_position (&p.t);
  add_barriers (&p);
  tns_text_line (c->text, "if (threadIdx.x >= %d)", TNS_GROUP_WORKERS);
  c->text->indent += 2;
  tns_tiling_open (&p.t);
  add_copier (&p);
  tns_tiling_close (&p.t);
  c->text->indent -= 2;
  tns_text_line (c->text, "else");
  c->text->indent += 2;
  tns_tiling_open (&p.t);
  add_worker (&p);
  tns_tiling_close (&p.t);
  c->text->indent -= 2;
}
