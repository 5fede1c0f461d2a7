/* The kernels of the translation unit, compiled, as plugin/fatbin.hh says.

     PLUGIN_ALL_IPA_PASSES_START
       all functions are read; none is put out, nor what link-time optimisation
       keeps of them: one run of nvcc, and the unit becomes what it is
     PLUGIN_FINISH
       what waits to be told of kernels is told where errors kept the passes
       from beginning

   Where there are no kernels nothing is done, nor looked for.  Without an image
   the program compiles the text when it first runs a kernel.  */

#include "plugin/fatbin.hh"

#include "lowering/device-unit.hh"
#include "plugin/held.hh"
#include "plugin/report.hh"

/* What the user has asked for.  */
static tns_options *asked;

/* The arena's memory is gone.  */
static void
no_memory (void *)
{
  xmalloc_failed (0);
}

/* Tell why there is no image.  */
static void
tell (tns_nvcc_verdict verdict, const char *words)
{
  if (asked->report == TNS_REPORT_NONE)
    return;
  tns_arena *arena = tns_arena_new (tns_allocator_malloc ());
  const char *told = tns_arena_format (
    arena, "kernels are compiled when the program runs: %s", words);
  if (verdict == TNS_NVCC_FAULT)
    tns_report_warn (tns_unit_place (), told);
  else
    inform (tns_unit_place (), "%s", told);
  tns_arena_free (arena);
}

/* The user wants no nvcc.  */
static bool
wants_none (void)
{
  return asked->cuda_arch && !strcmp (asked->cuda_arch, "none");
}

/* Compile the unit's text, and tell where that cannot be.  */
static void
compile (tns_arena *arena, tns_nvcc *nvcc)
{
  nvcc->text = tns_unit_text (arena);
  nvcc->options = tns_unit_options ();
  nvcc->archs = asked->cuda_arch;
  nvcc->groups = tns_unit_has_groups ();
  if (wants_none ())
    return;
  tns_nvcc_verdict verdict = tns_nvcc_compile (arena, nvcc);
  if (verdict != TNS_NVCC_DONE)
    tell (verdict, nvcc->words);
}

/* PLUGIN_ALL_IPA_PASSES_START.  */
static void
on_passes (void *, void *)
{
  tns_nvcc nvcc = {};
  if (tns_unit_is_used ())
    {
      tns_arena *arena = tns_arena_new (tns_allocator_malloc ());
      tns_arena_on_no_memory (arena, no_memory, NULL);
      compile (arena, &nvcc);
      tns_unit_finish (arena, nvcc.image, nvcc.bytes);
      tns_held_write (&nvcc);
      tns_arena_free (arena);
    }
  tns_held_write (NULL);
}

/* PLUGIN_FINISH.  */
static void
on_finish (void *, void *)
{
  tns_held_write (NULL);
}

void
tns_fatbin_register (const char *plugin_name, tns_options *options)
{
  asked = options;
  tns_unit_register (plugin_name);
  register_callback (plugin_name, PLUGIN_ALL_IPA_PASSES_START, on_passes, NULL);
  register_callback (plugin_name, PLUGIN_FINISH, on_finish, NULL);
}
