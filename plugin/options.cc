/* The command line: -fplugin-arg-tensor-KEY[=VALUE] -> options.

   The keys are rows of option.def.  A key that is the default of a clause is
   read by the parser of clauses itself: fuse=max becomes the line fuse(max),
   on top of the defaults read so far.  The plan is read here, once, as the
   text that every region looks for its section in.  */

#include "plugin/options.hh"

extern "C"
{
#include "base/ctx.h"
#include "driver/nvcc.h"
#include "pragmas/lex.h"
#include "pragmas/near.h"
#include "pragmas/parse.h"
#include "schedule/machine.h"
}

enum option_kind
{
  OPTION_FLAG,
  OPTION_TEXT,
  OPTION_NUMBER,
  OPTION_WORD,
  OPTION_CLAUSE
};

enum option_id
{
#define TNS_OPTION(id, key, kind, value, since, meaning) OPTION_ID_##id,
#include "plugin/option.def"
#undef TNS_OPTION
  N_OPTIONS
};

enum
{
  NOW = 0,
  LATER = 1
};

typedef struct option_row
{
  const char *key;
  enum option_kind kind;
  const char *value;
  bool later;
  const char *meaning;
} option_row;

static const option_row rows[] = {
#define TNS_OPTION(id, key, kind, value, since, meaning)                       \
  { key, OPTION_##kind, value, since, meaning },
#include "plugin/option.def"
#undef TNS_OPTION
};

static const char prefix[] = "-fplugin-arg-tensor-";

/* Print the table.  */
static void
print_help (void)
{
  printf ("Options of the tensor plug-in:\n");
  for (int k = 0; k < N_OPTIONS; k++)
    {
      char spelled[64];
      snprintf (spelled, sizeof spelled, "%s%s%s", rows[k].key,
                rows[k].value[0] ? "=" : "", rows[k].value);
      printf ("  %s%-30s %s%s\n", prefix, spelled, rows[k].meaning,
              rows[k].later ? " (not there yet)" : "");
    }
}

/* The row of KEY, or -1.  */
static int
find_row (const char *key)
{
  for (int k = 0; k < N_OPTIONS; k++)
    if (strcmp (rows[k].key, key) == 0)
      return k;
  return -1;
}

/* KEY is in no row.  */
static void
complain_of_key (const char *key)
{
  const char *known[N_OPTIONS];
  for (int k = 0; k < N_OPTIONS; k++)
    known[k] = rows[k].key;
  const char *meant = tns_near (key, known, N_OPTIONS);
  if (meant)
    error ("unrecognized option %<%s%s%>; did you mean %<%s%s%>?", prefix, key,
           prefix, meant);
  else
    error ("unrecognized option %<%s%s%>", prefix, key);
}

/* VALUE is not one that ROW takes; MEANT, or NULL, was probably meant.  */
static void
complain_of_value (const option_row *row, const char *value, const char *meant)
{
  if (meant)
    error ("invalid value %qs of %<%s%s=%>; did you mean %qs?", value, prefix,
           row->key, meant);
  else
    error ("invalid value %qs of %<%s%s=%>, which takes %s", value, prefix,
           row->key, row->value);
}

/* The number of VALUE among ROW's words, or -1 with the error given.  */
static int
find_word (tns_arena *arena, const option_row *row, const char *value)
{
  const char *words[8];
  int n = 0;
  char *copy = tns_arena_string (arena, row->value);
  for (char *word = strtok (copy, "|"); word && n < 8;
       word = strtok (NULL, "|"))
    words[n++] = word;
  for (int k = 0; k < n; k++)
    if (strcmp (words[k], value) == 0)
      return k;
  complain_of_value (row, value, tns_near (value, words, n));
  return -1;
}

/* VALUE as a number; false with the error given when it is none.  */
static bool
read_number (const option_row *row, const char *value, long *number)
{
  char *end;
  errno = 0;
  long read = strtol (value, &end, 10);
  if (end == value || *end || errno || read < 0)
    {
      complain_of_value (row, value, NULL);
      return false;
    }
  *number = read;
  return true;
}

/* The default of a clause.  */
static void
read_clause (tns_options *options, tns_arena *arena, const option_row *row,
             const char *value)
{
  tns_wish wish;
  tns_directive directive;
  tns_pragma_error fault;
  int n;
  const char *line
    = value ? tns_arena_format (arena, "%s(%s)", row->key, value) : row->key;
  tns_token *tokens = tns_pragma_lex (arena, line, &n);
  bool right = tns_pragma_parse (arena, tokens, n, &options->wish, &directive,
                                 &wish, &fault);
  bool is_list = strcmp (row->value, "off") == 0;
  if (is_list && strcmp (value, "off") != 0)
    complain_of_value (row, value, tns_near (value, &row->value, 1));
  else if (!right && fault.meant)
    complain_of_value (row, value, fault.meant);
  else if (!right)
    error ("%<%s%s%s%s%>: %s", prefix, row->key, value ? "=" : "",
           value ? value : "", fault.words);
  else
    options->wish = wish;
}

/* All of FILE, on the heap, as long as the compilation; NULL with the error
   given when it cannot be read.  */
static const char *
read_file (const char *file)
{
  FILE *stream = fopen (file, "r");
  if (!stream)
    {
      error ("cannot read %qs: %m", file);
      return NULL;
    }
  size_t length = 0;
  char *text = XNEWVEC (char, BUFSIZ + 1);
  for (size_t got; (got = fread (text + length, 1, BUFSIZ, stream)) > 0;)
    {
      length += got;
      text = XRESIZEVEC (char, text, length + BUFSIZ + 1);
    }
  text[length] = '\0';
  if (ferror (stream))
    error ("cannot read %qs: %m", file);
  fclose (stream);
  return text;
}

/* A text, which stays GCC's.  */
static void
set_text (tns_options *options, int id, const char *value)
{
  switch (id)
    {
    case OPTION_ID_REPORT_JSON:
      options->report_json = value;
      break;
    case OPTION_ID_DUMP:
      options->dump = value;
      break;
    case OPTION_ID_PLAN:
      options->plan = read_file (value);
      break;
    case OPTION_ID_EMIT_C:
      options->emit_c = value;
      break;
    case OPTION_ID_EXTRACT:
      options->extract = value;
      break;
    case OPTION_ID_GRAPH:
      options->graph = value;
      break;
    case OPTION_ID_MACHINE:
      options->machine = tns_machine_find (value);
      if (!options->machine)
        complain_of_value (&rows[id], value, NULL);
      break;
    case OPTION_ID_CUDA_ARCH:
      options->cuda_arch = value;
      if (strcmp (value, "none") && !tns_nvcc_are_archs (value))
        complain_of_value (&rows[id], value, NULL);
      break;
    case OPTION_ID_BREAK:
      options->fault = value;
      if (tns_unknown_fault (value))
        complain_of_value (&rows[id], value, NULL);
      break;
    default:
      break;
    }
}

/* A word: of report, the only one.  */
static void
set_word (tns_options *options, tns_arena *arena, const option_row *row,
          const char *value)
{
  int word = find_word (arena, row, value);
  if (word >= 0)
    options->report = (tns_report_level) word;
}

/* A number.  */
static void
set_number (tns_options *options, int id, const char *value)
{
  long number;
  if (!read_number (&rows[id], value, &number))
    return;
  if (id == OPTION_ID_BUDGET)
    options->wish.budget = number;
  else
    options->wish.parallel_threshold = number;
}

/* A key that takes no value.  */
static void
set_flag (tns_options *options, int id)
{
  if (id == OPTION_ID_HELP)
    print_help ();
  else
    options->scop = true;
}

/* VALUE stands where ROW wants one, and only there; else an error.  */
static bool
check_value (const option_row *row, const char *value)
{
  bool wanted = row->value[0] != '\0';
  if (wanted && (!value || !*value))
    error ("missing value of %<%s%s=%>, which takes %s", prefix, row->key,
           row->value);
  else if (!wanted && value)
    error ("%<%s%s%> takes no value", prefix, row->key);
  return wanted ? value && *value : !value;
}

/* One argument.  */
static void
read_argument (tns_options *options, tns_arena *arena, const char *key,
               const char *value)
{
  int id = find_row (key);
  if (id < 0)
    {
      complain_of_key (key);
      return;
    }
  if (rows[id].later)
    {
      error ("%<%s%s%> is not there yet", prefix, key);
      return;
    }
  if (!check_value (&rows[id], value))
    return;
  switch (rows[id].kind)
    {
    case OPTION_FLAG:
      set_flag (options, id);
      break;
    case OPTION_TEXT:
      set_text (options, id, value);
      break;
    case OPTION_NUMBER:
      set_number (options, id, value);
      break;
    case OPTION_WORD:
      set_word (options, arena, &rows[id], value);
      break;
    case OPTION_CLAUSE:
      read_clause (options, arena, &rows[id], value);
      break;
    }
}

void
tns_options_read (tns_options *options, int argc, struct plugin_argument *argv)
{
  tns_options empty = {};
  *options = empty;
  options->wish = tns_wish_default ();
  tns_arena *arena = tns_arena_new (tns_allocator_malloc ());
  for (int k = 0; arena && k < argc; k++)
    read_argument (options, arena, argv[k].key, argv[k].value);
  tns_arena_free (arena);
}
