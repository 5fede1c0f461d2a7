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
#include "lowering/cuda-block.h"
#include "lowering/cuda-columns.h"
#include "lowering/cuda-cross.h"
#include "lowering/cuda-lines.h"
#include "lowering/cuda-matrix.h"
#include "lowering/cuda-number.h"
#include "lowering/cuda-scan.h"
#include "lowering/cuda-tile.h"
#include "lowering/grid-columns.h"
#include "lowering/cuda-wide.h"
#include "lowering/grid-again.h"

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

static const char matrix_prelude[] =
#include "lowering/cuda-prelude.inc"
  "\n";

void
tns_cuda_prelude (tns_text *text, bool matrices)
{
  tns_text_add (text, prelude);
  tns_cuda_wide_prelude (text);
  tns_cuda_scan_prelude (text);
  if (matrices)
    tns_text_add (text, matrix_prelude);
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

/* The struct of NAME's argument.  */
static void
add_members (tns_c99 *c, const char *name)
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
  for (int k = region->n_params; k < TNS_LEAST_MEMBERS; k++)
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

/* What KERNEL, of tiles or across, does; its loops are as they were found.  */
static void
add_found (tns_c99 *c, const tns_kernel *kernel)
{
  tns_tile tile;
  tns_cross cross;
  tns_matrix matrix;
  tns_arena *arena = c->text->arena;
  tns_node *node = loop_of (kernel);
  if (kernel->mapping == TNS_MAPPING_CROSS)
    {
      if (tns_cross_find (arena, node, &cross))
        tns_cuda_cross (c, &cross, TNS_CROSS_THREADS);
      return;
    }
  if (!tns_tile_find (arena, node, &tile))
    return;
  if (!tns_matrix_find (arena, &tile, kernel->precision, &matrix))
    {
      tns_cuda_tile (c, &tile, &tns_tile_shapes (&tile)[kernel->shape]);
      return;
    }
  tns_text_add (c->text, "#if TNS_MATRIX\n");
  tns_cuda_matrix (c, &tile, &matrix, kernel->shape);
  tns_text_add (c->text, "#else\n");
  tns_cuda_tile (c, &tile, &tns_matrix_plain_shapes (&matrix)[kernel->shape]);
  tns_text_add (c->text, "#endif\n");
}

/* How many threads KERNEL's blocks have, and how many blocks shall have room
   beside each other where registers are what there is not enough of.  */
static const char *
bounds_of (tns_arena *arena, const tns_kernel *kernel)
{
  bool rows = kernel->mapping == TNS_MAPPING_BLOCKS && kernel->whole;
  long long threads = !rows               ? MOST_THREADS
                      : kernel->shape > 0 ? TNS_MOST_ROW_THREADS
                                          : TNS_LONG_ROW_THREADS;
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

/* Append KERNEL of GRID.  */
static void
add_kernel (tns_ctx *ctx, tns_text *text, const tns_grid *grid,
            const tns_kernel *kernel)
{
  bool found = kernel->mapping == TNS_MAPPING_TILES
               || kernel->mapping == TNS_MAPPING_CROSS;
  tns_region *tidy
    = found ? kernel->region : tns_c99_tidy (ctx, kernel->region, true);
  tns_c99 *c = tns_c99_new (ctx, tidy, true);
  const char *name = tns_cuda_name (ctx->arena, kernel);
  c->in_parallel = true;
  add_members (c, name);
  tns_text_line (c->text, "extern \"C\" __global__ void %s",
                 bounds_of (ctx->arena, kernel));
  tns_text_line (c->text,
                 "%s (const __grid_constant__ struct %s_args tns_args)", name,
                 name);
  tns_text_line (c->text, "{");
  c->text->indent = 2;
  c->lines = ctx->flags.lines && tidy->file;
  add_variables (c);
  tns_c99_mark (c, kernel->node->loc);
  bool adds = false;
  tns_node_walk (tidy->body, note_sums, &adds);
  if (adds)
    tns_text_line (c->text, "__shared__ long tns_parts[%d];",
                   kernel->mapping == TNS_MAPPING_COLUMNS ? TNS_COLUMN_THREADS
                                                          : MOST_WARPS);
  if (found)
    add_found (c, kernel);
  else
    add_body (c, grid, kernel, tidy->body);
  c->text->indent = 0;
  tns_text_line (c->text, "}");
  tns_text_line (c->text, "%s", "");
  tns_c99_helpers (c, text);
  if (!c->lines)
    tns_text_add (text, tns_text_chars (c->text));
  else
    tns_cuda_lines (
      text, tns_text_chars (c->text), tidy->file,
      tns_arena_format (ctx->arena, "%s.cu",
                        tns_cuda_identifier (ctx->arena, grid->region->name)));
}

void
tns_cuda_print (tns_ctx *ctx, tns_text *text, const tns_grid *grid)
{
  for (int k = 0; k < grid->n; k++)
    add_kernel (ctx, text, grid, &grid->kernel[k]);
}
