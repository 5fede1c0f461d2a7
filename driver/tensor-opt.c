/* Reads regions as text, runs stages on them, prints or executes them.  No
   GCC in it: what it can do, the compiler can do without a host.

   For each region: parse; the stages of driver/stage.def up to the one that
   --stage names; print, unless --eval executes it instead.  The stages of
   the pipeline between simplify and out are shown with --dump.  Remarks go
   to stderr.  */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/arguments.h"
#include "driver/differentiate.h"
#include "driver/pipeline.h"
#include "ir/argmax.h"
#include "ir/borders.h"
#include "ir/bytes.h"
#include "ir/canon.h"
#include "ir/chain.h"
#include "ir/delay.h"
#include "ir/elements.h"
#include "ir/eval.h"
#include "ir/factor.h"
#include "ir/gather.h"
#include "ir/flatten.h"
#include "ir/induction.h"
#include "ir/keep.h"
#include "ir/known.h"
#include "ir/localise.h"
#include "ir/multiples.h"
#include "ir/parse.h"
#include "ir/pivot.h"
#include "ir/previous.h"
#include "ir/print.h"
#include "ir/rebase.h"
#include "ir/reroll.h"
#include "ir/reshape.h"
#include "ir/simplify.h"
#include "ir/table.h"
#include "ir/unroll.h"
#include "ir/verify.h"
#include "ir/wrap.h"
#include "schedule/machine.h"

enum
{
  MOST_SETTINGS = 64,
  WRONG_REGION = 1,
  WRONG_USE = 2
};

/* What the command line asks for.  */
typedef struct request
{
  const char *file;
  const char *stage;
  const char *gradient;
  bool forward;
  const char *dump;
  const char *fault;
  const tns_machine *machine;
  tns_fp fp;
  bool evaluates;
  bool counts;
  long long most;
  tns_eval_options options;
  tns_argument_wish wish;
  tns_setting settings[MOST_SETTINGS];
} request;

/* The invariants as a stage.  */
static tns_region *
verify (tns_ctx *ctx, tns_region *region)
{
  return tns_region_verify (ctx, region, "extract");
}

/* Two loops as one, as a stage.  */
static tns_region *
flatten (tns_ctx *ctx, tns_region *region)
{
  tns_text steps = tns_text_new (ctx->arena);
  return tns_region_flatten (ctx, region, &steps);
}

/* A loop over all elements as loops over rows, as a stage.  */
static tns_region *
reshape (tns_ctx *ctx, tns_region *region)
{
  tns_text steps = tns_text_new (ctx->arena);
  return tns_region_reshape (ctx, region, false, &steps);
}

/* Factors out of sums, as a stage.  */
static tns_region *
factor (tns_ctx *ctx, tns_region *region)
{
  tns_text steps = tns_text_new (ctx->arena);
  return tns_region_factor (ctx, region, &steps);
}

/* The pipeline up to what c99 prints.  */
static tns_region *
schedule (tns_ctx *ctx, tns_region *region)
{
  const tns_result *result = tns_pipeline (ctx, region);
  return result && result->status == TNS_DONE ? result->scheduled : NULL;
}

/* The whole pipeline.  */
static tns_region *
compile (tns_ctx *ctx, tns_region *region)
{
  const tns_result *result = tns_pipeline (ctx, region);
  return result && result->status == TNS_DONE ? result->out : NULL;
}

/* is_whole  it takes the region as it was read  */
typedef struct stage
{
  const char *name;
  tns_region *(*run) (tns_ctx *ctx, tns_region *region);
  const char *words;
  bool is_whole;
} stage;

static const stage stages[] = {
#define TNS_STAGE(name, function, words) { #name, function, words, false },
#define TNS_WHOLE(name, function, words) { #name, function, words, true },
#include "driver/stage.def"
#undef TNS_STAGE
#undef TNS_WHOLE
};

static const int n_stages = sizeof stages / sizeof *stages;

/* The number of the stage called NAME, or -1.  */
static int
find_stage (const char *name)
{
  for (int k = 0; k < n_stages; k++)
    if (!strcmp (stages[k].name, name))
      return k;
  return -1;
}

/* The words of --help.  */
static void
print_help (void)
{
  printf ("Usage: tensor-opt [OPTION]... [FILE]\n"
          "Run stages of gcc-tensor on loops in their text form.\n\n"
          "  --stage=NAME    run the stages up to NAME:\n");
  for (int k = 0; k < n_stages; k++)
    printf ("                    %-10s %s\n", stages[k].name, stages[k].words);
  printf ("  --gradient=WISH the gradient instead, of=Y:DY wrt=X:DX absent=A"
          " given=G\n"
          "                  clear=X store=S recompute=R primal=yes\n"
          "  --tangent=WISH  the tangent instead, in the same words\n"
          "  --dump=NAMES    print after these stages, or all\n"
          "  --break=NAMES   plant a fault in these stages\n"
          "  --machine=NAME  avx512 (the default), znver4, znver3, avx2, avx"
          " or sse2\n"
          "  --fp=MODE       strict, reassoc (the default) or fast\n"
          "  --eval          execute the region and print its arrays\n"
          "  --set=NAME=NUM  the value of a parameter, else 5 or 1.5\n"
          "  --room=N        elements of an array without extents (4096)\n"
          "  --seed=N        of the arrays' contents\n"
          "  --order=N       free loops: 0 forwards, 1 backwards,"
          " 2 shuffled\n"
          "  --print=N       elements to print of each array (64)\n"
          "  --guards        check assumptions and guards first\n"
          "  --counts        print what was executed\n"
          "  --next          the options behind are another run's\n"
          "  --help, --version\n");
}

/* What stands behind NAME= when ARG is that option, else NULL.  */
static char *
option_value (char *arg, const char *name)
{
  size_t length = strlen (name);
  return !strncmp (arg, name, length) && arg[length] == '=' ? arg + length + 1
                                                            : NULL;
}

/* NAME=NUMBER into R, TEXT cut after the name; false, and TEXT whole, when it
   is not that.  */
static bool
read_setting (request *r, char *text)
{
  char *equals = strchr (text, '=');
  char *end;
  if (!equals || r->wish.n_settings == MOST_SETTINGS)
    return false;
  tns_setting *setting = &r->settings[r->wish.n_settings++];
  setting->name = text;
  setting->value = strtold (equals + 1, &end);
  if (*end || end == equals + 1)
    return false;
  *equals = '\0';
  return true;
}

/* The mode called NAME into R.  */
static bool
read_fp (request *r, const char *name)
{
  static const char *const names[] = { "strict", "reassoc", "fast" };
  for (int k = 0; k < 3; k++)
    if (!strcmp (names[k], name))
      {
        r->fp = (tns_fp) k;
        return true;
      }
  return false;
}

/* TEXT as a number into *NUMBER.  */
static bool
read_number (const char *text, long long *number)
{
  char *end;
  errno = 0;
  *number = strtoll (text, &end, 10);
  return !errno && end != text && !*end;
}

/* An option with a number.  */
static bool
read_count (request *r, char *arg)
{
  static const char *const names[]
    = { "--room", "--seed", "--order", "--print" };
  for (int k = 0; k < 4; k++)
    {
      const char *value = option_value (arg, names[k]);
      long long number;
      if (!value)
        continue;
      if (!read_number (value, &number) || number < 0)
        return false;
      r->wish.room = k == 0 ? number : r->wish.room;
      r->wish.seed = k == 1 ? (unsigned) number : r->wish.seed;
      r->options.order = k == 2 ? (int) number : r->options.order;
      r->most = k == 3 ? number : r->most;
      return true;
    }
  return false;
}

/* One argument into R; false when it is not understood.  */
static bool
read_option (request *r, char *arg)
{
  char *value;
  if (!strcmp (arg, "--eval"))
    r->evaluates = true;
  else if (!strcmp (arg, "--counts"))
    r->counts = true;
  else if (!strcmp (arg, "--guards"))
    r->options.check_guards = true;
  else if ((value = option_value (arg, "--stage")))
    {
      r->stage = value;
      return find_stage (value) >= 0;
    }
  else if ((value = option_value (arg, "--gradient")))
    r->gradient = value;
  else if ((value = option_value (arg, "--tangent")))
    {
      r->gradient = value;
      r->forward = true;
    }
  else if ((value = option_value (arg, "--dump")))
    r->dump = value;
  else if ((value = option_value (arg, "--break")))
    {
      r->fault = value;
      return !tns_unknown_fault (value);
    }
  else if ((value = option_value (arg, "--machine")))
    {
      r->machine = tns_machine_find (value);
      return r->machine != NULL;
    }
  else if ((value = option_value (arg, "--fp")))
    return read_fp (r, value);
  else if ((value = option_value (arg, "--set")))
    return read_setting (r, value);
  else if (arg[0] == '-' && arg[1])
    return read_count (r, arg);
  else if (r->file)
    return false;
  else
    r->file = arg;
  return true;
}

/* All of FILE's characters ("-" is stdin) in ARENA, or NULL.  */
static char *
read_file (tns_arena *arena, const char *name)
{
  FILE *file = strcmp (name, "-") ? fopen (name, "r") : stdin;
  if (!file)
    return NULL;
  size_t length = 0;
  size_t room = 65536;
  char *chars = tns_arena_get (arena, room);
  size_t got;
  while ((got = fread (chars + length, 1, room - length - 1, file)) > 0)
    {
      length += got;
      if (room - length > 1)
        continue;
      chars = tns_arena_grow (arena, chars, length, 2 * room);
      room *= 2;
    }
  chars[length] = '\0';
  if (file != stdin)
    fclose (file);
  return chars;
}

/* The remarks of CTX about FILE.  */
static void
print_remarks (const tns_ctx *ctx, const char *file)
{
  static const char *const kinds[]
    = { "note", "left", "refused", "failed", "error" };
  for (const tns_remark *r = ctx->remarks; r; r = r->next)
    {
      fprintf (stderr, "%s:%d:%d: %s: %s", file, r->loc.line, r->loc.column,
               kinds[r->kind], r->words);
      if (r->why != TNS_WHY_NONE)
        fprintf (stderr, " [%s]", tns_why_name (r->why));
      fputc ('\n', stderr);
    }
}

/* REGION as text, on OUT.  */
static void
print_region (tns_ctx *ctx, FILE *out, const tns_region *region)
{
  tns_text text = tns_text_new (ctx->arena);
  tns_region_print (&text, region);
  fputs (tns_text_chars (&text), out);
}

/* Run the stages that R asks for.  */
static tns_region *
run_stages (tns_ctx *ctx, const request *r, tns_region *region)
{
  int last = r->stage ? find_stage (r->stage) : 0;
  if (stages[last].is_whole)
    return stages[last].run (ctx, region);
  for (int k = 0; k <= last && region; k++)
    {
      region = stages[k].run (ctx, region);
      if (region && tns_ctx_dumps (ctx, stages[k].name))
        {
          fprintf (ctx->dump, ";; stage %s, region %s\n", stages[k].name,
                   region->name);
          print_region (ctx, ctx->dump, region);
        }
    }
  return tns_region_verify (ctx, region, r->stage ? r->stage : "verify");
}

/* What a run did.  */
static void
print_counts (const tns_counts *counts)
{
  printf ("flops %.0f, bytes loaded %.0f, bytes stored %.0f, steps %.0f\n",
          counts->flops, counts->bytes_loaded, counts->bytes_stored,
          counts->steps);
}

/* Execute REGION and print what it left.  */
static int
evaluate (tns_ctx *ctx, const request *r, tns_region *region)
{
  static const char *const words[]
    = { "ok", "a guard does not hold", "an access outside of its array",
        "a division by zero", "too many steps" };
  tns_argument *argument = tns_arguments_new (ctx->arena, region, &r->wish);
  tns_counts counts;
  const tns_node *where;
  tns_eval_status status
    = tns_region_eval (region, argument, &r->options, &counts, &where);
  printf ("region %s: %s", region->name, words[status]);
  if (where)
    printf (" at %d:%d", where->loc.line, where->loc.column);
  putchar ('\n');
  if (r->counts)
    print_counts (&counts);
  tns_text text = tns_text_new (ctx->arena);
  for (int k = 0; k < region->n_params; k++)
    if (region->params[k]->kind == TNS_SYM_ARRAY
        && !(region->params[k]->flags & TNS_SYM_CONST))
      tns_argument_print (&text, region->params[k], &argument[k], r->most);
  fputs (tns_text_chars (&text), stdout);
  return status == TNS_EVAL_OK ? 0 : WRONG_REGION;
}

/* The next region of *CHARS; *STATUS is changed when something is wrong.
   False at the end of the text, or where it cannot be read on.  */
static bool
handle_region (const request *r, const char **chars, int *line, int *status)
{
  tns_ctx *ctx = tns_ctx_new (tns_allocator_malloc ());
  tns_parse_error error = { *line, 0, NULL };
  tns_region *region = tns_region_parse (ctx->arena, chars, &error);
  bool is_read = region != NULL;
  *line = error.line;
  if (error.words)
    {
      fprintf (stderr, "%s:%d:%d: error: %s\n", r->file, error.line,
               error.column, error.words);
      *status = WRONG_REGION;
    }
  ctx->wish.fp = r->fp;
  ctx->machine = r->machine;
  ctx->flags = (tns_flags){ .openmp = true, .openmp_simd = true };
  ctx->dump = stdout;
  ctx->dump_stages = r->dump;
  ctx->break_stage = r->fault;
  if (region && r->gradient)
    region
      = tns_differentiate (ctx, region,
                           tns_arena_format (ctx->arena, "%s%s", r->gradient,
                                             r->forward ? " tangent=yes" : ""));
  region = run_stages (ctx, r, region);
  print_remarks (ctx, r->file);
  if (is_read && !region)
    *status = WRONG_REGION;
  if (region && r->evaluates)
    *status |= evaluate (ctx, r, region);
  else if (region)
    print_region (ctx, stdout, region);
  tns_ctx_free (ctx);
  return is_read;
}

/* All regions of R's file.  */
static int
handle_file (const request *r)
{
  tns_arena *arena = tns_arena_new (tns_allocator_malloc ());
  const char *chars = read_file (arena, r->file);
  int status = 0;
  int line = 1;
  if (!chars)
    {
      fprintf (stderr, "tensor-opt: %s: %s\n", r->file, strerror (errno));
      status = WRONG_USE;
    }
  while (chars && handle_region (r, &chars, &line, &status))
    continue;
  tns_arena_free (arena);
  return status;
}

/* Do what the N arguments ARG ask for; the exit status.  */
static int
handle (int n, char **arg)
{
  request r = { .fp = TNS_FP_REASSOC, .most = 64 };
  r.machine = tns_machine_find ("avx512");
  r.wish.settings = r.settings;
  r.wish.room = 4096;
  r.wish.seed = 1;
  for (int k = 0; k < n; k++)
    {
      if (!strcmp (arg[k], "--help"))
        {
          print_help ();
          return 0;
        }
      if (!strcmp (arg[k], "--version"))
        {
          puts ("tensor-opt (gcc-tensor) " PACKAGE_VERSION);
          return 0;
        }
      if (!read_option (&r, arg[k]))
        {
          fprintf (stderr, "tensor-opt: %s is not understood;", arg[k]);
          fprintf (stderr, " --help lists the options\n");
          return WRONG_USE;
        }
    }
  r.file = r.file ? r.file : "-";
  return handle_file (&r);
}

int
main (int argc, char **argv)
{
  int status = 0;
  for (int first = 1, end; first <= argc; first = end + 1)
    {
      for (end = first; end < argc && strcmp (argv[end], "--next");)
        end++;
      status |= handle (end - first, argv + first);
    }
  return status;
}
