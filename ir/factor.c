/* Invariant factors of sums, as ir/factor.h says.

   A sum is an update in the innermost of loops that hold nothing but each
   other, of a cell that is the same in all their iterations and that nothing
   else in them mentions.  What it adds is a product, in any order and nesting
   of *, / and -; the factors that are the same in all iterations leave it when
   one of them divides, and something else is left:

     s += a * (x[j] / z)      t += x[j];           s += t * a / z;
     s -= x[j] * y[j] / z     t += x[j] * y[j];    s += -(t / z);

   A product of two that is added is one operation where the machine has one for
   both, so it stays, as do a quotient by a power of two and integers.  A longer
   product gets shorter where the sum is known to have iterations enough to pay
   for what stands around it.  The maximum and the minimum of quotients are
   those of the numerators where the divisor is a constant above 0.

   Where the cell is set to 0 before the loops and not mentioned since, it is
   the accumulator itself:

     s = 0;                       s = 0;
     for j s += x[j] / z;   ->    for j s += x[j];
                                  s = 0 < n ? s / z : s;

   else a new one, from 0 or an infinity on, and the cell is left alone where
   there are no iterations: 0 is added to no -0, nothing is divided by 0.
   What is new stands before and behind all loops that follow each other, where
   it may: they can still become one.

   Does not do: conditional sums; sums in the middle of other loops; bounds of
   inner loops that move; factors behind a conversion.  */

#include "ir/factor.h"

#include <math.h>
#include <stdlib.h>

#include "base/section.h"
#include "ir/product.h"
#include "ir/walk.h"

/* Sums with fewer iterations stay; so many let go of factors that do not
   divide, too.  */
#define SHORT 4
#define LONG  16

enum
{
  MOST_LOOPS = 8
};

/* Loops that hold nothing but each other, from the outermost on, and the
   innermost one's body.  */
typedef struct chain
{
  int n;
  const tns_node *loop[MOST_LOOPS];
} chain;

/* Loops that follow each other in a block, and what is new around them.  */
typedef struct run
{
  tns_node *before;
  tns_node *loops;
  tns_node *behind;
} run;

/* region  that is made
   steps   their lines
   some    a factor has left a sum  */
typedef struct factoring
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
  tns_text *steps;
  bool some;
} factoring;

/* What is looked for in an expression.  */
typedef struct looking
{
  const chain *loops;
  bool moves;
} looking;

/* The visitor: EXPR is not the same in all iterations.  */
static bool
note_moving (tns_expr *expr, void *self)
{
  looking *s = self;
  for (int k = 0; k < s->loops->n && expr->op == TNS_SYM; k++)
    s->moves |= expr->sym == s->loops->loop[k]->iter;
  if (tns_expr_reads (expr))
    s->moves |= tns_node_writes ((tns_node *) s->loops->loop[0], expr->sym);
  return !s->moves;
}

/* EXPR is the same in all iterations of LOOPS.  */
static bool
is_fixed (const chain *loops, tns_expr *expr)
{
  looking s = { loops, false };
  tns_expr_walk (expr, note_moving, &s);
  return !s.moves;
}

/* FACTOR is a constant by which a division is a product.  */
static bool
is_power_of_two (const tns_factor *f)
{
  int exponent;
  return f->expr->op == TNS_REAL && isfinite (f->expr->real)
         && fabsl (frexpl (f->expr->real, &exponent)) == 0.5L;
}

/* FACTOR is a constant above 0.  */
static bool
is_positive (const tns_factor *f)
{
  return f->expr->op == TNS_REAL && f->expr->real > 0
         && isfinite (f->expr->real);
}

/* FACTOR is 1, which a quotient of what is left has again above its line.  */
static bool
is_one (const tns_factor *f)
{
  return f->expr->op == TNS_REAL && f->expr->real == 1;
}

/* Factors leave P, an operand of OP, and that gains; IS_LONG: also where a
   product becomes shorter.  */
static bool
is_worth (const tns_product *p, tns_op op, bool is_long)
{
  bool divides = false;
  bool keeps_order = !p->negative;
  int n_fixed = 0;
  int n_ones = 0;
  for (int k = 0; k < p->n; k++)
    {
      const tns_factor *f = &p->factor[k];
      n_fixed += f->fixed;
      n_ones += f->fixed && is_one (f);
      divides |= f->fixed && f->below && !is_power_of_two (f);
      keeps_order = keeps_order && (!f->fixed || is_positive (f));
    }
  int n_left = p->n - n_fixed;
  bool gains = divides ? n_left > 0 : is_long && n_fixed > n_ones && n_left > 1;
  return gains && (op == TNS_ADD || keeps_order);
}

/* How often a symbol is mentioned.  */
typedef struct counting
{
  const tns_sym *sym;
  int n;
} counting;

/* The visitor of expressions that counts.  */
static bool
count_expr (tns_expr *expr, void *self)
{
  counting *c = self;
  c->n += expr->sym == c->sym;
  return true;
}

/* The visitor of nodes that counts, declarations twice.  */
static bool
count_node (tns_node *node, void *self)
{
  counting *c = self;
  tns_node_exprs (node, count_expr, c);
  c->n += node->kind == TNS_LOCAL && node->sym == c->sym ? 2 : 0;
  return true;
}

/* How often NODE mentions SYM.  */
static int
mentions (const tns_node *node, const tns_sym *sym)
{
  counting c = { sym, 0 };
  tns_node_walk ((tns_node *) node, count_node, &c);
  return c.n;
}

/* NODE is an update with floating operands whose order is free.  */
static bool
is_update (const tns_node *node)
{
  return node->kind == TNS_ASSIGN && !node->mask
         && (node->update == TNS_ADD || node->update == TNS_MAX
             || node->update == TNS_MIN)
         && node->target->type.lanes == 1
         && tns_elem_is_float (node->target->type.elem);
}

/* The loop that is all of LOOP's body, or NULL.  */
static const tns_node *
only_loop (const tns_node *loop)
{
  const tns_node *body = loop->body;
  while (body->kind == TNS_BLOCK && body->n_kids == 1)
    body = body->kid[0];
  return body->kind == TNS_LOOP ? body : NULL;
}

/* The loops from LOOP down, as long as their bounds do not move.  */
static chain
chain_of (const tns_node *loop)
{
  chain all = { 1, { loop } };
  for (loop = only_loop (loop); loop && all.n < MOST_LOOPS;
       loop = only_loop (loop))
    {
      if (!is_fixed (&all, loop->lo) || !is_fixed (&all, loop->hi))
        break;
      all.loop[all.n++] = loop;
    }
  return all;
}

/* The iterations of LOOPS when one loop has a number of them; -1 else.  */
static long long
known_trip (const chain *loops)
{
  long long lo;
  long long hi;
  const tns_node *loop = loops->loop[0];
  return loops->n == 1 && tns_expr_is_int (loop->lo, &lo)
             && tns_expr_is_int (loop->hi, &hi)
           ? llabs (hi - lo) / llabs (loop->step)
           : -1;
}

/* NODE, directly in the innermost of LOOPS, is a sum that factors leave; they
   are marked in *P.  */
static bool
find_factors (const chain *loops, const tns_node *node, tns_product *p)
{
  if (!is_update (node) || mentions (loops->loop[0], node->target->sym) != 1
      || !tns_product_split (p, node->value))
    return false;
  for (int k = 0; k < node->target->n_args; k++)
    if (!is_fixed (loops, node->target->arg[k]))
      return false;
  for (int k = 0; k < p->n; k++)
    p->factor[k].fixed = is_fixed (loops, p->factor[k].expr);
  return is_worth (p, node->update, known_trip (loops) >= LONG);
}

/* All of LOOPS have iterations.  */
static tns_expr *
has_iterations (tns_arena *arena, const chain *loops)
{
  tns_expr *all = NULL;
  for (int k = 0; k < loops->n; k++)
    {
      const tns_node *loop = loops->loop[k];
      tns_op op = loop->step > 0 ? TNS_LT : TNS_GT;
      tns_expr *some = tns_binary (arena, op, loop->lo, loop->hi);
      all = all ? tns_binary (arena, TNS_LAND, all, some) : some;
    }
  return all;
}

/* The node of BLOCK right before its kid AT sets TARGET to 0, others that do
   not mention it apart.  */
static bool
is_zero_before (const tns_node *block, int at, const tns_expr *target)
{
  bool reads = false;
  for (int k = 0; k < target->n_args; k++)
    reads |= tns_expr_loads (target->arg[k]);
  while (--at >= 0 && !mentions (block->kid[at], target->sym))
    ;
  const tns_node *set = at < 0 ? NULL : block->kid[at];
  return set && !reads && set->kind == TNS_ASSIGN && set->update == TNS_NONE
         && !set->mask && tns_expr_equal (set->target, target)
         && set->value->op == TNS_REAL && set->value->real == 0;
}

/* A node like NODE, which it stands beside, its name with SUFFIX: TARGET OP
   VALUE.  */
static tns_node *
beside (const factoring *f, const tns_node *node, const char *suffix,
        tns_expr *target, tns_op op, tns_expr *value)
{
  tns_node *made = tns_assign (f->arena, node->loc, target, op, value);
  made->name = node->name
                 ? tns_arena_format (f->arena, "%s_%s", node->name, suffix)
                 : NULL;
  return made;
}

/* A sum whose factors P leave.

   at   where LOOPS stand in BLOCK
   sum  the update  */
typedef struct leaving
{
  const tns_node *block;
  int at;
  chain loops;
  const tns_node *sum;
  tns_product p;
} leaving;

/* The visitor of nodes that puts another sum in the place of one.  */
typedef struct exchange
{
  const tns_node *old;
  tns_node *made;
} exchange;

/* NODE, or what replaces it.  */
static tns_node *
change_sum (tns_node *node, void *self)
{
  const exchange *x = self;
  return node->kind == TNS_ASSIGN && node->target == x->old->target
             && node->value == x->old->value
           ? x->made
           : node;
}

/* L's loops with ACCUMULATOR updated by what is left of the sum.  */
static tns_node *
loops_left (const factoring *f, const leaving *l, tns_expr *accumulator)
{
  tns_node *made = tns_node_copy (f->arena, l->sum);
  made->target = accumulator;
  made->value = tns_product_part (f->arena, &l->p, false, NULL);
  exchange x = { l->sum, made };
  return tns_node_rebuild (f->arena, (tns_node *) l->loops.loop[0], change_sum,
                           NULL, &x);
}

/* ACCUMULATOR with the factors that left L's sum.  */
static tns_expr *
with_factors (const factoring *f, const leaving *l, tns_expr *accumulator)
{
  if (tns_ctx_breaks (f->ctx, "factor"))
    return accumulator;
  tns_expr *made = tns_product_part (f->arena, &l->p, true, accumulator);
  return l->p.negative ? tns_unary (f->arena, TNS_NEG, made) : made;
}

/* L's loops, and the cell with the factors behind them.  */
static void
add_in_place (const factoring *f, const leaving *l, run *out)
{
  tns_arena *arena = f->arena;
  tns_expr *cell = l->sum->target;
  tns_expr *value
    = tns_ternary (arena, TNS_SELECT, has_iterations (arena, &l->loops),
                   with_factors (f, l, cell), cell);
  tns_block_add (arena, out->loops, loops_left (f, l, cell));
  tns_block_add (arena, out->behind,
                 beside (f, l->sum, "f", cell, TNS_NONE, value));
}

/* L's loops with an accumulator of their own, which updates the cell behind
   them.  */
static void
add_apart (const factoring *f, const leaving *l, run *out)
{
  tns_arena *arena = f->arena;
  const tns_node *sum = l->sum;
  tns_loc loc = sum->loc;
  tns_elem elem = sum->target->type.elem;
  long double start = sum->update == TNS_ADD   ? 0
                      : sum->update == TNS_MAX ? -HUGE_VALL
                                               : HUGE_VALL;
  tns_sym *sym
    = tns_region_add_array (arena, f->region, "part", elem, 0, TNS_SYM_LOCAL);
  tns_expr *cell = tns_cell (arena, sym);
  tns_block_add (arena, out->before, tns_local (arena, loc, sym));
  tns_block_add (
    arena, out->before,
    beside (f, sum, "t", cell, TNS_NONE, tns_real (arena, elem, start)));
  tns_block_add (arena, out->loops, loops_left (f, l, cell));
  tns_node *then = tns_block (arena, loc);
  tns_block_add (
    arena, then,
    beside (f, sum, "f", sum->target, sum->update, with_factors (f, l, cell)));
  tns_block_add (
    arena, out->behind,
    tns_if (arena, loc, has_iterations (arena, &l->loops), then, NULL));
}

/* A user's plan, if there is one, has LINE.  */
static bool
is_in_plan (const factoring *f, const char *line)
{
  const char *name = f->region->name;
  return !tns_plan_is_given (f->ctx, name)
         || tns_plan_has_line (f->ctx, name, line);
}

/* Find a sum in kid AT of BLOCK, loops, that factors leave.  */
static bool
find_sum (const factoring *f, const tns_node *block, int at, leaving *l)
{
  *l = (leaving){ block, at, chain_of (block->kid[at]), NULL, { 0 } };
  const tns_node *body = l->loops.loop[l->loops.n - 1]->body;
  long long trip = known_trip (&l->loops);
  if ((trip >= 0 && trip < SHORT) || body->kind != TNS_BLOCK)
    return false;
  for (int k = 0; k < body->n_kids; k++)
    {
      l->sum = body->kid[k];
      if (find_factors (&l->loops, l->sum, &l->p) && l->sum->name
          && is_in_plan (
            f, tns_arena_format (f->arena, "factor %s", l->sum->name)))
        return true;
    }
  return false;
}

/* L's sum may be done: where its cell must be left alone without iterations,
   that is for bounds which the model understands.  */
static bool
may_leave (const leaving *l, bool in_place)
{
  bool reads = false;
  for (int k = 0; k < l->loops.n && !in_place; k++)
    reads |= tns_expr_loads (l->loops.loop[k]->lo)
             || tns_expr_loads (l->loops.loop[k]->hi);
  return !reads;
}

/* Kid AT of BLOCK, loops, with a sum in them done, and what is new around
   them, in OUT; false, and nothing there, when there is none.  */
static bool
add_loops (factoring *f, const tns_node *block, int at, run *out)
{
  leaving l;
  if (!find_sum (f, block, at, &l))
    return false;
  bool in_place
    = l.sum->update == TNS_ADD && is_zero_before (block, at, l.sum->target);
  if (!may_leave (&l, in_place))
    return false;
  if (in_place)
    add_in_place (f, &l, out);
  else
    add_apart (f, &l, out);
  tns_text_format (f->steps, "factor %s\n", l.sum->name);
  f->some = true;
  return true;
}

/* A run without anything.  */
static run
empty_run (const factoring *f, tns_loc loc)
{
  return (run){ tns_block (f->arena, loc), tns_block (f->arena, loc),
                tns_block (f->arena, loc) };
}

/* Move FROM to the end of TO.  */
static void
move (const factoring *f, run *from, tns_node *to)
{
  tns_node *part[] = { from->before, from->loops, from->behind };
  for (int p = 0; p < 3; p++)
    for (int k = 0; k < part[p]->n_kids; k++)
      tns_block_add (f->arena, to, part[p]->kid[k]);
  *from = empty_run (f, to->loc);
}

/* Two pieces of code.  */
typedef struct meeting
{
  tns_node *a;
  tns_node *b;
  bool found;
} meeting;

/* The visitor of expressions: note what A's expression reads and B writes.  */
static bool
note_written (tns_expr *expr, void *self)
{
  meeting *m = self;
  m->found |= tns_expr_reads (expr) && tns_node_writes (m->b, expr->sym);
  return !m->found;
}

/* The visitor of A's nodes: the same, and what it writes and B mentions.  */
static bool
note_meeting (tns_node *node, void *self)
{
  meeting *m = self;
  tns_node_exprs (node, note_written, m);
  if (node->kind == TNS_ASSIGN)
    m->found |= tns_node_mentions (m->b, node->target->sym);
  return !m->found;
}

/* A and B change places without harm.  */
static bool
may_change_places (tns_node *a, tns_node *b)
{
  meeting m = { a, b, false };
  tns_node_walk (a, note_meeting, &m);
  return !m.found;
}

/* Add NEXT, one loop and what is new around it, to ALL; what does not go
   together goes to MADE before.  */
static void
join (const factoring *f, run *all, run *next, tns_node *made)
{
  if (!may_change_places (all->behind, next->loops)
      || !may_change_places (all->behind, next->before))
    move (f, all, made);
  tns_node *part[] = { next->before, next->loops, next->behind };
  tns_node *to[] = { all->before, all->loops, all->behind };
  for (int p = 0; p < 3; p++)
    for (int k = 0; k < part[p]->n_kids; k++)
      tns_block_add (f->arena, to[p], part[p]->kid[k]);
}

/* NODE, a BLOCK, with the sums in the loops that are its kids done, one in each
   of them; NODE itself when there are none.  */
static tns_node *
change_block (factoring *f, tns_node *node)
{
  tns_node *made = tns_block (f->arena, node->loc);
  run all = empty_run (f, node->loc);
  bool some = false;
  for (int k = 0; k < node->n_kids; k++)
    {
      run next = empty_run (f, node->loc);
      bool is_loop = node->kid[k]->kind == TNS_LOOP;
      bool done = is_loop && add_loops (f, node, k, &next);
      some |= done;
      if (!done)
        tns_block_add (f->arena, next.loops, node->kid[k]);
      if (!is_loop)
        move (f, &all, made);
      join (f, &all, &next, made);
      if (!is_loop)
        move (f, &all, made);
    }
  move (f, &all, made);
  return some ? made : node;
}

/* NODE with the sums that stand in loops right in it, and then those further
   in, done.  */
static tns_node *
change_node (factoring *f, tns_node *node)
{
  if (!node || node->kind == TNS_ASSIGN)
    return node;
  for (tns_node *before = NULL; node->kind == TNS_BLOCK && before != node;)
    {
      before = node;
      node = change_block (f, node);
    }
  tns_node *made = tns_node_copy (f->arena, node);
  made->n_kids = 0;
  made->kid = NULL;
  for (int k = 0; node->kind == TNS_BLOCK && k < node->n_kids; k++)
    tns_block_add (f->arena, made, change_node (f, node->kid[k]));
  made->body = change_node (f, node->body);
  made->then = change_node (f, node->then);
  made->otherwise = change_node (f, node->otherwise);
  return made;
}

tns_region *
tns_region_factor (tns_ctx *ctx, tns_region *region, tns_text *steps)
{
  if (!region || ctx->wish.fp == TNS_FP_STRICT)
    return region;
  factoring f
    = { ctx, ctx->arena, tns_region_copy (ctx->arena, region), steps, false };
  f.region->body = change_node (&f, region->body);
  return f.some ? f.region : region;
}
