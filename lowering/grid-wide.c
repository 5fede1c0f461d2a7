/* Neighbouring iterations at once, as lowering/grid-wide.h says.

   1. the accesses of the body, in their order, each with whether it happens in
      any case
   2. those that go from one element to the next, each array's together, unless
      a store there may meet another access: a store is taken where all accesses
      are of its own element
   3. what is more: elements accessed at once, or one by one though they are
      neighbours  */

#include "lowering/grid-wide.h"

#include "ir/affine.h"
#include "ir/flat.h"
#include "ir/stride.h"
#include "ir/walk.h"
#include "lowering/grid.h"
#include "lowering/linear.h"

#define MOST_ACCESSES 64
#define MOST_BYTES    16

/* One access of the body, in the order of what is executed.

   always  it happens in each iteration, or might, being a read
   stores  it is a store, not a read
   walks   it goes from one element to the next
   taken   a run has it  */
typedef struct access
{
  tns_expr *load;
  bool always;
  bool stores;
  bool walks;
  bool taken;
} access;

/* The loops that are looked at, and the accesses of their body; full: there
   are more.  */
typedef struct finder
{
  tns_arena *arena;
  const tns_region *around;
  int n_loops;
  tns_node *const *loop;
  tns_node *body;
  tns_wide *wide;
  int n;
  access access[MOST_ACCESSES];
  bool full;
} finder;

/* ATOM is the iterator of a loop of F.  */
static bool
is_iterator (const finder *f, const tns_expr *atom)
{
  for (int k = 0; k < f->n_loops; k++)
    if (atom->op == TNS_SYM && atom->sym == f->loop[k]->iter)
      return true;
  return false;
}

/* ATOM is the same number in all iterations of F's loops.  */
static bool
is_fixed (const finder *f, tns_expr *atom)
{
  bool fixed = tns_is_over_values (atom) || atom->op == TNS_SYM;
  for (int k = 0; k < f->n_loops; k++)
    fixed &= !tns_expr_mentions (atom, f->loop[k]->iter);
  return fixed;
}

/* EXPR is a sum of multiples of iterators of F's loops: each of these moves it
   by the same number, always.  */
static bool
is_regular (const finder *f, tns_expr *expr)
{
  tns_sum sum = tns_sum_of (f->arena, expr);
  for (int k = 0; k < sum.n; k++)
    {
      int iterators = 0;
      for (int a = 0; a < sum.term[k].n_atoms; a++)
        if (is_iterator (f, sum.term[k].atom[a]))
          iterators++;
        else if (!is_fixed (f, sum.term[k].atom[a]))
          return false;
      if (iterators > 1)
        return false;
    }
  return sum.n >= 0;
}

/* LOAD goes from one element to the next along the innermost loop of F.  */
static bool
walks (const finder *f, const tns_expr *load)
{
  const tns_sym *iter = f->loop[f->n_loops - 1]->iter;
  int last = load->sym->rank - 1;
  long long step = 0;
  if (load->op != TNS_LOAD || load->type.lanes != 1 || last < 0
      || !tns_sym_is_dense (load->sym)
      || !tns_access_distance (f->arena, load, iter, &step) || step != 1)
    return false;
  for (int k = 0; k <= last; k++)
    if (!is_regular (f, load->arg[k])
        || (k < last && tns_expr_mentions (load->arg[k], iter)))
      return false;
  return true;
}

/* EXPR with the iterator of F's only loop at AT.  */
static tns_expr *
with_iterator (const finder *f, tns_expr *expr, tns_expr *at)
{
  return tns_expr_substitute (f->arena, expr, 1, &f->loop[0]->iter, &at);
}

/* SPAN has what LOAD, which walks, would read in all iterations of F's only
   loop.  A span that has nothing under a condition, as that a pointer is none,
   is not known to.  */
static bool
is_spanned (const finder *f, const tns_expr *load, const tns_span *span)
{
  const tns_node *loop = f->loop[0];
  tns_expr *last
    = tns_binary (f->arena, TNS_SUB, loop->hi, tns_int (f->arena, 1));
  long long before, behind;
  return tns_linear_distance (f->arena,
                              with_iterator (f, load->arg[0], loop->lo),
                              span->lo, &before)
         && tns_linear_distance (f->arena, span->hi,
                                 with_iterator (f, load->arg[0], last), &behind)
         && before >= 0 && behind > 0;
}

/* What LOAD, which walks, would read is there in all iterations.  */
static bool
is_there (const finder *f, const tns_expr *load)
{
  const tns_region *r = f->around;
  for (int k = 0; r && k < r->n_spans; k++)
    if (f->n_loops == 1 && r->spans[k].sym == load->sym && r->spans[k].lo
        && load->sym->rank == 1)
      return is_spanned (f, load, &r->spans[k]);
  return false;
}

/* LOAD is accessed, in memory that other threads see.  */
static void
note_access (finder *f, tns_expr *load, bool always, bool stores)
{
  if (tns_sym_is_local (load->sym) && tns_node_declares (f->body, load->sym))
    return;
  f->full |= f->n == MOST_ACCESSES;
  if (f->full)
    return;
  bool on = walks (f, load);
  always |= on && !stores && is_there (f, load);
  f->access[f->n++] = (access){ load, always, stores, on, false };
}

/* Note what EXPR reads; ALWAYS: it is evaluated in each iteration.  */
static void
note_expr (finder *f, tns_expr *expr, bool always)
{
  bool chooses
    = expr->op == TNS_SELECT || expr->op == TNS_LAND || expr->op == TNS_LOR;
  for (int k = 0; k < expr->n_args; k++)
    note_expr (f, expr->arg[k], always && !(chooses && k > 0));
  if (tns_expr_reads (expr))
    note_access (f, expr, always, false);
  f->full |= expr->op == TNS_CALL;
}

/* Note what NODE, an assignment, accesses.  */
static void
note_assign (finder *f, const tns_node *node, bool always)
{
  if (node->mask)
    note_expr (f, node->mask, always);
  always &= !node->mask;
  for (int k = 0; k < node->target->n_args; k++)
    note_expr (f, node->target->arg[k], always);
  note_expr (f, node->value, always);
  if (node->update != TNS_NONE)
    note_access (f, node->target, always, false);
  note_access (f, node->target, always, true);
}

/* Note what NODE accesses.  */
static void
note_node (finder *f, tns_node *node, bool always)
{
  for (int k = 0; k < node->n_kids; k++)
    note_node (f, node->kid[k], always);
  if (node->kind == TNS_ASSIGN)
    note_assign (f, node, always);
  if (node->kind != TNS_IF)
    return;
  note_expr (f, node->cond, always);
  note_node (f, node->then, false);
  if (node->otherwise)
    note_node (f, node->otherwise, false);
}

/* LOAD's element is *AT behind that of FIRST, in each iteration.  */
static bool
is_behind (tns_arena *arena, const tns_expr *first, const tns_expr *load,
           long long *at)
{
  int last = first->sym->rank - 1;
  if (load->op != TNS_LOAD || load->sym != first->sym)
    return false;
  for (int k = 0; k < last; k++)
    if (!tns_linear_distance (arena, load->arg[k], first->arg[k], at) || *at)
      return false;
  return tns_linear_distance (arena, load->arg[last], first->arg[last], at);
}

/* SYM is stored to.  */
static bool
is_stored (const finder *f, const tns_sym *sym)
{
  for (int k = 0; k < f->n; k++)
    if (f->access[k].stores && f->access[k].load->sym == sym)
      return true;
  return false;
}

/* All that accesses the array of LOAD, which walks, is of its element, and that
   is stored in each iteration; *LOADED: what it held is read first.  */
static bool
is_own (const finder *f, const tns_expr *load, bool *loaded)
{
  bool stored = false;
  *loaded = false;
  for (int k = 0; k < f->n; k++)
    {
      const access *a = &f->access[k];
      long long at;
      if (a->load->sym != load->sym)
        continue;
      if (!is_behind (f->arena, load, a->load, &at) || at)
        return false;
      bool sets = a->stores && a->always;
      *loaded |= !stored && !sets;
      stored |= sets;
    }
  return stored;
}

/* The run of F that LOAD may stand in, *AT behind its first, or NULL.  */
static tns_run *
run_near (const finder *f, const tns_expr *load, long long *at)
{
  for (int k = 0; k < f->wide->n; k++)
    if (is_behind (f->arena, f->wide->run[k].load, load, at)
        && *at >= -MOST_BYTES / 4 && *at <= MOST_BYTES / 4)
      return &f->wide->run[k];
  return NULL;
}

/* Let a run have ACCESS, which walks and happens always.  */
static void
take_access (finder *f, access *a)
{
  long long at;
  bool loaded = true;
  bool stored = is_stored (f, a->load->sym);
  if (stored && !is_own (f, a->load, &loaded))
    return;
  tns_run *run = run_near (f, a->load, &at);
  if (!run && f->wide->n == TNS_MOST_RUNS)
    return;
  if (!run)
    {
      run = &f->wide->run[f->wide->n++];
      *run = (tns_run){ a->load, 0, 0, 0, loaded, stored };
      at = 0;
    }
  run->from = at < run->from ? at : run->from;
  run->to = at > run->to ? at : run->to;
  a->taken = true;
}

/* How many iterations have what is accessed at once: 16 bytes, or more, of
   the widest elements.  */
static int
width_of (const tns_wide *wide)
{
  int least = MOST_BYTES, most = 1;
  for (int k = 0; k < wide->n; k++)
    {
      int bytes = tns_elem_bytes (wide->run[k].load->type.elem);
      least = bytes < least ? bytes : least;
      most = bytes > most ? bytes : most;
    }
  return most < 4 || least == most ? MOST_BYTES / most : 4;
}

/* The constant in the last subscript of LOAD.  */
static long long
constant_of (tns_arena *arena, const tns_expr *load)
{
  tns_sum sum = tns_sum_of (arena, load->arg[load->sym->rank - 1]);
  for (int k = 0; k < sum.n; k++)
    if (sum.term[k].n_atoms == 0)
      return sum.term[k].factor;
  return 0;
}

/* Where accesses at once are expected to begin: where the lead's do, if arrays
   begin and rows are alike.  */
static void
find_even (finder *f)
{
  tns_wide *wide = f->wide;
  for (int k = wide->n - 1; k >= 0; k--)
    if (wide->run[k].stored || !wide->run[wide->lead].stored)
      wide->lead = k;
  long long lead = constant_of (f->arena, wide->run[wide->lead].load);
  for (int k = 0; k < wide->n; k++)
    {
      tns_run *run = &wide->run[k];
      long long own = constant_of (f->arena, run->load);
      long long from = own + run->from - lead;
      long long more = (wide->width - from % wide->width) % wide->width;
      run->even = run->from + more;
    }
}

/* More of F's accesses are taken at once than neighbours stay alone.  */
static bool
pays (const finder *f)
{
  int balance = 0;
  long long at;
  for (int k = 0; k < f->wide->n; k++)
    balance += f->wide->run[k].even <= f->wide->run[k].to ? 1 : -1;
  for (int k = 0; k < f->n; k++)
    if (f->access[k].walks && !f->access[k].taken
        && tns_wide_run (f->arena, f->wide, f->access[k].load, &at) < 0)
      balance--;
  return balance > 0;
}

int
tns_wide_run (tns_arena *arena, const tns_wide *wide, const tns_expr *load,
              long long *at)
{
  for (int k = 0; k < wide->n; k++)
    if (is_behind (arena, wide->run[k].load, load, at)
        && *at >= wide->run[k].from && *at <= wide->run[k].to)
      return k;
  return -1;
}

tns_expr *
tns_wide_groups (tns_arena *arena, const tns_wide *wide, int n,
                 tns_node *const *loop)
{
  tns_expr *groups = tns_ceil_div (arena, tns_grid_trip (arena, loop[n - 1]),
                                   tns_int (arena, wide->width));
  for (int k = n - 2; k >= 0; k--)
    groups
      = tns_binary (arena, TNS_MUL, tns_grid_trip (arena, loop[k]), groups);
  return groups;
}

bool
tns_wide_find (tns_arena *arena, const tns_region *around, int n,
               tns_node *const *loop, tns_wide *wide)
{
  finder f = { .arena = arena, .around = around, .n_loops = n };
  f.loop = loop;
  f.wide = wide;
  *wide = (tns_wide){ .n = 0 };
  f.body = loop[n - 1]->body;
  if (loop[n - 1]->step != 1 || tns_node_has_loop (f.body))
    return false;
  note_node (&f, f.body, true);
  for (int k = 0; k < f.n; k++)
    if (f.access[k].walks && f.access[k].always)
      take_access (&f, &f.access[k]);
  if (f.full || wide->n == 0)
    return false;
  wide->width = width_of (wide);
  find_even (&f);
  return pays (&f);
}
