/* Short loops written out, as ir/copies.h says.  */

#include "ir/copies.h"

#include <string.h>

#include "ir/walk.h"

long long
tns_loop_constant_trip (const tns_node *loop)
{
  long long lo = 0;
  long long hi = 0;
  if (!tns_expr_is_int (loop->lo, &lo) || !tns_expr_is_int (loop->hi, &hi))
    return 0;
  long long step = loop->step;
  long long length = step > 0 ? hi - lo : lo - hi;
  long long stride = step > 0 ? step : -step;
  return length > 0 ? (length + stride - 1) / stride : 0;
}

/* LIST names LOOP.  */
static bool
names_loop (const tns_wish_list *list, const tns_node *loop)
{
  const tns_sym *iter = loop->iter;
  for (int k = 0; k < list->n; k++)
    if (!strcmp (list->names[k].name,
                 iter->spelled ? iter->spelled : iter->name))
      return true;
  return false;
}

bool
tns_loop_is_decided (const tns_wish *wish, const tns_node *loop)
{
  return names_loop (&wish->tile, loop) || names_loop (&wish->simd, loop)
         || names_loop (&wish->parallel, loop)
         || names_loop (&wish->unroll, loop)
         || names_loop (&wish->interchange, loop);
}

/* NODE is or holds a loop.  */
static bool
has_loop (const tns_node *node)
{
  bool found = node->kind == TNS_LOOP;
  if (node->kind == TNS_IF)
    found = has_loop (node->then)
            || (node->otherwise && has_loop (node->otherwise));
  for (int k = 0; node->kind == TNS_BLOCK && k < node->n_kids; k++)
    found |= has_loop (node->kid[k]);
  return found;
}

/* The names of the copy that is made.  */
typedef struct renamer
{
  tns_arena *arena;
  int copy;
} renamer;

/* NODE, with the number of the copy behind its name.  */
static tns_node *
rename_node (tns_node *node, void *self)
{
  renamer *r = self;
  if (node->kind == TNS_ASSIGN && node->name)
    node->name = tns_arena_format (r->arena, "%s_%d", node->name, r->copy);
  return node;
}

tns_node *
tns_loop_copy (tns_arena *arena, const tns_node *loop, int k)
{
  renamer r = { arena, k };
  long long lo = 0;
  tns_expr_is_int (loop->lo, &lo);
  tns_expr *at = tns_int (arena, lo + k * loop->step);
  tns_node *body = tns_node_substitute (arena, loop->body, 1, &loop->iter, &at);
  if (k == 0 && !has_loop (loop->body))
    return body;
  return tns_node_rebuild (arena, body, rename_node, NULL, &r);
}
