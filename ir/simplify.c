/* Expressions by the rules of ir/rules.c, bottom-up; then statements:

     loop without iterations or with an empty body     dropped
     if (1) s; else t;  if (0) s; else t;              s; t;
     if (c) { }                                        dropped
     if (c) { } else s;                                if (!c) s;
     x = x;  i add= 0;  p mul= 1;                      dropped
     stores to locals that nobody reads                dropped

   again until nothing changes.  An expression evaluates nothing that can be
   seen, so that dropping it is right.  */

#include "ir/simplify.h"

#include "ir/rules.h"
#include "ir/walk.h"

enum
{
  MOST_ROUNDS = 8
};

/* A round of simplification.

   is_read   by symbol id: some statement reads the array
   n_dropped  statements and branches, in this round  */
typedef struct simplifier
{
  tns_rules rules;
  bool *is_read;
  int n_dropped;
} simplifier;

/* One node of an expression.  */
static tns_expr *
change_part (tns_expr *expr, void *self)
{
  simplifier *s = self;
  return tns_rules_apply (&s->rules, expr);
}

/* One whole expression.  */
static tns_expr *
change_expr (tns_expr *expr, void *self)
{
  simplifier *s = self;
  return tns_expr_rebuild (s->rules.ctx->arena, expr, change_part, s);
}

/* Nothing is executed by NODE.  */
static bool
is_empty (const tns_node *node)
{
  return !node || (node->kind == TNS_BLOCK && node->n_kids == 0);
}

/* NODE is gone.  */
static tns_node *
drop (simplifier *s)
{
  s->n_dropped++;
  return NULL;
}

/* OP leaves a cell of type ELEM as it is when it updates with VALUE.  */
static bool
is_neutral_update (tns_op op, tns_elem elem, const tns_expr *value)
{
  long long k;
  if (tns_elem_is_float (elem) || !tns_expr_is_int (value, &k))
    return false;
  return (k == 0 && (op == TNS_ADD || op == TNS_OR || op == TNS_XOR))
         || (k == 1 && op == TNS_MUL);
}

/* An ASSIGN.  */
static tns_node *
change_assign (simplifier *s, tns_node *node)
{
  const tns_sym *sym = node->target->sym;
  long long mask;
  bool is_dead = tns_sym_is_dead_after (sym) && !s->is_read[sym->id];
  bool is_same
    = node->update == TNS_NONE && tns_expr_equal (node->target, node->value);
  bool is_masked_out = tns_expr_is_int (node->mask, &mask) && !mask;
  if (is_dead || is_same || is_masked_out
      || is_neutral_update (node->update, sym->type.elem, node->value))
    return drop (s);
  if (node->mask && node->mask->op == TNS_INT)
    node->mask = NULL;
  return node;
}

/* How many loops, NODE first, are nested perfectly, at most MOST.  */
static int
perfect_depth (const tns_node *node, int most)
{
  int depth = 1;
  while (depth < most)
    {
      node = node->body;
      while (node->kind == TNS_BLOCK && node->n_kids == 1)
        node = node->kid[0];
      if (node->kind != TNS_LOOP)
        return depth;
      depth++;
    }
  return depth;
}

/* A LOOP.  */
static tns_node *
change_loop (simplifier *s, tns_node *node)
{
  long long lo;
  long long hi;
  if (is_empty (node->body))
    return drop (s);
  if (tns_expr_is_int (node->lo, &lo) && tns_expr_is_int (node->hi, &hi)
      && (node->step > 0 ? lo >= hi : lo <= hi))
    return drop (s);
  int depth = perfect_depth (node, node->marks.collapse);
  if (depth >= node->marks.collapse)
    return node;
  tns_node *copy = tns_node_copy (s->rules.ctx->arena, node);
  copy->marks.collapse = depth > 1 ? depth : 0;
  return copy;
}

/* An IF.  */
static tns_node *
change_if (simplifier *s, tns_node *node)
{
  long long cond;
  if (tns_expr_is_int (node->cond, &cond))
    {
      s->n_dropped++;
      return cond ? node->then : node->otherwise;
    }
  if (is_empty (node->otherwise))
    node->otherwise = NULL;
  if (!is_empty (node->then))
    return node;
  if (!node->otherwise)
    return drop (s);
  node->cond = tns_rules_apply (
    &s->rules, tns_unary (s->rules.ctx->arena, TNS_LNOT, node->cond));
  node->then = node->otherwise;
  node->otherwise = NULL;
  return node;
}

/* Whether BLOCK declares anything.  */
static bool
has_locals (const tns_node *block)
{
  for (int k = 0; k < block->n_kids; k++)
    if (block->kid[k]->kind == TNS_LOCAL)
      return true;
  return false;
}

/* A branch that takes the place of its IF: a block that declares keeps its
   braces.  */
static tns_node *
in_place_of (tns_arena *arena, const tns_node *old, tns_node *made)
{
  if (!made || made == old || made->kind != TNS_BLOCK || !has_locals (made))
    return made;
  tns_node *outer = tns_block (arena, old->loc);
  tns_block_add (arena, outer, made);
  return outer;
}

/* One node whose parts are simple.  */
static tns_node *
change_node (tns_node *node, void *self)
{
  simplifier *s = self;
  switch (node->kind)
    {
    case TNS_ASSIGN:
      return change_assign (s, node);
    case TNS_LOOP:
      return change_loop (s, node);
    case TNS_IF:
      return in_place_of (s->rules.ctx->arena, node, change_if (s, node));
    case TNS_LOCAL:
      return s->is_read[node->sym->id] ? node : drop (s);
    case TNS_BLOCK:
    case TNS_PREFETCH:
      break;
    }
  return node;
}

/* The visitor that notes what an expression reads.  */
static bool
note_read (tns_expr *expr, void *self)
{
  simplifier *s = self;
  if (tns_expr_reads (expr))
    s->is_read[expr->sym->id] = true;
  return true;
}

/* The visitor that notes what a node reads; the target of a store is not
   read, its subscripts are, nor is a cell that nobody reads but its own
   updates.  */
static bool
note_reads (tns_node *node, void *self)
{
  tns_expr_walk (node->lo, note_read, self);
  tns_expr_walk (node->hi, note_read, self);
  tns_expr_walk (node->cond, note_read, self);
  tns_expr_walk (node->value, note_read, self);
  tns_expr_walk (node->mask, note_read, self);
  for (int k = 0; node->kind == TNS_ASSIGN && k < node->target->n_args; k++)
    tns_expr_walk (node->target->arg[k], note_read, self);
  return true;
}

/* BODY once through; whether anything was dropped in *AGAIN.  */
static tns_node *
simplify_once (simplifier *s, tns_region *region, bool *again)
{
  tns_ranges ranges = tns_ranges_of (s->rules.ctx->arena, region);
  s->rules.ranges = &ranges;
  s->is_read = TNS_NEW_ARRAY (s->rules.ctx->arena, bool, region->n_syms + 1);
  s->n_dropped = 0;
  tns_node_walk (region->body, note_reads, s);
  tns_node *body = tns_node_rebuild (s->rules.ctx->arena, region->body,
                                     change_node, change_expr, s);
  s->rules.ranges = NULL;
  *again = s->n_dropped > 0;
  return body;
}

/* The guards; one that always holds goes.  */
static void
simplify_guards (simplifier *s, tns_region *region)
{
  int n = 0;
  for (int k = 0; k < region->n_guard; k++)
    {
      tns_expr *guard = change_expr (region->guard[k], s);
      long long holds;
      if (!tns_expr_is_int (guard, &holds) || !holds)
        region->guard[n++] = guard;
    }
  region->n_guard = n;
}

tns_region *
tns_region_simplify (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  simplifier s = { .rules = { ctx, NULL } };
  tns_region *made = tns_region_copy (ctx->arena, region);
  bool again = true;
  for (int round = 0; again && round < MOST_ROUNDS; round++)
    made->body = simplify_once (&s, made, &again);
  simplify_guards (&s, made);
  return made;
}

tns_expr *
tns_expr_simplify (tns_ctx *ctx, tns_expr *expr)
{
  simplifier s = { .rules = { ctx, NULL } };
  return change_expr (expr, &s);
}
