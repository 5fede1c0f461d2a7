/* Forwarding: the value of a temporary takes the place of its only reads.

     S1: t[i][j][k] = a[i][k] - b[j][k]         { S1[i,j,k] -> t[i,j,k] }
     S2: d[i][j] += t[i][j][k] * t[i][j][k]     { S2[i,j,k] -> t[i,j,k] }

   Every instance of S2 reads what one instance of S1, executed before, has
   stored: the relation { S2[i,j,k] -> S1[i,j,k] }, S2's read followed by S1's
   store backwards, has all of S2's domain and single values.  Then S1's value
   with its iterators in S2's terms stands for the read, and S1 goes.

   A temporary is forwarded when

     nobody sees it after the region, one plain assignment writes it, one
     statement reads it, and no instance of that reads what another reads
     its value is a few sums and products of what the region does not write;
     where it is one element, MOST_READERS statements may read it, and as
     often as they like
     each statement is an update of a sum with iterators that do not move its
     target, or itself the assignment to a temporary that is forwarded

   so that work moves but does not grow.  Chains are forwarded from the first
   on; values that would get longer than MOST_NODES stay.  */

#include "schedule/forward.h"

#include <string.h>

#include "base/section.h"
#include "ir/walk.h"
#include "schedule/machine.h"
#include "schedule/tree.h"

enum
{
  MOST_NODES = 40,
  MOST_READERS = 4
};

/* A temporary that is written by statement FROM and read by the statements
   TO[0..n_to).  */
typedef struct link
{
  int array;
  int from;
  int n_to;
  int to[MOST_READERS];
  const tns_access *store;
} link;

/* value[s]  of statement s, when its node is an assignment, reads through
             what was forwarded already
   target[s]  its target, whose subscripts do
   gone[s]   its statement is dropped  */
typedef struct forwarder
{
  tns_ctx *ctx;
  const tns_scop *scop;
  tns_expr **value;
  tns_expr **target;
  bool *gone;
  int n;
  link *link;
} forwarder;

/* Some update reads, in its value, an array that is dead after the region;
   otherwise nothing can be forwarded.  */
static bool
note_candidate (tns_node *node, void *self)
{
  bool *some = self;
  if (node->kind != TNS_ASSIGN || node->update != TNS_ADD || *some)
    return !*some;
  tns_expr *value = node->value;
  for (;
       value->op == TNS_MUL || value->op == TNS_FMA || value->op == TNS_CAST
       || value->op == TNS_NEG || value->op == TNS_ADD || value->op == TNS_SUB;
       value = value->arg[0])
    if (value->n_args > 1 && value->arg[1]->op == TNS_LOAD
        && tns_sym_is_dead_after (value->arg[1]->sym))
      *some = true;
  if (value->op == TNS_LOAD && tns_sym_is_dead_after (value->sym))
    *some = true;
  return !*some;
}

/* SYM is written in SCOP.  */
static bool
is_written (const tns_scop *scop, const tns_sym *sym)
{
  for (int k = 0; k < scop->n_arrays; k++)
    if (scop->array[k].sym == sym && scop->array[k].written)
      return true;
  return false;
}

/* How long a value is, and whether it may be computed elsewhere; on a device
   also with shifts, and bits as another type, as elements of 16 bits that stand
   for floats are.  */
typedef struct measure
{
  const tns_scop *scop;
  bool device;
  int n;
  bool fits;
} measure;

/* The visitor of values.  */
static bool
measure_expr (tns_expr *expr, void *self)
{
  measure *m = self;
  switch (expr->op)
    {
    case TNS_INT:
    case TNS_REAL:
    case TNS_SYM:
    case TNS_ADD:
    case TNS_SUB:
    case TNS_MUL:
    case TNS_FMA:
    case TNS_FUSED:
    case TNS_NEG:
    case TNS_ABS:
    case TNS_CAST:
      break;
    case TNS_SHL:
    case TNS_BITS:
      m->fits = m->fits && m->device;
      break;
    case TNS_LOAD:
      m->fits = m->fits && !is_written (m->scop, expr->sym);
      break;
    default:
      m->fits = false;
    }
  m->fits = m->fits && ++m->n <= MOST_NODES;
  return m->fits;
}

/* VALUE may be computed where it is read.  */
static bool
is_movable (const forwarder *f, tns_expr *value)
{
  measure m = { f->scop, f->ctx->machine && f->ctx->machine->device, 0, true };
  tns_expr_walk (value, measure_expr, &m);
  return m.fits;
}

/* NODE is TARGET = VALUE.  */
static bool
is_plain (const tns_node *node)
{
  return node->kind == TNS_ASSIGN && node->update == TNS_NONE && !node->mask;
}

/* Statement S reads the link's array.  */
static bool
reads (const link *l, int s)
{
  for (int k = 0; k < l->n_to; k++)
    if (l->to[k] == s)
      return true;
  return false;
}

/* STMT, number S, writes the link's array; false when it is not the only one
   or does so otherwise than by a plain assignment.  */
static bool
add_writer (link *l, const tns_stmt *stmt, int s)
{
  bool is_other = l->from >= 0 && l->from != s;
  l->from = s;
  return !is_other && is_plain (stmt->node);
}

/* Statement S reads the link's array; false when there are too many.  */
static bool
add_reader (link *l, int s)
{
  if (reads (l, s))
    return true;
  if (l->n_to == MOST_READERS)
    return false;
  l->to[l->n_to++] = s;
  return true;
}

/* Take what STMT, number S, does with the link's array into account; false
   when it cannot be forwarded for that.  */
static bool
link_stmt (link *l, const tns_stmt *stmt, int s)
{
  for (int a = 0; a < stmt->n_accesses; a++)
    {
      const tns_access *access = &stmt->access[a];
      if (access->array != l->array)
        continue;
      if (access->may || stmt->node->kind != TNS_ASSIGN)
        return false;
      if (access->write ? !add_writer (l, stmt, s) : !add_reader (l, s))
        return false;
      if (access->write)
        l->store = access;
    }
  return l->from < 0 || !reads (l, l->from);
}

/* ACCESS, of statement TO, as { TO[i] -> FROM[j] }.  */
static __isl_give isl_map *
source_of (const link *l, const tns_access *access)
{
  isl_map *back = isl_map_reverse (isl_map_copy (l->store->map));
  return isl_map_apply_range (isl_map_copy (access->map), back);
}

bool
tns_instances_follow (const tns_stmt *to, const tns_stmt *from,
                      __isl_keep isl_map *map)
{
  isl_map *order = isl_map_copy (map);
  order = isl_map_apply_domain (order, isl_map_copy (to->order));
  order = isl_map_apply_range (order, isl_map_copy (from->order));
  isl_map *later = isl_map_lex_gt (isl_space_range (isl_map_get_space (order)));
  isl_bool all = isl_map_is_subset (order, later);
  isl_map_free (order);
  isl_map_free (later);
  return all == isl_bool_true;
}

/* The writer of link L stores one element.  */
static bool
is_copy (const forwarder *f, const link *l)
{
  return f->scop->stmt[l->from].node->value->op == TNS_LOAD;
}

/* Each instance of TO reads through ACCESS what one instance of the writer has
   stored, and no other instance reads that, unless it is one element.  */
static bool
has_source (const forwarder *f, const link *l, const tns_stmt *to,
            const tns_access *access)
{
  const tns_stmt *from = &f->scop->stmt[l->from];
  isl_map *map = source_of (l, access);
  isl_set *domain = isl_set_copy (to->domain);
  domain = isl_set_intersect_params (domain, isl_set_copy (f->scop->context));
  isl_set *served = isl_map_domain (isl_map_copy (map));
  bool fine = isl_set_is_subset (domain, served) == isl_bool_true
              && isl_map_is_single_valued (map) == isl_bool_true
              && (is_copy (f, l) || isl_map_is_injective (map) == isl_bool_true)
              && tns_instances_follow (to, from, map);
  isl_set_free (domain);
  isl_set_free (served);
  isl_map_free (map);
  return fine;
}

/* The iterators of the link's writer are subscripts of its store or tell
   copies of the array apart.  */
static bool
is_named (const forwarder *f, const link *l)
{
  const tns_stmt *from = &f->scop->stmt[l->from];
  const tns_expr *target = l->store->expr;
  for (int k = f->scop->array[l->array].n_private; k < from->n_iters; k++)
    {
      bool found = false;
      for (int a = 0; a < target->n_args; a++)
        found |= target->arg[a]->op == TNS_SYM
                 && target->arg[a]->sym == from->iter[k];
      if (!found)
        return false;
    }
  return true;
}

/* The only statements that write and read ARRAY, into *L; false when it
   cannot be forwarded.  */
static bool
find_link (const forwarder *f, int array, link *l)
{
  const tns_scop *scop = f->scop;
  *l = (link){ .array = array, .from = -1 };
  if (!scop->array[array].dead_after)
    return false;
  for (int s = 0; s < scop->n_stmts; s++)
    if (!link_stmt (l, &scop->stmt[s], s))
      return false;
  if (l->from < 0 || l->n_to == 0 || !is_named (f, l))
    return false;
  for (int k = 0; k < l->n_to; k++)
    {
      const tns_stmt *to = &scop->stmt[l->to[k]];
      for (int a = 0; a < to->n_accesses; a++)
        if (to->access[a].array == array
            && !has_source (f, l, to, &to->access[a]))
          return false;
    }
  return true;
}

/* STMT is an update of a sum whose target its innermost iterator does not
   move; with ANY, that or another one.  */
static bool
is_sum (const tns_stmt *stmt, bool any)
{
  if (stmt->node->kind != TNS_ASSIGN || stmt->node->update != TNS_ADD)
    return false;
  for (int k = any ? 0 : stmt->n_iters - 1; k >= 0 && k < stmt->n_iters; k++)
    if (!tns_expr_mentions (stmt->node->target, stmt->iter[k]))
      return true;
  return false;
}

/* Statement S is a sum, as ANY says, or what it stores serves sums alone,
   through at most LEFT other links.  */
static bool
serves_sum (const forwarder *f, int s, bool any, int left)
{
  if (is_sum (&f->scop->stmt[s], any))
    return true;
  for (int k = 0; k < f->n && left > 0; k++)
    if (f->link[k].from == s)
      {
        bool all = true;
        for (int r = 0; r < f->link[k].n_to; r++)
          all = all && serves_sum (f, f->link[k].to[r], any, left - 1);
        return all;
      }
  return false;
}

/* The value of link L may go to its readers: they are sums, or serve them, and
   where there are several it is one element.  */
static bool
may_follow (const forwarder *f, const link *l)
{
  bool one = is_copy (f, l);
  for (int k = 0; k < l->n_to; k++)
    if (!serves_sum (f, l->to[k], one, f->n))
      return false;
  return (l->n_to == 1 || one) && is_movable (f, f->value[l->from]);
}

/* A read that is replaced.  */
typedef struct exchange
{
  const forwarder *f;
  const link *l;
} exchange;

/* EXPR, or what the writer of its element stored.  */
static tns_expr *
read_through (tns_expr *expr, void *self)
{
  const exchange *x = self;
  const forwarder *f = x->f;
  const tns_stmt *from = &f->scop->stmt[x->l->from];
  const tns_expr *target = x->l->store->expr;
  tns_expr *by[TNS_MAX_DEPTH];
  tns_sym *sym[TNS_MAX_DEPTH];
  int n = 0;
  bool first = tns_ctx_breaks (f->ctx, "forward");
  if (expr->op != TNS_LOAD || expr->sym != target->sym)
    return expr;
  for (int k = 0; k < from->n_iters; k++)
    for (int a = 0; a < target->n_args; a++)
      if (target->arg[a]->op == TNS_SYM && target->arg[a]->sym == from->iter[k]
          && (n == 0 || sym[n - 1] != from->iter[k]))
        {
          sym[n] = from->iter[k];
          by[n++] = expr->arg[first ? 0 : a];
        }
  return tns_expr_substitute (f->ctx->arena, f->value[x->l->from], n, sym, by);
}

/* A user's plan, if there is one, has this step for SYM.  */
static bool
is_in_plan (const forwarder *f, const tns_sym *sym)
{
  const char *name = f->scop->region->name;
  if (!tns_plan_is_given (f->ctx, name))
    return true;
  const char *line = tns_arena_format (f->ctx->arena, "forward %s", sym->name);
  return tns_plan_has_line (f->ctx, name, line);
}

/* Put the value of L's temporary into its readers, where it may be.  */
static void
follow (forwarder *f, const link *l, tns_forwarded *done)
{
  tns_arena *arena = f->ctx->arena;
  tns_sym *sym = f->scop->array[l->array].sym;
  tns_expr *value[MOST_READERS];
  tns_expr *target[MOST_READERS];
  exchange x = { f, l };
  if (!may_follow (f, l) || !is_in_plan (f, sym))
    return;
  for (int k = 0; k < l->n_to; k++)
    {
      measure m
        = { f->scop, f->ctx->machine && f->ctx->machine->device, 0, true };
      value[k] = tns_expr_rebuild (arena, f->value[l->to[k]], read_through, &x);
      target[k]
        = tns_expr_rebuild (arena, f->target[l->to[k]], read_through, &x);
      tns_expr_walk (value[k], measure_expr, &m);
      if (m.n > MOST_NODES)
        return;
    }
  for (int k = 0; k < l->n_to; k++)
    {
      f->value[l->to[k]] = value[k];
      f->target[l->to[k]] = target[k];
    }
  f->gone[l->from] = true;
  done->n_arrays += sym->rank > 0;
  tns_text_format (&done->steps, "forward %s\n", sym->name);
}

/* NODE is what STMT was made of: copies of a loop's body
   share what is the same in them, but for the name.  */
static bool
is_node_of (const tns_node *node, const tns_stmt *stmt)
{
  const char *name = node->name ? node->name : "";
  const char *other = stmt->node->name ? stmt->node->name : "";
  return node->kind == TNS_ASSIGN && stmt->node->kind == TNS_ASSIGN
         && !strcmp (name, other) && node->target == stmt->node->target
         && node->value == stmt->node->value;
}

/* NODE with its statement's new value, or NULL when it is gone.  */
static tns_node *
change_node (tns_node *node, void *self)
{
  const forwarder *f = self;
  for (int s = 0; s < f->scop->n_stmts; s++)
    {
      if (!is_node_of (node, &f->scop->stmt[s]))
        continue;
      if (f->gone[s])
        return NULL;
      tns_node *made = tns_node_copy (f->ctx->arena, node);
      made->value = f->value[s];
      made->target = f->target[s];
      return made;
    }
  return node;
}

/* Forward what can be; the new body, or NULL.  */
static tns_node *
forward (forwarder *f, tns_forwarded *done)
{
  const tns_scop *scop = f->scop;
  tns_arena *arena = f->ctx->arena;
  f->value = TNS_NEW_ARRAY (arena, tns_expr *, scop->n_stmts + 1);
  f->target = TNS_NEW_ARRAY (arena, tns_expr *, scop->n_stmts + 1);
  f->gone = TNS_NEW_ARRAY (arena, bool, scop->n_stmts + 1);
  f->link = TNS_NEW_ARRAY (arena, link, scop->n_arrays + 1);
  for (int s = 0; s < scop->n_stmts; s++)
    {
      f->value[s] = scop->stmt[s].node->value;
      f->target[s] = scop->stmt[s].node->target;
    }
  for (int k = 0; k < scop->n_arrays; k++)
    f->n += find_link (f, k, &f->link[f->n]);
  bool some = false;
  for (int s = 0; s < scop->n_stmts; s++)
    for (int k = 0; k < f->n; k++)
      if (f->link[k].from == s)
        {
          follow (f, &f->link[k], done);
          some |= f->gone[s];
        }
  if (!some)
    return NULL;
  return tns_node_rebuild (arena, scop->region->body, change_node, NULL, f);
}

tns_region *
tns_region_forward (tns_ctx *ctx, tns_region *region, tns_forwarded *done)
{
  bool some = false;
  *done = (tns_forwarded){ 0, tns_text_new (ctx->arena) };
  if (!region || ctx->wish.fuse == TNS_FUSE_NONE)
    return region;
  tns_node_walk (region->body, note_candidate, &some);
  tns_scop *scop = some ? tns_scop_build (ctx, region) : NULL;
  if (!scop)
    return some ? NULL : region;
  forwarder f = { .ctx = ctx, .scop = scop };
  tns_isl_begin (ctx, scop->isl);
  tns_node *body = forward (&f, done);
  bool failed = isl_ctx_last_error (scop->isl) != isl_error_none;
  if (failed)
    tns_isl_refuse (ctx, scop->isl, region->loc, "forward");
  const tns_region *guarded = scop->region;
  tns_scop_free (scop);
  if (failed || !body)
    return failed ? NULL : region;
  tns_region *made = tns_region_copy (ctx->arena, guarded);
  made->body = body;
  return made;
}
