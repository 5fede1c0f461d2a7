/* The kernels of a translation unit on a device, made when one of them is
   first to run there:

     image    what the compiler embedded: the driver takes the part for the
              device, or compiles PTX
     text     where that is refused, or there is none: from the cache, or by
              NVRTC, which fills the cache

   A unit that failed for good is not tried again.  */

#include "cuda-unit.h"

#include <stdlib.h>
#include <string.h>

/* What the cache calls UNIT's code by NVRTC.  */
static void
make_key (const trm_cuda_unit *unit, const trm_nvrtc *nvrtc, char *key)
{
  trm_sha256 h;
  char made_by[80];
  int n = snprintf (made_by, sizeof made_by, "%d %s %s", nvrtc->version,
                    nvrtc->format, nvrtc->option);
  trm_sha256_begin (&h);
  trm_sha256_add (&h, made_by, (size_t) n + 1);
  trm_sha256_add (&h, unit->options, strlen (unit->options) + 1);
  trm_sha256_add (&h, unit->text, strlen (unit->text) + 1);
  trm_sha256_end (&h, key);
}

/* Load IMAGE into CODE's module.  */
static bool
load_image (trm_cuda_code *code, const void *image)
{
  return TRM_CALL (NOT_LOADED, ModuleLoadData, &code->module, image);
}

/* Load what the cache has by KEY.  */
static bool
load_cached (trm_cuda_code *code, const char *key)
{
  void *image;
  size_t bytes;
  if (!trm_cuda_cache_get (key, &image, &bytes))
    return false;
  bool loaded = load_image (code, image);
  free (image);
  if (!loaded && !trm_cuda.sticky && trm_cuda.why != TRM_CUDA_NO_MEMORY)
    trm_cuda_forget_fault ();
  return loaded;
}

/* Compile UNIT's text, load it, and keep it by KEY.  */
static bool
load_compiled (const trm_cuda_unit *unit, trm_cuda_code *code, const char *key)
{
  void *image;
  size_t bytes;
  if (!trm_nvrtc_compile (unit->text, unit->options, &image, &bytes))
    return false;
  bool loaded = load_image (code, image);
  if (loaded)
    trm_cuda_cache_put (key, image, bytes);
  free (image);
  return loaded;
}

/* Load UNIT's text.  */
static bool
load_text (const trm_cuda_unit *unit, trm_cuda_code *code)
{
  char key[65];
  if (trm_cuda.sticky)
    return false;
  const trm_nvrtc *nvrtc = trm_nvrtc_open ();
  if (!nvrtc)
    return false;
  make_key (unit, nvrtc, key);
  return load_cached (code, key)
         || (!trm_cuda.why && load_compiled (unit, code, key));
}

/* Load UNIT's image, or else its text.  */
static bool
load_module (const trm_cuda_unit *unit, trm_cuda_code *code)
{
  if (unit->image && load_image (code, unit->image))
    return true;
  if (trm_cuda.why == TRM_CUDA_NO_MEMORY || trm_cuda.sticky)
    return false;
  trm_cuda_forget_fault ();
  return load_text (unit, code);
}

/* Find all of UNIT's kernels.  */
static bool
find_kernels (const trm_cuda_unit *unit, trm_cuda_code *code)
{
  code->n = unit->n_kernels;
  for (intptr_t i = 0; i < unit->n_kernels; i++)
    code->kernel[i].name = unit->names[i];
  for (intptr_t i = 0; i < unit->n_kernels; i++)
    if (!TRM_CALL (NOT_LOADED, ModuleGetFunction, &code->kernel[i].function,
                   code->module, unit->names[i]))
      return false;
  return true;
}

/* UNIT's code, made now; NULL with a fault when there is no memory.  */
static trm_cuda_code *
make_code (const trm_cuda_unit *unit)
{
  size_t bytes = (size_t) unit->n_kernels * sizeof (trm_cuda_kernel);
  trm_cuda_code *code = calloc (1, sizeof *code + bytes);
  if (!code)
    {
      trm_cuda_fault (TRM_CUDA_NO_HOST_MEMORY, "for the kernels");
      return NULL;
    }
  code->gpu = trm_cuda_here;
  if (load_module (unit, code) && find_kernels (unit, code))
    {
      trm_cuda_keep_code (code);
      return code;
    }
  code->why = trm_cuda.why;
  memcpy (code->words, trm_cuda.words, sizeof code->words);
  return code;
}

/* What is known of UNIT on the device; NULL: nothing yet.  */
static trm_cuda_code *
find_code (const trm_cuda_unit *unit)
{
  trm_cuda_code *code = unit->own;
  while (code && code->gpu != trm_cuda_here)
    code = code->beside;
  return code;
}

/* Know CODE of UNIT from now on.  */
static void
know_code (trm_cuda_unit *unit, trm_cuda_code *code)
{
  code->beside = unit->own;
  unit->own = code;
}

trm_cuda_code *
trm_cuda_load (trm_cuda_unit *unit)
{
  trm_cuda_code *known = find_code (unit);
  trm_cuda_code *code = known ? known : make_code (unit);
  if (!code)
    return NULL;
  bool passes
    = code->why == TRM_CUDA_NO_MEMORY || code->why == TRM_CUDA_NO_HOST_MEMORY;
  if (code->why)
    trm_cuda_fault (code->why, "%s", code->words);
  bool is_there = !code->why;
  if (!known && !passes)
    know_code (unit, code);
  else if (!known)
    free (code);
  return is_there ? code : NULL;
}
