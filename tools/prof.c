/* tensor-prof: where the time of a program goes.

     tensor-prof [switches] PROGRAM [arguments]
     tensor-prof diff A.json B.json
     tensor-prof extract REGION PROFILE.json [-- COMPILER ...]

   The program runs as it is, with TRM_PROFILE set; the runtime that it is
   linked with writes what was asked for.  Ends with the program's status, or
   with 2 when it could not be run or wrote no profile.  */

#include "prof.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef PACKAGE_VERSION
#  define PACKAGE_VERSION "of no package"
#endif

static char folder[4096];

static const char help[]
  = "usage: tensor-prof [switches] PROGRAM [arguments]\n"
    "       tensor-prof diff A.json B.json\n"
    "       tensor-prof extract [--shape=N] REGION PROFILE.json [-- COMPILER "
    "...]\n"
    "\n"
    "  --table          the table, on standard error; also without a switch\n"
    "  --html=FILE      a page\n"
    "  --trace=FILE     what ran when, for Perfetto or chrome://tracing\n"
    "  --json=FILE      all numbers\n"
    "  --dot=FILE       what called what, for dot\n"
    "  --samples=FILE   the functions that ran outside regions\n"
    "  --memory=FILE    the lines that held memory\n"
    "  --sort=ORDER     self, total, mean, calls, allocated or name\n"
    "  --by=GROUP       rows for each region, name, line, file or shape\n"
    "  --runs=N         run N times; median, least and spread of each region\n"
    "  --version, --help\n"
    "\n"
    "diff tells what changed between two files of --json.\n"
    "\n"
    "extract writes a program of C that tells how long one region takes with "
    "the\n"
    "sizes that the run had, those that took longest, or the Nth: the region "
    "is "
    "read\n"
    "again by COMPILER ..., the command that compiled it; tensorcc -O2 FILE.\n";

void
compare_progress (const char *format, ...)
{
  (void) format;
}

void
compare_folder_remove (bool keep)
{
  if (!*folder || keep)
    return;
  static const char *const name[] = { "profile", "regions", "words", "errors" };
  for (size_t i = 0; i < sizeof name / sizeof *name; i++)
    unlink (compare_path (name[i]));
  rmdir (folder);
  *folder = 0;
}

void
compare_fail (const char *format, ...)
{
  va_list args;
  fputs ("tensor-prof: ", stderr);
  va_start (args, format);
  vfprintf (stderr, format, args);
  va_end (args);
  fputc ('\n', stderr);
  compare_folder_remove (false);
  exit (2);
}

void
compare_folder_make (void)
{
  const char *place = getenv ("TMPDIR");
  snprintf (folder, sizeof folder, "%s/tensor-prof-XXXXXX",
            place && *place ? place : "/tmp");
  if (!mkdtemp (folder))
    compare_fail ("cannot make a folder like %s", folder);
}

char *
compare_path (const char *name)
{
  size_t bytes = strlen (folder) + strlen (name) + 2;
  char *path = malloc (bytes);
  if (!path)
    compare_fail ("no memory");
  snprintf (path, bytes, "%s/%s", folder, name);
  return path;
}

char *
compare_file_text (const char *path)
{
  FILE *file = fopen (path, "r");
  size_t room = 1 << 16, n = 0;
  char *text = malloc (room);
  while (text && file)
    {
      size_t more = fread (text + n, 1, room - n - 1, file);
      n += more;
      if (!more)
        break;
      if (n == room - 1)
        text = realloc (text, room *= 2);
    }
  if (!text)
    compare_fail ("no memory");
  if (file)
    fclose (file);
  text[n] = 0;
  return text;
}

/* Put the program's environment in order and become it.  */
static void
become (const prof_wish *wish, const char *words)
{
  signal (SIGINT, SIG_DFL);
  signal (SIGQUIT, SIG_DFL);
  setenv ("TRM_PROFILE", words, 1);
  execvp (wish->argument[0], wish->argument);
  fprintf (stderr, "tensor-prof: cannot run %s: %s\n", wish->argument[0],
           strerror (errno));
  _exit (127);
}

int
prof_run (const prof_wish *wish, const char *words)
{
  int status = 0;
  fflush (NULL);
  signal (SIGINT, SIG_IGN);
  signal (SIGQUIT, SIG_IGN);
  pid_t child = fork ();
  if (child < 0)
    compare_fail ("cannot start %s", wish->argument[0]);
  if (child == 0)
    become (wish, words);
  while (waitpid (child, &status, 0) < 0 && errno == EINTR)
    ;
  return status;
}

/* The value of the switch NAME= in WORD, or NULL.  */
static const char *
switch_value (const char *word, const char *name)
{
  size_t n = strlen (name);
  return strncmp (word, name, n) == 0 && word[n] == '=' ? word + n + 1 : NULL;
}

/* The file called NAME seen from any folder: the program may go to another
   one.  */
static const char *
whole_name (const char *name)
{
  char here[4096];
  if (!*name || strchr (name, ','))
    compare_fail ("'%s' cannot be a file: it has a comma, or no name", name);
  if (*name == '/' || !getcwd (here, sizeof here))
    return name;
  size_t bytes = strlen (here) + strlen (name) + 2;
  char *whole = malloc (bytes);
  if (!whole)
    compare_fail ("no memory");
  snprintf (whole, bytes, "%s/%s", here, name);
  return whole;
}

/* Take WORD when it is a switch with a value.  */
static bool
read_valued (prof_wish *wish, const char *word)
{
  const struct
  {
    const char *name;
    const char **place;
    bool is_file;
  } switches[] = {
    { "--json", &wish->json, true },       { "--html", &wish->html, true },
    { "--trace", &wish->trace, true },     { "--dot", &wish->dot, true },
    { "--samples", &wish->samples, true }, { "--memory", &wish->memory, true },
    { "--sort", &wish->sort, false },      { "--by", &wish->by, false },
  };
  const char *value = switch_value (word, "--runs");
  if (value && (wish->runs = atoi (value)) < 1)
    compare_fail ("--runs=%s is not a number above 0", value);
  for (size_t i = 0; !value && i < sizeof switches / sizeof *switches; i++)
    if ((value = switch_value (word, switches[i].name)))
      *switches[i].place = switches[i].is_file ? whole_name (value) : value;
  return value != NULL;
}

/* The command line.  */
static prof_wish
read_arguments (char **argv)
{
  prof_wish wish = { .runs = 1 };
  for (argv++; *argv && (*argv)[0] == '-'; argv++)
    {
      if (strcmp (*argv, "--") == 0)
        {
          argv++;
          break;
        }
      if (strcmp (*argv, "--help") == 0 || strcmp (*argv, "--version") == 0)
        {
          fputs ((*argv)[2] == 'h' ? help
                                   : "tensor-prof (gcc-tensor) " PACKAGE_VERSION
                                     "\n",
                 stdout);
          exit (0);
        }
      if (strcmp (*argv, "--table") == 0)
        wish.table = true;
      else if (!read_valued (&wish, *argv))
        compare_fail ("%s is not known; --help tells more", *argv);
    }
  wish.argument = argv;
  return wish;
}

/* Append a comma, WORD and VALUE to the list WORDS of
   BYTES bytes, when there is a value.  */
static void
append (char *words, size_t bytes, const char *word, const char *value)
{
  size_t n = strlen (words);
  if (value)
    snprintf (words + n, bytes - n, ",%s%s", word, value);
}

/* What TRM_PROFILE is for one run of WISH.  */
static void
make_words (const prof_wish *wish, char *words, size_t bytes)
{
  bool any = wish->json || wish->html || wish->trace || wish->dot
             || wish->samples || wish->memory;
  snprintf (words, bytes, "json:%s,counters,shapes",
            wish->json ? wish->json : compare_path ("profile"));
  if (wish->table || !any)
    append (words, bytes, "table,peaks", wish->samples ? "" : ",sample");
  append (words, bytes, "html:", wish->html);
  append (words, bytes, "sample", wish->html && !wish->samples ? "" : NULL);
  append (words, bytes, "trace:", wish->trace);
  append (words, bytes, "dot:", wish->dot);
  append (words, bytes, "sample:", wish->samples);
  append (words, bytes, "memory:", wish->memory);
  append (words, bytes, "sort=", wish->sort);
  append (words, bytes, "by=", wish->by);
}

/* Run the program of WISH once; its exit status, or 2.  */
static int
run_once (const prof_wish *wish)
{
  char words[8 * 4096];
  make_words (wish, words, sizeof words);
  if (wish->json)
    unlink (wish->json);
  int status = prof_run (wish, words);
  const char *json = wish->json ? wish->json : compare_path ("profile");
  if (WIFSIGNALED (status))
    compare_fail ("%s was ended by signal %d", wish->argument[0],
                  WTERMSIG (status));
  if (WEXITSTATUS (status) != 127 && access (json, R_OK))
    compare_fail ("%s wrote no profile: is it linked with libtensorrt-mini, "
                  "and did it end by exit?",
                  wish->argument[0]);
  return WEXITSTATUS (status) == 127 ? 2 : WEXITSTATUS (status);
}

int
main (int argc, char **argv)
{
  if (argc > 1 && strcmp (argv[1], "diff") == 0)
    {
      if (argc != 4)
        compare_fail ("diff takes two files of --json");
      return prof_diff (argv[2], argv[3]);
    }
  if (argc > 1 && strcmp (argv[1], "extract") == 0)
    return prof_extract (argv + 2);
  prof_wish wish = read_arguments (argv);
  if (!*wish.argument)
    compare_fail ("no program is named; --help tells more");
  compare_folder_make ();
  int status = wish.runs > 1 ? prof_several (&wish) : run_once (&wish);
  compare_folder_remove (false);
  return status;
}
