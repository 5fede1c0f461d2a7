/* The text form of the IR, written: nodes and regions.

   One statement a line, two columns for each block.  Symbols come first,
   the VALUEs before the arrays, so that an extent mentions only names that
   stand above it.  Expressions are printed by ir/print-expr.c; the grammar
   stands at the head of ir/parse.h.  */

#include "ir/print.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* One line in front of which the indentation stands, built by pieces.  */
static void
end_line (tns_text *text, const char *end)
{
  tns_text_add (text, end);
  tns_text_add (text, "\n");
}

/* [offset : extent] of each subscript of R, when they are known.  */
static void
add_box (tns_text *text, const tns_reduction *r)
{
  for (int k = 0; r->extent && k < r->sym->rank; k++)
    {
      tns_text_add (text, "[");
      tns_expr_print (text, r->offset[k]);
      tns_text_add (text, " : ");
      tns_expr_print (text, r->extent[k]);
      tns_text_add (text, "]");
    }
}

/* reduce(add: s, t[0 : N]), one clause for each run of one operator.  */
static void
add_reductions (tns_text *text, const tns_marks *marks)
{
  for (int k = 0; k < marks->n_reductions; k++)
    {
      const tns_reduction *r = &marks->reductions[k];
      bool starts = k == 0 || r->op != r[-1].op;
      bool ends = k == marks->n_reductions - 1 || r->op != r[1].op;
      if (starts)
        tns_text_format (text, " reduce(%s: ", tns_op_name (r->op));
      tns_text_format (text, "%s%s", starts ? "" : ", ", r->sym->name);
      add_box (text, r);
      tns_text_add (text, ends ? ")" : "");
    }
}

/* " name(n)" when N is not 0.  */
static void
add_mark (tns_text *text, const char *name, int n)
{
  if (n)
    tns_text_format (text, " %s(%d)", name, n);
}

/* " name(EXPR)" when there is one.  */
static void
add_expr_mark (tns_text *text, const char *name, const tns_expr *expr)
{
  if (!expr)
    return;
  tns_text_format (text, " %s(", name);
  tns_expr_print (text, expr);
  tns_text_add (text, ")");
}

/* The marks of a loop, a blank before each.  */
static void
add_marks (tns_text *text, const tns_marks *marks)
{
  tns_text_add (text, marks->parallel ? " parallel" : "");
  add_expr_mark (text, "when", marks->when);
  add_expr_mark (text, "work", marks->work);
  tns_text_add (text, marks->balanced ? " balanced" : "");
  add_mark (text, "collapse", marks->collapse);
  add_mark (text, "simd", marks->simd);
  add_mark (text, "unroll", marks->unroll);
  add_mark (text, "accumulators", marks->accumulators);
  add_mark (text, "rows", marks->rows);
  add_mark (text, "skew", marks->skew);
  add_mark (text, "chunks", marks->chunks);
  add_mark (text, "owners", marks->owners);
  add_expr_mark (text, "owner", marks->owner);
  add_mark (text, "stages", marks->stages);
  if (marks->align)
    tns_text_format (text, " align(%s)", marks->align->name);
  if (marks->panel)
    tns_text_format (text, " panel(%s)", marks->panel->name);
  add_mark (text, "sweeps", marks->sweeps);
  if (marks->summed)
    tns_text_format (text, " summed(%s)", marks->summed->name);
  add_reductions (text, marks);
}

/* BODY's statements, two columns further in, and the closing brace
   without a line end.  */
static void
add_body (tns_text *text, const tns_node *body)
{
  end_line (text, "{");
  text->indent += 2;
  if (body && body->kind == TNS_BLOCK)
    for (int k = 0; k < body->n_kids; k++)
      tns_node_print (text, body->kid[k]);
  else if (body)
    tns_node_print (text, body);
  text->indent -= 2;
  tns_text_begin (text);
  tns_text_add (text, "}");
}

/* for i = lo to hi step s MARKS { ... }  */
static void
add_loop (tns_text *text, const tns_node *node)
{
  tns_text_format (text, "for %s = ", node->iter->name);
  tns_expr_print (text, node->lo);
  tns_text_add (text, " to ");
  tns_expr_print (text, node->hi);
  if (node->step != 1)
    tns_text_format (text, " step %lld", node->step);
  add_marks (text, &node->marks);
  tns_text_add (text, " ");
  add_body (text, node->body);
  end_line (text, "");
}

/* " = ", " += " or " max= ".  */
static void
add_update (tns_text *text, tns_op op)
{
  const char *infix = tns_op_infix (op);
  if (op == TNS_NONE)
    tns_text_add (text, " = ");
  else if (infix && tns_op_class (op) == 'A')
    tns_text_format (text, " %s= ", infix);
  else
    tns_text_format (text, " %s= ", tns_op_name (op));
}

/* S1: where (mask) A[i] += value;  */
static void
add_assign (tns_text *text, const tns_node *node)
{
  if (node->name)
    tns_text_format (text, "%s: ", node->name);
  if (node->mask)
    {
      tns_text_add (text, "where (");
      tns_expr_print (text, node->mask);
      tns_text_add (text, ") ");
    }
  tns_expr_print (text, node->target);
  add_update (text, node->update);
  tns_expr_print (text, node->value);
  end_line (text, ";");
}

/* if (cond) { ... } else { ... }  */
static void
add_if (tns_text *text, const tns_node *node)
{
  tns_text_add (text, "if (");
  tns_expr_print (text, node->cond);
  tns_text_add (text, ") ");
  add_body (text, node->then);
  if (node->otherwise)
    {
      tns_text_add (text, " else ");
      add_body (text, node->otherwise);
    }
  end_line (text, "");
}

/* "= {1, 2, 3}" where the elements of SYM are known.  */
static void
add_held (tns_text *text, const tns_sym *sym)
{
  for (int k = 0; k < sym->n_held; k++)
    {
      tns_text_add (text, k ? ", " : " = {");
      tns_expr_print (text, sym->held[k]);
    }
  if (sym->n_held)
    tns_text_add (text, "}");
}

/* f32 A[n][m] stride(e, e) const ... = {...}  */
static void
add_array (tns_text *text, const tns_sym *sym)
{
  static const char *const names[]
    = { "temp", "const",      "object", "restrict",
        "heap", "per_thread", "steers", "apart" };
  tns_text_add (text, tns_elem_name (sym->type.elem));
  if (sym->type.lanes > 1)
    tns_text_format (text, "x%d", sym->type.lanes);
  tns_text_add (text, " ");
  tns_text_add (text, sym->name);
  for (int k = 0; k < sym->rank; k++)
    {
      tns_text_add (text, "[");
      tns_expr_print (text, sym->extent[k]);
      if (tns_sym_first (sym, k))
        tns_text_format (text, " from %lld", tns_sym_first (sym, k));
      tns_text_add (text, "]");
    }
  if (sym->stride)
    {
      tns_text_add (text, " stride(");
      for (int k = 0; k < sym->rank; k++)
        {
          tns_text_add (text, k ? ", " : "");
          tns_expr_print (text, sym->stride[k]);
        }
      tns_text_add (text, ")");
    }
  for (int k = 0; k < 8; k++)
    if (sym->flags & (TNS_SYM_TEMP << k))
      tns_text_format (text, " %s", names[k]);
  add_held (text, sym);
}

void
tns_node_print (tns_text *text, const tns_node *node)
{
  tns_text_begin (text);
  switch (node->kind)
    {
    case TNS_BLOCK:
      add_body (text, node);
      end_line (text, "");
      break;
    case TNS_LOOP:
      add_loop (text, node);
      break;
    case TNS_ASSIGN:
      add_assign (text, node);
      break;
    case TNS_IF:
      add_if (text, node);
      break;
    case TNS_LOCAL:
      tns_text_add (text, "local ");
      add_array (text, node->sym);
      end_line (text, ";");
      break;
    case TNS_PREFETCH:
      tns_text_add (text, "prefetch ");
      tns_expr_print (text, node->target);
      end_line (text, ";");
      break;
    }
}

/* The user's spelling of SYM when it is another, and the line's end.  */
static void
end_symbol (tns_text *text, const tns_sym *sym)
{
  if (sym->spelled && strcmp (sym->spelled, sym->name))
    {
      tns_text_add (text, " ");
      tns_text_quoted (text, sym->spelled);
    }
  end_line (text, ";");
}

/* Whether SYM is declared at the head of the region.  */
static bool
is_declared (const tns_sym *sym, tns_sym_kind kind)
{
  return sym->kind == kind && !tns_sym_is_local (sym);
}

/* The FUNCTIONs.  */
static void
add_functions (tns_text *text, const tns_region *region)
{
  for (int k = 0; k < region->n_syms; k++)
    {
      const tns_sym *sym = region->syms[k];
      if (sym->kind != TNS_SYM_FUNCTION)
        continue;
      tns_text_begin (text);
      tns_text_format (text, "function %s %s(%d)",
                       tns_elem_name (sym->type.elem), sym->name, sym->rank);
      for (int a = 0; sym->partial && a < sym->rank; a++)
        tns_text_format (text, "%s %s", a ? "" : " partial",
                         sym->partial[a] ? sym->partial[a]->name : "_");
      for (int a = 0; sym->argument && a < sym->rank; a++)
        tns_text_format (text, "%s%c", a ? "" : " places ",
                         "vpwc"[sym->argument[a].kind]);
      end_symbol (text, sym);
    }
}

/* The VALUEs, then the arrays; where that is not the order of the
   parameters, a line with it.  */
static void
add_symbols (tns_text *text, const tns_region *region)
{
  int n = 0;
  bool in_order = true;
  add_functions (text, region);
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k < region->n_syms; k++)
      {
        const tns_sym *sym = region->syms[k];
        if (!is_declared (sym, pass ? TNS_SYM_ARRAY : TNS_SYM_VALUE))
          continue;
        tns_text_begin (text);
        tns_text_add (text, !pass ? "value " : sym->rank ? "array " : "cell ");
        if (pass)
          add_array (text, sym);
        else
          tns_text_format (text, "%s %s", tns_elem_name (sym->type.elem),
                           sym->name);
        end_symbol (text, sym);
        in_order = in_order && n < region->n_params && region->params[n] == sym;
        n++;
      }
  if (in_order && n == region->n_params)
    return;
  tns_text_begin (text);
  tns_text_add (text, "params");
  for (int k = 0; k < region->n_params; k++)
    tns_text_format (text, " %s", region->params[k]->name);
  end_line (text, ";");
}

/* "word e;" when there is an E.  */
static void
add_fact (tns_text *text, const char *word, const tns_expr *expr)
{
  if (!expr)
    return;
  tns_text_begin (text);
  tns_text_format (text, "%s ", word);
  tns_expr_print (text, expr);
  end_line (text, ";");
}

/* span A lo to hi written;  */
static void
add_span (tns_text *text, const tns_span *span)
{
  tns_text_begin (text);
  tns_text_format (text, "span %s ", span->sym->name);
  if (span->lo && span->hi)
    {
      tns_expr_print (text, span->lo);
      tns_text_add (text, " to ");
      tns_expr_print (text, span->hi);
    }
  else
    tns_text_add (text, "unknown");
  end_line (text, span->written ? " written;" : ";");
}

/* What is known, guarded and counted of REGION.  */
static void
add_facts (tns_text *text, const tns_region *region)
{
  for (int k = 0; k < region->n_overlaps; k++)
    tns_text_line (text, "overlap %s %s;", region->overlaps[k].a->name,
                   region->overlaps[k].b->name);
  for (int k = 0; k < region->n_still; k++)
    add_fact (text, "still", region->still[k]);
  for (int k = 0; k < region->n_assume; k++)
    add_fact (text, "assume", region->assume[k]);
  if (region->before)
    {
      tns_text_begin (text);
      tns_text_add (text, "before ");
      add_body (text, region->before);
      end_line (text, ";");
    }
  for (int k = 0; k < region->n_guard; k++)
    add_fact (text, "guard", region->guard[k]);
  for (int k = 0; k < region->n_spans; k++)
    add_span (text, &region->spans[k]);
  add_fact (text, "flops", region->flops);
  add_fact (text, "bytes_before", region->bytes_before);
  add_fact (text, "bytes_after", region->bytes_after);
  if (region->exact)
    tns_text_line (text, "exact;");
}

/* NAME needs no quotes.  */
static bool
is_identifier (const char *name)
{
  if (!isalpha ((unsigned char) *name) && *name != '_')
    return false;
  while (isalnum ((unsigned char) *name) || *name == '_')
    name++;
  return !*name;
}

void
tns_region_print (tns_text *text, const tns_region *region)
{
  tns_text_add (text, "region ");
  if (is_identifier (region->name))
    tns_text_add (text, region->name);
  else
    tns_text_quoted (text, region->name);
  tns_text_add (text, " ");
  if (region->file)
    {
      tns_text_quoted (text, region->file);
      tns_text_format (text, ":%d ", region->line);
    }
  if (region->function)
    tns_text_format (text, "in %s ", region->function);
  end_line (text, "{");
  text->indent += 2;
  add_symbols (text, region);
  add_facts (text, region);
  tns_node_print (text, region->body);
  text->indent -= 2;
  end_line (text, "}");
}

/* What was printed, on stderr.  */
static void
show (tns_text *text)
{
  fprintf (stderr, "%s\n", tns_text_chars (text));
  tns_arena_free (text->arena);
}

void
tns_expr_debug (const tns_expr *expr)
{
  tns_text text = tns_text_new (tns_arena_new (tns_allocator_malloc ()));
  tns_expr_print (&text, expr);
  show (&text);
}

void
tns_node_debug (const tns_node *node)
{
  tns_text text = tns_text_new (tns_arena_new (tns_allocator_malloc ()));
  tns_node_print (&text, node);
  show (&text);
}

void
tns_region_debug (const tns_region *region)
{
  tns_text text = tns_text_new (tns_arena_new (tns_allocator_malloc ()));
  tns_region_print (&text, region);
  show (&text);
}
