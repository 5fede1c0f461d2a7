/* Told to the user: one verdict for each pragma.

     done      a note: what was done
     kept      a note: why the user's order stays
     refused, failed  a warning of ours, that -Werror does not make an error
     the user's words cannot be met, or the verdict is not what require asks
               for: errors

   and where to look, as notes.  The same words go to -fopt-info.  Then the
   files: each gets what belongs to the region with one write, so that
   compilations that run side by side may share a file.  */

#include "plugin/report.hh"

#include <fcntl.h>

#include "plugin/held.hh"
#include "plugin/record.hh"

/* The place REMARK is about; that of the pragma where none is known.  */
static location_t
place_of (const tns_ctx *ctx, const tns_remark *remark)
{
  return remark->loc.handle ? remark->loc.handle : ctx->wish.loc.handle;
}

bool
tns_report_warn (location_t loc, const char *words)
{
  bool as_errors = global_dc->warning_as_error_requested;
  global_dc->warning_as_error_requested = false;
  bool given = warning_at (loc, 0, "%s", words);
  global_dc->warning_as_error_requested = as_errors;
  return given;
}

/* Say where REMARK points to, when that is another place than the
   pragma's.  */
static void
point_at (const tns_ctx *ctx, const tns_remark *remark)
{
  if (place_of (ctx, remark) != ctx->wish.loc.handle)
    inform (place_of (ctx, remark), "because of this");
}

/* The errors among the remarks; how many.  */
static int
report_errors (const tns_ctx *ctx)
{
  int n = 0;
  for (const tns_remark *r = ctx->remarks; r; r = r->next)
    if (r->kind == TNS_REMARK_ERROR)
      {
        error_at (place_of (ctx, r), "%s", r->words);
        n++;
      }
  return n;
}

/* A word of require as the user wrote it: contract:x is contract(x).  */
static const char *
wish_spelled (tns_arena *arena, const char *name)
{
  const char *colon = strchr (name, ':');
  if (!colon)
    return name;
  return tns_arena_format (arena, "%.*s(%s)", (int) (colon - name), name,
                           colon + 1);
}

/* The region is not done, but must be.  */
static void
report_required (tns_ctx *ctx, const tns_remark *reason)
{
  const tns_wish_name *wish = &ctx->wish.require.names[0];
  const char *words
    = tns_arena_format (ctx->arena, tns_why_words (TNS_WHY_REQUIRE),
                        wish_spelled (ctx->arena, wish->name), reason->words);
  error_at (wish->loc.handle, "%s", words);
  point_at (ctx, reason);
}

/* The region is refused or failed.  */
static void
report_missed (tns_ctx *ctx, const tns_options *options, const char *words)
{
  const tns_remark *reason = tns_verdict (ctx);
  if (reason && ctx->wish.require.n > 0)
    report_required (ctx, reason);
  else if (options->report != TNS_REPORT_NONE
           && tns_report_warn (ctx->wish.loc.handle, words) && reason)
    point_at (ctx, reason);
}

/* The statements left in place that were not understood, but that which the
   verdict has told of.  */
static void
report_left (const tns_ctx *ctx)
{
  const tns_remark *reason = tns_verdict (ctx);
  for (const tns_remark *r = ctx->remarks; r; r = r->next)
    if (r->kind == TNS_REMARK_LEFT && tns_why_status (r->why) != TNS_DONE
        && !(reason && reason->loc.handle == r->loc.handle))
      inform (place_of (ctx, r), "left in place: %s", r->words);
}

/* The verdict in one line.  */
static const char *
verdict_words (tns_ctx *ctx, const tns_result *result)
{
  const tns_remark *reason = tns_verdict (ctx);
  if (result->status == TNS_DONE)
    return tns_summary (ctx, result);
  return tns_arena_format (ctx->arena, "not transformed: %s",
                           reason ? reason->words
                                  : tns_why_words (TNS_WHY_MEMORY));
}

/* The diagnostics of the region.  */
static void
report_verdict (tns_ctx *ctx, const tns_options *options,
                const tns_result *result)
{
  auto_diagnostic_group group;
  if (report_errors (ctx) > 0)
    return;
  const char *words = verdict_words (ctx, result);
  bool done = result->status == TNS_DONE;
  if (!done)
    report_missed (ctx, options, words);
  else if (options->report == TNS_REPORT_ALL)
    inform (ctx->wish.loc.handle, "%s", words);
  if (options->report != TNS_REPORT_NONE)
    report_left (ctx);
  tns_opt_info (ctx->wish.loc.handle, done && !result->kept, words);
}

void
tns_report_append (const char *file, const char *chars)
{
  size_t length = strlen (chars);
  int to = open (file, O_WRONLY | O_APPEND | O_CREAT, 0666);
  bool right = to >= 0 && write (to, chars, length) == (ssize_t) length;
  if (!right)
    error ("cannot write to %qs: %m", file);
  if (to >= 0)
    close (to);
}

/* The groups before and after.  */
static void
append_graph (tns_ctx *ctx, const tns_options *options,
              const tns_result *result, const char *name)
{
  const char *dot = tns_arena_format (ctx->arena, "%s.dot", options->graph);
  const char *json = tns_arena_format (ctx->arena, "%s.json", options->graph);
  tns_report_append (dot, tns_graph_dot (ctx, result, name));
  tns_report_append (json, tns_graph_json (ctx, result, name));
}

const char *
tns_region_name (const tns_ctx *ctx, tree fndecl)
{
  if (ctx->wish.name)
    return ctx->wish.name;
  return tns_arena_format (ctx->arena, "%s:%d",
                           IDENTIFIER_POINTER (DECL_NAME (fndecl)),
                           ctx->wish.loc.line);
}

/* The files that OPTIONS asks for.  */
static void
write_files (tns_ctx *ctx, const tns_options *options, const tns_result *result,
             tree fndecl)
{
  const char *function = IDENTIFIER_POINTER (DECL_NAME (fndecl));
  const char *name = tns_region_name (ctx, fndecl);
  bool done = result->status == TNS_DONE;
  if (options->report_json)
    tns_held_add (ctx, options->report_json,
                  tns_json (ctx, result, name, function), result);
  if (options->emit_c && done && result->scheduled)
    tns_report_append (options->emit_c, tns_emitted (ctx, result, fndecl));
  if (options->extract && done && result->in)
    tns_report_append (options->extract, tns_alone_text (ctx, result));
  if (options->graph && result->in)
    append_graph (ctx, options, result, name);
  if (ctx->dump)
    fflush (ctx->dump);
}

FILE *
tns_report_dump (const tns_options *options)
{
  static FILE *file;
  if (!options->dump || file)
    return file;
  const char *base = dump_base_name ? dump_base_name : "a";
  char *name = concat (base, ".tensor", NULL);
  file = fopen (name, "w");
  if (!file)
    {
      error ("cannot write to %qs: %m", name);
      file = stderr;
    }
  free (name);
  return file;
}

/* The memory that the report itself needed was not there.  */
static void
report_no_memory (const tns_ctx *ctx, bool told)
{
  if (!told)
    tns_report_warn (ctx->wish.loc.handle, tns_why_words (TNS_WHY_MEMORY));
}

void
tns_report (tns_ctx *ctx, const tns_options *options, const tns_result *result,
            tree fndecl)
{
  volatile bool told = false;
  if (setjmp (ctx->no_memory))
    {
      report_no_memory (ctx, told);
      return;
    }
  tns_ctx_arm (ctx);
  report_verdict (ctx, options, result);
  told = true;
  write_files (ctx, options, result, fndecl);
}
