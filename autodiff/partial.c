/* Adjoints of expressions, as autodiff/partial.h says.

   A rule of autodiff/adjoint.def is read as text over four cells a, b, r, t
   of f64; then these give way to the operands' values, the whole value and
   the adjoint, and f64 to the operator's type.  */

#include "autodiff/partial.h"

#include <string.h>

#include "ir/parse.h"
#include "ir/walk.h"

enum
{
  MANY = 4
};

/* The derivatives of one operator.  */
typedef struct rule
{
  tns_op op;
  const char *of[2];
} rule;

static const rule rules[] = {
#define TNS_ADJOINT(id, first, second) { TNS_##id, { first, second } },
#include "autodiff/adjoint.def"
#undef TNS_ADJOINT
};

#define N_RULES ((int) (sizeof rules / sizeof rules[0]))

/* What the cells of a rule stand for: a, b, r, t in this order.  */
typedef struct meaning
{
  tns_arena *arena;
  tns_elem elem;
  tns_sym *cell[4];
  tns_expr *by[4];
} meaning;

static bool push (const tns_partials *p, tns_node *block, tns_expr *expr,
                  tns_expr *bar);
static bool pull (const tns_partials *p, tns_node *block, tns_expr *expr,
                  tns_expr **dot);

/* The rule of OP, or NULL.  */
static const rule *
find_rule (tns_op op)
{
  for (int k = 0; k < N_RULES; k++)
    if (rules[k].op == op)
      return &rules[k];
  return NULL;
}

/* OP chooses one of its two operands.  */
static bool
is_extreme (tns_op op)
{
  return op == TNS_MIN || op == TNS_MAX || op == TNS_FMIN || op == TNS_FMAX;
}

/* OP is a * b + c.  */
static bool
is_fused (tns_op op)
{
  return op == TNS_FMA || op == TNS_FUSED;
}

bool
tns_expr_depends (const tns_expr *expr, int k)
{
  const rule *found = find_rule (expr->op);
  if (!tns_elem_is_float (expr->type.elem))
    return false;
  if (found)
    return k < 2 && found->of[k][0];
  return is_extreme (expr->op) || is_fused (expr->op) || expr->op == TNS_CAST
         || expr->op == TNS_CALL || (expr->op == TNS_SELECT && k > 0);
}

/* The visitor that gives NODE the place of SELF's.  */
static bool
settle (tns_node *node, void *self)
{
  const tns_node *assign = self;
  node->loc = assign->loc;
  return true;
}

void
tns_partials_settle (tns_node *block, const tns_node *assign)
{
  tns_node_walk (block, settle, (void *) assign);
}

tns_expr *
tns_assign_value (tns_arena *arena, const tns_node *assign)
{
  if (assign->update == TNS_NONE || assign->update == TNS_ADD)
    return assign->value;
  return tns_make (arena, assign->update, assign->value->type, NULL, 2,
                   (tns_expr *[]){ assign->target, assign->value });
}

bool
tns_expr_varies (tns_expr *expr, tns_sym *const *adjoint)
{
  if (expr->op == TNS_LOAD)
    return adjoint[expr->sym->id] != NULL;
  for (int k = 0; k < expr->n_args; k++)
    if (tns_expr_depends (expr, k) && tns_expr_varies (expr->arg[k], adjoint))
      return true;
  return false;
}

void
tns_expr_mark (tns_expr *expr, bool *found)
{
  if (expr->op == TNS_LOAD)
    found[expr->sym->id] = true;
  else
    for (int k = 0; k < expr->n_args; k++)
      if (tns_expr_depends (expr, k))
        tns_expr_mark (expr->arg[k], found);
}

/* EXPR's value at the place of the gradient.  */
static tns_expr *
value_of (const tns_partials *p, tns_expr *expr)
{
  return p->value (p->self, expr);
}

/* EXPR, t / b; where b is c / r for a number c, t * r / c: one division less,
   none where c is 1.  */
static tns_expr *
divided (tns_arena *arena, tns_expr *expr)
{
  tns_expr *by = expr->arg[1];
  if (by->op != TNS_DIV || by->arg[0]->op != TNS_REAL)
    return expr;
  tns_expr *product = tns_binary (arena, TNS_MUL, expr->arg[0], by->arg[1]);
  return by->arg[0]->real == 1
           ? product
           : tns_binary (arena, TNS_DIV, product, by->arg[0]);
}

/* The changer that gives a rule its meaning.  */
static tns_expr *
give_meaning (tns_expr *expr, void *self)
{
  const meaning *m = self;
  for (int k = 0; k < 4; k++)
    if (expr->sym && expr->sym == m->cell[k])
      return m->by[k];
  if (expr->op == TNS_REAL)
    return tns_real (m->arena, m->elem, expr->real);
  if (expr->type.elem != TNS_F64)
    return expr;
  tns_expr *made = tns_make (m->arena, expr->op, tns_scalar (m->elem),
                             expr->sym, expr->n_args, expr->arg);
  return made->op == TNS_DIV ? divided (m->arena, made) : made;
}

/* EXPR is no more than one operation.  */
static bool
is_cheap (const tns_expr *expr)
{
  if (expr->op == TNS_MUL || expr->op == TNS_NEG)
    for (int k = 0; k < expr->n_args; k++)
      if (expr->arg[k]->n_args > 0 && expr->arg[k]->op != TNS_LOAD)
        return false;
  return expr->n_args == 0 || expr->op == TNS_LOAD || expr->op == TNS_MUL
         || expr->op == TNS_NEG;
}

/* BAR as something that may be used again: itself, where it is as good as an
   adjoint that the statement does not change, or a new cell of BLOCK.  */
static tns_expr *
bind (const tns_partials *p, tns_node *block, tns_expr *bar)
{
  tns_arena *arena = p->ctx->arena;
  if (is_cheap (bar))
    return bar;
  tns_sym *cell = tns_region_add_array (arena, p->region, "t", bar->type.elem,
                                        0, TNS_SYM_LOCAL);
  tns_expr *place = tns_cell (arena, cell);
  tns_block_add (arena, block, tns_local (arena, bar->loc, cell));
  tns_block_add (arena, block,
                 tns_assign (arena, bar->loc, place, TNS_NONE, bar));
  return place;
}

/* How often a cell is read.  */
typedef struct mentions
{
  const tns_sym *cell;
  int n;
} mentions;

/* The visitor that counts them.  */
static bool
count_mention (tns_expr *expr, void *self)
{
  mentions *m = self;
  m->n += expr->sym == m->cell;
  return true;
}

/* TEXT, a rule, with the values of EXPR and the adjoint BAR; a value that it
   has many times becomes a cell of BLOCK.  */
static tns_expr *
apply_rule (const tns_partials *p, tns_node *block, const char *text,
            tns_expr *expr, tns_expr *bar)
{
  static const char *const names[] = { "a", "b", "r", "t" };
  tns_arena *arena = p->ctx->arena;
  tns_region *scratch = tns_region_new (arena, "rule");
  meaning m = { .arena = arena, .elem = expr->type.elem };
  for (int k = 0; k < 4; k++)
    m.cell[k] = tns_region_add_array (arena, scratch, names[k], TNS_F64, 0, 0);
  tns_parse_error error = { 0 };
  tns_expr *made = tns_expr_parse (arena, scratch, text, &error);
  tns_expr *operand[] = { expr->arg[0], expr->arg[expr->n_args - 1], expr };
  for (int k = 0; k < 3; k++)
    {
      mentions in_rule = { m.cell[k], 0 };
      tns_expr_walk (made, count_mention, &in_rule);
      if (in_rule.n)
        m.by[k] = value_of (p, operand[k]);
      if (in_rule.n > MANY)
        m.by[k] = bind (p, block, m.by[k]);
    }
  m.by[3] = bar;
  return tns_expr_rebuild (arena, made, give_meaning, &m);
}

tns_expr *
tns_partials_place (const tns_partials *p, const tns_expr *load)
{
  tns_arena *arena = p->ctx->arena;
  tns_sym *adjoint = p->adjoint[load->sym->id];
  tns_expr **sub = TNS_NEW_ARRAY (arena, tns_expr *, load->n_args + 1);
  for (int k = 0; k < load->n_args; k++)
    sub[k] = value_of (p, load->arg[k]);
  tns_expr *place = tns_load (arena, adjoint, sub);
  place->loc = load->loc;
  return place;
}

/* LOAD's array has an adjoint, which gains BAR.  */
static bool
push_load (const tns_partials *p, tns_node *block, tns_expr *load,
           tns_expr *bar)
{
  tns_arena *arena = p->ctx->arena;
  tns_expr *place = tns_partials_place (p, load);
  tns_block_add (arena, block,
                 tns_assign (arena, load->loc, place, TNS_ADD, bar));
  return true;
}

/* COND chooses X, else Y: the adjoint BAR goes to that one.  */
static bool
push_choice (const tns_partials *p, tns_node *block, tns_expr *cond,
             tns_expr *x, tns_expr *y, tns_expr *bar)
{
  tns_arena *arena = p->ctx->arena;
  bar = bind (p, block, bar);
  tns_node *then = tns_block (arena, cond->loc);
  tns_node *otherwise = tns_block (arena, cond->loc);
  if (!push (p, then, x, bar) || !push (p, otherwise, y, bar))
    return false;
  if (then->n_kids == 0)
    {
      cond = tns_unary (arena, TNS_LNOT, cond);
      then = otherwise;
      otherwise = tns_block (arena, cond->loc);
    }
  tns_block_add (arena, block,
                 tns_if (arena, cond->loc, cond, then,
                         otherwise->n_kids ? otherwise : NULL));
  return true;
}

/* When EXPR, an extreme of two, is its first operand: of two equal ones, and
   for fmin and fmax of a number beside a NaN.  */
static tns_expr *
first_is_taken (const tns_partials *p, tns_expr *expr)
{
  tns_arena *arena = p->ctx->arena;
  tns_expr *a = value_of (p, expr->arg[0]);
  tns_expr *b = value_of (p, expr->arg[1]);
  bool least = expr->op == TNS_MIN || expr->op == TNS_FMIN;
  if (expr->op == TNS_MIN || expr->op == TNS_MAX)
    return tns_unary (arena, TNS_LNOT,
                      tns_binary (arena, least ? TNS_LT : TNS_GT, b, a));
  return tns_binary (arena, TNS_LOR,
                     tns_binary (arena, least ? TNS_LE : TNS_GE, a, b),
                     tns_binary (arena, TNS_NE, b, b));
}

/* The operands of EXPR, a * b + c.  */
static bool
push_fma (const tns_partials *p, tns_node *block, tns_expr *expr, tns_expr *bar)
{
  tns_arena *arena = p->ctx->arena;
  bar = bind (p, block, bar);
  for (int k = 0; k < 2; k++)
    if (tns_expr_varies (expr->arg[k], p->adjoint)
        && !push (
          p, block, expr->arg[k],
          tns_binary (arena, TNS_MUL, bar, value_of (p, expr->arg[1 - k]))))
      return false;
  return push (p, block, expr->arg[2], bar);
}

/* What the adjoint of argument K of EXPR, a CALL, gains when T is that of the
   result; NULL with the reason said.  */
static tns_expr *
partial_of (const tns_partials *p, const tns_expr *expr, int k, tns_expr *t)
{
  tns_arena *arena = p->ctx->arena;
  const tns_sym *sym = expr->sym;
  tns_sym *partial = sym->partial ? sym->partial[k] : NULL;
  tns_expr **arg = TNS_NEW_ARRAY (arena, tns_expr *, sym->rank + 1);
  if (!partial)
    return tns_refuse (p->ctx, expr->loc, TNS_WHY_DERIVATIVE,
                       tns_sym_words (sym));
  for (int a = 0; a < sym->rank; a++)
    arg[a] = value_of (p, expr->arg[a]);
  arg[sym->rank] = t;
  return tns_make (arena, TNS_CALL, partial->type, partial, partial->rank, arg);
}

/* The arguments of EXPR, a CALL.  */
static bool
push_call (const tns_partials *p, tns_node *block, tns_expr *expr,
           tns_expr *bar)
{
  bar = bind (p, block, bar);
  for (int k = 0; k < expr->n_args; k++)
    {
      if (!tns_expr_varies (expr->arg[k], p->adjoint))
        continue;
      tns_expr *gained = partial_of (p, expr, k, bar);
      if (!gained || !push (p, block, expr->arg[k], gained))
        return false;
    }
  return true;
}

/* A product of OF, TIMES times, and of NUMBER, NULL: none.  */
typedef struct power
{
  tns_expr *of;
  int times;
  tns_expr *number;
} power;

/* Add the factors of EXPR to W; false where there are others.  */
static bool
add_factors (tns_expr *expr, power *w)
{
  if (expr->op == TNS_MUL)
    return add_factors (expr->arg[0], w) && add_factors (expr->arg[1], w);
  if (expr->op == TNS_REAL && !w->number)
    {
      w->number = expr;
      return true;
    }
  if (w->of && !tns_expr_equal (w->of, expr))
    return false;
  w->of = expr;
  w->times++;
  return true;
}

/* EXPR is the square of its operand, or a power of one factor and a number, as
   a * c * a * a.  Of more factors the rule of a product is right: what is
   multiplied in another order may leave the range of numbers.  */
static bool
is_power (const tns_partials *p, tns_expr *expr, power *w)
{
  *w = (power){ NULL, 0, NULL };
  if (expr->op != TNS_MUL)
    return false;
  if (tns_expr_equal (expr->arg[0], expr->arg[1]))
    *w = (power){ expr->arg[0], 2, NULL };
  else if (!add_factors (expr, w))
    return false;
  return w->times > 1 && tns_expr_varies (w->of, p->adjoint);
}

/* The derivative of W in its factor: the number comes first where there is
   one.  */
static tns_expr *
derivative_of (const tns_partials *p, const power *w)
{
  tns_arena *arena = p->ctx->arena;
  tns_expr *value = value_of (p, w->of);
  long double times = w->times * (w->number ? w->number->real : 1);
  tns_expr *number = tns_real (arena, w->of->type.elem, times);
  tns_expr *product = value;
  if (w->number)
    product = tns_binary (arena, TNS_MUL, number, value);
  for (int k = 2; k < w->times; k++)
    product = tns_binary (arena, TNS_MUL, product, value);
  return w->number ? product : tns_binary (arena, TNS_MUL, number, product);
}

/* A power, which W says: one term, where the rule of a product would give one
   for each time that the factor stands there.  */
static bool
push_power (const tns_partials *p, tns_node *block, const power *w,
            tns_expr *bar)
{
  return push (p, block, w->of,
               tns_binary (p->ctx->arena, TNS_MUL, bar, derivative_of (p, w)));
}

/* The operands of EXPR, whose operator has the rule FOUND.  */
static bool
push_rule (const tns_partials *p, tns_node *block, const rule *found,
           tns_expr *expr, tns_expr *bar)
{
  power w;
  if (is_power (p, expr, &w))
    return push_power (p, block, &w, bar);
  bool both = expr->n_args == 2 && tns_expr_varies (expr->arg[0], p->adjoint)
              && tns_expr_varies (expr->arg[1], p->adjoint);
  bool twice = both || strchr (found->of[0], '?');
  bar = twice ? bind (p, block, bar) : bar;
  for (int k = 0; k < expr->n_args; k++)
    if (found->of[k][0] && tns_expr_varies (expr->arg[k], p->adjoint)
        && !push (p, block, expr->arg[k],
                  apply_rule (p, block, found->of[k], expr, bar)))
      return false;
  return true;
}

/* tns_partials_add.  */
static bool
push (const tns_partials *p, tns_node *block, tns_expr *expr, tns_expr *bar)
{
  const rule *found = find_rule (expr->op);
  if (!tns_expr_varies (expr, p->adjoint))
    return true;
  if (expr->op == TNS_LOAD)
    return push_load (p, block, expr, bar);
  if (expr->op == TNS_CAST)
    return push (p, block, expr->arg[0],
                 tns_cast (p->ctx->arena, expr->arg[0]->type, bar));
  if (expr->op == TNS_SELECT)
    return push_choice (p, block, value_of (p, expr->arg[0]), expr->arg[1],
                        expr->arg[2], bar);
  if (is_extreme (expr->op))
    return push_choice (p, block, first_is_taken (p, expr), expr->arg[0],
                        expr->arg[1], bar);
  if (is_fused (expr->op))
    return push_fma (p, block, expr, bar);
  if (expr->op == TNS_CALL)
    return push_call (p, block, expr, bar);
  if (found)
    return push_rule (p, block, found, expr, bar);
  tns_refuse (p->ctx, expr->loc, TNS_WHY_DERIVATIVE, tns_op_name (expr->op));
  return false;
}

bool
tns_partials_add (const tns_partials *p, tns_node *block, tns_expr *expr,
                  tns_expr *bar)
{
  return push (p, block, expr, bar);
}

/* The tangents that CHOICE's two arms leave, in one cell of BLOCK.  */
static tns_expr *
join (const tns_partials *p, tns_node *block, tns_expr *cond,
      tns_node *const arm[2], tns_expr *const dot[2])
{
  tns_arena *arena = p->ctx->arena;
  tns_loc loc = cond->loc;
  if (arm[0]->n_kids == 0 && arm[1]->n_kids == 0)
    return tns_ternary (arena, TNS_SELECT, cond, dot[0], dot[1]);
  tns_sym *cell = tns_region_add_array (arena, p->region, "t",
                                        dot[0]->type.elem, 0, TNS_SYM_LOCAL);
  tns_block_add (arena, block, tns_local (arena, loc, cell));
  for (int k = 0; k < 2; k++)
    tns_block_add (
      arena, arm[k],
      tns_assign (arena, loc, tns_cell (arena, cell), TNS_NONE, dot[k]));
  tns_block_add (arena, block, tns_if (arena, loc, cond, arm[0], arm[1]));
  return tns_cell (arena, cell);
}

/* COND chooses ARG[0], else ARG[1].  */
static bool
pull_choice (const tns_partials *p, tns_node *block, tns_expr *cond,
             tns_expr *const *arg, tns_expr **dot)
{
  tns_arena *arena = p->ctx->arena;
  tns_node *arm[2];
  tns_expr *one[2];
  for (int k = 0; k < 2; k++)
    {
      arm[k] = tns_block (arena, cond->loc);
      if (!pull (p, arm[k], arg[k], &one[k]))
        return false;
      if (!one[k])
        one[k] = tns_real (arena, arg[k]->type.elem, 0);
    }
  *dot = join (p, block, cond, arm, one);
  return true;
}

/* *SUM gains TERM; NULL is 0.  */
static void
gain (const tns_partials *p, tns_expr **sum, tns_expr *term)
{
  *sum = *sum ? tns_binary (p->ctx->arena, TNS_ADD, *sum, term) : term;
}

/* EXPR, a * b + c.  */
static bool
pull_fma (const tns_partials *p, tns_node *block, tns_expr *expr,
          tns_expr **dot)
{
  for (int k = 0; k < 3; k++)
    {
      tns_expr *one;
      if (!pull (p, block, expr->arg[k], &one))
        return false;
      if (one && k < 2)
        one = tns_binary (p->ctx->arena, TNS_MUL, one,
                          value_of (p, expr->arg[1 - k]));
      if (one)
        gain (p, dot, one);
    }
  return true;
}

/* EXPR, a CALL: its partials are linear in their last argument.  */
static bool
pull_call (const tns_partials *p, tns_node *block, tns_expr *expr,
           tns_expr **dot)
{
  tns_arena *arena = p->ctx->arena;
  for (int k = 0; k < expr->n_args; k++)
    {
      tns_expr *one = NULL;
      if (!pull (p, block, expr->arg[k], &one))
        return false;
      if (!one)
        continue;
      tns_expr *term
        = partial_of (p, expr, k, tns_cast (arena, expr->type, one));
      if (!term)
        return false;
      gain (p, dot, tns_cast (arena, expr->type, term));
    }
  return true;
}

/* A power, which W says.  */
static bool
pull_power (const tns_partials *p, tns_node *block, const power *w,
            tns_expr **dot)
{
  tns_expr *one = NULL;
  if (!pull (p, block, w->of, &one))
    return false;
  if (one)
    gain (p, dot,
          tns_binary (p->ctx->arena, TNS_MUL, one, derivative_of (p, w)));
  return true;
}

/* EXPR, whose operator has the rule FOUND.  */
static bool
pull_rule (const tns_partials *p, tns_node *block, const rule *found,
           tns_expr *expr, tns_expr **dot)
{
  power w;
  if (is_power (p, expr, &w))
    return pull_power (p, block, &w, dot);
  for (int k = 0; k < expr->n_args; k++)
    {
      tns_expr *one = NULL;
      if (found->of[k][0] && !pull (p, block, expr->arg[k], &one))
        return false;
      if (one && strchr (found->of[k], '?'))
        one = bind (p, block, one);
      if (one)
        gain (p, dot, apply_rule (p, block, found->of[k], expr, one));
    }
  return true;
}

/* tns_partials_tangent.  */
static bool
pull (const tns_partials *p, tns_node *block, tns_expr *expr, tns_expr **dot)
{
  const rule *found = find_rule (expr->op);
  *dot = NULL;
  if (!tns_expr_varies (expr, p->adjoint))
    return true;
  if (expr->op == TNS_LOAD)
    *dot = tns_partials_place (p, expr);
  else if (expr->op == TNS_CAST)
    {
      if (!pull (p, block, expr->arg[0], dot))
        return false;
      *dot = tns_cast (p->ctx->arena, expr->type, *dot);
    }
  else if (expr->op == TNS_SELECT)
    return pull_choice (p, block, value_of (p, expr->arg[0]), expr->arg + 1,
                        dot);
  else if (is_extreme (expr->op))
    return pull_choice (p, block, first_is_taken (p, expr), expr->arg, dot);
  else if (is_fused (expr->op))
    return pull_fma (p, block, expr, dot);
  else if (expr->op == TNS_CALL)
    return pull_call (p, block, expr, dot);
  else if (found)
    return pull_rule (p, block, found, expr, dot);
  else
    return tns_refuse (p->ctx, expr->loc, TNS_WHY_DERIVATIVE,
                       tns_op_name (expr->op));
  return true;
}

bool
tns_partials_tangent (const tns_partials *p, tns_node *block, tns_expr *expr,
                      tns_expr **dot)
{
  return pull (p, block, expr, dot);
}
