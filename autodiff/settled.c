/* Variables put into the places where they are read, as autodiff/settled.h
   says: one after the other, so that those that are set from others follow.  */

#include "autodiff/settled.h"

#include "ir/handed.h"
#include "ir/walk.h"

/* Values of more operators stay in their variables: each read would compute
   them again.  */
static const int MOST_OPERATORS = 24;

/* A variable, and where it stands.

   may      arrays may overlap
   writers  statements that set it
   block    where the last one that was found stands, as kid AT
   reads    accesses of it, as a target too
   behind   those of statements behind that kid
   size     operators of its value, or more than are allowed  */
typedef struct variable
{
  const tns_region *region;
  tns_arena *arena;
  bool may;
  const tns_sym *sym;
  int writers;
  const tns_node *block;
  int at;
  int reads;
  int behind;
  int size;
} variable;

/* The visitor of blocks.  */
static bool
find_writer (tns_node *node, void *self)
{
  variable *v = self;
  if (node->kind == TNS_ASSIGN && node->target->sym == v->sym)
    v->writers++;
  for (int k = 0; node->kind == TNS_BLOCK && k < node->n_kids; k++)
    if (tns_node_sets_cell (node->kid[k])
        && node->kid[k]->target->sym == v->sym)
      {
        v->block = node;
        v->at = k;
      }
  return true;
}

/* The visitor of accesses.  */
static bool
count_access (tns_expr *expr, void *self)
{
  variable *v = self;
  v->reads += tns_expr_reads (expr) && expr->sym == v->sym;
  return true;
}

/* The visitor of nodes with accesses.  */
static bool
count_accesses (tns_node *node, void *self)
{
  tns_node_exprs (node, count_access, self);
  return true;
}

/* How often NODE accesses V.  */
static int
accesses (const variable *v, tns_node *node)
{
  variable found = { .sym = v->sym };
  tns_node_walk (node, count_accesses, &found);
  return found.reads;
}

/* SYM, an array, may be written in V's region, by this name or another.  */
static bool
may_change (const variable *v, const tns_sym *sym)
{
  const tns_region *region = v->region;
  bool may = tns_node_writes (region->body, sym);
  for (int k = 0; v->may && k < region->n_overlaps && !may; k++)
    {
      const tns_overlap *pair = &region->overlaps[k];
      may = (pair->a == sym && tns_node_writes (region->body, pair->b))
            || (pair->b == sym && tns_node_writes (region->body, pair->a));
    }
  return may;
}

/* The visitor of V's value.  */
static bool
measure (tns_expr *expr, void *self)
{
  variable *v = self;
  bool is_firm = !tns_call_arguments (expr) && !tns_op_is_function (expr->op)
                 && !(tns_expr_reads (expr) && may_change (v, expr->sym));
  v->size += is_firm ? 1 : MOST_OPERATORS + 1;
  return is_firm;
}

/* V is such a variable; its place is filled in.  */
static bool
is_settled (variable *v)
{
  const tns_sym *sym = v->sym;
  if (sym->kind != TNS_SYM_ARRAY || sym->rank > 0 || !tns_sym_is_local (sym)
      || !tns_elem_is_integer (sym->type.elem)
      || tns_node_hands_over (v->region->body, sym))
    return false;
  tns_node_walk (v->region->body, find_writer, v);
  if (v->writers != 1 || !v->block)
    return false;
  const tns_node *writer = v->block->kid[v->at];
  tns_expr_walk (writer->value, measure, v);
  if (writer->update != TNS_NONE || v->size > MOST_OPERATORS
      || tns_node_is_call (writer))
    return false;
  for (int k = v->at + 1; k < v->block->n_kids; k++)
    v->behind += accesses (v, v->block->kid[k]);
  return accesses (v, v->region->body) == v->behind + 1;
}

/* The changer of expressions behind V's statement.  */
static tns_expr *
put_value (tns_expr *expr, void *self)
{
  const variable *v = self;
  tns_expr *value
    = tns_cast (v->arena, v->sym->type, v->block->kid[v->at]->value);
  return tns_expr_with_cell (v->arena, expr, v->sym, value);
}

/* The changer of nodes: of the block that sets V what is behind that.  */
static tns_node *
put_values (tns_node *node, void *self)
{
  variable *v = self;
  int at = 0;
  while (at < node->n_kids
         && (node->kid[at]->kind != TNS_ASSIGN
             || node->kid[at]->target->sym != v->sym))
    at++;
  if (node->kind != TNS_BLOCK || at == node->n_kids)
    return node;
  tns_node *made = tns_block (v->arena, node->loc);
  for (int k = 0; k < node->n_kids; k++)
    if (k != at)
      tns_block_add (
        v->arena, made,
        k < at ? node->kid[k]
               : tns_node_rebuild (v->arena, node->kid[k], NULL, put_value, v));
  return made;
}

tns_region *
tns_region_settle (tns_ctx *ctx, tns_region *region, bool may)
{
  tns_region *made = region;
  for (int k = 0; region && k < region->n_syms; k++)
    {
      variable v = {
        .region = made, .arena = ctx->arena, .may = may, .sym = region->syms[k]
      };
      if (!is_settled (&v))
        continue;
      tns_node *body
        = tns_node_rebuild (ctx->arena, made->body, put_values, NULL, &v);
      made = tns_region_copy (ctx->arena, region);
      made->body = body;
    }
  return made;
}
