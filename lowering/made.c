/* Lists of loops, as lowering/made.h says.

   Does not tell apart the copies of a loop: one that could be done makes the
   loop done, since they differ in their borders only.  */

#include "lowering/made.h"

bool
tns_made_has (const tns_made_list *list, const tns_sym *iter)
{
  for (int k = 0; k < list->n; k++)
    if (list->iter[k] == iter)
      return true;
  return false;
}

void
tns_made_note (tns_arena *arena, tns_made_list *list, const tns_sym *iter)
{
  size_t n = (size_t) list->n, one = sizeof *list->iter;
  if (tns_made_has (list, iter))
    return;
  list->iter = tns_arena_grow (arena, list->iter, n * one, (n + 1) * one);
  list->iter[list->n++] = iter;
}
