/* Regions that a device may run, too: driver/device.h.

   The region is read again and goes through the same stages, with another
   machine (schedule/machine.h); what comes out stands in front of what the CPU
   runs, which is the other branch.  */

#include "driver/device.h"

#include <string.h>

#include "base/section.h"
#include "lowering/cuda.h"
#include "lowering/grid.h"
#include "schedule/machine.h"

tns_ctx *
tns_device_context (const tns_ctx *ctx)
{
  tns_ctx *device = TNS_NEW (ctx->arena, tns_ctx);
  tns_wish none = tns_wish_default ();
  *device = *ctx;
  device->host = ctx->machine;
  device->machine = tns_machine_find ("cuda");
  device->remarks = NULL;
  device->last_remark = NULL;
  device->status = TNS_DONE;
  device->plan_text = NULL;
  if (!tns_ctx_dumps (ctx, "cuda") && !tns_ctx_dumps (ctx, "plan"))
    device->dump = NULL;
  device->wish.tile = none.tile;
  device->wish.simd = none.simd;
  device->wish.parallel = none.parallel;
  device->wish.unroll = none.unroll;
  device->wish.interchange = none.interchange;
  device->wish.require = none.require;
  return device;
}

int
tns_device_kernels (const tns_result *result)
{
  return result->grid ? result->grid->n : 0;
}

const char *
tns_device_text (const tns_result *result)
{
  return result->grid ? result->grid->text : NULL;
}

const char *
tns_device_name (tns_ctx *ctx, const tns_result *result, int k)
{
  return tns_cuda_name (ctx->arena, &result->grid->kernel[k]);
}

int
tns_device_asks (const tns_result *result, int k)
{
  return result->grid->kernel[k].stages.bytes;
}

const char *
tns_device_file (tns_ctx *ctx, const tns_result *result, const char *base)
{
  const char *slash = strrchr (base, '/');
  const char *dot = strrchr (slash ? slash : base, '.');
  int length = dot ? (int) (dot - base) : (int) strlen (base);
  const char *name = ctx->kernels ? ctx->kernels : result->grid->region->name;
  return tns_arena_format (ctx->arena, "%.*s.%s.cu", length, base,
                           tns_cuda_identifier (ctx->arena, name));
}

void
tns_precision_tell (tns_ctx *ctx, const tns_result *result)
{
  const char *word = tns_precision_word (ctx->wish.precision);
  bool uses = result && result->grid && tns_grid_has_matrices (result->grid);
  if (uses)
    tns_note (ctx, ctx->wish.loc, "tensor cores, %s", word);
  else if (ctx->wish.precision)
    tns_note (ctx, ctx->wish.loc, "nothing uses precision(%s)", word);
}

void
tns_devices_tell (tns_ctx *ctx, const tns_result *result)
{
  const tns_shared *share = result && result->grid ? result->share : NULL;
  if (share && !share->words)
    tns_note (ctx, ctx->wish.loc, "shared by all devices");
  else if (share)
    tns_note (ctx, ctx->wish.loc, "for one device: %s", share->words);
  else if (ctx->wish.devices)
    tns_note (ctx, ctx->wish.loc, "nothing uses devices(all)");
}

void
tns_device_tell (tns_ctx *ctx, const tns_ctx *device, const tns_result *result)
{
  int n = tns_device_kernels (result);
  const tns_remark *reason = tns_verdict (device);
  int of_several = result && result->grid ? tns_grid_joint (result->grid) : 0;
  if (of_several > 0)
    tns_note (ctx, ctx->wish.loc, "%d kernel%s for CUDA, %d of several nests",
              n, n == 1 ? "" : "s", of_several);
  else if (n > 0)
    tns_note (ctx, ctx->wish.loc, "%d kernel%s for CUDA", n, n == 1 ? "" : "s");
  else
    tns_note (ctx, ctx->wish.loc, "for the CPU alone: %s",
              reason ? reason->words : "nothing was found for a device");
  tns_precision_tell (ctx, result);
  tns_devices_tell (ctx, result);
}
