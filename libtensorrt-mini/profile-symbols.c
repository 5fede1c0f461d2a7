/* Names of functions at addresses: the symbols of the program and of its
   shared objects, read from their files, static functions too where the file
   was not stripped (object.h).

   Without a symbol the name is OBJECT+OFFSET.  */

#include "profile.h"

#include "object.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>

/* Order of symbols: by address.  */
static int
compare_symbols (const void *a, const void *b)
{
  const trm_elf_symbol *x = a, *y = b;
  return x->at < y->at ? -1 : x->at > y->at;
}

/* The text at OFFSET of NAMES, NULL when it does not end there.  */
static const char *
text_at (trm_stretch names, uint64_t offset)
{
  if (offset >= names.bytes
      || !memchr (names.at + offset, 0, names.bytes - offset))
    return NULL;
  return (const char *) names.at + offset;
}

/* The functions that TABLE lists, with names from NAMES, to O.  */
static void
read_table (trm_object *o, trm_stretch table, trm_stretch names)
{
  const ElfW (Sym) *from = (const void *) table.at;
  size_t n = table.bytes / sizeof *from;
  if ((uintptr_t) from % _Alignof(ElfW (Sym)) || n > INT32_MAX)
    return;
  o->symbol = malloc ((n + 1) * sizeof *o->symbol);
  for (size_t i = 0; o->symbol && i < n; i++)
    {
      const char *name
        = ELF64_ST_TYPE (from[i].st_info) == STT_FUNC && from[i].st_value
            ? text_at (names, from[i].st_name)
            : NULL;
      if (name)
        o->symbol[o->n++]
          = (trm_elf_symbol){ from[i].st_value, from[i].st_size, name };
    }
  if (o->n)
    qsort (o->symbol, (size_t) o->n, sizeof *o->symbol, compare_symbols);
}

void
trm_object_read_symbols (trm_object *o)
{
  trm_stretch table = trm_object_section (o, ".symtab");
  if (table.at)
    read_table (o, table, trm_object_section (o, ".strtab"));
  else
    read_table (o, trm_object_section (o, ".dynsym"),
                trm_object_section (o, ".dynstr"));
}

const trm_elf_symbol *
trm_object_symbol (const trm_object *o, uintptr_t at)
{
  int low = 0, high = o->n;
  while (low < high)
    {
      int middle = low + (high - low) / 2;
      if (o->symbol[middle].at <= at)
        low = middle + 1;
      else
        high = middle;
    }
  const trm_elf_symbol *s = low ? &o->symbol[low - 1] : NULL;
  return s && at - s->at < (s->bytes ? s->bytes : 1) ? s : NULL;
}
