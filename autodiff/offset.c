/* Subscripts of copies of rows, as autodiff/offset.h says.  */

#include "autodiff/offset.h"

#include "autodiff/rows.h"
#include "ir/walk.h"

/* LOCALs that have rows of parameters from 0 on.

   first  by symbol id: the first row  */
typedef struct offset
{
  tns_ctx *ctx;
  tns_arena *arena;
  int n;
  tns_expr **first;
} offset;

/* The changer of their accesses.  */
static tns_expr *
offset_access (tns_expr *expr, void *self)
{
  const offset *s = self;
  if (!tns_expr_reads (expr) || expr->sym->id >= s->n
      || !s->first[expr->sym->id])
    return expr;
  tns_expr **sub = TNS_NEW_ARRAY (s->arena, tns_expr *, expr->n_args);
  for (int k = 0; k < expr->n_args; k++)
    sub[k] = expr->arg[k];
  sub[0] = tns_difference (s->ctx, sub[0], s->first[expr->sym->id]);
  return tns_expr_with_args (s->arena, expr, sub);
}

/* The changer of whole expressions.  */
static tns_expr *
offset_accesses (tns_expr *expr, void *self)
{
  const offset *s = self;
  return tns_expr_rebuild (s->arena, expr, offset_access, self);
}

tns_node *
tns_node_offset (tns_ctx *ctx, tns_node *node, int n, tns_expr **first)
{
  offset o = { ctx, ctx->arena, n, first };
  return tns_node_rebuild (ctx->arena, node, NULL, offset_accesses, &o);
}
