/* The region as it is handed on.

   While it was read every variable that is assigned got a cell; where its
   value was known all the time nobody loads from the cell, and when nobody
   outside reads the variable either, cell and stores go:

     local i64 c3; c3 = 3 * C; for (...) x[n * (3 * C)]   ->   for (...) ...

   Then the symbols that are left get their names, numbers and trees, the
   arrays become parameters.  */

#include "plugin/reader.hh"

extern "C"
{
#include "ir/walk.h"
#include "poly/never.h"
}

/* By sym->id, while the body is looked through.  */
typedef struct uses
{
  const tns_node *storing;
  bool *loaded;
  bool *named;
} uses;

/* Note the symbols of EXPR.  */
static bool
note_expr (tns_expr *expr, void *self)
{
  uses *u = (uses *) self;
  if (!expr->sym)
    return true;
  u->named[expr->sym->id] = true;
  bool is_target = u->storing && u->storing->target == expr;
  if (tns_expr_reads (expr) && !is_target)
    u->loaded[expr->sym->id] = true;
  return true;
}

/* Note the symbols of NODE.  */
static bool
note_node (tns_node *node, void *self)
{
  uses *u = (uses *) self;
  u->storing
    = node->kind == TNS_ASSIGN && node->update == TNS_NONE ? node : NULL;
  if (node->kind == TNS_LOOP)
    u->named[node->iter->id] = true;
  if (node->kind == TNS_LOCAL)
    u->named[node->sym->id] = true;
  tns_node_exprs (node, note_expr, u);
  return true;
}

/* Which symbols the body names and loads from.  */
static uses
uses_of (tns_reader *reader)
{
  uses u
    = { NULL, TNS_NEW_ARRAY (reader->arena, bool, reader->region->n_syms + 1),
        TNS_NEW_ARRAY (reader->arena, bool, reader->region->n_syms + 1) };
  tns_node_walk (reader->region->body, note_node, &u);
  return u;
}

/* What drop_node must know.  */
typedef struct dropping
{
  const uses *found;
  bool changed;
} dropping;

/* SYM is a cell whose stores nobody sees.  */
static bool
is_dead_cell (const tns_sym *sym, const uses *found)
{
  return sym->rank == 0 && tns_sym_is_dead_after (sym)
         && !found->loaded[sym->id];
}

/* Stores to dead cells and their declarations go, and what is empty
   then.  */
static tns_node *
drop_node (tns_node *node, void *self)
{
  dropping *d = (dropping *) self;
  bool is_dead
    = (node->kind == TNS_ASSIGN && is_dead_cell (node->target->sym, d->found))
      || (node->kind == TNS_LOCAL && is_dead_cell (node->sym, d->found));
  bool is_empty
    = (node->kind == TNS_LOOP && node->body->n_kids == 0)
      || (node->kind == TNS_IF && !node->otherwise && node->then->n_kids == 0);
  if (!is_dead && !is_empty)
    return node;
  d->changed = true;
  return NULL;
}

/* Drop until nothing is dead.  */
static void
drop_dead_cells (tns_reader *reader)
{
  dropping d = { NULL, true };
  while (d.changed)
    {
      uses found = uses_of (reader);
      d.found = &found;
      d.changed = false;
      reader->region->body = tns_node_rebuild (
        reader->arena, reader->region->body, drop_node, NULL, &d);
    }
}

/* Statements are numbered as they stand.  */
static bool
number_node (tns_node *node, void *self)
{
  tns_reader *reader = (tns_reader *) self;
  if (node->kind == TNS_ASSIGN)
    node->name
      = tns_arena_format (reader->arena, "S%d", ++reader->n_statements);
  return true;
}

/* The iterations of loops that independent names are apart.  */
static void
set_flags_of_loops (tns_reader *reader)
{
  const tns_wish_list *list = &reader->ctx->wish.independent;
  for (int s = 0; s < reader->region->n_syms; s++)
    for (int k = 0; k < list->n; k++)
      {
        tns_sym *sym = reader->region->syms[s];
        if (sym->kind == TNS_SYM_ITER
            && !strcmp (sym->spelled, list->names[k].name))
          sym->flags |= TNS_SYM_APART;
      }
}

/* What is known of the arrays, and of the loops.  */
static void
set_flags (tns_reader *reader)
{
  for (tns_base *base = reader->bases; base; base = base->next)
    {
      tns_sym *sym = base->sym;
      if (!sym)
        continue;
      const tns_base *whole = base;
      while (whole->outer)
        whole = whole->outer;
      if (whole->is_object)
        sym->flags |= TNS_SYM_OBJECT;
      else if (TYPE_RESTRICT (TREE_TYPE (whole->root)))
        sym->flags |= TNS_SYM_RESTRICT;
      if (!base->is_written && !base->is_local)
        sym->flags |= TNS_SYM_CONST;
      if (sym->rank == 1 && !base->outer && !base->is_far && !base->is_flat)
        sym->flags |= TNS_SYM_INT;
      if (base->is_written)
        sym->n_held = 0;
      bool is_dead = whole->is_object && !base->is_local && DECL_P (whole->root)
                     && tns_is_dead_after (reader, whole->root);
      if (is_dead || tns_base_is_named (base, &reader->ctx->wish.temp))
        sym->flags |= TNS_SYM_TEMP;
      if (tns_base_is_named (base, &reader->ctx->wish.independent))
        sym->flags |= TNS_SYM_APART;
    }
  set_flags_of_loops (reader);
}

/* The names of a list of expressions.  */
static void
note_list (uses *u, tns_expr *const *list, int n)
{
  u->storing = NULL;
  for (int k = 0; k < n; k++)
    if (list[k])
      tns_expr_walk (list[k], note_expr, u);
}

/* Which symbols the whole region names.  */
static uses
all_uses (tns_reader *reader)
{
  const tns_region *region = reader->region;
  uses u = uses_of (reader);
  if (region->before)
    tns_node_walk (region->before, note_node, &u);
  note_list (&u, region->guard, region->n_guard);
  note_list (&u, region->assume, region->n_assume);
  note_list (&u, region->still, region->n_still);
  for (int k = 0; k < region->n_syms; k++)
    {
      const tns_sym *sym = region->syms[k];
      for (int a = 0; u.named[k] && sym->partial && a < sym->rank; a++)
        if (sym->partial[a])
          u.named[sym->partial[a]->id] = true;
      if (u.named[k] && sym->back)
        u.named[sym->back->id] = true;
      if (u.named[k] && sym->ahead)
        u.named[sym->ahead->id] = true;
      if (!u.named[k] || sym->kind != TNS_SYM_ARRAY)
        continue;
      note_list (&u, sym->extent, sym->rank);
      if (sym->stride)
        note_list (&u, sym->stride, sym->rank);
    }
  return u;
}

/* The base of SYM, NULL for symbols that are no arrays.  */
static const tns_base *
base_of (const tns_reader *reader, const tns_sym *sym)
{
  for (const tns_base *base = reader->bases; base; base = base->next)
    if (base->sym == sym)
      return base;
  return NULL;
}

/* The tree of SYM, an array or an iterator.  */
static tree
tree_of_sym (const tns_reader *reader, const tns_sym *sym)
{
  if (sym->kind == TNS_SYM_ITER || sym->kind == TNS_SYM_FUNCTION)
    return reader->load[sym->id];
  const tns_base *base = base_of (reader, sym);
  if (!base)
    return NULL_TREE;
  if (!base->is_local)
    return tns_base_address (base);
  return base->root && DECL_CONTEXT (base->root) == reader->fndecl ? base->root
                                                                   : NULL_TREE;
}

/* SPELLED with what joins its parts as one underscore: t->w is t_w.  */
static const char *
plain_name (tns_arena *arena, const char *spelled)
{
  char *name = tns_arena_string (arena, spelled);
  char *to = name;
  for (const char *c = spelled; *c; c++)
    if (ISALNUM (*c) || *c == '_')
      *to++ = *c;
    else if (to > name && to[-1] != '_' && ISALNUM (c[1]))
      *to++ = '_';
  *to = '\0';
  return name;
}

/* Move the symbols that U names from the region to MADE, with new numbers
   and names; VALUEs come first among the parameters.  */
static void
move_syms (tns_reader *reader, tns_region *made, const uses *u)
{
  const tns_region *region = reader->region;
  tns_arena *arena = reader->arena;
  for (int k = 0; k < region->n_syms; k++)
    {
      tns_sym *sym = region->syms[k];
      if (!u->named[k])
        continue;
      tree of = sym->kind == TNS_SYM_VALUE ? tns_value_tree (reader, sym)
                                           : tree_of_sym (reader, sym);
      const tns_sym *numbered = tns_region_add_value (
        arena, made, plain_name (arena, sym->spelled), sym->type.elem);
      sym->id = numbered->id;
      sym->name = numbered->name;
      made->syms[sym->id] = sym;
      tns_symbols_set (arena, reader->symbols, sym, of);
      if (sym->kind == TNS_SYM_VALUE)
        tns_region_add_param (arena, made, sym);
    }
  for (int k = 0; k < made->n_syms; k++)
    if (made->syms[k]->kind == TNS_SYM_ARRAY
        && !tns_sym_is_local (made->syms[k]))
      tns_region_add_param (arena, made, made->syms[k]);
}

/* What of the region mentions no dropped symbol.  */
static void
move_lists (tns_reader *reader, tns_region *made, const uses *u)
{
  const tns_region *region = reader->region;
  tns_arena *arena = reader->arena;
  for (int k = 0; k < region->n_overlaps; k++)
    {
      const tns_overlap *pair = &region->overlaps[k];
      if (u->named[pair->a->id] && u->named[pair->b->id])
        tns_region_add_overlap (arena, made, pair->a, pair->b);
    }
  for (int k = 0; k < region->n_still; k++)
    tns_region_add_still (arena, made, region->still[k]);
  for (int k = 0; k < region->n_assume; k++)
    tns_region_add_assume (arena, made, region->assume[k]);
  for (int k = 0; k < region->n_guard; k++)
    tns_region_add_guard (arena, made, region->guard[k]);
}

tns_region *
tns_finish (tns_reader *reader)
{
  tns_region *region = reader->region;
  tns_flatten_bases (reader);
  set_flags (reader);
  if (!tns_region_rule_out (reader->ctx, region))
    return NULL;
  drop_dead_cells (reader);
  if (!tns_finish_rows (reader, all_uses (reader).named)
      || !tns_read_stills (reader, all_uses (reader).named))
    return NULL;
  tns_read_overlaps (reader);
  set_flags (reader);
  if (!tns_set_rows (reader))
    return NULL;
  tns_node_walk (region->body, number_node, reader);
  tns_region *made = tns_region_new (reader->arena, region->name);
  made->file = region->file;
  made->function = region->function;
  made->line = region->line;
  made->loc = region->loc;
  made->before = region->before;
  made->body = region->body;
  uses u = all_uses (reader);
  move_lists (reader, made, &u);
  move_syms (reader, made, &u);
  return made;
}
