/* The world of one region while it is compiled: its memory, its wish, what
   is said about it.

   One tns_ctx a region; no globals.  A stage that cannot go on says why
   with tns_refuse (or tns_left, tns_note) and returns NULL; NULL in, NULL
   out.  The first refusal or failure is the region's verdict.  */

#ifndef TNS_BASE_CTX_H
#define TNS_BASE_CTX_H

#include <setjmp.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/remark.h"
#include "base/status.h"
#include "base/wish.h"

struct tns_machine;

/* What the command line allows the generated code to use.

   openmp        -fopenmp: parallel loops
   openmp_simd   -fopenmp or -fopenmp-simd: simd pragmas (vector types need
                 neither)
   contract      multiply and add may become one rounding
   reciprocal    -freciprocal-math, which GCC 11 forgets in functions that it
                 is given options for
   math_errno    math functions must set errno
   finite        there are no NaNs, and a zero has no sign: -ffast-math
   unguarded     guards are not asked: a value that data may contradict is not
                 taken for granted
   alone         no loops as written stand behind the guards: none is added
                 for the sake of speed
   lines         -g: kernels name the user's lines  */
typedef struct tns_flags
{
  bool openmp;
  bool openmp_simd;
  bool contract;
  bool reciprocal;
  bool math_errno;
  bool finite;
  bool unguarded;
  bool alone;
  bool lines;
} tns_flags;

/* How much of a region's ledger (poly/count.h) is wanted.

   ALL   what reports tell
   SITE  what generated code tells the runtime: operations as written, bytes of
         the loops made
   NONE  nothing  */
typedef enum tns_ledger_wish
{
  TNS_LEDGER_ALL,
  TNS_LEDGER_SITE,
  TNS_LEDGER_NONE
} tns_ledger_wish;

/* host     of a region that is planned for a device: the machine beside it
   lap      when the last stage ended, in milliseconds; for dumps only
   kernels  what a device's kernels are named after, unlike those of any other
            region; NULL: the region  */
typedef struct tns_ctx
{
  tns_arena *arena;
  tns_wish wish;
  tns_flags flags;
  const struct tns_machine *machine;
  const struct tns_machine *host;
  tns_remark *remarks;
  tns_remark *last_remark;
  tns_status status;
  FILE *dump;
  const char *dump_stages;
  const char *break_stage;
  const char *plan_text;
  jmp_buf no_memory;
  unsigned long n_operations;
  tns_ledger_wish ledger;
  double lap;
  const char *kernels;
} tns_ctx;

/* A context over ALLOCATOR; NULL when there is no memory.  */
extern tns_ctx *tns_ctx_new (tns_allocator allocator);

/* Free it and all that its arena holds.  */
extern void tns_ctx_free (tns_ctx *ctx);

/* From now on a lack of memory jumps to ctx->no_memory, which the caller has
   set with setjmp.  */
extern void tns_ctx_arm (tns_ctx *ctx);

/* The region is refused (or fails, as WHY's row says) at LOC; the arguments
   fill WHY's words.  Always returns NULL, so that a stage can write
   return tns_refuse (...).  */
extern void *tns_refuse (tns_ctx *ctx, tns_loc loc, tns_why why, ...);

/* The same because of REASON.  */
extern void *tns_refuse_by (tns_ctx *ctx, const tns_remark *reason);

/* A statement at LOC stays in place because of WHY, or of REASON, another
   region's.  */
extern void tns_left (tns_ctx *ctx, tns_loc loc, tns_why why, ...);
extern void tns_left_by (tns_ctx *ctx, const tns_remark *reason);

/* The user's words at LOC cannot be met: an error, not a warning.  */
extern void *tns_error (tns_ctx *ctx, tns_loc loc, tns_why why, ...);

/* What decided CTX's verdict is an error of WORDS: what is refused had to be
   done.  */
extern void tns_insist (tns_ctx *ctx, const char *words);

/* Something to tell of what was done.  */
extern void tns_note (tns_ctx *ctx, tns_loc loc, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));

/* What was said since BEFORE, a copy of CTX, is not said.  */
extern void tns_take_back (tns_ctx *ctx, const tns_ctx *before);

/* A copy of CTX, of the same arena, in which nothing has been said and of which
   nobody hears.  */
extern tns_ctx *tns_ctx_quiet (const tns_ctx *ctx);

/* The remark that decided the verdict, or NULL when the region is done.  */
extern const tns_remark *tns_verdict (const tns_ctx *ctx);

/* Whether the stage called NAME is to be printed (dump_stages is "all" or
   a list with commas), and whether a fault is to be planted in it.  */
extern bool tns_ctx_dumps (const tns_ctx *ctx, const char *name);
extern bool tns_ctx_breaks (const tns_ctx *ctx, const char *name);

/* Where a name that has no row in fault.def stands in LIST, which is like
   break_stage; NULL: nowhere.  */
extern const char *tns_unknown_fault (const char *list);

/* Whether NAME stands in dump_stages itself: what differs from run to run is
   no part of "all".  */
extern bool tns_ctx_dumps_named (const tns_ctx *ctx, const char *name);

#endif
