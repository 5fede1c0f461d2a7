/* Other people's profilers that are told of regions, each by a file of its own
   (tool-nvtx.c, tool-itt.c).  Not installed.

   Nothing of theirs is needed when the library is built: what they are called
   and what is passed to them are declared again here, by their binary
   interfaces.  */

#ifndef TRM_TOOL_H
#define TRM_TOOL_H

#include "runtime.h"

/* Look for the profiler: one that the environment names, or else one that is
   installed; whether it is there.  Called once.  */
extern bool trm_nvtx_open (void);
extern bool trm_itt_open (void);

/* SITE begins in the calling thread; false when that could not be told.  What
   began last ends.  */
extern bool trm_nvtx_begin (const trm_site *site);
extern void trm_nvtx_end (void);
extern bool trm_itt_begin (const trm_site *site);
extern void trm_itt_end (void);

/* The variables that name them.  */
#define TRM_NVTX_VARIABLE "NVTX_INJECTION64_PATH"
#define TRM_ITT_VARIABLE  "INTEL_LIBITTNOTIFY64"

/* tool.c: the library at PATH, for dlsym; it stays.  NULL when there is none.
   Tell that the profiler at PATH, which the environment names, is of no
   use.  */
extern void *trm_tool_library (const char *path);
extern void trm_tool_complain (const char *path);

#endif
