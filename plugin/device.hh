/* Kernels that the user wants to see.  */

#ifndef TNS_PLUGIN_DEVICE_HH
#define TNS_PLUGIN_DEVICE_HH

#include "plugin/gcc.hh"

extern "C"
{
#include "driver/device.h"
}

/* Where the user's command has -save-temps, write RESULT's kernels to
   NAME.REGION.cu beside what GCC saves.  */
extern void tns_device_save (tns_ctx *ctx, const tns_result *result);

#endif
