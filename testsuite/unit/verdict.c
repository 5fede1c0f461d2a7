/* Verdicts, regions and expressions for the unit tests of the IR.  */

#define _GNU_SOURCE

#include "verdict.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/parse.h"
#include "ir/print.h"

static int failures;

void
verdict (bool ok, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  printf ("%s: %s: ", ok ? "PASS" : "FAIL", program_invocation_short_name);
  vprintf (format, args);
  putchar ('\n');
  va_end (args);
  failures += !ok;
}

int
verdict_status (void)
{
  return failures > 0;
}

tns_ctx *
verdict_ctx (tns_fp fp)
{
  tns_ctx *ctx = tns_ctx_new (tns_allocator_malloc ());
  ctx->wish.fp = fp;
  return ctx;
}

tns_region *
verdict_region (tns_ctx *ctx, const char *text)
{
  tns_parse_error error = { 0 };
  const char *chars = text;
  tns_region *region = tns_region_parse (ctx->arena, &chars, &error);
  if (region)
    return region;
  printf ("FAIL: %d:%d: %s in\n%s\n", error.line, error.column,
          error.words ? error.words : "nothing", text);
  exit (1);
}

/* The region whose symbols expressions are over.  */
static tns_region *
symbols (tns_ctx *ctx)
{
  tns_region *region = verdict_region (
    ctx, "region symbols { value i64 n; value i64 m; value i32 w; "
         "value i32 h; value u32 u; value u64 z; value f32 x; "
         "value f64 y; value bool b; array f32 A[n][m]; array f64 D[n]; "
         "array i32 X[n]; {} }");
  tns_region_add_iter (ctx->arena, region, "i");
  tns_region_add_iter (ctx->arena, region, "j");
  return region;
}

tns_expr *
verdict_expr (tns_ctx *ctx, const char *text)
{
  tns_parse_error error = { 0 };
  tns_expr *expr = tns_expr_parse (ctx->arena, symbols (ctx), text, &error);
  if (expr)
    return expr;
  printf ("FAIL: %d:%d: %s in %s\n", error.line, error.column, error.words,
          text);
  exit (1);
}

const char *
verdict_expr_text (tns_ctx *ctx, const tns_expr *expr)
{
  tns_text text = tns_text_new (ctx->arena);
  tns_expr_print (&text, expr);
  return tns_text_chars (&text);
}

const char *
verdict_region_text (tns_ctx *ctx, const tns_region *region)
{
  tns_text text = tns_text_new (ctx->arena);
  if (region)
    tns_region_print (&text, region);
  return tns_text_chars (&text);
}

const char *
verdict_one_blank (tns_ctx *ctx, const char *text)
{
  char *made = tns_arena_string (ctx->arena, text);
  char *to = made;
  for (; *text; text++)
    if (!isspace ((unsigned char) *text))
      *to++ = *text;
    else if (to > made && to[-1] != ' ')
      *to++ = ' ';
  if (to > made && to[-1] == ' ')
    to--;
  *to = '\0';
  return made;
}

bool
verdict_has (tns_ctx *ctx, const char *text, const char *has)
{
  return strstr (verdict_one_blank (ctx, text), verdict_one_blank (ctx, has))
         != NULL;
}
