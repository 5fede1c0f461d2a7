/* The objects of the process and the sections of their files (object.h).  */

#define _GNU_SOURCE

#include "object.h"

#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static trm_object *objects;

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
map_file (trm_object *o)
{
  int fd = open (*o->path ? o->path : "/proc/self/exe", O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (fd >= 0 && fstat (fd, &status) == 0
      && (size_t) status.st_size > sizeof (ElfW (Ehdr)))
    {
      size_t bytes = (size_t) status.st_size;
      void *at = mmap (NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
      if (at != MAP_FAILED)
        o->file = (trm_stretch){ at, bytes };
    }
  if (fd >= 0)
    close (fd);
}

/* The object that S found, read when it is new; NULL without memory.  */
static trm_object *
find_object (const search *s)
{
  trm_object *o = objects;
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
  map_file (o);
  trm_object_read_symbols (o);
  return o;
}

trm_object *
trm_object_at (const void *address)
{
  search s = { .at = (uintptr_t) address };
  dl_iterate_phdr (look_in, &s);
  return s.found ? find_object (&s) : NULL;
}

/* BYTES bytes from OFFSET on of FILE, or nothing.  */
static trm_stretch
part_of (trm_stretch file, uint64_t offset, uint64_t bytes)
{
  if (offset > file.bytes || bytes > file.bytes - offset)
    return (trm_stretch){ NULL, 0 };
  return (trm_stretch){ file.at + offset, (size_t) bytes };
}

/* Whether the text at OFFSET of NAMES is NAME.  */
static bool
is_called (trm_stretch names, uint64_t offset, const char *name)
{
  size_t bytes = strlen (name) + 1;
  return offset < names.bytes && bytes <= names.bytes - offset
         && memcmp (names.at + offset, name, bytes) == 0;
}

trm_stretch
trm_object_section (const trm_object *o, const char *name)
{
  const trm_stretch none = { NULL, 0 };
  const ElfW (Ehdr) *head = (const void *) o->file.at;
  if (!head || memcmp (head->e_ident, ELFMAG, SELFMAG)
      || head->e_shoff % _Alignof(ElfW (Shdr)))
    return none;
  trm_stretch all
    = part_of (o->file, head->e_shoff, head->e_shnum * sizeof (ElfW (Shdr)));
  const ElfW (Shdr) *section = (const void *) all.at;
  if (!section || head->e_shstrndx >= head->e_shnum)
    return none;
  const ElfW (Shdr) *last = &section[head->e_shstrndx];
  trm_stretch names = part_of (o->file, last->sh_offset, last->sh_size);
  for (int i = 0; i < head->e_shnum; i++)
    if (section[i].sh_type != SHT_NOBITS
        && !(section[i].sh_flags & SHF_COMPRESSED)
        && is_called (names, section[i].sh_name, name))
      return part_of (o->file, section[i].sh_offset, section[i].sh_size);
  return none;
}

void
trm_objects_free (void)
{
  while (objects)
    {
      trm_object *o = objects;
      objects = o->next;
      if (o->file.at)
        munmap ((void *) o->file.at, o->file.bytes);
      free (o->symbol);
      free (o);
    }
}
