/* The reference interpreter.

   As simple as it can be, since every stage is judged by it.  A run that
   meets a fault leaves through one jump.  A store gathers all its lanes
   before it writes the first.

   Loops whose iterations are free (parallel, simd, and those collapsed into
   one) may run backwards or shuffled: a legal mark gives the same memory.

   What the compiler knows of an array is there whatever the caller's memory
   holds.

   It does not run threads, and integer arithmetic that C leaves undefined
   wraps around or gives 0 (ir/value.c).  */

#include "ir/eval.h"

#include <string.h>

#include "ir/run.h"
#include "ir/walk.h"

enum
{
  MOST_LOCAL_BYTES = 1 << 30
};

/* One statement or iteration more.  */
static void
spend (tns_run *run)
{
  if (run->options->max_steps > 0 && --run->budget < 0)
    tns_run_fault (run, TNS_EVAL_STEPS);
}

/* Whether lane LANE of ASSIGN stores.  */
static bool
stores_lane (tns_run *run, const tns_node *node, int lane)
{
  if (!node->mask)
    return true;
  return tns_value_is_true (
    tns_run_expr (run, node->mask, node->mask->type.lanes > 1 ? lane : 0));
}

/* What lane LANE of ASSIGN stores at TO, given its VALUE.  */
static tns_scalar_value
updated (tns_run *run, const tns_node *node, const char *to,
         tns_scalar_value value)
{
  if (node->update == TNS_NONE)
    return value;
  const tns_sym *sym = node->target->sym;
  tns_scalar_value pair[] = { tns_value_read (sym->type.elem, to), value };
  if (!tns_sym_is_local (sym))
    run->counts.bytes_loaded += tns_elem_bytes (sym->type.elem);
  return tns_run_apply (run, node->update, sym->type.elem, pair);
}

/* target = value, all lanes read before the first is written.  */
static void
assign (tns_run *run, const tns_node *node)
{
  const tns_sym *sym = node->target->sym;
  int lanes = node->target->type.lanes;
  tns_scalar_value made[TNS_MOST_LANES];
  char *to[TNS_MOST_LANES];
  run->counts.steps++;
  spend (run);
  for (int l = 0; l < lanes; l++)
    {
      made[l] = tns_run_expr (run, node->value, l);
      to[l] = NULL;
      if (!stores_lane (run, node, l))
        continue;
      run->silent += l > 0;
      to[l] = tns_run_address (run, node->target, l);
      run->silent -= l > 0;
      made[l] = updated (run, node, to[l], made[l]);
    }
  for (int l = 0; l < lanes; l++)
    if (to[l])
      {
        tns_value_write (sym->type.elem, to[l], made[l]);
        if (!tns_sym_is_local (sym))
          run->counts.bytes_stored += tns_elem_bytes (sym->type.elem);
      }
}

/* The strides of SYM, and in *SIZE the elements it spans when its extents
   are all known; false when they are not or do not fit 64 bits.  */
static bool
lay_out (tns_run *run, const tns_sym *sym, long long *size)
{
  tns_storage *array = &run->array[sym->id];
  bool is_known = true;
  *size = 1;
  for (int k = sym->rank - 1; k >= 0; k--)
    {
      array->stride[k] = *size;
      array->extent[k]
        = sym->extent[k] ? tns_run_expr (run, sym->extent[k], 0).s : -1;
      if (array->extent[k] < 0
          || __builtin_mul_overflow (*size, array->extent[k], size))
        is_known = false;
      if (!is_known)
        *size = 0;
    }
  for (int k = 0; k < sym->rank && sym->stride; k++)
    array->stride[k] = tns_run_expr (run, sym->stride[k], 0).s;
  return is_known;
}

/* The elements that an array of known extents and own strides spans.  */
static bool
strided_size (const tns_storage *array, int rank, long long *size)
{
  *size = 1;
  for (int k = 0; k < rank; k++)
    {
      long long reach;
      if (array->extent[k] == 0)
        *size = 0;
      if (array->stride[k] < 0
          || __builtin_mul_overflow (array->stride[k], array->extent[k] - 1,
                                     &reach)
          || __builtin_add_overflow (*size, reach, size))
        return false;
    }
  *size = *size > 0 ? *size : 0;
  return true;
}

/* LOCAL: room for the array, filled with what no program may rely on.  */
static void
begin_local (tns_run *run, const tns_sym *sym)
{
  tns_storage *array = &run->array[sym->id];
  long long bytes_each = tns_elem_bytes (sym->type.elem);
  long long size;
  bool is_known = lay_out (run, sym, &size);
  size *= sym->type.lanes;
  if (sym->stride && is_known)
    is_known = strided_size (array, sym->rank, &size);
  if (!is_known || size > MOST_LOCAL_BYTES / bytes_each)
    tns_run_fault (run, TNS_EVAL_OUTSIDE);
  if (!array->base)
    array->base = tns_arena_get (run->arena, (size_t) (size * bytes_each));
  array->lo = 0;
  array->hi = size;
  if (!tns_elem_is_float (sym->type.elem))
    {
      memset (array->base, 0x5a, (size_t) (size * bytes_each));
      return;
    }
  tns_scalar_value nan
    = tns_value_of_real (sym->type.elem, __builtin_nanl (""));
  for (long long k = 0; k < size; k++)
    tns_value_write (sym->type.elem, array->base + k * bytes_each, nan);
}

/* The next number of the run's own sequence.  */
static unsigned long long
next_random (tns_run *run)
{
  run->random = run->random * 6364136223846793005ULL + 1442695040888963407ULL;
  return run->random >> 33;
}

/* The largest number that divides both.  */
static unsigned long long
common_divisor (unsigned long long a, unsigned long long b)
{
  while (b)
    {
      unsigned long long rest = a % b;
      a = b;
      b = rest;
    }
  return a;
}

/* The iterations of LOOP between LO and HI.  */
static unsigned long long
trip_count (const tns_node *loop, long long lo, long long hi)
{
  unsigned long long distance;
  unsigned long long step = (unsigned long long) loop->step;
  if (loop->step > 0 ? lo >= hi : lo <= hi)
    return 0;
  distance = loop->step > 0 ? (unsigned long long) hi - (unsigned long long) lo
                            : (unsigned long long) lo - (unsigned long long) hi;
  return (distance - 1) / (loop->step > 0 ? step : -step) + 1;
}

/* A way through a loop: the next iteration is number AT of N, the one
   after it PACE further, around the end.  */
typedef struct way
{
  long long lo;
  unsigned long long n;
  unsigned long long left;
  unsigned long long at;
  unsigned long long pace;
} way;

/* The way through LOOP, whose iterations are free or not.  */
static way
begin_loop (tns_run *run, const tns_node *loop, bool is_free)
{
  long long lo = tns_run_expr (run, loop->lo, 0).s;
  long long hi = tns_run_expr (run, loop->hi, 0).s;
  unsigned long long n = trip_count (loop, lo, hi);
  way w = { lo, n, n, 0, 1 };
  int order = is_free ? run->options->order : 0;
  if (order == 0 || n < 2 || n > 0xffffffffULL)
    return w;
  if (order == 1)
    {
      w.at = w.pace = n - 1;
      return w;
    }
  w.at = next_random (run) % n;
  w.pace = next_random (run) % n;
  while (common_divisor (w.pace, n) != 1)
    w.pace = (w.pace + 1) % n;
  return w;
}

/* Set LOOP's iterator to the next value; false when there is none.  */
static bool
next_iteration (tns_run *run, const tns_node *loop, way *w)
{
  if (!w->left)
    return false;
  spend (run);
  w->left--;
  unsigned long long distance = w->at * (unsigned long long) loop->step;
  run->value[loop->iter->id] = tns_value_of_int (
    TNS_I64, (long long) ((unsigned long long) w->lo + distance));
  w->at = (w->at + w->pace) % w->n;
  return true;
}

/* How many loops below LOOP belong to the same free space; COLLAPSED is
   this number for the loop itself.  */
static int
collapsed_below (const tns_node *loop, int collapsed)
{
  if (loop->marks.collapse > 1)
    return loop->marks.collapse - 1;
  return collapsed > 0 ? collapsed - 1 : 0;
}

static void execute (tns_run *run, const tns_node *node, int collapsed);

/* LOOP, whose iterations have owners: two shares of these, or all of them in
   order where free loops are.  */
static void
execute_owned (tns_run *run, const tns_node *loop)
{
  int shares = run->options->order == 0 ? 1 : 2;
  for (int share = shares - 1; share >= 0; share--)
    {
      way w = begin_loop (run, loop, false);
      while (next_iteration (run, loop, &w))
        if (tns_run_expr (run, loop->marks.owner, 0).s % shares == share)
          execute (run, loop->body, 0);
    }
}

/* NODE; COLLAPSED loops, this one included, belong to a free one around
   it.  */
static void
execute (tns_run *run, const tns_node *node, int collapsed)
{
  if (!node)
    return;
  run->node = node;
  switch (node->kind)
    {
    case TNS_BLOCK:
      for (int k = 0; k < node->n_kids; k++)
        execute (run, node->kid[k], collapsed);
      break;
    case TNS_LOOP:
      {
        const tns_marks *marks = &node->marks;
        bool is_free = marks->parallel || marks->simd > 1 || collapsed > 0;
        if (marks->owner)
          {
            execute_owned (run, node);
            break;
          }
        way w = begin_loop (run, node, is_free);
        while (next_iteration (run, node, &w))
          execute (run, node->body, collapsed_below (node, collapsed));
        break;
      }
    case TNS_ASSIGN:
      assign (run, node);
      break;
    case TNS_IF:
      {
        tns_scalar_value cond = tns_run_expr (run, node->cond, 0);
        execute (run, tns_value_is_true (cond) ? node->then : node->otherwise,
                 0);
        break;
      }
    case TNS_LOCAL:
      begin_local (run, node->sym);
      break;
    case TNS_PREFETCH:
      tns_run_expr (run, node->target, 0);
      break;
    }
}

/* Put what the compiler knows of SYM where A stands, a place of the run's
   own.  */
static void
hold (tns_run *run, const tns_sym *sym, tns_storage *a)
{
  int bytes = tns_elem_bytes (sym->type.elem);
  a->base = tns_arena_get (run->arena, (size_t) (sym->n_held * bytes));
  a->lo = 0;
  a->hi = sym->n_held;
  for (int k = 0; k < sym->n_held; k++)
    tns_value_write (sym->type.elem, a->base + k * bytes,
                     tns_value_of_number (sym->held[k]));
}

/* A run of REGION on ARGUMENT; nothing is evaluated yet.  */
static void
start (tns_run *run, const tns_region *region, const tns_argument *argument)
{
  run->region = region;
  run->value = TNS_NEW_ARRAY (run->arena, tns_scalar_value, region->n_syms + 1);
  run->array = TNS_NEW_ARRAY (run->arena, tns_storage, region->n_syms + 1);
  for (int k = 0; k < region->n_params; k++)
    {
      const tns_sym *sym = region->params[k];
      if (sym->kind == TNS_SYM_VALUE)
        {
          run->value[sym->id] = argument[k].value;
          continue;
        }
      tns_storage *array = &run->array[sym->id];
      array->base = argument[k].base;
      array->lo = argument[k].lo;
      array->hi = argument[k].hi;
      if (sym->n_held)
        hold (run, sym, array);
    }
}

/* Lay the parameter arrays out.  */
static void
lay_out_params (tns_run *run)
{
  const tns_region *region = run->region;
  for (int k = 0; k < region->n_params; k++)
    {
      long long size;
      if (region->params[k]->kind == TNS_SYM_ARRAY)
        (void) lay_out (run, region->params[k], &size);
    }
}

/* Execute what comes before the region's guards, if anything does.  */
static void
execute_before (tns_run *run)
{
  if (!run->region->before)
    return;
  run->silent = 1;
  lay_out_params (run);
  run->silent = 0;
  execute (run, run->region->before, 0);
}

/* The guards of the region hold that name cells (do not, without CELLS).  */
static bool
guards_hold (tns_run *run, bool cells)
{
  const tns_region *region = run->region;
  for (int k = 0; run->options->check_guards && k < region->n_guard; k++)
    if (tns_expr_loads (region->guard[k]) == cells
        && !tns_value_is_true (tns_run_expr (run, region->guard[k], 0)))
      return false;
  return true;
}

/* Lay the parameter arrays out, check what must hold, and execute.  */
static void
execute_region (tns_run *run)
{
  const tns_region *region = run->region;
  run->silent = 1;
  run->status = TNS_EVAL_GUARD;
  if (!guards_hold (run, false))
    return;
  run->status = TNS_EVAL_OK;
  execute_before (run);
  run->silent = 1;
  run->status = TNS_EVAL_GUARD;
  for (int k = 0; run->options->check_guards && k < region->n_assume; k++)
    if (!tns_value_is_true (tns_run_expr (run, region->assume[k], 0)))
      return;
  if (!guards_hold (run, true))
    return;
  run->status = TNS_EVAL_OK;
  lay_out_params (run);
  run->silent = 0;
  execute (run, region->body, 0);
}

tns_eval_status
tns_region_eval (tns_region *region, tns_argument *argument,
                 const tns_eval_options *options, tns_counts *counts,
                 const tns_node **where)
{
  static const tns_eval_options plain;
  tns_arena *arena = tns_arena_new (tns_allocator_malloc ());
  tns_run *run = TNS_NEW (arena, tns_run);
  run->arena = arena;
  run->options = options ? options : &plain;
  run->budget = run->options->max_steps;
  run->random = run->options->seed;
  start (run, region, argument);
  if (!setjmp (run->out))
    execute_region (run);
  tns_eval_status status = run->status;
  if (counts)
    *counts = run->counts;
  if (where)
    *where = status == TNS_EVAL_OK ? NULL : run->node;
  tns_arena_free (arena);
  return status;
}

/* EXPR reads a cell or an array.  */
static bool
reads_memory (const tns_expr *expr)
{
  bool reads = tns_expr_reads (expr);
  for (int k = 0; k < expr->n_args && !reads; k++)
    reads = reads_memory (expr->arg[k]);
  return reads;
}

tns_scalar_value
tns_expr_eval (const tns_region *region, const tns_expr *expr,
               const tns_argument *argument)
{
  static const tns_eval_options plain;
  tns_arena *arena = tns_arena_new (tns_allocator_malloc ());
  tns_run *run = TNS_NEW (arena, tns_run);
  run->arena = arena;
  run->options = &plain;
  start (run, region, argument);
  tns_scalar_value value = tns_value_of_int (TNS_I64, 0);
  if (!setjmp (run->out))
    {
      if (reads_memory (expr))
        execute_before (run);
      value = tns_run_expr (run, expr, 0);
    }
  tns_arena_free (arena);
  return value;
}
