/* A region as one line of JSON.

     file, line, name, function  the pragma's place
     verdict  "done", "refused" or "failed"
     plan     "kept" when it is done and the user's order stays, else null
     target   "cpu", or "cuda" where there are kernels
     reason   null, or an object: why, words, file, line, column
     left     the statements that stay in place, objects like reason
     loops_before, loops_after, parallel_loops, simd_loops, contracted
     guards   conditions that are tested at run time
     flops, flops_after, bytes_before, bytes_after  a number when it is a
              constant, a string in C's notation when it depends on sizes,
              null when it was not counted
     peak_before, peak_after  likewise, bytes of temporaries
     predicted  how many times as long the loops as written are to take, or
              null
     exact    the sums are no bounds
     milliseconds
     kernels  where there are some (plugin/held.cc)

   of one inside a region that was refused, which has the only verdict

     inside   the line of that one's pragma
     taken    in place of verdict

   and of a gradient

     tape_bytes, adjoint_bytes  of what it keeps: formulas like flops
     tapes, adjoints            the arrays: objects of name, bytes  */

#include "plugin/record.hh"

/* Append a comma where one is due, and KEY.  */
static void
begin_key (tns_text *text, const char *key)
{
  if (text->length > 0 && text->chars[text->length - 1] != '{')
    tns_text_add (text, ", ");
  tns_text_quoted (text, key);
  tns_text_add (text, ": ");
}

/* KEY: "CHARS", or null.  */
static void
add_string (tns_text *text, const char *key, const char *chars)
{
  begin_key (text, key);
  if (chars)
    tns_text_quoted (text, chars);
  else
    tns_text_add (text, "null");
}

/* KEY: NUMBER.  */
static void
add_int (tns_text *text, const char *key, int number)
{
  begin_key (text, key);
  tns_text_format (text, "%d", number);
}

/* KEY: the sum EXPR.  */
static void
add_sum (tns_text *text, const char *key, const tns_expr *expr)
{
  tns_text formula = tns_text_new (text->arena);
  double number;
  begin_key (text, key);
  if (!expr)
    tns_text_add (text, "null");
  else if (tns_formula (&formula, expr, &number))
    tns_text_add (text, tns_text_chars (&formula));
  else
    tns_text_quoted (text, tns_text_chars (&formula));
}

/* REMARK as an object.  */
static void
add_remark (tns_text *text, const tns_remark *remark)
{
  expanded_location place = expand_location (remark->loc.handle);
  tns_text_add (text, "{");
  add_string (text, "why", tns_why_name (remark->why));
  add_string (text, "words", remark->words);
  add_string (text, "file", place.file);
  add_int (text, "line", place.line);
  add_int (text, "column", place.column);
  tns_text_add (text, "}");
}

/* The reason of the verdict.  */
static void
add_reason (tns_text *text, const tns_ctx *ctx)
{
  const tns_remark *reason = tns_verdict (ctx);
  begin_key (text, "reason");
  if (reason)
    add_remark (text, reason);
  else
    tns_text_add (text, "null");
}

/* The statements left in place.  */
static void
add_left (tns_text *text, const tns_ctx *ctx)
{
  int n = 0;
  begin_key (text, "left");
  tns_text_add (text, "[");
  for (const tns_remark *r = ctx->remarks; r; r = r->next)
    if (r->kind == TNS_REMARK_LEFT)
      {
        tns_text_add (text, n++ ? ", " : "");
        add_remark (text, r);
      }
  tns_text_add (text, "]");
}

/* How many conditions the generated code tests.  */
static int
count_guards (const tns_region *region)
{
  return region ? region->n_guard + region->n_overlaps : 0;
}

/* What was counted.  */
static void
add_counts (tns_text *text, const tns_result *result)
{
  const tns_region *in = result->in;
  add_int (text, "loops_before", result->loops_before);
  add_int (text, "loops_after", result->loops_after);
  add_int (text, "parallel_loops", result->parallel_loops);
  add_int (text, "simd_loops", result->simd_loops);
  add_int (text, "contracted", result->contracted);
  add_int (text, "guards", result->kept ? 0 : count_guards (result->scheduled));
  add_sum (text, "flops", in ? in->flops : NULL);
  add_sum (text, "flops_after", result->flops_after);
  add_sum (text, "bytes_before", in ? in->bytes_before : NULL);
  add_sum (text, "bytes_after", in ? in->bytes_after : NULL);
  add_sum (text, "peak_before", result->peak_before);
  add_sum (text, "peak_after", result->peak_after);
  begin_key (text, "predicted");
  bool is_known = !result->kept && result->predicted > 0;
  tns_text_format (text, is_known ? "%.3g" : "null", result->predicted);
  begin_key (text, "exact");
  tns_text_add (text, in && in->exact ? "true" : "false");
  begin_key (text, "milliseconds");
  tns_text_format (text, "%.3f", result->milliseconds);
}

/* The arrays of KEPT that hold adjoints, or values.  */
static void
add_arrays (tns_text *text, const char *key, const tns_kept *kept, bool adjoint)
{
  int n = 0;
  begin_key (text, key);
  tns_text_add (text, "[");
  for (int k = 0; k < kept->n; k++)
    if (kept->array[k].adjoint == adjoint)
      {
        tns_text_add (text, n++ ? ", {" : "{");
        add_string (text, "name", kept->array[k].name);
        add_sum (text, "bytes", kept->array[k].bytes);
        tns_text_add (text, "}");
      }
  tns_text_add (text, "]");
}

/* What a gradient keeps.  */
static void
add_memory (tns_text *text, const tns_kept *kept)
{
  add_sum (text, "tape_bytes", kept->tapes);
  add_sum (text, "adjoint_bytes", kept->adjoints);
  add_arrays (text, "tapes", kept, false);
  add_arrays (text, "adjoints", kept, true);
}

const char *
tns_json (tns_ctx *ctx, const tns_result *result, const char *name,
          const char *function)
{
  static const char *const verdicts[] = { "done", "refused", "failed" };
  tns_text text = tns_text_new (ctx->arena);
  expanded_location place = expand_location (ctx->wish.loc.handle);
  bool is_inside = ctx->wish.around.handle != 0;
  tns_text_add (&text, "{");
  add_string (&text, "file", place.file);
  add_int (&text, "line", place.line);
  add_string (&text, "name", name);
  add_string (&text, "function", function);
  if (is_inside)
    add_int (&text, "inside", ctx->wish.around.line);
  add_string (&text, is_inside ? "taken" : "verdict", verdicts[result->status]);
  add_string (&text, "plan",
              result->status == TNS_DONE && result->kept ? "kept" : NULL);
  add_string (&text, "target", result->grid ? "cuda" : "cpu");
  add_reason (&text, ctx);
  add_left (&text, ctx);
  add_counts (&text, result);
  if (result->memory)
    add_memory (&text, result->memory);
  tns_text_add (&text, "}\n");
  return tns_text_chars (&text);
}
