/* Vectors that begin where cache lines begin.

     for i = lo to hi simd(16) align(y)
       y[i] = f (x[i])

   becomes, where a vector is as long as a line,

     local i64 first;  first = lo;
     if (hi - lo >= 32*16) {
       first = lo + (the elements from y[lo] to the next line's begin);
       for i = lo to first step 16           at most once
         where (i + lane < first) y[i]:16 = f (x[i]:16)
     }
     for i = first to hi ...                 the parts as ever (vectors.c)

   A vector that does not begin a line lies in two, and takes two accesses:
   malloc's memory begins 16 bytes behind a line, and each vector of a loop over
   it would.  Only one array's vectors can be put right, the one that is stored
   to, since a store in two parts costs more than a load.

   Each element is computed as it would be elsewhere, so the bits do not depend
   on where the array lies.  That is why loops with sums, whose terms would come
   to other lanes, keep their begin.

   Not done: in rows that are stored from their ends (lowering/put-off.h), in
   short loops, in loops around others.  */

#include "ir/stride.h"
#include "ir/walk.h"
#include "lowering/lanes.h"
#include "schedule/machine.h"

/* The store to SYM that moves by one element with ITER, or NULL.  */
typedef struct search
{
  tns_arena *arena;
  const tns_sym *sym;
  const tns_sym *iter;
  tns_expr *store;
} search;

/* Note NODE's target when it is that.  */
static bool
note_store (tns_node *node, void *self)
{
  search *s = self;
  long long distance = 0;
  if (node->kind == TNS_ASSIGN && node->target->sym == s->sym
      && tns_access_distance (s->arena, node->target, s->iter, &distance)
      && distance == 1)
    s->store = node->target;
  return !s->store;
}

/* The element that LANES' loop shall store first in a line, by its iterator;
   NULL when there is none.  */
static tns_expr *
aligned_store (const tns_lanes *lanes)
{
  search s = { lanes->arena, lanes->loop->marks.align, lanes->iter, NULL };
  if (s.sym)
    tns_node_walk (lanes->loop->body, note_store, &s);
  return s.store;
}

bool
tns_lanes_may_align (const tns_lanes *lanes, long long most)
{
  const tns_machine *machine = lanes->ctx->machine;
  const tns_node *loop = lanes->loop;
  tns_expr *store = aligned_store (lanes);
  return store && machine->masks && machine->vector_bytes == machine->line_bytes
         && lanes->lanes * tns_elem_bytes (store->type.elem)
              == machine->line_bytes
         && lanes->n_accumulators == 0 && !loop->marks.parallel
         && !tns_node_has_loop (loop->body)
         && (most < 0 || most >= TNS_LEAST_ON_LINES * lanes->lanes);
}

/* The iteration of LANES' loop in which STORE begins a line.  */
static tns_expr *
line_begin (const tns_lanes *lanes, const tns_expr *store)
{
  tns_arena *arena = lanes->arena;
  tns_sym *iter = lanes->iter;
  int rank = store->sym->rank;
  tns_expr *size = tns_int (arena, lanes->lanes);
  tns_expr *past = tns_make (arena, TNS_PAST_LINE, tns_scalar (TNS_I64),
                             store->sym, rank, store->arg);
  past = tns_expr_substitute (arena, past, 1, &iter, &lanes->loop->lo);
  tns_expr *left = tns_binary (arena, TNS_MOD,
                               tns_binary (arena, TNS_SUB, size, past), size);
  return tns_binary (arena, TNS_ADD, lanes->loop->lo, left);
}

/* The iterations of LANES' loop before FIRST, BODY, on one vector.  */
static tns_node *
head_loop (const tns_lanes *lanes, tns_expr *first, tns_node *body)
{
  tns_node *loop = tns_loop (lanes->arena, lanes->loop->loc, lanes->iter,
                             lanes->loop->lo, first, lanes->lanes, body);
  loop->once = true;
  return loop;
}

tns_expr *
tns_lanes_align (tns_lanes *lanes, tns_node *out)
{
  tns_arena *arena = lanes->arena;
  const tns_node *loop = lanes->loop;
  tns_sym *sym = tns_region_add_array (arena, lanes->region, "first", TNS_I64,
                                       0, TNS_SYM_LOCAL);
  tns_expr *first = tns_cell (arena, sym);
  tns_node *body = tns_lanes_body (lanes, tns_lanes_below (lanes, first));
  if (lanes->refused)
    {
      lanes->refused = false;
      return NULL;
    }
  tns_node *head = tns_block (arena, loop->loc);
  tns_block_add (arena, head,
                 tns_assign (arena, loop->loc, first, TNS_NONE,
                             line_begin (lanes, aligned_store (lanes))));
  if (!tns_ctx_breaks (lanes->ctx, "align"))
    tns_block_add (arena, head, head_loop (lanes, first, body));
  tns_expr *trip = tns_binary (arena, TNS_SUB, loop->hi, loop->lo);
  tns_expr *least = tns_int (arena, TNS_LEAST_ON_LINES * lanes->lanes);
  tns_block_add (arena, out, tns_local (arena, loop->loc, sym));
  tns_block_add (arena, out,
                 tns_assign (arena, loop->loc, first, TNS_NONE, loop->lo));
  tns_block_add (arena, out,
                 tns_if (arena, loop->loc,
                         tns_binary (arena, TNS_GE, trip, least), head, NULL));
  return first;
}
