/* tensor-compare: what does #pragma tensor bring to this program?

   The program is built by plain gcc, by gcc -ffast-math, by the plugin
   without fusion and by the plugin; all are run in turns, their outputs are
   compared, their times printed for the whole and for each region.

   Ends with 0 when the outputs of the plugin's programs agree with plain
   gcc's and they end with 0 too, 1 when not, 2 when something could not be
   built, run or read.  */

#include "compare.h"

#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef PACKAGE_VERSION
#  define PACKAGE_VERSION "of no package"
#endif

const char *const compare_way_name[COMPARE_WAYS]
  = { "-O3", "-O3 -ffast-math", "unfused", "fused" };

static bool quiet;

static const char help[]
  = "usage: tensor-compare [switches] PROG.c [gcc's arguments] [-- program's "
    "arguments]\n"
    "\n"
    "  --json[=FILE]   the result as JSON, in place of the table\n"
    "  --html=FILE     the result as a page, beside the table\n"
    "  --time=SECONDS  about how long to measure (10)\n"
    "  --runs=N        how many runs of each, in place of --time\n"
    "  --tolerance=X   by how much numbers in outputs may differ (1e-4)\n"
    "  --keep          keep the programs, and say where\n"
    "  --quiet         no progress\n"
    "  --version, --help\n"
    "\n"
    "The gcc is that of tensorcc (TENSOR_CC); OMP_NUM_THREADS sets the "
    "threads.\n";

/* Whether progress is shown: on a terminal.  */
static bool
shows_progress (void)
{
  return !quiet && isatty (STDERR_FILENO);
}

void
compare_progress (const char *format, ...)
{
  va_list args;
  if (!shows_progress ())
    return;
  va_start (args, format);
  fputs ("\r\033[K", stderr);
  vfprintf (stderr, format, args);
  va_end (args);
  fflush (stderr);
}

void
compare_fail (const char *format, ...)
{
  va_list args;
  compare_progress ("%s", "");
  fputs ("tensor-compare: ", stderr);
  va_start (args, format);
  vfprintf (stderr, format, args);
  va_end (args);
  fputc ('\n', stderr);
  compare_folder_remove (false);
  exit (2);
}

/* The programs got the signal as well; go without leaving the folder.  */
static void
on_signal (int signal_number)
{
  compare_folder_remove (false);
  _exit (128 + signal_number);
}

/* The value of the switch NAME= in WORD, or NULL.  */
static char *
switch_value (char *word, const char *name)
{
  size_t n = strlen (name);
  return strncmp (word, name, n) == 0 && word[n] == '=' ? word + n + 1 : NULL;
}

/* The number TEXT of the switch NAME, which must be above 0.  */
static double
switch_number (const char *name, const char *text)
{
  char *end;
  double number = strtod (text, &end);
  if (*end || !(number > 0))
    compare_fail ("%s=%s is not a number above 0", name, text);
  return number;
}

/* Take WORD when it is a switch with a value.  */
static bool
read_valued (compare_wish *wish, char *word)
{
  char *value;
  if ((value = switch_value (word, "--json")))
    {
      wish->json = true;
      wish->json_file = value;
    }
  else if ((value = switch_value (word, "--html")))
    wish->html_file = value;
  else if ((value = switch_value (word, "--time")))
    wish->seconds = switch_number ("--time", value);
  else if ((value = switch_value (word, "--runs")))
    wish->runs = (int) switch_number ("--runs", value);
  else if ((value = switch_value (word, "--tolerance")))
    wish->tolerance = switch_number ("--tolerance", value);
  return value != NULL;
}

/* Take WORD when it is a switch of ours.  */
static bool
read_switch (compare_wish *wish, char *word)
{
  if (strcmp (word, "--help") == 0 || strcmp (word, "--version") == 0)
    {
      fputs (word[2] == 'h' ? help
                            : "tensor-compare (gcc-tensor) " PACKAGE_VERSION
                              "\n",
             stdout);
      exit (0);
    }
  if (strcmp (word, "--json") == 0)
    wish->json = true;
  else if (strcmp (word, "--keep") == 0)
    wish->keep = true;
  else if (strcmp (word, "--quiet") == 0)
    wish->quiet = true;
  else
    return read_valued (wish, word);
  return true;
}

/* The command line.  */
static compare_wish
read_arguments (int argc, char **argv)
{
  compare_wish wish = { .seconds = 10, .tolerance = 1e-4 };
  int i = 1;
  wish.argument = argv;
  for (; i < argc && strcmp (argv[i], "--"); i++)
    {
      char *word = argv[i];
      size_t n = strlen (word);
      if (read_switch (&wish, word))
        continue;
      if (!wish.source && n > 2 && strcmp (word + n - 2, ".c") == 0
          && word[0] != '-')
        wish.source = word;
      wish.argument[wish.n_arguments++] = word;
    }
  wish.program_argument = argv + i + 1;
  wish.n_program_arguments = i < argc ? argc - i - 1 : 0;
  if (!wish.source)
    compare_fail ("no C file is named; --help tells more");
  if (access (wish.source, R_OK))
    compare_fail ("cannot read %s", wish.source);
  return wish;
}

/* How many threads OpenMP will use.  */
static int
count_threads (void)
{
  const char *told = getenv ("OMP_NUM_THREADS");
  int n = told ? atoi (told) : 0;
  return n > 0 ? n : (int) sysconf (_SC_NPROCESSORS_ONLN);
}

/* Print RESULT with PRINT to the file called NAME.  */
static void
print_to (const char *name,
          void (*print) (FILE *file, const compare_result *result),
          const compare_result *result)
{
  FILE *file = fopen (name, "w");
  if (!file)
    compare_fail ("cannot write %s", name);
  print (file, result);
  if (fclose (file))
    compare_fail ("cannot write %s", name);
}

/* All that was asked for.  */
static void
print_result (const compare_result *result)
{
  const compare_wish *wish = result->wish;
  if (wish->html_file)
    print_to (wish->html_file, compare_print_html, result);
  if (wish->json_file)
    print_to (wish->json_file, compare_print_json, result);
  else if (wish->json)
    compare_print_json (stdout, result);
  if (!wish->json || wish->json_file)
    compare_print_text (stdout, result);
}

int
main (int argc, char **argv)
{
  compare_wish wish = read_arguments (argc, argv);
  compare_result result = { .wish = &wish, .threads = count_threads () };
  quiet = wish.quiet;
  signal (SIGINT, on_signal);
  signal (SIGTERM, on_signal);
  compare_folder_make ();
  result.gcc = compare_gcc ();
  compare_build_all (&wish);
  result.machine = compare_machine_measure ();
  compare_measure (&result);
  print_result (&result);
  compare_folder_remove (wish.keep);
  return !(result.agrees[COMPARE_UNFUSED] && result.agrees[COMPARE_FUSED]
           && result.agrees[COMPARE_ORIGINAL]);
}
