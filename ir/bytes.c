/* Short integers, as ir/bytes.h says.

   Of a value that is converted to one or two bytes nothing else is kept.  It is
   short when

     it is a constant, a truth value, an integer of no more bytes, or what such
     a one was converted to
     it is a sum, a difference or a bitwise operation of short values, or a
     choice between them that integers of no more bytes decide

   1. A LOCAL cell all of whose reads are converted to as many bytes, and all of
      whose values are short, is a cell of so many bytes.
   2. Short values are computed in so many bytes.

   Products are not short: vectors multiply bytes as wider numbers.  What is
   shifted to the right or divided needs the bits that are cut.  */

#include "ir/bytes.h"

#include "ir/fresh.h"
#include "ir/walk.h"

/* The search and the change, by symbol id.

   bytes   that are kept of a cell; 0: it is not read
   fails   it stays
   made    the cell that takes its place, NULL: none
   some    there is something to change  */
typedef struct shortener
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
  int n_syms;
  int *bytes;
  bool *fails;
  tns_sym **made;
  bool some;
} shortener;

/* The unsigned type of BYTES, 1 or 2.  */
static tns_elem
elem_of (const shortener *s, int bytes)
{
  return bytes == 1 || tns_ctx_breaks (s->ctx, "bytes") ? TNS_U8 : TNS_U16;
}

/* EXPR is an integer of more than two bytes.  */
static bool
is_wide (const tns_expr *expr)
{
  return expr->type.lanes == 1 && expr->type.elem != TNS_BOOL
         && tns_elem_is_integer (expr->type.elem)
         && tns_elem_bytes (expr->type.elem) > 2;
}

/* EXPR is an integer or truth value of BYTES at most.  */
static bool
fits (const tns_expr *expr, int bytes)
{
  return expr->type.lanes == 1 && tns_elem_is_integer (expr->type.elem)
         && (expr->type.elem == TNS_BOOL
             || tns_elem_bytes (expr->type.elem) <= bytes);
}

/* The low bits of what OP makes follow from those of its operands.  */
static bool
keeps_low (tns_op op)
{
  switch (op)
    {
    case TNS_ADD:
    case TNS_SUB:
    case TNS_MUL:
    case TNS_NEG:
    case TNS_AND:
    case TNS_OR:
    case TNS_XOR:
    case TNS_NOT:
      return true;
    default:
      return false;
    }
}

tns_expr *
tns_expr_low (tns_arena *arena, tns_expr *expr, tns_elem elem)
{
  tns_expr *arg[3];
  tns_type type = tns_scalar (elem);
  int bytes = tns_elem_bytes (elem);
  if (expr->op == TNS_INT && expr->type.elem != TNS_BOOL)
    return tns_int_of (arena, elem, expr->integer & ((1LL << 8 * bytes) - 1));
  bool chooses = expr->op == TNS_SELECT;
  bool converts
    = expr->op == TNS_CAST && tns_elem_is_integer (expr->arg[0]->type.elem);
  if (fits (expr, bytes) || !(chooses || converts || keeps_low (expr->op)))
    return tns_cast (arena, type, expr);
  if (converts)
    return expr->arg[0]->type.elem == TNS_BOOL
             ? tns_cast (arena, type, expr->arg[0])
             : tns_expr_low (arena, expr->arg[0], elem);
  for (int k = 0; k < expr->n_args; k++)
    arg[k] = chooses && k == 0 ? expr->arg[0]
                               : tns_expr_low (arena, expr->arg[k], elem);
  return tns_make (arena, expr->op, type, NULL, expr->n_args, arg);
}

/* What a condition compares has BYTES at most.  */
typedef struct condition
{
  int bytes;
  bool fails;
} condition;

/* The visitor: note whether EXPR compares something else.  */
static bool
note_compared (tns_expr *expr, void *self)
{
  condition *c = self;
  bool compares = tns_op_class (expr->op) == 'C';
  bool decides = expr->op == TNS_LAND || expr->op == TNS_LOR
                 || expr->op == TNS_LNOT || expr->type.elem == TNS_BOOL;
  if (compares)
    c->fails |= !fits (expr->arg[0], c->bytes);
  else
    c->fails |= !decides;
  return !compares && !c->fails;
}

/* EXPR is short, of BYTES.  */
static bool
is_short (tns_expr *expr, int bytes)
{
  condition c = { bytes, false };
  if (fits (expr, bytes) || expr->op == TNS_INT)
    return true;
  if (expr->type.lanes != 1)
    return false;
  if (expr->op == TNS_CAST)
    return tns_elem_is_integer (expr->arg[0]->type.elem)
           && is_short (expr->arg[0], bytes);
  if (expr->op == TNS_SELECT)
    {
      tns_expr_walk (expr->arg[0], note_compared, &c);
      return !c.fails && is_short (expr->arg[1], bytes)
             && is_short (expr->arg[2], bytes);
    }
  bool keeps = keeps_low (expr->op) && expr->op != TNS_MUL;
  for (int k = 0; k < expr->n_args && keeps; k++)
    keeps = is_short (expr->arg[k], bytes);
  return keeps;
}

/* EXPR converts a wide integer to one or two bytes.  */
static bool
cuts (const tns_expr *expr)
{
  return expr->op == TNS_CAST && is_wide (expr->arg[0])
         && expr->type.elem != TNS_BOOL && fits (expr, 2);
}

/* The visitor: note what is read of cells.  */
static bool
note_read (tns_expr *expr, void *self)
{
  shortener *s = self;
  if (cuts (expr) && expr->arg[0]->op == TNS_LOAD && expr->arg[0]->n_args == 0)
    {
      int id = expr->arg[0]->sym->id;
      int bytes = tns_elem_bytes (expr->type.elem);
      s->fails[id] |= s->bytes[id] && s->bytes[id] != bytes;
      s->bytes[id] = bytes;
      return false;
    }
  if (expr->sym && expr->sym->kind == TNS_SYM_ARRAY)
    s->fails[expr->sym->id] = true;
  return true;
}

/* The visitor of nodes: the same, but for what is stored.  */
static bool
note_reads (tns_node *node, void *self)
{
  for (int k = 0; node->target && k < node->target->n_args; k++)
    tns_expr_walk (node->target->arg[k], note_read, self);
  const tns_node *n = node;
  tns_expr *all[] = { n->value, n->mask, n->cond, n->lo, n->hi };
  for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
    tns_expr_walk (all[k], note_read, self);
  return true;
}

/* The visitor: note which cells get values that are not short.  */
static bool
note_stored (tns_node *node, void *self)
{
  shortener *s = self;
  if (node->kind != TNS_ASSIGN || node->target->n_args > 0)
    return true;
  int id = node->target->sym->id;
  bool may = node->update == TNS_NONE
             || (keeps_low (node->update) && node->update != TNS_MUL);
  s->fails[id] |= !s->bytes[id] || !may || !is_wide (node->target)
                  || !is_short (node->value, s->bytes[id]);
  return true;
}

/* Cells that take the places of those that may be short.  */
static void
make_cells (shortener *s)
{
  const unsigned bars = TNS_SYM_KEPT | TNS_SYM_STEERS;
  for (int k = 0; k < s->n_syms; k++)
    {
      const tns_sym *sym = s->region->syms[k];
      if (sym->kind != TNS_SYM_ARRAY || !tns_sym_is_local (sym) || sym->rank > 0
          || sym->type.lanes > 1 || (sym->flags & bars) || s->fails[k]
          || !s->bytes[k])
        continue;
      s->made[k] = tns_local_like (s->arena, s->region, sym);
      s->made[k]->type.elem = elem_of (s, s->bytes[k]);
      s->some = true;
    }
}

/* The changer of one node of an expression.  */
static tns_expr *
change_part (tns_expr *expr, void *self)
{
  shortener *s = self;
  bool is_cell = expr->op == TNS_LOAD && expr->n_args == 0;
  if (is_cell && expr->sym->id < s->n_syms && s->made[expr->sym->id])
    return tns_cell (s->arena, s->made[expr->sym->id]);
  if (expr->op == TNS_CAST && tns_type_equal (expr->type, expr->arg[0]->type))
    return expr->arg[0];
  if (!cuts (expr))
    return expr;
  int bytes = tns_elem_bytes (expr->type.elem);
  bool computes = expr->arg[0]->op != TNS_CAST && expr->arg[0]->op != TNS_INT;
  if (!computes || !is_short (expr->arg[0], bytes))
    return expr;
  s->some = true;
  return tns_cast (s->arena, expr->type,
                   tns_expr_low (s->arena, expr->arg[0], elem_of (s, bytes)));
}

/* The changer of whole expressions.  */
static tns_expr *
change_whole (tns_expr *expr, void *self)
{
  shortener *s = self;
  return tns_expr_rebuild (s->arena, expr, change_part, s);
}

/* The changer of nodes, whose expressions are done.  */
static tns_node *
change_node (tns_node *node, void *self)
{
  const shortener *s = self;
  if (node->kind == TNS_LOCAL && node->sym->id < s->n_syms
      && s->made[node->sym->id])
    node->sym = s->made[node->sym->id];
  if (node->kind == TNS_ASSIGN
      && !tns_type_equal (node->target->type, node->value->type))
    node->value = tns_expr_low (s->arena, node->value, node->target->type.elem);
  return node;
}

tns_region *
tns_region_bytes (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  size_t n = (size_t) region->n_syms + 1;
  shortener s = { .ctx = ctx,
                  .arena = ctx->arena,
                  .region = tns_region_copy (ctx->arena, region),
                  .n_syms = region->n_syms,
                  .bytes = TNS_NEW_ARRAY (ctx->arena, int, n),
                  .fails = TNS_NEW_ARRAY (ctx->arena, bool, n),
                  .made = TNS_NEW_ARRAY (ctx->arena, tns_sym *, n) };
  tns_node_walk (region->body, note_reads, &s);
  tns_node_walk (region->body, note_stored, &s);
  make_cells (&s);
  s.region->body = tns_node_rebuild (ctx->arena, region->body, change_node,
                                     change_whole, &s);
  return s.some ? s.region : region;
}
