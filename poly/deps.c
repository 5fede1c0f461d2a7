/* Memory dependences, pair of accesses by pair of accesses.

     S[i]: x[i] = ..    T[i,j]: .. x[j] ..      both in loop i

     S[i] -> T[i',j'] : j' = i, and i < i', or i = i' and S stands before T

   1. "The same element" is the access map of S applied and that of T
      reversed.
   2. "Before" is asked loop by loop, for the loops around both: equal in the
      outer ones and earlier in this one; and equal in all, where S stands
      before T in the text.
   3. Pairs of updates with one operator go to class freed where fp allows.

   Where the user says that what index arrays name is apart, or rows are, keys
   are compared in place of elements (poly/scop-key.c, scop-rows.c), and what is
   named by index is carried by no loop of which the user says so.

   Arrays of different names never meet: those that might are guarded
   (poly/guard.h).  Nothing is left out because a write lies in between:
   that is dataflow, asked for where it is needed (scop-privatise.c).  */

#include "poly/deps.h"

#include "poly/facts.h"
#include "poly/scop-build.h"

/* The dependences under construction; facts: room for those of some pairs;
   scattered: by dependence, its map has pieces to coalesce.  */
typedef struct finder
{
  tns_ctx *ctx;
  const tns_scop *scop;
  tns_deps *deps;
  tns_facts *facts;
  bool *scattered;
  bool failed;
} finder;

/* Iterator K of STMT in the direction in which its loop runs.  */
static tns_moment
iterator (finder *f, const tns_stmt *stmt, int k)
{
  tns_moment m = { .known = true, .n = stmt->n_iters, .divisor = 1 };
  m.coef = TNS_NEW_ARRAY (f->ctx->arena, long, m.n);
  m.coef[k] = stmt->loop[k]->step > 0 ? 1 : -1;
  return m;
}

/* Read PAIRS, when they are convex, into F's facts.  */
static bool
read_facts (finder *f, __isl_keep isl_map *pairs)
{
  if (isl_map_n_basic_map (pairs) != 1)
    return false;
  isl_basic_map_list *list = isl_map_get_basic_map_list (pairs);
  isl_basic_map *only = isl_basic_map_list_get_at (list, 0);
  bool fits = tns_facts_read (f->facts, only);
  isl_basic_map_free (only);
  isl_basic_map_list_free (list);
  return fits;
}

/* How many iterations of their loop K the targets of pairs of SOURCE and
   TARGET come behind their sources, as far as F's facts say so.  */
static tns_reach
reach_of_loop (finder *f, const tns_stmt *source, const tns_stmt *target, int k)
{
  tns_moment from = iterator (f, source, k);
  tns_moment to = iterator (f, target, k);
  tns_reach reach = tns_facts_reach (f->facts, &from, &to);
  tns_facts_equate (f->facts, &from, &to);
  return reach;
}

/* How PAIRS lie in the N loops around both of their ends.

   open     the pairs do not say how many iterations of the loop they are apart
   n        the loops that are asked: outside of the first in which all targets
            come later (ends 1) or sooner (ends -1) than their sources
   convex   they are one piece  */
typedef struct layout
{
  bool *open;
  int n;
  int ends;
  bool convex;
} layout;

/* The layout of the pairs of SOURCE and TARGET.  */
static layout
layout_of (finder *f, __isl_keep isl_map *pairs, const tns_stmt *source,
           const tns_stmt *target)
{
  int n = tns_scop_common_loops (source, target);
  layout l = { .n = n, .convex = read_facts (f, pairs) };
  l.open = TNS_NEW_ARRAY (f->ctx->arena, bool, n + 1);
  for (int k = 0; k < n && !l.ends; k++)
    {
      tns_reach reach = { .lo_known = false };
      if (l.convex)
        reach = reach_of_loop (f, source, target, k);
      l.ends = reach.lo_known && reach.lo > 0   ? 1
               : reach.hi_known && reach.hi < 0 ? -1
                                                : 0;
      l.open[k] = !reach.lo_known || !reach.hi_known || reach.lo != reach.hi;
      if (l.ends)
        l.n = k;
    }
  return l;
}

/* PAIRS, that are equal in the loops outside of loop K, with the target later
   in it, or (SAME) not sooner.  */
static __isl_give isl_map *
later_in (__isl_take isl_map *pairs, const tns_stmt *source, int k, bool same)
{
  bool up = source->loop[k]->step > 0;
  if (same)
    return up ? isl_map_order_le (pairs, isl_dim_in, k, isl_dim_out, k)
              : isl_map_order_ge (pairs, isl_dim_in, k, isl_dim_out, k);
  return up ? isl_map_order_lt (pairs, isl_dim_in, k, isl_dim_out, k)
            : isl_map_order_gt (pairs, isl_dim_in, k, isl_dim_out, k);
}

/* PAIRS of instances, the source before the target: earlier in a loop around
   both, the same in those around it; or before it in the text, the same in
   all.  Nothing is asked where the pairs say by how many iterations they are
   apart.  *CONVEX tells of PAIRS.  */
static __isl_give isl_map *
in_order (finder *f, __isl_take isl_map *pairs, const tns_stmt *source,
          const tns_stmt *target, bool *convex)
{
  layout l = layout_of (f, pairs, source, target);
  isl_map *before = isl_map_empty (isl_map_get_space (pairs));
  bool stays = l.ends > 0
               || (l.ends == 0 && source != target
                   && source->position[l.n] < target->position[l.n]);
  int last = l.n - 1;
  *convex = l.convex;
  while (last >= 0 && !l.open[last])
    last--;
  for (int k = 0; k < last; k++)
    if (l.open[k])
      {
        isl_map *part = later_in (isl_map_copy (pairs), source, k, false);
        before = isl_map_union (before, part);
        pairs = isl_map_equate (pairs, isl_dim_in, k, isl_dim_out, k);
      }
  if (last >= 0)
    pairs = later_in (pairs, source, last, stays);
  if (last >= 0 || stays)
    return isl_map_union (before, pairs);
  isl_map_free (pairs);
  return before;
}

/* Updates of SYM with OP may change places.  */
static bool
may_free (const tns_ctx *ctx, const tns_sym *sym, tns_op op)
{
  if (!tns_op_is_reduction (op))
    return false;
  return ctx->wish.fp != TNS_FP_STRICT || !tns_elem_is_float (sym->type.elem);
}

/* What kind of dependence leads from an access to another.  */
static tns_dep_kind
kind_of (const tns_access *source, const tns_access *target)
{
  if (!source->write)
    return TNS_DEP_ANTI;
  return target->write ? TNS_DEP_OUTPUT : TNS_DEP_FLOW;
}

/* Join DEP, whose map is taken, to those found.  A map of pieces that may be
   one is coalesced: those of one meeting that is CONVEX differ in the loop
   that tells source and target apart.  */
static void
add_dep (finder *f, bool convex, tns_dep dep)
{
  tns_deps *deps = f->deps;
  for (int k = deps->n - 1; k >= 0; k--)
    {
      tns_dep *old = &deps->dep[k];
      if (old->source != dep.source || old->target != dep.target)
        break;
      if (old->array == dep.array && old->kind == dep.kind
          && old->freed == dep.freed && old->op == dep.op)
        {
          old->map = isl_map_union (old->map, dep.map);
          f->scattered[k] = true;
          return;
        }
    }
  deps->dep
    = tns_build_room (f->ctx->arena, deps->dep, deps->n, sizeof *deps->dep);
  f->scattered = tns_build_room (f->ctx->arena, f->scattered, deps->n,
                                 sizeof *f->scattered);
  f->scattered[deps->n] = !convex;
  deps->dep[deps->n++] = dep;
}

/* What is known of two accesses; convex: but for their order the pairs are one
   piece.  */
typedef struct meet
{
  bool known;
  bool convex;
  isl_map *pairs;
} meet;

/* The pairs of PAIRS that do not meet in different iterations of a loop around
   SOURCE and TARGET whose iterations are apart: there they are the same, or
   they differ in a loop outside.  */
static __isl_give isl_map *
together (__isl_take isl_map *pairs, const tns_stmt *source,
          const tns_stmt *target)
{
  int n = tns_scop_common_loops (source, target);
  isl_map *left = isl_map_copy (pairs);
  for (int k = 0; k < n; k++)
    {
      isl_map *same
        = isl_map_equate (isl_map_copy (left), isl_dim_in, k, isl_dim_out, k);
      if (source->iter[k]->flags & TNS_SYM_APART)
        pairs = isl_map_subtract (
          pairs, isl_map_subtract (isl_map_copy (left), isl_map_copy (same)));
      isl_map_free (left);
      left = same;
    }
  isl_map_free (left);
  return pairs;
}

/* The instances of SOURCE and TARGET that name one element by A and B.  */
static __isl_give isl_map *
meeting_pairs (const tns_scop *scop, int source, int target,
               const tns_access *a, const tns_access *b)
{
  bool keyed
    = tns_access_is_keyed_like (a, b) && scop->array[a->array].n_private == 0;
  isl_map *pairs = isl_map_apply_range (
    isl_map_copy (keyed ? a->key : a->map),
    isl_map_reverse (isl_map_copy (keyed ? b->key : b->map)));
  if (a->by_index || b->by_index)
    pairs = together (pairs, &scop->stmt[source], &scop->stmt[target]);
  return pairs;
}

/* How the instances of SOURCE and TARGET meet through A and B, in order; its
   pairs are NULL when there are none.  */
static meet
meeting (finder *f, int source, int target, const tns_access *a,
         const tns_access *b)
{
  const tns_scop *scop = f->scop;
  meet m = { .known = true };
  isl_map *pairs = meeting_pairs (scop, source, target, a, b);
  pairs
    = in_order (f, pairs, &scop->stmt[source], &scop->stmt[target], &m.convex);
  pairs = isl_map_intersect_params (pairs, isl_set_copy (scop->context));
  isl_bool empty = isl_map_is_empty (pairs);
  if (empty == isl_bool_false)
    m.pairs = pairs;
  else
    isl_map_free (pairs);
  f->failed |= empty < 0;
  return m;
}

/* Add the dependence from access A of statement END[0] to access B of END[1]
   for the instances that MEET.  */
static void
add_between (finder *f, const int end[2], const tns_access *a,
             const tns_access *b, const meet *m)
{
  const tns_sym *sym = f->scop->array[a->array].sym;
  bool freed = a->update != TNS_NONE && a->update == b->update
               && may_free (f->ctx, sym, a->update);
  add_dep (f, m->convex,
           (tns_dep){ .source = end[0],
                      .target = end[1],
                      .array = a->array,
                      .kind = kind_of (a, b),
                      .freed = freed,
                      .op = freed ? a->update : TNS_NONE,
                      .map = isl_map_copy (m->pairs),
                      .source_access = a,
                      .target_access = b });
}

/* What the user says of A and B, accesses with one map, is the same.  */
static bool
is_alike (const tns_access *a, const tns_access *b)
{
  if (a->by_index != b->by_index || !a->key != !b->key)
    return false;
  return !a->key
         || (tns_access_is_keyed_like (a, b)
             && isl_map_plain_is_equal (a->key, b->key) == isl_bool_true);
}

/* The first access of STMT to the elements of access K; with ALIKE the
   first that does the same to them.  */
static int
first_like (const tns_stmt *stmt, int k, bool alike)
{
  const tns_access *access = &stmt->access[k];
  for (int l = 0; l < k; l++)
    {
      const tns_access *other = &stmt->access[l];
      if (other->array == access->array
          && (!alike
              || (other->write == access->write
                  && other->update == access->update))
          && isl_map_plain_is_equal (other->map, access->map) == isl_bool_true
          && is_alike (other, access))
        return l;
    }
  return k;
}

/* The dependences from access K of statement SOURCE to all of TARGET's.  MEETS
   remembers what equal accesses gave, for all pairs of the two.  */
static void
find_from_access (finder *f, int source, int target, int k, meet *meets)
{
  const tns_stmt *s = &f->scop->stmt[source];
  const tns_stmt *t = &f->scop->stmt[target];
  const tns_access *a = &s->access[k];
  meet *row = meets + first_like (s, k, false) * t->n_accesses;
  for (int l = 0; l < t->n_accesses && !f->failed; l++)
    {
      const tns_access *b = &t->access[l];
      if (a->array != b->array || !(a->write || b->write)
          || first_like (t, l, true) != l)
        continue;
      meet *m = &row[first_like (t, l, false)];
      if (!m->known)
        *m = meeting (f, source, target, a, b);
      if (m->pairs)
        add_between (f, (int[]){ source, target }, a, b, m);
    }
}

/* The dependences from statement SOURCE to TARGET.  */
static void
find_from (finder *f, int source, int target)
{
  const tns_stmt *s = &f->scop->stmt[source];
  const tns_stmt *t = &f->scop->stmt[target];
  if (source > target && tns_scop_common_loops (s, t) == 0)
    return;
  int n = s->n_accesses * t->n_accesses;
  meet *meets = TNS_NEW_ARRAY (f->ctx->arena, meet, n + 1);
  for (int k = 0; k < s->n_accesses; k++)
    if (first_like (s, k, true) == k)
      find_from_access (f, source, target, k, meets);
  for (int k = 0; k < n; k++)
    isl_map_free (meets[k].pairs);
}

/* The first of DEPS that joins the same statements as dependence K, for the
   same pairs, and is freed if this is.  Those between two statements stand
   together.  */
static int
first_same (const tns_deps *deps, int k)
{
  const tns_dep *dep = &deps->dep[k];
  for (int l = k - 1; l >= 0 && deps->dep[l].source == dep->source
                      && deps->dep[l].target == dep->target;
       l--)
    if (deps->dep[l].freed == dep->freed
        && isl_map_plain_is_equal (deps->dep[l].map, dep->map) == isl_bool_true)
      return deps->dep[l].same;
  return k;
}

/* Dependence K has all its pairs: simplify them, and keep what they say.  */
static void
finish (finder *f, int k)
{
  tns_dep *dep = &f->deps->dep[k];
  const tns_dep *same = &f->deps->dep[dep->same];
  if (same != dep)
    {
      isl_map_free (dep->map);
      dep->map = isl_map_copy (same->map);
      dep->n_parts = same->n_parts;
      dep->part = same->part;
      return;
    }
  if (f->scattered[k])
    dep->map = isl_map_coalesce (dep->map);
  f->failed |= dep->map == NULL;
  dep->part = tns_facts_keep (f->ctx->arena, dep->map, f->facts, &dep->n_parts);
}

tns_deps *
tns_deps_build (tns_ctx *ctx, const tns_scop *scop)
{
  if (!scop)
    return NULL;
  tns_isl_begin (ctx, scop->isl);
  tns_deps *deps = TNS_NEW (ctx->arena, tns_deps);
  deps->scop = scop;
  finder f = { .ctx = ctx, .scop = scop, .deps = deps };
  f.facts = TNS_NEW (ctx->arena, tns_facts);
  for (int s = 0; s < scop->n_stmts; s++)
    for (int t = 0; t < scop->n_stmts && !f.failed; t++)
      find_from (&f, s, t);
  for (int k = 0; k < deps->n; k++)
    deps->dep[k].same = first_same (deps, k);
  for (int k = 0; k < deps->n; k++)
    finish (&f, k);
  deps->known = TNS_NEW_ARRAY (ctx->arena, struct tns_known *, deps->n + 1);
  if (!f.failed)
    return deps;
  tns_isl_refuse (ctx, scop->isl, scop->region->loc, "deps");
  tns_deps_free (deps);
  return NULL;
}

void
tns_deps_free (tns_deps *deps)
{
  if (!deps)
    return;
  for (int k = 0; k < deps->n; k++)
    isl_map_free (deps->dep[k].map);
}
