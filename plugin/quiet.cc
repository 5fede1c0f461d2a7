/* Warnings that are off while a pass looks at a function that was written, as
   plugin/quiet.hh says.  */

#include "plugin/gcc.hh"
#include "plugin/quiet.hh"

/* The warnings, as the user asked for them while they are off.  */
static struct
{
  int *asked;
  int kept;
} warnings[] = {
  { &global_options.x_warn_aggressive_loop_optimizations, 0 },
  { &global_options.x_warn_array_bounds, 0 },
  { &global_options.x_warn_maybe_uninitialized, 0 },
  { &global_options.x_warn_restrict, 0 },
  { &global_options.x_warn_stringop_overflow, 0 },
  { &global_options.x_warn_stringop_overread, 0 },
};

static bool are_off;

/* No name of C's has a point.  */
bool
tns_quiet_is_written (tree fn)
{
  return fn && DECL_ARTIFICIAL (fn) && DECL_NAME (fn)
         && strstr (IDENTIFIER_POINTER (DECL_NAME (fn)), ".tensor.");
}

/* PLUGIN_PASS_EXECUTION.  */
static void
on_pass (void *, void *)
{
  bool is_off = tns_quiet_is_written (current_function_decl);
  if (is_off == are_off)
    return;
  are_off = is_off;
  for (auto &w : warnings)
    if (is_off)
      {
        w.kept = *w.asked;
        *w.asked = 0;
      }
    else
      *w.asked = w.kept;
}

void
tns_quiet_register (const char *plugin_name)
{
  register_callback (plugin_name, PLUGIN_PASS_EXECUTION, on_pass, NULL);
}
