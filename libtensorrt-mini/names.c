/* Tensors with names, in the order in which they were put.

   A table of places, half of them empty, finds a name; its length is a power
   of two.  A place holds a number of an entry, counted from 1:

     place   | 0 | 2 | 0 | 1 | ...      hash ("b") % length = 1
     entry   | "a" | "b" |

   The hash begins with the table's own address, so that no file can choose
   names that all fall on one place.  */

#include "tensor.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry
{
  char *name;
  trm_tensor *tensor;
} entry;

/* room: of entries; length: of places, twice as many.  */
struct trm_names
{
  int n, room;
  entry *entry;
  size_t length;
  int *place;
};

#define FIRST_ROOM 16
#define MOST_NAMES (1 << 28)

trm_names *
trm_names_new (void)
{
  trm_names *names = calloc (1, sizeof *names);
  return names ? names : trm_fail_null (TRM_NO_MEMORY, "names: no memory");
}

void
trm_names_free (trm_names *names)
{
  if (!names)
    return;
  for (int i = 0; i < names->n; i++)
    {
      free (names->entry[i].name);
      trm_drop (names->entry[i].tensor);
    }
  free (names->entry);
  free (names->place);
  free (names);
}

/* A number for NAME (FNV-1a, mixed once more).  */
static size_t
hash (const trm_names *names, const char *name)
{
  uint64_t h = 0xcbf29ce484222325 ^ (uint64_t) (uintptr_t) names;
  for (; *name; name++)
    h = (h ^ (unsigned char) *name) * 0x100000001b3;
  return (size_t) ((h ^ h >> 29) * 0x9e3779b97f4a7c15 >> 20);
}

/* The place of NAME, or the empty one where it belongs.  */
static int *
find_place (const trm_names *names, const char *name)
{
  size_t i = hash (names, name) & (names->length - 1);
  while (names->place[i]
         && strcmp (names->entry[names->place[i] - 1].name, name))
    i = (i + 1) & (names->length - 1);
  return &names->place[i];
}

/* Room for one entry more; false when there is no memory.  */
static bool
make_room (trm_names *names)
{
  if (names->n < names->room)
    return true;
  int room = names->room ? names->room * 2 : FIRST_ROOM;
  entry *more = room <= MOST_NAMES
                  ? realloc (names->entry, (size_t) room * sizeof *more)
                  : NULL;
  if (!more)
    return false;
  names->entry = more;
  int *place = calloc ((size_t) room * 2, sizeof *place);
  if (!place)
    return false;
  free (names->place);
  names->place = place;
  names->length = (size_t) room * 2;
  names->room = room;
  for (int i = 0; i < names->n; i++)
    *find_place (names, names->entry[i].name) = i + 1;
  return true;
}

trm_status
trm_names_put (trm_names *names, const char *name, trm_tensor *t)
{
  if (!names || !t)
    return TRM_BAD_ARGUMENT;
  if (!name)
    return trm_fail (TRM_BAD_ARGUMENT, "names_put: no name");
  char *copy = make_room (names) ? strdup (name) : NULL;
  if (!copy)
    return trm_fail (TRM_NO_MEMORY, "names_put: no memory");
  int *place = find_place (names, name);
  if (*place)
    {
      free (copy);
      return trm_fail (TRM_BAD_ARGUMENT, "names_put: there is '%s' already",
                       name);
    }
  names->entry[names->n] = (entry){ copy, trm_keep (t) };
  *place = ++names->n;
  return TRM_OK;
}

trm_tensor *
trm_names_get (const trm_names *names, const char *name)
{
  if (!names)
    return NULL;
  int at = names->n && name ? *find_place (names, name) : 0;
  return at ? names->entry[at - 1].tensor
            : trm_fail_null (TRM_BAD_ARGUMENT, "names_get: there is no '%s'",
                             name ? name : "");
}

int
trm_names_count (const trm_names *names)
{
  return names ? names->n : 0;
}

/* Whether NAMES has an entry I; if not, why.  */
static bool
has (const trm_names *names, int i)
{
  if (names && (i < 0 || i >= names->n))
    trm_fail (TRM_BAD_INDEX, "names: %d is outside of %d names", i, names->n);
  return names && i >= 0 && i < names->n;
}

const char *
trm_names_name (const trm_names *names, int i)
{
  return has (names, i) ? names->entry[i].name : NULL;
}

trm_tensor *
trm_names_at (const trm_names *names, int i)
{
  return has (names, i) ? names->entry[i].tensor : NULL;
}
