/* Names of functions at addresses: the symbols of the program and of its
   shared objects, read from their files, static functions too where the file
   was not stripped.

     address -> object  (dl_iterate_phdr) -> its file's .symtab, or .dynsym
             -> the function whose extent holds address - where it was loaded

   Without a symbol the name is OBJECT+OFFSET.  */

#define _GNU_SOURCE

#include "profile.h"

#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A function: its first address in the file's terms.  */
typedef struct symbol
{
  uintptr_t at;
  uintptr_t bytes;
  const char *name;
} symbol;

/* An object of the process: where it was loaded; its file in memory; its
   functions in the order of their addresses.  */
typedef struct object
{
  uintptr_t base;
  const char *path;
  const char *name;
  const char *file;
  size_t bytes;
  symbol *symbol;
  int n;
  struct object *next;
} object;

static object *objects;

/* What is looked for among the objects of the process.  */
typedef struct search
{
  uintptr_t at;
  uintptr_t base;
  const char *path;
  bool found;
} search;

/* Whether one of the segments of INFO holds the address: then it is found.  */
static int
look_in (struct dl_phdr_info *info, size_t bytes, void *argument)
{
  search *s = argument;
  (void) bytes;
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *segment = &info->dlpi_phdr[i];
      if (segment->p_type == PT_LOAD
          && s->at - info->dlpi_addr - segment->p_vaddr < segment->p_memsz)
        {
          s->base = info->dlpi_addr;
          s->path = info->dlpi_name;
          s->found = true;
        }
    }
  return s->found;
}

/* Map O's file.  */
static void
map_file (object *o)
{
  int fd = open (*o->path ? o->path : "/proc/self/exe", O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (fd >= 0 && fstat (fd, &status) == 0
      && (size_t) status.st_size > sizeof (ElfW (Ehdr)))
    {
      void *at
        = mmap (NULL, (size_t) status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
      o->file = at == MAP_FAILED ? NULL : at;
      o->bytes = (size_t) status.st_size;
    }
  if (fd >= 0)
    close (fd);
}

/* Whether COUNT things of BYTES bytes from OFFSET on are in O's file.  */
static bool
is_there (const object *o, uint64_t offset, uint64_t count, uint64_t bytes)
{
  return offset <= o->bytes && count <= (o->bytes - offset) / bytes;
}

/* The section of TYPE in O's file, or NULL.  */
static const ElfW (Shdr) * find_section (const object *o, unsigned type)
{
  const ElfW (Ehdr) *head = (const void *) o->file;
  if (memcmp (head->e_ident, ELFMAG, SELFMAG)
      || !is_there (o, head->e_shoff, head->e_shnum, sizeof (ElfW (Shdr))))
    return NULL;
  const ElfW (Shdr) *section = (const void *) (o->file + head->e_shoff);
  for (int i = 0; i < head->e_shnum; i++)
    if (section[i].sh_type == type && section[i].sh_link < head->e_shnum
        && is_there (o, section[i].sh_offset, section[i].sh_size, 1))
      return &section[i];
  return NULL;
}

/* Order of symbols: by address.  */
static int
compare_symbols (const void *a, const void *b)
{
  const symbol *x = a, *y = b;
  return x->at < y->at ? -1 : x->at > y->at;
}

/* The functions that SECTION of O's file lists.  */
static void
read_section (object *o, const ElfW (Shdr) * section)
{
  const ElfW (Ehdr) *head = (const void *) o->file;
  const ElfW (Shdr) *all = (const void *) (o->file + head->e_shoff);
  const ElfW (Shdr) *names = &all[section->sh_link];
  const ElfW (Sym) *from = (const void *) (o->file + section->sh_offset);
  size_t n = section->sh_size / sizeof *from;
  o->symbol = malloc ((n + 1) * sizeof *o->symbol);
  if (!o->symbol || !is_there (o, names->sh_offset, names->sh_size, 1))
    return;
  for (size_t i = 0; i < n; i++)
    if (ELF64_ST_TYPE (from[i].st_info) == STT_FUNC && from[i].st_value
        && from[i].st_name < names->sh_size)
      o->symbol[o->n++]
        = (symbol){ from[i].st_value, from[i].st_size,
                    o->file + names->sh_offset + from[i].st_name };
  qsort (o->symbol, (size_t) o->n, sizeof *o->symbol, compare_symbols);
}

/* Read the symbols of O's file.  */
static void
read_symbols (object *o)
{
  map_file (o);
  if (!o->file)
    return;
  const ElfW (Shdr) *section = find_section (o, SHT_SYMTAB);
  if (!section)
    section = find_section (o, SHT_DYNSYM);
  if (section)
    read_section (o, section);
}

/* The object that S found, read when it is new; NULL without memory.  */
static object *
find_object (const search *s)
{
  object *o = objects;
  while (o && o->base != s->base)
    o = o->next;
  if (o)
    return o;
  o = calloc (1, sizeof *o);
  if (!o)
    return NULL;
  const char *slash = strrchr (s->path, '/');
  o->base = s->base;
  o->path = s->path;
  o->name = *s->path ? slash ? slash + 1 : s->path : "the program";
  o->next = objects;
  objects = o;
  read_symbols (o);
  return o;
}

/* The function of O that holds AT, or NULL.  */
static const symbol *
find_symbol (const object *o, uintptr_t at)
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
  const symbol *s = low ? &o->symbol[low - 1] : NULL;
  return s && at - s->at < (s->bytes ? s->bytes : 1) ? s : NULL;
}

void
trm_symbol_name (const void *address, char *text, size_t bytes,
                 const char **name)
{
  search s = { .at = (uintptr_t) address };
  dl_iterate_phdr (look_in, &s);
  object *o = s.found ? find_object (&s) : NULL;
  const symbol *found = o ? find_symbol (o, s.at - o->base) : NULL;
  *name = o ? o->name : "";
  if (found)
    snprintf (text, bytes, "%s", found->name);
  else if (o)
    snprintf (text, bytes, "%s+0x%lx", o->name,
              (unsigned long) (s.at - o->base));
  else
    snprintf (text, bytes, "unknown");
}

void
trm_symbols_free (void)
{
  while (objects)
    {
      object *o = objects;
      objects = o->next;
      if (o->file)
        munmap ((void *) o->file, o->bytes);
      free (o->symbol);
      free (o);
    }
}
