/* Interval arithmetic with symbolic ends.

     for i = 0 to n
       j = min (3 * i + k, m)     0 <= i <= n - 1
       .. a[j / 2] ..             k <= 3 * i + k <= 3 * (n - 1) + k
                                  min (k, m) / 2 <= j / 2 <= ...

   An iterator lies between the bounds of its loops, a cell of the region
   between the ends of all that is assigned to it; a product needs a factor
   that has one value.  Signed arithmetic does not
   overflow in a correct program; what is unsigned or made narrower is its
   mathematical value when that fits, else anything of its type.  What
   nothing is known of is anything of a narrow type, too: s[p[i]] of bytes p is
   among s[0] to s[255].  A choice that keeps a value in bounds has these.

   What else is executed under which condition is not looked at.  */

#include "ir/ends.h"

#include "ir/affine.h"
#include "ir/range.h"
#include "ir/walk.h"

/* No chain of cells and loops is followed further, no end is longer.  */
enum
{
  MOST_DEPTH = 24,
  MOST_NODES = 160
};

/* here    iterators stand for themselves
   inside  whose values are being gathered  */
typedef struct ender
{
  tns_arena *arena;
  const tns_region *region;
  tns_ends_of_load load;
  void *self;
  bool here;
  int depth;
  const struct gathering *inside;
} ender;

/* The ends of all values of SYM while the region is walked, on behalf of those
   of OUTER's.  */
typedef struct gathering
{
  ender *e;
  const tns_sym *sym;
  bool known;
  tns_ends ends;
  const struct gathering *outer;
} gathering;

typedef bool (*rule) (ender *e, tns_expr *expr, tns_ends *ends);

tns_expr *
tns_end_of_both (tns_arena *arena, tns_expr *a, tns_expr *b, bool most)
{
  long long x, y;
  if (!a || tns_expr_equal (a, b))
    return b;
  if (tns_expr_is_int (a, &x) && tns_expr_is_int (b, &y))
    return (most ? x > y : x < y) ? a : b;
  return tns_binary (arena, most ? TNS_MAX : TNS_MIN, a, b);
}

/* Widen GATHERED by MORE.  */
static void
widen (gathering *g, tns_ends more)
{
  tns_arena *arena = g->e->arena;
  g->ends.least = tns_end_of_both (arena, g->ends.least, more.least, false);
  g->ends.most = tns_end_of_both (arena, g->ends.most, more.most, true);
}

/* The visitor that counts nodes.  */
static bool
count_node (tns_expr *expr, void *self)
{
  int *n = self;
  (void) expr;
  return ++*n <= MOST_NODES;
}

/* END is short enough to be evaluated at run time.  */
static bool
is_short (tns_expr *end)
{
  int n = 0;
  tns_expr_walk (end, count_node, &n);
  return n <= MOST_NODES;
}

/* ENDS are both K.  */
static void
set_both (tns_ends *ends, tns_expr *k)
{
  ends->least = k;
  ends->most = k;
}

/* Apply OP with the constant K to both ends.  */
static void
apply (ender *e, tns_op op, long long k, tns_ends *ends)
{
  tns_expr *by = tns_int (e->arena, k);
  ends->least = tns_binary (e->arena, op, ends->least, by);
  ends->most = tns_binary (e->arena, op, ends->most, by);
}

/* COND ? END : OTHERWISE.  */
static tns_expr *
select_end (ender *e, tns_expr *cond, tns_expr *end, long long otherwise)
{
  return tns_ternary (e->arena, TNS_SELECT, cond, end,
                      tns_int (e->arena, otherwise));
}

/* ENDS of a mathematical value become those of its conversion to ELEM.  */
static bool
fit (ender *e, tns_elem elem, tns_ends *ends)
{
  tns_range type = tns_range_of_elem (elem);
  tns_range least = tns_range_of (NULL, ends->least);
  tns_range most = tns_range_of (NULL, ends->most);
  if (tns_range_within ((tns_range){ least.lo, most.hi }, type)
      && elem != TNS_U64)
    return true;
  if (tns_elem_bytes (elem) > 4)
    return elem == TNS_I64;
  tns_arena *arena = e->arena;
  tns_expr *cond = tns_binary (
    arena, TNS_LAND,
    tns_binary (arena, TNS_GE, ends->least, tns_int (arena, type.lo)),
    tns_binary (arena, TNS_LE, ends->most, tns_int (arena, type.hi)));
  ends->least = select_end (e, cond, ends->least, type.lo);
  ends->most = select_end (e, cond, ends->most, type.hi);
  return is_short (ends->least) && is_short (ends->most);
}

static bool find (ender *e, tns_expr *expr, tns_ends *ends);

/* The visitor of loops over the symbol.  */
static bool
visit_loop (tns_node *node, void *self)
{
  gathering *g = self;
  tns_ends lo, hi;
  if (node->kind != TNS_LOOP || node->iter != g->sym || !g->known)
    return g->known;
  g->known = find (g->e, node->lo, &lo) && find (g->e, node->hi, &hi);
  if (!g->known)
    return false;
  tns_arena *arena = g->e->arena;
  tns_expr *one = tns_int (arena, 1);
  tns_ends ends = { lo.least, tns_binary (arena, TNS_SUB, hi.most, one) };
  if (node->step < 0)
    ends = (tns_ends){ tns_binary (arena, TNS_ADD, hi.least, one), lo.most };
  widen (g, ends);
  return true;
}

/* The visitor of stores to the symbol.  */
static bool
visit_store (tns_node *node, void *self)
{
  gathering *g = self;
  tns_ends ends;
  if (node->kind != TNS_ASSIGN || node->target->sym != g->sym || !g->known)
    return g->known;
  bool is_plain = node->update == TNS_NONE || node->update == TNS_MIN
                  || node->update == TNS_MAX;
  g->known = is_plain && find (g->e, node->value, &ends);
  if (g->known)
    widen (g, ends);
  return g->known;
}

/* The values of SYM are being gathered: what they are depends on what they
   were.  */
static bool
is_inside (const ender *e, const tns_sym *sym)
{
  for (const gathering *g = e->inside; g; g = g->outer)
    if (g->sym == sym)
      return true;
  return false;
}

/* All values that VISIT finds of SYM.  */
static bool
gather (ender *e, const tns_sym *sym, tns_node_visitor visit, tns_ends *ends)
{
  if (is_inside (e, sym))
    return false;
  gathering g = { e, sym, true, { NULL, NULL }, e->inside };
  bool here = e->here;
  e->here = false;
  e->inside = &g;
  tns_node_walk (e->region->body, visit, &g);
  e->inside = g.outer;
  e->here = here;
  *ends = g.ends;
  return g.known && g.ends.least;
}

/* A VALUE as I64, or an iterator.  */
static bool
find_sym (ender *e, tns_expr *expr, tns_ends *ends)
{
  if (expr->sym->kind == TNS_SYM_ITER && !e->here)
    return gather (e, expr->sym, visit_loop, ends);
  set_both (ends, tns_cast (e->arena, tns_scalar (TNS_I64), expr));
  return expr->type.elem != TNS_U64;
}

/* An element of an array.  */
static bool
find_load (ender *e, tns_expr *expr, tns_ends *ends)
{
  if (tns_sym_is_local (expr->sym))
    return gather (e, expr->sym, visit_store, ends);
  return e->load && e->load (expr, ends, e->self);
}

/* A conversion.  */
static bool
find_cast (ender *e, tns_expr *expr, tns_ends *ends)
{
  tns_elem from = expr->arg[0]->type.elem;
  if (!tns_elem_is_integer (from) && from != TNS_BOOL)
    return false;
  tns_range source = tns_range_of_elem (from);
  tns_range target = tns_range_of_elem (expr->type.elem);
  bool is_widening = from != TNS_U64 && tns_range_within (source, target);
  return find (e, expr->arg[0], ends)
         && (is_widening || fit (e, expr->type.elem, ends));
}

/* A sum, a difference, the lesser or greater of two.  */
static bool
find_sum (ender *e, tns_expr *expr, tns_ends *ends)
{
  tns_ends a, b;
  bool is_sub = expr->op == TNS_SUB;
  if (!find (e, expr->arg[0], &a) || !find (e, expr->arg[1], &b))
    return false;
  ends->least
    = tns_binary (e->arena, expr->op, a.least, is_sub ? b.most : b.least);
  ends->most
    = tns_binary (e->arena, expr->op, a.most, is_sub ? b.least : b.most);
  return fit (e, expr->type.elem, ends);
}

/* The opposite.  */
static bool
find_opposite (ender *e, tns_expr *expr, tns_ends *ends)
{
  tns_ends a;
  if (!find (e, expr->arg[0], &a))
    return false;
  ends->least = tns_unary (e->arena, TNS_NEG, a.most);
  ends->most = tns_unary (e->arena, TNS_NEG, a.least);
  return fit (e, expr->type.elem, ends);
}

/* A product.  */
static bool
find_product (ender *e, tns_expr *expr, tns_ends *ends)
{
  tns_ends a, b;
  long long k;
  if (!find (e, expr->arg[0], &a) || !find (e, expr->arg[1], &b))
    return false;
  if (tns_expr_equal (a.least, a.most))
    {
      tns_ends other = a;
      a = b;
      b = other;
    }
  if (!tns_expr_equal (b.least, b.most))
    return false;
  bool is_constant = tns_expr_is_int (b.least, &k);
  bool is_negative = is_constant && k < 0;
  tns_expr *p = tns_binary (e->arena, TNS_MUL, a.least, b.least);
  tns_expr *q = tns_binary (e->arena, TNS_MUL, a.most, b.least);
  ends->least = is_negative ? q : p;
  ends->most = is_negative ? p : q;
  if (!is_constant)
    {
      ends->least = tns_end_of_both (e->arena, p, q, false);
      ends->most = tns_end_of_both (e->arena, p, q, true);
    }
  return fit (e, expr->type.elem, ends);
}

/* A rest: less than what it is by, and not negative where it is unsigned; else
   of the sign of what is divided.  */
static bool
find_rest (ender *e, tns_expr *expr, tns_ends *ends)
{
  tns_ends a, b;
  tns_arena *arena = e->arena;
  tns_expr *zero = tns_int (arena, 0);
  tns_expr *one = tns_int (arena, 1);
  bool is_unsigned = tns_elem_is_unsigned (expr->type.elem);
  if (!find (e, expr->arg[1], &b))
    return false;
  if (is_unsigned)
    {
      ends->least = zero;
      ends->most = tns_binary (arena, TNS_SUB, b.most, one);
      return expr->type.elem != TNS_U64;
    }
  if (!find (e, expr->arg[0], &a))
    return false;
  tns_expr *by = tns_binary (arena, TNS_MAX, b.most,
                             tns_binary (arena, TNS_SUB, zero, b.least));
  tns_expr *is_positive = tns_binary (arena, TNS_GE, a.least, zero);
  ends->least = tns_ternary (arena, TNS_SELECT, is_positive, zero,
                             tns_binary (arena, TNS_SUB, one, by));
  ends->most = tns_binary (arena, TNS_SUB, by, one);
  return true;
}

/* A quotient, a rest or a shift by a constant, bits of a mask.  */
static bool
find_by_constant (ender *e, tns_expr *expr, tns_ends *ends)
{
  long long k;
  if (expr->op == TNS_REM && !tns_expr_is_int (expr->arg[1], &k))
    return find_rest (e, expr, ends);
  if (!tns_expr_is_int (expr->arg[1], &k) || k < (expr->op != TNS_SHR))
    return false;
  bool is_masked = expr->op == TNS_AND || expr->op == TNS_MOD;
  if (is_masked)
    {
      ends->least = tns_int (e->arena, 0);
      ends->most = tns_int (e->arena, expr->op == TNS_MOD ? k - 1 : k);
      return true;
    }
  if (!find (e, expr->arg[0], ends))
    return false;
  if (expr->op == TNS_REM)
    {
      ends->least
        = tns_binary (e->arena, TNS_MIN, ends->least, tns_int (e->arena, 0));
      ends->least = tns_end_of_both (e->arena, ends->least,
                                     tns_int (e->arena, 1 - k), true);
      ends->most = tns_int (e->arena, k - 1);
    }
  else
    apply (e, expr->op, k, ends);
  return true;
}

/* A is B + BY.  */
static bool
is_beside (ender *e, tns_expr *a, tns_expr *b, int by)
{
  if (by && tns_elem_is_unsigned (a->type.elem))
    return false;
  tns_sum other = tns_sum_add (e->arena, tns_sum_of (e->arena, b),
                               tns_sum_int (e->arena, by));
  return tns_sum_equal (tns_sum_of (e->arena, a), other);
}

/* X OP Y ? X : OTHERWISE as a minimum or maximum; NULL where it is none.  */
static tns_expr *
extreme_of (ender *e, tns_op op, tns_expr *y, tns_expr *x, tns_expr *otherwise)
{
  bool is_less = op == TNS_LT || op == TNS_LE;
  bool is_strict = op == TNS_LT || op == TNS_GT;
  if (!is_less && op != TNS_GT && op != TNS_GE)
    return NULL;
  if (!is_beside (e, otherwise, y, 0)
      && (!is_strict || !is_beside (e, otherwise, y, is_less ? -1 : 1)))
    return NULL;
  return tns_binary (e->arena, is_less ? TNS_MIN : TNS_MAX, x, otherwise);
}

/* EXPR, a choice, as a minimum or maximum: i >= n ? n - 1 : i is the lesser of
   i and n - 1.  NULL where it is none.  */
static tns_expr *
as_extreme (ender *e, const tns_expr *expr)
{
  static const tns_op opposite[][2] = { { TNS_LT, TNS_GE },
                                        { TNS_GE, TNS_LT },
                                        { TNS_GT, TNS_LE },
                                        { TNS_LE, TNS_GT } };
  const tns_expr *cond = expr->arg[0];
  if (!tns_elem_is_integer (expr->type.elem) || cond->n_args != 2)
    return NULL;
  if (tns_expr_equal (cond->arg[0], expr->arg[1]))
    return extreme_of (e, cond->op, cond->arg[1], expr->arg[1], expr->arg[2]);
  for (int k = 0; k < 4; k++)
    if (opposite[k][0] == cond->op
        && tns_expr_equal (cond->arg[0], expr->arg[2]))
      return extreme_of (e, opposite[k][1], cond->arg[1], expr->arg[2],
                         expr->arg[1]);
  return NULL;
}

/* Either of two.  */
static bool
find_select (ender *e, tns_expr *expr, tns_ends *ends)
{
  tns_ends b;
  tns_expr *extreme = as_extreme (e, expr);
  if (extreme)
    return find (e, extreme, ends);
  if (!find (e, expr->arg[1], ends) || !find (e, expr->arg[2], &b))
    return false;
  gathering g = { e, NULL, true, *ends, NULL };
  widen (&g, b);
  *ends = g.ends;
  return true;
}

/* What finds the ends of EXPR; NULL when nothing does.  */
static rule
rule_of (const tns_expr *expr)
{
  switch (expr->op)
    {
    case TNS_SYM:
      return find_sym;
    case TNS_LOAD:
      return find_load;
    case TNS_CAST:
      return find_cast;
    case TNS_ADD:
    case TNS_SUB:
    case TNS_MIN:
    case TNS_MAX:
      return find_sum;
    case TNS_NEG:
      return find_opposite;
    case TNS_MUL:
      return find_product;
    case TNS_DIV:
    case TNS_REM:
    case TNS_FLOORDIV:
    case TNS_MOD:
    case TNS_SHR:
    case TNS_AND:
      return find_by_constant;
    case TNS_SELECT:
      return find_select;
    default:
      return NULL;
    }
}

/* The ends of all that ELEM can hold, where that is few values.  */
static bool
find_narrow (ender *e, tns_elem elem, tns_ends *ends)
{
  if (!tns_elem_is_integer (elem) || tns_elem_bytes (elem) > 2)
    return false;
  tns_range type = tns_range_of_elem (elem);
  ends->least = tns_int (e->arena, type.lo);
  ends->most = tns_int (e->arena, type.hi);
  return true;
}

/* The ends of EXPR.  */
static bool
find (ender *e, tns_expr *expr, tns_ends *ends)
{
  long long k;
  if (e->depth == MOST_DEPTH || expr->type.lanes != 1)
    return false;
  if (tns_expr_is_int (expr, &k))
    {
      set_both (ends, tns_int (e->arena, k));
      return expr->type.elem != TNS_U64 || k >= 0;
    }
  if (expr->type.elem == TNS_BOOL)
    {
      *ends = (tns_ends){ tns_int (e->arena, 0), tns_int (e->arena, 1) };
      return true;
    }
  rule by = rule_of (expr);
  e->depth++;
  bool known = by && by (e, expr, ends) && is_short (ends->least)
               && is_short (ends->most);
  e->depth--;
  return known || find_narrow (e, expr->type.elem, ends);
}

bool
tns_ends_of (tns_arena *arena, const tns_region *region, tns_expr *expr,
             tns_ends_of_load load, void *self, tns_ends *ends)
{
  ender e = { arena, region, load, self, false, 0, NULL };
  return find (&e, expr, ends);
}

bool
tns_ends_here (tns_arena *arena, const tns_region *region, tns_expr *expr,
               tns_ends *ends)
{
  ender e = { arena, region, NULL, NULL, true, 0, NULL };
  return find (&e, expr, ends);
}
