/* Regions that a device may run, too: what the plugin asks.  */

#ifndef TNS_DRIVER_DEVICE_H
#define TNS_DRIVER_DEVICE_H

#include "driver/pipeline.h"
#include "lowering/devices.h"

/* A copy of CTX in which a region is planned for a device: nothing is said or
   printed of it but its kernels, and what the user has asked of loops on the
   CPU does not count.  */
extern tns_ctx *tns_device_context (const tns_ctx *ctx);

/* Note in CTX what came of RESULT, in DEVICE: kernels, or why there are none;
   what precision they use.  */
extern void tns_device_tell (tns_ctx *ctx, const tns_ctx *device,
                             const tns_result *result);

/* Note in CTX whether RESULT, planned for a device, uses the precision that the
   user allows; NULL: it is for the CPU, which does not.  */
extern void tns_precision_tell (tns_ctx *ctx, const tns_result *result);

/* Note in CTX which devices RESULT is for, where the user asks for all; NULL:
   it is for the CPU.  */
extern void tns_devices_tell (tns_ctx *ctx, const tns_result *result);

/* How many kernels RESULT has; their text; 0 and NULL: there are none.  What
   kernel K is called.  */
extern int tns_device_kernels (const tns_result *result);
extern const char *tns_device_text (const tns_result *result);
extern const char *tns_device_name (tns_ctx *ctx, const tns_result *result,
                                    int k);

/* The bytes of dynamic shared memory that a launch of kernel K of RESULT asks
   for.  */
extern int tns_device_asks (const tns_result *result, int k);

/* The name of the file that these kernels are saved in, beside BASE, the name
   of what GCC compiles: prog.c and region f:12, or what CTX says its kernels
   are named after, give prog.f_12.cu.  */
extern const char *tns_device_file (tns_ctx *ctx, const tns_result *result,
                                    const char *base);

#endif
