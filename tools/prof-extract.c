/* One region of a profile as a program of its own.

     profile   which file and line it stands in, what it was given: sizes of
               calls, with the time they took (TRM_PROFILE=shapes)
     compiler  its loops: the command that compiled the file runs once more,
               asked for no output but the region (the plugin's extract)

   What was given becomes macros in front of the plugin's text:

     #ifndef GIVEN_n
     #define GIVEN_n 4096
     #endif

   and the command that compiles it as the file was a comment.  Nothing of this
   stands in objects: the loops are read when somebody asks.  */

#include "prof.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum
{
  MORE_WORDS = 4
};

/* What the command line asks for: calls number SHAPE, from 1 on, of those with
   the same sizes, of the region NAME in the file PROFILE; COMPILER, NULL behind
   the last, empty when it is not said.  */
typedef struct extract_wish
{
  int shape;
  const char *name;
  const char *profile;
  char **compiler;
} extract_wish;

/* The command line.  */
static extract_wish
read_arguments (char **argument)
{
  static char *none[] = { NULL };
  extract_wish wish = { 1, NULL, NULL, none };
  for (; *argument; argument++)
    if (strcmp (*argument, "--") == 0)
      {
        wish.compiler = argument + 1;
        break;
      }
    else if (strncmp (*argument, "--shape=", 8) == 0)
      {
        if ((wish.shape = atoi (*argument + 8)) < 1)
          compare_fail ("%s is not a number above 0", *argument);
      }
    else if (**argument == '-')
      compare_fail ("%s is not known; --help tells more", *argument);
    else if (!wish.name)
      wish.name = *argument;
    else if (!wish.profile)
      wish.profile = *argument;
    else
      compare_fail ("%s is one word too many; a compiler follows --",
                    *argument);
  if (!wish.profile)
    compare_fail ("extract takes a region and a file of --json");
  return wish;
}

/* Whether OBJECT, a row of a profile, is of the region NAME: its name, or
   FILE:LINE.  */
static bool
is_called (const compare_json *object, const char *name)
{
  char place[4096];
  prof_place (place, sizeof place, compare_json_string (object, "file"),
              (int) compare_json_number (object, "line"));
  return strcmp (compare_json_string (object, "name"), name) == 0
         || strcmp (compare_json_string (object, "region"), name) == 0
         || strcmp (place, name) == 0;
}

/* The region NAME of PROFILE, the one that took longest if there are more.  */
static const compare_json *
find_region (const compare_json *profile, const extract_wish *wish)
{
  const compare_json *regions = compare_json_get (profile, "regions");
  const compare_json *found = NULL;
  if (!regions)
    compare_fail ("%s holds no profile", wish->profile);
  for (int i = 0; i < regions->n; i++)
    if (is_called (regions->item[i], wish->name)
        && (!found
            || compare_json_number (regions->item[i], "self_ns")
                 > compare_json_number (found, "self_ns")))
      found = regions->item[i];
  if (!found)
    compare_fail ("%s has no region %s", wish->profile, wish->name);
  if (!*compare_json_string (found, "file"))
    compare_fail ("%s is no region but a range of the program", wish->name);
  return found;
}

/* Order of calls by shape: the most time first.  */
static int
compare_shapes (const void *a, const void *b)
{
  const compare_json *const *x = a, *const *y = b;
  double d = compare_json_number (*y, "ns") - compare_json_number (*x, "ns");
  return d > 0 ? 1 : d < 0 ? -1 : 0;
}

/* The calls of REGION that WISH asks for: an object with sizes and others;
   NULL when the profile has none.  */
static const compare_json *
find_shape (const compare_json *region, const extract_wish *wish)
{
  compare_json *shapes = compare_json_get (region, "shapes");
  if (compare_json_get (region, "sizes"))
    return region;
  if (!shapes)
    return NULL;
  qsort (shapes->item, (size_t) shapes->n, sizeof *shapes->item,
         compare_shapes);
  int n = 0;
  for (int i = 0; i < shapes->n; i++)
    {
      const compare_json *rest = compare_json_get (shapes->item[i], "rest");
      n += !(rest && rest->number != 0);
      if (n == wish->shape)
        return shapes->item[i];
    }
  compare_fail ("the profile knows %d shapes of %s", n, wish->name);
  return NULL;
}

/* The macros for NUMBERS, an object or NULL.  */
static void
print_given (const compare_json *numbers)
{
  for (int i = 0; numbers && i < numbers->n; i++)
    printf ("#ifndef GIVEN_%s\n#define GIVEN_%s %.0f\n#endif\n",
            numbers->key[i], numbers->key[i], numbers->item[i]->number);
}

/* The command that compiled REGION's file, with room for MORE_WORDS and the
   NULL behind them.  */
static char **
compiler (const compare_json *region, const extract_wish *wish)
{
  int n = 0;
  while (wish->compiler[n])
    n++;
  char **word = calloc ((size_t) n + 3 + MORE_WORDS, sizeof *word);
  char *file = strdup (compare_json_string (region, "file"));
  if (!word || !file)
    compare_fail ("no memory");
  memcpy (word, wish->compiler, (size_t) n * sizeof *word);
  if (n == 0)
    {
      word[0] = compare_tensorcc ();
      word[1] = "-O2";
      word[2] = file;
    }
  return word;
}

/* The command that reads REGION's file again, what the plugin extracts going
   to OUTPUT.  */
static char **
command (const compare_json *region, const extract_wish *wish,
         const char *output)
{
  char **word = compiler (region, wish);
  char *extract = malloc (strlen (output) + 40);
  if (!extract)
    compare_fail ("no memory");
  sprintf (extract, "-fplugin-arg-tensor-extract=%s", output);
  int n = 0;
  while (word[n])
    n++;
  word[n++] = "-fsyntax-only";
  word[n++] = "-fplugin-arg-tensor-report=none";
  word[n++] = extract;
  return word;
}

/* How the text is compiled, as REGION's file was.  */
static void
print_command (const compare_json *region, const extract_wish *wish)
{
  printf ("/* Compiled as %s was:\n\n     ",
          compare_json_string (region, "file"));
  prof_print_command (stdout, compiler (region, wish), "bench.c");
  puts ("  */");
}

/* What the profile knows of REGION and the calls SHAPE of it.  */
static void
print_known (const compare_json *region, const compare_json *shape,
             const extract_wish *wish)
{
  char total[16];
  const compare_json *of = shape ? shape : region;
  compare_time_text (total, compare_json_number (of, "ns"));
  printf ("/* In %s ", wish->profile);
  if (shape)
    printf ("%.0f calls with these sizes took %s.  */\n",
            compare_json_number (of, "calls"), total);
  else
    printf ("%.0f calls took %s; nothing is known of their sizes.  */\n",
            compare_json_number (of, "calls"), total);
  if (shape)
    {
      print_given (compare_json_get (shape, "sizes"));
      print_given (compare_json_get (shape, "others"));
    }
  putchar ('\n');
}

/* All that the plugin extracts from REGION's file.  */
static char *
read_again (const compare_json *region, const extract_wish *wish)
{
  const char *output = compare_path ("regions");
  char **word = command (region, wish, output);
  int status
    = compare_run (word, compare_path ("words"), compare_path ("errors"), NULL);
  if (status)
    fputs (compare_file_text (compare_path ("errors")), stderr);
  if (WIFEXITED (status) && WEXITSTATUS (status) == 127)
    compare_fail ("cannot run %s", word[0]);
  if (status)
    compare_fail ("%s cannot be read again by %s: name the command that "
                  "compiled it behind --",
                  compare_json_string (region, "file"), word[0]);
  return compare_file_text (output);
}

/* The part of TEXT for REGION, its end marked by 0, or NULL.  */
static char *
find_text (char *text, const compare_json *region)
{
  char begin[4200], end[4200];
  const char *name = compare_json_string (region, "region");
  name = *name ? name : compare_json_string (region, "name");
  snprintf (begin, sizeof begin, "/* begin %d %s  */\n",
            (int) compare_json_number (region, "line"), name);
  snprintf (end, sizeof end, "\n/* end %s  */\n", name);
  char *found = strstr (text, begin);
  if (!found)
    return NULL;
  found += strlen (begin);
  char *last = strstr (found, end);
  if (last)
    last[1] = 0;
  return found;
}

int
prof_extract (char **argument)
{
  extract_wish wish = read_arguments (argument);
  const char *text = compare_file_text (wish.profile);
  const compare_json *profile = compare_json_read (&text);
  const compare_json *region = find_region (profile, &wish);
  const compare_json *shape = find_shape (region, &wish);
  compare_folder_make ();
  char *found = find_text (read_again (region, &wish), region);
  if (!found)
    compare_fail ("line %d of %s has no region %s that can run alone",
                  (int) compare_json_number (region, "line"),
                  compare_json_string (region, "file"), wish.name);
  print_command (region, &wish);
  print_known (region, shape, &wish);
  fputs (found, stdout);
  compare_folder_remove (false);
  return fflush (stdout) ? 2 : 0;
}
