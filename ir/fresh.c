/* Copies with fresh LOCALs, as ir/fresh.h says: first a symbol is made
   for each LOCAL, then all mentions are renamed.  Which LOCALs share a symbol
   is seen in one walk; from the inner blocks outwards all but the first one
   of each get another.  */

#include "ir/fresh.h"

#include "ir/walk.h"

tns_sym *
tns_local_like (tns_arena *arena, tns_region *region, const tns_sym *sym)
{
  tns_sym *made = tns_region_add_array (arena, region, sym->name,
                                        sym->type.elem, sym->rank, sym->flags);
  made->type = sym->type;
  made->extent = sym->extent;
  made->stride = sym->stride;
  made->spelled = sym->spelled;
  made->loc = sym->loc;
  return made;
}

/* The new symbol of each old one, by id; NULL: it stays.  named: statements
   keep their names.  */
typedef struct renaming
{
  tns_arena *arena;
  int n_syms;
  tns_sym *const *to;
  bool named;
} renaming;

/* The symbols that are being made.  */
typedef struct making
{
  tns_arena *arena;
  tns_region *region;
  tns_sym **to;
} making;

/* The new name of SYM.  */
static tns_sym *
name_of (const renaming *r, tns_sym *sym)
{
  return sym && sym->id < r->n_syms && r->to[sym->id] ? r->to[sym->id] : sym;
}

/* The visitor that makes the symbols.  */
static bool
make_sym (tns_node *node, void *self)
{
  making *m = self;
  if (node->kind == TNS_LOCAL)
    m->to[node->sym->id] = tns_local_like (m->arena, m->region, node->sym);
  return true;
}

/* The changer of one node of an expression.  */
static tns_expr *
rename_part (tns_expr *expr, void *self)
{
  const renaming *r = self;
  tns_sym *sym = name_of (r, expr->sym);
  if (sym == expr->sym)
    return expr;
  tns_expr *made
    = tns_make (r->arena, expr->op, expr->type, sym, expr->n_args, expr->arg);
  made->loc = expr->loc;
  return made;
}

/* The changer of a whole expression.  */
static tns_expr *
rename_expr (tns_expr *expr, void *self)
{
  const renaming *r = self;
  return tns_expr_rebuild (r->arena, expr, rename_part, self);
}

/* The changer of nodes.  */
static tns_node *
rename_node (tns_node *node, void *self)
{
  const renaming *r = self;
  int n = node->marks.n_reductions;
  node->name = r->named ? node->name : NULL;
  node->sym = name_of (r, node->sym);
  node->iter = name_of (r, node->iter);
  node->marks.align = name_of (r, node->marks.align);
  node->marks.panel = name_of (r, node->marks.panel);
  node->marks.summed = name_of (r, node->marks.summed);
  if (n > 0)
    {
      tns_reduction *made = TNS_NEW_ARRAY (r->arena, tns_reduction, n);
      for (int k = 0; k < n; k++)
        {
          made[k] = node->marks.reductions[k];
          made[k].sym = name_of (r, made[k].sym);
        }
      node->marks.reductions = made;
    }
  return node;
}

tns_node *
tns_node_renamed (tns_arena *arena, tns_node *node, int n, tns_sym *const *to)
{
  renaming r = { arena, n, to, false };
  return tns_node_rebuild (arena, node, rename_node, rename_expr, &r);
}

tns_node *
tns_node_fresh (tns_ctx *ctx, tns_region *region, tns_node *node)
{
  int n = region->n_syms;
  making m = { ctx->arena, region, TNS_NEW_ARRAY (ctx->arena, tns_sym *, n) };
  tns_node_walk (node, make_sym, &m);
  return tns_node_renamed (ctx->arena, node, n, m.to);
}

/* The names of statements, in order, while copies of them get their own.  */
typedef struct naming
{
  tns_arena *arena;
  const char *suffix;
  int n;
  const char **name;
  int next;
} naming;

/* The visitor: note the name of NODE.  */
static bool
note_name (tns_node *node, void *self)
{
  naming *names = self;
  size_t n = (size_t) names->n, one = sizeof (const char *);
  if (node->kind != TNS_ASSIGN)
    return true;
  names->name
    = tns_arena_grow (names->arena, names->name, n * one, (n + 1) * one);
  names->name[names->n++] = node->name;
  return true;
}

/* NODE, with the name of the statement that it is a copy of and the
   suffix.  */
static tns_node *
name_node (tns_node *node, void *self)
{
  naming *names = self;
  if (node->kind != TNS_ASSIGN)
    return node;
  const char *name = names->name[names->next++];
  node->name = name
                 ? tns_arena_format (names->arena, "%s%s", name, names->suffix)
                 : NULL;
  return node;
}

tns_node *
tns_node_fresh_named (tns_ctx *ctx, tns_region *region, tns_node *node,
                      const char *suffix)
{
  naming names = { ctx->arena, suffix, 0, NULL, 0 };
  tns_node_walk (node, note_name, &names);
  tns_node *fresh = tns_node_fresh (ctx, region, node);
  return tns_node_rebuild (ctx->arena, fresh, name_node, NULL, &names);
}

/* The LOCALs of a region.

   n      symbols that the region had
   taken  by id: a LOCAL node that was seen has it
   more   a second one was seen  */
typedef struct lives
{
  tns_ctx *ctx;
  tns_region *region;
  int n;
  bool *taken;
  bool more;
} lives;

/* The visitor: note NODE's symbol where it is a LOCAL.  */
static bool
note_life (tns_node *node, void *self)
{
  lives *l = self;
  if (node->kind != TNS_LOCAL)
    return true;
  l->more |= l->taken[node->sym->id];
  l->taken[node->sym->id] = true;
  return true;
}

/* BLOCK with new symbols for its LOCALs whose own is taken.  */
static tns_node *
part_lives (tns_node *block, void *self)
{
  lives *l = self;
  tns_sym **to = NULL;
  for (int k = 0; block->kind == TNS_BLOCK && k < block->n_kids; k++)
    {
      tns_sym *sym
        = block->kid[k]->kind == TNS_LOCAL ? block->kid[k]->sym : NULL;
      if (!sym || sym->id >= l->n)
        continue;
      if (l->taken[sym->id] && !to)
        to = TNS_NEW_ARRAY (l->ctx->arena, tns_sym *, l->n);
      if (l->taken[sym->id])
        to[sym->id] = tns_local_like (l->ctx->arena, l->region, sym);
      l->taken[sym->id] = true;
    }
  if (!to)
    return block;
  renaming r = { l->ctx->arena, l->n, to, true };
  return tns_node_rebuild (r.arena, block, rename_node, rename_expr, &r);
}

tns_region *
tns_own_locals (tns_ctx *ctx, tns_region *region)
{
  if (!region)
    return NULL;
  int n = region->n_syms;
  lives seen
    = { ctx, region, n, TNS_NEW_ARRAY (ctx->arena, bool, n + 1), false };
  tns_node_walk (region->body, note_life, &seen);
  if (!seen.more)
    return region;
  tns_region *made = tns_region_copy (ctx->arena, region);
  lives l = { ctx, made, n, TNS_NEW_ARRAY (ctx->arena, bool, n + 1), false };
  made->body
    = tns_node_rebuild (ctx->arena, region->body, part_lives, NULL, &l);
  return made;
}
