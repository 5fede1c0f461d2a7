/* Where addresses are: the functions and the lines of many at once, so that
   the tables of each object are read once (object.h).  */

#include "profile.h"

#include "object.h"

#include <stdlib.h>
#include <string.h>

#define LIBRARY "libtensorrt-mini"

/* One of the places while their objects are looked at.  */
typedef struct located
{
  trm_place *place;
  trm_object *object;
  uintptr_t at;
} located;

/* Order: by object, in these by address.  */
static int
compare_located (const void *a, const void *b)
{
  const located *x = a, *y = b;
  if (x->object != y->object)
    return (uintptr_t) x->object < (uintptr_t) y->object ? -1 : 1;
  return x->at < y->at ? -1 : x->at > y->at;
}

/* Fill the function of L's place.  */
static void
name_function (const located *l)
{
  trm_place *p = l->place;
  const trm_object *o = l->object;
  const trm_elf_symbol *symbol = o ? trm_object_symbol (o, l->at) : NULL;
  p->object = o ? o->name : "";
  p->folder = p->file = "";
  p->line = 0;
  if (symbol)
    snprintf (p->function, sizeof p->function, "%s", symbol->name);
  else if (o)
    snprintf (p->function, sizeof p->function, "%s+0x%lx", o->name,
              (unsigned long) l->at);
  else
    snprintf (p->function, sizeof p->function, "unknown");
}

/* Fill the lines of L[0..n), all of one object.  */
static void
name_lines (const located *l, int n)
{
  const trm_object *o = l->object;
  trm_stretch table = trm_object_section (o, ".debug_line");
  trm_line *line = table.at ? malloc ((size_t) n * sizeof *line) : NULL;
  if (!line)
    return;
  for (int i = 0; i < n; i++)
    line[i].at = l[i].at;
  trm_lines_find (table, trm_object_section (o, ".debug_line_str"),
                  trm_object_section (o, ".debug_str"), line, n);
  for (int i = 0; i < n; i++)
    {
      const char *slash = strrchr (line[i].file, '/');
      l[i].place->folder = slash ? line[i].file : line[i].folder;
      l[i].place->file = slash ? slash + 1 : line[i].file;
      l[i].place->line = line[i].line;
    }
  free (line);
}

/* Whether P is in this library: in its shared object, or in a source of its,
   or in a function that is called as its own are.  */
static bool
is_own (const trm_place *p)
{
  if (strncmp (p->object, LIBRARY, strlen (LIBRARY)) == 0)
    return true;
  if (p->line)
    return strstr (p->folder, LIBRARY) != NULL;
  return strncmp (p->function, "trm_", 4) == 0;
}

void
trm_places_find (trm_place *place, int n)
{
  located *l = malloc ((size_t) (n ? n : 1) * sizeof *l);
  for (int i = 0; i < n; i++)
    {
      trm_object *o = trm_object_at (place[i].at);
      located one
        = { &place[i], o, (uintptr_t) place[i].at - (o ? o->base : 0) };
      name_function (&one);
      if (l)
        l[i] = one;
    }
  if (l)
    qsort (l, (size_t) n, sizeof *l, compare_located);
  for (int i = 0, end; l && i < n; i = end)
    {
      for (end = i; end < n && l[end].object == l[i].object; end++)
        ;
      if (l[i].object)
        name_lines (&l[i], end - i);
    }
  for (int i = 0; i < n; i++)
    place[i].own = is_own (&place[i]);
  free (l);
}

void
trm_places_free (void)
{
  trm_objects_free ();
}
