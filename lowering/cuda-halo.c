/* Sweeps with halos as text: lowering/cuda-halo.h.  */

#include "lowering/cuda-halo.h"

#include "ir/walk.h"
#include "lowering/cuda-number.h"

#define WARP 32

/* What is printed, and what it needs.  */
typedef struct sweep
{
  tns_c99 *c;
  const tns_halo *halo;
} sweep;

/* A block begins.  */
static void
open_brace (sweep *s)
{
  tns_text_line (s->c->text, "  {");
  s->c->text->indent += 4;
}

/* It ends.  */
static void
close_brace (sweep *s)
{
  s->c->text->indent -= 4;
  tns_text_line (s->c->text, "  }");
}

/* The loop of dimension D.  */
static tns_node *const *
loop_of (const sweep *s, int d)
{
  return &s->halo->loop[s->halo->n - s->halo->dims + d];
}

/* How many elements of the tile lie between neighbours in dimension D, or,
   where D is -1, it has.  */
static int
pitch_of (const sweep *s, int d)
{
  int pitch = 1;
  for (int e = s->halo->dims - 1; e > d; e--)
    pitch *= tns_halo_side (s->halo, e);
  return pitch;
}

/* How often all loops run, and how many tiles there are; shared memory.  */
static void
add_head (sweep *s)
{
  const tns_halo *halo = s->halo;
  tns_text *text = s->c->text;
  tns_cuda_trips (s->c, "batch", halo->n - halo->dims, halo->loop);
  for (int d = 0; d < halo->dims; d++)
    {
      tns_cuda_trips (s->c, tns_arena_format (text->arena, "dim%d", d), 1,
                      loop_of (s, d));
      tns_text_line (text, "const long tns_tiles%d = (tns_dim%ds + %d) / %d;",
                     d, d, halo->side[d] - 1, halo->side[d]);
    }
  tns_text_line (text, "__shared__ %s tns_tile[%d];",
                 tns_elem_c_name (halo->load[0]->type.elem), pitch_of (s, -1));
  tns_text_begin (text);
  tns_text_add (text, "const long tns_tiles = tns_batchs");
  for (int d = 0; d < halo->dims; d++)
    tns_text_format (text, " * tns_tiles%d", d);
  tns_text_add (text, ";\n");
}

/* The tile that the block takes now.  */
static void
add_position (sweep *s)
{
  const tns_halo *halo = s->halo;
  tns_text *text = s->c->text;
  const char *left = "tns_at";
  for (int d = halo->dims - 1; d >= 0; d--)
    {
      const char *next
        = d ? tns_arena_format (text->arena, "tns_left%d", d) : "tns_batch";
      tns_text_line (text, "long tns_first%d;", d);
      tns_text_line (text,
                     "const long %s = tns_divide (%s, tns_tiles%d, "
                     "&tns_first%d);",
                     next, left, d, d);
      tns_text_line (text, "tns_first%d *= %d;", d, halo->side[d]);
      left = next;
    }
  tns_text_line (text, "(void) tns_batch;");
  tns_cuda_iterators (s->c, "batch", halo->n - halo->dims, halo->loop);
}

/* The iterators of the place tns_dim0 ...  */
static void
add_iterators (sweep *s)
{
  for (int d = 0; d < s->halo->dims; d++)
    tns_cuda_iterators (s->c, tns_arena_format (s->c->text->arena, "dim%d", d),
                        1, loop_of (s, d));
}

/* Append that some iteration reads the element at the place tns_dim0 .. by a
   shift of BOX.  */
static void
add_box (sweep *s, const tns_shift_box *box)
{
  tns_text *text = s->c->text;
  for (int d = 0; d < s->halo->dims; d++)
    tns_text_format (text,
                     "%stns_dim%d >= %lld && tns_dim%d < tns_dim%ds + %lld",
                     d ? " && " : "(", d, box->lo.by[d], d, d, box->hi.by[d]);
  tns_text_add (text, ")");
}

/* The tile and its halo are read.  */
static void
add_fill (sweep *s)
{
  const tns_halo *halo = s->halo;
  tns_text *text = s->c->text;
  tns_text_line (text, "TNS_UNROLL4");
  tns_text_line (text, "for (int tns_e = threadIdx.x; tns_e < %d; tns_e += %d)",
                 pitch_of (s, -1), TNS_HALO_THREADS);
  open_brace (s);
  for (int d = 0; d < halo->dims; d++)
    tns_text_line (text,
                   "const long tns_dim%d = tns_first%d + tns_e / %d %% %d + "
                   "%lld;",
                   d, d, pitch_of (s, d), tns_halo_side (halo, d),
                   halo->around.lo.by[d]);
  tns_text_begin (text);
  tns_text_add (text, "if (");
  for (int b = 0; b < halo->n_boxes; b++)
    {
      tns_text_add (text, b ? " || " : "");
      add_box (s, &halo->box[b]);
    }
  tns_text_add (text, ")\n");
  open_brace (s);
  add_iterators (s);
  tns_text_begin (text);
  tns_text_add (text, "tns_tile[tns_e] = ");
  tns_c99_expr (s->c, halo->load[0], 0);
  tns_text_add (text, ";\n");
  close_brace (s);
  close_brace (s);
}

/* The changer: what the array has at a shift is in the tile.  */
static tns_expr *
use_tile (tns_expr *expr, void *self)
{
  const sweep *s = self;
  int n = tns_expr_reads (expr) ? tns_halo_shift (s->halo, expr) : -1;
  if (n < 0)
    return expr;
  long long at = 0;
  for (int d = 0; d < s->halo->dims; d++)
    at
      += (s->halo->shift[n].by[d] - s->halo->around.lo.by[d]) * pitch_of (s, d);
  return tns_cuda_named (
    s->c, tns_arena_format (s->c->text->arena, "tns_tile[tns_own + %lld]", at),
    expr->type.elem);
}

/* The same in a whole expression.  */
static tns_expr *
use_tiles (tns_expr *expr, void *self)
{
  const sweep *s = self;
  return tns_expr_rebuild (s->c->text->arena, expr, use_tile, self);
}

/* The first of the lines that the thread takes next, its number being
   tns_slot.  */
static void
add_slot (sweep *s)
{
  const tns_halo *halo = s->halo;
  tns_text *text = s->c->text;
  int line = halo->dims - 2;
  int slots = halo->side[line] / TNS_HALO_LINES;
  if (line)
    tns_text_line (text, "const int tns_place0 = tns_slot / %d;", slots);
  tns_text_line (text, "const int tns_place%d = tns_slot %% %d * %d;", line,
                 slots, TNS_HALO_LINES);
  tns_text_line (text, "const int tns_place%d = threadIdx.x %% %d;", line + 1,
                 WARP);
}

/* The function that does line tns_v of these.  */
static void
add_line (sweep *s)
{
  const tns_halo *halo = s->halo;
  tns_text *text = s->c->text;
  tns_node *body = halo->loop[halo->n - 1]->body;
  int line = halo->dims - 2;
  tns_text_line (text, "const auto tns_line = [&] (int tns_v, bool tns_whole) "
                       "TNS_INLINE");
  tns_text_line (text, "{");
  text->indent += 2;
  for (int d = 0; d < halo->dims; d++)
    tns_text_line (text, "const long tns_dim%d = tns_first%d + tns_place%d%s;",
                   d, d, d, d == line ? " + tns_v" : "");
  tns_text_begin (text);
  tns_text_add (text, "if (tns_whole || (");
  for (int d = 0; d < halo->dims; d++)
    tns_text_format (text, "%stns_dim%d < tns_dim%ds", d ? " && " : "", d, d);
  tns_text_add (text, "))\n");
  open_brace (s);
  tns_text_begin (text);
  tns_text_add (text, "const int tns_own = ");
  for (int d = 0; d < halo->dims; d++)
    tns_text_format (
      text, d == line ? "%s(tns_place%d + tns_v) * %d" : "%stns_place%d * %d",
      d ? " + " : "", d, pitch_of (s, d));
  tns_text_add (text, ";\n");
  add_iterators (s);
  tns_c99_node (s->c, tns_node_rebuild (text->arena, body, NULL, use_tiles, s));
  close_brace (s);
  text->indent -= 2;
  tns_text_line (text, "};");
}

/* The iterations of the tile.  */
static void
add_lines (sweep *s)
{
  const tns_halo *halo = s->halo;
  tns_text *text = s->c->text;
  int slots = 1;
  for (int d = 0; d < halo->dims - 1; d++)
    slots *= halo->side[d];
  slots /= TNS_HALO_LINES;
  tns_text_begin (text);
  tns_text_add (text, "const bool tns_whole = ");
  for (int d = 0; d < halo->dims; d++)
    tns_text_format (text, "%stns_first%d + %d <= tns_dim%ds", d ? " && " : "",
                     d, halo->side[d], d);
  tns_text_add (text, ";\n");
  tns_text_line (
    text,
    "for (int tns_slot = threadIdx.x / %d; tns_slot < %d; tns_slot "
    "+= %d)",
    WARP, slots, TNS_HALO_THREADS / WARP);
  open_brace (s);
  add_slot (s);
  add_line (s);
  for (int whole = 1; whole >= 0; whole--)
    {
      tns_text_line (text, whole ? "if (tns_whole)" : "else");
      tns_text_line (text, "  %s for (int tns_v = 0; tns_v < %d; tns_v++)",
                     whole ? "TNS_UNROLL" : "TNS_ROLL", TNS_HALO_LINES);
      tns_text_line (text, "    tns_line (tns_v, %s);",
                     whole ? "true" : "false");
    }
  close_brace (s);
}

void
tns_cuda_halo (tns_c99 *c, const tns_halo *halo)
{
  sweep s = { c, halo };
  add_head (&s);
  tns_text_line (c->text, "for (long tns_at = blockIdx.x; tns_at < tns_tiles; "
                          "tns_at += gridDim.x)");
  open_brace (&s);
  add_position (&s);
  add_fill (&s);
  tns_text_line (c->text, "__syncthreads ();");
  add_lines (&s);
  tns_text_line (c->text, "__syncthreads ();");
  close_brace (&s);
}
