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
  for (int k = 0; k < region->n_spans; k++)
    if (region->spans[k].sym == sym && region->spans[k].lo
        && region->spans[k].hi)
      {
        *span = region->spans[k];
        return true;
      }
  span->sym = sym;
  span->lo = tns_int (c->text->arena, 0);
  span->hi = tns_int (c->text->arena, 1);
  return sym->rank == 0;
}

/* (uintptr_t) (x + bound)  */
static void
add_address (tns_c99 *c, const tns_span *span, const tns_expr *bound)
{
  tns_text_format (c->text, "(uintptr_t) (%s + ", tns_c99_name (c, span->sym));
  tns_c99_expr (c, bound, 12);
  tns_text_add (c->text, ")");
}

/* return 0 unless A and B stand apart.  */
static void
add_overlap (tns_c99 *c, const tns_overlap *overlap)
{
  tns_span a, b;
  if (!find_span (c, overlap->a, &a) || !find_span (c, overlap->b, &b))
    {
      tns_text_line (c->text, "return 0;");
      return;
    }
  tns_text_begin (c->text);
  tns_text_add (c->text, "if (!(");
  add_address (c, &a, a.hi);
  tns_text_add (c->text, " <= ");
  add_address (c, &b, b.lo);
  tns_text_add (c->text, "\n");
  tns_text_begin (c->text);
  tns_text_add (c->text, "      || ");
  add_address (c, &b, b.hi);
  tns_text_add (c->text, " <= ");
  add_address (c, &a, a.lo);
  tns_text_add (c->text, "))\n");
  tns_text_line (c->text, "  return 0;");
}

/* NAME as an identifier.  */
static const char *
identifier (tns_arena *arena, const char *name)
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
  return tns_arena_format (c->text->arena, "%s%s *restrict %s",
                           sym->flags & TNS_SYM_CONST ? "const " : "", type,
                           name);
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

/* The head of the text: what it is, what it needs.  */
static void
add_head (tns_c99 *c, const char *name)
{
  const tns_region *region = c->region;
  tns_text *text = c->text;
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
  tns_text_line (text, "#ifndef _GNU_SOURCE");
  tns_text_line (text, "#define _GNU_SOURCE");
  tns_text_line (text, "#endif");
  tns_text_line (text, "#include <math.h>");
  tns_text_line (text, "#include <stdint.h>");
  tns_text_line (text, "#include <stdlib.h>");
  tns_text_line (text, "%s", "");
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
  tns_text_format (c->text, "%s %s (", tns_elem_c_name (expr->type.elem),
                   tns_c99_name (c, expr->sym));
  for (int k = 0; k < expr->n_args; k++)
    tns_text_format (c->text, "%s%s", k ? ", " : "",
                     tns_elem_c_name (expr->arg[k]->type.elem));
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

/* The function.  */
static void
add_function (tns_c99 *c, const char *name)
{
  const tns_region *region = c->region;
  tns_text *text = c->text;
  tns_text_format (text, "int\n%s_tensor (", name);
  add_parameters (c, (int) strlen (name) + 9);
  tns_text_add (text, "\n{\n");
  text->indent = 2;
  add_before (c);
  for (int k = 0; k < region->n_guard; k++)
    add_guard (c, region->guard[k]);
  for (int k = 0; k < region->n_overlaps; k++)
    add_overlap (c, &region->overlaps[k]);
  tns_c99_take (c);
  tns_c99_node (c, region->body);
  tns_c99_give_back (c);
  tns_text_line (text, "return 1;");
  text->indent = 0;
  tns_text_line (text, "}");
  tns_text_line (text, "%s", "");
}

void
tns_c99_print (tns_ctx *ctx, tns_text *text, const tns_region *region)
{
  if (!region)
    return;
  tns_text function = tns_text_new (ctx->arena);
  tns_c99 *c = TNS_NEW (ctx->arena, tns_c99);
  const char *name
    = identifier (ctx->arena, region->name ? region->name : "region");
  c->region = region;
  c->taken = TNS_NEW_ARRAY (ctx->arena, bool, region->n_syms + 1);
  c->outside = TNS_NEW_ARRAY (ctx->arena, bool, region->n_syms + 1);
  c->text = &function;
  add_function (c, name);
  c->text = text;
  add_head (c, name);
  prototypes p = { c, TNS_NEW_ARRAY (ctx->arena, bool, region->n_syms + 1) };
  tns_node_walk (region->body, declare_in_node, &p);
  tns_c99_helpers (c, text);
  tns_text_add (text, tns_text_chars (&function));
}
