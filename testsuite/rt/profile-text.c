/* Texts of the profiler (profile-text.h).  */

#include "profile-text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tensorrt-mini.h"

char *
profile_take_file (const char *name)
{
  FILE *file = fopen (name, "r");
  size_t room = 1 << 20, n = 0;
  char *text = malloc (room);
  while (text && file && (n += fread (text + n, 1, room - n - 1, file)) > 0
         && n == room - 1)
    text = realloc (text, room *= 2);
  if (!text)
    exit (2);
  text[n] = 0;
  if (file)
    fclose (file);
  unlink (name);
  return text;
}

char *
profile_text (const char *what)
{
  char name[64], asked[256];
  snprintf (name, sizeof name, "profile-%ld.out", (long) getpid ());
  snprintf (asked, sizeof asked, "%s:%s", what, name);
  trm_profile_write (asked);
  return profile_take_file (name);
}

double
profile_number (const char *text, const char *after, const char *key)
{
  const char *at = strstr (text, after);
  at = at ? strstr (at, key) : NULL;
  return at ? strtod (at + strlen (key), NULL) : NAN;
}
