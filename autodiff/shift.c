/* Values under a shift of one cell, as autodiff/shift.h says.

   The cell m is a LOCAL, its greatest or least of something; each iteration of
   the loops around its LOCAL has one of its own.  All its reads, but those of
   the statements that make it, stand behind these, in no loop with them
   inside.

   Kinds are those of what sites store; what a LOAD reads is what the sites
   store that may have made it.  A fixpoint: a kind that changes is unknown.
   Nothing but m's own iteration may read what depends on m.

   What m can reach is found by the names of arrays alone; all else stays, and
   is not followed through its elements.

   Where a kind is not known, or decides something, the proof fails, and m's
   adjoint is computed.  */

#include "autodiff/shift.h"

#include "ir/walk.h"

/* How a value follows the shift.

   UNSET    not known yet
   ZERO     0: fits any MOVES with a = 0
   MOVES    by a and b, one of which is 0
   UNKNOWN  in another way  */
typedef enum kind_of
{
  UNSET,
  ZERO,
  MOVES,
  UNKNOWN
} kind_of;

typedef struct kind
{
  kind_of of;
  long double a;
  long double b;
} kind;

/* A proof.

   cell     the one that is shifted
   depth    loops around its LOCAL
   reached  by symbol id: the cell may have to do with what is stored there
   stored   by site
   site     at hand
   before   it asks before the shift  */
typedef struct proof
{
  const tns_flow *flow;
  const tns_view *view;
  const tns_sym *cell;
  int depth;
  bool *reached;
  kind *stored;
  int site;
  bool before;
  bool failed;
} proof;

static const kind still = { MOVES, 0, 0 };
static const kind unknown = { UNKNOWN, 0, 0 };

static kind kind_of_expr (proof *p, tns_expr *expr);

/* A value moved by A and B, not both.  */
static kind
moves (long double a, long double b)
{
  return a != 0 && b != 0 ? unknown : (kind){ MOVES, a, b };
}

/* K does not move.  */
static bool
is_still (kind k)
{
  return k.of <= ZERO || (k.of == MOVES && k.a == 0 && k.b == 0);
}

/* What is of kind X or of kind Y.  */
static kind
either (kind x, kind y)
{
  if (x.of == UNSET || y.of == UNSET)
    return x.of == UNSET ? y : x;
  if (x.of == ZERO && (y.of == ZERO || (y.of == MOVES && y.a == 0)))
    return y;
  if (y.of == ZERO)
    return x.of == MOVES && x.a == 0 ? x : unknown;
  bool alike = x.of == MOVES && y.of == MOVES && x.a == y.a && x.b == y.b;
  return alike ? x : unknown;
}

/* The sum of X and SIGN * Y.  */
static kind
sum (kind x, kind y, int sign)
{
  if (x.of != MOVES || y.of != MOVES)
    return either (x, y);
  if (x.b == 0 && y.b == 0)
    return moves (x.a + (long double) sign * y.a, 0);
  return either (x, y);
}

/* The product of X and Y, or the quotient where SIGN is -1.  */
static kind
product (kind x, kind y, int sign)
{
  if (x.of == UNKNOWN || y.of == UNKNOWN || (sign < 0 && y.of == ZERO))
    return unknown;
  if (x.of != MOVES || y.of == UNSET)
    return x;
  if (y.of == ZERO)
    return y;
  if (x.a != 0 || y.a != 0)
    return unknown;
  return moves (0, x.b + (long double) sign * y.b);
}

/* The product (quotient, with SIGN -1) of X and NUMBER, a constant.  */
static kind
multiple (kind x, long double number, int sign)
{
  if (x.of != MOVES || x.a == 0)
    return x;
  return number == 0 ? unknown
                     : moves (sign > 0 ? x.a * number : x.a / number, 0);
}

/* The product (quotient, with SIGN -1) that EXPR is.  */
static kind
kind_of_product (proof *p, tns_expr *expr, int sign)
{
  kind x = kind_of_expr (p, expr->arg[0]);
  kind y = kind_of_expr (p, expr->arg[1]);
  if (expr->arg[1]->op == TNS_REAL)
    return multiple (x, expr->arg[1]->real, sign);
  if (expr->arg[0]->op == TNS_REAL && sign > 0)
    return multiple (y, expr->arg[0]->real, sign);
  return product (x, y, sign);
}

/* exp (X).  */
static kind
exponential (kind x)
{
  if (x.of == UNSET)
    return x;
  if (is_still (x))
    return still;
  return x.of == MOVES && x.b == 0 ? moves (0, x.a) : unknown;
}

/* log (X).  */
static kind
logarithm (kind x)
{
  if (x.of == UNSET)
    return x;
  if (is_still (x))
    return still;
  return x.of == MOVES && x.a == 0 ? moves (x.b, 0) : unknown;
}

/* What site S stores may be what LOAD reads at P's site.  */
static kind
kind_through (proof *p, int s, tns_expr *load)
{
  bool apart = false;
  const tns_node *node = p->view->site[s].node;
  if (node->kind != TNS_ASSIGN || node->target->sym != load->sym)
    return (kind){ .of = UNSET };
  if (!p->reached[load->sym->id])
    return p->stored[s];
  if (!tns_flow_reaches (p->flow, s, p->site, load, p->depth, &apart))
    return (kind){ .of = UNSET };
  return apart && !is_still (p->stored[s]) ? unknown : p->stored[s];
}

/* What LOAD reads at P's site.  */
static kind
kind_of_load (proof *p, tns_expr *load)
{
  kind found = { .of = UNSET };
  bool is_written = false;
  if (load->sym == p->cell)
    return p->before ? still : moves (1, 0);
  for (int k = 0; k < load->n_args; k++)
    p->failed |= !is_still (kind_of_expr (p, load->arg[k]));
  for (int s = 0; s < p->view->n_sites; s++)
    {
      const tns_node *node = p->view->site[s].node;
      is_written |= node->kind == TNS_ASSIGN && node->target->sym == load->sym;
      found = either (found, kind_through (p, s, load));
    }
  bool is_entry = !is_written
                  || (!tns_sym_is_local (load->sym)
                      && (!p->reached[load->sym->id]
                          || !tns_flow_is_made (p->flow, p->site, load)));
  return is_entry ? either (found, still) : found;
}

/* EXPR, none of the operators that move in a way of their own.  */
static kind
kind_of_rest (proof *p, tns_expr *expr)
{
  kind all = still;
  for (int k = 0; k < expr->n_args; k++)
    {
      kind one = kind_of_expr (p, expr->arg[k]);
      all = is_still (one) ? all : unknown;
    }
  return all;
}

/* A comparison: the operands move alike.  */
static kind
kind_of_comparison (proof *p, tns_expr *expr)
{
  kind x = kind_of_expr (p, expr->arg[0]);
  kind y = kind_of_expr (p, expr->arg[1]);
  p->failed |= either (x, y).of == UNKNOWN;
  return still;
}

/* How EXPR at P's site moves.  */
static kind
kind_of_expr (proof *p, tns_expr *expr)
{
  tns_expr **arg = expr->arg;
  switch (expr->op)
    {
    case TNS_REAL:
      return expr->real == 0 ? (kind){ .of = ZERO } : still;
    case TNS_LOAD:
      return kind_of_load (p, expr);
    case TNS_NEG:
      return multiple (kind_of_expr (p, arg[0]), -1, 1);
    case TNS_ADD:
      return sum (kind_of_expr (p, arg[0]), kind_of_expr (p, arg[1]), 1);
    case TNS_SUB:
      return sum (kind_of_expr (p, arg[0]), kind_of_expr (p, arg[1]), -1);
    case TNS_MUL:
      return kind_of_product (p, expr, 1);
    case TNS_DIV:
      return kind_of_product (p, expr, -1);
    case TNS_EXP:
      return exponential (kind_of_expr (p, arg[0]));
    case TNS_LOG:
      return logarithm (kind_of_expr (p, arg[0]));
    case TNS_CAST:
      return tns_elem_is_float (expr->type.elem) ? kind_of_expr (p, arg[0])
                                                 : kind_of_rest (p, expr);
    case TNS_MIN:
    case TNS_MAX:
    case TNS_FMIN:
    case TNS_FMAX:
      return either (kind_of_expr (p, arg[0]), kind_of_expr (p, arg[1]));
    case TNS_SELECT:
      p->failed |= !is_still (kind_of_expr (p, arg[0]));
      return either (kind_of_expr (p, arg[1]), kind_of_expr (p, arg[2]));
    default:
      return tns_op_class (expr->op) == 'C' ? kind_of_comparison (p, expr)
                                            : kind_of_rest (p, expr);
    }
}

/* What NODE, an ASSIGN, stores.  */
static kind
kind_stored (proof *p, const tns_node *node)
{
  kind value = kind_of_expr (p, node->value);
  for (int k = 0; k < node->target->n_args; k++)
    p->failed |= !is_still (kind_of_expr (p, node->target->arg[k]));
  if (node->update == TNS_NONE)
    return value;
  kind old = kind_of_load (p, node->target);
  switch (node->update)
    {
    case TNS_ADD:
      return sum (old, value, 1);
    case TNS_SUB:
      return sum (old, value, -1);
    case TNS_MUL:
    case TNS_DIV:
      return product (old, value, node->update == TNS_MUL ? 1 : -1);
    case TNS_MIN:
    case TNS_MAX:
    case TNS_FMIN:
    case TNS_FMAX:
      return either (old, value);
    default:
      return is_still (old) && is_still (value) ? still : unknown;
    }
}

/* What NODE, an IF at P's site, asks does not move.  Where it makes the cell it
   asks before the shift.  */
static bool
asks_alike (proof *p, tns_node *node)
{
  p->before = tns_node_writes (node, p->cell);
  bool alike = is_still (kind_of_expr (p, node->cond));
  p->before = false;
  return alike;
}

/* Follow all sites once more.  Whether a kind has changed.  */
static bool
follow (proof *p)
{
  bool changed = false;
  for (p->site = 0; p->site < p->view->n_sites && !p->failed; p->site++)
    {
      tns_node *node = p->view->site[p->site].node;
      if (node->kind == TNS_IF)
        p->failed |= !asks_alike (p, node);
      if (node->kind != TNS_ASSIGN || node->target->sym == p->cell)
        continue;
      kind was = p->stored[p->site];
      kind is = either (was, kind_stored (p, node));
      changed |= is.of != was.of || is.a != was.a || is.b != was.b;
      p->stored[p->site] = is;
    }
  return changed && !p->failed;
}

/* A loop around both sites A and B, inside level LEVEL.  */
static bool
share_loop (const tns_view *view, int a, int b, int level)
{
  tns_node *one[TNS_MOST_RANK + 64];
  tns_node *other[TNS_MOST_RANK + 64];
  int n = tns_view_loops (view, a, level, one);
  int m = tns_view_loops (view, b, level, other);
  return n > 0 && m > 0 && one[0] == other[0];
}

/* NODE reads SYM, its own update apart.  */
static bool
uses (const tns_node *node, const tns_sym *sym)
{
  return tns_expr_mentions (node->lo, sym) || tns_expr_mentions (node->hi, sym)
         || tns_expr_mentions (node->cond, sym)
         || tns_expr_mentions (node->value, sym);
}

/* OP takes one of its operands.  */
static bool
is_extreme (tns_op op)
{
  return op == TNS_MIN || op == TNS_MAX || op == TNS_FMIN || op == TNS_FMAX
         || op == TNS_SELECT;
}

/* How statement S makes P's cell: the last one of the IFs around that ask for
   it, or S.  */
static int
maker (const proof *p, int s)
{
  const tns_view *view = p->view;
  int found = s;
  for (int at = view->site[s].under; at >= 0; at = view->site[at].under)
    if (view->site[at].node->kind == TNS_IF
        && uses (view->site[at].node, p->cell))
      found = at;
  return found;
}

/* P's cell is a greatest or least, and made before it is used.  */
static bool
is_made_first (const proof *p)
{
  const tns_view *view = p->view;
  int home = view->home[p->cell->id];
  bool takes = false;
  for (int s = 0; s < view->n_sites; s++)
    {
      const tns_node *node = view->site[s].node;
      if (node->kind != TNS_ASSIGN || node->target->sym != p->cell)
        continue;
      int made = maker (p, s);
      bool is_own = made != s || is_extreme (node->update)
                    || is_extreme (node->value->op);
      takes
        |= is_own
           && (made != s || node->update != TNS_NONE || uses (node, p->cell));
      for (int r = 0; r < view->n_sites; r++)
        if (uses (view->site[r].node, p->cell)
            && !(is_own && (r == s || r == made))
            && (r <= s || share_loop (view, s, r, home)))
          return false;
    }
  return takes;
}

/* SYM is differentiated.  */
static bool
is_of (const tns_gradient_wish *wish, const tns_sym *sym)
{
  for (int k = 0; k < wish->n_seeds; k++)
    if (wish->seed[k].sym == sym && wish->seed[k].of)
      return true;
  return false;
}

/* How many loops there are around LEVEL.  */
static int
depth_of (const tns_view *view, int level)
{
  int n = 0;
  for (; level > 0; level = view->level[level].outer)
    n++;
  return n;
}

/* What spread looks for: a read of what is REACHED.  */
typedef struct reading
{
  const bool *reached;
  bool found;
} reading;

/* EXPR may be such a read; its operands are of interest until one is.  */
static bool
see_read (tns_expr *expr, void *self)
{
  reading *r = self;
  r->found |= expr->op == TNS_LOAD && r->reached[expr->sym->id];
  return !r->found;
}

/* Add to P's reached the targets of what reads them.  Whether there were
   any.  */
static bool
spread (proof *p)
{
  bool changed = false;
  for (int s = 0; s < p->view->n_sites; s++)
    {
      tns_node *node = p->view->site[s].node;
      if (node->kind != TNS_ASSIGN || p->reached[node->target->sym->id])
        continue;
      reading r = { p->reached, false };
      tns_node_exprs (node, see_read, &r);
      p->reached[node->target->sym->id] = r.found;
      changed |= r.found;
    }
  return changed;
}

/* The shift of CELL cancels.  */
static bool
cancels (tns_arena *arena, const tns_flow *flow, const tns_gradient_wish *wish,
         const tns_sym *cell)
{
  const tns_view *view = flow->view;
  proof p = { flow,
              view,
              cell,
              depth_of (view, view->home[cell->id]),
              TNS_NEW_ARRAY (arena, bool, view->region->n_syms + 1),
              TNS_NEW_ARRAY (arena, kind, view->n_sites + 1),
              0,
              false,
              false };
  if (!is_made_first (&p))
    return false;
  p.reached[cell->id] = true;
  while (spread (&p))
    ;
  while (follow (&p))
    ;
  for (int s = 0; s < view->n_sites && !p.failed; s++)
    {
      const tns_node *node = view->site[s].node;
      if (node->kind == TNS_ASSIGN && is_of (wish, node->target->sym))
        p.failed |= !is_still (p.stored[s]) && tns_flow_lasts (flow, s);
    }
  return !p.failed;
}

void
tns_shifts_cancel (tns_arena *arena, const tns_flow *flow,
                   const tns_gradient_wish *wish, bool *active)
{
  const tns_region *f = flow->view->region;
  for (int k = 0; k < f->n_syms && flow->scop; k++)
    {
      const tns_sym *sym = f->syms[k];
      if (active[k] && sym->kind == TNS_SYM_ARRAY && sym->rank == 0
          && tns_sym_is_local (sym) && !is_of (wish, sym))
        active[k] = !cancels (arena, flow, wish, sym);
    }
}
