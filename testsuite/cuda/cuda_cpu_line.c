/* The line of the text that a place in its code came from, as addr2line says:
   asked only when something is wrong.  */

#define _GNU_SOURCE

#include "cuda_cpu_block.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* Whether LINE names a place in the text: not "??:0", and not in the headers
   whose functions GCC put into it.  */
static bool
is_of_text (const char *line)
{
  return line[0] != '?' && strncmp (line, "cuda_cpu.h:", 11)
         && strncmp (line, "cuda-prelude.h:", 15) && !strstr (line, ":?");
}

/* The first line of STREAM that names a place in the text, in TO.  */
static bool
read_line (FILE *stream, char *to, size_t bytes)
{
  bool found = false;
  char line[300];
  while (fgets (line, sizeof line, stream))
    {
      line[strcspn (line, " \n")] = 0;
      if (!found && is_of_text (line))
        {
          snprintf (to, bytes, "%s", line);
          found = true;
        }
    }
  return found;
}

const char *
tns_cpu_line (const void *pc, char *to, size_t bytes)
{
  unsigned long offset = (unsigned long) ((const char *) pc - 1 - __ehdr_start);
  Dl_info object;
  char command[1000];
  snprintf (to, bytes, "+%#lx", offset);
  if (!dladdr (__ehdr_start, &object) || strchr (object.dli_fname, '\''))
    return to;
  int n = snprintf (command, sizeof command,
                    "addr2line -i -s -e '%s' %#lx 2>/dev/null",
                    object.dli_fname, offset);
  FILE *stream
    = n > 0 && (size_t) n < sizeof command ? popen (command, "r") : NULL;
  if (stream)
    {
      read_line (stream, to, bytes);
      pclose (stream);
    }
  return to;
}
