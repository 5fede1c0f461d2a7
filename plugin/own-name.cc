/* f:12, f_12 -> f:12, f_12_2, as plugin/own-name.hh says.  */

#include "plugin/own-name.hh"

/* A and B are the same identifier.  */
static bool
is_same_identifier (const char *a, const char *b)
{
  for (; *a && *b; a++, b++)
    if (*a != *b && (ISALNUM (*a) || ISALNUM (*b)))
      return false;
  return *a == *b;
}

/* NAMES has none that is the same as NAME.  */
static bool
is_new (const vec<char *> *names, const char *name)
{
  for (unsigned k = 0; k < names->length (); k++)
    if (is_same_identifier ((*names)[k], name))
      return false;
  return true;
}

const char *
tns_own_name (tns_arena *arena, vec<char *> *names, const char *name)
{
  const char *own = name;
  for (int k = 2; !is_new (names, own); k++)
    own = tns_arena_format (arena, "%s_%d", name, k);
  names->safe_push (xstrdup (own));
  return own;
}
