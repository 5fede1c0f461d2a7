/* What the runtime's own files share.  Not installed.  */

#ifndef TRM_RUNTIME_H
#define TRM_RUNTIME_H

#include <stdbool.h>
#include <stdio.h>

#include "abi.h"
#include "tensorrt-mini.h"

/* What the process's environment asks for.

   mode          TRM_MODE: original, fused or check
   table, json   TRM_PROFILE=table or json:FILE
   profile_file  where the profile goes; NULL is stderr
   verbose       TRM_VERBOSE=1
   tolerance     TRM_TOLERANCE: units in the last place that a floating
                 element may differ by (check.c)
   gradcheck, gradcheck_all  TRM_GRADCHECK=1 or all; all
   gradcheck_name  the gradient, or function, that is meant; NULL: any  */
typedef struct trm_settings
{
  trm_mode mode;
  bool table;
  bool json;
  const char *profile_file;
  bool verbose;
  double tolerance;
  bool gradcheck;
  bool gradcheck_all;
  const char *gradcheck_name;
} trm_settings;

/* The settings, read from the environment by the first call.  */
extern const trm_settings *trm_env (void);

/* A region call under way in this thread.

   epoch     of the state when it began; a call of an older epoch is dropped
   begin     nanoseconds when it began
   entered   the shared clock (profile.c) when it last began to run itself
   self      nanoseconds of the shared clock that are its own so far
   counted   its time is kept
   asked     TRM_RUN_ bits that trm_enter returned
   copies    what check mode keeps of its memory, or NULL
   fell_back the fused version was asked for and did not take the call  */
typedef struct trm_frame
{
  trm_site *site;
  long epoch;
  int64_t begin;
  double entered;
  double self;
  bool counted;
  int asked;
  struct trm_copies *copies;
  bool fell_back;
} trm_frame;

/* What the runtime keeps of a site besides the site: self is nanoseconds of
   the shared clock; checked, differ, unchecked are calls under check mode.
   Of a site compiled with profile also nanoseconds: first, least and most of
   a call; fallback, all of the calls that fell back.  Lives as long as the
   process.  */
typedef struct trm_own
{
  double self;
  int64_t first;
  int64_t least;
  int64_t most;
  int64_t fallback;
  int64_t checked;
  int64_t differ;
  int64_t unchecked;
} trm_own;

/* The newest site; the others follow by next.  */
extern trm_site *trm_sites (void);

/* SITE's trm_own; NULL when there is no memory.  */
extern trm_own *trm_site_own (const trm_site *site);

/* Whether the fused and the original version of SITE may be chosen.  */
extern bool trm_site_has_choice (const trm_site *site);

/* Let every site's state follow from the mode, from whether calls are
   counted, and from the site's flags.  Calls under way are forgotten.  */
extern void trm_sites_update (void);

/* Nanoseconds of a clock that only goes forward.  */
extern int64_t trm_now (void);

/* Which calls belong together: the number changes when calls under way are
   forgotten (trm_profile_forget).  */
extern long trm_profile_epoch (void);
extern void trm_profile_forget (void);

/* The profile's part of a call: FRAME begins inside OUTER (NULL when it is
   the thread's outermost), and ends.  NESTED: the same site is under way in
   an outer frame, so the total time is not added to twice.  */
extern void trm_profile_enter (trm_frame *frame, trm_frame *outer);
extern void trm_profile_leave (trm_frame *frame, trm_frame *outer, bool nested);

/* Whether calls are counted.  Begin the wall clock and count when the
   environment asks, before the first site; what is written at exit.  */
extern bool trm_profile_on (void);
extern void trm_profile_begin (void);
extern void trm_profile_finish (void);

/* What was counted up to one moment, nanoseconds: wall = outside + the
   sites' self + under_way.  row[0..n) are the sites that were called, most
   self time first; free (row) is the caller's.  */
typedef struct trm_profile
{
  double wall;
  double outside;
  double under_way;
  int n;
  trm_site **row;
} trm_profile;
extern trm_profile trm_profile_take (void);

/* The self time of SITE in nanoseconds.  PROFILE as a table and as one JSON
   object.  */
extern double trm_site_self (const trm_site *site);
extern void trm_profile_table (FILE *file, const trm_profile *profile);
extern void trm_profile_json (FILE *file, const trm_profile *profile);

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

/* The summaries of TRM_GRADCHECK and of check mode, and what TRM_VERBOSE tells,
   to stderr.  */
extern void trm_gradcheck_finish (void);
extern void trm_check_finish (void);
extern void trm_verbose_finish (void);

#endif
