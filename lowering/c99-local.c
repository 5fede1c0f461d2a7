/* Temporaries in C.

     rank 0                      float s;
     constant extents, small     float t[8][16];
     large or of unknown size    float *t = malloc (...), at the head of the
                                 function, where a lack of memory can still
                                 return 0; inside a loop that threads share,
                                 there, where it can only abort

   An array that each thread has one of, declared outside of the loop that
   threads share, is declared again inside: its contents there do not come
   from outside.  */

#include "lowering/c99-text.h"

#include "ir/walk.h"

enum
{
  LARGEST_AUTOMATIC = 64 * 1024
};

bool
tns_c99_is_heap (const tns_sym *sym)
{
  long long bytes = tns_elem_bytes (sym->type.elem);
  if (sym->rank == 0)
    return false;
  for (int k = 0; k < sym->rank; k++)
    {
      long long extent;
      if (!tns_expr_is_int (sym->extent[k], &extent) || extent < 1
          || extent > LARGEST_AUTOMATIC)
        return true;
      bytes *= extent;
      if (bytes > LARGEST_AUTOMATIC)
        return true;
    }
  return (sym->flags & TNS_SYM_HEAP) != 0;
}

/* T *NAME = malloc (...).  */
static void
add_malloc (tns_c99 *c, const tns_sym *sym)
{
  tns_text *text = c->text;
  const char *name = tns_c99_name (c, sym);
  const char *type = tns_elem_c_name (sym->type.elem);
  tns_arena *arena = text->arena;
  tns_text_begin (text);
  tns_text_format (text, "%s *restrict %s = malloc (", type, name);
  for (int k = 0; k < sym->rank; k++)
    {
      tns_expr *extent = sym->extent[k];
      long long number;
      if (!tns_expr_is_int (extent, &number))
        extent = tns_c99_tidy_expr (
          arena, tns_binary (arena, TNS_MAX, extent, tns_int (arena, 1)));
      tns_c99_factor (c, extent);
      tns_text_add (text, " * ");
    }
  tns_text_format (text, "sizeof (%s));\n", type);
}

/* T NAME[8][16].  */
static void
add_automatic (tns_c99 *c, const tns_sym *sym)
{
  tns_text *text = c->text;
  tns_text_begin (text);
  tns_text_format (text, "%s %s", tns_elem_c_name (sym->type.elem),
                   tns_c99_name (c, sym));
  for (int k = 0; k < sym->rank; k++)
    {
      const char *between = sym->stride ? " * " : "][";
      tns_text_add (text, k ? between : "[");
      tns_c99_factor (c, sym->extent[k]);
    }
  tns_text_add (text, sym->rank ? "];\n" : ";\n");
}

void
tns_c99_declare (tns_c99 *c, const tns_sym *sym)
{
  if (!tns_c99_is_heap (sym))
    add_automatic (c, sym);
  else if (c->in_parallel)
    {
      add_malloc (c, sym);
      tns_text_line (c->text, "if (!%s)", tns_c99_name (c, sym));
      tns_text_line (c->text, "  abort ();");
    }
}

void
tns_c99_free (tns_c99 *c, const tns_sym *sym)
{
  if (tns_c99_is_heap (sym) && c->in_parallel)
    tns_text_line (c->text, "free (%s);", tns_c99_name (c, sym));
}

/* Mark the arrays of NODE that stand outside of shared loops.  */
static void
mark_taken (tns_c99 *c, const tns_node *node)
{
  if (!node || (node->kind == TNS_LOOP && tns_c99_is_shared (c, node)))
    return;
  if (node->kind == TNS_LOCAL)
    {
      c->outside[node->sym->id] = true;
      c->taken[node->sym->id] = tns_c99_is_heap (node->sym);
    }
  if (node->kind == TNS_LOOP)
    mark_taken (c, node->body);
  if (node->kind == TNS_IF)
    {
      mark_taken (c, node->then);
      mark_taken (c, node->otherwise);
    }
  for (int k = 0; node->kind == TNS_BLOCK && k < node->n_kids; k++)
    mark_taken (c, node->kid[k]);
}

void
tns_c99_mark_taken (tns_c99 *c)
{
  mark_taken (c, c->region->body);
}

bool
tns_c99_takes (const tns_c99 *c)
{
  for (int id = 0; id < c->region->n_syms; id++)
    if (c->taken[id])
      return true;
  return false;
}

void
tns_c99_give_back (tns_c99 *c)
{
  for (int id = 0; id < c->region->n_syms; id++)
    if (c->taken[id])
      tns_text_line (c->text, "free (%s);",
                     tns_c99_name (c, c->region->syms[id]));
}

void
tns_c99_take (tns_c99 *c)
{
  const tns_region *region = c->region;
  tns_text *text = c->text;
  int n = 0;
  for (int id = 0; id < region->n_syms; id++)
    if (c->taken[id])
      add_malloc (c, region->syms[id]);
  for (int id = 0; id < region->n_syms; id++)
    if (c->taken[id])
      {
        if (n == 0)
          tns_text_begin (text);
        tns_text_format (text, "%s!%s", n++ ? " || " : "if (",
                         tns_c99_name (c, region->syms[id]));
      }
  if (n == 0)
    return;
  tns_text_add (text, ")\n");
  if (n == 1)
    {
      tns_text_line (text, "  return 0;");
      return;
    }
  tns_text_line (text, "  {");
  text->indent += 4;
  tns_c99_give_back (c);
  tns_text_line (text, "return 0;");
  text->indent -= 4;
  tns_text_line (text, "  }");
}

/* Whether SYM is declared again in the body of LOOP.  */
static bool
is_thread_local (const tns_c99 *c, const tns_sym *sym, tns_node *loop)
{
  return (sym->flags & TNS_SYM_PER_THREAD) && c->outside[sym->id]
         && tns_node_mentions (loop, sym);
}

bool
tns_c99_has_thread_locals (const tns_c99 *c, tns_node *loop)
{
  for (int id = 0; id < c->region->n_syms; id++)
    if (is_thread_local (c, c->region->syms[id], loop))
      return true;
  return false;
}

void
tns_c99_thread_locals (tns_c99 *c, tns_node *loop)
{
  for (int id = 0; id < c->region->n_syms; id++)
    if (is_thread_local (c, c->region->syms[id], loop))
      tns_c99_declare (c, c->region->syms[id]);
}

void
tns_c99_thread_frees (tns_c99 *c, tns_node *loop)
{
  for (int id = 0; id < c->region->n_syms; id++)
    if (is_thread_local (c, c->region->syms[id], loop))
      tns_c99_free (c, c->region->syms[id]);
}
