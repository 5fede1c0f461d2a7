/* What the parts of the planner share: the tree so far and how a step is
   tried.  */

#ifndef TNS_SCHEDULE_PLANNER_H
#define TNS_SCHEDULE_PLANNER_H

#include "poly/legal.h"
#include "schedule/machine.h"
#include "schedule/plan.h"

/* meets: FREE and REDUCTION DIMs may be fused at any depth.  */
typedef struct tns_planner
{
  tns_ctx *ctx;
  const tns_scop *scop;
  const tns_deps *deps;
  const tns_machine *machine;
  tns_tree *tree;
  tns_text steps;
  tns_task *task;
  bool meets;
} tns_planner;

/* How an access moves from one iteration of a loop to the next.

   FIXED  not at all
   UNIT   to the next element (stride 1 or -1 in the last subscript)
   SHORT  by a constant number of elements of the last subscript
   FAR    otherwise  */
typedef enum tns_stride
{
  TNS_STRIDE_FIXED,
  TNS_STRIDE_UNIT,
  TNS_STRIDE_SHORT,
  TNS_STRIDE_FAR
} tns_stride;

/* How ACCESS of STMT moves with ITER in the array's storage, private
   coordinates included.  */
extern tns_stride tns_storage_stride (const tns_scop *scop,
                                      const tns_stmt *stmt,
                                      const tns_access *access,
                                      const tns_sym *iter);

/* The same, but FAR where ACCESS does not move with ITER itself but with an
   inner loop of a constant number of iterations that begins elsewhere in each
   iteration of ITER: a tile's.  */
extern tns_stride tns_reached_stride (const tns_scop *scop,
                                      const tns_stmt *stmt,
                                      const tns_access *access,
                                      const tns_sym *iter);

/* DIM decides a choice in a subscript of ACCESS of STMT.  */
extern bool tns_access_chooses (const tns_scop *scop, const tns_stmt *stmt,
                                const tns_access *access, const tns_tree *dim);

/* LOOP has a constant number of iterations.  */
extern bool tns_loop_is_constant (tns_arena *arena, const tns_node *loop);

/* ACCESS of STMT moves with ITER by one element at most in the array's
   storage.  */
extern bool tns_storage_is_near (const tns_scop *scop, const tns_stmt *stmt,
                                 const tns_access *access, const tns_sym *iter);

/* ACCESS is an operand of its update: read, and not the accumulator.  */
extern bool tns_access_is_operand (const tns_access *access);

/* The target of STMT's only write, an update; NULL when it is not like
   that.  */
extern const tns_access *tns_update_target (const tns_stmt *stmt);

/* STMT stores whole numbers, which are only added, compared and chosen from: in
   registers, where one that follows need not wait for memory.  */
extern bool tns_stmt_is_quick (const tns_stmt *stmt);

/* The iterator that DIM's row of STMT advances with coefficient 1 or -1 and
   no other, or NULL.  */
extern tns_sym *tns_dim_iter (const tns_scop *scop, const tns_tree *dim,
                              int stmt);

/* The number of values of DIM when it is a constant, else 0.  */
extern long tns_dim_trip (const tns_scop *scop, const tns_tree *dim);

/* The most values that DIM takes inside the DIMs above it; 0: unknown.  */
extern long tns_dim_most (const tns_planner *planner, tns_tree *dim);

/* DIM carries nothing for statement STMT: it is FREE, or all that it carries
   are cells of others (schedule/contraction.c).  */
extern bool tns_dim_is_free_for (const tns_scop *scop, const tns_tree *dim,
                                 int stmt);

/* Call VISIT for each DIM below TREE, outermost first.  */
typedef void (*tns_dim_visitor) (tns_planner *planner, tns_tree *dim,
                                 void *self);
extern void tns_tree_dims (tns_planner *planner, tns_tree *tree,
                           tns_dim_visitor visit, void *self);

/* Take TREE as the new tree and write the step down.  */
extern void tns_planner_take (tns_planner *planner, tns_tree *tree,
                              const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));

/* TREE, which a step made that LINE begins with, is legal: tns_tree_check's
   answer, unless a fault is planted in the step: then it is not asked for.
   False where TREE is NULL.  */
extern bool tns_step_holds (const tns_planner *planner, const char *line,
                            tns_tree *tree, const tns_dep **broken);

/* The user's own steps, tile (...) and interchange (...), before the
   planner's.  False, with an error at the clause that names the dependence,
   when one is illegal (schedule/asked.c).  */
extern bool tns_plan_asked (tns_planner *planner);

/* The user's parallel (...), simd (...) and unroll (...): marks on DIMs,
   after the planner's steps.  False with an error as above.  */
extern bool tns_plan_asked_marks (tns_planner *planner);

/* Leave calls with too few iterations for PLAN's lanes to the loops as written:
   guards of its region (schedule/narrow.c).  */
extern void tns_plan_guard_lanes (tns_ctx *ctx, tns_plan *plan);

/* What the user requires is there.  False, with an error at the clause that
   says why not, when it is not.  */
extern bool tns_plan_required (tns_planner *planner, const tns_plan *plan);

/* Loops that count down count up (schedule/reverse.c).  */
extern void tns_plan_reverses (tns_planner *planner);

/* Siblings with a common dimension share its loop, wherever it is legal,
   keeps what was free free, and saves traffic (schedule/fuse.c).  */
extern void tns_plan_fuse (tns_planner *planner);

/* The same, with neighbours that go through an array along different loops
   turned alike first, and sums beside what is free at any depth
   (schedule/meet.c).  */
extern void tns_plan_meet (tns_planner *planner);

/* Products that are in each other's way get nests of their own
   (schedule/distribute.c).  False when there are none.  */
extern bool tns_plan_distribute (tns_planner *planner);

/* How far DEP reaches along DIM[N], of its pairs that are equal on DIM[0..N)
   (schedule/carry.c).  False when that is not known.  */
extern bool tns_dep_reach (const tns_scop *scop, const tns_dep *dep, int n,
                           tns_tree **dim, tns_distance *reach);

/* Give the statements of innermost loops nests of their own that are ordered
   for no other reason (schedule/split.c).  */
extern void tns_plan_splits (tns_planner *planner);

/* Give strips beside dots that tile their columns nests of their own.  */
extern void tns_plan_strips_apart (tns_planner *planner);

/* Loops that own the cells of scattered sums go inside those that shift them
   (schedule/scatter.c).  */
extern void tns_plan_scatters (tns_planner *planner);

/* Mark loops whose sums may stand in registers though their operands are
   elements of the same array (schedule/summed.c).  */
extern void tns_plan_sums (tns_planner *planner);

/* Products of slabs get nests of their own; rows that are left go side by side
   (schedule/trailing.c).  */
extern void tns_plan_slabs (tns_planner *planner);
extern void tns_plan_slab_rows (tns_planner *planner);

/* Contractions get tiles in common and blocks (schedule/block.c).  */
extern void tns_plan_blocks (tns_planner *planner);

/* A common tile of the DIM NAME (NULL: the planner's choice) of the
   contraction at statement STMT: the row, which it shares with another, or the
   column of a dot, which it shares with what is slow.  False when it shares
   none, or that is not legal.  */
extern bool tns_plan_share_at (tns_planner *planner, int stmt,
                               const char *name);

/* The contraction at statement STMT in blocks of DEPTH values of its inner DIM
   (0: the planner's choice).  False when it is none, short, or that is not
   legal.  */
extern bool tns_plan_block_at (tns_planner *planner, int stmt, long depth);

/* The tree in which the nest of statement STMT, right behind the loop of INTO,
   runs in that loop's last iteration, behind what stands there; NULL when which
   one this is follows from more than STMT's iterators.  */
extern tns_tree *tns_plan_sunk (const tns_planner *planner, int stmt, int into);

/* Contractions get their tile, kernel order and registers
   (schedule/kernel.c).  */
extern void tns_plan_kernels (tns_planner *planner);

/* One contraction at statement STMT, with a tile of ROWS x COLUMNS (0: the
   planner's choice).  False when STMT is none or the tile is not legal.  */
extern bool tns_plan_kernel_at (tns_planner *planner, int stmt, long rows,
                                long columns);

/* The operand of the blocked contraction at statement STMT that its COLUMN goes
   along is copied in panels of WIDTH columns, where they are swept SWEEPS times
   (0, 0: the planner's choice).  False when there is none, or it does not pay
   (schedule/panel.c).  */
extern bool tns_plan_panel_at (tns_planner *planner, int stmt,
                               const char *column, long width, int sweeps);

/* A dependence that DIM carries, as words.  */
extern const char *tns_dim_words (const tns_planner *planner, tns_tree *dim);

/* Put DIM, innermost and not ORDERED, into LANES lanes, and write the step
   down.  */
extern void tns_dim_mark_simd (tns_planner *planner, tns_tree *dim, int lanes);

/* Let threads share DIM, a REDUCTION in chunks, and what suits it of the MOST
   DIMs from it on down, and write the steps down.  False when they may not.  */
extern bool tns_dim_mark_parallel (tns_planner *planner, tns_tree *dim,
                                   int most);

/* One step of these each: threads share DIM, FREE; with it the DIMs right
   below, N in all; its iterations are not of the same length.  False when that
   cannot be, or is so already.  */
extern bool tns_dim_mark_free (tns_planner *planner, tns_tree *dim);
extern bool tns_dim_mark_collapse (tns_planner *planner, tns_tree *dim, int n);
extern bool tns_dim_mark_balanced (tns_planner *planner, tns_tree *dim);

/* DIM is a row of a triangle, too short for threads.  */
extern bool tns_dim_is_short (const tns_planner *planner, tns_tree *dim);

/* Begin the vectors of DIM, FREE, innermost and in lanes, where cache lines of
   the stored array begin that is called NAME (NULL: the first that suits), and
   write the step down.  False when there is none, or the machine's vectors are
   no lines (schedule/align.c).  */
extern bool tns_dim_mark_align (tns_planner *planner, tns_tree *dim,
                                const char *name);

/* The same for each DIM where it pays.  */
extern void tns_plan_aligns (tns_planner *planner);

/* Keep what an iteration of DIM, innermost and ORDERED, hands to the next one
   in a register, and write the step down.  False when DIM is not like that
   (schedule/carry.c).  */
extern bool tns_dim_mark_carry (tns_planner *planner, tns_tree *dim);

/* ROWS iterations of DIM at a time, each SKEW iterations of the DIM below
   behind the one before, so that none waits for another, and write the step
   down.  False when that is not legal (schedule/skew.c).  */
extern bool tns_dim_mark_skew (tns_planner *planner, tns_tree *dim, long rows,
                               long skew);

/* The same for each DIM where waiting for the iteration before costs most.  */
extern void tns_plan_skews (tns_planner *planner);

/* The lanes that suit DIM.  */
extern int tns_dim_lanes (const tns_planner *planner, const tns_tree *dim);

/* Make COPIES of the body of DIM, jammed where it holds loops (then DIM is
   not ORDERED), and write the step down.  */
extern void tns_dim_mark_unroll (tns_planner *planner, tns_tree *dim,
                                 int copies);

/* How many operations statement STMT is with LANES lanes along ITER (NULL: it
   moves all accesses), and one iteration of DIM, which has the lanes
   (schedule/size.c).  */
extern long tns_stmt_operations (const tns_planner *planner, int stmt,
                                 const tns_sym *iter, int lanes);
extern long tns_dim_operations (const tns_planner *planner, const tns_tree *dim,
                                int lanes);

/* STMT divides or calls a function.  */
extern bool tns_stmt_is_slow (const tns_stmt *stmt);

/* The same of some statement below DIM.  */
extern bool tns_dim_is_slow (const tns_planner *planner, const tns_tree *dim);

/* STMT multiplies integers of one or two bytes in int, or subtracts bytes
   along a row of 16 or more to see how far they lie apart: GCC has instructions
   that add up pairs of such products, and eight such distances.  */
extern bool tns_stmt_sums_small (const tns_stmt *stmt);

/* COPIES, or the half of it, and so on, that a body may have of so many
   OPERATIONS; 0: not one.  */
extern int tns_fitting_copies (long operations, int copies);

/* Copies that transpose get tiles (schedule/transpose.c).  */
extern void tns_plan_transposes (tns_planner *planner);

/* One copy at statement STMT, with lanes along its store.  False when it is
   none, does not transpose, or stands beside others.  */
extern bool tns_plan_transpose_at (tns_planner *planner, int stmt);

/* The loops of each perfect nest in their best legal order
   (schedule/order.c).  */
extern void tns_plan_orders (tns_planner *planner);

/* DIMs around others get lanes where the inner ones do not suit them
   (schedule/lanes.c).  */
extern void tns_plan_lanes (tns_planner *planner);

/* DIM, around others, in tiles of lanes.  False when it does not suit
   them.  */
extern bool tns_plan_lanes_at (tns_planner *planner, tns_tree *dim);

/* Some DIM below DIM takes other values in each of its iterations.  */
extern bool tns_dim_has_triangle (const tns_scop *scop, tns_tree *dim);

/* Threads (schedule/threads.c).  */
extern void tns_plan_threads (tns_planner *planner);

/* Let a device's blocks copy N steps ahead what tiles of the contraction below
   DIM, parallel, read, and write the step down.  False when DIM is not, or
   N is less than 2 (schedule/device.c).  */
extern bool tns_dim_mark_async (tns_planner *planner, tns_tree *dim, int n);

/* Let threads take chunks of DIM, a REDUCTION, CHUNKS of them (0: the
   planner's choice), and write the step down.  False when that cannot be done
   for what it carries (schedule/chunk.c).  */
extern bool tns_dim_mark_chunks (tns_planner *planner, tns_tree *dim,
                                 int chunks);

/* Let threads share DIM by owner, and write the step down.  False when that
   cannot be done for what it carries (schedule/own.c).  */
extern bool tns_dim_mark_owned (tns_planner *planner, tns_tree *dim);

/* Threads may share DIM by owner.  */
extern bool tns_dim_may_be_owned (tns_planner *planner, tns_tree *dim);

/* From how many threads on iterations of so many OPERATIONS are done faster by
   owner, 0: never; where the elements are far, out of the caches.  */
extern int tns_owners_pay (long operations);
extern int tns_owners_pay_far (long operations);

/* From how many OPERATIONS on two threads are enough.  */
extern long tns_owned_operations (void);

/* Nests that threads cannot share inside run side by side, where they do not
   depend on each other (schedule/tasks.c).  */
extern void tns_plan_tasks (tns_planner *planner);

/* The nests of the statements STMT[0..N), which follow each other, run side by
   side.  False when they may not.  */
extern bool tns_plan_tasks_at (tns_planner *planner, int n, const int *stmt);

/* The contraction at statement STMT, if it is one, suits tiles of rows and
   columns of a device (schedule/device.c).  */
extern bool tns_device_tiles (const tns_planner *planner, int stmt);

/* Siblings share loops as on a processor, but where a contraction's tiles would
   be lost by it (schedule/device.c).  */
extern void tns_plan_device_fuse (tns_planner *planner);

/* Blocks and threads of a device in place of threads and lanes
   (schedule/device.c).  */
extern void tns_plan_device (tns_planner *planner);

/* Threads and lanes (schedule/marks.c).  */
extern void tns_plan_marks (tns_planner *planner);

#endif
