/* Kernels that the user wants to see: plugin/device.hh.

   -save-temps never reaches the compiler proper: the driver names it in
   COLLECT_GCC_OPTIONS, each option between quotes.  */

#include "plugin/device.hh"
#include "plugin/own-name.hh"
#include "plugin/report.hh"

const char *
tns_kernels_name (tns_ctx *ctx, tree fndecl)
{
  static vec<char *> names = vNULL;
  const char *name = tns_region_name (ctx, fndecl);
  return tns_own_name (ctx->arena, &names, name);
}

/* The user's command has -save-temps.  */
static bool
saves_temps (void)
{
  const char *options = getenv ("COLLECT_GCC_OPTIONS");
  return options && strstr (options, "'-save-temps");
}

void
tns_device_save (tns_ctx *ctx, const tns_result *result)
{
  if (!saves_temps ())
    return;
  const char *base = dump_base_name ? dump_base_name : "a";
  const char *name = tns_device_file (ctx, result, base);
  FILE *file = fopen (name, "w");
  bool right = file && fputs (tns_device_text (result), file) >= 0;
  if (!file || fclose (file) != 0 || !right)
    error ("cannot write to %qs: %m", name);
}
