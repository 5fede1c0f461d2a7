/* Bytes of what gradients keep, as driver/kept.h says.  */

#include "driver/kept.h"

#include "ir/print.h"
#include "ir/simplify.h"
#include "ir/walk.h"
#include "lowering/c99.h"

/* What is being listed, by the names that the region has as C.  */
typedef struct listing
{
  tns_ctx *ctx;
  tns_kept *kept;
  const tns_c99 *names;
} listing;

/* The visitor of a condition that stops where numbers are to be equal.  */
static bool
note_equal (tns_expr *expr, void *self)
{
  bool *found = self;
  *found |= expr->op == TNS_EQ;
  return !*found;
}

/* The arm of CHOICE that is taken where something is done at all, not the one
   for single sizes.  */
static tns_expr *
usual_arm (const tns_expr *choice)
{
  bool is_single = false;
  long long least;
  for (int k = 1; k < 3; k++)
    if (tns_expr_is_int (choice->arg[k], &least) && least <= 1)
      return choice->arg[3 - k];
  tns_expr_walk (choice->arg[0], note_equal, &is_single);
  return choice->arg[is_single ? 2 : 1];
}

/* The changer of extents: sizes are positive, and done is what is done for
   some.  */
static tns_expr *
assume_sizes (tns_expr *expr, void *self)
{
  long long least;
  (void) self;
  if (expr->op == TNS_SELECT)
    return usual_arm (expr);
  for (int k = 0; expr->op == TNS_MAX && k < 2; k++)
    if (tns_expr_is_int (expr->arg[k], &least) && least <= 1)
      return expr->arg[1 - k];
  return expr;
}

/* The bytes of SYM, or NULL.  */
static tns_expr *
bytes_of (tns_ctx *ctx, const tns_sym *sym)
{
  tns_arena *arena = ctx->arena;
  tns_expr *bytes = tns_int (arena, tns_elem_bytes (sym->type.elem));
  for (int k = 0; k < sym->rank; k++)
    {
      if (!sym->extent[k])
        return NULL;
      bytes = tns_binary (
        arena, TNS_MUL, bytes,
        tns_expr_rebuild (arena, sym->extent[k], assume_sizes, NULL));
    }
  return tns_expr_simplify (ctx, bytes);
}

/* The visitor of LOCALs.  */
static bool
list (tns_node *node, void *self)
{
  listing *l = self;
  tns_kept *kept = l->kept;
  tns_arena *arena = l->ctx->arena;
  size_t n = (size_t) kept->n;
  const tns_sym *sym = node->kind == TNS_LOCAL ? node->sym : NULL;
  if (!sym || sym->rank == 0 || !tns_sym_role (sym))
    return true;
  kept->array = tns_arena_grow (arena, kept->array, sizeof *kept->array * n,
                                sizeof *kept->array * (n + 1));
  kept->array[kept->n++]
    = (tns_kept_array){ .name = tns_c99_name (l->names, sym),
                        .adjoint = (sym->flags & TNS_SYM_ADJOINT) != 0,
                        .bytes = bytes_of (l->ctx, sym) };
  return true;
}

/* The bytes of all of KEPT's arrays that hold adjoints, or values.  */
static tns_expr *
sum_of (tns_ctx *ctx, const tns_kept *kept, bool adjoint)
{
  tns_expr *sum = tns_int (ctx->arena, 0);
  for (int k = 0; k < kept->n && sum; k++)
    if (kept->array[k].adjoint == adjoint)
      sum = kept->array[k].bytes
              ? tns_binary (ctx->arena, TNS_ADD, sum, kept->array[k].bytes)
              : NULL;
  return sum ? tns_expr_simplify (ctx, sum) : NULL;
}

/* Append BYTES to TEXT.  */
static void
tell_bytes (tns_text *text, const tns_expr *bytes)
{
  if (bytes)
    tns_expr_print (text, bytes);
  else
    tns_text_add (text, "unknown");
}

/* Append WORD, then BYTES, and what each array has of them, to TEXT.  */
static void
tell (tns_text *text, const tns_kept *kept, const char *word, tns_expr *bytes,
      bool adjoint)
{
  const char *between = " (";
  tns_text_format (text, "%s ", word);
  tell_bytes (text, bytes);
  tns_text_add (text, " bytes");
  for (int k = 0; k < kept->n; k++)
    if (kept->array[k].adjoint == adjoint)
      {
        tns_text_format (text, "%s%s: ", between, kept->array[k].name);
        tell_bytes (text, kept->array[k].bytes);
        between = ", ";
      }
  tns_text_add (text, between[0] == ',' ? ")" : "");
}

const tns_kept *
tns_kept_of (tns_ctx *ctx, const tns_region *planned)
{
  tns_text text = tns_text_new (ctx->arena);
  if (!planned->derived)
    return NULL;
  tns_kept *kept = TNS_NEW (ctx->arena, tns_kept);
  listing l = { ctx, kept, tns_c99_begin (ctx, planned) };
  tns_node_walk (planned->body, list, &l);
  kept->tapes = sum_of (ctx, kept, false);
  kept->adjoints = sum_of (ctx, kept, true);
  tell (&text, kept, "tapes", kept->tapes, false);
  tell (&text, kept, ", adjoints", kept->adjoints, true);
  kept->words = tns_text_chars (&text);
  tns_note (ctx, planned->loc, "%s", kept->words);
  return kept;
}
