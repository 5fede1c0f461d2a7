/* Small arrays taken apart, as ir/elements.h says.

   An array is, when

   1. it is LOCAL to the body of a loop, is not kept for a backward pass and
      decides no control, and has MOST elements at most;
   2. each access is of one element inside, by constant subscripts, and no
      function is handed a place in it.  */

#include "ir/elements.h"

#include "ir/handed.h"
#include "ir/walk.h"

enum
{
  MOST = 32
};

/* The search and the change, by symbol id.

   size   of the arrays that may be taken apart; 0: of no such array
   cells  their elements' cells, from the first one on
   some   there is an array to take apart  */
typedef struct taker
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
  int *size;
  tns_sym ***cells;
  bool some;
} taker;

/* The elements of SYM; 0 where they are not a few that constants tell.  */
static int
size_of (const tns_sym *sym)
{
  long long size = 1;
  for (int k = 0; k < sym->rank; k++)
    {
      long long extent = 0;
      if (!tns_expr_is_int (sym->extent[k], &extent) || extent < 1
          || extent > MOST)
        return 0;
      size *= extent;
      if (size > MOST)
        return 0;
    }
  return (int) size;
}

/* Note the arrays that begin in NODE, inside a loop where INSIDE.  */
static void
note_locals (taker *t, const tns_node *node, bool inside)
{
  const unsigned bars = TNS_SYM_KEPT | TNS_SYM_STEERS;
  const tns_sym *sym = node->sym;
  if (node->kind == TNS_LOCAL && inside && sym->rank > 0 && !sym->stride
      && sym->type.lanes == 1 && !(sym->flags & bars))
    t->size[sym->id] = size_of (sym);
  if (node->kind == TNS_LOOP)
    note_locals (t, node->body, true);
  if (node->kind == TNS_IF)
    {
      note_locals (t, node->then, inside);
      if (node->otherwise)
        note_locals (t, node->otherwise, inside);
    }
  for (int k = 0; node->kind == TNS_BLOCK && k < node->n_kids; k++)
    note_locals (t, node->kid[k], inside);
}

/* The number of the element that ACCESS is of, -1 where that is no constant
   inside.  */
static int
number_of (const tns_expr *access)
{
  long long at = 0;
  for (int k = 0; k < access->n_args; k++)
    {
      long long sub = 0;
      long long extent = 0;
      (void) tns_expr_is_int (access->sym->extent[k], &extent);
      if (!tns_expr_is_int (access->arg[k], &sub) || sub < 0 || sub >= extent)
        return -1;
      at = at * extent + sub;
    }
  return (int) at;
}

/* The visitor: what EXPR accesses otherwise stays.  */
static bool
note_access (tns_expr *expr, void *self)
{
  taker *t = self;
  const tns_handed *handed = tns_call_arguments (expr);
  for (int k = 0; handed && k < expr->n_args; k++)
    if (expr->arg[k]->op == TNS_LOAD && handed[k].kind != TNS_HANDED_NUMBER)
      t->size[expr->arg[k]->sym->id] = 0;
  if (tns_expr_reads (expr) && t->size[expr->sym->id] > 0
      && (expr->op != TNS_LOAD || expr->type.lanes > 1 || number_of (expr) < 0))
    t->size[expr->sym->id] = 0;
  return true;
}

/* The visitor of nodes.  */
static bool
note_node (tns_node *node, void *self)
{
  tns_node_exprs (node, note_access, self);
  return true;
}

/* Cells for the elements of SYM, an array.  */
static void
make_cells (taker *t, const tns_sym *sym)
{
  int size = t->size[sym->id];
  tns_sym **cells = TNS_NEW_ARRAY (t->arena, tns_sym *, size);
  for (int k = 0; k < size; k++)
    {
      cells[k] = tns_region_add_array (t->arena, t->region, sym->name,
                                       sym->type.elem, 0, sym->flags);
      cells[k]->spelled = sym->spelled;
      cells[k]->loc = sym->loc;
    }
  t->cells[sym->id] = cells;
  t->some = true;
}

/* The changer: EXPR, an element of an array that goes, is its cell.  */
static tns_expr *
change_access (tns_expr *expr, void *self)
{
  taker *t = self;
  if (!tns_expr_reads (expr) || !t->cells[expr->sym->id])
    return expr;
  int at = tns_ctx_breaks (t->ctx, "elements") ? 0 : number_of (expr);
  tns_expr *cell = tns_cell (t->arena, t->cells[expr->sym->id][at]);
  cell->loc = expr->loc;
  return cell;
}

/* The same in the whole of EXPR.  */
static tns_expr *
change_expr (tns_expr *expr, void *self)
{
  taker *t = self;
  return tns_expr_rebuild (t->arena, expr, change_access, t);
}

/* The changer: LOCALs of the cells in place of the array's.  */
static tns_node *
change_node (tns_node *node, void *self)
{
  taker *t = self;
  if (node->kind != TNS_LOCAL || !t->cells[node->sym->id])
    return node;
  tns_node *all = tns_block (t->arena, node->loc);
  for (int k = 0; k < t->size[node->sym->id]; k++)
    tns_block_add (t->arena, all,
                   tns_local (t->arena, node->loc, t->cells[node->sym->id][k]));
  return all;
}

tns_region *
tns_region_elements (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  int n = region->n_syms;
  taker t = { .ctx = ctx, .arena = ctx->arena };
  t.size = TNS_NEW_ARRAY (ctx->arena, int, n + 1);
  note_locals (&t, region->body, false);
  tns_node_walk (region->body, note_node, &t);
  t.region = tns_region_copy (ctx->arena, region);
  t.cells = TNS_NEW_ARRAY (ctx->arena, tns_sym **, n + 1);
  for (int k = 0; k < n; k++)
    if (t.size[k] > 0)
      make_cells (&t, region->syms[k]);
  if (!t.some)
    return region;
  t.region->body
    = tns_node_rebuild (ctx->arena, region->body, change_node, change_expr, &t);
  return t.region;
}
