/* The table of element types, asked by id and by name.  */

#include "base/type.h"

#include <string.h>

static const struct
{
  const char *name;
  const char *c_name;
  int bytes;
  char class;
} elems[] = {
#define TNS_ELEM(id, name, c, bytes, kind) { name, c, bytes, kind },
#include "base/type.def"
#undef TNS_ELEM
};

const char *
tns_elem_name (tns_elem elem)
{
  return elems[elem].name;
}

const char *
tns_elem_c_name (tns_elem elem)
{
  return elems[elem].c_name;
}

int
tns_elem_bytes (tns_elem elem)
{
  return elems[elem].bytes;
}

char
tns_elem_class (tns_elem elem)
{
  return elems[elem].class;
}

bool
tns_elem_is_float (tns_elem elem)
{
  return elems[elem].class == 'F';
}

bool
tns_elem_is_integer (tns_elem elem)
{
  return elems[elem].class != 'F';
}

bool
tns_elem_is_unsigned (tns_elem elem)
{
  return elems[elem].class == 'U' || elems[elem].class == 'B';
}

tns_elem
tns_elem_from_name (const char *name)
{
  for (int elem = 0; elem < TNS_N_ELEMS; elem++)
    if (!strcmp (elems[elem].name, name))
      return (tns_elem) elem;
  return TNS_N_ELEMS;
}
