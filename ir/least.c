/* Guards on the lengths of loops, from the inside out.  */

#include "ir/least.h"

#include "ir/flat.h"
#include "ir/simplify.h"

/* LEAST of CTX's region REGION.  */
typedef struct asking
{
  tns_ctx *ctx;
  tns_region *region;
  int least;
} asking;

/* LOOP has enough iterations, as a condition; NULL where its bounds are no
   VALUEs.  */
static tns_expr *
is_long (const asking *a, const tns_node *loop)
{
  tns_arena *arena = a->ctx->arena;
  if (!tns_is_over_values (loop->lo) || !tns_is_over_values (loop->hi))
    return NULL;
  bool is_up = loop->step > 0;
  tns_expr *length = tns_binary (arena, TNS_SUB, is_up ? loop->hi : loop->lo,
                                 is_up ? loop->lo : loop->hi);
  long long enough = a->least * (is_up ? loop->step : -loop->step);
  return tns_expr_simplify (
    a->ctx, tns_binary (arena, TNS_GE, length, tns_int (arena, enough)));
}

/* Ask of the loops in NODE.  False when all of them are short, or there are
   none.  */
static bool
ask (const asking *a, const tns_node *node)
{
  if (!node)
    return false;
  if (node->kind == TNS_IF)
    {
      bool then = ask (a, node->then);
      return ask (a, node->otherwise) || then;
    }
  bool found = false;
  for (int k = 0; node->kind == TNS_BLOCK && k < node->n_kids; k++)
    found |= ask (a, node->kid[k]);
  if (node->kind != TNS_LOOP || ask (a, node->body))
    return found || node->kind == TNS_LOOP;
  tns_expr *cond = is_long (a, node);
  long long is_long_enough;
  if (cond && tns_expr_is_int (cond, &is_long_enough))
    return is_long_enough;
  if (cond)
    tns_region_add_guard (a->ctx->arena, a->region, cond);
  return true;
}

bool
tns_region_ask_least (tns_ctx *ctx, tns_region *region, int least)
{
  asking a = { ctx, region, least };
  return ask (&a, region->body);
}
