/* Functions kept in rows, as ir/keep.h says.

   Two loops of the same range, right around assignments alone, stand in the
   body of another loop.  A function that moves with the first one and that its
   body computes in each iteration is computed by the second one too; nothing
   from the first to the second writes what it reads.  Where the first loop has
   it in an array already, that is read.  */

#include "ir/keep.h"

#include "ir/alike.h"
#include "ir/flat.h"
#include "ir/walk.h"

enum
{
  MOST_KEPT = 16,
  MOST_LENGTH = 1 << 16
};

/* Two loops over a row.

   found  the function, in the first one's terms, or NULL
   wanted, by, n  an expression that another replaces, and how often it did  */
typedef struct row
{
  tns_ctx *ctx;
  tns_region *region;
  tns_alike loops;
  tns_expr *found;
  tns_expr *wanted;
  tns_expr *by;
  int n;
} row;

/* The changer that replaces what is wanted.  */
static tns_expr *
replace (tns_expr *expr, void *self)
{
  row *r = self;
  if (!tns_expr_equal (expr, r->wanted))
    return expr;
  r->n++;
  return r->by;
}

/* The same in a whole expression.  */
static tns_expr *
replace_all (tns_expr *expr, void *self)
{
  row *r = self;
  return tns_expr_rebuild (r->loops.arena, expr, replace, r);
}

/* NODE with BY for WANTED; R's n says how often.  */
static tns_node *
with (row *r, tns_node *node, tns_expr *wanted, tns_expr *by)
{
  r->wanted = wanted;
  r->by = by;
  r->n = 0;
  return tns_node_rebuild (r->loops.arena, node, NULL, replace_all, r);
}

/* The visitor that clears what holds whether an expression reads what the loops
   write, or what lives in the first one.  */
static bool
note_fixed (tns_expr *expr, void *self)
{
  row *r = self;
  if (tns_expr_reads (expr)
      && (tns_lines_declare (&r->loops.from, expr->sym)
          || (tns_alike_write (&r->loops, expr->sym)
              && !tns_ctx_breaks (r->ctx, "keep"))))
    r->n++;
  return r->n == 0;
}

/* The visitor that finds a function that both loops compute.  */
static bool
find_function (tns_expr *expr, void *self)
{
  row *r = self;
  if (r->found || expr->op == TNS_SELECT)
    return false;
  if (!tns_op_is_function (expr->op) || expr->op == TNS_CALL
      || !tns_lines_move (&r->loops.from, expr))
    return true;
  r->n = 0;
  tns_expr_walk (expr, note_fixed, r);
  if (r->n > 0)
    return true;
  tns_expr *later = tns_alike_renamed (&r->loops, expr);
  with (r, r->loops.to.top, later, later);
  r->found = r->n > 0 ? expr : NULL;
  return !r->found;
}

/* Where the first loop has what was found in an array of which each iteration
   sets an element, or NULL.  */
static tns_expr *
place_of (const row *r)
{
  const tns_lines *lines = &r->loops.from;
  for (int k = 0; k < lines->n_lines; k++)
    {
      const tns_node *line = lines->line[k];
      const tns_sym *sym = line->target->sym;
      int n_writes = 0;
      for (int l = 0; l < lines->n_lines; l++)
        n_writes += lines->line[l]->target->sym == sym;
      for (int l = r->loops.first + 1; l <= r->loops.second; l++)
        n_writes += tns_node_writes (r->loops.block->kid[l], sym);
      if (line->update == TNS_NONE && n_writes == 1
          && tns_expr_equal (line->value, r->found)
          && line->target->type.elem == r->found->type.elem
          && tns_lines_own (r->loops.arena, lines, line->target))
        return line->target;
    }
  return NULL;
}

/* The element of a new row for what was found, which the first of MADE's loops
   keeps there; the row is declared in MADE.  NULL where it is not known how
   long the row is.  */
static tns_expr *
new_place (row *r, tns_node *made, tns_node **first)
{
  tns_arena *arena = r->loops.arena;
  const tns_node *loop = r->loops.from.loop[0];
  long long lo, hi = 0;
  if (loop->step != 1 || !tns_expr_is_int (loop->lo, &lo) || lo < 0
      || !tns_is_over_values (loop->hi)
      || (tns_expr_is_int (loop->hi, &hi) && hi > MOST_LENGTH))
    return NULL;
  unsigned flags = TNS_SYM_LOCAL | (r->region->derived ? TNS_SYM_KEPT : 0);
  tns_sym *sym = tns_region_add_array (arena, r->region, "row",
                                       r->found->type.elem, 1, flags);
  sym->extent[0]
    = tns_binary (arena, TNS_MAX, tns_int (arena, 0),
                  tns_cast (arena, tns_scalar (TNS_I64), loop->hi));
  tns_expr *at = tns_value (arena, loop->iter);
  tns_expr *place = tns_load (arena, sym, &at);
  tns_node *body = tns_block (arena, loop->loc);
  *first = with (r, *first, r->found, place);
  tns_block_add (arena, made, tns_local (arena, loop->loc, sym));
  tns_node *line = tns_assign (arena, loop->loc, place, TNS_NONE, r->found);
  line->name = tns_arena_format (arena, "keep_%s", sym->name);
  tns_block_add (arena, body, line);
  tns_block_add (arena, body, (*first)->body);
  (*first)->body = body;
  return place;
}

/* The block of R's loops after what was found is kept, or NULL.  */
static tns_node *
kept (row *r)
{
  tns_arena *arena = r->loops.arena;
  const tns_node *block = r->loops.block;
  tns_node *made = tns_block (arena, block->loc);
  tns_node *first = block->kid[r->loops.first];
  tns_expr *place = place_of (r);
  if (!place)
    place = new_place (r, made, &first);
  if (!place)
    return NULL;
  for (int k = 0; k < block->n_kids; k++)
    {
      tns_node *kid = k == r->loops.first ? first : block->kid[k];
      if (k == r->loops.second)
        kid = with (r, kid, tns_alike_renamed (&r->loops, r->found),
                    tns_alike_renamed (&r->loops, place));
      tns_block_add (arena, made, kid);
    }
  return made;
}

/* What the pass works on.  */
typedef struct work
{
  tns_ctx *ctx;
  tns_region *region;
} work;

/* The block with one function kept for its kid B by the first loop of BEGUN,
   or NULL.  */
static tns_node *
keep_for (const row *begun, int b)
{
  row r = *begun;
  r.loops.second = b;
  if (!tns_lines_read (&r.loops.to, r.loops.block->kid[b])
      || !tns_alike_find (&r.loops))
    return NULL;
  for (int k = 0; k < r.loops.from.n_lines && !r.found; k++)
    tns_expr_walk (r.loops.from.line[k]->value, find_function, &r);
  return r.found ? kept (&r) : NULL;
}

/* BLOCK with one function kept, or NULL.  */
static tns_node *
keep_one (const work *w, tns_node *block)
{
  row r = { .ctx = w->ctx, .region = w->region };
  for (int a = 0; a < block->n_kids; a++)
    {
      r.loops = (tns_alike){ .arena = w->ctx->arena, .block = block };
      r.loops.first = a;
      if (!tns_lines_read (&r.loops.from, block->kid[a])
          || r.loops.from.n_loops != 1)
        continue;
      for (int b = a + 1; b < block->n_kids; b++)
        {
          tns_node *made = keep_for (&r, b);
          if (made)
            return made;
        }
    }
  return NULL;
}

/* A LOOP, what is in it is done.  */
static tns_node *
change_loop (tns_node *node, void *self)
{
  const work *w = self;
  for (int k = 0; node->kind == TNS_LOOP && k < MOST_KEPT; k++)
    {
      tns_node *made
        = node->body->kind == TNS_BLOCK ? keep_one (w, node->body) : NULL;
      if (!made)
        return node;
      node = tns_node_copy (w->ctx->arena, node);
      node->body = made;
    }
  return node;
}

tns_region *
tns_region_keep (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  work w = { ctx, tns_region_copy (ctx->arena, region) };
  w.region->body
    = tns_node_rebuild (ctx->arena, region->body, change_loop, NULL, &w);
  return w.region;
}
