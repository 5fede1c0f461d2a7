/* Kernels that the user wants to see.  */

#ifndef TNS_PLUGIN_DEVICE_HH
#define TNS_PLUGIN_DEVICE_HH

#include "plugin/gcc.hh"

extern "C"
{
#include "driver/device.h"
}

/* What the kernels of CTX's region, in FNDECL, are named after: no others in
   the program are.  */
extern const char *tns_kernels_name (tns_ctx *ctx, tree fndecl);

/* Where the user's command has -save-temps, write RESULT's kernels to
   NAME.REGION.cu beside what GCC saves.  */
extern void tns_device_save (tns_ctx *ctx, const tns_result *result);

#endif
