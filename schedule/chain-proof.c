/* The instances that tiles of a chain execute, for the proof.

   An instance of a tile is a copy with the tile's coordinate,

     { E[T, i] -> S[i] : i in S,
       size * T - before <= i_d < size * T + size + after }    RECOMPUTE
       size * T + before <= i_d < size * T + size - after }    TRAPEZOID, tiles
       size * T + size - after <= i_d
                        < size * T + size + before }           TRAPEZOID, rest

   and the order of the nests in their block, c_d, becomes

     [ c_0, i_0, .., c, phase, T, nest, i_d, c_d+1, .. ]

   where c is the place of the chain; other statements get zeros.  Trapezoids
   execute each instance once, so that dependences tell whether they are right;
   where some are executed again, the values do (poly/legal.h).  */

#include "poly/legal.h"
#include "schedule/halo.h"

#define MIDDLE 4

/* The isl objects of one kind of copies.  */
typedef struct maker
{
  const tns_scop *scop;
  const tns_chain *chain;
  int n;
  tns_copy *copy;
} maker;

/* SET with size * T + LO <= i_d < size * T + HI.  */
static __isl_give isl_set *
in_tile (const maker *m, __isl_take isl_set *set, long lo, long hi)
{
  int at = m->chain->depth + 1;
  for (int end = 0; end < 2; end++)
    {
      isl_local_space *space
        = isl_local_space_from_space (isl_set_get_space (set));
      isl_constraint *c = isl_constraint_alloc_inequality (space);
      int sign = end ? -1 : 1;
      c = isl_constraint_set_coefficient_si (c, isl_dim_set, at, sign);
      c = isl_constraint_set_coefficient_si (c, isl_dim_set, 0,
                                             -sign * (int) m->chain->size);
      c = isl_constraint_set_constant_si (c, (int) (end ? hi - 1 : -lo));
      set = isl_set_add_constraint (set, c);
    }
  return set;
}

/* { E[T, i] -> S[i] } of statement S for iterations from LO to HI of a
   tile.  */
static __isl_give isl_map *
original_of (const maker *m, int s, long lo, long hi)
{
  isl_set *domain = isl_set_copy (m->scop->stmt[s].domain);
  isl_id *user = isl_set_get_tuple_id (domain);
  char name[24];
  snprintf (name, sizeof name, "copy%d", m->n);
  domain = isl_set_insert_dims (domain, isl_dim_set, 0, 1);
  domain
    = isl_set_set_tuple_id (domain, isl_id_alloc (m->scop->isl, name, NULL));
  isl_map *map = isl_set_identity (in_tile (m, domain, lo, hi));
  map = isl_map_project_out (map, isl_dim_out, 0, 1);
  return isl_map_set_tuple_id (map, isl_dim_out, user);
}

/* { E[T, i] -> P[o, T] } with the iterators o of the loops around.  */
static __isl_give isl_map *
place_of (const maker *m, __isl_keep isl_map *original)
{
  isl_map *place = isl_set_identity (isl_map_domain (isl_map_copy (original)));
  unsigned keep = (unsigned) m->chain->depth + 1;
  unsigned n = (unsigned) isl_map_dim (place, isl_dim_out);
  place = isl_map_project_out (place, isl_dim_out, keep, n - keep);
  return isl_map_set_tuple_id (place, isl_dim_out,
                               isl_id_alloc (m->scop->isl, "place", NULL));
}

/* TIME, { E -> [t] }, with MIDDLE, { E -> [..] }, in place of t_AT.  */
static __isl_give isl_map *
put_middle (__isl_take isl_map *time, __isl_take isl_map *middle, unsigned at)
{
  unsigned n = (unsigned) isl_map_dim (time, isl_dim_out);
  isl_map *first
    = isl_map_project_out (isl_map_copy (time), isl_dim_out, at, n - at);
  isl_map *rest = isl_map_project_out (time, isl_dim_out, 0, at + 1);
  first = isl_map_flat_range_product (first, middle);
  return isl_map_flat_range_product (first, rest);
}

/* { S -> [t] } as written.  */
static __isl_give isl_map *
time_of (const maker *m, int s)
{
  const tns_stmt *stmt = &m->scop->stmt[s];
  return isl_map_intersect_domain (isl_map_copy (stmt->order),
                                   isl_set_copy (stmt->domain));
}

/* When COPY, of nest K in PHASE, is executed.  */
static __isl_give isl_map *
order_of (const maker *m, const tns_copy *copy, int k, int phase)
{
  int place = m->scop->stmt[m->chain->nest[0].first].position[m->chain->depth];
  isl_map *middle
    = isl_map_from_domain (isl_map_domain (isl_map_copy (copy->original)));
  middle = isl_map_add_dims (middle, isl_dim_out, MIDDLE);
  middle = isl_map_fix_si (middle, isl_dim_out, 0, place);
  middle = isl_map_fix_si (middle, isl_dim_out, 1, phase);
  middle = isl_map_equate (middle, isl_dim_in, 0, isl_dim_out, 2);
  middle = isl_map_fix_si (middle, isl_dim_out, 3, k);
  isl_map *time = isl_map_apply_range (isl_map_copy (copy->original),
                                       time_of (m, copy->stmt));
  return put_middle (time, middle, 2 * (unsigned) m->chain->depth);
}

/* Add the copies of statement S, of nest K, in PHASE for iterations from LO to
   HI of a tile.  */
static void
add_copy (maker *m, int s, int k, int phase)
{
  const tns_nest *nest = &m->chain->nest[k];
  long size = m->chain->size;
  long lo = m->chain->recompute ? -nest->before
            : phase             ? size - nest->after
                                : nest->before;
  long hi = m->chain->recompute ? size + nest->after
            : phase             ? size + nest->before
                                : size - nest->after;
  tns_copy *copy = &m->copy[m->n];
  copy->stmt = s;
  copy->original = original_of (m, s, lo, hi);
  copy->place = place_of (m, copy->original);
  copy->order = order_of (m, copy, k, phase);
  m->n++;
}

/* Add statement S, which is of no nest.  */
static void
add_other (maker *m, int s)
{
  tns_copy *copy = &m->copy[m->n++];
  isl_set *domain = isl_set_copy (m->scop->stmt[s].domain);
  unsigned at = 2 * (unsigned) m->chain->depth;
  isl_map *time = time_of (m, s);
  unsigned n = (unsigned) isl_map_dim (time, isl_dim_out);
  isl_map *first = isl_map_project_out (isl_map_copy (time), isl_dim_out,
                                        at + 1, n - at - 1);
  isl_map *middle = isl_map_from_domain (isl_set_copy (domain));
  middle = isl_map_add_dims (middle, isl_dim_out, MIDDLE - 1);
  for (int k = 0; k < MIDDLE - 1; k++)
    middle = isl_map_fix_si (middle, isl_dim_out, (unsigned) k, 0);
  first = isl_map_flat_range_product (first, middle);
  isl_map *rest = isl_map_project_out (time, isl_dim_out, 0, at + 1);
  copy->stmt = s;
  copy->original = isl_set_identity (domain);
  copy->place = NULL;
  copy->order = isl_map_flat_range_product (first, rest);
}

/* Every instance is executed once: the order of M's copies is one of the
   user's own instances, { S[i] -> [t] }, and keeps all DEPS.  */
static bool
order_holds (tns_ctx *ctx, const maker *m, const tns_deps *deps)
{
  const tns_dep *broken = NULL;
  isl_union_map *order = isl_union_map_empty_ctx (m->scop->isl);
  for (int k = 0; k < m->n; k++)
    {
      isl_map *when = isl_map_reverse (isl_map_copy (m->copy[k].original));
      when = isl_map_apply_range (when, isl_map_copy (m->copy[k].order));
      order = isl_union_map_union (order, isl_union_map_from_map (when));
    }
  bool right = tns_legal (ctx, deps, order, 0, NULL, &broken);
  isl_union_map_free (order);
  return right;
}

bool
tns_chain_holds (tns_ctx *ctx, const tns_deps *deps, const tns_chain *chain)
{
  const tns_scop *scop = deps->scop;
  tns_arena *arena = scop->ctx->arena;
  maker m = { .scop = scop, .chain = chain };
  bool *apart = TNS_NEW_ARRAY (arena, bool, scop->n_arrays + 1);
  m.copy = TNS_NEW_ARRAY (arena, tns_copy, 2 * scop->n_stmts + 1);
  for (int s = 0; s < scop->n_stmts; s++)
    {
      int k = tns_chain_nest_of (chain, s);
      if (k < 0)
        add_other (&m, s);
      else
        add_copy (&m, s, k, 0);
      if (k >= 0 && !chain->recompute
          && chain->nest[k].before + chain->nest[k].after > 0)
        add_copy (&m, s, k, 1);
    }
  for (int k = 0; k < scop->n_arrays; k++)
    for (int j = 0; j < chain->n; j++)
      apart[k]
        |= chain->nest[j].again && tns_nest_writes (scop, &chain->nest[j], k);
  bool right = chain->recompute ? tns_legal_copies (scop, m.n, m.copy, apart)
                                : order_holds (ctx, &m, deps);
  tns_copies_free (m.n, m.copy);
  return right;
}
