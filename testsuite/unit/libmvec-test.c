/* Every symbol that the table of libmvec names is in the library of this
   machine, where it has one; what the table lacks is not claimed.  */

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "lowering/libmvec.h"

/* Whether LIBRARY has all forms of OP on ELEM.  */
static int
count_missing (tns_arena *arena, void *library, tns_op op, tns_elem elem)
{
  static const struct
  {
    char isa;
    int bytes;
  } forms[] = { { 'b', 16 }, { 'c', 32 }, { 'd', 32 }, { 'e', 64 } };
  int missing = 0;
  for (unsigned k = 0; k < sizeof forms / sizeof *forms; k++)
    {
      int lanes = forms[k].bytes / tns_elem_bytes (elem);
      const char *symbol
        = tns_vector_math_symbol (arena, op, elem, lanes, forms[k].isa);
      if (!symbol == tns_vector_math_exists (op, elem, lanes))
        missing++;
      if (symbol && library && !dlsym (library, symbol))
        {
          fprintf (stderr, "FAIL: there is no %s\n", symbol);
          missing++;
        }
    }
  return missing;
}

int
main (void)
{
  tns_arena *arena = tns_arena_new (tns_allocator_malloc ());
  void *library = dlopen ("libmvec.so.1", RTLD_NOW);
  int failures = 0;
  for (int op = 0; op < TNS_N_OPS; op++)
    {
      failures += count_missing (arena, library, (tns_op) op, TNS_F32);
      failures += count_missing (arena, library, (tns_op) op, TNS_F64);
    }
  const char *name = tns_vector_math_symbol (arena, TNS_ATAN2, TNS_F32, 8, 'd');
  failures += !name || strcmp (name, "_ZGVdN8vv_atan2f") != 0;
  failures += tns_vector_math_exists (TNS_FMOD, TNS_F64, 4);
  failures += tns_vector_math_exists (TNS_EXP, TNS_F32, 2);
  failures += tns_vector_math_exists (TNS_EXP, TNS_I32, 4);
  tns_arena_free (arena);
  return failures != 0;
}
