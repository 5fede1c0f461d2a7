/* Interval arithmetic with symbolic ends.

     for i = 0 to n
       j = min (3 * i + k, m)     0 <= i <= n - 1
       .. a[j / 2] ..             k <= 3 * i + k <= 3 * (n - 1) + k
                                  min (k, m) / 2 <= j / 2 <= ...

   An iterator lies between the bounds of its loops.  A cell holds what was
   assigned to it last, where a straight line tells (ir/place.h), else lies
   between the ends of all that is assigned to it.  A product needs a factor
   that has one value.  Signed arithmetic does not
   overflow in a correct program; what is unsigned or made narrower is its
   mathematical value when that fits, else anything of its type.  What
   nothing is known of is anything of a narrow type, too: s[p[i]] of bytes p is
   among s[0] to s[255].  A choice that keeps a value in bounds has these; so
   has what a condition around says of it.  An end that nothing is known of is
   NULL.  Those of floating numbers, F64, are for the integers that are made of
   them (ir/ends-float.c).  */

#include "ir/ends-inside.h"

#include "ir/affine.h"
#include "ir/range.h"
#include "ir/walk.h"

/* No chain of cells and loops is followed further, no end is longer, nothing
   is asked more often.  */
enum
{
  MOST_DEPTH = 24,
  MOST_NODES = 640,
  MOST_STEPS = 2000
};

/* The ends of all values of SYM while the region is walked, on behalf of those
   of OUTER's.  any: there are some.  */
typedef struct gathering
{
  ender *e;
  const tns_sym *sym;
  bool known;
  bool any;
  tns_ends ends;
  const struct gathering *outer;
} gathering;

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

void
tns_ends_widen (ender *e, tns_ends *ends, tns_ends more)
{
  ends->least = ends->least && more.least
                  ? tns_end_of_both (e->arena, ends->least, more.least, false)
                  : NULL;
  ends->most = ends->most && more.most
                 ? tns_end_of_both (e->arena, ends->most, more.most, true)
                 : NULL;
}

/* Widen what G has gathered by MORE.  */
static void
widen (gathering *g, tns_ends more)
{
  if (g->any)
    tns_ends_widen (g->e, &g->ends, more);
  else
    g->ends = more;
  g->any = true;
}

/* Some end is known.  */
static bool
is_any (tns_ends ends)
{
  return ends.least || ends.most;
}

bool
tns_ends_are_both (tns_ends ends)
{
  return ends.least && ends.most;
}

bool
tns_ends_are_one (tns_ends a)
{
  return tns_ends_are_both (a) && tns_expr_equal (a.least, a.most);
}

tns_expr *
tns_end_made (ender *e, tns_op op, tns_expr *a, tns_expr *b)
{
  return a && b ? tns_binary (e->arena, op, a, b) : NULL;
}

void
tns_ends_apply (ender *e, tns_op op, long long k, tns_ends *ends)
{
  tns_expr *by = tns_int (e->arena, k);
  ends->least = tns_end_made (e, op, ends->least, by);
  ends->most = tns_end_made (e, op, ends->most, by);
}

/* The visitor that counts nodes.  */
static bool
count_node (tns_expr *expr, void *self)
{
  int *n = self;
  (void) expr;
  return ++*n <= MOST_NODES;
}

/* END, or NULL where it is too long to be evaluated at run time.  */
static tns_expr *
if_short (tns_expr *end)
{
  int n = 0;
  if (end)
    tns_expr_walk (end, count_node, &n);
  return n <= MOST_NODES ? end : NULL;
}

/* ENDS are both K.  */
static void
set_both (tns_ends *ends, tns_expr *k)
{
  ends->least = k;
  ends->most = k;
}

/* COND ? END : OTHERWISE.  */
static tns_expr *
select_end (ender *e, tns_expr *cond, tns_expr *end, long long otherwise)
{
  return tns_ternary (e->arena, TNS_SELECT, cond, end,
                      tns_int (e->arena, otherwise));
}

/* ENDS of a mathematical value, one of which is unknown, become those of its
   conversion to ELEM: what is unsigned is not negative.  */
static bool
fit_one (ender *e, tns_elem elem, tns_ends *ends)
{
  bool is_unsigned = tns_elem_is_unsigned (elem);
  ends->most = NULL;
  ends->least = is_unsigned && elem != TNS_U64 ? tns_int (e->arena, 0) : NULL;
  return is_any (*ends);
}

/* ENDS of a mathematical value become those of its conversion to ELEM.  */
static bool
fit (ender *e, tns_elem elem, tns_ends *ends)
{
  if (!tns_ends_are_both (*ends))
    return elem == TNS_I64 ? is_any (*ends) : fit_one (e, elem, ends);
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
  return true;
}

/* ENDS of what is computed in ELEM, where signed arithmetic does not overflow.
 */
static bool
fit_result (ender *e, tns_elem elem, tns_ends *ends)
{
  if (!tns_ends_are_both (*ends) && !tns_elem_is_unsigned (elem))
    return is_any (*ends);
  return fit (e, elem, ends);
}

/* The visitor of loops over the symbol.  */
static bool
visit_loop (tns_node *node, void *self)
{
  gathering *g = self;
  tns_ends lo, hi;
  if (node->kind != TNS_LOOP || node->iter != g->sym || !g->known)
    return g->known;
  g->known = tns_ends_find (g->e, node->lo, &lo)
             && tns_ends_find (g->e, node->hi, &hi);
  if (!g->known)
    return false;
  tns_arena *arena = g->e->arena;
  tns_expr *one = tns_int (arena, 1);
  tns_ends ends = { lo.least, tns_end_made (g->e, TNS_SUB, hi.most, one) };
  if (node->step < 0)
    ends = (tns_ends){ tns_end_made (g->e, TNS_ADD, hi.least, one), lo.most };
  widen (g, ends);
  return is_any (g->ends);
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
  g->known = is_plain && tns_ends_find (g->e, node->value, &ends);
  if (g->known)
    widen (g, ends);
  g->known = g->known && is_any (g->ends);
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
  gathering g = { e, sym, true, false, { NULL, NULL }, e->inside };
  bool here = e->here;
  const tns_place *place = e->place;
  e->here = false;
  e->inside = &g;
  e->place = NULL;
  tns_node_walk (e->region->body, visit, &g);
  e->inside = g.outer;
  e->here = here;
  e->place = place;
  *ends = g.ends;
  return g.known && is_any (g.ends);
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

/* The ends of EXPR at PLACE.  */
static bool
find_at (ender *e, tns_expr *expr, const tns_place *place, tns_ends *ends)
{
  const tns_place *before = e->place;
  e->place = place;
  bool known = tns_ends_find (e, expr, ends);
  e->place = before;
  return known;
}

/* The lesser or greater, as OP has it, of what has ENDS and MORE.  */
void
tns_ends_combine (ender *e, tns_op op, tns_ends *ends, tns_ends more)
{
  tns_expr **cut = op == TNS_MIN ? &ends->most : &ends->least;
  tns_expr **sure = op == TNS_MIN ? &ends->least : &ends->most;
  tns_expr *cut_by = op == TNS_MIN ? more.most : more.least;
  tns_expr *other = op == TNS_MIN ? more.least : more.most;
  *cut = *cut && cut_by ? tns_binary (e->arena, op, *cut, cut_by)
         : *cut         ? *cut
                        : cut_by;
  *sure = tns_end_made (e, op, *sure, other);
}

/* What CELL, a load, holds behind NODE, which writes it at WHERE.  */
static bool
find_written (ender *e, tns_expr *cell, tns_node *node, const tns_place *where,
              tns_ends *ends)
{
  tns_ends more = { NULL, NULL };
  if (node->kind == TNS_IF)
    {
      const tns_place *then
        = tns_place_behind (e->arena, where, node->cond, false, node->then);
      const tns_place *otherwise
        = tns_place_behind (e->arena, where, node->cond, true, node->otherwise);
      if (!find_at (e, cell, then, ends)
          || !find_at (e, cell, otherwise, &more))
        return false;
      tns_ends_widen (e, ends, more);
      return is_any (*ends);
    }
  if (node->kind != TNS_ASSIGN || node->mask)
    return false;
  if (node->update == TNS_NONE)
    return find_at (e, node->value, where, ends);
  if (node->update != TNS_MIN && node->update != TNS_MAX)
    return false;
  if (!find_at (e, cell, where, ends))
    *ends = more;
  find_at (e, node->value, where, &more);
  tns_ends_combine (e, node->update, ends, more);
  return is_any (*ends);
}

/* A cell of the region.  */
bool
tns_ends_of_cell (ender *e, tns_expr *expr, tns_ends *ends)
{
  const tns_place *where;
  tns_node *writer
    = e->place && expr->sym->rank == 0
        ? tns_writer_before (e->arena, e->place, expr->sym, &where)
        : NULL;
  return (writer && find_written (e, expr, writer, where, ends))
         || gather (e, expr->sym, visit_store, ends);
}

/* An element of an array.  */
static bool
find_load (ender *e, tns_expr *expr, tns_ends *ends)
{
  if (tns_sym_is_local (expr->sym))
    return tns_ends_of_cell (e, expr, ends);
  return e->load && e->load (expr, ends, e->self);
}

/* A conversion.  */
static bool
find_cast (ender *e, tns_expr *expr, tns_ends *ends)
{
  tns_elem from = expr->arg[0]->type.elem;
  if (tns_elem_is_float (from))
    return tns_ends_of_rounded (e, expr, ends);
  tns_range source = tns_range_of_elem (from);
  tns_range target = tns_range_of_elem (expr->type.elem);
  bool is_widening = from != TNS_U64 && tns_range_within (source, target);
  return tns_ends_find (e, expr->arg[0], ends)
         && (is_widening || fit (e, expr->type.elem, ends));
}

/* A sum, a difference.  */
static bool
find_sum (ender *e, tns_expr *expr, tns_ends *ends)
{
  tns_ends a, b;
  bool is_sub = expr->op == TNS_SUB;
  if (!tns_ends_find (e, expr->arg[0], &a)
      || !tns_ends_find (e, expr->arg[1], &b))
    return false;
  ends->least = tns_end_made (e, expr->op, a.least, is_sub ? b.most : b.least);
  ends->most = tns_end_made (e, expr->op, a.most, is_sub ? b.least : b.most);
  return fit_result (e, expr->type.elem, ends);
}

/* The lesser or greater of two.  */
static bool
find_extreme (ender *e, tns_expr *expr, tns_ends *ends)
{
  tns_ends more;
  if (!tns_ends_find (e, expr->arg[0], ends))
    *ends = (tns_ends){ NULL, NULL };
  if (tns_ends_find (e, expr->arg[1], &more))
    tns_ends_combine (e, expr->op, ends, more);
  else
    tns_ends_combine (e, expr->op, ends, (tns_ends){ NULL, NULL });
  return is_any (*ends);
}

/* The opposite.  */
static bool
find_opposite (ender *e, tns_expr *expr, tns_ends *ends)
{
  tns_ends a;
  if (!tns_ends_find (e, expr->arg[0], &a))
    return false;
  ends->least = a.most ? tns_unary (e->arena, TNS_NEG, a.most) : NULL;
  ends->most = a.least ? tns_unary (e->arena, TNS_NEG, a.least) : NULL;
  return fit_result (e, expr->type.elem, ends);
}

/* The product of A and B, which is one constant K.  */
static tns_ends
scaled (ender *e, tns_ends a, tns_ends b, long long k)
{
  tns_expr *p = tns_end_made (e, TNS_MUL, a.least, b.least);
  tns_expr *q = tns_end_made (e, TNS_MUL, a.most, b.least);
  return k < 0 ? (tns_ends){ q, p } : (tns_ends){ p, q };
}

/* A product.  */
static bool
find_product (ender *e, tns_expr *expr, tns_ends *ends)
{
  tns_ends a, b;
  long long k;
  if (!tns_ends_find (e, expr->arg[0], &a)
      || !tns_ends_find (e, expr->arg[1], &b))
    return false;
  if (tns_ends_are_one (a))
    {
      tns_ends other = a;
      a = b;
      b = other;
    }
  if (!tns_ends_are_one (b))
    return false;
  if (tns_expr_is_int (b.least, &k))
    *ends = scaled (e, a, b, k);
  else if (tns_ends_are_both (a))
    {
      *ends = scaled (e, a, b, 1);
      tns_expr *p = ends->least;
      ends->least = tns_end_of_both (e->arena, p, ends->most, false);
      ends->most = tns_end_of_both (e->arena, p, ends->most, true);
    }
  else
    return false;
  return fit_result (e, expr->type.elem, ends);
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
  tns_ends other;
  tns_expr *extreme = as_extreme (e, expr);
  if (extreme)
    return tns_ends_find (e, extreme, ends);
  for (int k = 1; k < 3; k++)
    if (!find_at (e, expr->arg[k],
                  tns_place_when (e->arena, e->place, expr->arg[0], k == 2),
                  k == 1 ? ends : &other))
      return false;
  tns_ends_widen (e, ends, other);
  return is_any (*ends);
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
      return find_sum;
    case TNS_MIN:
    case TNS_MAX:
      return find_extreme;
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
      return tns_ends_of_divided;
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

/* Facts come in: ENDS get closer.  */
typedef struct narrowing
{
  ender *e;
  tns_ends *ends;
} narrowing;

/* The tighter of END, which may be NULL, and BY.  */
static tns_expr *
tighter (ender *e, tns_expr *end, tns_expr *by, bool most)
{
  return end ? tns_end_of_both (e->arena, end, by, !most) : by;
}

/* The visitor of what is known: EXPR + plus OP other.  */
static void
take_fact (const tns_fact *fact, void *self)
{
  narrowing *n = self;
  ender *e = n->e;
  tns_ends other;
  bool is_float = tns_elem_is_float (fact->other->type.elem);
  bool is_strict = !is_float && (fact->op == TNS_LT || fact->op == TNS_GT);
  bool is_below = fact->op == TNS_LT || fact->op == TNS_LE;
  bool is_above = fact->op == TNS_GT || fact->op == TNS_GE;
  if (fact->op == TNS_NE || !find_at (e, fact->other, fact->place, &other))
    return;
  long long less = fact->plus + (is_below ? is_strict : -is_strict);
  if (less)
    tns_ends_apply (e, TNS_SUB, less, &other);
  if (!is_above && other.most)
    n->ends->most = tighter (e, n->ends->most, other.most, true);
  if (!is_below && other.least)
    n->ends->least = tighter (e, n->ends->least, other.least, false);
}

/* What conditions around say of EXPR: its ends get closer.  */
static void
find_known (ender *e, tns_expr *expr, tns_ends *ends)
{
  narrowing n = { e, ends };
  tns_ends_of_load load = e->load;
  if (!e->place || expr->op == TNS_INT || expr->op == TNS_REAL
      || (expr->op == TNS_SYM && expr->sym->kind == TNS_SYM_VALUE))
    return;
  e->load = NULL;
  tns_facts_at (e->arena, e->place, expr, take_fact, &n);
  e->load = load;
}

/* The ends of EXPR, an integer, by what it is.  */
static bool
find_made (ender *e, tns_expr *expr, tns_ends *ends)
{
  long long k;
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
  return (by && by (e, expr, ends)) || find_narrow (e, expr->type.elem, ends);
}

bool
tns_ends_find (ender *e, tns_expr *expr, tns_ends *ends)
{
  bool is_float = tns_elem_is_float (expr->type.elem);
  set_both (ends, NULL);
  if (e->depth == MOST_DEPTH || ++e->steps > MOST_STEPS
      || expr->type.lanes != 1)
    return false;
  e->depth++;
  if (!(is_float ? tns_ends_of_float (e, expr, ends)
                 : find_made (e, expr, ends)))
    set_both (ends, NULL);
  if (!is_float && !tns_ends_are_both (*ends))
    find_narrow (e, expr->type.elem, ends);
  find_known (e, expr, ends);
  e->depth--;
  ends->least = if_short (ends->least);
  ends->most = if_short (ends->most);
  return is_any (*ends);
}

/* An access, and all that its subscript K may be.  */
typedef struct accessed
{
  ender *e;
  tns_expr *subscript;
  bool known;
  bool any;
  tns_ends ends;
} accessed;

/* The visitor of its places.  */
static void
visit_place (const tns_place *place, void *self)
{
  accessed *a = self;
  tns_ends ends;
  a->e->steps = 0;
  a->known = a->known && find_at (a->e, a->subscript, place, &ends)
             && tns_ends_are_both (ends);
  if (a->known && a->any)
    tns_ends_widen (a->e, &a->ends, ends);
  else if (a->known)
    a->ends = ends;
  a->any = true;
}

bool
tns_ends_of (tns_arena *arena, const tns_region *region, const tns_expr *access,
             int k, tns_ends_of_load load, void *self, tns_ends *ends)
{
  ender e = { .arena = arena, .region = region, .load = load, .self = self };
  accessed a = { .e = &e, .subscript = access->arg[k], .known = true };
  tns_places_of (arena, region->body, access, visit_place, &a);
  if (!a.any)
    visit_place (NULL, &a);
  *ends = a.ends;
  return a.known;
}

bool
tns_ends_here (tns_arena *arena, const tns_region *region, tns_expr *expr,
               tns_ends *ends)
{
  ender e = { .arena = arena, .region = region, .here = true };
  return tns_ends_find (&e, expr, ends) && tns_ends_are_both (*ends);
}
