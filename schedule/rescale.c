/* Scalings of temporaries, as schedule/rescale.h says.

     S1: p[i][j] = p[i][j] / f       { S1[i,j] -> p[i,j] }
     S2: o[i][e] += p[i][j] * v      { S2[i,e,j] -> p[i,j] }

   S1 goes, and S2 reads p / f, when

     nobody sees p after the region; each instance of S1 scales its own element,
     whose subscripts are its iterators
     each other access of an element that S1 scales is executed before that, or
     is the read of such an S2, as a factor, and executed after it; all
     instances of S2 read what S1 has scaled
     f is the same at S2, its iterators in S2's terms: it reads what is not
     written once S1 has run, or is kept in a cell for each iteration of the
     loops around S1 that it depends on
     f then leaves all these sums: it would cost more in them

   f is kept in the innermost of those loops, right before the loop that holds
   S1 and does not change f.  Their bounds must be numbers of the region's, for
   they are the cells' extents.  */

#include "schedule/rescale.h"

#include <string.h>

#include "base/section.h"
#include "ir/factor.h"
#include "ir/walk.h"
#include "schedule/forward.h"
#include "schedule/tree.h"

enum
{
  MOST_READERS = 4,
  MOST_ROUNDS = 4
};

/* A statement that reads what was scaled, through READ.  */
typedef struct reader
{
  int stmt;
  const tns_access *read;
} reader;

/* from     the statement that scales
   array    what
   store    how it names an element of it
   value    what it becomes
   by       the factor, a divisor when BELOW; NULL where there are several
   n, reader  the sums that read the result
   cells    what keeps the factor, its first DEPTH iterators the subscripts;
            NULL: nothing has to  */
typedef struct scaling
{
  tns_ctx *ctx;
  tns_arena *arena;
  const tns_scop *scop;
  tns_region *region;
  int from;
  int array;
  const tns_access *store;
  tns_expr *value;
  tns_expr *by;
  bool below;
  int n;
  reader reader[MOST_READERS];
  tns_sym *cells;
  int depth;
} scaling;

/* How often VALUE has a read of SYM as a factor that does not divide.  */
static int
factors_of (const tns_expr *value, const tns_sym *sym)
{
  if (value->op == TNS_LOAD)
    return value->sym == sym;
  int n = 0;
  if (value->op == TNS_MUL || value->op == TNS_NEG || value->op == TNS_DIV)
    n = factors_of (value->arg[0], sym);
  if (value->op == TNS_MUL)
    n += factors_of (value->arg[1], sym);
  return n;
}

/* How often an expression reads a symbol.  */
typedef struct counting
{
  const tns_sym *sym;
  int n;
} counting;

/* The visitor that counts.  */
static bool
count_read (tns_expr *expr, void *self)
{
  counting *c = self;
  c->n += expr->sym == c->sym;
  return true;
}

/* VALUE reads SYM once, as a factor.  */
static bool
has_factor (tns_expr *value, const tns_sym *sym)
{
  counting c = { sym, 0 };
  tns_expr_walk (value, count_read, &c);
  return c.n == 1 && factors_of (value, sym) == 1;
}

/* What NODE makes of an element of a temporary when it scales it in place;
   NULL when it does not.  */
static tns_expr *
scaled_value (tns_arena *arena, const tns_node *node)
{
  if (node->kind != TNS_ASSIGN || node->mask || node->target->type.lanes > 1
      || !tns_elem_is_float (node->target->type.elem)
      || !tns_sym_is_dead_after (node->target->sym)
      || node->target->sym->rank == 0)
    return NULL;
  tns_expr *value = node->value;
  if (node->update == TNS_MUL)
    return tns_expr_mentions (value, node->target->sym)
             ? NULL
             : tns_binary (arena, TNS_MUL, node->target, value);
  return node->update == TNS_NONE && value->op != TNS_LOAD
             && has_factor (value, node->target->sym)
           ? value
           : NULL;
}

/* The factor of VALUE, TARGET times or, where *BELOW, over it; NULL for other
   products.  */
static tns_expr *
factor_of (const tns_expr *value, const tns_expr *target, bool *below)
{
  *below = value->op == TNS_DIV;
  if (value->op == TNS_NEG)
    return NULL;
  if (tns_expr_equal (value->arg[0], target))
    return value->arg[1];
  return !*below && tns_expr_equal (value->arg[1], target) ? value->arg[0]
                                                           : NULL;
}

/* Whether some statement scales a temporary.  */
typedef struct search
{
  tns_arena *arena;
  bool found;
} search;

/* The visitor that finds one.  */
static bool
note_scaling (tns_node *node, void *self)
{
  search *s = self;
  s->found = s->found || scaled_value (s->arena, node);
  return !s->found;
}

/* The number of S's iterator of the loop around the scaling that is its K-th
   subscript; -1 for no iterator.  */
static int
place_of (const scaling *s, int k)
{
  const tns_stmt *from = &s->scop->stmt[s->from];
  const tns_expr *at = s->store->expr->arg[k];
  for (int i = 0; i < from->n_iters; i++)
    if (at->op == TNS_SYM && at->sym == from->iter[i])
      return i;
  return -1;
}

/* Each instance of S scales an element of its own.  */
static bool
is_named (const scaling *s)
{
  int n = s->scop->array[s->array].n_private;
  unsigned seen = (1U << n) - 1;
  for (int k = 0; k < s->store->expr->n_args; k++)
    {
      int at = place_of (s, k);
      if (at < n || seen >> at & 1)
        return false;
      seen |= 1U << at;
    }
  return seen == (1U << s->scop->stmt[s->from].n_iters) - 1;
}

/* ACCESS of a statement as { X[i] -> S1[j] }: who scales what it touches.  */
static __isl_give isl_map *
scaled_by (const scaling *s, const tns_stmt *stmt, const tns_access *access)
{
  const tns_stmt *from = &s->scop->stmt[s->from];
  isl_map *map = isl_map_apply_range (
    isl_map_copy (access->map), isl_map_reverse (isl_map_copy (s->store->map)));
  map = isl_map_intersect_domain (map, isl_set_copy (stmt->domain));
  map = isl_map_intersect_range (map, isl_set_copy (from->domain));
  return isl_map_intersect_params (map, isl_set_copy (s->scop->context));
}

/* All of MAP, { X[i] -> S1[j] }, taken, has X before S1.  */
static bool
is_before (const scaling *s, const tns_stmt *stmt, __isl_take isl_map *map)
{
  map = isl_map_reverse (map);
  bool before = tns_instances_follow (&s->scop->stmt[s->from], stmt, map);
  isl_map_free (map);
  return before;
}

/* STMT reads through ACCESS, as a factor of a sum, what S has scaled.  */
static bool
is_reader (const scaling *s, const tns_stmt *stmt, const tns_access *access,
           __isl_keep isl_map *map)
{
  const tns_node *node = stmt->node;
  if (node->kind != TNS_ASSIGN || node->update != TNS_ADD || access->write
      || access->may || !has_factor (node->value, access->expr->sym)
      || stmt->n_iters == 0
      || tns_expr_mentions (node->target, stmt->iter[stmt->n_iters - 1]))
    return false;
  for (int k = 0; k < s->scop->array[s->array].n_private; k++)
    if (stmt->loop[k] != s->scop->stmt[s->from].loop[k])
      return false;
  isl_set *domain = isl_set_copy (stmt->domain);
  domain = isl_set_intersect_params (domain, isl_set_copy (s->scop->context));
  isl_set *served = isl_map_domain (isl_map_copy (map));
  bool fine = isl_set_is_subset (domain, served) == isl_bool_true
              && isl_map_is_single_valued (map) == isl_bool_true
              && tns_instances_follow (stmt, &s->scop->stmt[s->from], map);
  isl_set_free (domain);
  isl_set_free (served);
  return fine;
}

/* Take ACCESS of statement T into account; false where S must stay for it.  */
static bool
add_access (scaling *s, int t, const tns_access *access)
{
  const tns_stmt *stmt = &s->scop->stmt[t];
  isl_map *map = scaled_by (s, stmt, access);
  bool apart = isl_map_is_empty (map) == isl_bool_true;
  bool reads = !apart && is_reader (s, stmt, access, map);
  if (reads && s->n < MOST_READERS)
    s->reader[s->n++] = (reader){ t, access };
  else if (!apart && !is_before (s, stmt, isl_map_copy (map)))
    s->n = MOST_READERS + 1;
  isl_map_free (map);
  return s->n <= MOST_READERS;
}

/* Find the sums that read what S scales; false when others do, too.  */
static bool
find_readers (scaling *s)
{
  const tns_scop *scop = s->scop;
  for (int t = 0; t < scop->n_stmts; t++)
    for (int a = 0; a < scop->stmt[t].n_accesses; a++)
      if (t != s->from && scop->stmt[t].access[a].array == s->array
          && !add_access (s, t, &scop->stmt[t].access[a]))
        return false;
  return s->n > 0;
}

/* Where a symbol is declared.  */
typedef struct home
{
  const tns_sym *sym;
  tns_node *block;
} home;

/* The visitor that finds it.  */
static bool
note_home (tns_node *node, void *self)
{
  home *h = self;
  for (int k = 0; node->kind == TNS_BLOCK && k < node->n_kids; k++)
    if (node->kid[k]->kind == TNS_LOCAL && node->kid[k]->sym == h->sym)
      h->block = node;
  return !h->block;
}

/* Whether a node stands below another.  */
typedef struct looking
{
  const char *name;
  bool found;
} looking;

/* The visitor that finds the statement.  */
static bool
note_stmt (tns_node *node, void *self)
{
  looking *l = self;
  l->found
    |= node->kind == TNS_ASSIGN && node->name && !strcmp (node->name, l->name);
  return !l->found;
}

/* Statement T stands in BLOCK.  */
static bool
stands_in (const scaling *s, int t, tns_node *block)
{
  looking l = { s->scop->stmt[t].name, false };
  tns_node_walk (block, note_stmt, &l);
  return l.found;
}

/* What ACCESS of S's statement reads is there at all readers, and the same: all
   that writes it is executed before, and the copies are those of the same
   iterations.  */
static bool
is_kept (const scaling *s, const tns_access *access)
{
  const tns_scop *scop = s->scop;
  const tns_array *array = &scop->array[access->array];
  home h = { array->sym, NULL };
  tns_node_walk (scop->region->body, note_home, &h);
  for (int k = 0; k < s->n; k++)
    {
      const tns_stmt *stmt = &scop->stmt[s->reader[k].stmt];
      if (h.block && !stands_in (s, s->reader[k].stmt, h.block))
        return false;
      for (int i = 0; i < array->n_private; i++)
        if (stmt->loop[i] != scop->stmt[s->from].loop[i])
          return false;
    }
  for (int t = 0; t < scop->n_stmts; t++)
    for (int a = 0; a < scop->stmt[t].n_accesses; a++)
      {
        const tns_access *other = &scop->stmt[t].access[a];
        if (!other->write || other->array != access->array)
          continue;
        isl_map *map
          = isl_map_apply_range (isl_map_copy (other->map),
                                 isl_map_reverse (isl_map_copy (access->map)));
        map
          = isl_map_intersect_domain (map, isl_set_copy (scop->stmt[t].domain));
        if (!is_before (s, &scop->stmt[t], map))
          return false;
      }
  return true;
}

/* The visitor: note what is no cell.  */
static bool
note_element (tns_expr *expr, void *self)
{
  bool *some = self;
  *some |= tns_expr_reads (expr) && expr->sym->rank > 0;
  return !*some;
}

/* The visitor: note iterators, and what is read in memory.  */
static bool
note_moving (tns_expr *expr, void *self)
{
  bool *some = self;
  *some |= tns_expr_reads (expr)
           || (expr->op == TNS_SYM && expr->sym->kind == TNS_SYM_ITER);
  return !*some;
}

/* The node to look for, and whether it writes what an expression reads.  */
typedef struct writing
{
  tns_node *node;
  bool found;
} writing;

/* The visitor of the expression.  */
static bool
note_written (tns_expr *expr, void *self)
{
  writing *w = self;
  w->found |= tns_expr_reads (expr) && tns_node_writes (w->node, expr->sym);
  return !w->found;
}

/* S's factor is the same in all iterations of its statement's loops from DEPTH
   on.  */
static bool
is_fixed_from (const scaling *s, int depth)
{
  const tns_stmt *from = &s->scop->stmt[s->from];
  writing w = { from->loop[depth], false };
  tns_expr_walk (s->by, note_written, &w);
  for (int k = depth; k < from->n_iters; k++)
    w.found |= tns_expr_mentions (s->by, from->iter[k]);
  return !w.found;
}

/* LOOP begins at 0 and ends at a number of the region's.  */
static bool
is_plain (const tns_node *loop)
{
  long long lo;
  bool moves = false;
  tns_expr_walk (loop->hi, note_moving, &moves);
  return !moves && loop->step == 1 && tns_expr_is_int (loop->lo, &lo)
         && lo == 0;
}

/* Make S's cells; false where that cannot be.  */
static bool
keep_factor (scaling *s)
{
  const tns_stmt *from = &s->scop->stmt[s->from];
  bool elements = !s->by;
  tns_expr_walk (s->by, note_element, &elements);
  while (!elements && s->depth < from->n_iters && !is_fixed_from (s, s->depth))
    s->depth++;
  if (elements || s->depth == from->n_iters)
    return false;
  for (int k = 0; k < s->depth; k++)
    if (!is_plain (from->loop[k]))
      return false;
  s->cells
    = tns_region_add_array (s->arena, s->region, "factor", s->by->type.elem,
                            s->depth, TNS_SYM_LOCAL | TNS_SYM_OBJECT);
  for (int k = 0; k < s->depth; k++)
    s->cells->extent[k] = tns_binary (s->arena, TNS_MAX, from->loop[k]->hi,
                                      tns_int (s->arena, 1));
  return true;
}

/* The iterators of S's statement in terms of READ, or as they are where that is
   NULL, in BY.  */
static void
iterators_at (const scaling *s, const tns_access *read, tns_expr **by)
{
  const tns_stmt *from = &s->scop->stmt[s->from];
  for (int i = 0; i < from->n_iters; i++)
    by[i] = tns_value (s->arena, from->iter[i]);
  for (int k = 0; read && k < read->expr->n_args; k++)
    by[place_of (s, k)] = read->expr->arg[k];
}

/* What S makes of what READ reads.  */
static tns_expr *
value_at (const scaling *s, const tns_access *read)
{
  const tns_stmt *from = &s->scop->stmt[s->from];
  tns_expr *by[TNS_MOST_RANK + TNS_MAX_DEPTH];
  iterators_at (s, read, by);
  if (!s->cells)
    return tns_expr_substitute (s->arena, s->value, from->n_iters, from->iter,
                                by);
  return tns_binary (s->arena, s->below ? TNS_DIV : TNS_MUL, read->expr,
                     tns_load (s->arena, s->cells, by));
}

/* The changer of expressions: the read is scaled.  */
typedef struct exchange
{
  const scaling *s;
  const tns_access *read;
} exchange;

/* EXPR, or what was scaled with its factor.  */
static tns_expr *
scale_read (tns_expr *expr, void *self)
{
  const exchange *x = self;
  if (expr->op != TNS_LOAD || expr->sym != x->read->expr->sym)
    return expr;
  tns_expr *value = value_at (x->s, x->read);
  return tns_ctx_breaks (x->s->ctx, "rescale")
           ? tns_unary (x->s->arena, TNS_NEG, value)
           : value;
}

/* NODE, a statement, where it reads what S has scaled.  */
static tns_node *
change_stmt (const scaling *s, tns_node *node)
{
  for (int k = 0; k < s->n; k++)
    if (node->name
        && !strcmp (node->name, s->scop->stmt[s->reader[k].stmt].name))
      {
        exchange x = { s, s->reader[k].read };
        tns_node *made = tns_node_copy (s->arena, node);
        made->value = tns_expr_rebuild (s->arena, node->value, scale_read, &x);
        return made;
      }
  return node;
}

/* What keeps S's factor before its loops.  */
static tns_node *
keeping (const scaling *s)
{
  const tns_stmt *from = &s->scop->stmt[s->from];
  tns_expr *by[TNS_MOST_RANK + TNS_MAX_DEPTH];
  iterators_at (s, NULL, by);
  tns_node *made
    = tns_assign (s->arena, from->node->loc, tns_load (s->arena, s->cells, by),
                  TNS_NONE, s->by);
  made->name = tns_arena_format (s->arena, "%s_f", from->name);
  return made;
}

/* NODE with S done; NULL where it is S's own statement.  */
static tns_node *
apply (const scaling *s, tns_node *node)
{
  const tns_stmt *from = &s->scop->stmt[s->from];
  if (!node || node->kind == TNS_LOCAL)
    return node;
  if (node->kind == TNS_ASSIGN)
    return node->name && !strcmp (node->name, from->name)
             ? NULL
             : change_stmt (s, node);
  tns_node *made = tns_node_copy (s->arena, node);
  made->n_kids = 0;
  made->kid = NULL;
  for (int k = 0; node->kind == TNS_BLOCK && k < node->n_kids; k++)
    {
      if (s->cells && node->kid[k] == from->loop[s->depth])
        tns_block_add (s->arena, made, keeping (s));
      tns_node *kid = apply (s, node->kid[k]);
      if (kid)
        tns_block_add (s->arena, made, kid);
    }
  made->body = apply (s, node->body);
  made->then = apply (s, node->then);
  made->otherwise = apply (s, node->otherwise);
  return made;
}

/* S's region with it done.  */
static tns_region *
scaled (const scaling *s)
{
  tns_node *body = apply (s, s->scop->region->body);
  if (s->cells)
    {
      tns_node *all = tns_block (s->arena, body->loc);
      tns_block_add (s->arena, all, tns_local (s->arena, body->loc, s->cells));
      for (int k = 0; k < body->n_kids; k++)
        tns_block_add (s->arena, all, body->kid[k]);
      body = all;
    }
  s->region->body = body;
  return s->region;
}

/* A user's plan has the line of S; without one all sums that read what it
   scales lose the factor in MADE, so that it pays.  */
static bool
is_wanted (const scaling *s, tns_region *made, const char *line)
{
  const char *name = made->name;
  if (tns_plan_is_given (s->ctx, name))
    return tns_plan_has_line (s->ctx, name, line);
  tns_text steps = tns_text_new (s->arena);
  tns_region_factor (s->ctx, made, &steps);
  for (int k = 0; k < s->n; k++)
    if (!tns_plan_step_is (
          tns_text_chars (&steps),
          tns_arena_format (s->arena, "factor %s",
                            s->scop->stmt[s->reader[k].stmt].name)))
      return false;
  return true;
}

/* Whether S's factor needs no cells.  */
static bool
is_kept_itself (const scaling *s)
{
  const tns_stmt *from = &s->scop->stmt[s->from];
  for (int a = 0; a < from->n_accesses; a++)
    if (from->access[a].array != s->array && !is_kept (s, &from->access[a]))
      return false;
  return true;
}

/* SCOP's region with the scaling at statement K done; NULL where it stays.  */
static tns_region *
rescale_at (tns_ctx *ctx, const tns_scop *scop, int k, tns_text *steps)
{
  const tns_stmt *from = &scop->stmt[k];
  scaling s = { .ctx = ctx, .arena = ctx->arena, .scop = scop, .from = k };
  s.value = scaled_value (ctx->arena, from->node);
  if (!s.value)
    return NULL;
  s.by = factor_of (s.value, from->node->target, &s.below);
  for (int a = 0; a < from->n_accesses; a++)
    if (from->access[a].write)
      s.store = &from->access[a];
  if (!s.store || s.store->may)
    return NULL;
  s.array = s.store->array;
  if (!scop->array[s.array].dead_after || !is_named (&s) || !find_readers (&s))
    return NULL;
  s.region = tns_region_copy (ctx->arena, scop->region);
  if (!is_kept_itself (&s) && !keep_factor (&s))
    return NULL;
  tns_region *made = scaled (&s);
  const char *line = tns_arena_format (ctx->arena, "factor %s", from->name);
  if (!is_wanted (&s, made, line))
    return NULL;
  tns_text_format (steps, "%s\n", line);
  return made;
}

/* REGION with the first scaling that can be done; REGION itself where there is
   none, NULL with the reason said.  */
static tns_region *
rescale_once (tns_ctx *ctx, tns_region *region, tns_text *steps)
{
  tns_scop *scop = tns_scop_build (ctx, region);
  tns_region *made = NULL;
  if (!scop)
    return NULL;
  tns_isl_begin (ctx, scop->isl);
  for (int k = 0; k < scop->n_stmts && !made; k++)
    made = rescale_at (ctx, scop, k, steps);
  tns_scop_free (scop);
  return made ? made : region;
}

tns_region *
tns_region_rescale (tns_ctx *ctx, tns_region *region, tns_text *steps)
{
  search s = { ctx->arena, false };
  if (!region || ctx->wish.fp == TNS_FP_STRICT)
    return region;
  tns_node_walk (region->body, note_scaling, &s);
  bool some = s.found;
  for (int k = 0; some && k < MOST_ROUNDS && region; k++)
    {
      tns_region *made = rescale_once (ctx, region, steps);
      some = made != region;
      region = made;
    }
  return region;
}
