/* Long loops store to whole cache lines.

     for i simd(16)                       for i simd(16) align(y)
       y[i] = a * x[i] + y[i]      ->       y[i] = a * x[i] + y[i]

   Where a vector is as long as a cache line, and y begins inside of one, each
   vector lies in two, and takes two accesses.  The loop begins with the
   elements before y's first line, then (lowering/vectors-align.c, which leaves
   short loops alone at run time).

   An array that each iteration stores to, one element after the other, and that
   somebody sees afterwards decides; of several the first.  Those that nobody
   sees may become registers, or memory of our own, which begins a line.

   It pays where accesses are what takes the time: on a machine with such
   vectors, in loops of few operations, which may be long.  Loops with sums stay
   as they are: the lanes of their terms, and so the bits, must not depend on
   where an array lies.  A loop inside another begins anew each time: the
   distance of rows does not matter.  */

#include <string.h>

#include "ir/stride.h"
#include "schedule/planner.h"

/* More operations hide what an access takes.  */
#define MOST_OPERATIONS 20

/* ACCESS of STMT, below DIM with its lanes, is a store that vectors of a line's
   size can begin with.  */
static bool
fills_line (const tns_planner *p, const tns_tree *dim, int stmt,
            const tns_access *access)
{
  const tns_sym *iter = tns_dim_iter (p->scop, dim, stmt);
  const tns_array *array = &p->scop->array[access->array];
  long long elements = 0;
  return access->write && access->expr && access->expr->n_args > 0 && iter
         && !tns_sym_is_local (array->sym) && !array->dead_after
         && array->n_private == 0
         && dim->marks.simd * tns_elem_bytes (array->sym->type.elem)
              == p->machine->line_bytes
         && tns_access_distance (p->ctx->arena, access->expr, iter, &elements)
         && elements == 1;
}

/* The first array that can decide where the vectors of DIM begin, that called
   NAME if that is not NULL; NULL: there is none.  */
static tns_sym *
stored_array (const tns_planner *p, const tns_tree *dim, const char *name)
{
  for (int s = 0; s < p->scop->n_stmts; s++)
    for (int k = 0; tns_tree_has (dim, s) && k < p->scop->stmt[s].n_accesses;
         k++)
      {
        const tns_access *access = &p->scop->stmt[s].access[k];
        tns_sym *sym = p->scop->array[access->array].sym;
        if (fills_line (p, dim, s, access)
            && (!name || !strcmp (sym->name, name)))
          return sym;
      }
  return NULL;
}

/* DIM is FREE, innermost, and in vectors of a line's size.  */
static bool
suits (const tns_planner *p, const tns_tree *dim)
{
  return p->machine->masks && p->machine->line_bytes > 0
         && p->machine->vector_bytes == p->machine->line_bytes
         && dim->marks.simd > 1 && !dim->marks.parallel && !dim->marks.align
         && dim->role == TNS_ROLE_FREE && tns_tree_depth (dim->body) == 0;
}

/* DIM may be long, and accesses take most of its time.  */
static bool
pays (const tns_planner *p, tns_tree *dim)
{
  long most = tns_dim_most (p, dim);
  return (most == 0 || most >= TNS_LEAST_ON_LINES * dim->marks.simd)
         && !tns_dim_is_slow (p, dim)
         && tns_dim_operations (p, dim, dim->marks.simd) <= MOST_OPERATIONS;
}

bool
tns_dim_mark_align (tns_planner *planner, tns_tree *dim, const char *name)
{
  tns_sym *array
    = suits (planner, dim) ? stored_array (planner, dim, name) : NULL;
  if (!array)
    return false;
  dim->marks.align = array;
  tns_text_line (&planner->steps, "align %s in %s: %s", dim->name,
                 planner->scop->stmt[tns_tree_first_stmt (dim)].name,
                 array->name);
  return true;
}

/* Mark DIM when that pays.  */
static void
mark_align (tns_planner *p, tns_tree *dim, void *self)
{
  (void) self;
  if (pays (p, dim))
    tns_dim_mark_align (p, dim, NULL);
}

void
tns_plan_aligns (tns_planner *planner)
{
  tns_tree_dims (planner, planner->tree, mark_align, NULL);
}
