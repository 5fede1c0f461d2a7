/* Reads across as text: lowering/cuda-cross.h.  */

#include "lowering/cuda-cross.h"

#include "ir/walk.h"
#include "lowering/cuda-number.h"

/* What is printed, and what it needs.  */
typedef struct crossing
{
  tns_c99 *c;
  const tns_cross *cross;
  int threads;
} crossing;

/* A block begins.  */
static void
open_brace (crossing *x)
{
  tns_text_line (x->c->text, "  {");
  x->c->text->indent += 4;
}

/* It ends.  */
static void
close_brace (crossing *x)
{
  x->c->text->indent -= 4;
  tns_text_line (x->c->text, "  }");
}

/* The loops of X's batch, outermost first: how many.  */
static int
batch_of (const crossing *x, tns_node **loop)
{
  const tns_cross *cross = x->cross;
  int n = 0;
  for (int k = 0; k < cross->n; k++)
    if (k != cross->along && k != cross->across)
      loop[n++] = cross->loop[k];
  return n;
}

/* How often all loops run; shared memory.  */
static void
add_head (crossing *x)
{
  const tns_cross *cross = x->cross;
  tns_text *text = x->c->text;
  tns_node *loop[TNS_MOST_CROSSED];
  int n = batch_of (x, loop);
  tns_cuda_trips (x->c, "batch", n, loop);
  tns_cuda_trips (x->c, "along", 1, &cross->loop[cross->along]);
  tns_cuda_trips (x->c, "across", 1, &cross->loop[cross->across]);
  for (int k = 0; k < 2; k++)
    tns_text_line (text, "const long tns_%s_tiles = (tns_%ss + %d) / %d;",
                   k ? "across" : "along", k ? "across" : "along",
                   TNS_CROSS_SIDE - 1, TNS_CROSS_SIDE);
  for (int k = 0; k < cross->n_reads; k++)
    tns_text_line (text, "__shared__ %s tns_tile%d[%d][%d];",
                   tns_elem_c_name (cross->read[k]->type.elem), k,
                   TNS_CROSS_SIDE, TNS_CROSS_SIDE + 1);
}

/* The tile that the block takes now.  */
static void
add_position (crossing *x)
{
  tns_text *text = x->c->text;
  tns_node *loop[TNS_MOST_CROSSED];
  int n = batch_of (x, loop);
  tns_text_line (text, "long tns_along0;");
  tns_text_line (text, "long tns_across0;");
  tns_text_line (text, "const long tns_left = tns_divide (tns_at, "
                       "tns_along_tiles, &tns_along0);");
  tns_text_line (text, "const long tns_batch = tns_divide (tns_left, "
                       "tns_across_tiles, &tns_across0);");
  tns_text_line (text, "tns_along0 *= %d;", TNS_CROSS_SIDE);
  tns_text_line (text, "tns_across0 *= %d;", TNS_CROSS_SIDE);
  tns_text_line (text, "(void) tns_batch;");
  tns_cuda_iterators (x->c, "batch", n, loop);
}

/* For each of the thread's places in the tile, neighbours' side by side along
   NEAR, and in lines along FAR: its iterators, between braces.  */
static void
open_places (crossing *x, const char *near, const char *far)
{
  const tns_cross *cross = x->cross;
  tns_text *text = x->c->text;
  int lines = x->threads / TNS_CROSS_SIDE;
  tns_text_line (text, "TNS_UNROLL");
  tns_text_line (text, "for (int tns_q = 0; tns_q < %d; tns_q++)",
                 TNS_CROSS_SIDE / lines);
  open_brace (x);
  tns_text_line (text, "const int tns_near = threadIdx.x %% %d;",
                 TNS_CROSS_SIDE);
  tns_text_line (text, "const int tns_far = threadIdx.x / %d + tns_q * %d;",
                 TNS_CROSS_SIDE, lines);
  tns_text_line (text, "const long tns_%s = tns_%s0 + tns_near;", near, near);
  tns_text_line (text, "const long tns_%s = tns_%s0 + tns_far;", far, far);
  tns_text_line (text,
                 "if (tns_along < tns_alongs && tns_across < tns_acrosss)");
  open_brace (x);
  tns_cuda_iterators (x->c, "along", 1, &cross->loop[cross->along]);
  tns_cuda_iterators (x->c, "across", 1, &cross->loop[cross->across]);
}

/* What open_places began ends.  */
static void
close_places (crossing *x)
{
  close_brace (x);
  close_brace (x);
}

/* What is read goes to the tiles.  */
static void
add_reads (crossing *x)
{
  const tns_cross *cross = x->cross;
  open_places (x, "across", "along");
  for (int k = 0; k < cross->n_reads; k++)
    {
      tns_text_begin (x->c->text);
      tns_text_format (x->c->text, "tns_tile%d[tns_far][tns_near] = ", k);
      tns_c99_expr (x->c, cross->read[k], 0);
      tns_text_add (x->c->text, ";\n");
    }
  close_places (x);
}

/* The changer: what was read is in its tile.  */
static tns_expr *
use_tile (tns_expr *expr, void *self)
{
  const crossing *x = self;
  tns_arena *arena = x->c->text->arena;
  for (int k = 0; tns_expr_reads (expr) && k < x->cross->n_reads; k++)
    if (tns_expr_equal (expr, x->cross->read[k]))
      return tns_cuda_named (
        x->c, tns_arena_format (arena, "tns_tile%d[tns_near][tns_far]", k),
        expr->type.elem);
  return expr;
}

/* The same in a whole expression.  */
static tns_expr *
use_tiles (tns_expr *expr, void *self)
{
  const crossing *x = self;
  return tns_expr_rebuild (x->c->text->arena, expr, use_tile, self);
}

/* The body, on the tiles.  */
static void
add_body (crossing *x)
{
  const tns_cross *cross = x->cross;
  tns_node *body = cross->loop[cross->n - 1]->body;
  open_places (x, "along", "across");
  tns_c99_node (x->c,
                tns_node_rebuild (x->c->text->arena, body, NULL, use_tiles, x));
  close_places (x);
}

void
tns_cuda_cross (tns_c99 *c, const tns_cross *cross, int threads)
{
  crossing x = { c, cross, threads };
  add_head (&x);
  tns_text_line (c->text,
                 "const long tns_tiles = tns_batchs * tns_along_tiles * "
                 "tns_across_tiles;");
  tns_text_line (c->text, "for (long tns_at = blockIdx.x; tns_at < tns_tiles; "
                          "tns_at += gridDim.x)");
  open_brace (&x);
  add_position (&x);
  add_reads (&x);
  tns_text_line (c->text, "__syncthreads ();");
  add_body (&x);
  tns_text_line (c->text, "__syncthreads ();");
  close_brace (&x);
}
