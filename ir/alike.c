/* Nests that run alike, as ir/alike.h says.  */

#include "ir/alike.h"

#include "ir/affine.h"
#include "ir/walk.h"

/* Take what stands in NODE, below all loops of LINES.  */
static bool
take_lines (tns_lines *lines, tns_node *node)
{
  if (node->kind == TNS_BLOCK)
    {
      for (int k = 0; k < node->n_kids; k++)
        if (!take_lines (lines, node->kid[k]))
          return false;
      return true;
    }
  if (lines->n_lines == TNS_MOST_LINES || lines->n_locals == TNS_MOST_LINES)
    return false;
  if (node->kind == TNS_LOCAL)
    lines->local[lines->n_locals++] = node->sym;
  else if (node->kind == TNS_ASSIGN && !node->mask)
    lines->line[lines->n_lines++] = node;
  else
    return false;
  return true;
}

bool
tns_lines_read (tns_lines *lines, tns_node *node)
{
  *lines = (tns_lines){ .top = node };
  if (node->kind != TNS_LOOP)
    return false;
  while (node->kind == TNS_LOOP
         || (node->kind == TNS_BLOCK && node->n_kids == 1))
    if (node->kind == TNS_BLOCK)
      node = node->kid[0];
    else if (lines->n_loops == TNS_MOST_ALIKE)
      return false;
    else
      {
        lines->loop[lines->n_loops++] = node;
        node = node->body;
      }
  return take_lines (lines, node);
}

bool
tns_lines_move (const tns_lines *lines, tns_expr *expr)
{
  for (int k = 0; k < lines->n_loops; k++)
    if (!tns_expr_mentions (expr, lines->loop[k]->iter))
      return false;
  return true;
}

bool
tns_lines_own (tns_arena *arena, const tns_lines *lines, const tns_expr *place)
{
  for (int k = 0; k < lines->n_loops; k++)
    {
      bool found = false;
      for (int d = 0; d < place->n_args && !found; d++)
        {
          tns_affine at;
          found = tns_affine_of (arena, place->arg[d], &at) && at.n == 1
                  && at.sym[0] == lines->loop[k]->iter;
        }
      if (!found)
        return false;
    }
  return true;
}

bool
tns_lines_declare (const tns_lines *lines, const tns_sym *sym)
{
  for (int k = 0; k < lines->n_locals; k++)
    if (lines->local[k] == sym)
      return true;
  return false;
}

tns_expr *
tns_alike_renamed (const tns_alike *pair, tns_expr *expr)
{
  return tns_expr_substitute (pair->arena, expr, pair->from.n_loops, pair->iter,
                              pair->by);
}

bool
tns_alike_find (tns_alike *pair)
{
  int n = pair->from.n_loops;
  for (int k = 0; k < n && n == pair->to.n_loops; k++)
    {
      pair->iter[k] = pair->from.loop[k]->iter;
      pair->by[k] = tns_value (pair->arena, pair->to.loop[k]->iter);
    }
  for (int k = 0; k < n && n == pair->to.n_loops; k++)
    {
      const tns_node *a = pair->from.loop[k], *b = pair->to.loop[k];
      if (a->step != b->step
          || !tns_expr_equal (tns_alike_renamed (pair, a->lo), b->lo)
          || !tns_expr_equal (tns_alike_renamed (pair, a->hi), b->hi))
        return false;
    }
  return n == pair->to.n_loops;
}

bool
tns_alike_write (const tns_alike *pair, const tns_sym *sym)
{
  for (int k = pair->first; k <= pair->second; k++)
    if (tns_node_writes (pair->block->kid[k], sym))
      return true;
  return false;
}
