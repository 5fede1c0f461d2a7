/* The weigher: formulas over a tree, as schedule/weigh.h says.

   extent      of each iterator: its bounds in numbers, the iterators around
               it in the middle of their ranges (half of a triangle)
   trip        of a DIM of tiles: extent / size; of its points: size
   lanes       as marked; scalar where that is faster, which is what the code
               generator finds too
   copies      of a body: marks.unroll, the accumulators of a sum, or skewed
               rows, which wait for what they carry together; an access
               is made once for all copies along a DIM that does not move it
   footprint   of an array in a node: the product of the trips of the DIMs
               that move an access, in lines where none moves it by one element
   traffic     beyond a cache that holds C bytes: the footprint of what fits;
               else that of the body times the trips, but for arrays that stay

   overlap     what an inner loop carries waits less where the processor has
               the next executions of that loop in its window already
   interchange GCC's, of a perfect nest: the innermost DIM is the one along
               which least is far apart

   Does not do: conflicts of sets, TLB, prefetchers, conditions.  */

#include "schedule/weigh.h"

#include "ir/walk.h"
#include "schedule/step.h"
#include "schedule/weigh-scale.h"

#define MATH_SCALAR 20
#define LOOP_CYCLES 6
#define STORE_LOAD  5
#define QUICK_CHAIN 2
#define MOST_CHAINS 4

/* The work of a body.  */
typedef struct work
{
  double arithmetic;
  double loads;
  double stores;
  double slow;
  double latency;
} work;

/* What an expression does, by kind.  */
typedef struct kinds
{
  double adds;
  double muls;
  double divisions;
  double functions;
} kinds;

/* The visitor of an expression's operators; subscripts are free.  */
static bool
add_kind (tns_expr *expr, void *self)
{
  kinds *k = self;
  char class = tns_op_class (expr->op);
  if (expr->op == TNS_DIV || expr->op == TNS_REM || expr->op == TNS_SQRT)
    k->divisions++;
  else if (expr->op == TNS_FUSED)
    k->muls++, k->adds++;
  else if (tns_op_is_function (expr->op))
    k->functions++;
  else if (expr->op == TNS_MUL)
    k->muls++;
  else if (class == 'A' || class == 'M' || class == 'C'
           || expr->op == TNS_SELECT)
    k->adds++;
  return !tns_expr_reads (expr);
}

/* The visitor of a statement's nodes.  */
static bool
add_kinds (tns_node *node, void *self)
{
  kinds *k = self;
  tns_expr_walk (node->value, add_kind, k);
  tns_expr_walk (node->cond, add_kind, k);
  k->adds += node->kind == TNS_ASSIGN && node->update != TNS_NONE;
  return true;
}

/* Add the arithmetic of statement S on LANES lanes, COPIES times.  */
static void
add_arithmetic (const tns_scale *w, int s, double lanes, double copies,
                work *sum)
{
  kinds k = { 0, 0, 0, 0 };
  tns_node_walk (w->scop->stmt[s].node, add_kinds, &k);
  double fused = w->machine->fma ? (k.adds < k.muls ? k.adds : k.muls) : 0;
  double divide = w->machine->divide_cycles;
  double call = w->machine->exp_cycles;
  sum->arithmetic += copies * (k.adds + k.muls - fused);
  sum->slow += copies * k.divisions * (lanes > 1 ? divide : 4);
  sum->slow += copies * k.functions * (lanes > 1 ? call : MATH_SCALAR);
}

/* The body of DIM[0..N), the innermost last.

   loop    the DIM of the loop whose body it is: those below are copies
   lane    the DIM of the lanes, of which there are lanes
   copies  of the body along each DIM; all: of them together
   in      its statements  */
typedef struct body
{
  int n;
  tns_members in;
  tns_tree *dim[2 * TNS_MAX_DEPTH];
  double trip[2 * TNS_MAX_DEPTH];
  double copies[2 * TNS_MAX_DEPTH];
  int loop;
  int lane;
  double lanes;
  double all;
} body;

/* The bytes of the widest element that the statements IN touch.  */
static double
widest (const tns_scale *w, const tns_members *in)
{
  int most = 1;
  for (int k = 0; k < in->n; k++)
    for (int a = 0; a < w->scop->stmt[in->stmt[k]].n_accesses; a++)
      {
        int array = w->scop->stmt[in->stmt[k]].access[a].array;
        int bytes = tns_elem_bytes (w->scop->array[array].sym->type.elem);
        most = bytes > most ? bytes : most;
      }
  return most;
}

/* The lanes that GCC gives the innermost loop DIM: none where iterations
   follow each other, where accesses are strided or chosen, or the loop is
   short.  */
static double
written_lanes (const tns_scale *w, const tns_tree *dim, double trip)
{
  double bytes = w->machine->vector_bytes > 32 ? 32 : w->machine->vector_bytes;
  tns_members in = tns_scale_members (w, dim);
  double lanes = bytes / widest (w, &in);
  int near = 0;
  int far = 0;
  bool chooses = false;
  for (int k = 0; k < in.n; k++)
    for (int a = 0; a < w->scop->stmt[in.stmt[k]].n_accesses; a++)
      {
        const tns_stmt *stmt = &w->scop->stmt[in.stmt[k]];
        tns_stride stride
          = tns_scale_stride (w, dim, in.stmt[k], &stmt->access[a]);
        near += stride == TNS_STRIDE_UNIT;
        far += stride > TNS_STRIDE_UNIT;
        chooses |= tns_access_chooses (w->scop, stmt, &stmt->access[a], dim);
      }
  bool may
    = !chooses && dim->role != TNS_ROLE_ORDERED && far <= near && trip >= lanes;
  return may ? lanes : 1;
}

/* The body of the innermost DIM of PATH[0..N) above statement S; IN_LANES as
   marked, or by GCC.  */
static body
body_of (const tns_scale *w, int s, int n, tns_tree **path, bool in_lanes)
{
  body b = { .n = n, .loop = n - 1, .lane = n - 1, .lanes = 1, .all = 1 };
  b.in = tns_scale_members (w, path[n - 1]);
  tns_scale_trips (w, s, n, path, b.trip);
  for (int d = 0; d < n && !w->as_written; d++)
    if (path[d]->marks.simd > 1)
      b.lane = d;
  if (w->as_written && in_lanes)
    b.lanes = written_lanes (w, path[n - 1], b.trip[n - 1]);
  else if (path[b.lane]->marks.simd > 1 && in_lanes)
    b.lanes = path[b.lane]->marks.simd;
  for (int d = 0; d < n; d++)
    {
      const tns_marks *m = &path[d]->marks;
      double most = d == b.lane ? b.trip[d] / b.lanes : b.trip[d];
      double asked = m->unroll > m->accumulators ? m->unroll : m->accumulators;
      asked = m->rows > asked ? m->rows : asked;
      b.dim[d] = path[d];
      b.copies[d] = w->as_written || asked < 1 ? 1 : asked;
      if (b.copies[d] > most)
        b.copies[d] = most < 1 ? 1 : most;
      b.all *= b.copies[d];
    }
  while (b.loop > 0 && b.copies[b.loop] > 1
         && b.copies[b.loop] * (b.loop == b.lane ? b.lanes : 1)
              >= b.trip[b.loop] - 0.5)
    b.loop--;
  return b;
}

/* The copies of B that ACCESS of statement S needs; 0 when it does not move
   with the loop and stays in registers.  */
static double
access_copies (const tns_scale *w, const body *b, int s,
               const tns_access *access)
{
  double n = 1;
  if (tns_scale_stride (w, b->dim[b->loop], s, access) == TNS_STRIDE_FIXED)
    return 0;
  for (int d = 0; d < b->n; d++)
    if (tns_scale_stride (w, b->dim[d], s, access) != TNS_STRIDE_FIXED)
      n *= b->copies[d];
  return n;
}

/* An earlier access of statement S, or of one before it in the body, is the
   same.  */
static bool
was_met (const tns_scale *w, const tns_members *in, int s, int a)
{
  const tns_access *access = &w->scop->stmt[s].access[a];
  for (int j = 0; j < in->n; j++)
    for (int k = 0, t = in->stmt[j];
         t <= s && k < w->scop->stmt[t].n_accesses && (t < s || k < a); k++)
      {
        const tns_access *old = &w->scop->stmt[t].access[k];
        if (old->array == access->array && old->expr && access->expr
            && (!access->write || old->write)
            && tns_expr_equal (old->expr, access->expr))
          return true;
      }
  return false;
}

/* Add the accesses of statement S in B.  */
static void
add_accesses (const tns_scale *w, const body *b, int s, work *sum)
{
  for (int a = 0; a < w->scop->stmt[s].n_accesses; a++)
    {
      const tns_access *access = &w->scop->stmt[s].access[a];
      if (tns_scale_in_registers (w, access->array)
          || was_met (w, &b->in, s, a))
        continue;
      double n = access_copies (w, b, s, access);
      tns_stride stride = tns_scale_stride (w, b->dim[b->lane], s, access);
      if (b->lanes > 1 && stride > TNS_STRIDE_UNIT)
        n *= stride == TNS_STRIDE_SHORT ? 2 : b->lanes;
      sum->loads += access->write ? 0 : n;
      sum->stores += access->write ? n : 0;
      if (b->lanes > 1 && stride > TNS_STRIDE_UNIT)
        sum->arithmetic += n;
    }
}

/* The latency that one execution of B's body waits for, with statement S.  */
static double
latency_of (const tns_scale *w, const body *b, int s)
{
  const tns_tree *loop = b->dim[b->loop];
  const tns_access *target = tns_update_target (&w->scop->stmt[s]);
  double chain = w->machine->fma_latency;
  if (loop->role == TNS_ROLE_FREE
      || (loop->role == TNS_ROLE_ORDERED && !loop->waits))
    return 0;
  if (!target && tns_stmt_is_quick (&w->scop->stmt[s]))
    return loop->role == TNS_ROLE_ORDERED ? QUICK_CHAIN : 0;
  if (!target)
    return loop->role == TNS_ROLE_ORDERED ? 2 * chain + STORE_LOAD : 0;
  bool in_memory = tns_scale_stride (w, loop, s, target) != TNS_STRIDE_FIXED;
  if (loop->role == TNS_ROLE_ORDERED || in_memory)
    return in_memory && loop->role != TNS_ROLE_ORDERED ? 0 : chain + STORE_LOAD;
  return chain;
}

/* The work of the statements in B.  */
static work
work_of (const tns_scale *w, const body *b)
{
  work sum = { 0, 0, 0, 0, 0 };
  for (int k = 0; k < b->in.n; k++)
    {
      int s = b->in.stmt[k];
      double wait = latency_of (w, b, s);
      add_arithmetic (w, s, b->lanes, b->all, &sum);
      add_accesses (w, b, s, &sum);
      sum.latency = wait > sum.latency ? wait : sum.latency;
    }
  return sum;
}

/* Cycles of one execution of B's body, of TIMES in a row.  */
static double
body_cycles (const tns_scale *w, const work *sum, double times)
{
  const tns_machine *m = w->machine;
  double made = sum->arithmetic + sum->loads + sum->stores + 2;
  double chains = m->window / (made * times);
  chains = chains > MOST_CHAINS ? MOST_CHAINS : chains < 1 ? 1 : chains;
  double cycles = sum->arithmetic / m->fma_per_cycle;
  double other[]
    = { sum->loads / m->load_per_cycle, sum->stores / m->store_per_cycle,
        sum->slow, sum->latency / chains };
  for (int k = 0; k < 4; k++)
    cycles = other[k] > cycles ? other[k] : cycles;
  return cycles + 0.5;
}

/* Cycles of all executions of B's loop.  */
static double
loop_cycles (const tns_scale *w, const body *b)
{
  work sum = work_of (w, b);
  double times = 1;
  double entries = 1;
  for (int d = 0; d < b->n; d++)
    {
      double done = b->copies[d] * (d == b->lane ? b->lanes : 1);
      times *= b->trip[d] / done > 1 ? b->trip[d] / done : 1;
      entries *= d < b->loop ? b->trip[d] / b->copies[d] : 1;
    }
  return times * body_cycles (w, &sum, times / entries) + entries * LOOP_CYCLES;
}

/* Cycles of the loops below TREE, without memory.  */
static double
compute_cycles (const tns_scale *w, tns_tree *tree)
{
  double sum = 0;
  if (tree->kind == TNS_TREE_DIM && tns_tree_depth (tree->body) > 0)
    return compute_cycles (w, tree->body);
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids; k++)
    sum += compute_cycles (w, tree->kid[k]);
  if (tree->kind == TNS_TREE_SEQ)
    return sum;
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int first = tns_tree_first_stmt (tree);
  int n = tns_tree_path (w->root, first, path);
  if (n == 0)
    return LOOP_CYCLES;
  body lanes = body_of (w, first, n, path, true);
  body plain = body_of (w, first, n, path, false);
  double in_lanes = loop_cycles (w, &lanes);
  double without = loop_cycles (w, &plain);
  return in_lanes < without ? in_lanes : without;
}

/* Cycles of TREE, below no DIM.  */
static double
cycles_of (const tns_scale *w, tns_tree *tree)
{
  double sum = 0;
  for (int k = 0; tree->kind == TNS_TREE_SEQ && k < tree->n_kids; k++)
    sum += cycles_of (w, tree->kid[k]);
  if (tree->kind == TNS_TREE_SEQ)
    return sum;
  double compute = compute_cycles (w, tree);
  double memory = tns_scale_memory_cycles (w, tree);
  return compute > memory ? compute : memory;
}

/* The accesses below DIM that move far with it.  */
static int
count_far (const tns_scale *w, const tns_tree *dim)
{
  int far = 0;
  tns_members in = tns_scale_members (w, dim);
  for (int k = 0; k < in.n; k++)
    for (int a = 0; a < w->scop->stmt[in.stmt[k]].n_accesses; a++)
      {
        const tns_access *access = &w->scop->stmt[in.stmt[k]].access[a];
        far
          += !tns_scale_in_registers (w, access->array)
             && tns_scale_stride (w, dim, in.stmt[k], access) == TNS_STRIDE_FAR;
      }
  return far;
}

/* TREE with the perfect nest above statement S as GCC exchanges it.  */
static tns_tree *
interchanged (const tns_scale *w, tns_tree *tree, int s)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  const char *name[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (tree, s, path);
  int first = n - 1;
  int best = n - 1;
  while (first > 0 && path[first - 1]->body == path[first])
    first--;
  for (int d = n - 1; d >= first && n > 0; d--)
    {
      if (path[d]->role == TNS_ROLE_ORDERED)
        return tree;
      if (count_far (w, path[d]) < count_far (w, path[best]))
        best = d;
    }
  if (n == 0 || best == n - 1)
    return tree;
  int k = 0;
  for (int d = first; d < n; d++)
    if (d != best)
      name[k++] = path[d]->name;
  name[k++] = path[best]->name;
  tns_tree *made = tns_step_order (w->arena, tree, s, k, name);
  return made ? made : tree;
}

double
tns_weigh (tns_ctx *ctx, const tns_scop *scop, const tns_machine *machine,
           tns_tree *tree, bool as_written)
{
  tns_scale w = tns_scale_of (ctx, scop, machine, tree, as_written);
  for (int s = 0; s < scop->n_stmts && as_written; s++)
    w.root = interchanged (&w, w.root, s);
  tns_scale_homes (&w);
  return cycles_of (&w, w.root) / machine->ghz;
}
