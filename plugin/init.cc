/* The plug-in begins: version, options, callbacks.  */

#include "plugin/gcc.hh"
#include "plugin/derivative.hh"
#include "plugin/derive.hh"
#include "plugin/fatbin.hh"
#include "lowering/generic.hh"
#include "plugin/keep-derived.hh"
#include "plugin/keep.hh"
#include "plugin/options.hh"
#include "plugin/quiet.hh"
#include "plugin/unnest.hh"
#include "plugin/walk.hh"
#include "pragmas/register.hh"

int plugin_is_GPL_compatible;

/* The options; they live as long as the compilation.  */
static tns_options options;

/* PLUGIN_PRAGMAS.  */
static void
on_pragmas (void *, void *)
{
  tns_pragmas_register (&options);
}

/* PLUGIN_PRE_GENERICIZE.  */
static void
on_function (void *fndecl, void *)
{
  if (TREE_CODE ((tree) fndecl) == FUNCTION_DECL)
    tns_walk_function ((tree) fndecl, &options);
}

/* The front end is that of C: the others load us with the same command line,
   and but for lto1, which may be given functions that we wrote, have no use for
   us.  */
static bool
is_c (void)
{
  const char *name = lang_hooks.name;
  return !strncmp (name, "GNU C", 5) && name[5] != '+';
}

/* The compiler is that of link-time optimisation.  */
static bool
is_lto (void)
{
  return !strcmp (lang_hooks.name, "GNU GIMPLE");
}

/* Called by GCC.  */
int
plugin_init (struct plugin_name_args *self, struct plugin_gcc_version *gcc)
{
  static struct plugin_info about
    = { TNS_VERSION, "tensor: loops under #pragma tensor, fused and tiled" };
  if (is_lto ())
    tns_unnest_register (self->base_name);
  if (!is_c ())
    return 0;
  if (!plugin_default_version_check (gcc, &gcc_version))
    {
      error ("plug-in %qs was built for GCC %s, this is GCC %s",
             self->base_name, gcc_version.basever, gcc->basever);
      return 1;
    }
  tns_options_read (&options, self->argc, self->argv);
  register_callback (self->base_name, PLUGIN_INFO, NULL, &about);
  register_callback (self->base_name, PLUGIN_PRAGMAS, on_pragmas, NULL);
  register_callback (self->base_name, PLUGIN_PRE_GENERICIZE, on_function, NULL);
  tns_keep_register (self->base_name);
  tns_keep_derived_register (self->base_name);
  tns_derive_register (self->base_name);
  tns_derivative_register (self->base_name);
  tns_fatbin_register (self->base_name, &options);
  tns_generic_register (self->base_name);
  tns_quiet_register (self->base_name);
  tns_unnest_register (self->base_name);
  return 0;
}
