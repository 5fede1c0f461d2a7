/* Sweeps with halos, as lowering/grid-halo.h says.  */

#include "lowering/grid-halo.h"

#include <string.h>

#include "ir/affine.h"
#include "ir/walk.h"
#include "lowering/grid.h"
#include "lowering/grid-matrix.h"

#define MOST_BYTES  32768
#define LEAST_ALONG 16
#define LEAST_LINES 8
#define WARP        32

/* Iterations of a tile of two dimensions, and of three.  */
static const int sides[][TNS_HALO_DIMS] = { { 32, 32, 1 }, { 8, 8, 32 } };

/* A look at what a body reads.

   sym    the array that is looked at
   suits  nothing rules a sweep out  */
typedef struct look
{
  tns_arena *arena;
  tns_halo *halo;
  const tns_sym *sym;
  bool suits;
} look;

/* The iterator of dimension D of HALO.  */
static const tns_sym *
iter_of (const tns_halo *halo, int d)
{
  return halo->loop[halo->n - halo->dims + d]->iter;
}

/* The visitor that finds what is in memory.  */
static bool
note_memory (tns_expr *expr, void *self)
{
  bool *found = self;
  *found |= tns_expr_reads (expr);
  return !*found;
}

/* The visitor: what is read of the array under a condition is read in any case
   elsewhere.  */
static bool
note_load (tns_expr *expr, void *self)
{
  look *l = self;
  if (tns_expr_reads (expr) && expr->sym == l->sym)
    l->suits &= tns_halo_shift (l->halo, expr) >= 0;
  return l->suits;
}

/* The visitor of statements: there are no loops, an iteration has nothing of
   its own but cells, and the array is not written.  */
static bool
note_statement (tns_node *node, void *self)
{
  look *l = self;
  if (node->kind == TNS_LOOP || (node->kind == TNS_LOCAL && node->sym->rank)
      || (node->kind == TNS_ASSIGN && node->target->sym == l->sym))
    l->suits = false;
  tns_node_exprs (node, note_load, l);
  return l->suits;
}

/* Note LOAD, of the array, which is read in any case.  */
static void
note_early (look *l, tns_expr *load)
{
  tns_halo *halo = l->halo;
  bool found = load->op != TNS_LOAD || halo->n_shifts == TNS_MOST_SHIFTS;
  for (int k = 0; k < load->n_args; k++)
    tns_expr_walk (load->arg[k], note_memory, &found);
  l->suits &= !found;
  if (l->suits && tns_halo_shift (halo, load) < 0)
    halo->load[halo->n_shifts++] = load;
}

/* The visitor of what is computed in any case.  */
static bool
note_value (tns_expr *expr, void *self)
{
  look *l = self;
  if (expr->op == TNS_SELECT || expr->op == TNS_LAND || expr->op == TNS_LOR)
    {
      tns_expr_walk (expr->arg[0], note_value, l);
      return false;
    }
  if (tns_expr_reads (expr) && expr->sym == l->sym)
    note_early (l, expr);
  return true;
}

/* Note what NODE reads in any case.  */
static void
note_reads (look *l, tns_node *node)
{
  for (int k = 0; node->kind == TNS_BLOCK && k < node->n_kids; k++)
    note_reads (l, node->kid[k]);
  if (node->kind == TNS_ASSIGN && !node->mask)
    tns_expr_walk (node->value, note_value, l);
  if (node->kind == TNS_IF)
    tns_expr_walk (node->cond, note_value, l);
}

/* What subscript K of the array grows by with dimension D.  */
static tns_sum
step_of (const look *l, int k, int d)
{
  return tns_subscript_step (l->arena, l->halo->load[0]->arg[k],
                             iter_of (l->halo, d));
}

/* Each dimension moves one subscript of the array, by the same all over; the
   last one by one element.  */
static bool
steps_suit (const look *l)
{
  const tns_halo *halo = l->halo;
  const tns_expr *load = halo->load[0];
  for (int d = 0; d < halo->dims; d++)
    {
      int moved = 0;
      for (int k = 0; k < load->n_args; k++)
        {
          tns_sum step = step_of (l, k, d);
          tns_expr *by = tns_sum_expr (l->arena, step);
          if (step.n < 0 || step.n > 1)
            return false;
          for (int e = 0; e < halo->dims; e++)
            if (tns_expr_mentions (by, iter_of (halo, e)))
              return false;
          moved += step.n;
        }
      if (moved != 1)
        return false;
    }
  long long one = 0;
  return tns_sum_is_int (step_of (l, load->n_args - 1, halo->dims - 1), &one)
         && one == 1 && tns_sym_is_dense (load->sym);
}

/* Add to SHIFT what TERM, of subscript K, is in steps of a dimension.  */
static bool
add_term (const look *l, const tns_term *term, int k, tns_shift *shift)
{
  for (int d = 0; d < l->halo->dims; d++)
    {
      tns_sum step = step_of (l, k, d);
      tns_term times;
      if (step.n == 1 && step.term[0].n_atoms > 0
          && tns_term_divide (l->arena, term, &step.term[0], &times)
          && times.n_atoms == 0)
        {
          shift->by[d] += times.factor;
          return true;
        }
    }
  return false;
}

/* Add to SHIFT what CONSTANT elements of subscript K are in constant steps, the
   longest first; none is left.  */
static bool
add_constant (const look *l, long long constant, int k, tns_shift *shift)
{
  for (int d = 0; d < l->halo->dims; d++)
    {
      long long step = 0;
      if (!tns_sum_is_int (step_of (l, k, d), &step) || step <= 0)
        continue;
      long long half = constant < 0 ? -(step / 2) : step / 2;
      long long times = (constant + half) / step;
      shift->by[d] += times;
      constant -= times * step;
    }
  return constant == 0;
}

/* Find where load N of the array is from the first.  */
static bool
find_shift (look *l, int n)
{
  tns_halo *halo = l->halo;
  tns_shift *shift = &halo->shift[n];
  *shift = (tns_shift){ { 0 } };
  for (int k = 0; k < halo->load[n]->n_args; k++)
    {
      tns_sum more = tns_sum_add (
        l->arena, tns_sum_of (l->arena, halo->load[n]->arg[k]),
        tns_sum_scale (l->arena, tns_sum_of (l->arena, halo->load[0]->arg[k]),
                       -1));
      long long constant = 0;
      if (more.n < 0)
        return false;
      for (int t = 0; t < more.n; t++)
        if (more.term[t].n_atoms == 0)
          constant = more.term[t].factor;
        else if (!add_term (l, &more.term[t], k, shift))
          return false;
      if (!add_constant (l, constant, k, shift))
        return false;
    }
  return true;
}

/* HALO reads the element at SHIFT.  */
static bool
has_shift (const tns_halo *halo, const tns_shift *shift)
{
  bool found = false;
  for (int k = 0; k < halo->n_shifts; k++)
    found |= !memcmp (&halo->shift[k], shift, sizeof *shift);
  return found;
}

/* SHIFT is in BOX.  */
static bool
is_in (const tns_halo *halo, const tns_shift_box *box, const tns_shift *shift)
{
  bool in = true;
  for (int d = 0; d < halo->dims; d++)
    in &= shift->by[d] >= box->lo.by[d] && shift->by[d] <= box->hi.by[d];
  return in;
}

/* How many shifts BOX has.  */
static long long
size_of (const tns_halo *halo, const tns_shift_box *box)
{
  long long size = 1;
  for (int d = 0; d < halo->dims; d++)
    size *= box->hi.by[d] - box->lo.by[d] + 1;
  return size;
}

/* HALO reads all of BOX.  */
static bool
has_box (const tns_halo *halo, const tns_shift_box *box)
{
  long long n = 0;
  for (int k = 0; k < halo->n_shifts; k++)
    n += is_in (halo, box, &halo->shift[k]);
  return n == size_of (halo, box);
}

/* A box around SHIFT, that grows as far as HALO reads all of it, in one
   dimension after the other: the last one first, or BACKWARDS.  */
static tns_shift_box
grow (const tns_halo *halo, const tns_shift *shift, bool backwards)
{
  tns_shift_box box = { *shift, *shift };
  for (int k = 0; k < halo->dims; k++)
    {
      int d = backwards ? k : halo->dims - 1 - k;
      for (int up = 0; up < 2; up++)
        for (;;)
          {
            tns_shift_box more = box;
            more.hi.by[d] += up;
            more.lo.by[d] -= !up;
            if (!has_box (halo, &more))
              break;
            box = more;
          }
    }
  return box;
}

/* Cover HALO's shifts by few boxes.  False where that takes too many.  */
static bool
find_boxes (tns_halo *halo)
{
  for (int k = 0; k < halo->n_shifts; k++)
    {
      const tns_shift *shift = &halo->shift[k];
      bool covered = false;
      for (int b = 0; b < halo->n_boxes; b++)
        covered |= is_in (halo, &halo->box[b], shift);
      if (covered)
        continue;
      if (halo->n_boxes == TNS_MOST_BOXES)
        return false;
      tns_shift_box one = grow (halo, shift, false);
      tns_shift_box other = grow (halo, shift, true);
      halo->box[halo->n_boxes++]
        = size_of (halo, &one) < size_of (halo, &other) ? other : one;
    }
  return true;
}

/* Find the box around all of HALO's shifts.  False where no tile has it.  */
static bool
find_around (tns_halo *halo)
{
  bool fits = true;
  halo->around = (tns_shift_box){ halo->shift[0], halo->shift[0] };
  for (int k = 1; k < halo->n_shifts; k++)
    for (int d = 0; d < halo->dims; d++)
      {
        long long by = halo->shift[k].by[d];
        if (by < halo->around.lo.by[d])
          halo->around.lo.by[d] = by;
        if (by > halo->around.hi.by[d])
          halo->around.hi.by[d] = by;
        fits &= by > -MOST_BYTES && by < MOST_BYTES;
      }
  return fits && halo->around.hi.by[0] > halo->around.lo.by[0];
}

/* What a thread reads of the tile for each iteration of its lines: an element
   that several of these need is read once.  */
static double
reads_of (const tns_halo *halo)
{
  int line = halo->dims - 2;
  int n = 0;
  for (int v = 0; v < TNS_HALO_LINES; v++)
    for (int k = 0; k < halo->n_shifts; k++)
      {
        bool again = false;
        for (int u = 1; u <= v; u++)
          {
            tns_shift before = halo->shift[k];
            before.by[line] += u;
            again |= has_shift (halo, &before);
          }
        n += !again;
      }
  return (double) n / TNS_HALO_LINES;
}

/* What HALO's tile takes on MACHINE, in loads of a warp for each of its
   iterations, is less than what its shifts take one by one.  */
static bool
pays_on (const tns_halo *halo, const tns_machine *machine)
{
  double elements = 1, iterations = 1;
  for (int d = 0; d < halo->dims; d++)
    {
      elements *= tns_halo_side (halo, d);
      iterations *= halo->side[d];
    }
  if (elements * tns_elem_bytes (halo->load[0]->type.elem) > MOST_BYTES)
    return false;
  double load = 1 / machine->load_per_cycle;
  double fill = elements / iterations * (load + 1 / machine->store_per_cycle);
  double wait = machine->barrier_cycles / (iterations / WARP);
  return halo->reads * load + fill + wait < halo->n_shifts * load;
}

/* Fill L's halo with what is read of its array, in DIMS dimensions.  */
static bool
find_sweep (look *l, int dims, const tns_machine *machine)
{
  tns_halo *halo = l->halo;
  tns_node *body = halo->loop[halo->n - 1]->body;
  halo->dims = dims;
  halo->n_shifts = halo->n_boxes = 0;
  l->suits = true;
  memcpy (halo->side, sides[dims - 2], sizeof halo->side);
  note_reads (l, body);
  tns_node_walk (body, note_statement, l);
  if (!l->suits || halo->n_shifts < 2 || !steps_suit (l))
    return false;
  for (int k = 0; k < halo->n_shifts; k++)
    if (!find_shift (l, k))
      return false;
  if (!find_around (halo))
    return false;
  halo->reads = reads_of (halo);
  return find_boxes (halo) && pays_on (halo, machine);
}

/* Arrays of floats that are read.  */
typedef struct arrays
{
  int n;
  const tns_sym *sym[TNS_MOST_HALO_LOOPS];
} arrays;

/* The visitor that finds them.  */
static bool
note_array (tns_expr *expr, void *self)
{
  arrays *a = self;
  bool found = !tns_expr_reads (expr) || expr->n_args == 0
               || (expr->type.elem != TNS_F32 && expr->type.elem != TNS_F64);
  for (int k = 0; k < a->n; k++)
    found |= a->sym[k] == expr->sym;
  if (!found && a->n < TNS_MOST_HALO_LOOPS)
    a->sym[a->n++] = expr->sym;
  return true;
}

/* The visitor of statements that does.  */
static bool
note_arrays (tns_node *node, void *self)
{
  tns_node_exprs (node, note_array, self);
  return true;
}

bool
tns_halo_find (tns_arena *arena, tns_node *loop, const tns_machine *machine,
               tns_halo *halo)
{
  tns_halo found = { .n = tns_grid_loops (loop) };
  arrays a = { 0 };
  *halo = (tns_halo){ .n = 0 };
  if (found.n < 2 || found.n > TNS_MOST_HALO_LOOPS)
    return false;
  found.loop[0] = loop;
  for (int k = 1; k < found.n; k++)
    found.loop[k] = tns_grid_inner (found.loop[k - 1]);
  tns_node_walk (found.loop[found.n - 1]->body, note_arrays, &a);
  for (int k = 0; k < a.n; k++)
    for (int dims = found.n > 2 ? 3 : 2; dims > 1; dims--)
      {
        look l = { .arena = arena, .halo = &found, .sym = a.sym[k] };
        bool steps = true;
        for (int d = 1; d <= dims; d++)
          steps &= found.loop[found.n - d]->step == 1;
        if (steps && find_sweep (&l, dims, machine)
            && found.n_shifts > halo->n_shifts)
          *halo = found;
      }
  return halo->n > 0;
}

int
tns_halo_side (const tns_halo *halo, int d)
{
  return halo->side[d] + (int) (halo->around.hi.by[d] - halo->around.lo.by[d]);
}

int
tns_halo_shift (const tns_halo *halo, const tns_expr *load)
{
  for (int k = 0; k < halo->n_shifts; k++)
    if (tns_expr_equal (halo->load[k], load))
      return k;
  return -1;
}

/* How often dimension D of HALO runs.  */
static tns_expr *
trip_of (tns_arena *arena, const tns_halo *halo, int d)
{
  return tns_grid_trip (arena, halo->loop[halo->n - halo->dims + d]);
}

tns_expr *
tns_halo_pays (tns_arena *arena, const tns_halo *halo)
{
  tns_expr *pays = NULL;
  for (int d = 0; d < halo->dims; d++)
    {
      int least = d == halo->dims - 1 ? LEAST_ALONG : LEAST_LINES;
      tns_expr *enough = tns_binary (arena, TNS_GE, trip_of (arena, halo, d),
                                     tns_int (arena, least));
      pays = pays ? tns_binary (arena, TNS_LAND, pays, enough) : enough;
    }
  return pays;
}

tns_expr *
tns_halo_blocks (tns_arena *arena, const tns_halo *halo)
{
  tns_expr *blocks = tns_int (arena, 1);
  for (int k = 0; k < halo->n; k++)
    {
      int d = k - (halo->n - halo->dims);
      tns_expr *n = tns_grid_trip (arena, halo->loop[k]);
      if (d >= 0)
        n = tns_ceil_div (arena, n, tns_int (arena, halo->side[d]));
      blocks = tns_binary (arena, TNS_MUL, blocks, n);
    }
  return blocks;
}
