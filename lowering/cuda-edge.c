/* Tiles with edges as text: lowering/cuda-edge.h.

     const long tns_row_first = ..;      the rows of the tile that are there,
     const long tns_row_last = ..;       and its columns
     if (!(tns_column_first < tns_row_last + 1))
       continue;
     const long tns_end = ..;            inner iterations of the longest row
     for (tns_from ..)
       {
         const bool tns_full = tns_from + 7 < tns_row_first + 1;
         if (tns_full)                   as for a whole box
         else .. if (j < i + 1) ..       each element by itself
       }  */

#include "lowering/cuda-edge.h"

#include "ir/walk.h"
#include "lowering/cuda-number.h"
#include "lowering/grid.h"

#define MOST_REACHES 3

/* What iterators may be, when a condition is asked about.  */
typedef struct reaches
{
  int n;
  tns_reach reach[MOST_REACHES];
} reaches;

static const char *const words[] = { "batch", "row", "column" };

/* A + B.  */
static tns_expr *
plus (tns_arena *arena, tns_expr *a, tns_expr *b)
{
  return tns_binary (arena, TNS_ADD, a, b);
}

/* A variable of the text.  */
static tns_expr *
variable (tns_c99 *c, const char *name)
{
  return tns_cuda_named (c, name, TNS_I64);
}

/* The only loop of ROLE that edges of TILE mention, or NULL.  */
static tns_node *
loop_of (const tns_tile *tile, tns_tile_role role)
{
  for (int k = 0; k < tile->n; k++)
    if (tile->role[k] == role
        && tns_cuda_edge_mentions (tile, tile->loop[k]->iter))
      return tile->loop[k];
  return NULL;
}

/* The rows, or columns, of the tile in R.  */
static void
reach_lines (tns_c99 *c, const tns_tile *tile, tns_tile_role role, reaches *r)
{
  tns_arena *arena = c->text->arena;
  tns_node *loop = loop_of (tile, role);
  const char *word = words[role];
  if (!loop)
    return;
  r->reach[r->n++] = (tns_reach){
    loop->iter, variable (c, tns_arena_format (arena, "tns_%s_first", word)),
    variable (c, tns_arena_format (arena, "tns_%s_last", word))
  };
}

/* Inner iterations FROM to TO, both included, in R.  */
static void
reach_inner (tns_c99 *c, const tns_tile *tile, tns_expr *from, tns_expr *to,
             reaches *r)
{
  tns_arena *arena = c->text->arena;
  tns_node *loop = tile->inner[0];
  r->reach[r->n++] = (tns_reach){ loop->iter, plus (arena, loop->lo, from),
                                  plus (arena, loop->lo, to) };
}

/* COND (NULL: nothing) and that iterations at EDGE[0..N) are there, SOME of
   those with R or all.  */
static tns_expr *
holding (tns_c99 *c, tns_expr *cond, int n, const tns_edge *edge, bool some,
         const reaches *r)
{
  tns_arena *arena = c->text->arena;
  for (int k = 0; k < n; k++)
    {
      tns_expr *holds = tns_edge_holds (arena, &edge[k], some, r->n, r->reach);
      cond = cond ? tns_binary (arena, TNS_LAND, cond, holds) : holds;
    }
  return cond;
}

/* Append HEAD, COND and TAIL; nothing, false, where COND is NULL.  */
static bool
add_condition (tns_c99 *c, const char *head, tns_expr *cond, const char *tail)
{
  if (!cond)
    return false;
  tns_text_begin (c->text);
  tns_text_add (c->text, head);
  tns_c99_expr (c, cond, 0);
  tns_text_format (c->text, "%s\n", tail);
  return true;
}

/* The later rows of TILE are the longer ones: an upper end grows with them.  */
static bool
grows (tns_c99 *c, const tns_tile *tile)
{
  reaches r = { .n = 0 };
  bool found = false;
  reach_lines (c, tile, TNS_TILE_ROW, &r);
  for (int k = 0; r.n > 0 && k < tile->n_edges + tile->n_inner_edges; k++)
    {
      const tns_edge *edge = k < tile->n_edges
                               ? &tile->edge[k]
                               : &tile->inner_edge[k - tile->n_edges];
      tns_expr *most
        = tns_reach_extreme (c->text->arena, edge->bound, true, r.n, r.reach);
      found |= edge->upper && tns_expr_mentions (most, r.reach[0].last->sym);
    }
  return found;
}

bool
tns_cuda_edge_order (tns_c99 *c, const tns_tile *tile)
{
  if (!tns_tile_is_uneven (tile))
    return false;
  tns_text_line (c->text, "long tns_batch;");
  tns_text_line (c->text, "const long tns_left = tns_divide (tns_at, "
                          "tns_batchs, &tns_batch);");
  tns_text_line (c->text, "tns_row0 = tns_divide (tns_left, "
                          "tns_column_blocks, &tns_column0);");
  if (grows (c, tile))
    tns_text_line (c->text, "tns_row0 = tns_row_blocks - 1 - tns_row0;");
  return true;
}

/* Append the first and the last row, or column, of the tile.  */
static void
add_lines (tns_c99 *c, const tns_tile *tile, tns_tile_role role, int lines)
{
  tns_node *loop = loop_of (tile, role);
  const char *word = words[role];
  if (!loop)
    return;
  tns_text_begin (c->text);
  tns_text_format (c->text, "const long tns_%s_first = tns_%s0 + ", word, word);
  tns_c99_expr (c, loop->lo, 12);
  tns_text_add (c->text, ";\n");
  tns_text_line (c->text,
                 "const long tns_%s_last = tns_%s_first + (tns_%s0 + %d < "
                 "tns_%ss ? %d : tns_%ss - tns_%s0 - 1);",
                 word, word, word, lines, word, lines - 1, word, word);
  tns_text_line (c->text, "(void) tns_%s_first;", word);
  tns_text_line (c->text, "(void) tns_%s_last;", word);
}

/* Append one end of the inner iterations, that EDGE gives.  */
static void
add_end (tns_c99 *c, const tns_tile *tile, const tns_edge *edge,
         const reaches *r)
{
  tns_arena *arena = c->text->arena;
  const char *name = edge->upper ? "tns_end" : "tns_begin";
  tns_expr *bound
    = tns_reach_extreme (arena, edge->bound, edge->upper, r->n, r->reach);
  tns_text_begin (c->text);
  tns_text_format (c->text, "%s = ", name);
  tns_c99_expr (
    c,
    tns_binary (arena, edge->upper ? TNS_MIN : TNS_MAX, variable (c, name),
                tns_binary (arena, TNS_SUB, bound, tile->inner[0]->lo)),
    0);
  tns_text_add (c->text, ";\n");
}

void
tns_cuda_edge_tile (tns_c99 *c, const tns_tile *tile,
                    const tns_tile_shape *shape)
{
  reaches r = { .n = 0 };
  add_lines (c, tile, TNS_TILE_ROW, shape->rows);
  add_lines (c, tile, TNS_TILE_COLUMN, shape->columns);
  reach_lines (c, tile, TNS_TILE_ROW, &r);
  reach_lines (c, tile, TNS_TILE_COLUMN, &r);
  add_condition (c, "if (!(",
                 holding (c, NULL, tile->n_edges, tile->edge, true, &r), "))");
  if (tile->n_edges > 0)
    tns_text_line (c->text, "  continue;");
  if (!tile->moving)
    return;
  tns_text_line (c->text, "long tns_begin = 0;");
  tns_text_line (c->text, "long tns_end = tns_inners;");
  for (int k = 0; k < tile->n_inner_edges; k++)
    add_end (c, tile, &tile->inner_edge[k], &r);
  tns_text_line (c->text, "tns_begin -= tns_begin %% %d;", shape->depth);
}

const char *
tns_cuda_edge_begin (const tns_tile *tile)
{
  return tile->moving ? "tns_begin" : "0";
}

const char *
tns_cuda_edge_end (const tns_tile *tile)
{
  return tile->moving ? "tns_end" : "tns_inners";
}

bool
tns_cuda_edge_fetch (tns_c99 *c, const tns_tile *tile, tns_tile_role role)
{
  reaches r = { .n = 0 };
  reach_lines (c, tile, role == TNS_TILE_ROW ? TNS_TILE_COLUMN : TNS_TILE_ROW,
               &r);
  tns_expr *cond = holding (c, NULL, tile->n_edges, tile->edge, true, &r);
  return add_condition (
    c, "if (",
    holding (c, cond, tile->n_inner_edges, tile->inner_edge, true, &r), ")");
}

bool
tns_cuda_edge_element (tns_c99 *c, const tns_tile *tile, bool filled)
{
  reaches none = { .n = 0 };
  tns_arena *arena = c->text->arena;
  tns_expr *cond = holding (c, NULL, tile->n_edges, tile->edge, true, &none);
  if (filled && tile->moving)
    {
      tns_expr *some
        = tns_binary (arena, TNS_LT, tile->moving->lo, tile->moving->hi);
      cond = cond ? tns_binary (arena, TNS_LAND, cond, some) : some;
    }
  return add_condition (c, "if (", cond, ")");
}

bool
tns_cuda_edge_step (tns_c99 *c, const tns_tile *tile, int depth)
{
  reaches r = { .n = 0 };
  tns_expr *from = variable (c, "tns_from");
  if (!tile->moving)
    return false;
  reach_lines (c, tile, TNS_TILE_ROW, &r);
  reach_lines (c, tile, TNS_TILE_COLUMN, &r);
  reach_inner (c, tile, from,
               plus (c->text->arena, from, tns_int (c->text->arena, depth - 1)),
               &r);
  return add_condition (
    c, "const bool tns_full = ",
    holding (c, NULL, tile->n_inner_edges, tile->inner_edge, false, &r), ";");
}

bool
tns_cuda_edge_inner (tns_c99 *c, const tns_tile *tile)
{
  reaches none = { .n = 0 };
  return add_condition (
    c, "if (",
    holding (c, NULL, tile->n_inner_edges, tile->inner_edge, true, &none), ")");
}

bool
tns_cuda_edge_mentions (const tns_tile *tile, const tns_sym *iter)
{
  bool found = false;
  for (int k = 0; k < tile->n_edges; k++)
    found |= tile->edge[k].iter == iter
             || tns_expr_mentions (tile->edge[k].bound, iter);
  for (int k = 0; k < tile->n_inner_edges; k++)
    found |= tns_expr_mentions (tile->inner_edge[k].bound, iter);
  return found;
}
