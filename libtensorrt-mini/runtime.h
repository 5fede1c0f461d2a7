/* What the runtime's own files share.  Not installed.  */

#ifndef TRM_RUNTIME_H
#define TRM_RUNTIME_H

#include <stdbool.h>
#include <stdio.h>

#include "abi.h"
#include "tensorrt-mini.h"

/* What TRM_PROFILE asks for (profile-wish.c).

   asked, file   the outputs, and where they go; a table to stderr when file is
                 NULL
   sample        ask now and then where the process is (sample.c)
   memory        keep who holds memory (profile-holders.c)
   counters      read the processor's counters (counters.c)
   ranges        tell other profilers of regions (tool.c)
   peaks         measure what the machine reaches, at exit
   shapes        keep calls of other sizes apart (profile-given.c)
   order, by     the order of rows, and what a row is
   unknown       the first word that was not known, "" when all were  */
typedef enum trm_output
{
  TRM_TABLE,
  TRM_JSON,
  TRM_TRACE,
  TRM_HTML,
  TRM_DOT,
  TRM_SAMPLE,
  TRM_MEMORY,
  TRM_TRANSFERS,
  TRM_OUTPUTS
} trm_output;

typedef enum trm_order
{
  TRM_SORT_SELF,
  TRM_SORT_TOTAL,
  TRM_SORT_MEAN,
  TRM_SORT_CALLS,
  TRM_SORT_ALLOCATED,
  TRM_SORT_NAME
} trm_order;

typedef enum trm_group
{
  TRM_BY_REGION,
  TRM_BY_NAME,
  TRM_BY_LINE,
  TRM_BY_FILE,
  TRM_BY_SHAPE
} trm_group;

typedef struct trm_wish
{
  bool asked[TRM_OUTPUTS];
  char *file[TRM_OUTPUTS];
  bool sample;
  bool memory;
  bool counters;
  bool ranges;
  bool peaks;
  bool shapes;
  trm_order order;
  trm_group by;
  char unknown[40];
} trm_wish;

/* The wish that TEXT, a list with commas, stands for, in *WISH; false when a
   word of it is not known, or there is no memory.  Free what *WISH holds.
   Whether anything is to be written.  */
extern bool trm_wish_read (const char *text, trm_wish *wish);
extern void trm_wish_free (trm_wish *wish);
extern bool trm_wish_writes (const trm_wish *wish);

/* What the process's environment asks for.

   mode          TRM_MODE: original, fused or check
   profile       TRM_PROFILE
   verbose       TRM_VERBOSE=1
   tolerance     TRM_TOLERANCE: units in the last place that a floating
                 element may differ by (check.c)
   gradcheck, gradcheck_all  TRM_GRADCHECK=1 or all; all
   gradcheck_name  the gradient, or function, that is meant; NULL: any
   device        TRM_DEVICE: cpu, cuda or cuda:N; NULL: as it pays  */
typedef struct trm_settings
{
  trm_mode mode;
  trm_wish profile;
  bool verbose;
  double tolerance;
  bool gradcheck;
  bool gradcheck_all;
  const char *gradcheck_name;
  const char *device;
} trm_settings;

/* The settings, read from the environment by the first call.  */
extern const trm_settings *trm_env (void);

/* A region call under way in this thread.

   epoch     of the state when it began; a call of an older epoch is dropped
   begin     ticks when it began
   entered   the shared clock (profile-share.c) when it last began to run itself
   self      ticks of the shared clock that are its own so far
   node      its place in the thread's tree
   asked     TRM_RUN_ bits that trm_enter returned
   counted   its time is kept
   inside    it began inside a call that is counted
   fell_back the fused version was asked for and did not take the call
   told      which other profilers know of it (tool.c)
   reads     1: cpu, 2: also count were read when it began (profile-call.c)
   copies    what check mode keeps of its memory, or NULL
   counts    what it is counted for: the site, or one of its trm_sizes  */
typedef struct trm_frame
{
  trm_site *site;
  trm_site *counts;
  long epoch;
  int64_t begin;
  double entered;
  double self;
  int32_t node;
  int16_t asked;
  bool counted;
  bool inside;
  bool fell_back;
  int8_t told;
  int8_t reads;
  struct trm_copies *copies;
  int64_t cpu;
  int64_t count[3];
} trm_frame;

/* What the runtime keeps of a site besides the site and its counts: calls under
   check mode, its name for tool-itt.c; the sizes of its calls.  Lives as long
   as the process.  */
typedef struct trm_own
{
  struct trm_sizes *sizes;
  struct trm_sizes *recent;
  int64_t checked;
  int64_t differ;
  int64_t unchecked;
  void *handle;
} trm_own;

/* Bits of trm_site.flags that the runtime sets: not a region but a range of the
   user's (profile-range.c); a region of the runtime's own kernels; a trm_sizes,
   which stands for calls of a region (profile-given.c).  */
#define TRM_SITE_RANGE (1 << 30)
#define TRM_SITE_OWN   (1 << 29)
#define TRM_SITE_SIZES (1 << 28)

/* The newest site; the others follow by next.  */
extern trm_site *trm_sites (void);

/* SITE's trm_own; NULL when there is no memory.  */
extern trm_own *trm_site_own (const trm_site *site);

/* Whether the fused and the original version of SITE may be chosen.  */
extern bool trm_site_has_choice (const trm_site *site);

/* Make SITE known, and give it its state.  */
extern void trm_site_add (trm_site *site);

/* Let what was asked for be written at exit.  */
extern void trm_finish_at_exit (void);

/* Let every site's state follow from the mode, from whether calls are
   counted, and from the site's flags.  Calls under way are forgotten.  */
extern void trm_sites_update (void);

/* trm_scratch_get and trm_scratch_put (abi.h) of what the library needs itself:
   not a region's temporary.  How many blocks came from the system so far.  */
extern void *trm_block_get (int64_t bytes);
extern void trm_block_put (void *memory);

/* sample.c: the instruction at which a signal's CONTEXT was interrupted; NULL
   where that is not known.  */
extern void *trm_context_address (const void *context);

/* pages.c: BYTES bytes in whole pages, zeros, NULL when there are none; give
   them back; how many bytes these pages have.  */
extern void *trm_pages_get (int64_t bytes);
extern void trm_pages_put (void *at, int64_t bytes);
extern int64_t trm_pages_bytes (int64_t bytes);
extern int64_t trm_scratch_from_system (void);

/* Nanoseconds of a clock that only goes forward.  */
extern int64_t trm_now (void);

/* Which calls belong together: the number changes when calls under way are
   forgotten (trm_profile_forget).  */
extern long trm_profile_epoch (void);
extern void trm_profile_forget (void);

/* Whether calls are counted; with their sizes.  Begin the wall clock and count
   when the environment asks, before the first site; what is written at
   exit.  */
extern bool trm_profile_on (void);
extern bool trm_profile_shapes (void);
extern void trm_profile_begin (void);
extern void trm_profile_finish (void);

/* Add up each site's calls, in the site.  */
extern void trm_profile_sum_calls (void);

/* The memory of tensors grew by BYTES to ALL bytes, which begins a block, or
   shrank by as much; to be called while trm_memory_watched is not 0.  What the
   first gives is kept with the block, for the second.  The same of a region's
   temporaries, while trm_memory_watched is 2.  */
extern int trm_memory_watched;
extern int32_t trm_memory_more (int64_t bytes, int64_t all);
extern void trm_memory_less (int64_t bytes, int64_t all, int32_t holder);
extern int32_t trm_temporary_more (int64_t bytes);
extern void trm_temporary_less (int64_t bytes, int32_t holder);

/* Check mode's part in a call of SITE: room for two copies of SPAN[0..n) and
   the first copy, NULL when there is no memory; keep the fused results and put
   the inputs back; compare and report.  */
typedef struct trm_copies trm_copies;
extern trm_copies *trm_check_begin (const trm_site *site, const trm_span *span,
                                    int n);
extern void trm_check_between (const trm_site *site, trm_copies *copies);
extern void trm_check_compare (trm_site *site, const trm_copies *copies);
extern void trm_check_free (trm_copies *copies);

/* Copy BYTES from FROM to TO; false when some of them are not there.  */
extern bool trm_copy_if_there (void *to, const void *from, size_t bytes);

/* cuda-fall.c, cuda-kernels.c and cuda-ledger.c: which regions ran on a CUDA
   device and which, that could have, did not; the kernels there; the copies
   from and to it.  */
extern void trm_cuda_falls_print (FILE *file);
extern void trm_cuda_kernels_print (FILE *file);
extern void trm_cuda_ledger (FILE *file);

/* The summaries of TRM_GRADCHECK and of check mode, and what TRM_VERBOSE tells,
   to stderr.  */
extern void trm_gradcheck_finish (void);
extern void trm_check_finish (void);
extern void trm_verbose_finish (void);

#endif
