/* Rows of what scattered sums add, as ir/gather.h says.

   A row is over all loops of the nest.  What the sums of an array add, but for
   its sign, is in one row as long as it stays the same between them.  Borders
   of elements that add nothing spare the innermost loop all conditions.  */

#include "ir/gather-nest.h"
#include "ir/walk.h"

/* What sum S adds, without the signs before it; *NEGATIVE: these make one.  */
static tns_expr *
magnitude (const tns_gathering *g, int s, bool *negative)
{
  tns_expr *expr = g->sum[s].node->value;
  for (*negative = false; expr->op == TNS_NEG; *negative = !*negative)
    expr = expr->arg[0];
  return expr;
}

/* What may change under the eyes of an expression.

   body      statements
   from, to  those of them between which it is read
   changes   (out) something that it reads is written there  */
typedef struct change
{
  const tns_node *body;
  const tns_node *from;
  const tns_node *to;
  bool changes;
} change;

/* The visitor of its reads.  */
static bool
note_change (tns_expr *expr, void *self)
{
  change *c = self;
  bool between = false;
  for (int k = 0; tns_expr_reads (expr) && k < c->body->n_kids; k++)
    {
      c->changes |= between && tns_node_writes (c->body->kid[k], expr->sym);
      between |= c->body->kid[k] == c->from;
      between &= c->body->kid[k] != c->to;
    }
  return !c->changes;
}

/* Sums A and B, a later one, add the same, but for signs.  */
static bool
add_alike (const tns_gathering *g, int a, int b)
{
  bool negative;
  tns_expr *value = magnitude (g, a, &negative);
  change c = { g->loop[g->n - 1]->body, g->sum[a].node, g->sum[b].node, false };
  tns_expr_walk (value, note_change, &c);
  return !c.changes && tns_expr_equal (value, magnitude (g, b, &negative));
}

/* The sum before S whose row has S's value too, else S.  */
static int
keeper (const tns_gathering *g, int s)
{
  for (int k = 0; k < s; k++)
    if (g->sum[k].is_kept && add_alike (g, k, s))
      return k;
  return s;
}

/* The sum SUM after the border of loop L's subscript.  */
static tns_expr *
behind_border (const tns_gathering *g, int l, tns_sum sum)
{
  long long by = l == g->n - 1 ? g->border : 0;
  return tns_sum_expr (g->arena,
                       tns_gather_plus (g, sum, tns_sum_int (g->arena, by)));
}

/* The element of ROW for the iteration at hand.  */
static tns_expr *
element (const tns_gathering *g, tns_sym *row)
{
  tns_expr **sub = TNS_NEW_ARRAY (g->arena, tns_expr *, g->n);
  for (int l = 0; l < g->n; l++)
    sub[l] = behind_border (
      g, l,
      tns_gather_minus (g, tns_gather_iter (g, g->loop[l]->iter),
                        tns_gather_lo (g, l)));
  return tns_load (g->arena, row, sub);
}

/* How many iterations loop L has.  */
static tns_expr *
trips (const tns_gathering *g, int l)
{
  tns_sum trips
    = tns_gather_minus (g, tns_gather_hi (g, l), tns_gather_lo (g, l));
  return tns_binary (g->arena, TNS_MAX, tns_int (g->arena, 0),
                     tns_sum_expr (g->arena, trips));
}

/* Append to BODY: element AT of ROW, whose other subscripts are SUB, adds
   nothing.  */
static void
clear (tns_gathering *g, tns_sym *row, tns_expr *const *sub, tns_expr *at,
       tns_node *body)
{
  tns_expr **place = TNS_NEW_ARRAY (g->arena, tns_expr *, g->n);
  for (int l = 0; l < g->n - 1; l++)
    place[l] = sub[l];
  place[g->n - 1] = at;
  tns_node *made
    = tns_assign (g->arena, row->loc, tns_load (g->arena, row, place), TNS_NONE,
                  tns_gather_nothing (g));
  made->name
    = tns_arena_format (g->arena, "%sb%d", g->sum[0].node->name, g->n_made++);
  tns_block_add (g->arena, body, made);
}

/* Append to BLOCK: the borders of ROW, of REGION, add nothing.  */
static void
clear_borders (tns_gathering *g, tns_sym *row, tns_region *region,
               tns_node *block)
{
  tns_arena *arena = g->arena;
  tns_expr **sub = TNS_NEW_ARRAY (arena, tns_expr *, g->n);
  tns_node *body = tns_block (arena, row->loc);
  tns_node *node = body;
  for (int l = g->n - 2; l >= 0; l--)
    {
      tns_sym *iter = tns_region_add_iter (arena, region, "e");
      tns_node *around = tns_block (arena, row->loc);
      sub[l] = tns_value (arena, iter);
      tns_block_add (arena, around,
                     tns_loop (arena, row->loc, iter, tns_int (arena, 0),
                               row->extent[l], 1, node));
      node = around;
    }
  for (long long k = 0; k < g->border; k++)
    {
      clear (g, row, sub, tns_int (arena, k), body);
      clear (g, row, sub,
             tns_binary (arena, TNS_ADD, trips (g, g->n - 1),
                         tns_int (arena, g->border + k)),
             body);
    }
  tns_block_add (arena, block, node);
}

/* A row for sum S in REGION; its LOCAL is appended to BLOCK, what sets its
   borders to BORDERS.  */
static tns_sym *
new_row (tns_gathering *g, int s, tns_region *region, tns_node *block,
         tns_node *borders)
{
  tns_arena *arena = g->arena;
  tns_sym *row = tns_region_add_array (arena, region, "row",
                                       g->sum[s].node->value->type.elem, g->n,
                                       TNS_SYM_LOCAL);
  for (int l = 0; l < g->n; l++)
    row->extent[l] = trips (g, l);
  row->extent[g->n - 1] = tns_binary (arena, TNS_ADD, row->extent[g->n - 1],
                                      tns_int (arena, 2 * g->border));
  row->loc = g->sum[s].node->loc;
  tns_block_add (arena, block, tns_local (arena, row->loc, row));
  if (g->border > 0)
    clear_borders (g, row, region, borders);
  return row;
}

void
tns_gather_keep (tns_gathering *g, tns_region *region, tns_node *block,
                 tns_node *borders)
{
  for (int s = 0; s < g->n_sums; s++)
    {
      tns_gather_sum *sum = &g->sum[s];
      bool negative;
      if (!sum->is_kept)
        continue;
      int first = keeper (g, s);
      sum->row = first < s ? g->sum[first].row
                           : new_row (g, s, region, block, borders);
      magnitude (g, s, &negative);
      sum->value = element (g, sum->row);
      if (negative)
        sum->value = tns_unary (g->arena, TNS_NEG, sum->value);
    }
}

static tns_node *left_of (const tns_gathering *g, tns_node *node);

/* What is left of NODE, an IF; NULL: nothing.  */
static tns_node *
left_of_guard (const tns_gathering *g, tns_node *node)
{
  tns_node *made = tns_node_copy (g->arena, node);
  made->then = tns_block (g->arena, node->then->loc);
  for (int k = 0; k < node->then->n_kids; k++)
    {
      tns_node *kid = left_of (g, node->then->kid[k]);
      if (kid)
        tns_block_add (g->arena, made->then, kid);
    }
  return made->then->n_kids > 0 ? made : NULL;
}

/* What is left of NODE, a kid of the innermost body: NULL where it is a sum
   whose value is not kept here.  */
static tns_node *
left_of (const tns_gathering *g, tns_node *node)
{
  bool negative;
  if (node->kind == TNS_IF)
    return left_of_guard (g, node);
  for (int s = 0; s < g->n_sums; s++)
    {
      const tns_gather_sum *sum = &g->sum[s];
      if (sum->node != node)
        continue;
      if (!sum->is_kept || keeper (g, s) < s)
        return NULL;
      tns_node *made = tns_assign (g->arena, node->loc, element (g, sum->row),
                                   TNS_NONE, magnitude (g, s, &negative));
      made->name = node->name;
      return made;
    }
  return node;
}

/* Loop L of G without sums.  */
static tns_node *
loop_without (const tns_gathering *g, int l)
{
  tns_node *made = tns_node_copy (g->arena, g->loop[l]);
  made->body = tns_block (g->arena, made->loc);
  for (int k = 0; k < g->loop[l]->body->n_kids; k++)
    {
      tns_node *kid = g->loop[l]->body->kid[k];
      if (l + 1 < g->n && kid == g->loop[l + 1])
        kid = loop_without (g, l + 1);
      else if (l + 1 == g->n)
        kid = left_of (g, kid);
      if (kid)
        tns_block_add (g->arena, made->body, kid);
    }
  return made;
}

tns_node *
tns_gather_left (const tns_gathering *g)
{
  return loop_without (g, 0);
}
