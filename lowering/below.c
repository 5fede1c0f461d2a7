/* Signs of iterators, as lowering/below.h says: from the outside in, a range
   where bounds are numbers, else what stands in the bounds.  */

#include "lowering/below.h"

#include <limits.h>

#include "ir/flat.h"
#include "ir/walk.h"

/* So many iterators of a subscript are put where they begin.  */
#define MOST_ROUNDS 8

static bool is_below (const tns_below *b, tns_expr *expr);

/* ATOM is a size, or what is computed of sizes.  */
static bool
is_size_atom (tns_expr *atom)
{
  return tns_is_over_values (atom)
         || (atom->op == TNS_LOAD && atom->sym->rank == 0);
}

/* TERM may be below 0; *IS_SIZE: it is no less, and of sizes alone.  */
static bool
is_term_below (const tns_below *b, const tns_term *term, bool *is_size)
{
  bool below = term->factor < 0;
  *is_size = !below && term->n_atoms > 0;
  for (int k = 0; k < term->n_atoms; k++)
    {
      below ^= is_below (b, term->atom[k]);
      *is_size &= is_size_atom (term->atom[k]);
    }
  return below && term->n_atoms > 0;
}

/* Some term of SUM may be below 0, and no size makes up for it.  */
static bool
is_sum_below (const tns_below *b, tns_sum sum)
{
  bool below = false, has_size = false;
  for (int k = 0; k < sum.n; k++)
    {
      bool is_size;
      below |= is_term_below (b, &sum.term[k], &is_size);
      has_size |= is_size;
    }
  return sum.n < 0 || (below && !has_size);
}

/* EXPR, an operation, may be below 0: some term of it.  */
static bool
is_result_below (const tns_below *b, tns_expr *expr)
{
  tns_sum sum = tns_sum_of (b->arena, expr);
  bool is_whole = sum.n == 1 && sum.term[0].n_atoms == 1
                  && tns_expr_equal (sum.term[0].atom[0], expr);
  return is_whole || is_sum_below (b, sum);
}

/* What is in EXPR, of which the range is not known, may be below 0.  */
static bool
has_below (const tns_below *b, tns_expr *expr)
{
  switch (expr->op)
    {
    case TNS_SYM:
    case TNS_LOAD:
      return expr->sym->rank > 0 ? true : b->sym[expr->sym->id];
    case TNS_MAX:
      return is_below (b, expr->arg[0]) && is_below (b, expr->arg[1]);
    case TNS_MIN:
      return is_below (b, expr->arg[0]) || is_below (b, expr->arg[1]);
    case TNS_SELECT:
      return is_below (b, expr->arg[1]) || is_below (b, expr->arg[2]);
    case TNS_CAST:
    case TNS_DIV:
    case TNS_FLOORDIV:
      return is_below (b, expr->arg[0]);
    case TNS_ADD:
    case TNS_SUB:
    case TNS_MUL:
    case TNS_NEG:
      return is_result_below (b, expr);
    default:
      return true;
    }
}

/* EXPR may be below 0.  */
static bool
is_below (const tns_below *b, tns_expr *expr)
{
  if (!tns_elem_is_integer (expr->type.elem))
    return true;
  tns_range range = tns_range_of (&b->ranges, expr);
  if (range.lo >= 0)
    return false;
  return range.lo > INT_MIN || has_below (b, expr);
}

/* The visitor: whether iterators and variables may be below 0.  */
static bool
note_node (tns_node *node, void *self)
{
  tns_below *b = self;
  if (node->kind == TNS_LOOP)
    {
      tns_expr *least = node->step > 0 ? node->lo : node->hi;
      bool is_any = least->op == TNS_SYM && least->sym->kind == TNS_SYM_VALUE;
      if (node->step > 0 && !is_any && !b->begin[node->iter->id])
        b->begin[node->iter->id] = node->lo;
      b->sym[node->iter->id] |= is_any || is_below (b, least);
    }
  else if (node->kind == TNS_ASSIGN && node->target->sym->rank == 0
           && tns_elem_is_integer (node->target->sym->type.elem))
    b->sym[node->target->sym->id] |= is_below (b, node->value);
  return true;
}

tns_below
tns_below_of (tns_arena *arena, tns_region *region)
{
  int n = region->n_syms + 1;
  tns_below b
    = { arena, tns_ranges_of (arena, region), TNS_NEW_ARRAY (arena, bool, n),
        TNS_NEW_ARRAY (arena, tns_expr *, n) };
  tns_node_walk (region->body, note_node, &b);
  return b;
}

/* Some term of SUM may be below 0.  */
static bool
has_term_below (const tns_below *b, tns_sum sum)
{
  bool is_size, below = false;
  for (int k = 0; k < sum.n; k++)
    below |= is_term_below (b, &sum.term[k], &is_size);
  return below;
}

/* Where an iterator that TERM grows with begins, and the REST of TERM; NULL
   where there is none.  */
static tns_expr *
beginning (const tns_below *b, tns_term term, tns_sum *rest)
{
  tns_expr *lo = NULL;
  *rest = tns_sum_int (b->arena, term.factor);
  for (int k = 0; k < term.n_atoms && term.factor > 0; k++)
    if (!lo && term.atom[k]->op == TNS_SYM && b->begin[term.atom[k]->sym->id])
      lo = b->begin[term.atom[k]->sym->id];
    else
      *rest
        = tns_sum_mul (b->arena, *rest, tns_sum_of (b->arena, term.atom[k]));
  while (lo && lo->op == TNS_MAX)
    lo = lo->arg[lo->arg[0]->op == TNS_INT];
  return lo;
}

/* *SUM with one such iterator where it begins.  False when it has none.  */
static bool
begin_one (const tns_below *b, tns_sum *sum)
{
  for (int k = 0; k < sum->n; k++)
    {
      tns_sum rest;
      tns_expr *lo = beginning (b, sum->term[k], &rest);
      if (!lo)
        continue;
      tns_term gone = sum->term[k];
      gone.factor = -gone.factor;
      tns_sum began = tns_sum_mul (b->arena, rest, tns_sum_of (b->arena, lo));
      *sum = tns_sum_add (
        b->arena,
        tns_sum_add (b->arena, *sum, tns_sum_of_term (b->arena, gone)), began);
      return true;
    }
  return false;
}

/* The constant of SUM.  */
static long long
constant_of (tns_sum sum)
{
  for (int k = 0; k < sum.n; k++)
    if (sum.term[k].n_atoms == 0)
      return sum.term[k].factor;
  return 0;
}

bool
tns_is_sum_below (const tns_below *below, tns_sum sum)
{
  int rounds = 0;
  sum = tns_sum_add (below->arena, sum,
                     tns_sum_int (below->arena, -constant_of (sum)));
  while (has_term_below (below, sum) && rounds < MOST_ROUNDS
         && begin_one (below, &sum))
    rounds++;
  return sum.n < 0 || has_term_below (below, sum) || constant_of (sum) < 0;
}
