/* Lines of report-json whose end is known later: how kernels came out.  */

#ifndef TNS_PLUGIN_HELD_HH
#define TNS_PLUGIN_HELD_HH

#include "plugin/record.hh"

extern "C"
{
#include "driver/nvcc.h"
}

/* Append LINE, RESULT's, to FILE; where it has kernels, or an earlier one waits
   for how its kernels came out, when tns_held_write is called.  */
extern void tns_held_add (tns_ctx *ctx, const char *file, const char *line,
                          const tns_result *result);

/* Append what waits, with what NVCC knows of the kernels; NULL: nothing.  */
extern void tns_held_write (const tns_nvcc *nvcc);

#endif
