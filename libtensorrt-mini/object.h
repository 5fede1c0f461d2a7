/* The files of the process's objects: its program and shared libraries, read
   for what stands at an address.  Not installed.

     address -> object (dl_iterate_phdr) -> its file, mapped
             -> a function of .symtab or .dynsym   profile-symbols.c
             -> a line of .debug_line              profile-lines.c

   Files are those of somebody else: every offset in them is tested before it
   is followed, and what makes no sense gives no name and no line.  */

#ifndef TRM_OBJECT_H
#define TRM_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a file; none when there is no such part of it.  */
typedef struct trm_stretch
{
  const unsigned char *at;
  size_t bytes;
} trm_stretch;

/* A function: its first address in the file's terms.  */
typedef struct trm_elf_symbol
{
  uintptr_t at;
  uintptr_t bytes;
  const char *name;
} trm_elf_symbol;

/* An object of the process.

   base       where it was loaded: an address less base is in the file's terms
   path       "" for the program
   name       the last name of path
   file       its file, mapped
   symbol     its functions, in the order of their addresses, n of them  */
typedef struct trm_object
{
  uintptr_t base;
  const char *path;
  const char *name;
  trm_stretch file;
  trm_elf_symbol *symbol;
  int n;
  struct trm_object *next;
} trm_object;

/* profile-object.c: the object that holds ADDRESS, or NULL.  It is the same one
   for all its addresses, and is kept until trm_objects_free.  */
extern trm_object *trm_object_at (const void *address);
extern void trm_objects_free (void);

/* The section of O's file called NAME; of a compressed one nothing.  */
extern trm_stretch trm_object_section (const trm_object *o, const char *name);

/* profile-symbols.c: fill O's symbols; the one that holds AT, or NULL.  */
extern void trm_object_read_symbols (trm_object *o);
extern const trm_elf_symbol *trm_object_symbol (const trm_object *o,
                                                uintptr_t at);

/* An address, in the file's terms, and the line that it comes from: the folder
   is "" when it is not told; line is 0 when none is known.  */
typedef struct trm_line
{
  uintptr_t at;
  const char *folder;
  const char *file;
  int line;
} trm_line;

/* profile-lines.c: the lines of LINE[0..n), which are in the order of their
   addresses, from the table .debug_line of versions 2 to 5 (DWARF 5, section
   6.2) with the strings of .debug_line_str and .debug_str.  Texts of LINE point
   into these.  */
extern void trm_lines_find (trm_stretch table, trm_stretch line_strings,
                            trm_stretch strings, trm_line *line, int n);

#endif
