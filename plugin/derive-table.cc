/* Tables of rows and those of their adjoints.

     double f (int n, int m, double **x);
     void f_gradient (int n, int m, double **x, double **dx);

   A region that names rows of a table has a check before it that they lie
   evenly (plugin/extract-rows.cc).  The adjoints are taken to lie as the rows
   do, from where the table of adjoints has the first: the same loop checks
   that.  */

#include "plugin/derive-inside.hh"
#include "plugin/reader.hh"

extern "C"
{
#include "ir/walk.h"
}

/* What the table of adjoints has in the place of that of rows: the VALUE that
   tells where the first lies, and the array of all.  */
typedef struct exchange
{
  tns_arena *arena;
  const tns_sym *first;
  const tns_sym *table;
  tns_sym *adjoint_first;
  tns_sym *adjoint_table;
} exchange;

/* The changer of expressions.  */
static tns_expr *
exchange_syms (tns_expr *expr, void *self)
{
  const exchange *x = (const exchange *) self;
  if (expr->op == TNS_SYM && expr->sym == x->first)
    return tns_value (x->arena, x->adjoint_first);
  if (expr->sym == x->table)
    return tns_load (x->arena, x->adjoint_table, expr->arg);
  return expr;
}

/* The walker that finds the table that EXPR loads from.  */
static bool
find_table (tns_expr *expr, void *self)
{
  const tns_sym **table = (const tns_sym **) self;
  if (expr->sym && expr->sym->kind == TNS_SYM_ARRAY && expr->sym->rank == 1)
    *table = expr->sym;
  return true;
}

/* What T is where its conditions hold.  */
static tree
held (tree t)
{
  t = tns_bare (t);
  while (TREE_CODE (t) == COND_EXPR)
    t = tns_bare (TREE_OPERAND (t, 1));
  return t;
}

/* The VALUE of REGION that tells where the array at ROOT begins, or NULL.  */
static const tns_sym *
find_first (const tns_region *region, const tns_symbols *symbols, tree root)
{
  for (int k = 0; k < region->n_params; k++)
    {
      const tns_sym *sym = region->params[k];
      tree value = tns_symbols_get (symbols, sym);
      if (sym->kind == TNS_SYM_VALUE && value
          && operand_equal_p (held (root), held (value), 0))
        return sym;
    }
  return NULL;
}

/* The check of the rows from FIRST on, a loop before REGION, or NULL.  */
static tns_node *
find_check (const tns_region *region, const tns_sym *first)
{
  const tns_node *before = region->before;
  for (int k = 0; before && k < before->n_kids; k++)
    {
      tns_node *node = before->kid[k];
      if (node->kind == TNS_LOOP && node->body->n_kids > 0
          && node->body->kid[0]->kind == TNS_ASSIGN
          && tns_expr_mentions (node->body->kid[0]->value, first))
        return node;
    }
  return NULL;
}

void
tns_derive_table (tns_ctx *ctx, tns_region *region, tns_symbols *symbols,
                  const tns_sym *sym, tree part, tree made)
{
  tns_arena *arena = ctx->arena;
  tree root = tns_symbols_get (symbols, sym);
  const tns_sym *first = root ? find_first (region, symbols, root) : NULL;
  tns_node *check = first ? find_check (region, first) : NULL;
  if (!check)
    return;
  exchange x = { arena, first, NULL, NULL, NULL };
  tns_node *rows = check->body->kid[0];
  tns_expr_walk (rows->value, find_table, &x.table);
  x.adjoint_first = tns_region_add_value (
    arena, region, tns_arena_format (arena, "d%s", first->name), TNS_I64);
  x.adjoint_table = tns_region_add_array (
    arena, region, tns_arena_format (arena, "d%s", x.table->name), TNS_U64, 1,
    TNS_SYM_CONST);
  x.adjoint_table->loc = x.adjoint_first->loc = x.table->loc;
  tns_region_add_param (arena, region, x.adjoint_first);
  tns_region_add_param (arena, region, x.adjoint_table);
  tree value = tns_symbols_get (symbols, first);
  tree table = tns_symbols_get (symbols, x.table);
  tns_symbols_set (arena, symbols, x.adjoint_first,
                   tns_place_exchange (value, part, made));
  tns_symbols_set (arena, symbols, x.adjoint_table,
                   tns_place_exchange (table, part, made));
  tns_expr *lies = tns_expr_rebuild (arena, rows->value, exchange_syms, &x);
  tns_block_add (
    arena, check->body,
    tns_assign (arena, rows->loc, rows->target, rows->update, lies));
}
