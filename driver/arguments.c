/* Arrays with seeded contents, and values by name.

   An array's contents follow from the seed and its name by a sequence of
   their own, so that adding a parameter or a shape does not change the
   others.  */

#include "driver/arguments.h"

#include <string.h>

#include "ir/value.h"

/* The next number of *STATE's sequence.  */
static unsigned
next_random (unsigned long long *state)
{
  *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (unsigned) (*state >> 33);
}

/* Where the sequence of the array called NAME begins.  */
static unsigned long long
begin_random (unsigned seed, const char *name)
{
  unsigned long long state = seed + 0x9e3779b97f4a7c15ULL;
  for (; *name; name++)
    state = (state ^ (unsigned char) *name) * 0x100000001b3ULL;
  return state;
}

/* One element of type ELEM.  */
static tns_scalar_value
make_element (tns_elem elem, unsigned long long *state)
{
  unsigned number = next_random (state);
  if (tns_elem_is_float (elem))
    return tns_value_of_real (elem, ((int) (number % 65) - 32) / 8.0L);
  return tns_value_of_int (elem, (long long) (number % 10));
}

/* The value of SYM that WISH gives it.  */
static tns_scalar_value
make_value (const tns_sym *sym, const tns_argument_wish *wish)
{
  bool is_float = tns_elem_is_float (sym->type.elem);
  long double value = is_float ? 1.5L : 5;
  for (int k = 0; k < wish->n_settings; k++)
    if (!strcmp (wish->settings[k].name, sym->name))
      value = wish->settings[k].value;
  return is_float ? tns_value_of_real (sym->type.elem, value)
                  : tns_value_of_int (sym->type.elem, (long long) value);
}

/* The elements from the first to the last of SYM under ARGUMENT's values;
   ROOM where an extent is not known.  */
static long long
count_elements (const tns_region *region, const tns_sym *sym,
                const tns_argument *argument, long long room)
{
  long long last = 0;
  long long dense = 1;
  for (int k = sym->rank - 1; k >= 0; k--)
    {
      if (!sym->extent[k])
        return room;
      long long extent = tns_expr_eval (region, sym->extent[k], argument).s;
      long long stride = sym->stride
                           ? tns_expr_eval (region, sym->stride[k], argument).s
                           : dense;
      if (extent <= 0)
        return 0;
      last += (extent - 1) * stride;
      dense *= extent;
    }
  return last < 0 ? 0 : last + 1;
}

/* The array for SYM.  */
static void
make_array (tns_arena *arena, const tns_sym *sym, long long n, unsigned seed,
            tns_argument *made)
{
  long long bytes = tns_elem_bytes (sym->type.elem);
  unsigned long long state = begin_random (seed, sym->name);
  made->base = tns_arena_get (arena, (size_t) (n * bytes + bytes));
  made->lo = 0;
  made->hi = n;
  for (long long k = 0; k < n; k++)
    tns_value_write (sym->type.elem, (char *) made->base + k * bytes,
                     make_element (sym->type.elem, &state));
}

tns_argument *
tns_arguments_new (tns_arena *arena, const tns_region *region,
                   const tns_argument_wish *wish)
{
  tns_argument *made
    = TNS_NEW_ARRAY (arena, tns_argument, region->n_params + 1);
  for (int k = 0; k < region->n_params; k++)
    if (region->params[k]->kind == TNS_SYM_VALUE)
      made[k].value = make_value (region->params[k], wish);
  for (int k = 0; k < region->n_params; k++)
    if (region->params[k]->kind == TNS_SYM_ARRAY)
      make_array (arena, region->params[k],
                  count_elements (region, region->params[k], made, wish->room),
                  wish->seed, &made[k]);
  return made;
}

tns_argument *
tns_arguments_copy (tns_arena *arena, const tns_region *region,
                    const tns_argument *argument)
{
  tns_argument *made
    = TNS_NEW_ARRAY (arena, tns_argument, region->n_params + 1);
  for (int k = 0; k < region->n_params; k++)
    {
      const tns_sym *sym = region->params[k];
      made[k] = argument[k];
      if (sym->kind != TNS_SYM_ARRAY)
        continue;
      size_t each = (size_t) tns_elem_bytes (sym->type.elem);
      size_t bytes = (size_t) (argument[k].hi - argument[k].lo) * each;
      made[k].base
        = tns_arena_grow (arena, argument[k].base, bytes, bytes + each);
    }
  return made;
}

unsigned long long
tns_argument_checksum (const tns_sym *sym, const tns_argument *argument)
{
  unsigned long long sum = 0xcbf29ce484222325ULL;
  int each = tns_elem_bytes (sym->type.elem);
  int used = sym->type.elem == TNS_F80 ? 10 : each;
  const unsigned char *bytes = argument->base;
  for (long long k = argument->lo; k < argument->hi; k++)
    for (int b = 0; b < used; b++)
      sum = (sum ^ bytes[k * each + b]) * 0x100000001b3ULL;
  return sum;
}

void
tns_argument_print (tns_text *text, const tns_sym *sym,
                    const tns_argument *argument, long long most)
{
  int each = tns_elem_bytes (sym->type.elem);
  long long n = argument->hi - argument->lo;
  tns_text_format (text, "%s: %lld elements, checksum %016llx\n", sym->name, n,
                   tns_argument_checksum (sym, argument));
  for (long long k = 0; k < n && k < most; k++)
    {
      tns_scalar_value value = tns_value_read (
        sym->type.elem, (const char *) argument->base + k * each);
      tns_text_add (text, k % 8 == 0 ? "  " : " ");
      if (tns_elem_is_float (sym->type.elem))
        tns_text_format (text, "%.9Lg", value.f);
      else if (tns_elem_is_unsigned (sym->type.elem))
        tns_text_format (text, "%llu", value.u);
      else
        tns_text_format (text, "%lld", value.s);
      if (k % 8 == 7 || k == n - 1 || k == most - 1)
        tns_text_add (text, "\n");
    }
  if (n > most)
    tns_text_add (text, "  ...\n");
}
