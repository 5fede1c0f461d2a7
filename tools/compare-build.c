/* The programs: one source, built as the ways say, in a folder of our own
   that goes when we go.

     plain, fast               $CC -O3 -march=native [-ffast-math]
     unfused, fused            tensorcc -O3 -march=native
     original, original-fast   tensorcc ... with check, for TRM_MODE=original

   A program whose gradients the plugin writes does not link without it: then
   the programs with check stand in for plain and fast.

   All are given -fopenmp (a program may have parallel loops of its own) and
   then the user's arguments, which win.  */

#include "compare.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_ARGUMENTS 4096

/* How one program is built: its name, whether by the plugin, and switches
   (NULL ends them).  */
typedef struct recipe
{
  const char *name;
  bool plugin;
  const char *extra[3];
} recipe;

static const recipe recipes[COMPARE_BUILDS] = {
  { "plain", false, { NULL } },
  { "fast", false, { "-ffast-math", NULL } },
  { "unfused", true, { "--tensor-fuse=none", NULL } },
  { "fused", true, { NULL } },
  { "original", true, { "--tensor-check", NULL } },
  { "original-fast", true, { "--tensor-check", "-ffast-math", NULL } },
};

static char folder[PATH_MAX];

/* The programs with check stand in for those without the plugin.  */
static bool stands_in;

void
compare_folder_make (void)
{
  const char *base = getenv ("TMPDIR");
  snprintf (folder, sizeof folder, "%s/tensor-compare.XXXXXX",
            base && *base ? base : "/tmp");
  if (!mkdtemp (folder))
    compare_fail ("cannot make a folder in %s", base ? base : "/tmp");
}

char *
compare_path (const char *name)
{
  char *path = malloc (strlen (folder) + strlen (name) + 2);
  if (!path)
    compare_fail ("no memory");
  sprintf (path, "%s/%s", folder, name);
  return path;
}

char *
compare_program (int build)
{
  if (compare_is_stood_in (build))
    build += COMPARE_ORIGINAL;
  return compare_path (recipes[build].name);
}

bool
compare_is_stood_in (int build)
{
  return stands_in && !recipes[build].plugin;
}

void
compare_folder_remove (bool keep)
{
  static const char *const names[]
    = { "plain",         "fast",         "unfused", "fused",  "original",
        "original-fast", "probe",        "probe.c", "report", "profile",
        "output",        "plain.output", "errors",  "gcc" };
  if (!folder[0])
    return;
  if (keep)
    fprintf (stderr, "tensor-compare: the programs are in %s\n", folder);
  for (size_t i = 0; !keep && i < sizeof names / sizeof *names; i++)
    unlink (compare_path (names[i]));
  if (!keep)
    rmdir (folder);
  folder[0] = 0;
}

char *
compare_file_text (const char *path)
{
  FILE *file = fopen (path, "rb");
  size_t used = 0, room = 4096, got;
  char *text = malloc (room + 1);
  while (file && text && (got = fread (text + used, 1, room - used, file)) > 0)
    if ((used += got) == room)
      text = realloc (text, (room *= 2) + 1);
  if (!text)
    compare_fail ("no memory");
  text[used] = 0;
  if (file)
    fclose (file);
  return text;
}

/* Stop: ARGV, called WHAT, ended with STATUS.  */
static void
stop_failed (const char *what, int status)
{
  fputs (compare_file_text (compare_path ("errors")), stderr);
  if (WIFEXITED (status) && WEXITSTATUS (status) == 127)
    compare_fail ("%s could not be started", what);
  compare_fail ("%s failed", what);
}

const char *
compare_gcc (void)
{
  static char *gcc;
  if (gcc)
    return gcc;
  char *argv[] = { compare_tensorcc (), "--gcc", NULL };
  int status
    = compare_run (argv, compare_path ("gcc"), compare_path ("errors"), NULL);
  if (status)
    stop_failed (argv[0], status);
  gcc = compare_file_text (compare_path ("gcc"));
  gcc[strcspn (gcc, "\n")] = 0;
  return gcc;
}

/* Append the words of TEXT, which is cut into them, at ARGV[N]; the new
   N.  */
static int
add_words (char **argv, int n, char *text)
{
  for (char *w = strtok (text, " "); w && n < 16; w = strtok (NULL, " "))
    argv[n++] = w;
  return n;
}

/* The command that builds RECIPE as WISH says.  */
static char **
command (const recipe *r, const compare_wish *wish)
{
  static char *argv[MOST_ARGUMENTS];
  char report[PATH_MAX + 64];
  int n = 0;
  if (wish->n_arguments > MOST_ARGUMENTS - 64)
    compare_fail ("too many arguments");
  if (r->plugin)
    argv[n++] = compare_tensorcc ();
  else
    n = add_words (argv, n, strdup (compare_gcc ()));
  argv[n++] = "-O3";
  argv[n++] = "-march=native";
  argv[n++] = "-fopenmp";
  for (int i = 0; r->extra[i]; i++)
    argv[n++] = (char *) r->extra[i];
  if (r->plugin)
    argv[n++] = "--tensor-report=none";
  else
    argv[n++] = "-Wno-unknown-pragmas";
  snprintf (report, sizeof report, "--tensor-report-json=%s",
            compare_path ("report"));
  if (r == &recipes[COMPARE_FUSED])
    argv[n++] = strdup (report);
  for (int i = 0; i < wish->n_arguments; i++)
    argv[n++] = wish->argument[i];
  argv[n++] = "-o";
  argv[n++] = compare_path (r->name);
  argv[n++] = "-lm";
  argv[n] = NULL;
  return argv;
}

/* What was built last lacks functions.  */
static bool
lacks_functions (void)
{
  return strstr (compare_file_text (compare_path ("errors")),
                 "undefined reference");
}

void
compare_build_all (const compare_wish *wish)
{
  for (int b = 0; b < COMPARE_BUILDS; b++)
    {
      char what[64];
      compare_progress ("building %s (%d of %d)", recipes[b].name, b + 1,
                        COMPARE_BUILDS);
      snprintf (what, sizeof what, "building %s", recipes[b].name);
      if (compare_is_stood_in (b))
        continue;
      int status = compare_run (command (&recipes[b], wish), NULL,
                                compare_path ("errors"), NULL);
      if (status && (recipes[b].plugin || !lacks_functions ()))
        stop_failed (what, status);
      stands_in |= status != 0;
    }
}
