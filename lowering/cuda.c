/* Kernels as CUDA C, as lowering/cuda.h says.

     for i = 0 to n parallel        for (long at = my number; at < work;
         collapse(2)                     at += all threads)
       for j = 1 to m         ->      {
         body                           const long i = at / (m - 1);
                                        const long j = at % (m - 1) + 1;
                                        body
                                      }

   Statements, expressions and names are those of lowering/c99*.c.  */

#include "lowering/cuda.h"

#include "ir/walk.h"
#include "lowering/c99-text.h"
#include "lowering/cuda-beside.h"
#include "lowering/cuda-block.h"
#include "lowering/cuda-columns.h"
#include "lowering/cuda-cross.h"
#include "lowering/cuda-group.h"
#include "lowering/cuda-halo.h"
#include "lowering/cuda-lines.h"
#include "lowering/cuda-matrix.h"
#include "lowering/cuda-number.h"
#include "lowering/cuda-scan.h"
#include "lowering/cuda-short.h"
#include "lowering/cuda-tile.h"
#include "lowering/grid-columns.h"
#include "lowering/cuda-wide.h"
#include "lowering/grid-again.h"
#include "lowering/grid-short.h"

#define MOST_THREADS 256
#define MOST_WARPS   32

/* Threads that have room where each has so many words of rows in registers,
   and where it has more.  */
#define FEW_WORDS          40
#define FEW_WORDS_THREADS  1024
#define MANY_WORDS_THREADS 512

#define MOST_LOOPS 16

static const char prelude[] =
#include "lowering/cuda-words.inc"
  "\n";

static const char own_words[] =
#include "lowering/cuda-prelude.inc"
  "\n";

static const char group_words[] =
#include "lowering/cuda-prelude-group.inc"
  "\n";

void
tns_cuda_prelude (tns_text *text, tns_grid_words words)
{
  tns_text_add (text, prelude);
  tns_cuda_wide_prelude (text);
  tns_cuda_scan_prelude (text);
  if (words >= TNS_WORDS_NEWER)
    tns_text_add (text, own_words);
  if (words >= TNS_WORDS_GROUP)
    tns_text_add (text, group_words);
}

const char *
tns_cuda_identifier (tns_arena *arena, const char *name)
{
  return tns_c99_identifier (arena, name);
}

const char *
tns_cuda_name (tns_arena *arena, const tns_kernel *kernel)
{
  return tns_c99_identifier (arena, kernel->region->name);
}

/* Whether nothing stores to SYM.  */
static bool
is_read_only (const tns_c99 *c, const tns_sym *sym)
{
  return (sym->flags & TNS_SYM_CONST)
         || !tns_node_writes (c->region->body, sym);
}

/* The struct of NAME's argument, LEAST members or more.  */
static void
add_members (tns_c99 *c, const char *name, int least)
{
  const tns_region *region = c->region;
  tns_text_line (c->text, "struct %s_args", name);
  tns_text_line (c->text, "{");
  for (int k = 0; k < region->n_params; k++)
    {
      const tns_sym *sym = region->params[k];
      const char *type = tns_elem_c_name (sym->type.elem);
      const char *is_const = is_read_only (c, sym) ? "const " : "";
      if (sym->kind == TNS_SYM_VALUE)
        tns_text_line (c->text, "  alignas (8) %s %s;", type,
                       tns_c99_name (c, sym));
      else
        tns_text_line (c->text, "  %s%s *%s;", is_const, type,
                       tns_c99_name (c, sym));
    }
  for (int k = region->n_params; k < least; k++)
    tns_text_line (c->text, "  long tns_unused%d;", k);
  tns_text_line (c->text, "};");
  tns_text_line (c->text, "%s", "");
}

/* Its members by their names alone.  */
static void
add_variables (tns_c99 *c)
{
  const tns_region *region = c->region;
  for (int k = 0; k < region->n_params; k++)
    {
      const tns_sym *sym = region->params[k];
      const char *type = tns_elem_c_name (sym->type.elem);
      const char *name = tns_c99_name (c, sym);
      if (sym->kind == TNS_SYM_VALUE)
        tns_text_line (c->text, "const %s %s = tns_args.%s;", type, name, name);
      else
        tns_text_line (c->text, "%s%s *__restrict__ const %s = tns_args.%s;",
                       is_read_only (c, sym) ? "const " : "", type, name, name);
    }
}

/* What a block of KERNEL, of GRID, does in an iteration of LOOP[0..N).  */
static void
add_block (tns_c99 *c, const tns_grid *grid, const tns_kernel *kernel, int n,
           tns_node **loop)
{
  tns_arena *arena = c->text->arena;
  tns_grid_row row;
  bool found
    = kernel->whole && tns_row_find (arena, grid->region, n, loop, &row);
  if (found)
    row.groups = kernel->shape / row.width;
  if (found && row.groups == 0)
    {
      loop[n - 1] = tns_node_copy (arena, loop[n - 1]);
      loop[n - 1]->body = tns_row_again (arena, &row, loop[n - 1]->body);
      found = tns_row_find (arena, grid->region, n, loop, &row);
      row.groups = 0;
    }
  tns_cuda_block (c, loop[n - 1]->body, true, found ? &row : NULL);
}

/* The body of LOOP, a block's, with rows in registers where that can be.  */
static void
add_slots (tns_c99 *c, const tns_kernel *kernel, tns_node *loop)
{
  tns_slots slots;
  long long threads;
  if (!tns_slots_find (c->text->arena, loop, &slots)
      || !tns_expr_is_int (kernel->threads, &threads))
    {
      tns_cuda_block (c, loop->body, true, NULL);
      return;
    }
  slots.threads = (int) threads;
  tns_cuda_block_slots (c, loop->body, &slots);
}

/* The loop over what this thread, or block, does of LOOP[0..N), of KERNEL of
   GRID.  Several iterations of a line at once have more of memory under
   way.  */
static void
add_share (tns_c99 *c, const tns_grid *grid, const tns_kernel *kernel, int n,
           tns_node **loop)
{
  tns_text *text = c->text;
  tns_wide wide;
  bool threads = kernel->mapping == TNS_MAPPING_THREADS;
  if (threads && tns_wide_find (text->arena, grid->region, n, loop, &wide))
    {
      tns_cuda_wide (c, n, loop, &wide);
      return;
    }
  tns_cuda_trips (c, "at", n, loop);
  if (threads && !tns_node_has_loop (loop[n - 1]->body))
    tns_text_line (text, "TNS_UNROLL4");
  tns_text_line (text, threads
                         ? "for (long tns_at = (long) blockIdx.x * blockDim.x "
                           "+ threadIdx.x;"
                         : "for (long tns_at = blockIdx.x;");
  tns_text_line (text, threads ? "     tns_at < tns_ats; tns_at += (long) "
                                 "gridDim.x * blockDim.x)"
                               : "     tns_at < tns_ats; tns_at += "
                                 "gridDim.x)");
  tns_text_line (text, "  {");
  text->indent += 4;
  tns_cuda_iterators (c, "at", n, loop);
  if (threads)
    tns_c99_node (c, loop[n - 1]->body);
  else if (kernel->mapping == TNS_MAPPING_SLOTS)
    add_slots (c, kernel, loop[0]);
  else
    add_block (c, grid, kernel, n, loop);
  text->indent -= 4;
  tns_text_line (text, "  }");
}

/* What NODE, of KERNEL of GRID, does: what is computed once stands before
   the loop that threads share.  */
static void
add_body (tns_c99 *c, const tns_grid *grid, const tns_kernel *kernel,
          tns_node *node)
{
  tns_node *loop[MOST_LOOPS] = { node };
  if (node->kind == TNS_BLOCK && kernel->mapping != TNS_MAPPING_ONE)
    for (int k = 0; k < node->n_kids; k++)
      add_body (c, grid, kernel, node->kid[k]);
  else if (node->kind != TNS_LOOP || !node->marks.parallel)
    tns_cuda_block (c, node, false, NULL);
  else
    {
      int n = tns_grid_loops (node);
      for (int k = 1; k < n; k++)
        loop[k] = tns_grid_inner (loop[k - 1]);
      if (kernel->mapping == TNS_MAPPING_COLUMNS)
        tns_cuda_columns (c, n, loop);
      else
        add_share (c, grid, kernel, n, loop);
    }
}

/* The visitor that looks for what the threads of a block add up.  */
static bool
note_sums (tns_node *node, void *self)
{
  bool *found = self;
  *found |= node->kind == TNS_LOOP
            && (node->marks.n_reductions > 0 || node->marks.scan);
  return !*found;
}

/* The outermost loop of KERNEL's.  */
static tns_node *
loop_of (const tns_kernel *kernel)
{
  tns_node *node = kernel->region->body;
  while (node->kind == TNS_BLOCK)
    node = node->kid[0];
  return node;
}

/* What KERNEL, of tiles, across or with a halo, does on MACHINE; its loops are
   as they were found.  */
static void
add_found (tns_c99 *c, const tns_kernel *kernel, const tns_machine *machine)
{
  tns_tile tile;
  tns_cross cross;
  tns_halo halo;
  tns_matrix matrix;
  tns_arena *arena = c->text->arena;
  tns_node *node = loop_of (kernel);
  if (kernel->mapping == TNS_MAPPING_CROSS)
    {
      if (tns_cross_find (arena, node, &cross))
        tns_cuda_cross (c, &cross, TNS_CROSS_THREADS);
      return;
    }
  if (kernel->mapping == TNS_MAPPING_HALO)
    {
      if (tns_halo_find (arena, node, machine, &halo))
        tns_cuda_halo (c, &halo);
      return;
    }
  if (!tns_tile_find (arena, node, &tile))
    return;
  const tns_stages none = { .n = 0 };
  bool is_matrix = tns_matrix_find (arena, &tile, kernel->precision, &matrix);
  const tns_tile_shape *shape
    = is_matrix ? tns_matrix_plain_shapes (&matrix) : tns_tile_shapes (&tile);
  bool newer = is_matrix || kernel->stages.n;
  if (newer)
    tns_text_add (c->text, "#if TNS_NEWER\n");
  if (is_matrix)
    tns_cuda_matrix (c, &tile, &matrix, kernel->shape, &kernel->stages);
  else if (newer)
    tns_cuda_tile (c, &tile, &shape[kernel->shape], &kernel->stages);
  if (newer)
    tns_text_add (c->text, "#else\n");
  tns_cuda_tile (c, &tile, &shape[kernel->shape], &none);
  if (newer)
    tns_text_add (c->text, "#endif\n");
}

/* How many threads KERNEL's blocks have at most.  */
static long long
most_threads (const tns_kernel *kernel)
{
  long long threads = MOST_THREADS, most;
  if (kernel->lanes)
    return TNS_SHORT_THREADS;
  if (kernel->mapping == TNS_MAPPING_BLOCKS && kernel->whole)
    threads = kernel->shape > 0 ? TNS_MOST_ROW_THREADS : TNS_LONG_ROW_THREADS;
  for (int k = 0; k < kernel->n_parts; k++)
    {
      most = most_threads (&kernel->part[k]);
      threads = most > threads ? most : threads;
    }
  return kernel->n_parts && tns_expr_is_int (kernel->threads, &most) ? most
                                                                     : threads;
}

/* The same as text, and how many blocks shall have room beside each other where
   registers are what there is not enough of.  */
static const char *
bounds_of (tns_arena *arena, const tns_kernel *kernel)
{
  long long threads = most_threads (kernel);
  long long room = 0;
  tns_slots slots;
  bool has_slots = kernel->mapping == TNS_MAPPING_SLOTS
                   && tns_slots_find (arena, loop_of (kernel), &slots);
  if ((kernel->mapping != TNS_MAPPING_TILES && !has_slots)
      || !tns_expr_is_int (kernel->threads, &threads))
    return tns_arena_format (arena, "__launch_bounds__ (%lld)", threads);
  if (has_slots)
    room = slots.words <= FEW_WORDS ? FEW_WORDS_THREADS : MANY_WORDS_THREADS;
  else
    room = kernel->beside * threads;
  return tns_arena_format (arena, "__launch_bounds__ (%lld, %d)", threads,
                           (int) (room / threads));
}

/* The head of KERNEL, called NAME, whose argument is called ARGS.  */
static void
add_head (tns_text *text, const tns_kernel *kernel, const char *name,
          const char *args)
{
  tns_text_line (text, "extern \"C\" __global__ void %s",
                 bounds_of (text->arena, kernel));
  tns_text_line (text, "%s (const __grid_constant__ struct %s_args %s)", name,
                 name, args);
  tns_text_line (text, "{");
}

/* KERNEL is of tiles, across or a sweep: its loops are printed as they were
   found.  */
static bool
is_found (const tns_kernel *kernel)
{
  return kernel->mapping == TNS_MAPPING_TILES
         || kernel->mapping == TNS_MAPPING_CROSS
         || kernel->mapping == TNS_MAPPING_HALO;
}

/* What prints KERNEL.  */
static tns_c99 *
printer_of (tns_ctx *ctx, const tns_kernel *kernel)
{
  tns_region *region = kernel->region;
  if (!is_found (kernel))
    region = tns_c99_tidy (ctx, region, true);
  tns_c99 *c = tns_c99_new (ctx, region, true);
  c->in_parallel = true;
  return c;
}

/* What KERNEL of GRID does, by rows of a block.  */
static void
add_rows (tns_c99 *c, const tns_grid *grid, const tns_kernel *kernel)
{
  tns_text *text = c->text;
  tns_text own = tns_text_new (text->arena);
  own.indent = text->indent;
  c->text = &own;
  add_body (c, grid, kernel, c->region->body);
  c->text = text;
  tns_cuda_short (text, tns_text_chars (&own), TNS_SHORT_THREADS,
                  kernel->lanes);
}

/* What KERNEL of GRID does, whose argument is tns_args.  */
static void
add_inside (tns_ctx *ctx, tns_c99 *c, const tns_grid *grid,
            const tns_kernel *kernel)
{
  bool adds = false;
  c->lines = ctx->flags.lines && c->region->file;
  add_variables (c);
  tns_c99_mark (c, kernel->node->loc);
  tns_node_walk (c->region->body, note_sums, &adds);
  if (adds && !kernel->lanes)
    tns_text_line (c->text, "__shared__ long tns_parts[%d];",
                   kernel->mapping == TNS_MAPPING_COLUMNS ? TNS_COLUMN_THREADS
                                                          : MOST_WARPS);
  if (is_found (kernel))
    add_found (c, kernel, ctx->machine);
  else if (kernel->lanes)
    add_rows (c, grid, kernel);
  else
    add_body (c, grid, kernel, c->region->body);
}

/* Append CHARS, a kernel of GRID's, with the user's lines where C has them.  */
static void
add_text (tns_text *text, const tns_c99 *c, const tns_grid *grid,
          const char *chars)
{
  const char *name = tns_cuda_identifier (text->arena, grid->region->name);
  if (!c->lines)
    tns_text_add (text, chars);
  else
    tns_cuda_lines (text, chars, c->region->file,
                    tns_arena_format (text->arena, "%s.cu", name));
}

/* Append KERNEL of GRID.  */
static void
add_kernel (tns_ctx *ctx, tns_text *text, const tns_grid *grid,
            const tns_kernel *kernel)
{
  tns_c99 *c = printer_of (ctx, kernel);
  const char *name = tns_cuda_name (ctx->arena, kernel);
  add_members (c, name, TNS_LEAST_MEMBERS);
  add_head (c->text, kernel, name, "tns_args");
  c->text->indent = 2;
  add_inside (ctx, c, grid, kernel);
  c->text->indent = 0;
  tns_text_line (c->text, "}");
  tns_text_line (c->text, "%s", "");
  tns_c99_helpers (c, text);
  add_text (text, c, grid, tns_text_chars (c->text));
}

/* Append the kernel of warpgroups beside KERNEL of GRID, where what is compiled
   has them.  Its argument has maps in front of KERNEL's.  */
static void
add_group (tns_ctx *ctx, tns_text *text, const tns_grid *grid,
           const tns_kernel *kernel)
{
  tns_tile tile;
  tns_matrix matrix;
  tns_c99 *c = printer_of (ctx, kernel);
  const char *name = tns_cuda_name (ctx->arena, kernel);
  if (!tns_tile_find (ctx->arena, loop_of (kernel), &tile)
      || !tns_matrix_find (ctx->arena, &tile, kernel->precision, &matrix))
    return;
  tns_text_line (c->text, "struct %s_group_args", name);
  tns_text_line (c->text, "{");
  tns_text_line (c->text, "  struct tns_map map[2];");
  tns_text_line (c->text, "  struct %s_args own;", name);
  tns_text_line (c->text, "};");
  tns_text_line (c->text, "%s", "");
  tns_text_line (c->text,
                 "extern \"C\" __global__ void __launch_bounds__ (%d, 1)",
                 TNS_GROUP_THREADS);
  tns_text_line (c->text,
                 "%s_group (const __grid_constant__ struct %s_group_args "
                 "tns_given)",
                 name, name);
  tns_text_line (c->text, "{");
  c->text->indent = 2;
  c->lines = ctx->flags.lines && c->region->file;
  tns_text_line (c->text, "const auto &tns_args = tns_given.own;");
  add_variables (c);
  for (int k = 0; k < c->region->n_params; k++)
    tns_text_line (c->text, "(void) %s;",
                   tns_c99_name (c, c->region->params[k]));
  tns_c99_mark (c, kernel->node->loc);
  tns_cuda_group (c, &tile, &matrix);
  c->text->indent = 0;
  tns_text_line (c->text, "}");
  tns_text_add (text, "#if TNS_GROUPS\n");
  tns_c99_helpers (c, text);
  add_text (text, c, grid, tns_text_chars (c->text));
  tns_text_add (text, "#endif\n\n");
}

/* The struct of the argument of KERNEL, called NAME.  */
static void
add_parts_args (tns_text *text, const tns_kernel *kernel, const char *name)
{
  tns_text_line (text, "struct %s_args", name);
  tns_text_line (text, "{");
  for (int k = 0; k < kernel->n_parts; k++)
    tns_text_line (text, "  struct %s_args part%d;",
                   tns_cuda_name (text->arena, &kernel->part[k]), k);
  tns_text_line (text, "  long tns_end[%d];", kernel->n_parts);
  tns_text_line (text, "};");
  tns_text_line (text, "%s", "");
}

/* Part K of KERNEL begins: blocks from where the part before ends.  */
static void
open_part (tns_text *text, const tns_kernel *kernel, int k)
{
  const char *begin
    = k ? tns_arena_format (text->arena, " - tns_given.tns_end[%d]", k - 1)
        : "";
  bool last = k == kernel->n_parts - 1;
  if (!last)
    tns_text_line (text, "  %sif ((long) blockIdx.x < tns_given.tns_end[%d])",
                   k ? "else " : "", k);
  else
    tns_text_line (text, "  else");
  tns_text_line (text, "    {");
  tns_text_line (text,
                 "      const long tns_block = tns_anew ((long) blockIdx.x%s);",
                 begin);
  tns_text_line (text, "      const long tns_blocks = tns_given.tns_end[%d]%s;",
                 k, begin);
  tns_text_line (text, "      const auto &tns_args = tns_given.part%d;", k);
  tns_text_line (text, "      (void) tns_block, (void) tns_blocks;");
}

/* Append part K of KERNEL of GRID to BODY, what it shares to ROOM, and what
   stands in front of the kernel to TEXT.  What printed it.  */
static tns_c99 *
add_part (tns_ctx *ctx, tns_text *text, tns_text *body, tns_text *room,
          const tns_grid *grid, const tns_kernel *kernel, int k)
{
  const tns_kernel *part = &kernel->part[k];
  tns_c99 *c = printer_of (ctx, part);
  tns_text own = tns_text_new (text->arena);
  own.indent = 8;
  add_members (c, tns_cuda_name (text->arena, part), 0);
  tns_text_add (text, tns_text_chars (c->text));
  *c->text = tns_text_new (text->arena);
  c->text->indent = 6;
  add_inside (ctx, c, grid, part);
  tns_c99_helpers (c, text);
  open_part (body, kernel, k);
  tns_cuda_part (body, &own, tns_text_chars (c->text), k);
  tns_text_line (body, "    }");
  if (own.length > 0)
    tns_text_format (room, "      struct\n      {\n%s      } part%d;\n",
                     tns_text_chars (&own), k);
  return c;
}

/* Append KERNEL of GRID, which has parts.  */
static void
add_parts (tns_ctx *ctx, tns_text *text, const tns_grid *grid,
           const tns_kernel *kernel)
{
  const char *name = tns_cuda_name (ctx->arena, kernel);
  tns_text body = tns_text_new (ctx->arena);
  tns_text room = tns_text_new (ctx->arena);
  tns_text whole = tns_text_new (ctx->arena);
  tns_c99 *c = NULL;
  for (int k = 0; k < kernel->n_parts; k++)
    c = add_part (ctx, text, &body, &room, grid, kernel, k);
  add_parts_args (&whole, kernel, name);
  add_head (&whole, kernel, name, "tns_given");
  if (room.length > 0)
    tns_text_format (&whole, "  __shared__ union\n    {\n%s    } tns_room;\n",
                     tns_text_chars (&room));
  tns_text_add (&whole, tns_text_chars (&body));
  tns_text_add (&whole, "}\n\n");
  add_text (text, c, grid, tns_text_chars (&whole));
}

void
tns_cuda_print (tns_ctx *ctx, tns_text *text, const tns_grid *grid)
{
  for (int k = 0; k < grid->n; k++)
    {
      const tns_kernel *kernel = &grid->kernel[k];
      (kernel->n_parts ? add_parts : add_kernel) (ctx, text, grid, kernel);
      if (kernel->group)
        add_group (ctx, text, grid, kernel);
    }
}
