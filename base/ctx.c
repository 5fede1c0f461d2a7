/* The world of one region.  */

#include "base/ctx.h"

#include <stdio.h>
#include <string.h>

/* The arena's handler: back to where the region's compilation began.  */
static void
leave (void *self)
{
  tns_ctx *ctx = self;
  longjmp (ctx->no_memory, 1);
}

tns_ctx *
tns_ctx_new (tns_allocator allocator)
{
  tns_arena *arena = tns_arena_new (allocator);
  tns_ctx *ctx = arena ? TNS_NEW (arena, tns_ctx) : NULL;
  if (!ctx)
    {
      tns_arena_free (arena);
      return NULL;
    }
  ctx->arena = arena;
  ctx->wish = tns_wish_default ();
  ctx->status = TNS_DONE;
  return ctx;
}

void
tns_ctx_free (tns_ctx *ctx)
{
  if (ctx)
    tns_arena_free (ctx->arena);
}

/* Append a remark; its words are already made.  */
static void
add_remark (tns_ctx *ctx, tns_remark_kind kind, tns_loc loc, tns_why why,
            const char *words)
{
  tns_remark *remark = TNS_NEW (ctx->arena, tns_remark);
  *remark = (tns_remark){ kind, why, loc, words, NULL };
  if (ctx->last_remark)
    ctx->last_remark->next = remark;
  else
    ctx->remarks = remark;
  ctx->last_remark = remark;
}

/* The region is refused, or fails, at LOC because of WHY.  */
static void *
give_up (tns_ctx *ctx, tns_loc loc, tns_why why, const char *words)
{
  tns_status status = tns_why_status (why);
  tns_remark_kind kind
    = status == TNS_FAILED ? TNS_REMARK_FAILED : TNS_REMARK_REFUSED;
  add_remark (ctx, kind, loc, why, words);
  if (ctx->status == TNS_DONE)
    ctx->status = status;
  return NULL;
}

void *
tns_refuse (tns_ctx *ctx, tns_loc loc, tns_why why, ...)
{
  va_list args;
  va_start (args, why);
  char *words = tns_arena_vformat (ctx->arena, tns_why_words (why), args);
  va_end (args);
  return give_up (ctx, loc, why, words);
}

void *
tns_refuse_by (tns_ctx *ctx, const tns_remark *reason)
{
  return give_up (ctx, reason->loc, reason->why,
                  tns_arena_string (ctx->arena, reason->words));
}

void
tns_left (tns_ctx *ctx, tns_loc loc, tns_why why, ...)
{
  va_list args;
  va_start (args, why);
  char *words = tns_arena_vformat (ctx->arena, tns_why_words (why), args);
  va_end (args);
  add_remark (ctx, TNS_REMARK_LEFT, loc, why, words);
}

void
tns_left_by (tns_ctx *ctx, const tns_remark *reason)
{
  add_remark (ctx, TNS_REMARK_LEFT, reason->loc, reason->why,
              tns_arena_string (ctx->arena, reason->words));
}

void *
tns_error (tns_ctx *ctx, tns_loc loc, tns_why why, ...)
{
  va_list args;
  va_start (args, why);
  char *words = tns_arena_vformat (ctx->arena, tns_why_words (why), args);
  va_end (args);
  add_remark (ctx, TNS_REMARK_ERROR, loc, why, words);
  if (ctx->status == TNS_DONE)
    ctx->status = TNS_REFUSED;
  return NULL;
}

void
tns_note (tns_ctx *ctx, tns_loc loc, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  char *words = tns_arena_vformat (ctx->arena, format, args);
  va_end (args);
  add_remark (ctx, TNS_REMARK_NOTE, loc, TNS_WHY_NONE, words);
}

void
tns_take_back (tns_ctx *ctx, const tns_ctx *before)
{
  ctx->status = before->status;
  ctx->remarks = before->remarks;
  ctx->last_remark = before->last_remark;
  if (before->last_remark)
    before->last_remark->next = NULL;
}

const tns_remark *
tns_verdict (const tns_ctx *ctx)
{
  for (const tns_remark *r = ctx->remarks; r; r = r->next)
    if (r->kind != TNS_REMARK_NOTE && r->kind != TNS_REMARK_LEFT)
      return r;
  return NULL;
}

void
tns_ctx_arm (tns_ctx *ctx)
{
  tns_arena_on_no_memory (ctx->arena, leave, ctx);
}

/* NAME stands in LIST, a text with commas, or LIST is "all".  */
static bool
is_listed (const char *list, const char *name)
{
  size_t length = strlen (name);
  if (!list)
    return false;
  if (!strcmp (list, "all"))
    return true;
  for (const char *at = list; (at = strstr (at, name)); at += length)
    if ((at == list || at[-1] == ',')
        && (at[length] == ',' || at[length] == '\0'))
      return true;
  return false;
}

bool
tns_ctx_dumps (const tns_ctx *ctx, const char *name)
{
  return ctx->dump && is_listed (ctx->dump_stages, name);
}

bool
tns_ctx_dumps_named (const tns_ctx *ctx, const char *name)
{
  return tns_ctx_dumps (ctx, name) && strcmp (ctx->dump_stages, "all");
}

bool
tns_ctx_breaks (const tns_ctx *ctx, const char *name)
{
  return is_listed (ctx->break_stage, name);
}

/* The names of all faults, with commas.  */
static const char *const faults =
#define TNS_FAULT(name, finders, words) name ","
#include "base/fault.def"
#undef TNS_FAULT
  "all";

const char *
tns_unknown_fault (const char *list)
{
  char name[32];
  for (const char *at = list; at; at = strchr (at, ','))
    {
      at += *at == ',';
      int length = (int) strcspn (at, ",");
      if (length == 0 || length >= (int) sizeof name)
        return at;
      snprintf (name, sizeof name, "%.*s", length, at);
      if (!is_listed (faults, name))
        return at;
    }
  return NULL;
}

tns_ctx *
tns_ctx_quiet (const tns_ctx *ctx)
{
  tns_ctx *quiet = TNS_NEW (ctx->arena, tns_ctx);
  *quiet = *ctx;
  quiet->remarks = NULL;
  quiet->last_remark = NULL;
  return quiet;
}

void
tns_insist (tns_ctx *ctx, const char *words)
{
  tns_remark *reason = (tns_remark *) tns_verdict (ctx);
  if (!reason)
    return;
  reason->kind = TNS_REMARK_ERROR;
  reason->words = words;
}
