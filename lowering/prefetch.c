/* Prefetches, as lowering/prefetch.h says.

   An element is read ahead of the loop whose iterator finds it in an index
   array, or else of the innermost one that moves it.  That loop must have step
   1, and leave the index arrays alone; the loops inside of it must have
   iterations in the later one, too, for which their bounds are asked.  Reads
   under conditions in the loop, which a later iteration might not make, are
   not looked at.  */

#include "lowering/prefetch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ir/walk.h"
#include "schedule/machine.h"

#define ANSWER_NS 90.0

enum
{
  MOST_AROUND = 16,
  MOST_TARGETS = 64,
  MOST_AHEAD = 64,
  ROWS_AHEAD = 16,
  ROW_LINES = 4,
  LINE = 64
};

/* An element that is read inside AROUND[0..n), from the outside in, of which
   AROUND[at] is the loop that it is read ahead of.  */
typedef struct target
{
  tns_expr *load;
  int n;
  int at;
  tns_node *around[MOST_AROUND];
} target;

/* name    of the array
   ahead   what the line says, or 0
   inside  loops around the innermost condition: not read ahead of  */
typedef struct finder
{
  tns_ctx *ctx;
  tns_arena *arena;
  const char *name;
  long ahead;
  int inside;
  int n_around;
  tns_node *around[MOST_AROUND];
  int n;
  target target[MOST_TARGETS];
} finder;

/* What is asked of an expression: whether it, or a load in it, mentions
   SYM.  */
typedef struct question
{
  const tns_sym *sym;
  bool found;
} question;

/* The visitor: loads whose subscripts mention the symbol.  */
static bool
note_index (tns_expr *expr, void *self)
{
  question *q = self;
  for (int k = 0; tns_expr_reads (expr) && k < expr->n_args; k++)
    q->found |= tns_expr_mentions (expr->arg[k], q->sym);
  return !q->found;
}

/* LOAD's subscripts have a load that moves with ITER.  */
static bool
is_looked_up (const tns_expr *load, const tns_sym *iter)
{
  question q = { iter, false };
  for (int k = 0; k < load->n_args; k++)
    tns_expr_walk (load->arg[k], note_index, &q);
  return q.found;
}

/* The loop of F that LOAD is read ahead of, or -1.  */
static int
loop_of (const finder *f, tns_expr *load)
{
  for (int k = f->n_around - 1; k >= 0; k--)
    if (is_looked_up (load, f->around[k]->iter))
      return k;
  for (int k = f->n_around - 1; k >= 0; k--)
    if (tns_expr_mentions (load, f->around[k]->iter))
      return k;
  return -1;
}

/* A search for what a later iteration of LOOP may not know.  */
typedef struct doubt
{
  const tns_node *loop;
  const tns_sym *own;
  bool found;
} doubt;

/* The visitor: reads of LOCALs, and of what the loop writes.  */
static bool
note_doubt (tns_expr *expr, void *self)
{
  doubt *d = self;
  if (tns_expr_reads (expr))
    d->found
      |= tns_sym_is_local (expr->sym)
         || (expr->sym != d->own && tns_node_writes (d->loop->body, expr->sym));
  return !d->found;
}

/* The visitor: reads of what the loop writes; of anything where there is no
   loop.  */
static bool
note_read (tns_expr *expr, void *self)
{
  doubt *d = self;
  if (tns_expr_reads (expr))
    d->found |= !d->loop || tns_node_writes (d->loop->body, expr->sym);
  return !d->found;
}

/* LOOP's bounds are known in front of it, and while it runs, where it is the
   one to be AHEAD of; of one inside they are known in later iterations.  */
static bool
knows_bounds (const tns_node *loop, bool ahead)
{
  doubt d = { ahead ? loop : NULL, NULL, false };
  tns_expr_walk (loop->lo, note_read, &d);
  tns_expr_walk (loop->hi, note_read, &d);
  return loop->step == 1 && !d.found;
}

/* T can be read ahead.  */
static bool
is_sure (const target *t)
{
  doubt d = { t->around[t->at], t->load->sym, false };
  tns_expr_walk (t->load, note_doubt, &d);
  bool sure = !d.found;
  for (int k = t->at; k < t->n; k++)
    sure = sure && knows_bounds (t->around[k], k == t->at);
  return sure;
}

/* The visitor: keep the reads of the array that are made in any case.  */
static bool
note_load (tns_expr *expr, void *self)
{
  finder *f = self;
  if (expr->op == TNS_SELECT || expr->op == TNS_LAND || expr->op == TNS_LOR)
    {
      tns_expr_walk (expr->arg[0], note_load, f);
      return false;
    }
  if (expr->op != TNS_LOAD || expr->n_args == 0 || expr->type.lanes != 1
      || strcmp (tns_sym_words (expr->sym), f->name) || f->n == MOST_TARGETS)
    return true;
  target *t = &f->target[f->n];
  *t = (target){ expr, f->n_around, loop_of (f, expr), { NULL } };
  memcpy (t->around, f->around, sizeof t->around);
  bool is_new = t->at >= f->inside && is_sure (t);
  for (int k = 0; k < f->n && is_new; k++)
    is_new = f->target[k].around[f->target[k].at] != t->around[t->at]
             || !tns_expr_equal (f->target[k].load, expr);
  f->n += is_new;
  return true;
}

/* Keep the reads of NODE.  */
static void
find (finder *f, tns_node *node)
{
  if (node->kind == TNS_ASSIGN && !node->mask)
    {
      tns_expr_walk (node->value, note_load, f);
      if (node->update != TNS_NONE)
        note_load (node->target, f);
    }
  for (int k = 0; k < node->n_kids; k++)
    find (f, node->kid[k]);
  if (node->kind == TNS_IF)
    {
      int inside = f->inside;
      f->inside = f->n_around;
      find (f, node->then);
      if (node->otherwise)
        find (f, node->otherwise);
      f->inside = inside;
    }
  if (node->kind != TNS_LOOP || f->n_around == MOST_AROUND)
    return;
  f->around[f->n_around++] = node;
  find (f, node->body);
  f->n_around--;
}

/* Cycles, counted.  */
typedef struct cost
{
  const tns_machine *machine;
  double cycles;
} cost;

/* The visitor: what an operation costs.  */
static bool
note_cost (tns_expr *expr, void *self)
{
  cost *c = self;
  bool is_function = expr->op == TNS_EXP || expr->op == TNS_LOG
                     || expr->op == TNS_POW || expr->op == TNS_TANH;
  bool divides = expr->op == TNS_DIV || expr->op == TNS_SQRT;
  if (tns_expr_reads (expr))
    c->cycles += 1 / c->machine->load_per_cycle;
  else if (is_function)
    c->cycles += c->machine->exp_cycles;
  else if (divides)
    c->cycles += c->machine->divide_cycles;
  else if (expr->n_args > 0)
    c->cycles += 1 / c->machine->fma_per_cycle;
  return true;
}

/* The visitor of nodes.  */
static bool
note_node_cost (tns_node *node, void *self)
{
  tns_node_exprs (node, note_cost, self);
  return true;
}

/* Iterations that run while memory answers, of the loop that T is read ahead
   of; a few where there are loops inside.  */
static long
ahead_of (const finder *f, const target *t)
{
  const tns_machine *machine = f->ctx->machine;
  tns_node *loop = t->around[t->at];
  cost c = { machine, 1 };
  if (f->ahead)
    return f->ahead;
  if (t->at + 1 < t->n)
    return ROWS_AHEAD;
  tns_node_walk (loop->body, note_node_cost, &c);
  int lanes = loop->marks.simd > 1 ? loop->marks.simd : 1;
  double iterations = ceil (ANSWER_NS * machine->ghz * lanes / c.cycles);
  return iterations < MOST_AHEAD ? (long) iterations : MOST_AHEAD;
}

/* A op B.  */
static tns_expr *
binary (const finder *f, tns_op op, tns_expr *a, tns_expr *b)
{
  return tns_binary (f->arena, op, a, b);
}

/* The last value of LOOP's iterator.  */
static tns_expr *
last_of (const finder *f, const tns_node *loop)
{
  int last = tns_ctx_breaks (f->ctx, "prefetch") ? 0 : 1;
  return binary (f, TNS_SUB, loop->hi, tns_int (f->arena, last));
}

/* Put the prefetch of T's element, LINES lines further in its innermost
   loop, to the end of OUT.  */
static void
add_one (const finder *f, const target *t, long lines, tns_node *out)
{
  tns_arena *arena = f->arena;
  const tns_node *loop = t->around[t->at];
  long each = LINE / tns_elem_bytes (t->load->type.elem);
  tns_sym *iter[MOST_AROUND];
  tns_expr *by[MOST_AROUND];
  tns_expr *runs = NULL;
  int n = 1;
  iter[0] = loop->iter;
  by[0] = binary (f, TNS_ADD, tns_value (arena, loop->iter),
                  tns_int (arena, ahead_of (f, t)));
  by[0] = binary (f, TNS_MIN, by[0], last_of (f, loop));
  for (int k = t->at + 1; k < t->n; k++, n++)
    {
      const tns_node *inner = t->around[k];
      tns_expr *lo = tns_expr_substitute (arena, inner->lo, n, iter, by);
      tns_expr *hi = tns_expr_substitute (arena, inner->hi, n, iter, by);
      tns_expr *some = binary (f, TNS_LT, lo, hi);
      runs = runs ? binary (f, TNS_LAND, runs, some) : some;
      iter[n] = inner->iter;
      by[n] = lo;
      if (k == t->n - 1 && lines > 0)
        by[n] = binary (f, TNS_MIN,
                        binary (f, TNS_ADD, lo, tns_int (arena, lines * each)),
                        binary (f, TNS_SUB, hi, tns_int (arena, 1)));
    }
  tns_node *made = TNS_NEW (arena, tns_node);
  made->kind = TNS_PREFETCH;
  made->loc = loop->loc;
  made->target = tns_expr_substitute (arena, t->load, n, iter, by);
  if (runs)
    {
      tns_node *then = tns_block (arena, loop->loc);
      tns_block_add (arena, then, made);
      made = tns_if (arena, loop->loc, runs, then, NULL);
    }
  tns_block_add (arena, out, made);
}

/* Put T's prefetches to the end of OUT: of a row its first lines.  */
static void
add_target (const finder *f, const target *t, tns_node *out)
{
  bool has_row = t->at + 1 < t->n
                 && tns_expr_mentions (t->load, t->around[t->n - 1]->iter);
  for (long k = 0; k < (has_row ? ROW_LINES : 1); k++)
    add_one (f, t, k, out);
}

/* LOOP with the prefetches in it before all else.  */
static tns_node *
change_node (tns_node *node, void *self)
{
  const finder *f = self;
  tns_node *body = NULL;
  for (int k = 0; node->kind == TNS_LOOP && k < f->n; k++)
    if (f->target[k].around[f->target[k].at]->iter == node->iter)
      {
        body = body ? body : tns_block (f->arena, node->loc);
        add_target (f, &f->target[k], body);
      }
  if (!body)
    return node;
  tns_block_add (f->arena, body, node->body);
  tns_node *made = tns_node_copy (f->arena, node);
  made->body = body;
  return made;
}

tns_region *
tns_region_prefetch (tns_ctx *ctx, tns_region *region, const char *line)
{
  char name[64];
  finder *f = TNS_NEW (ctx->arena, finder);
  if (!region || !ctx->machine
      || sscanf (line, "prefetch %63[^:\n]: %ld", name, &f->ahead) < 1)
    return region;
  f->ctx = ctx;
  f->arena = ctx->arena;
  f->name = name;
  find (f, region->body);
  if (f->n == 0)
    return region;
  region = tns_region_copy (ctx->arena, region);
  region->body
    = tns_node_rebuild (ctx->arena, region->body, change_node, NULL, f);
  return region;
}
