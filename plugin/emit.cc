/* What emit-c and extract write of a region.  Of a derived one emit-c also
   writes what it was derived as, with its parameters in the order of the
   prototype.  Comments show the user's own lines.  */

#include "plugin/own-name.hh"
#include "plugin/record.hh"

extern "C"
{
#include "driver/alone.h"
#include "lowering/c99.h"
}

/* tns_c99_source's words: the line at LOC, in the arena SELF.  */
static const char *
line_at (void *self, tns_loc loc)
{
  tns_arena *arena = (tns_arena *) self;
  if (!loc.handle)
    return NULL;
  expanded_location place = expand_location (loc.handle);
  char_span line = location_get_source_line (place.file, place.line);
  if (!line)
    return NULL;
  return tns_arena_format (arena, "%.*s", (int) line.length (),
                           line.get_buffer ());
}

/* SYM is the parameter NAME, or part of what it points to.  */
static bool
belongs_to (const tns_sym *sym, const char *name)
{
  size_t length = strlen (name);
  if (!strcmp (sym->name, name))
    return true;
  return sym->spelled && !strncmp (sym->spelled, name, length)
         && !ISALNUM (sym->spelled[length]) && sym->spelled[length] != '_';
}

/* REGION with its parameters in the order of those of FNDECL.  */
static tns_region *
in_order (tns_arena *arena, const tns_region *region, tree fndecl)
{
  tns_region *made = tns_region_copy (arena, region);
  bool *done = TNS_NEW_ARRAY (arena, bool, region->n_params + 1);
  int n = 0;
  for (tree parm = DECL_ARGUMENTS (fndecl); parm; parm = DECL_CHAIN (parm))
    for (int k = 0; DECL_NAME (parm) && k < region->n_params; k++)
      if (!done[k]
          && belongs_to (region->params[k],
                         IDENTIFIER_POINTER (DECL_NAME (parm))))
        {
          done[k] = true;
          made->params[n++] = region->params[k];
        }
  for (int k = 0; k < region->n_params; k++)
    if (!done[k])
      made->params[n++] = region->params[k];
  return made;
}

/* REGION under its name, or with a number behind it where another region of
   this compilation has that: those of a macro stand in one line.  */
static const tns_region *
with_own_name (tns_arena *arena, const tns_region *region)
{
  static vec<char *> names = vNULL;
  const char *name = tns_own_name (arena, &names, region->name);
  if (name == region->name)
    return region;
  tns_region *made = tns_region_copy (arena, region);
  made->name = name;
  return made;
}

const char *
tns_emitted (tns_ctx *ctx, const tns_result *result, tree fndecl)
{
  tns_text text = tns_text_new (ctx->arena);
  bool derived = ctx->wish.derived.function != NULL;
  tns_c99_source source
    = { line_at, ctx->arena, derived, ctx->wish.derived.forward };
  if (result->in && derived)
    tns_c99_print_plain (ctx, &text, in_order (ctx->arena, result->in, fndecl),
                         &source);
  if (!result->kept || !derived)
    tns_c99_print (ctx, &text, with_own_name (ctx->arena, result->scheduled),
                   &source);
  return tns_text_chars (&text);
}

const char *
tns_alone_text (tns_ctx *ctx, const tns_result *result)
{
  tns_text text = tns_text_new (ctx->arena);
  const tns_region *region = result->in;
  tns_text_format (&text, "/* begin %d %s  */\n", region->line, region->name);
  tns_c99_bench (ctx, &text, tns_alone (ctx, region));
  tns_text_format (&text, "/* end %s  */\n", region->name);
  return tns_text_chars (&text);
}
