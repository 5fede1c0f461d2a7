/* Visiting and rebuilding: the only recursion over trees that most passes
   need.  */

#include "ir/walk.h"

#include "ir/handed.h"

void
tns_expr_walk (tns_expr *expr, tns_expr_visitor visit, void *self)
{
  if (!expr || !visit (expr, self))
    return;
  for (int k = 0; k < expr->n_args; k++)
    tns_expr_walk (expr->arg[k], visit, self);
}

tns_expr *
tns_expr_rebuild (tns_arena *arena, tns_expr *expr, tns_expr_changer change,
                  void *self)
{
  if (!expr)
    return NULL;
  tns_expr *few[8];
  tns_expr **arg = few;
  if (expr->n_args > 8)
    arg = TNS_NEW_ARRAY (arena, tns_expr *, expr->n_args);
  for (int k = 0; k < expr->n_args; k++)
    arg[k] = tns_expr_rebuild (arena, expr->arg[k], change, self);
  return change (tns_expr_with_args (arena, expr, arg), self);
}

/* What tns_expr_substitute looks for.  */
typedef struct substitution
{
  tns_arena *arena;
  int n;
  tns_sym *const *sym;
  tns_expr *const *by;
} substitution;

/* EXPR, or what stands for it when it is a symbol of the substitution.  */
static tns_expr *
substitute_leaf (tns_expr *expr, void *self)
{
  const substitution *s = self;
  if (expr->op == TNS_SYM)
    for (int k = 0; k < s->n; k++)
      if (expr->sym == s->sym[k])
        return s->by[k];
  return expr;
}

tns_expr *
tns_expr_substitute (tns_arena *arena, tns_expr *expr, int n,
                     tns_sym *const *sym, tns_expr *const *by)
{
  substitution s = { arena, n, sym, by };
  return tns_expr_rebuild (arena, expr, substitute_leaf, &s);
}

/* A cell and the value that takes its place.  */
typedef struct replacement
{
  const tns_sym *sym;
  tns_expr *value;
} replacement;

/* EXPR, or the value when it reads the cell.  */
static tns_expr *
replace_cell (tns_expr *expr, void *self)
{
  const replacement *r = self;
  return expr->sym == r->sym && tns_expr_reads (expr) ? r->value : expr;
}

tns_expr *
tns_expr_with_cell (tns_arena *arena, tns_expr *expr, const tns_sym *sym,
                    tns_expr *value)
{
  replacement r = { sym, value };
  return tns_expr_rebuild (arena, expr, replace_cell, &r);
}

bool
tns_node_sets_cell (const tns_node *node)
{
  return node->kind == TNS_ASSIGN && !node->mask
         && node->target->sym->rank == 0;
}

void
tns_node_walk (tns_node *node, tns_node_visitor visit, void *self)
{
  if (!node || !visit (node, self))
    return;
  for (int k = 0; k < node->n_kids; k++)
    tns_node_walk (node->kid[k], visit, self);
  tns_node_walk (node->body, visit, self);
  tns_node_walk (node->then, visit, self);
  tns_node_walk (node->otherwise, visit, self);
}

void
tns_node_exprs (tns_node *node, tns_expr_visitor visit, void *self)
{
  tns_expr_walk (node->marks.when, visit, self);
  tns_expr_walk (node->marks.work, visit, self);
  tns_expr_walk (node->marks.owner, visit, self);
  tns_expr_walk (node->lo, visit, self);
  tns_expr_walk (node->hi, visit, self);
  tns_expr_walk (node->cond, visit, self);
  tns_expr_walk (node->target, visit, self);
  tns_expr_walk (node->value, visit, self);
  tns_expr_walk (node->mask, visit, self);
}

/* How tns_node_rebuild rebuilds.  */
typedef struct rebuilder
{
  tns_arena *arena;
  tns_node_changer change_node;
  tns_expr_changer change_expr;
  void *self;
} rebuilder;

/* EXPR changed.  */
static tns_expr *
rebuild_whole (const rebuilder *r, tns_expr *expr)
{
  return expr && r->change_expr ? r->change_expr (expr, r->self) : expr;
}

/* COPY, a copy of a node, with its own expressions changed.  */
static void
rebuild_exprs (const rebuilder *r, tns_node *copy)
{
  copy->marks.when = rebuild_whole (r, copy->marks.when);
  copy->marks.work = rebuild_whole (r, copy->marks.work);
  copy->marks.owner = rebuild_whole (r, copy->marks.owner);
  copy->lo = rebuild_whole (r, copy->lo);
  copy->hi = rebuild_whole (r, copy->hi);
  copy->cond = rebuild_whole (r, copy->cond);
  copy->target = rebuild_whole (r, copy->target);
  copy->value = rebuild_whole (r, copy->value);
  copy->mask = rebuild_whole (r, copy->mask);
}

/* Whether BLOCK's locals end with it, so that it cannot be spliced.  */
static bool
has_locals (const tns_node *block)
{
  for (int k = 0; k < block->n_kids; k++)
    if (block->kid[k]->kind == TNS_LOCAL)
      return true;
  return false;
}

/* Put KID, rebuilt from OLD, at the end of BLOCK.  */
static void
add_rebuilt (tns_arena *arena, tns_node *block, const tns_node *old,
             tns_node *kid)
{
  if (!kid)
    return;
  bool was_block = old->kind == TNS_BLOCK && has_locals (old);
  if (kid->kind != TNS_BLOCK || was_block)
    {
      tns_block_add (arena, block, kid);
      return;
    }
  for (int k = 0; k < kid->n_kids; k++)
    tns_block_add (arena, block, kid->kid[k]);
}

/* MADE, or an empty block in the place of OLD when nothing is left.  */
static tns_node *
made_or_empty (tns_arena *arena, const tns_node *old, tns_node *made)
{
  return made || !old ? made : tns_block (arena, old->loc);
}

/* NODE rebuilt, or NULL when it is dropped.  */
static tns_node *
rebuild (const rebuilder *r, tns_node *node)
{
  if (!node)
    return NULL;
  tns_node *copy = tns_node_copy (r->arena, node);
  rebuild_exprs (r, copy);
  if (node->kind == TNS_BLOCK)
    {
      copy->n_kids = 0;
      copy->kid = NULL;
      for (int k = 0; k < node->n_kids; k++)
        add_rebuilt (r->arena, copy, node->kid[k], rebuild (r, node->kid[k]));
    }
  copy->body = made_or_empty (r->arena, node->body, rebuild (r, node->body));
  copy->then = made_or_empty (r->arena, node->then, rebuild (r, node->then));
  copy->otherwise = rebuild (r, node->otherwise);
  return r->change_node ? r->change_node (copy, r->self) : copy;
}

tns_node *
tns_node_rebuild (tns_arena *arena, tns_node *node,
                  tns_node_changer change_node, tns_expr_changer change_expr,
                  void *self)
{
  rebuilder r = { arena, change_node, change_expr, self };
  return rebuild (&r, node);
}

/* One whole expression under a substitution.  */
static tns_expr *
substitute_whole (tns_expr *expr, void *self)
{
  substitution *s = self;
  return tns_expr_rebuild (s->arena, expr, substitute_leaf, s);
}

tns_node *
tns_node_substitute (tns_arena *arena, tns_node *node, int n,
                     tns_sym *const *sym, tns_expr *const *by)
{
  substitution s = { arena, n, sym, by };
  return tns_node_rebuild (arena, node, NULL, substitute_whole, &s);
}

/* A symbol looked for, and whether it was seen.  */
typedef struct search
{
  const tns_sym *sym;
  bool found;
} search;

/* Note whether EXPR is about the symbol.  */
static bool
search_expr (tns_expr *expr, void *self)
{
  search *s = self;
  s->found = s->found || expr->sym == s->sym;
  return !s->found;
}

/* Note whether NODE's own expressions are about the symbol.  */
static bool
search_node (tns_node *node, void *self)
{
  search *s = self;
  tns_node_exprs (node, search_expr, s);
  return !s->found;
}

/* Note whether NODE stores to the symbol.  */
static bool
search_store (tns_node *node, void *self)
{
  search *s = self;
  if (node->kind == TNS_ASSIGN
      && (node->target->sym == s->sym || tns_call_writes (node->value, s->sym)))
    s->found = true;
  return !s->found;
}

/* The visitor of what is read.  */
static bool
note_load (tns_expr *expr, void *self)
{
  bool *loads = self;
  *loads |= tns_expr_reads (expr);
  return !*loads;
}

bool
tns_expr_loads (tns_expr *expr)
{
  bool loads = false;
  tns_expr_walk (expr, note_load, &loads);
  return loads;
}

bool
tns_expr_mentions (tns_expr *expr, const tns_sym *sym)
{
  search s = { sym, false };
  tns_expr_walk (expr, search_expr, &s);
  return s.found;
}

/* What is asked of an expression: whether it reads SYM, and nothing else.  */
typedef struct origin
{
  const tns_sym *sym;
  bool reads;
  bool other;
} origin;

/* The visitor that finds out.  */
static bool
note_origin (tns_expr *expr, void *self)
{
  origin *o = self;
  bool is_choice
    = expr->op == TNS_SELECT || expr->op == TNS_LAND || expr->op == TNS_LOR;
  bool is_number = !expr->sym || expr->sym->kind == TNS_SYM_ITER
                   || expr->sym->kind == TNS_SYM_VALUE;
  o->reads |= expr->sym == o->sym;
  o->other |= is_choice || (!is_number && expr->sym != o->sym);
  return !o->other;
}

bool
tns_expr_is_of (tns_expr *expr, const tns_sym *sym)
{
  origin o = { sym, false, false };
  tns_expr_walk (expr, note_origin, &o);
  return o.reads && !o.other;
}

bool
tns_node_mentions (tns_node *node, const tns_sym *sym)
{
  search s = { sym, false };
  tns_node_walk (node, search_node, &s);
  return s.found;
}

bool
tns_node_writes (tns_node *node, const tns_sym *sym)
{
  search s = { sym, false };
  tns_node_walk (node, search_store, &s);
  return s.found;
}

/* The visitor that finds the name of the first statement.  */
static bool
note_name (tns_node *node, void *self)
{
  const char **name = self;
  if (!*name && node->kind == TNS_ASSIGN)
    *name = node->name;
  return !*name;
}

const char *
tns_node_first_name (const tns_node *node)
{
  const char *name = NULL;
  tns_node_walk ((tns_node *) node, note_name, &name);
  return name;
}

/* The visitor that looks for loops.  */
static bool
note_loop (tns_node *node, void *self)
{
  bool *found = self;
  *found |= node->kind == TNS_LOOP;
  return !*found;
}

tns_node *
tns_node_bare (tns_node *node)
{
  while (node->kind == TNS_BLOCK && node->n_kids == 1)
    node = node->kid[0];
  return node;
}

bool
tns_node_has_loop (tns_node *node)
{
  bool found = false;
  tns_node_walk (node, note_loop, &found);
  return found;
}

bool
tns_loop_is_plain (const tns_node *loop)
{
  long long lo;
  return loop->step == 1 && tns_expr_is_int (loop->lo, &lo) && lo == 0;
}

/* The visitor that counts the loops of each iterator.  */
static bool
count_loop (tns_node *node, void *self)
{
  int *loops = self;
  if (node->kind == TNS_LOOP)
    loops[node->iter->id]++;
  return true;
}

int *
tns_region_loops_of (tns_arena *arena, const tns_region *region)
{
  int *loops = TNS_NEW_ARRAY (arena, int, region->n_syms + 1);
  tns_node_walk (region->body, count_loop, loops);
  return loops;
}

/* A node looked for, and whether it was seen.  */
typedef struct inner
{
  const tns_node *node;
  bool found;
} inner;

/* Note whether NODE is it.  */
static bool
find_inner (tns_node *node, void *self)
{
  inner *i = self;
  i->found |= node == i->node;
  return !i->found;
}

bool
tns_node_holds (tns_node *node, const tns_node *wanted)
{
  inner i = { wanted, false };
  tns_node_walk (node, find_inner, &i);
  return i.found;
}

/* A LOCAL looked for, and whether it was seen.  */
typedef struct birth
{
  const tns_sym *sym;
  bool found;
} birth;

/* Note whether NODE is it.  */
static bool
find_birth (tns_node *node, void *self)
{
  birth *b = self;
  b->found |= node->kind == TNS_LOCAL && node->sym == b->sym;
  return !b->found;
}

bool
tns_node_declares (tns_node *node, const tns_sym *sym)
{
  birth b = { sym, false };
  tns_node_walk (node, find_birth, &b);
  return b.found;
}

/* The visitor of values: functions of math.h.  */
static bool
find_call (tns_expr *expr, void *self)
{
  bool *found = self;
  *found |= tns_op_is_function (expr->op);
  return !*found;
}

/* The visitor of nodes.  */
static bool
find_calls (tns_node *node, void *self)
{
  tns_node_exprs (node, find_call, self);
  return !*(bool *) self;
}

bool
tns_node_calls (tns_node *node)
{
  bool found = false;
  tns_node_walk (node, find_calls, &found);
  return found;
}
