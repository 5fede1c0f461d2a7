/* Loops, statements and regions: the language between GCC and isl.

   The same IR comes in from extraction and goes out to lowering, so that
   every stage can be printed (ir/print.h), read back (ir/parse.h), checked
   (ir/verify.h) and executed (ir/eval.h) without GCC.

   A region is a function: its parameters are values and arrays, its body a
   block.  The text form, by example:

     region softmax "row.c":41 in rows {
       value i64 N;
       value i64 C;
       function f32 f_x(3);
       function f32 f(2) partial f_x _;
       array f32 x[][C] const restrict;
       array f32 y[][C];
       overlap x y;
       still s_n;
       assume N > 0;
       guard C <= 1000000;
       {
         for n = 0 to N parallel {
           local f32 m;
           m = -3.4e38f32;
           for c = 0 to C simd(16) {
             m max= x[n][c];
           }
           ...
         }
       }
     }

   Nodes are immutable once a stage has returned them; passes make new ones.
   The exception is a node under construction.  */

#ifndef TNS_IR_NEST_H
#define TNS_IR_NEST_H

#include "base/remark.h"
#include "ir/expr.h"

typedef enum tns_node_kind
{
  TNS_BLOCK,
  TNS_LOOP,
  TNS_ASSIGN,
  TNS_IF,
  TNS_LOCAL,
  TNS_PREFETCH
} tns_node_kind;

/* A cell or array whose updates with OP may be done in any order inside a
   loop: lanes and threads get copies, combined in a fixed order.

   offset, extent  (an array, in a loop with chunks) lists of sym->rank
              expressions over VALUE symbols: all elements of the box
              [offset, offset + extent) and no others are updated in the loop,
              as soon as it runs at all; NULL: unknown
   found      the box is known once it was looked for: some elements of it are
              updated (lowering/found.h; not in the text form)  */
typedef struct tns_reduction
{
  tns_sym *sym;
  tns_op op;
  tns_expr **offset;
  tns_expr **extent;
  bool found;
} tns_reduction;

/* What a loop may or shall become.

   parallel    its iterations are free: threads may share them
   collapse    number of perfectly nested loops, this one first, that form
               one space of iterations (0 and 1: this one alone)
   when        (parallel) a BOOL over what is in scope: threads are worth it;
               NULL: always.  Without threads the loop is the same
   work        (parallel) an I64 over what is in scope: about how many cycles
               one run of it takes.  Whether threads are awake may count
               beside it; NULL: threads take the loop in any case
   balanced    its iterations differ in work: dynamic or paired schedule
   simd        lanes that each vector shall hold; 0: no vectors.  Its
               iterations are free but for the reductions
   scan        a block's threads on a device may share it though it is in order
               (lowering/grid-scan.h; not in the text form)
   unroll      copies of the body, jammed into inner loops; 0: none.  The
               iterations may be interleaved statement by statement
   accumulators  independent partial results of a reduction, each of simd
               lanes; 0 and 1: one
   reductions  updates freed inside this loop
   rows, skew  so many iterations may run side by side, in one loop inside of
               their own, each SKEW iterations of it behind the one before; the
               order of iterations at one place of that loop is free; rows 0:
               none; skew 0: they may be interleaved statement by statement
   chunks      (parallel with reductions) partial results, at most,
               combined in order; their number depends on values only.
               Without reductions: the loop over them; threads pay.  Not
               parallel: the loop that combines them
   owner       (parallel with a reduction of an array) an I64 of an iteration,
               0 to TNS_OWNERS - 1: no two iterations for which it differs
               update one element, and those for which it does not stay in
               order
   owners      (parallel) the same is asked for, and may pay from so many
               threads on
   stages      (parallel) a device's blocks, where they take tiles of it that
               many threads read, may copy up to so many steps ahead of what
               they compute, 2 at least; 0: none
   align       (simd) an array that the body stores to, one element after the
               other: vectors shall begin where its cache lines begin, if the
               machine has vectors of that size (lowering/vectors-align.c);
               NULL: where the loop begins
   panel       an array, which the body only reads: each iteration shall read
               it, or what is computed of it, from a copy of its own
               (lowering/panels.h); NULL: none
   sweeps      over that copy from which on it pays, a TNS_FEWER_SWEEPS'th
               where rows of the array lie in each other's way; the loop of
               sweeps and the one right inside may change places.  0: it pays
               in any case
   summed      an array, which the loop only updates: of what one run of it
               does update the run reads nothing but for that; NULL: nothing is
               said  */
enum
{
  TNS_OWNERS = 64,
  TNS_FEWER_SWEEPS = 4
};

typedef struct tns_marks
{
  bool parallel;
  tns_expr *when;
  tns_expr *work;
  bool balanced;
  int collapse;
  int simd;
  bool scan;
  int unroll;
  int accumulators;
  int rows;
  int skew;
  int chunks;
  tns_expr *owner;
  int owners;
  int stages;
  tns_sym *align;
  tns_sym *panel;
  int sweeps;
  tns_sym *summed;
  int n_reductions;
  tns_reduction *reductions;
} tns_marks;

/* BLOCK   kid[0..n_kids), in order
   LOOP    for (iter = lo; step > 0 ? iter < hi : iter > hi; iter += step)
             body;  step is a constant other than 0; lo, hi are evaluated
             once
   ASSIGN  target = value, or, with an update operator,
             target = update (target, value).  target is a LOAD.  With lanes:
             that many elements along the last subscript.  mask, a BOOL
             (vector), or NULL: only where true is anything stored; the
             value is evaluated in all lanes
   IF      if (cond) then; else otherwise;  otherwise may be NULL
   LOCAL   sym, a LOCAL array, begins its life; it ends with the block
   PREFETCH  target, a LOAD, will be used soon

   name    of an ASSIGN: "S1", unique in the region, set by extraction;
           plans and messages use it
   apart   of an ASSIGN: its nest is best left alone, not fused with others;
           set by the planner and ir/wait.h, not in the text form
   few     of a LOOP: it has fewer iterations than a short vector has lanes
   once    of a LOOP: it has one iteration or none; both are set where
           remainders are made, not in the text form
   never   of an IF whose branches are empty: why COND must not hold; gone
           when the region is extracted (poly/never.h)  */
typedef struct tns_node
{
  tns_node_kind kind;
  tns_loc loc;
  const char *name;
  bool apart;
  bool few;
  bool once;
  const tns_remark *never;

  int n_kids;
  struct tns_node **kid;

  tns_sym *iter;
  tns_expr *lo;
  tns_expr *hi;
  long long step;
  struct tns_node *body;
  tns_marks marks;

  tns_expr *target;
  tns_op update;
  tns_expr *value;
  tns_expr *mask;

  tns_expr *cond;
  struct tns_node *then;
  struct tns_node *otherwise;

  tns_sym *sym;
} tns_node;

/* Two arrays that the host cannot tell apart: a run-time check of their
   footprints decides (poly/guard.h), unless neither is written.  */
typedef struct tns_overlap
{
  tns_sym *a;
  tns_sym *b;
} tns_overlap;

/* What an array's accesses span, for checks at run time: elements
   [lo, hi) from the array's base, over VALUE symbols and cells that
   region->before sets; NULL when unknown.  may: some of it, which a condition
   on data keeps from being accessed, need not be there (for devices).
   whole: the region writes all of it, and reads nothing that it held.  */
typedef struct tns_span
{
  tns_sym *sym;
  tns_expr *lo;
  tns_expr *hi;
  bool written;
  bool may;
  bool whole;
} tns_span;

/* name, file, line, function  for reports
   syms       all symbols, by id
   params     symbols given from outside, in the order of the arguments:
              VALUEs and non-LOCAL ARRAYs (rank 0 ones by address)
   overlaps   pairs that may overlap
   still      LOADs at VALUE subscripts whose elements the body leaves alone
              because pairs of their arrays say so: VALUEs were read there
   assume     facts that the user gave, BOOL over VALUE symbols
   before     a BLOCK or NULL: what is executed before anything is guarded;
              it stores to LOCAL cells only, which spans and guards may
              mention
   guard      BOOL expressions over VALUE symbols and cells that
              region->before sets, which must hold for the body to mean what
              the user wrote; else the original runs.  Those over VALUEs are
              asked first, and region->before relies on them
   spans      footprints (poly/guard.c fills them)
   flops, bytes_before, bytes_after  F64 expressions over VALUE symbols,
              NULL until counted
   exact      they are exact, not bounds
   derived    it is a gradient (not in the text form)
   body       a BLOCK  */
typedef struct tns_region
{
  const char *name;
  const char *file;
  const char *function;
  int line;
  tns_loc loc;

  int n_syms;
  tns_sym **syms;
  int n_params;
  tns_sym **params;
  int n_overlaps;
  tns_overlap *overlaps;
  int n_still;
  tns_expr **still;
  int n_assume;
  tns_expr **assume;
  tns_node *before;
  int n_guard;
  tns_expr **guard;
  int n_spans;
  tns_span *spans;

  tns_expr *flops;
  tns_expr *bytes_before;
  tns_expr *bytes_after;
  bool exact;
  bool derived;

  tns_node *body;
} tns_region;

/* The lists of regions and blocks grow only through the functions below
   (their room is a power of two); anybody may shorten them.  */

/* An empty region with an empty body.  */
extern tns_region *tns_region_new (tns_arena *arena, const char *name);

/* A copy whose lists can be changed without changing REGION's; symbols and
   body are shared.  */
extern tns_region *tns_region_copy (tns_arena *arena, const tns_region *region);

/* A new symbol of REGION.  Its name is NAME, made a unique identifier.  */
extern tns_sym *tns_region_add_value (tns_arena *arena, tns_region *region,
                                      const char *name, tns_elem elem);
extern tns_sym *tns_region_add_iter (tns_arena *arena, tns_region *region,
                                     const char *name);
extern tns_sym *tns_region_add_array (tns_arena *arena, tns_region *region,
                                      const char *name, tns_elem elem, int rank,
                                      unsigned flags);

/* A FUNCTION of RANK numbers.  */
extern tns_sym *tns_region_add_function (tns_arena *arena, tns_region *region,
                                         const char *name, tns_elem elem,
                                         int rank);

/* Append SYM to the parameters; append a pair, a guard, a fact, a load that
   holds still.  What stands there already is not added again, but for facts
   and parameters.  */
extern void tns_region_add_param (tns_arena *arena, tns_region *region,
                                  tns_sym *sym);
extern void tns_region_add_overlap (tns_arena *arena, tns_region *region,
                                    tns_sym *a, tns_sym *b);
extern void tns_region_add_guard (tns_arena *arena, tns_region *region,
                                  tns_expr *cond);
extern void tns_region_add_still (tns_arena *arena, tns_region *region,
                                  tns_expr *load);
extern void tns_region_add_assume (tns_arena *arena, tns_region *region,
                                   tns_expr *cond);

extern void tns_region_add_span (tns_arena *arena, tns_region *region,
                                 tns_span span);

/* An element of SYM is to hold still in REGION.  */
extern bool tns_region_has_still (const tns_region *region, const tns_sym *sym);

/* Append SYM, updated with OP, to the reductions of MARKS.  */
extern void tns_marks_add_reduction (tns_arena *arena, tns_marks *marks,
                                     tns_sym *sym, tns_op op);

/* The symbol called NAME, or NULL.  */
extern tns_sym *tns_region_find (const tns_region *region, const char *name);

/* Nodes; bodies and branches become BLOCKs.  */
extern tns_node *tns_block (tns_arena *arena, tns_loc loc);
extern void tns_block_add (tns_arena *arena, tns_node *block, tns_node *kid);
extern tns_node *tns_loop (tns_arena *arena, tns_loc loc, tns_sym *iter,
                           tns_expr *lo, tns_expr *hi, long long step,
                           tns_node *body);
extern tns_node *tns_assign (tns_arena *arena, tns_loc loc, tns_expr *target,
                             tns_op update, tns_expr *value);
extern tns_node *tns_if (tns_arena *arena, tns_loc loc, tns_expr *cond,
                         tns_node *then, tns_node *otherwise);
extern tns_node *tns_local (tns_arena *arena, tns_loc loc, tns_sym *sym);

/* A copy of NODE alone; its parts are shared.  */
extern tns_node *tns_node_copy (tns_arena *arena, const tns_node *node);

#endif
