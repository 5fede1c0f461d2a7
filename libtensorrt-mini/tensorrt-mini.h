/* tensorrt-mini: what a program may ask of the runtime of #pragma tensor.

     trm-tensor.h  tensors, views, copies, random numbers
     trm-op.h      operations on them
     trm-tape.h    gradients of what ran
     trm-file.h    .npy, .npz, safetensors, CSV, pictures
     trm-train.h   layers, optimisers, data, checkpoints
     trm-bench.h   how long calls take
     trm-exchange.h  tensors of other libraries
     trm-load.h    operations that come at run time, calls beside
     here          modes and counters of regions

   A program needs none of the latter: the environment (TRM_MODE, TRM_PROFILE,
   TRM_VERBOSE, TRM_TOLERANCE, TRM_GRADCHECK) does the same from outside.
   Every function may be called from any thread.  Nothing here exits or
   aborts.

   A shared object that holds regions must not be unloaded (dlclose) while
   the process runs: the runtime keeps pointers to its regions.  */

#ifndef TENSORRT_MINI_H
#define TENSORRT_MINI_H

#include <stdio.h>

#include "trm-bench.h"
#include "trm-exchange.h"
#include "trm-file.h"
#include "trm-load.h"
#include "trm-op.h"
#include "trm-tape.h"
#include "trm-tensor.h"
#include "trm-train.h"

#ifdef __cplusplus
extern "C"
{
#endif
#pragma GCC visibility push(default)

#define TRM_VERSION_MAJOR 0
#define TRM_VERSION_MINOR 1
#define TRM_VERSION       "0.1"

  /* The version of the library that is loaded, as TRM_VERSION.  */
  extern const char *trm_version (void);

  /* Which version of a region runs.  Only regions compiled with check have
   the choice; the others always run fused.

   TRM_MODE_FUSED     the loops as the compiler arranged them
   TRM_MODE_ORIGINAL  the loops as written
   TRM_MODE_CHECK     both, on the same inputs; differences go to stderr  */
  typedef enum trm_mode
  {
    TRM_MODE_FUSED,
    TRM_MODE_ORIGINAL,
    TRM_MODE_CHECK
  } trm_mode;

  /* The mode, and a new one, from the next call of each region on.  Calls
   under way in other threads finish as they began and are not counted.  */
  extern trm_mode trm_mode_get (void);
  extern void trm_mode_set (trm_mode mode);

  /* How many CUDA devices there are that regions may run on.  Those of the
   calling thread run on device NUMBER from here on, in place of the one that
   TRM_DEVICE names; data blocks that begin keep their arrays there.  What
   another device has is copied when it is used.  TRM_NOT_HERE without any,
   TRM_BAD_ARGUMENT without that one.  */
  extern int trm_devices (void);
  extern trm_status trm_device (int number);

  /* Forget what was counted and count calls, time, operations and bytes of
   every region from here on; and stop counting.  Off by default, on from
   the start under TRM_PROFILE.  */
  extern void trm_profile_start (void);
  extern void trm_profile_stop (void);

  /* Forget what was counted; the wall clock begins anew.  */
  extern void trm_profile_reset (void);

  /* Write the table of what was counted so far to FILE.  */
  extern void trm_profile_print (FILE *file);

  /* WHAT is a list of words as TRM_PROFILE takes them: table:FILE, json:FILE,
   trace:FILE, html:FILE, dot:FILE, sample:FILE, memory:FILE, counters, ranges,
   peaks, sort=ORDER, by=GROUP.  Ask for it in place of what the environment
   asks for: what it needs besides times is recorded, and it is written at exit.
   Write it now, of what was counted and recorded so far.
   Fail with TRM_BAD_ARGUMENT, TRM_NO_FILE.  */
  extern trm_status trm_profile_ask (const char *what);
  extern trm_status trm_profile_write (const char *what);

  /* What the calling thread does from here to the end of NAME is counted as a
   call of a region NAME; ranges nest.  NAME is copied; there may be 1024 of
   them.  Cheap while nothing is counted.  */
  extern trm_status trm_profile_range_begin (const char *name);
  extern void trm_profile_range_end (const char *name);

  /* How many region calls check mode found to differ since the start.  */
  extern long trm_check_differences (void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
