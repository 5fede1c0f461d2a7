/* Random regions: one sequence of numbers decides all, so that a seed is a
   region.

   Every iterator lies in [0, n) or [0, m) for the values n and m of the
   region, which it inherits from the iterator that bounds it.  Every
   subscript is then below E = 2*n + 2*m + 10 (i, i + c, n - 1 - i, i + j,
   2*i, constants, elements of an index array that holds 0 to 9), and every
   extent is E.  Flat arrays have E*m elements and are accessed at e*m + j
   with j below m.  */

#include "random-nest.h"

enum
{
  MOST_ITERS = 8,
  MOST_ARRAYS = 12,
  MOST_CELLS = 24
};

/* Statements of a region that is not light.  */
#define MANY 1000

/* An iterator that is alive: below VALUE m (else n).  */
typedef struct iter
{
  tns_sym *sym;
  bool is_below_m;
} iter;

/* most   statements after which nothing is added that need not be
   fixed  the numbers that stand for n and m, or 0  */
typedef struct maker
{
  tns_arena *arena;
  tns_region *region;
  unsigned long long state;
  bool floats;
  bool branches;
  tns_sym *n;
  tns_sym *m;
  tns_sym *index;
  tns_sym *array[MOST_ARRAYS];
  int n_arrays;
  tns_sym *flat[2];
  int n_flats;
  tns_sym *cell[MOST_CELLS];
  int n_cells;
  iter iters[MOST_ITERS];
  int n_iters;
  int n_names;
  int n_statements;
  int depth;
  int most;
  int fixed[2];
} maker;

/* A number below N.  */
static int
below (maker *r, int n)
{
  r->state = r->state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (int) ((r->state >> 33) % (unsigned) n);
}

/* True in PERCENT of all cases.  */
static bool
chance (maker *r, int percent)
{
  return below (r, 100) < percent;
}

/* EXPR op K.  */
static tns_expr *
with_int (maker *r, tns_op op, tns_expr *expr, long long k)
{
  return tns_binary (r->arena, op, expr, tns_int (r->arena, k));
}

/* n or m as I64, a number where it is fixed.  */
static tns_expr *
size (maker *r, tns_sym *sym)
{
  int fixed = r->fixed[sym == r->m];
  if (fixed)
    return tns_int (r->arena, fixed);
  return tns_cast (r->arena, tns_scalar (TNS_I64), tns_value (r->arena, sym));
}

/* The extent of every dimension.  */
static tns_expr *
extent (maker *r)
{
  tns_expr *sum
    = tns_binary (r->arena, TNS_ADD, size (r, r->n), size (r, r->m));
  return with_int (r, TNS_ADD, with_int (r, TNS_MUL, sum, 2), 10);
}

/* Some iterator that is alive, below m when BELOW_M; NULL for none.  */
static const iter *
some_iter (maker *r, bool below_m)
{
  int first = r->n_iters ? below (r, r->n_iters) : 0;
  for (int k = 0; k < r->n_iters; k++)
    {
      const iter *it = &r->iters[(first + k) % r->n_iters];
      if (!below_m || it->is_below_m)
        return it;
    }
  return NULL;
}

/* The value of some iterator, or a constant.  */
static tns_expr *
some_index (maker *r)
{
  const iter *it = some_iter (r, false);
  return it ? tns_value (r->arena, it->sym) : tns_int (r->arena, 1);
}

/* A subscript from 0 to below E.  */
static tns_expr *
subscript (maker *r)
{
  const iter *it = some_iter (r, false);
  if (!it || chance (r, 5))
    return tns_int (r->arena, below (r, 3));
  tns_expr *value = tns_value (r->arena, it->sym);
  switch (below (r, 12))
    {
    case 0:
      return with_int (r, TNS_ADD, value, 1 + below (r, 3));
    case 1:
      return with_int (r, TNS_SUB,
                       tns_binary (r->arena, TNS_SUB,
                                   size (r, it->is_below_m ? r->m : r->n),
                                   value),
                       1);
    case 2:
      return tns_binary (r->arena, TNS_ADD, value, some_index (r));
    case 3:
      return with_int (r, TNS_MUL, value, 2);
    case 4:
      return with_int (r, TNS_DIV, value, 2);
    case 5:
      {
        tns_expr *at[] = { value };
        return tns_cast (r->arena, tns_scalar (TNS_I64),
                         tns_load (r->arena, r->index, at));
      }
    default:
      return value;
    }
}

/* An element of SYM.  */
static tns_expr *
element (maker *r, tns_sym *sym)
{
  tns_expr *at[TNS_MOST_RANK];
  for (int k = 0; k < sym->rank; k++)
    at[k] = subscript (r);
  return tns_load (r->arena, sym, at);
}

/* e*m + j of a flat array; constant j where no iterator is below m.  */
static tns_expr *
flat_element (maker *r, tns_sym *sym)
{
  const iter *it = some_iter (r, true);
  tns_expr *j = it ? tns_value (r->arena, it->sym) : tns_int (r->arena, 0);
  tns_expr *row = some_index (r);
  if (chance (r, 20))
    row = with_int (r, TNS_ADD, row, 1);
  tns_expr *at[]
    = { tns_binary (r->arena, TNS_ADD,
                    tns_binary (r->arena, TNS_MUL, row, size (r, r->m)), j) };
  return tns_load (r->arena, sym, at);
}

/* Something that can be read or stored to; a stored one only when
   FOR_STORE.  */
static tns_expr *
place (maker *r, bool for_store)
{
  if (r->n_cells && chance (r, for_store ? 25 : 30))
    return tns_cell (r->arena, r->cell[below (r, r->n_cells)]);
  if (r->n_flats && chance (r, 25))
    return flat_element (r, r->flat[below (r, r->n_flats)]);
  return element (r, r->array[below (r, r->n_arrays)]);
}

/* A small constant of type ELEM.  */
static tns_expr *
constant (maker *r, tns_elem elem)
{
  int k = below (r, 8) - 2;
  if (tns_elem_is_float (elem))
    return tns_real (r->arena, elem, k / 2.0L);
  return tns_int_of (r->arena, elem, k);
}

/* An operator for ELEM.  */
static tns_op
some_op (maker *r, tns_elem elem)
{
  static const tns_op common[]
    = { TNS_ADD, TNS_ADD, TNS_SUB, TNS_SUB, TNS_MUL, TNS_MIN, TNS_MAX };
  static const tns_op integer[] = { TNS_AND, TNS_OR, TNS_XOR };
  if (!tns_elem_is_float (elem) && chance (r, 15))
    return integer[below (r, 3)];
  return common[below (r, 7)];
}

/* A leaf of type ELEM.  */
static tns_expr *
leaf (maker *r, tns_elem elem)
{
  tns_type type = tns_scalar (elem);
  int kind = below (r, 10);
  if (kind < 2)
    return constant (r, elem);
  if (kind == 2)
    return tns_cast (r->arena, type, some_index (r));
  for (int tries = 0; tries < 4; tries++)
    {
      tns_expr *load = place (r, false);
      if (load->type.elem == elem)
        return load;
      bool narrows_float
        = tns_elem_is_float (load->type.elem) && !tns_elem_is_float (elem);
      if (!narrows_float)
        return tns_cast (r->arena, type, load);
    }
  return constant (r, elem);
}

/* A comparison of integers; of floats where those may decide.  */
static tns_expr *
condition (maker *r)
{
  static const tns_op ops[]
    = { TNS_LT, TNS_LE, TNS_GT, TNS_GE, TNS_EQ, TNS_NE };
  tns_op op = ops[below (r, 6)];
  if (chance (r, 50))
    return tns_binary (r->arena, op, some_index (r),
                       chance (r, 50) ? some_index (r)
                                      : tns_int (r->arena, below (r, 4)));
  tns_elem elem
    = r->floats && r->branches && chance (r, 50) ? TNS_F64 : TNS_I32;
  return tns_binary (r->arena, op, leaf (r, elem), constant (r, elem));
}

/* An expression of type ELEM.  */
static tns_expr *
expression (maker *r, tns_elem elem, int levels)
{
  if (levels == 0 || chance (r, 20))
    return leaf (r, elem);
  int kind = below (r, 20);
  tns_expr *a = expression (r, elem, levels - 1);
  if (kind == 0)
    return tns_unary (r->arena, TNS_NEG, a);
  if (kind == 1 && tns_elem_is_float (elem))
    return tns_unary (r->arena, TNS_ABS, a);
  if (kind == 2)
    return tns_ternary (r->arena, TNS_SELECT, condition (r), a,
                        expression (r, elem, levels - 1));
  if (kind == 3 && !tns_elem_is_float (elem))
    return tns_binary (r->arena, chance (r, 50) ? TNS_DIV : TNS_REM, a,
                       tns_int_of (r->arena, elem, 2 + below (r, 5)));
  if (kind == 4 && elem == TNS_F32)
    return tns_cast (r->arena, tns_scalar (TNS_F32),
                     expression (r, TNS_F64, levels - 1));
  tns_expr *b = expression (r, elem, levels - 1);
  return tns_binary (r->arena, some_op (r, elem), a, b);
}

/* The next statement's name.  */
static tns_node *
named (maker *r, tns_node *node)
{
  node->name = tns_arena_format (r->arena, "S%d", ++r->n_names);
  r->n_statements++;
  return node;
}

/* if (e > t) t = e;  */
static tns_node *
extremum (maker *r, tns_expr *target, tns_expr *value)
{
  tns_node *then = tns_block (r->arena, (tns_loc){ 0 });
  tns_block_add (
    r->arena, then,
    named (r, tns_assign (r->arena, then->loc, target, TNS_NONE, value)));
  tns_op op = chance (r, 50) ? TNS_GT : TNS_LT;
  tns_expr *cond = chance (r, 50) ? tns_binary (r->arena, op, value, target)
                                  : tns_binary (r->arena, op, target, value);
  return tns_if (r->arena, then->loc, cond, then, NULL);
}

/* VALUE, of a floating type, over what is the same in all iterations and
   above 0.  */
static tns_expr *
quotient (maker *r, tns_expr *value)
{
  tns_type type = tns_scalar (value->type.elem);
  tns_expr *by = chance (r, 50) ? tns_real (r->arena, type.elem, 3)
                                : tns_cast (r->arena, type, size (r, r->n));
  return tns_binary (r->arena, TNS_DIV, value, by);
}

/* A statement that updates TARGET by VALUE in one of C's spellings.  */
static tns_node *
update (maker *r, tns_expr *target, tns_expr *value)
{
  tns_loc loc = { 0 };
  tns_op op = chance (r, 60) ? TNS_ADD : some_op (r, target->type.elem);
  bool is_float = tns_elem_is_float (target->type.elem);
  tns_expr *made;
  if (is_float && chance (r, 10))
    value = quotient (r, value);
  switch (below (r, 6))
    {
    case 0:
      return named (r, tns_assign (r->arena, loc, target, op, value));
    case 1:
      made = tns_binary (r->arena, op, value, target);
      break;
    case 2:
      made = tns_binary (r->arena, TNS_SUB,
                         tns_binary (r->arena, TNS_ADD, target, value),
                         constant (r, target->type.elem));
      break;
    case 3:
      if (!is_float || r->branches)
        return extremum (r, target, value);
      made = tns_binary (r->arena, TNS_SUB, target, value);
      break;
    case 4:
      made = tns_ternary (r->arena, TNS_SELECT,
                          tns_binary (r->arena, TNS_LT, value, target), value,
                          target);
      break;
    default:
      made = tns_binary (r->arena, op, target, value);
    }
  return named (r, tns_assign (r->arena, loc, target, TNS_NONE, made));
}

/* A statement.  */
static tns_node *
statement (maker *r)
{
  tns_expr *target = place (r, true);
  tns_expr *value = expression (r, target->type.elem, 1 + below (r, 3));
  if (chance (r, 45))
    return update (r, target, value);
  return named (r,
                tns_assign (r->arena, (tns_loc){ 0 }, target, TNS_NONE, value));
}

/* An element type for a new array or cell.  */
static tns_elem
some_elem (maker *r)
{
  static const tns_elem elems[]
    = { TNS_I32, TNS_I64, TNS_U32, TNS_I32, TNS_F64, TNS_F32, TNS_F64 };
  return elems[below (r, r->floats ? 7 : 4)];
}

/* LOCAL t; t = e;  at the end of BLOCK.  */
static void
local_cell (maker *r, tns_node *block)
{
  tns_sym *sym = tns_region_add_array (r->arena, r->region, "t", some_elem (r),
                                       0, TNS_SYM_LOCAL);
  tns_block_add (r->arena, block, tns_local (r->arena, block->loc, sym));
  tns_expr *value = expression (r, sym->type.elem, 2);
  tns_expr *target = tns_cell (r->arena, sym);
  tns_block_add (
    r->arena, block,
    named (r, tns_assign (r->arena, block->loc, target, TNS_NONE, value)));
  r->cell[r->n_cells++] = sym;
}

/* for k = 0 to E { VALUE of w[k] }  at the end of BLOCK, W a local array: an
   assignment to TARGET, NULL for w[k], with OP.  */
static void
sweep (maker *r, tns_node *block, tns_sym *w, tns_expr *target, tns_op op)
{
  tns_sym *k = tns_region_add_iter (r->arena, r->region, "k");
  tns_expr *at[] = { tns_value (r->arena, k) };
  tns_expr *own = tns_load (r->arena, w, at);
  tns_expr *value
    = target ? tns_binary (r->arena, TNS_MUL, own, leaf (r, w->type.elem))
             : quotient (r, own);
  tns_node *body = tns_block (r->arena, block->loc);
  tns_block_add (r->arena, body,
                 named (r, tns_assign (r->arena, block->loc,
                                       target ? target : own, op, value)));
  tns_block_add (r->arena, block,
                 tns_loop (r->arena, block->loc, k, tns_int (r->arena, 0),
                           extent (r), 1, body));
}

/* for k { w[k] /= c; } for k { t += w[k] * e; }  at the end of BLOCK, where
   there is a place for it.  */
static void
scaled_sum (maker *r, tns_node *block, tns_sym *w)
{
  tns_expr *target = place (r, true);
  for (int k = 0; target->type.elem != w->type.elem && k < 8; k++)
    target = place (r, true);
  if (target->type.elem != w->type.elem || !tns_elem_is_float (w->type.elem))
    return;
  sweep (r, block, w, NULL, TNS_NONE);
  sweep (r, block, w, target, TNS_ADD);
}

/* LOCAL w[E]; for k = 0 to E { w[k] = e; }  at the end of BLOCK.  */
static void
local_array (maker *r, tns_node *block)
{
  tns_sym *sym = tns_region_add_array (r->arena, r->region, "w", some_elem (r),
                                       1, TNS_SYM_LOCAL);
  sym->extent[0] = extent (r);
  tns_sym *k = tns_region_add_iter (r->arena, r->region, "k");
  tns_expr *at[] = { tns_value (r->arena, k) };
  tns_node *body = tns_block (r->arena, block->loc);
  tns_node *store
    = tns_assign (r->arena, block->loc, tns_load (r->arena, sym, at), TNS_NONE,
                  expression (r, sym->type.elem, 1));
  tns_block_add (r->arena, body, named (r, store));
  tns_block_add (r->arena, block, tns_local (r->arena, block->loc, sym));
  tns_block_add (r->arena, block,
                 tns_loop (r->arena, block->loc, k, tns_int (r->arena, 0),
                           extent (r), 1, body));
  if (chance (r, 50))
    r->array[r->n_arrays++] = sym;
  else
    scaled_sum (r, block, sym);
}

/* The bounds of a new loop over IT, whose step is positive.  */
static void
choose_bounds (maker *r, iter *it, tns_expr **lo, tns_expr **hi)
{
  const iter *outer = some_iter (r, false);
  it->is_below_m = chance (r, 50);
  *lo = tns_int (r->arena, chance (r, 75) ? 0 : 1 + below (r, 2));
  *hi = size (r, it->is_below_m ? r->m : r->n);
  if (!outer || chance (r, 65))
    {
      if (chance (r, 15))
        *hi = with_int (r, TNS_SUB, *hi, 1 + below (r, 2));
      return;
    }
  it->is_below_m = outer->is_below_m;
  tns_expr *value = tns_value (r->arena, outer->sym);
  if (chance (r, 60))
    *hi = chance (r, 50) ? value : with_int (r, TNS_ADD, value, 1);
  else
    {
      *lo = value;
      *hi = size (r, it->is_below_m ? r->m : r->n);
    }
}

/* A loop with an empty body, whose iterator is alive from here on.  */
static tns_node *
begin_loop (maker *r)
{
  static const char *const names[] = { "i", "j", "k", "l", "p", "q" };
  tns_expr *lo;
  tns_expr *hi;
  iter it;
  choose_bounds (r, &it, &lo, &hi);
  it.sym = tns_region_add_iter (r->arena, r->region, names[r->n_iters % 6]);
  r->iters[r->n_iters++] = it;
  r->depth = r->n_iters > r->depth ? r->n_iters : r->depth;
  tns_loc loc = { 0 };
  tns_node *body = tns_block (r->arena, loc);
  if (chance (r, 85))
    return tns_loop (r->arena, loc, it.sym, lo, hi, 1 + (below (r, 8) == 0),
                     body);
  if (chance (r, 30))
    return tns_loop (r->arena, loc, it.sym, lo, hi, 3, body);
  return tns_loop (r->arena, loc, it.sym, with_int (r, TNS_SUB, hi, 1),
                   with_int (r, TNS_SUB, lo, 1), -1 - below (r, 2), body);
}

/* t = 0; for i { t += e / c; }  at the end of BLOCK, perhaps without the first;
   false where there is no place for it.  */
static bool
mean (maker *r, tns_node *block)
{
  tns_expr *target = place (r, true);
  for (int k = 0; !tns_elem_is_float (target->type.elem) && k < 4; k++)
    target = place (r, true);
  tns_elem elem = target->type.elem;
  if (!tns_elem_is_float (elem) || r->n_iters == MOST_ITERS)
    return false;
  if (chance (r, 50))
    tns_block_add (r->arena, block,
                   named (r, tns_assign (r->arena, block->loc, target, TNS_NONE,
                                         tns_real (r->arena, elem, 0))));
  tns_node *loop = begin_loop (r);
  tns_expr *value = quotient (r, expression (r, elem, 2));
  tns_block_add (
    r->arena, loop->body,
    named (r, tns_assign (r->arena, block->loc, target, TNS_ADD, value)));
  r->n_iters--;
  tns_block_add (r->arena, block, loop);
  return true;
}

/* Fill BLOCK; LEVELS of loops may stand in it, one must when NEEDS_LOOP.  */
static void
fill_block (maker *r, tns_node *block, int levels, bool needs_loop)
{
  int n_cells = r->n_cells;
  int n_arrays = r->n_arrays;
  bool is_full = r->n_statements >= r->most;
  bool has_one = is_full || (levels && chance (r, r->most < 3 ? 80 : 45));
  int items = has_one ? 1 : 1 + below (r, 3);
  int loop_at = levels && needs_loop ? below (r, items) : -1;
  if (r->n_cells < MOST_CELLS && !is_full && chance (r, 15))
    local_cell (r, block);
  if (r->n_arrays < MOST_ARRAYS && r->n_iters < 2 && !is_full && chance (r, 8))
    local_array (r, block);
  for (int k = 0; k < items; k++)
    {
      bool may_loop = levels && r->n_statements < r->most;
      bool is_loop = k == loop_at || (may_loop && chance (r, 25));
      if (is_loop)
        {
          tns_node *loop = begin_loop (r);
          fill_block (r, loop->body, levels - 1, k == loop_at);
          r->n_iters--;
          tns_block_add (r->arena, block, loop);
        }
      else if (may_loop && chance (r, 15) && mean (r, block))
        ;
      else if (chance (r, 12))
        {
          tns_expr *cond = condition (r);
          tns_node *then = tns_block (r->arena, block->loc);
          tns_node *otherwise = NULL;
          fill_block (r, then, 0, false);
          if (chance (r, 40))
            {
              otherwise = tns_block (r->arena, block->loc);
              fill_block (r, otherwise, 0, false);
            }
          tns_block_add (r->arena, block,
                         tns_if (r->arena, block->loc, cond, then, otherwise));
        }
      else
        tns_block_add (r->arena, block, statement (r));
    }
  r->n_cells = n_cells;
  r->n_arrays = n_arrays;
}

/* A parameter of REGION.  */
static tns_sym *
add_array (maker *r, const char *name, tns_elem elem, int rank, unsigned flags)
{
  tns_sym *sym
    = tns_region_add_array (r->arena, r->region, name, elem, rank, flags);
  for (int k = 0; k < rank; k++)
    sym->extent[k] = extent (r);
  tns_region_add_param (r->arena, r->region, sym);
  return sym;
}

/* The parameters.  */
static void
add_params (maker *r)
{
  static const char *const names[] = { "A", "B", "C", "D", "F", "G" };
  bool is_int = chance (r, 40);
  r->n = tns_region_add_value (r->arena, r->region, "n", TNS_I64);
  r->m = tns_region_add_value (r->arena, r->region, "m",
                               is_int ? TNS_I32 : TNS_I64);
  tns_region_add_param (r->arena, r->region, r->n);
  tns_region_add_param (r->arena, r->region, r->m);
  r->index = add_array (r, "X", TNS_I32, 1, TNS_SYM_OBJECT | TNS_SYM_CONST);
  int n = 2 + below (r, 3);
  for (int k = 0; k < n; k++)
    r->array[r->n_arrays++] = add_array (r, names[k], some_elem (r),
                                         1 + below (r, 3), TNS_SYM_OBJECT);
  for (int k = 0; k < 2; k++)
    r->cell[r->n_cells++]
      = add_array (r, k ? "t" : "s", some_elem (r), 0, TNS_SYM_OBJECT);
  if (!chance (r, 60))
    return;
  r->n_flats = 1 + below (r, 2);
  for (int k = 0; k < r->n_flats; k++)
    {
      r->flat[k]
        = add_array (r, k ? "Q" : "P", some_elem (r), 1, TNS_SYM_OBJECT);
      r->flat[k]->extent[0]
        = tns_binary (r->arena, TNS_MUL, extent (r), size (r, r->m));
    }
}

/* Make few statements, in a quarter of the cases under fixed sizes.  */
static void
make_light (maker *r)
{
  static const int most[] = { 1, 1, 2, 2, 2, 3, 3, 4 };
  r->most = most[below (r, 8)];
  if (!chance (r, 25))
    return;
  r->fixed[0] = 1 + below (r, 4);
  r->fixed[1] = 1 + below (r, 4);
}

/* for k = 0 to n*m { P[k] = e; }  before or behind all else.  */
static void
add_flat (maker *r)
{
  tns_node *body = r->region->body;
  tns_sym *sym = r->flat[below (r, r->n_flats)];
  tns_sym *k = tns_region_add_iter (r->arena, r->region, "k");
  tns_expr *at[] = { tns_value (r->arena, k) };
  tns_expr *target = tns_load (r->arena, sym, at);
  tns_expr *value = constant (r, sym->type.elem);
  if (chance (r, 60))
    value = tns_binary (
      r->arena, TNS_MUL,
      tns_cast (r->arena, sym->type,
                tns_load (r->arena, r->flat[below (r, r->n_flats)], at)),
      value);
  tns_node *inner = tns_block (r->arena, body->loc);
  tns_block_add (
    r->arena, inner,
    named (r, tns_assign (r->arena, body->loc, target,
                          chance (r, 30) ? TNS_ADD : TNS_NONE, value)));
  tns_expr *all
    = tns_binary (r->arena, TNS_MUL, size (r, r->n), size (r, r->m));
  tns_block_add (
    r->arena, body,
    tns_loop (r->arena, body->loc, k, tns_int (r->arena, 0), all, 1, inner));
  if (chance (r, 50))
    return;
  tns_node *last = body->kid[body->n_kids - 1];
  for (int at_kid = body->n_kids - 1; at_kid > 0; at_kid--)
    body->kid[at_kid] = body->kid[at_kid - 1];
  body->kid[0] = last;
}

random_nest
random_nest_new (tns_arena *arena, unsigned long long seed, bool floats,
                 bool branches, bool light)
{
  static const int depths[] = { 1, 2, 2, 2, 3, 3, 3, 2, 4, 1 };
  maker r = { .arena = arena,
              .state = seed * 0x9e3779b97f4a7c15ULL + 1,
              .most = MANY,
              .floats = floats,
              .branches = branches };
  r.region = tns_region_new (arena, "random");
  if (light)
    make_light (&r);
  add_params (&r);
  (void) below (&r, 2);
  int depth = depths[below (&r, 10)];
  fill_block (&r, r.region->body, depth, true);
  if (r.n_flats && chance (&r, 25))
    add_flat (&r);
  return (random_nest){ r.region, r.depth, r.n_statements };
}
