/* Chains: which nests reach beyond each other's iterations, and how far.

   Of nests p and c, p before c, a dependence leads from iteration i of p's
   outermost loop to i + d of c's, least <= d <= most.  Iteration i of c needs
   p's from i - most to i - least.  So, from the last nest to the first,

     before (p) >= before (c) + most       after (p) >= after (c) - least

   where p is done again in each tile, and from the first to the last

     before (c) >= before (p) + most       after (c) >= after (p) - least

   where c gets narrower.  Distances must be constants, equal iterations of the
   loops around given, and no nest may depend on itself from one iteration to
   another: then tiles depend on no other tile.

   What p reads and c overwrites, in one memory for all tiles, a later tile must
   not read once more:  least >= before (p).

   A dependence's distance is the same for each size of tiles and each length of
   a chain: it is found once for each number of loops around.  */

#include "schedule/halo.h"

#include <limits.h>

#include "poly/legal.h"

/* How far a dependence reaches inside some loops.

   asked  it was looked for
   known  it is a range of numbers, or there is no pair  */
typedef struct tns_apart
{
  bool asked;
  bool known;
  tns_distance distance;
} tns_apart;

/* How far two nests are apart.  */
typedef struct reach
{
  bool some;
  long least;
  long most;
} reach;

/* What the search knows.  */
typedef struct finder
{
  tns_chains *chains;
  const tns_deps *deps;
  tns_chain *chain;
  reach reach[TNS_MOST_NESTS][TNS_MOST_NESTS];
} finder;

/* DISTANCE is two numbers, or there are no pairs.  */
static bool
is_bounded (const tns_distance *distance)
{
  return distance->empty || (distance->lo_known && distance->hi_known);
}

/* The iterator of the loop at DEPTH around a statement inside N loops.  */
static tns_moment
iterator_at (tns_arena *arena, int n, int depth)
{
  tns_moment moment = { .known = true, .n = n, .divisor = 1 };
  moment.coef = TNS_NEW_ARRAY (arena, long, n);
  moment.coef[depth] = 1;
  return moment;
}

/* The distance of DEP at DEPTH, of the pairs that are equal on EQUAL[0..DEPTH),
   as its constraints say it.  False when they do not, or for more pairs than
   there may be.  */
static bool
read_distance (const tns_dep *dep, int depth, const tns_moments *equal,
               tns_distance *distance)
{
  return tns_dep_plain_distance (dep, depth, equal, &equal[depth], distance)
         && (distance->empty || depth == 0) && is_bounded (distance);
}

/* The same as isl finds it.  */
static bool
search_distance (const tns_dep *dep, int depth, const tns_moments *equal,
                 tns_distance *distance)
{
  isl_map *pairs = isl_map_copy (dep->map);
  for (int k = 0; k < depth; k++)
    pairs = tns_pairs_equate (pairs, &equal[k]);
  bool known = tns_pairs_distance (pairs, &equal[depth], distance);
  isl_map_free (pairs);
  return known && is_bounded (distance);
}

/* Find how far DEP reaches at DEPTH, in one iteration of the loops around.  */
static bool
find_distance (const tns_chains *chains, const tns_dep *dep, int depth,
               tns_distance *distance)
{
  const tns_stmt *stmt = chains->deps->scop->stmt;
  tns_moments equal[TNS_MAX_DEPTH];
  for (int k = 0; k <= depth; k++)
    {
      equal[k].source
        = iterator_at (chains->arena, stmt[dep->source].n_iters, k);
      equal[k].target
        = iterator_at (chains->arena, stmt[dep->target].n_iters, k);
    }
  return read_distance (dep, depth, equal, distance)
         || search_distance (dep, depth, equal, distance);
}

/* How far dependence K of CHAINS reaches at DEPTH, in one iteration of the
   loops around.  */
static const tns_apart *
apart_at (tns_chains *chains, int k, int depth)
{
  const tns_deps *deps = chains->deps;
  if (!chains->apart[depth])
    chains->apart[depth] = TNS_NEW_ARRAY (chains->arena, tns_apart, deps->n);
  tns_apart *apart = &chains->apart[depth][k];
  if (!apart->asked)
    apart->known
      = find_distance (chains, &deps->dep[k], depth, &apart->distance);
  apart->asked = true;
  return apart;
}

/* Take dependence K, from nest P to nest C, into account.  False when tiles do
   not go with it.  */
static bool
add_dep (finder *f, int k, int p, int c)
{
  const tns_apart *apart = apart_at (f->chains, k, f->chain->depth);
  tns_distance d = apart->distance;
  if (!apart->known)
    return false;
  if (d.empty)
    return true;
  if (p >= c)
    return p == c && d.lo == 0 && d.hi == 0;
  reach *r = &f->reach[p][c];
  r->least = r->some && r->least < d.lo ? r->least : d.lo;
  r->most = r->some && r->most > d.hi ? r->most : d.hi;
  r->some = true;
  return d.lo > -f->chain->size && d.hi < f->chain->size;
}

/* Fill how far the nests of F's chain are apart; false when that is not
   known.  */
static bool
find_reach (finder *f)
{
  for (int p = 0; p < TNS_MOST_NESTS; p++)
    for (int c = 0; c < TNS_MOST_NESTS; c++)
      f->reach[p][c].some = false;
  for (int k = 0; k < f->deps->n; k++)
    {
      const tns_dep *dep = &f->deps->dep[k];
      int p = tns_chain_nest_of (f->chain, dep->source);
      int c = tns_chain_nest_of (f->chain, dep->target);
      if (p >= 0 && c >= 0 && !add_dep (f, k, p, c))
        return false;
    }
  return true;
}

/* Two nests of F's chain are apart by more than nothing.  */
static bool
has_reach (const finder *f)
{
  for (int p = 0; p < f->chain->n; p++)
    for (int c = p + 1; c < f->chain->n; c++)
      if (f->reach[p][c].some && (f->reach[p][c].least || f->reach[p][c].most))
        return true;
  return false;
}

int
tns_chain_nest_of (const tns_chain *chain, int s)
{
  for (int k = 0; k < chain->n; k++)
    if (chain->nest[k].first <= s && s <= chain->nest[k].last)
      return k;
  return -1;
}

bool
tns_nest_writes (const tns_scop *scop, const tns_nest *nest, int array)
{
  for (int s = nest->first; s <= nest->last; s++)
    for (int a = 0; a < scop->stmt[s].n_accesses; a++)
      if (scop->stmt[s].access[a].write
          && scop->stmt[s].access[a].array == array)
        return true;
  return false;
}

/* Statements outside of CHAIN touch ARRAY.  */
static bool
is_shared (const tns_scop *scop, const tns_chain *chain, int array)
{
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0;
         tns_chain_nest_of (chain, s) < 0 && a < scop->stmt[s].n_accesses; a++)
      if (scop->stmt[s].access[a].array == array)
        return true;
  return false;
}

/* All that NEST writes is memory of the chain's own.  */
static bool
is_temporary (const tns_scop *scop, const tns_chain *chain,
              const tns_nest *nest)
{
  for (int k = 0; k < scop->n_arrays; k++)
    if (tns_nest_writes (scop, nest, k)
        && (!scop->array[k].dead_after || scop->array[k].sym->stride
            || is_shared (scop, chain, k)))
      return false;
  return true;
}

/* A or B, the larger one.  */
static long
larger (long a, long b)
{
  return a > b ? a : b;
}

/* The tiles of F's chain have cells of their own for ARRAY.  */
static bool
is_apart (const finder *f, int array)
{
  for (int k = 0; k < f->chain->n; k++)
    if (f->chain->nest[k].again
        && tns_nest_writes (f->deps->scop, &f->chain->nest[k], array))
      return true;
  return false;
}

/* No tile of F's chain reads what one before it has overwritten.  */
static bool
reads_in_time (const finder *f)
{
  const tns_chain *chain = f->chain;
  for (int k = 0; k < f->deps->n; k++)
    {
      const tns_dep *dep = &f->deps->dep[k];
      int p = tns_chain_nest_of (chain, dep->source);
      int c = tns_chain_nest_of (chain, dep->target);
      if (dep->kind != TNS_DEP_ANTI || p < 0 || c <= p
          || is_apart (f, dep->array))
        continue;
      tns_distance d = apart_at (f->chains, k, chain->depth)->distance;
      if (!d.empty && d.lo < chain->nest[p].before)
        return false;
    }
  return true;
}

/* How much more each nest of F's chain does in a tile.  False where one does
   more that may not be done twice, or a tile is mostly that.  */
static bool
find_more (finder *f)
{
  tns_chain *chain = f->chain;
  for (int p = chain->n - 1; p >= 0; p--)
    {
      tns_nest *nest = &chain->nest[p];
      nest->before = nest->after = 0;
      nest->again
        = p + 1 < chain->n && is_temporary (f->deps->scop, chain, nest);
      for (int c = p + 1; c < chain->n; c++)
        if (f->reach[p][c].some)
          {
            const tns_nest *next = &chain->nest[c];
            nest->before
              = larger (nest->before, next->before + f->reach[p][c].most);
            nest->after
              = larger (nest->after, next->after - f->reach[p][c].least);
          }
      if ((!nest->again && (nest->before || nest->after))
          || 4 * (nest->before + nest->after) > chain->size)
        return false;
    }
  return reads_in_time (f);
}

/* How much less each nest of F's chain does in a tile.  False when little is
   left.  */
static bool
find_less (finder *f)
{
  tns_chain *chain = f->chain;
  for (int c = 0; c < chain->n; c++)
    {
      tns_nest *nest = &chain->nest[c];
      nest->before = nest->after = 0;
      nest->again = false;
      for (int p = 0; p < c; p++)
        if (f->reach[p][c].some)
          {
            const tns_nest *last = &chain->nest[p];
            nest->before
              = larger (nest->before, last->before + f->reach[p][c].most);
            nest->after
              = larger (nest->after, last->after - f->reach[p][c].least);
          }
      if (2 * (nest->before + nest->after) > chain->size)
        return false;
    }
  return true;
}

/* Make KID[AT..AT + N) of BLOCK the chain; false when a kid is no nest of
   statements.  */
static bool
set_nests (finder *f, const tns_node *block, int at, int n)
{
  const tns_scop *scop = f->deps->scop;
  tns_chain *chain = f->chain;
  chain->block = block;
  chain->at = at;
  chain->n = n;
  for (int k = 0; k < n; k++)
    {
      tns_nest *nest = &chain->nest[k];
      nest->loop = block->kid[at + k];
      nest->first = INT_MAX;
      nest->last = -1;
      for (int s = 0; s < scop->n_stmts; s++)
        if (scop->stmt[s].n_iters > chain->depth
            && scop->stmt[s].loop[chain->depth] == nest->loop)
          {
            nest->first = s < nest->first ? s : nest->first;
            nest->last = s;
          }
      if (nest->last < 0 || nest->loop->step != 1)
        return false;
    }
  return true;
}

/* The longest chain that begins with kid AT of BLOCK.  */
static bool
longest_from (finder *f, const tns_node *block, int at)
{
  int n = 0;
  for (int most = 2; most <= TNS_MOST_NESTS && at + most <= block->n_kids
                     && block->kid[at + most - 1]->kind == TNS_LOOP
                     && set_nests (f, block, at, most) && find_reach (f);
       most++)
    n = most;
  for (; n >= 2; n--)
    if (set_nests (f, block, at, n) && find_reach (f) && has_reach (f)
        && (f->chain->recompute ? find_more (f) : find_less (f)))
      return true;
  return false;
}

/* Find a chain below NODE, inside DEPTH loops.  */
static bool
find_below (finder *f, const tns_node *node, int depth)
{
  if (node->kind == TNS_LOOP)
    return find_below (f, node->body, depth + 1);
  if (node->kind != TNS_BLOCK)
    return false;
  if (depth == TNS_MAX_DEPTH)
    return false;
  f->chain->depth = depth;
  for (int k = 0; k + 1 < node->n_kids; k++)
    if (node->kid[k]->kind == TNS_LOOP && longest_from (f, node, k))
      return true;
  for (int k = 0; k < node->n_kids; k++)
    if (find_below (f, node->kid[k], depth))
      return true;
  return false;
}

bool
tns_chain_find (tns_chains *chains, tns_chain *chain)
{
  finder f = { .chains = chains, .deps = chains->deps, .chain = chain };
  return find_below (&f, chains->body, 0);
}
