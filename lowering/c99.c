/* Scheduled IR as C that any compiler takes.

     region rows "row.c":41 {         int
       value i64 n;                   rows_tensor (long n, float *restrict x)
       array f32 x[n];                {
       guard n <= 1000;          ->     if (!(n <= 1000))
       {                                  return 0;
         for i = 0 to n parallel        #pragma omp parallel for ...
           x[i] = ...                   for (long i = 0; i < n; i++)
                                          x[i] = ...;
       }                                return 1;
     }                                }

   Statements are printed by c99-loop.c, temporaries by c99-local.c,
   expressions by c99-expr.c.  A text of several regions compiles as one
   file: helpers are guarded by macros.  */

#include "lowering/c99.h"

#include <ctype.h>
#include <string.h>

#include "ir/handed.h"
#include "ir/walk.h"
#include "lowering/c99-text.h"

/* return 0 unless COND.  */
static void
add_guard (tns_c99 *c, const tns_expr *cond)
{
  tns_text_begin (c->text);
  tns_text_add (c->text, "if (!(");
  tns_c99_expr (c, cond, 0);
  tns_text_add (c->text, "))\n");
  tns_text_line (c->text, "  return 0;");
}

/* SYM's span; all of a scalar.  */
static bool
find_span (tns_c99 *c, tns_sym *sym, tns_span *span)
{
  const tns_region *region = c->region;
  tns_arena *arena = c->text->arena;
  for (int k = 0; k < region->n_spans; k++)
    if (region->spans[k].sym == sym && region->spans[k].lo
        && region->spans[k].hi)
      {
        span->lo = tns_c99_tidy_expr (arena, region->spans[k].lo);
        span->hi = tns_c99_tidy_expr (arena, region->spans[k].hi);
        return true;
      }
  span->lo = tns_int (arena, 0);
  span->hi = tns_int (arena, 1);
  return sym->rank == 0;
}

/* The variable of SYM that is called as it is, and WORD behind.  */
static const char *
name_beside (const tns_c99 *c, const tns_sym *sym, const char *word)
{
  const char *name
    = tns_arena_format (c->text->arena, "%s_%s", tns_c99_name (c, sym), word);
  for (int k = 0; k < c->region->n_syms; k++)
    if (c->name[k] && !strcmp (c->name[k], name))
      return tns_arena_format (c->text->arena, "tensor_%s", name);
  return name;
}

/* const T *const NAME = x + BOUND;  */
static void
add_address (tns_c99 *c, const tns_sym *sym, const char *name,
             const tns_expr *bound)
{
  long long value;
  tns_text_begin (c->text);
  tns_text_format (c->text, "const %s *const %s = %s",
                   tns_elem_c_name (sym->type.elem), name,
                   tns_c99_name (c, sym));
  if (!tns_expr_is_int (bound, &value) || value != 0)
    {
      tns_text_add (c->text, " + ");
      tns_c99_expr (c, bound, 12);
    }
  tns_text_add (c->text, ";\n");
}

/* Where what is accessed of SYM begins and ends, in variables, unless that is
   DONE.  False where it is not known.  */
static bool
add_span (tns_c99 *c, tns_sym *sym, bool *done)
{
  tns_span span;
  if (done[sym->id])
    return true;
  done[sym->id] = true;
  if (!find_span (c, sym, &span))
    return false;
  add_address (c, sym, name_beside (c, sym, "from"), span.lo);
  add_address (c, sym, name_beside (c, sym, "to"), span.hi);
  return true;
}

/* return 0 unless all pairs that may overlap stand apart.  */
static void
add_overlaps (tns_c99 *c)
{
  const tns_region *region = c->region;
  bool *done = TNS_NEW_ARRAY (c->text->arena, bool, region->n_syms + 1);
  bool known = true;
  for (int k = 0; k < region->n_overlaps; k++)
    known = add_span (c, region->overlaps[k].a, done)
            && add_span (c, region->overlaps[k].b, done) && known;
  for (int k = 0; known && k < region->n_overlaps; k++)
    {
      const tns_overlap *pair = &region->overlaps[k];
      tns_text_begin (c->text);
      tns_text_format (
        c->text, "%s!tensor_apart (%s, %s, %s, %s)", k ? "    || " : "if (",
        name_beside (c, pair->a, "from"), name_beside (c, pair->a, "to"),
        name_beside (c, pair->b, "from"), name_beside (c, pair->b, "to"));
      tns_text_add (c->text, k + 1 < region->n_overlaps ? "\n" : ")\n");
    }
  if (region->n_overlaps)
    tns_text_line (c->text, known ? "  return 0;" : "return 0;");
}

/* What add_overlaps calls, once in a text of many regions.  */
static void
add_apart (tns_text *text)
{
  tns_text_add (text, "#ifndef HAVE_tensor_apart\n"
                      "#define HAVE_tensor_apart\n"
                      "static inline int\n"
                      "tensor_apart (const void *a_from, const void *a_to, "
                      "const void *b_from,\n"
                      "              const void *b_to)\n"
                      "{\n"
                      "  return (uintptr_t) a_to <= (uintptr_t) b_from\n"
                      "         || (uintptr_t) b_to <= (uintptr_t) a_from;\n"
                      "}\n"
                      "#endif\n\n");
}

const char *
tns_c99_identifier (tns_arena *arena, const char *name)
{
  char *id = tns_arena_format (
    arena, "%s%s", isdigit ((unsigned char) *name) ? "_" : "", name);
  for (char *p = id; *p; p++)
    if (!isalnum ((unsigned char) *p))
      *p = '_';
  return id;
}

/* Parameter SYM.  */
static const char *
parameter (const tns_c99 *c, const tns_sym *sym)
{
  const char *type = tns_elem_c_name (sym->type.elem);
  const char *name = tns_c99_name (c, sym);
  if (sym->kind == TNS_SYM_VALUE)
    return tns_arena_format (c->text->arena, "%s %s", type, name);
  bool is_const
    = (sym->flags & TNS_SYM_CONST) || !tns_node_writes (c->region->body, sym);
  return tns_arena_format (c->text->arena, "%s%s *restrict %s",
                           is_const ? "const " : "", type, name);
}

/* The parameters of the function; what stands in front is COLUMN wide.  */
static void
add_parameters (tns_c99 *c, int column)
{
  const int longest_line = 78;
  const tns_region *region = c->region;
  int at = column;
  for (int k = 0; k < region->n_params; k++)
    {
      const char *words = parameter (c, region->params[k]);
      bool fits = at + (int) strlen (words) + 2 <= longest_line;
      if (k > 0)
        tns_text_add (c->text, fits ? ", " : ",\n");
      if (k > 0 && !fits)
        tns_text_format (c->text, "%*s", column, "");
      at = (k > 0 && !fits ? column : at) + (int) strlen (words) + 2;
      tns_text_add (c->text, words);
    }
  tns_text_add (c->text, region->n_params ? ")" : "void)");
}

void
tns_c99_includes (tns_text *text)
{
  tns_text_line (text, "#ifndef _GNU_SOURCE");
  tns_text_line (text, "#define _GNU_SOURCE");
  tns_text_line (text, "#endif");
  tns_text_line (text, "#include <math.h>");
  tns_text_line (text, "#include <stdint.h>");
  tns_text_line (text, "#include <stdlib.h>");
  tns_text_line (text, "%s", "");
}

/* The head of the text: what it is, what it needs.  */
static void
add_head (tns_c99 *c, const char *name)
{
  const tns_region *region = c->region;
  tns_text *text = c->text;
  if (c->is_plain)
    {
      tns_text_format (text, "/* How %s", name);
      if (region->file)
        tns_text_format (text, ", %s:%d,", region->file, region->line);
      tns_text_add (text, " was derived, before it was planned.\n"
                          "   What it writes must not overlap other "
                          "arrays.  */\n");
      tns_c99_includes (text);
      return;
    }
  tns_text_format (text, "/* %s", name);
  if (region->file)
    tns_text_format (text, ", %s:%d", region->file, region->line);
  if (region->function)
    tns_text_format (text, ", in %s", region->function);
  tns_text_add (text, "\n\n");
  tns_text_format (text, "     int %s_tensor (", name);
  add_parameters (c, (int) strlen (name) + 17);
  tns_text_add (text, ";\n\n");
  tns_text_line (text, "   returns 1, or 0 when it has done nothing because "
                       "a guard does not hold.  */");
  tns_c99_includes (text);
}

/* The functions that are called, by symbol id, once declared.  */
typedef struct prototypes
{
  tns_c99 *c;
  bool *declared;
} prototypes;

/* The visitor that declares the function that EXPR calls.  */
static bool
declare_called (tns_expr *expr, void *self)
{
  const prototypes *p = self;
  tns_c99 *c = p->c;
  if (expr->op != TNS_CALL || p->declared[expr->sym->id])
    return true;
  p->declared[expr->sym->id] = true;
  const tns_handed *handed = tns_call_arguments (expr);
  bool writes = false;
  for (int k = 0; handed && k < expr->n_args; k++)
    writes |= handed[k].kind == TNS_HANDED_WRITTEN;
  tns_text_format (c->text, "%s %s (",
                   writes ? "void" : tns_elem_c_name (expr->type.elem),
                   tns_c99_name (c, expr->sym));
  for (int k = 0; k < expr->n_args; k++)
    if (!handed || handed[k].kind != TNS_HANDED_COUNT)
      tns_text_format (c->text, "%s%s%s%s", k ? ", " : "",
                       handed && handed[k].kind == TNS_HANDED_PLACE ? "const "
                                                                    : "",
                       tns_elem_c_name (expr->arg[k]->type.elem),
                       handed && tns_argument_is_place (expr, k) ? " *" : "");
  tns_text_add (c->text, expr->n_args ? ");\n" : "void);\n");
  return true;
}

/* The visitor of statements whose expressions call functions.  */
static bool
declare_in_node (tns_node *node, void *self)
{
  tns_node_exprs (node, declare_called, self);
  return true;
}

void
tns_c99_prototypes (tns_c99 *c)
{
  tns_arena *arena = c->text->arena;
  prototypes p = { c, TNS_NEW_ARRAY (arena, bool, c->region->n_syms + 1) };
  tns_node_walk (c->region->body, declare_in_node, &p);
}

/* What comes before the guards, its cells in the function's scope.  */
static void
add_before (tns_c99 *c)
{
  const tns_node *before = c->region->before;
  for (int k = 0; before && k < before->n_kids; k++)
    if (before->kid[k]->kind == TNS_LOCAL)
      tns_c99_declare (c, before->kid[k]->sym);
    else
      tns_c99_node (c, before->kid[k]);
}

/* PARAM is used in the function.  */
static bool
is_used (const tns_c99 *c, const tns_sym *param)
{
  const tns_region *region = c->region;
  bool found = tns_node_mentions (region->body, param)
               || (region->before && tns_node_mentions (region->before, param));
  for (int k = 0; !found && k < region->n_syms; k++)
    for (int d = 0; !found && d < region->syms[k]->rank; d++)
      {
        const tns_sym *sym = region->syms[k];
        found = (sym->extent[d] && tns_expr_mentions (sym->extent[d], param))
                || (sym->stride && tns_expr_mentions (sym->stride[d], param));
      }
  for (int k = 0; !found && k < region->n_guard; k++)
    found = tns_expr_mentions (region->guard[k], param);
  for (int k = 0; !found && k < region->n_spans; k++)
    found = region->spans[k].sym == param
            || (region->spans[k].lo
                && tns_expr_mentions (region->spans[k].lo, param))
            || (region->spans[k].hi
                && tns_expr_mentions (region->spans[k].hi, param));
  return found;
}

/* (void) x;  for each parameter that is not used.  */
static void
add_unused (tns_c99 *c)
{
  for (int k = 0; k < c->region->n_params; k++)
    if (!is_used (c, c->region->params[k]))
      tns_text_line (c->text, "(void) %s;",
                     tns_c99_name (c, c->region->params[k]));
}

/* The guards that must hold before indices are looked at.  */
static void
add_early_guards (tns_c99 *c)
{
  for (int k = 0; k < c->region->n_guard; k++)
    if (!tns_expr_loads (c->region->guard[k]))
      add_guard (c, c->region->guard[k]);
}

/* The other guards.  */
static void
add_guards (tns_c99 *c)
{
  for (int k = 0; k < c->region->n_guard; k++)
    if (tns_expr_loads (c->region->guard[k]))
      add_guard (c, c->region->guard[k]);
  add_overlaps (c);
}

/* The loops; where they are to run alone, what the pragma is in front of.  */
static void
add_body (tns_c99 *c)
{
  tns_node *body = c->region->body;
  bool is_block = body->n_kids != 1 || body->kid[0]->kind != TNS_LOOP;
  if (c->clauses)
    tns_text_format (c->text, "#pragma tensor%s\n", c->clauses);
  if (c->clauses && is_block)
    {
      tns_text_line (c->text, "{");
      c->text->indent += 2;
    }
  tns_c99_node (c, body);
  if (c->clauses && is_block)
    {
      c->text->indent -= 2;
      tns_text_line (c->text, "}");
    }
}

void
tns_c99_function (tns_c99 *c, const char *name)
{
  tns_text *text = c->text;
  const char *suffix = c->clauses ? "alone" : c->is_plain ? "plain" : "tensor";
  bool is_void = c->is_plain && !tns_c99_takes (c);
  if (c->clauses)
    tns_text_add (text, "static __attribute__ ((noipa)) ");
  tns_text_format (text, "%s\n%s_%s (", is_void ? "void" : "int", name, suffix);
  add_parameters (c, (int) (strlen (name) + strlen (suffix)) + 3);
  tns_text_add (text, "\n{\n");
  text->indent = 2;
  add_unused (c);
  add_early_guards (c);
  add_before (c);
  if (!c->is_plain)
    add_guards (c);
  tns_c99_take (c);
  add_body (c);
  tns_c99_give_back (c);
  if (!is_void)
    tns_text_line (text, "return 1;");
  text->indent = 0;
  tns_text_line (text, "}");
  tns_text_line (text, "%s", "");
}

/* Find names for the symbols of C's region.  */
static void
name_symbols (tns_ctx *ctx, tns_c99 *c)
{
  const tns_region *region = c->region;
  c->taken = TNS_NEW_ARRAY (ctx->arena, bool, region->n_syms + 1);
  c->outside = TNS_NEW_ARRAY (ctx->arena, bool, region->n_syms + 1);
  tns_c99_mark_taken (c);
  tns_c99_names (c);
}

tns_c99 *
tns_c99_new (tns_ctx *ctx, const tns_region *region, bool is_cuda)
{
  tns_c99 *c = TNS_NEW (ctx->arena, tns_c99);
  c->is_cuda = is_cuda;
  c->region = region;
  c->text = TNS_NEW (ctx->arena, tns_text);
  *c->text = tns_text_new (ctx->arena);
  name_symbols (ctx, c);
  return c;
}

tns_c99 *
tns_c99_begin (tns_ctx *ctx, const tns_region *region)
{
  return tns_c99_new (ctx, tns_region_copy (ctx->arena, region), false);
}

const char *
tns_c99_statement (tns_c99 *c, tns_node *node)
{
  *c->text = tns_text_new (c->text->arena);
  tns_c99_node (c, node);
  char *line = tns_arena_string (c->text->arena, tns_text_chars (c->text));
  line[strcspn (line, ";\n")] = '\0';
  return line + strspn (line, " ");
}

/* C's region as text.  */
static void
print (tns_ctx *ctx, tns_c99 *c, tns_text *text)
{
  const tns_region *region = c->region;
  tns_text function = tns_text_new (ctx->arena);
  const char *name
    = tns_c99_identifier (ctx->arena, region->name ? region->name : "region");
  c->text = &function;
  name_symbols (ctx, c);
  tns_c99_function (c, name);
  c->text = text;
  add_head (c, name);
  tns_c99_prototypes (c);
  if (region->n_overlaps && !c->is_plain)
    add_apart (text);
  tns_c99_helpers (c, text);
  tns_c99_wrap (text, tns_text_chars (&function));
}

void
tns_c99_print (tns_ctx *ctx, tns_text *text, const tns_region *region,
               const tns_c99_source *source)
{
  if (!region)
    return;
  tns_c99 *c = TNS_NEW (ctx->arena, tns_c99);
  c->source = source;
  c->region = tns_c99_tidy (ctx, region, true);
  print (ctx, c, text);
}

void
tns_c99_print_plain (tns_ctx *ctx, tns_text *text, const tns_region *region,
                     const tns_c99_source *source)
{
  tns_c99 *c = TNS_NEW (ctx->arena, tns_c99);
  c->source = source;
  c->is_plain = true;
  c->region = tns_c99_tidy (ctx, region, false);
  print (ctx, c, text);
}
