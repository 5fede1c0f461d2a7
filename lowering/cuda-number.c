/* Iterators from numbers: lowering/cuda-number.h.  */

#include "lowering/cuda-number.h"

#include "lowering/grid.h"

/* The name of what says how long loop K of WORD is.  */
static const char *
trip_name (tns_c99 *c, const char *word, int k)
{
  return tns_arena_format (c->text->arena, "tns_%s_trip%d", word, k);
}

void
tns_cuda_trips (tns_c99 *c, const char *word, int n, tns_node *const *loop)
{
  for (int k = 0; k < n; k++)
    {
      tns_text_begin (c->text);
      tns_text_format (c->text, "const long %s = ", trip_name (c, word, k));
      tns_c99_expr (c, tns_grid_trip (c->text->arena, loop[k]), 0);
      tns_text_add (c->text, ";\n");
    }
  tns_text_begin (c->text);
  tns_text_format (c->text, "const long tns_%ss = ", word);
  for (int k = 0; k < n; k++)
    tns_text_format (c->text, "%s%s", k ? " * " : "", trip_name (c, word, k));
  tns_text_add (c->text, n ? ";\n" : "1;\n");
}

tns_expr *
tns_cuda_named (const tns_c99 *c, const char *name, tns_elem elem)
{
  tns_sym *sym = TNS_NEW (c->text->arena, tns_sym);
  sym->kind = TNS_SYM_VALUE;
  sym->type = tns_scalar (elem);
  sym->name = name;
  sym->flags = TNS_SYM_LOCAL;
  sym->id = c->region->n_syms;
  return tns_value (c->text->arena, sym);
}

/* The iterator of LOOP from its iteration's number, NUMBER.  */
static void
add_iterator (tns_c99 *c, const tns_node *loop, const char *number)
{
  long long lo;
  tns_text_begin (c->text);
  tns_text_format (c->text, "const long %s = %s", tns_c99_name (c, loop->iter),
                   number);
  if (loop->step != 1)
    tns_text_format (c->text, " * %lld", loop->step);
  if (!tns_expr_is_int (loop->lo, &lo) || lo != 0)
    {
      tns_text_add (c->text, " + ");
      tns_c99_expr (c, loop->lo, 12);
    }
  tns_text_add (c->text, ";\n");
}

void
tns_cuda_iterators (tns_c99 *c, const char *word, int n, tns_node *const *loop)
{
  tns_text *text = c->text;
  tns_arena *arena = text->arena;
  const char *left = tns_arena_format (arena, "tns_%s", word);
  const char **number = TNS_NEW_ARRAY (arena, const char *, n + 1);
  for (int k = n - 1; k > 0; k--)
    {
      const char *next = tns_arena_format (arena, "tns_%s_left%d", word, k);
      number[k] = tns_arena_format (arena, "tns_%s_number%d", word, k);
      tns_text_line (text, "long %s;", number[k]);
      tns_text_line (text, "const long %s = tns_divide (%s, %s, &%s);", next,
                     left, trip_name (c, word, k), number[k]);
      left = next;
    }
  number[0] = left;
  for (int k = 0; k < n; k++)
    add_iterator (c, loop[k], number[k]);
}
