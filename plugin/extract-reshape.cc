/* Arrays that are seen in several shapes.

     float (*z)[64] = (void *) x;       x is float (*)[128]
     z[i][j]                            x_flat[i * 64 + j]
     x[i][j]                            x_flat[i * 128 + j]

   Where an address is moved over arrays of another shape than those that its
   base has there, all dims are entered at their element 0 and the view's own
   are counted in the last subscript; when the region has been read such a base
   is made flat.  The stages behind this find a shape that suits all accesses,
   as they do for all flat arrays.  */

#include "plugin/reader.hh"

extern "C"
{
#include "ir/walk.h"
}

/* Subscript K of BASE counts objects of the shape of UNIT.  */
static bool
counts (tns_reader *reader, const tns_base *base, int k, tree unit)
{
  if (unit == base->unit[k])
    return true;
  for (k++; k < base->rank; k++, unit = TREE_TYPE (unit))
    {
      tns_expr *extent
        = TREE_CODE (unit) == ARRAY_TYPE ? tns_extent_of (reader, unit) : NULL;
      if (!extent || !base->extent[k]
          || !tns_expr_equal (extent, base->extent[k]))
        return false;
    }
  return TREE_CODE (unit) != ARRAY_TYPE;
}

/* BASE's elements lie one behind the other in memory of the caller's.  */
static bool
can_be_flat (const tns_base *base)
{
  bool alone = !base->outer || base->dropped || base->outer->rank == 0;
  return base->rank > 0 && alone && !base->is_local;
}

bool
tns_make_flat (tns_base *base)
{
  bool can_be = base->rank < 2 || can_be_flat (base);
  base->is_flat |= can_be && base->rank > 1;
  return can_be;
}

bool
tns_reshape (tns_reader *reader, tns_address *address, int k, tree unit)
{
  tns_base *base = address->base;
  bool entered = address->n == base->rank;
  if (k >= 0 && k < base->rank && counts (reader, base, k, unit))
    return true;
  if (!can_be_flat (base))
    return entered;
  while (address->n < base->rank)
    address->sub[address->n++] = tns_int (reader->arena, 0);
  return tns_make_flat (base);
}

/* The changer of accesses: those of bases that are made flat.  */
static tns_expr *
flatten_access (tns_expr *expr, void *self)
{
  tns_reader *reader = (tns_reader *) self;
  tns_arena *arena = reader->arena;
  if (!expr->sym || expr->n_args < 2)
    return expr;
  for (const tns_base *base = reader->bases; base; base = base->next)
    if (base->is_flat && base->sym == expr->sym)
      {
        tns_expr **at = TNS_NEW (arena, tns_expr *);
        *at = expr->arg[0];
        for (int k = 1; k < base->rank; k++)
          *at = tns_binary (arena, TNS_ADD,
                            tns_binary (arena, TNS_MUL, *at, base->extent[k]),
                            expr->arg[k]);
        tns_expr *made = tns_load (arena, expr->sym, at);
        made->loc = expr->loc;
        return made;
      }
  return expr;
}

/* The changer of whole expressions.  */
static tns_expr *
flatten_accesses (tns_expr *expr, void *self)
{
  tns_reader *reader = (tns_reader *) self;
  return tns_expr_rebuild (reader->arena, expr, flatten_access, self);
}

/* The number of BASE's elements, NULL when unknown.  */
static tns_expr *
count_of (tns_arena *arena, const tns_base *base)
{
  tns_expr *count = base->extent[0];
  for (int k = 1; count && k < base->rank; k++)
    count = tns_binary (arena, TNS_MUL, count, base->extent[k]);
  return count;
}

void
tns_flatten_bases (tns_reader *reader)
{
  bool some = false;
  for (tns_base *base = reader->bases; base; base = base->next)
    if (base->is_flat && base->sym)
      {
        base->sym->extent[0] = count_of (reader->arena, base);
        base->sym->rank = 1;
        some = true;
      }
  if (some)
    reader->region->body = tns_node_rebuild (
      reader->arena, reader->region->body, NULL, flatten_accesses, reader);
}
