/* One function under construction: what the files generic*.cc share.

   Trees are built aside; nothing of the user's function is touched.  What
   cannot be built sets build->failed and gives some tree of the right type,
   so that building goes on to its end, where it is asked once.

     generic.cc           the function: signature, guards, body
     generic-store.cc     where the region's temporaries live
     generic-access.cc    elements of arrays
     generic-place.cc     pointers that accesses share
     generic-expr.cc      operators, of scalars and of whole vectors
     generic-vector.cc    lanes, reductions of lanes, conversions
     generic-stride.cc    gathers of lanes at a small distance
     generic-gather.cc    gathers under masks
     generic-mask.cc      masks, loads and stores under them
     generic-parts.cc     the first lanes in parts
     generic-math.cc      functions of math.h
     generic-power.cc     constant powers
     generic-product.cc   long products of short numbers
     generic-bits.cc      counts of bits, of those before the first
     generic-counter.cc   values of iterators in other types
     generic-options.cc   what GCC shall do with the functions
     generic-loop.cc      blocks, loops, statements
     generic-parallel.cc  loops whose iterations threads share
     generic-threads.cc   whether threads shall take it now
     generic-outline.cc   a loop's body as a function of its own
     generic-owner.cc     a thread's part of a loop by owner
     generic-target.cc    what only the target's own functions say
     generic-estimate.cc  quotients and roots by estimates
     generic-device.cc    what the host does for a device's kernels
     generic-again.cc     the same work on the CPU, where they fail late
     device-unit.cc       the kernels of all regions
     generic-call.cc      the dispatch in the user's function  */

#ifndef TNS_LOWERING_BUILD_HH
#define TNS_LOWERING_BUILD_HH

#include "lowering/generic.hh"

extern "C"
{
#include "lowering/below.h"
#include "lowering/grid.h"
}

/* A block or a loop that is being built (lowering/generic-place.cc).  */
typedef struct tns_scope tns_scope;

/* Where a LOCAL array lives.

   outside  a LOCAL node of it stands outside of parallel loops
   pooled   in the function's one block of memory, at offset, for bytes
            bytes; else an automatic variable
   threads  as many copies as there are threads, bytes apart  */
typedef struct tns_storage
{
  bool outside;
  bool pooled;
  bool threads;
  tree offset;
  tree bytes;
} tns_storage;

/* written     the region as the user wrote it, with the same symbols
   enclosing   the user's function
   fn          ours
   site        its trm_site variable
   decl        [region->n_syms]: the PARM_DECL or VAR_DECL of each symbol;
               for an ARRAY of rank > 0 or a parameter a pointer, or an
               automatic array
   elem        [region->n_syms]: type of an ARRAY's elements, as the user
               calls it
   storage     [region->n_syms]: of LOCAL arrays
   pool        VAR_DECL of the block of memory, NULL_TREE when none is needed
   straight    the outermost node around what is being built that has no
               condition or loop between
   counters    what counts values of iterators in other types
   scope       the innermost block or loop, NULL outside of all
   n_set       [region->n_syms]: how often a symbol is set
   n_read      [region->n_syms]: in how many places it is read
   below       which iterators may be below 0
   set_in      [region->n_syms]: where a variable was set, a LOCAL array
               declared; NULL where none of the open scopes did
   in_parts    [region->n_syms]: arrays whose tails are loaded and stored in
               parts
   apart       [n_apart]: loops that have become functions of their own
   in_parallel a parallel loop is being built
   once        the innermost loop around of one iteration or none, or NULL
   vector_fns  a TREE_LIST of the functions of libmvec that it calls
   may_decline the function may return 0
   unguarded   the caller's arrays may overlap
   workspace   as tns_result has it
   grid        the kernels of a region that a device runs, else NULL
   share       (with grid) the loop that devices share; NULL: none
   bytes       of the pool, over the parameters of fn; NULL_TREE: none
   loc         of the node being built  */
typedef struct tns_build
{
  tns_ctx *ctx;
  const tns_region *region;
  const tns_region *written;
  const tns_symbols *symbols;
  tree enclosing;
  tree fn;
  tree site;
  tree *decl;
  tree *elem;
  tns_storage *storage;
  tree pool;
  const tns_node *straight;
  struct tns_counter *counters;
  tns_scope *scope;
  int *n_set;
  int *n_read;
  tns_below below;
  tns_scope **set_in;
  bool *in_parts;
  int n_apart;
  const tns_node **apart;
  bool in_parallel;
  const tns_node *once;
  tree vector_fns;
  bool may_decline;
  bool unguarded;
  const tns_sym *workspace;
  const tns_grid *grid;
  const struct tns_shared *share;
  tree bytes;
  bool failed;
  location_t loc;
} tns_build;

/* The tree of EXPR's value.  A BOOL vector comes as bytes, 0 or 1.  */
extern tree tns_build_expr (tns_build *build, const tns_expr *expr);

/* EXPR, a CALL, as the user's function gives it.  */
extern tree tns_build_call (tns_build *build, const tns_expr *expr);

/* OP on operands built already, giving TYPE; a comparison of vectors gives
   the target's mask for the operands' type.  */
extern tree tns_build_apply (tns_build *build, tns_op op, tns_type type,
                             tree *arg);

/* Lane LANE of EXPR alone, a scalar.  */
extern tree tns_build_lane (tns_build *build, const tns_expr *expr, int lane);

/* EXPR lane by lane, put together.  */
extern tree tns_build_lanes (tns_build *build, const tns_expr *expr);

/* EXPR, a GATHER of lanes at one small distance, by whole vectors; NULL_TREE
   where it is not like that.  */
extern tree tns_build_strided (tns_build *build, const tns_expr *expr);

/* EXPR, a GATHER under a mask or by subscripts that are computed, by the
   target's instruction; NULL_TREE where there is none for it
   (lowering/generic-gather.cc).  */
extern tree tns_build_gather (tns_build *build, const tns_expr *expr);

/* The type of what keeps a mask of TYPE's lanes; NULL_TREE where the target
   compares no vectors with as many: BOOL vectors are kept as bytes.  */
extern tree tns_build_mask_type (tns_type type);

/* EXPR is a LOCAL that keeps such a mask; NODE, an ASSIGN to one.  */
extern bool tns_build_is_kept_mask (const tns_build *build,
                                    const tns_expr *expr);
extern tree tns_build_set_mask (tns_build *build, const tns_node *node);

/* EXPR, a BOOL vector, as the target's mask for vectors of type SHAPE.  */
extern tree tns_build_mask (tns_build *build, const tns_expr *expr, tree shape);

/* Vector operators: SPLAT, IOTA, MASKED, GATHER, REDUCE_*, CAST.  */
extern tree tns_build_vector (tns_build *build, const tns_expr *expr);
extern tree tns_build_cast (tns_build *build, tns_type to, tns_type from,
                            tree value);

/* VALUE, a vector of FROM, as numbers of TO in as many lanes
   (lowering/generic-convert.cc).  */
extern tree tns_build_convert (tns_build *build, tns_type to, tns_type from,
                               tree value);

/* VALUE, integers of FROM that TO has too, as those of TO, by packing with
   saturation; NULL_TREE where they fill no register, or the target has no
   instruction for it.  */
extern tree tns_build_packed (tns_build *build, tns_type to, tns_type from,
                              tree value);

/* What vectors of TYPE, integers that fill no register, need one for
   (lowering/generic-short.cc): CODE of A, and of B where it is not NULL_TREE;
   NULL_TREE where TYPE is none of these, or the target has CODE for it.  */
extern tree tns_build_short (tree_code code, tree type, tree a, tree b);

/* EXPR, a product of lanes of 64 bits whose operands have 32
   (lowering/generic-product.cc); NULL_TREE where it is none.  */
extern tree tns_build_long_product (tns_build *build, const tns_expr *expr);

/* VALUE, shorter than 16 bytes, as the first lanes of such a register; the
   first lanes of WHOLE as TYPE.  */
extern tree tns_build_first_of_register (tree value);
extern tree tns_build_first_lanes_of (tree type, tree whole);

/* A where MASK is set and B elsewhere, vectors of integers, by bits; NULL_TREE
   where the target has an instruction for it, or MASK is no vector.  */
extern tree tns_build_chosen_bits (tree mask, tree a, tree b);

/* MASKED: the lanes that are not loaded are 0.  */
extern tree tns_build_masked_load (tns_build *build, const tns_expr *expr);

/* How many lanes MASK keeps, the first ones, at most all and at least -1;
   NULL_TREE where it is not known to be like that.  */
extern tree tns_build_first_lanes (tns_build *build, const tns_expr *mask);

/* COUNT elements of SYM, I64 and at most as many as TYPE has lanes, from
   ADDRESS on, zero behind them; NULL_TREE where the target has no masked
   load.  */
extern tree tns_build_load_first (tns_build *build, const tns_sym *sym,
                                  tree type, tree address, tree count);

/* The same of the last COUNT lanes of what lies from ADDRESS on, zero in front
   of them.  */
extern tree tns_build_load_last (tns_build *build, const tns_sym *sym,
                                 tree type, tree address, tree count);

/* Find the arrays whose tails are loaded and stored in parts; EXPR, MASKED, and
   a store of VALUE at TARGET's address under MASK, in parts; NULL_TREE where
   the array, or the mask, is not like that.  */
extern void tns_build_find_parts (tns_build *build);
extern tree tns_build_load_parts (tns_build *build, const tns_expr *expr);
extern tree tns_build_store_parts (tns_build *build, const tns_expr *target,
                                   tree value, const tns_expr *mask);

/* VALUE in each lane of VECTOR, a type; {0, 1, 2, ...} of it; signed
   integers as wide as its lanes, as many.  */
extern tree tns_build_splat (tree vector, tree value);
extern tree tns_build_lane_numbers (tree vector);
extern tree tns_build_integers (tree vector);

/* Store VALUE, a vector, at TARGET's address where MASK (NULL: everywhere)
   is true.  */
extern tree tns_build_masked_store (tns_build *build, const tns_expr *target,
                                    tree value, const tns_expr *mask);

/* Whether some lane has MASK, a boolean; NULL_TREE where MASK is no LOCAL, nor
   made of such, or the target makes no number of one.  */
extern tree tns_build_any (tns_build *build, const tns_expr *mask);

/* STORE, unless no lane has MASK; STORE itself where MASK is no LOCAL that
   keeps a mask.  */
extern tree tns_build_where_any (tns_build *build, const tns_expr *mask,
                                 tree store);

/* A / B, A / Z of a scalar Z, sqrt (X) and A / sqrt (X) of vectors without the
   instructions (lowering/generic-estimate.cc): within an ulp, the last one
   within 2; NULL_TREE where the target cannot, or it is not allowed.  */
extern tree tns_build_quotient (tns_build *build, tree a, tree b);
extern tree tns_build_scaled (tns_build *build, tree a, tree z);
extern tree tns_build_root (tns_build *build, tree x);
extern tree tns_build_over_root (tns_build *build, tree a, tree x);

/* The builtin NAME of the target, NULL_TREE where it has none; FN of
   GIVEN[0..N), each as FN wants it.  */
extern tree tns_build_target_function (const char *name);
extern tree tns_build_target_call (tns_build *build, tree fn, int n,
                                   tree *given);

/* The one of A and B, float vectors, that beats the other, A where none does;
   NULL_TREE where the target has no such instruction.  */
extern tree tns_build_target_extremum (tns_build *build, tns_op op, tree a,
                                       tree b);

/* VALUE, lanes of double, as floats in TYPE by a function that GCC does not see
   through; NULL_TREE where the target has none.  */
extern tree tns_build_target_rounded (tns_build *build, tree type, tree value);

/* The statement that has VARIABLE, a vector that memory was loaded into,
   stay in a register; NULL_TREE where nothing can say so.  */
extern tree tns_build_target_kept (tns_build *build, tree variable);

/* pow of ARG[0] and ARG[1], a small constant, as products, or NULL_TREE.  */
extern tree tns_build_power (tns_build *build, tns_type to, tree *arg);

/* OP of class M.  */
extern tree tns_build_math (tns_build *build, tns_op op, tns_type type,
                            tree *arg);

/* FN, an internal function with N operands, or NULL_TREE when the target
   cannot do it on TYPE.  */
extern tree tns_build_internal (tns_build *build, internal_fn fn, tree type,
                                int n, tree *arg);

/* The GCC type of TYPE; a BOOL vector's is a vector of bytes.  */
extern tree tns_build_type (tns_type type);

/* Whether elements along the last subscript of SYM stand side by side.  */
extern bool tns_build_is_contiguous (const tns_sym *sym);

/* The element of SYM at ARG, as an lvalue of TYPE; the same LANE elements
   further on.  */
extern tree tns_build_element (tns_build *build, const tns_sym *sym,
                               tns_expr *const *arg, tns_type type, int lane);

/* The same with subscripts built already, I64.  */
extern tree tns_build_element_at (tns_build *build, const tns_sym *sym,
                                  tree *subscript, tns_type type);

/* Its address, and a zero whose type tells how it may alias.  */
extern tree tns_build_address (tns_build *build, const tns_sym *sym,
                               tns_expr *const *arg);
extern tree tns_build_alias (tns_build *build, const tns_sym *sym);

/* What element 0 of SYM lies *BYTES behind: of members of one record the
   same.  */
extern tree tns_build_record (tns_build *build, const tns_sym *sym,
                              HOST_WIDE_INT *bytes);

/* Begin a block (ITER NULL) or the body of ITER's loop, and end it: pointers
   that accesses inside share are set in *LIST, which it is built into, and
   declared in *VARIABLES.  Count what sets and reads the region's variables,
   before; SYM is a variable that has just been set, or an array declared.  */
extern void tns_build_enter (tns_build *build, const tns_sym *iter, tree *list,
                             tree *variables);
extern void tns_build_leave (tns_build *build);
extern void tns_build_count_uses (tns_build *build);
extern void tns_build_note_set (tns_build *build, const tns_sym *sym);

/* The accesses of a loop of BODY need more pointers than there are registers
   to count with.  */
extern bool tns_build_is_crowded (tns_build *build, tns_node *body);

/* The element of SYM, whose element 0 stands at *ADDRESS, at ARG: *ADDRESS and
   *OFFSET bytes, by shared pointers; false where it must be built whole.  */
extern bool tns_build_place (tns_build *build, const tns_sym *sym,
                             tns_expr *const *arg, tree *address,
                             HOST_WIDE_INT *offset);

/* VALUE evaluated once, however often the tree is used.  */
extern tree tns_build_once (tree value);

/* The lanes FROM of A followed by B, vectors of TYPE evaluated once; NULL_TREE
   where the target cannot.  */
extern tree tns_build_pick (tree type, tree a, tree b,
                            const vec_perm_builder &from);

/* How many bits of A, of TYPE, or of each of its lanes are 1.  */
extern tree tns_build_popcount (tns_build *build, tree type, tree a);

/* How many of these bits stand before the first that is 1.  */
extern tree tns_build_clz (tns_build *build, tree type, tree a);

/* Lane LANE of VALUE, a vector.  */
extern tree tns_build_extract (tree value, int lane);

/* Append what the first ones of KID[0..N), sums of lanes, do to *LIST: how many
   they are (lowering/generic-sums.cc).  */
extern int tns_build_sums (tns_build *build, tns_node *const *kid, int n,
                           tree *list);

/* Append the statements of NODE to *LIST.  */
extern void tns_build_node (tns_build *build, tns_node *node, tree *list);

/* Statement helpers: TARGET = VALUE; a scope around BODY that declares the
   variables chained by DECL_CHAIN; if.  */
extern tree tns_build_set (tns_build *build, tree target, tree value);
extern tree tns_build_scope (tree variables, tree body);
extern tree tns_build_if (tns_build *build, tree cond, tree then,
                          tree otherwise);

/* A variable of the function under construction.  */
extern tree tns_build_variable (tns_build *build, const char *name, tree type);

/* Declare what counts LOOP's iterator in other types, set when that is set,
   moved on when that is; the tree of EXPR where it is counted, or
   NULL_TREE.  */
extern void tns_build_count (tns_build *build, const tns_node *loop,
                             tree *variables, tree *list);
extern void tns_build_count_on (tns_build *build, const tns_node *loop,
                                tree *list);
extern tree tns_build_counted (tns_build *build, const tns_expr *expr);

/* LOOP as threads or as simd; the caller asked whether it may.  */
extern bool tns_build_may_share (const tns_build *build, const tns_node *loop);
extern bool tns_build_may_simd (const tns_build *build, const tns_node *loop);
extern void tns_build_shared_loop (tns_build *build, tns_node *loop,
                                   tree *list);
extern void tns_build_simd_loop (tns_build *build, tns_node *loop, tree *list);

/* The variables that say whether threads take a loop: forks, when that pays
   at all and the team is ready; the loop's work and its rate.  They are
   declared by the scope around.  */
typedef struct tns_asked
{
  tree variables;
  tree pays;
  tree forks;
  tree work;
  tree rate;
} tns_asked;

/* Set ASKED's variables for a loop of WORK that is worth threads WHEN; and
   tell, after the loop, how long it took.  */
extern void tns_build_ask (tns_build *build, tree when, tree work,
                           tns_asked *asked, tree *list);
extern tree tns_build_told (tns_build *build, const tns_asked *asked);

/* What of GCC's passes a function of ours is worth.

   loops  it has loops of the region
   line   it has none, but such as call others
   call   it calls others, and its own time is nothing beside theirs  */
typedef enum tns_effort
{
  TNS_EFFORT_LOOPS,
  TNS_EFFORT_LINE,
  TNS_EFFORT_CALL
} tns_effort;

/* Loops that form one space of iterations, at most.  */
#define TNS_MOST_COLLAPSED 12

/* Statements as a static function of their own.

   depth     of loops: how many, each the only statement of the one before;
             else 0
   outer     of loops: in how many others they stand likewise, which stay where
             they are
   first, last  of loops: what stands for the bounds of each, the outermost
             first; else NULL_TREE
   effort    what it is worth; said before it is made
   loop      the loop that it has; NULL: it only calls; said before it is made
   fn        the function
   n, used   what it takes: variables of the function around, as they were
             when the body was built; an array by its address
   id        the symbol that used[k] stood for, or -1: the variable itself is
             passed  */
typedef struct tns_outline
{
  int depth;
  int outer;
  tree first[TNS_MOST_COLLAPSED];
  tree last[TNS_MOST_COLLAPSED];
  tns_effort effort;
  tns_node *loop;
  tree fn;
  int n;
  tree *used;
  int *id;
} tns_outline;

/* What MAKE (BUILD, SELF) builds for the function build->fn, as a function
   called WORD.  False when it needs what cannot be passed (variables that it
   sets).  */
typedef tree (*tns_build_maker) (tns_build *build, void *self);
extern bool tns_build_apart (tns_build *build, const char *word,
                             tns_build_maker make, void *self,
                             tns_outline *outline);

/* Note that LOOP has become a function of its own.  */
extern void tns_build_note_apart (tns_build *build, const tns_node *loop);

/* Build the last DEPTH of OUTER + DEPTH loops, LOOP and those in it,
   TNS_MOST_COLLAPSED at most, as a function, between bounds that the call
   gives.  False as above.  */
extern bool tns_build_outline (tns_build *build, tns_node *loop, int outer,
                               int depth, tns_outline *outline);

/* Build LOOP, which stands inside another one, as a function and add its call
   to *LIST, where it is long and calls functions of vectors.  False where
   nothing was added.  */
extern bool tns_build_loop_apart (tns_build *build, tns_node *loop, tree *list);

/* LOOP, if it is large and works for long, as a function of its own, called in
   *LIST.  */
extern bool tns_build_part (tns_build *build, tns_node *loop, tree *list);

/* The only loop in BODY, NULL when there is something else.  */
extern tns_node *tns_build_only_loop (tns_node *body);

/* The call of OUTLINE where the symbols are as build->decl says now; that of
   loops from FIRST to LAST, a row of each, which are NULL else.  */
extern tree tns_build_outline_call (tns_build *build,
                                    const tns_outline *outline,
                                    const tree *first, const tree *last);

/* Give build->fn, which has what stands in NODE but for loops that are
   functions of their own, the user's target and optimization, and what EFFORT
   asks for beside it.  */
extern void tns_build_options (tns_build *build, tns_effort effort,
                               tns_node *node);

/* LOOP as one thread runs it; OUTLINE, when not NULL, is called in place of
   the body that it was made of.  */
extern void tns_build_plain_loop (tns_build *build, tns_node *loop,
                                  const tns_outline *outline, tree *list);

/* LOOP as one thread runs it, from *FIRST to *LAST, I64, and in it DEPTH - 1
   others, each the only statement of the one before, between the bounds that
   follow.  */
extern void tns_build_range_loop (tns_build *build, tns_node *loop, int depth,
                                  const tree *first, const tree *last,
                                  tree *list);

/* Append to *LIST: BODY again and again while ITER is less than BOUND; it grows
   by STEP after each time.  */
extern void tns_build_repeat (tns_build *build, tree iter, tree bound,
                              tree step, tree body, tree *list);

/* What one thread does of LOOP, whose iterations have owners: those of the
   owners from FIRST to LAST, I64 (lowering/generic-owner.cc).  */
extern void tns_build_owned_loop (tns_build *build, tns_node *loop, tree first,
                                  tree last, tree *list);

/* The variables that BODY uses and does not declare, in the order of their
   first use; false when it sets one of them.  */
extern bool tns_build_uses (tree body, auto_vec<tree> *used);

/* Append to *LIST what the host does for GRID's kernels; return 0 where they do
   not run, or fail (lowering/generic-device.cc).  */
extern void tns_build_device (tns_build *build, const tns_grid *grid,
                              tree *variables, tree *list);

/* The address of a function that does on the CPU what BUILD's region is as it
   was written, of the type trm_cuda_again, for words in the order of the
   parameters there; NULL_TREE where it might touch other memory than the arrays
   whose ROW [n_syms] is 0 or more.  */
extern tree tns_build_again (tns_build *build, const int *row);

/* Append to *LIST: the host is about to use, as USE says (TRM_CUDA_READ,
   WRITE), whatever data blocks keep on the device.  */
extern void tns_build_bring_back (tns_build *build, int use, tree *list);

/* The same, to read it, of what BUILD's region looks at before it runs.  */
extern void tns_build_bring_looked (tns_build *build, tree *list);

/* Decide where LOCAL arrays live; take the pool's memory (return 0 when
   there is none) and give it back.  */
extern void tns_build_storage (tns_build *build);
extern void tns_build_pool_get (tns_build *build, tree *variables, tree *list);
extern void tns_build_pool_put (tns_build *build, tree *list);

/* The greatest number of threads that a parallel loop may have here, I64.  */
extern tree tns_build_most_threads (tns_build *build);

/* The bytes of all automatic arrays that one thread has, a number.  */
extern tree tns_build_automatic (const tns_build *build);

/* Declare SYM, LOCAL, in the current scope: its variable is put in front of
   *VARIABLES.  */
extern void tns_build_local (tns_build *build, const tns_sym *sym,
                             tree *variables);

/* Inside a parallel region that has just begun: give each of the per-thread
   arrays that are used in LOOP the thread's own copy.  */
extern void tns_build_thread_locals (tns_build *build, tns_node *loop,
                                     tree *variables, tree *list);

/* FN, a function of ours with loops, whose inner ones all have lanes or not,
   can do without passes that find nothing there.  */
extern void tns_build_spare (tree fn, bool has_lanes);

/* FN, such a function of no user's function in particular, has no loops and
   is worth EFFORT.  */
extern void tns_build_effort (tree fn, tns_effort effort);

/* COND, which is expected to be false.  */
extern tree tns_build_rarely (tns_build *build, tree cond);

/* Whether the site's state is not 0, rarely.  */
extern tree tns_build_asked (tns_build *build);

/* "return VALUE;" of the function under construction.  */
extern tree tns_build_return (tns_build *build, int value);

/* The runtime's function NAME, weak.  */
extern tree tns_build_runtime (const char *name, tree type);

/* The dispatch: call build->fn with the symbols' trees, else ORIGINAL.  The
   call alone.  */
extern tree tns_build_dispatch (tns_build *build, tree original);
extern tree tns_build_plain_call (tns_build *build);

#endif
