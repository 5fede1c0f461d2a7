/* Sums that are multiples of each other, as ir/multiples.h says.

   A nest is loops that hold nothing but each other, with bounds that do not
   move, and a straight line.  A sum in it is an update by + of an element that
   some of the loops move, each by a subscript of its own, and the others, the
   outermost one among them, do not: these it runs over.  Nothing else in the
   nest mentions the array.

   1. What a sum adds is a product; cells that the line sets are looked
      through.  Its factors are fixed or left.
   2. Sums of a nest that move with the same loops and have the same left become
      one, of a new array.
   3. A nest of nothing but sums goes up behind an earlier one with the same
      loops that reads something which it reads too, where only its fixed
      factors were in the way.
   4. Behind the loops each element takes its sum with its fixed factors, where
      the sum had iterations.

   Does not do: conditional sums, loops of other steps than 1, sums over a few
   iterations.  */

#include "ir/multiples.h"

#include "ir/flat.h"
#include "ir/product.h"
#include "ir/walk.h"

enum
{
  MOST_LOOPS = 4,
  MOST_SUMS = 16
};

/* Sums over fewer iterations stay.  */
#define FEW 16

/* A sum.

   node     the update, kid AT of its line
   cell     bit k: loop k moves its element
   product  what it adds
   like     the first sum with the same left
   leaves   it is to leave  */
typedef struct sum
{
  tns_node *node;
  int at;
  unsigned cell;
  tns_product product;
  int like;
  bool leaves;
} sum;

/* A nest.

   loop[0..n)        from the outermost on
   line              the innermost one's body
   sum[0..n_sums)    in the order of the line  */
typedef struct nest
{
  int n;
  tns_node *loop[MOST_LOOPS];
  tns_node *line;
  int n_sums;
  sum sum[MOST_SUMS];
} nest;

/* The pass; region is made.  */
typedef struct multiples
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
} multiples;

/* BODY, or the only block in it.  */
static tns_node *
inner (tns_node *body)
{
  while (body->kind == TNS_BLOCK && body->n_kids == 1)
    body = body->kid[0];
  return body;
}

/* EXPR is the same everywhere in N's loops so far.  */
static bool
is_bound (const nest *n, tns_expr *expr)
{
  bool moves = tns_expr_loads (expr);
  for (int k = 0; k < n->n; k++)
    moves |= tns_expr_mentions (expr, n->loop[k]->iter);
  return !moves;
}

/* NODE as a nest, its sums not looked for.  */
static bool
find_nest (tns_node *node, nest *n)
{
  *n = (nest){ .n = 0 };
  for (; node->kind == TNS_LOOP; node = inner (node->body))
    {
      if (n->n == MOST_LOOPS || node->step != 1 || !is_bound (n, node->lo)
          || !is_bound (n, node->hi))
        return false;
      n->loop[n->n++] = node;
      n->line = node->body;
    }
  if (n->n == 0)
    return false;
  if (node->kind == TNS_BLOCK)
    n->line = node;
  for (int k = 0; k < n->line->n_kids; k++)
    if (n->line->kid[k]->kind != TNS_ASSIGN
        && n->line->kid[k]->kind != TNS_LOCAL)
      return false;
  return n->line->kind == TNS_BLOCK;
}

/* What is looked for in an expression.  */
typedef struct looking
{
  const nest *nest;
  unsigned over;
  bool moves;
} looking;

/* The visitor: EXPR is not the same in all iterations of the loops OVER.  */
static bool
note_moving (tns_expr *expr, void *self)
{
  looking *s = self;
  for (int k = 0; k < s->nest->n && expr->op == TNS_SYM; k++)
    s->moves |= (s->over >> k & 1) && expr->sym == s->nest->loop[k]->iter;
  if (tns_expr_reads (expr))
    s->moves |= tns_node_writes (s->nest->loop[0], expr->sym);
  return !s->moves;
}

/* EXPR is the same in all iterations of N's loops in the set OVER.  */
static bool
is_fixed (const nest *n, unsigned over, tns_expr *expr)
{
  looking s = { n, over, false };
  tns_expr_walk (expr, note_moving, &s);
  return !s.moves;
}

/* Two pieces of code.  */
typedef struct meeting
{
  tns_node *node;
  bool found;
} meeting;

/* The visitor: EXPR reads what the node writes or declares.  */
static bool
note_written (tns_expr *expr, void *self)
{
  meeting *m = self;
  m->found |= tns_expr_reads (expr)
              && (tns_node_writes (m->node, expr->sym)
                  || tns_node_declares (m->node, expr->sym));
  return !m->found;
}

/* EXPR reads what NODE writes or declares.  */
static bool
depends (tns_expr *expr, tns_node *node)
{
  meeting m = { node, false };
  tns_expr_walk (expr, note_written, &m);
  return m.found;
}

/* What the cell SYM, which LINE declares, is at kid AT: a product that is set
   once and could be computed there; else NULL.  */
static tns_expr *
value_at (const tns_node *line, int at, const tns_sym *sym)
{
  const tns_node *set = NULL;
  int from = 0;
  for (int k = 0; k < line->n_kids; k++)
    if (tns_node_writes (line->kid[k], sym))
      {
        if (set || k >= at)
          return NULL;
        set = line->kid[k];
        from = k;
      }
  if (!set || !tns_node_sets_cell (set) || set->update != TNS_NONE
      || !tns_node_declares ((tns_node *) line, sym)
      || (set->value->op != TNS_MUL && set->value->op != TNS_DIV
          && set->value->op != TNS_NEG))
    return NULL;
  for (int k = from + 1; k < at; k++)
    if (depends (set->value, line->kid[k]))
      return NULL;
  return set->value;
}

/* EXPR at kid AT of LINE, with the products that its factors are set to.  */
static tns_expr *
opened (const multiples *m, const tns_node *line, int at, tns_expr *expr)
{
  tns_expr *value = NULL;
  if (expr->op == TNS_LOAD && expr->sym->rank == 0)
    value = value_at (line, at, expr->sym);
  if (value)
    return opened (m, line, at, value);
  if (expr->op == TNS_NEG)
    return tns_unary (m->arena, TNS_NEG, opened (m, line, at, expr->arg[0]));
  if (expr->op == TNS_MUL || expr->op == TNS_DIV)
    return tns_binary (m->arena, expr->op, opened (m, line, at, expr->arg[0]),
                       opened (m, line, at, expr->arg[1]));
  return expr;
}

/* The loops of N that move the element TARGET, each alone and the outermost one
   not; false where a subscript is something else.  */
static bool
find_cell (const nest *n, const tns_expr *target, unsigned *cell)
{
  *cell = 0;
  for (int a = 0; a < target->n_args; a++)
    {
      int k = 0;
      while (k < n->n
             && (target->arg[a]->op != TNS_SYM
                 || target->arg[a]->sym != n->loop[k]->iter))
        k++;
      if (k == n->n ? !is_bound (n, target->arg[a]) : *cell >> k & 1)
        return false;
      *cell |= k < n->n ? 1u << k : 0;
    }
  return !(*cell & 1);
}

/* The loops of N that CELL does not move with have FEW iterations.  */
static bool
is_short (const nest *n, unsigned cell)
{
  long long all = 1;
  for (int k = 0; k < n->n; k++)
    {
      long long lo;
      long long hi;
      if (cell >> k & 1)
        continue;
      if (!tns_expr_is_int (n->loop[k]->lo, &lo)
          || !tns_expr_is_int (n->loop[k]->hi, &hi))
        return false;
      all = hi <= lo || all >= FEW ? all : all * (hi - lo);
    }
  return all < FEW;
}

/* Kid AT of N's line as a sum.  */
static bool
find_sum (const multiples *m, const nest *n, int at, sum *s)
{
  tns_node *node = n->line->kid[at];
  *s = (sum){ .node = node, .at = at };
  if (node->kind != TNS_ASSIGN || node->mask || node->update != TNS_ADD
      || node->target->type.lanes != 1
      || !tns_elem_is_float (node->target->type.elem) || !node->name
      || tns_expr_mentions (node->value, node->target->sym)
      || !find_cell (n, node->target, &s->cell) || is_short (n, s->cell))
    return false;
  for (int k = 0; k < n->line->n_kids; k++)
    if (k != at && !tns_ctx_breaks (m->ctx, "multiples")
        && (tns_node_mentions (n->line->kid[k], node->target->sym)
            || tns_node_declares (n->line->kid[k], node->target->sym)))
      return false;
  if (!tns_product_split (&s->product, opened (m, n->line, at, node->value)))
    return false;
  bool some = false;
  for (int k = 0; k < s->product.n; k++)
    {
      tns_factor *f = &s->product.factor[k];
      f->fixed = is_fixed (n, ~s->cell, f->expr);
      some |= !f->fixed;
    }
  return some;
}

/* What is left of S is the same at S and at kid AT of N's line.  */
static bool
stays (const nest *n, const sum *s, int at)
{
  for (int k = 0; k < s->product.n; k++)
    for (int a = s->at; a < at && !s->product.factor[k].fixed; a++)
      if (depends (s->product.factor[k].expr, n->line->kid[a]))
        return false;
  return true;
}

/* The first sum of N that is like S.  */
static int
first_like (const nest *n, const sum *s)
{
  for (int k = 0; k < n->n_sums; k++)
    {
      const sum *b = &n->sum[k];
      if (b->cell == s->cell && b->like == k && stays (n, b, s->at)
          && b->node->target->type.elem == s->node->target->type.elem
          && tns_product_is_like (&b->product, &s->product))
        return k;
    }
  return n->n_sums;
}

/* The sums of N.  */
static void
find_sums (const multiples *m, nest *n)
{
  for (int k = 0; k < n->line->n_kids && n->n_sums < MOST_SUMS; k++)
    {
      sum *s = &n->sum[n->n_sums];
      if (!find_sum (m, n, k, s))
        continue;
      s->like = first_like (n, s);
      n->n_sums++;
    }
}

/* Mark the sums of N that have others like them; whether there are any.  */
static bool
mark_alike (nest *n)
{
  bool some = false;
  for (int a = 0; a < n->n_sums; a++)
    for (int b = 0; b < a; b++)
      if (n->sum[a].like == n->sum[b].like)
        some = n->sum[a].leaves = n->sum[b].leaves = true;
  return some;
}

/* Arrays can have an element for each iteration of N's loops in CELL.  */
static bool
has_extents (const nest *n, unsigned cell)
{
  long long lo;
  for (int k = 0; k < n->n; k++)
    if ((cell >> k & 1)
        && (!tns_expr_is_int (n->loop[k]->lo, &lo) || lo < 0
            || !tns_is_over_values (n->loop[k]->hi)))
      return false;
  return true;
}

/* All sums of N that are to leave can.  */
static bool
may_leave (const nest *n)
{
  for (int k = 0; k < n->n_sums; k++)
    if (n->sum[k].leaves && !has_extents (n, n->sum[k].cell))
      return false;
  return true;
}

/* An array with an element for each of N's iterations in CELL, or a cell.  */
static tns_sym *
add_part (const multiples *m, const nest *n, const sum *s)
{
  tns_arena *arena = m->arena;
  int rank = __builtin_popcount (s->cell);
  tns_sym *part = tns_region_add_array (
    arena, m->region, "part", s->node->target->type.elem, rank, TNS_SYM_LOCAL);
  for (int k = 0, d = 0; k < n->n; k++)
    if (s->cell >> k & 1)
      part->extent[d++]
        = tns_binary (arena, TNS_MAX, tns_int (arena, 0), n->loop[k]->hi);
  return part;
}

/* The element of PART that stands for the one of S.  */
static tns_expr *
part_element (const multiples *m, const nest *n, const sum *s, tns_sym *part)
{
  tns_expr *at[MOST_LOOPS];
  int d = 0;
  for (int k = 0; k < n->n; k++)
    if (s->cell >> k & 1)
      at[d++] = tns_value (m->arena, n->loop[k]->iter);
  return d ? tns_load (m->arena, part, at) : tns_cell (m->arena, part);
}

/* NODE in N's loops in CELL, with iterators of their own.  */
static tns_node *
in_loops (const multiples *m, const nest *n, unsigned cell, tns_node *node)
{
  tns_arena *arena = m->arena;
  for (int k = n->n - 1; k >= 0; k--)
    if (cell >> k & 1)
      {
        tns_sym *old = n->loop[k]->iter;
        tns_sym *iter = tns_region_add_iter (arena, m->region, old->name);
        tns_expr *by = tns_value (arena, iter);
        tns_node *body = tns_block (arena, node->loc);
        tns_block_add (arena, body,
                       tns_node_substitute (arena, node, 1, &old, &by));
        node = tns_loop (arena, node->loc, iter, n->loop[k]->lo, n->loop[k]->hi,
                         1, body);
      }
  return node;
}

/* TARGET OP VALUE, which comes of S, its name with SUFFIX.  */
static tns_node *
made_of (const multiples *m, const sum *s, const char *suffix, tns_expr *target,
         tns_op op, tns_expr *value)
{
  tns_node *made = tns_assign (m->arena, s->node->loc, target, op, value);
  made->name = tns_arena_format (m->arena, "%s_%s", s->node->name, suffix);
  return made;
}

/* The loops of N that S runs over have iterations.  */
static tns_expr *
has_iterations (tns_arena *arena, const nest *n, const sum *s)
{
  tns_expr *all = NULL;
  for (int k = 0; k < n->n; k++)
    if (!(s->cell >> k & 1))
      {
        tns_expr *some
          = tns_binary (arena, TNS_LT, n->loop[k]->lo, n->loop[k]->hi);
        all = all ? tns_binary (arena, TNS_LAND, all, some) : some;
      }
  return all;
}

/* What becomes of a nest: what stands before it, the nest itself, and what
   stands behind.  */
typedef struct leaving
{
  tns_node *before;
  tns_node *line;
  tns_node *behind;
  tns_sym *part[MOST_SUMS];
} leaving;

/* Sum K of N leaves: L has what is left of it, once for all that are
   like it.  */
static void
leave (const multiples *m, const nest *n, int k, leaving *l)
{
  tns_arena *arena = m->arena;
  const sum *s = &n->sum[k];
  tns_loc loc = s->node->loc;
  tns_sym **part = &l->part[s->like];
  bool first = !*part;
  *part = *part ? *part : add_part (m, n, s);
  tns_expr *element = part_element (m, n, s, *part);
  if (first)
    {
      tns_node *zero
        = made_of (m, s, "z", element, TNS_NONE,
                   tns_real (arena, s->node->target->type.elem, 0));
      tns_node *made = tns_node_copy (arena, s->node);
      made->target = element;
      made->value = tns_product_part (arena, &s->product, false, NULL);
      tns_block_add (arena, l->before, tns_local (arena, loc, *part));
      tns_block_add (arena, l->before, in_loops (m, n, s->cell, zero));
      tns_block_add (arena, l->line, made);
    }
  tns_expr *value = tns_product_part (arena, &s->product, true, element);
  if (s->product.negative)
    value = tns_unary (arena, TNS_NEG, value);
  tns_node *then = tns_block (arena, loc);
  tns_block_add (
    arena, then,
    in_loops (m, n, s->cell,
              made_of (m, s, "m", s->node->target, TNS_ADD, value)));
  tns_block_add (arena, l->behind,
                 tns_if (arena, loc, has_iterations (arena, n, s), then, NULL));
}

/* N's loops around LINE, from loop K on.  */
static tns_node *
around (const multiples *m, const nest *n, int k, tns_node *line)
{
  tns_node *loop = tns_node_copy (m->arena, n->loop[k]);
  loop->body = line;
  if (k + 1 < n->n)
    {
      loop->body = tns_block (m->arena, loop->loc);
      tns_block_add (m->arena, loop->body, around (m, n, k + 1, line));
    }
  return loop;
}

/* LINE without what only sets cells that nothing reads any more.  */
static tns_node *
without_idle (const multiples *m, const nest *n, tns_node *line)
{
  for (bool some = true; some;)
    {
      tns_node *made = tns_block (m->arena, line->loc);
      some = false;
      for (int k = 0; k < line->n_kids; k++)
        {
          const tns_node *kid = line->kid[k];
          const tns_sym *sym
            = kid->kind == TNS_LOCAL ? kid->sym : kid->target->sym;
          bool is_read = sym->rank > 0 || !tns_node_declares (n->line, sym);
          for (int o = 0; o < line->n_kids && !is_read; o++)
            is_read = o != k && line->kid[o]->kind == TNS_ASSIGN
                      && tns_node_mentions (line->kid[o], sym);
          if (is_read)
            tns_block_add (m->arena, made, line->kid[k]);
          some |= !is_read;
        }
      line = made;
    }
  return line;
}

/* The sums of N that are marked, out of it.  */
static leaving
leave_all (const multiples *m, const nest *n)
{
  tns_loc loc = n->loop[0]->loc;
  leaving l = { .before = tns_block (m->arena, loc),
                .behind = tns_block (m->arena, loc) };
  l.line = tns_block (m->arena, loc);
  for (int at = 0, k = 0; at < n->line->n_kids; at++)
    {
      bool is_sum = k < n->n_sums && n->sum[k].at == at;
      if (is_sum && n->sum[k].leaves)
        leave (m, n, k, &l);
      else
        tns_block_add (m->arena, l.line, n->line->kid[at]);
      k += is_sum;
    }
  l.line = without_idle (m, n, l.line);
  return l;
}

/* Move BLOCK's kids [FROM, TO) to the end of OUT.  */
static void
add_kids (const multiples *m, tns_node *out, const tns_node *block, int from,
          int to)
{
  for (int k = from; k < to; k++)
    tns_block_add (m->arena, out, block->kid[k]);
}

/* BLOCK with the sums of kid AT, a nest, that are alike made one; NULL where
   none are.  */
static tns_node *
made_one (const multiples *m, const tns_node *block, int at)
{
  nest n;
  if (!find_nest (block->kid[at], &n))
    return NULL;
  find_sums (m, &n);
  if (!mark_alike (&n) || !may_leave (&n))
    return NULL;
  leaving l = leave_all (m, &n);
  tns_node *out = tns_block (m->arena, block->loc);
  add_kids (m, out, block, 0, at);
  add_kids (m, out, l.before, 0, l.before->n_kids);
  tns_block_add (m->arena, out, around (m, &n, 0, l.line));
  add_kids (m, out, l.behind, 0, l.behind->n_kids);
  add_kids (m, out, block, at + 1, block->n_kids);
  return out;
}

/* N is of nothing but sums, what is left of which needs nothing else of its
   line; they are marked.  */
static bool
mark_all (nest *n)
{
  int n_others = 0;
  for (int k = 0; k < n->line->n_kids; k++)
    {
      const tns_node *kid = n->line->kid[k];
      const tns_sym *sym = kid->kind == TNS_LOCAL ? kid->sym : kid->target->sym;
      n_others += sym->rank == 0 && tns_node_declares (n->line, sym);
    }
  for (int k = 0; k < n->n_sums; k++)
    {
      const tns_product *p = &n->sum[k].product;
      for (int f = 0; f < p->n; f++)
        if (!p->factor[f].fixed && depends (p->factor[f].expr, n->line))
          return false;
      n->sum[k].leaves = true;
    }
  return n->n_sums > 0 && n_others + n->n_sums == n->line->n_kids;
}

/* A and B run over the same.  */
static bool
is_parallel (const nest *a, const nest *b)
{
  bool same = a->n == b->n;
  for (int k = 0; k < a->n && same; k++)
    same = tns_expr_equal (a->loop[k]->lo, b->loop[k]->lo)
           && tns_expr_equal (a->loop[k]->hi, b->loop[k]->hi);
  return same;
}

/* Some factor of N's sums, of those FIXED or not, depends on one of BLOCK's
   kids [FROM, TO).  */
static bool
some_depends (const nest *n, bool fixed, const tns_node *block, int from,
              int to)
{
  for (int s = 0; s < n->n_sums; s++)
    for (int f = 0; f < n->sum[s].product.n; f++)
      for (int k = from; k < to; k++)
        if (n->sum[s].product.factor[f].fixed == fixed
            && depends (n->sum[s].product.factor[f].expr, block->kid[k]))
          return true;
  return false;
}

/* A read that is looked for.  */
typedef struct reading
{
  tns_expr *read;
  tns_node *node;
  const nest *from;
  const nest *to;
  const multiples *m;
  bool found;
} reading;

/* The visitor: EXPR is the read.  */
static bool
note_same (tns_expr *expr, void *self)
{
  reading *r = self;
  r->found |= tns_expr_equal (expr, r->read);
  return !r->found;
}

/* The visitor of nodes for note_same.  */
static bool
note_same_in (tns_node *node, void *self)
{
  tns_node_exprs (node, note_same, self);
  return !((reading *) self)->found;
}

/* The visitor: EXPR is an element of an array that the other nest reads
   too.  */
static bool
note_shared (tns_expr *expr, void *self)
{
  reading *r = self;
  if (!tns_expr_reads (expr) || expr->sym->rank == 0)
    return !r->found;
  r->read = expr;
  for (int k = 0; k < r->from->n; k++)
    {
      tns_expr *by = tns_value (r->m->arena, r->to->loop[k]->iter);
      r->read = tns_expr_substitute (r->m->arena, r->read, 1,
                                     &r->from->loop[k]->iter, &by);
    }
  tns_node_walk (r->to->line, note_same_in, r);
  return !r->found;
}

/* What is left of N's sums reads something that EARLIER, which runs over the
   same, reads too.  */
static bool
shares_read (const multiples *m, const nest *n, const nest *earlier)
{
  reading r = { .m = m, .from = n, .to = earlier };
  for (int s = 0; s < n->n_sums; s++)
    for (int f = 0; f < n->sum[s].product.n; f++)
      if (!n->sum[s].product.factor[f].fixed)
        tns_expr_walk (n->sum[s].product.factor[f].expr, note_shared, &r);
  return r.found;
}

/* The kid of BLOCK behind which N, kid AT, can go up and gain by it; -1 where
   there is none.  */
static int
place_above (const multiples *m, const tns_node *block, int at, const nest *n)
{
  for (int k = at - 1; k >= 0 && !some_depends (n, false, block, k + 1, at);
       k--)
    {
      nest earlier;
      if (find_nest (block->kid[k], &earlier) && is_parallel (&earlier, n)
          && shares_read (m, n, &earlier))
        return !some_depends (n, false, block, k, k + 1)
                   && some_depends (n, true, block, k, at)
                 ? k
                 : -1;
    }
  return -1;
}

/* BLOCK with kid AT, a nest, gone up; NULL where it does not.  */
static tns_node *
gone_up (const multiples *m, const tns_node *block, int at)
{
  nest n;
  if (!find_nest (block->kid[at], &n))
    return NULL;
  find_sums (m, &n);
  int to
    = mark_all (&n) && may_leave (&n) ? place_above (m, block, at, &n) : -1;
  if (to < 0)
    return NULL;
  leaving l = leave_all (m, &n);
  tns_node *out = tns_block (m->arena, block->loc);
  add_kids (m, out, block, 0, to);
  add_kids (m, out, l.before, 0, l.before->n_kids);
  tns_block_add (m->arena, out, block->kid[to]);
  tns_block_add (m->arena, out, around (m, &n, 0, l.line));
  add_kids (m, out, block, to + 1, at);
  add_kids (m, out, l.behind, 0, l.behind->n_kids);
  add_kids (m, out, block, at + 1, block->n_kids);
  return out;
}

/* BLOCK with its own nests done.  */
static tns_node *
change_block (const multiples *m, tns_node *block)
{
  for (int at = 0; at < block->n_kids; at++)
    {
      tns_node *made = made_one (m, block, at);
      made = made ? made : gone_up (m, block, at);
      if (made)
        {
          block = made;
          at = -1;
        }
    }
  return block;
}

/* NODE with the nests in it done, those further out first.  */
static tns_node *
change (const multiples *m, tns_node *node)
{
  if (!node || node->kind == TNS_ASSIGN)
    return node;
  if (node->kind == TNS_BLOCK)
    node = change_block (m, node);
  tns_node *made = tns_node_copy (m->arena, node);
  made->n_kids = 0;
  made->kid = NULL;
  for (int k = 0; node->kind == TNS_BLOCK && k < node->n_kids; k++)
    tns_block_add (m->arena, made, change (m, node->kid[k]));
  made->body = change (m, node->body);
  made->then = change (m, node->then);
  made->otherwise = change (m, node->otherwise);
  return made;
}

tns_region *
tns_region_multiples (tns_ctx *ctx, tns_region *region)
{
  if (!region || ctx->wish.fp == TNS_FP_STRICT)
    return region;
  multiples m = { ctx, ctx->arena, tns_region_copy (ctx->arena, region) };
  int n_syms = m.region->n_syms;
  m.region->body = change (&m, m.region->body);
  return m.region->n_syms > n_syms ? m.region : region;
}
