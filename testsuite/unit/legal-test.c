/* Random orders of random regions, proved and executed.

   Each region is modelled; its instances are executed one by one in an order
   made from the user's by a few changes that are legal or not: reversed,
   interchanged, skewed and shifted loops, loops distributed, statements
   swapped.  What tns_legal accepts must leave the memory that the region
   leaves, bit for bit; a loop that it accepts as free must do so run
   backwards too.  So every order that the interpreter shows wrong is
   rejected.  The user's own order must be accepted: then the model itself
   (instances, private copies, copies out) is under test.

     legal-test [N [SEED]]    N regions, 60 unless said  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/arguments.h"
#include "ir/canon.h"
#include "ir/simplify.h"
#include "ir/print.h"
#include "ir/walk.h"
#include "poly/legal.h"
#include "random-nest.h"

enum
{
  MOST_DIMS = 24,
  MOST_INSTANCES = 6000,
  ORDERS = 80,
  ENOUGH = 1000
};

/* An execution of statement STMT: its iterators, its place in the order.  */
typedef struct instance
{
  int stmt;
  long at[MOST_DIMS];
  long when[MOST_DIMS];
} instance;

/* One dimension of a statement's order: the sum of coef[k] times iterator k,
   and a constant.  */
typedef struct row
{
  long coef[MOST_DIMS];
  long constant;
} row;

/* One region under test.  order[s][d]: dimension d of statement s.  */
typedef struct trial
{
  tns_ctx *ctx;
  tns_region *region;
  tns_scop *scop;
  tns_deps *deps;
  const tns_argument *start;
  const tns_argument *left;
  int n_dims;
  row order[64][MOST_DIMS];
  int n;
  instance *instance;
  int n_asked;
  bool differs;
  unsigned long long seed;
} trial;

/* How many orders were accepted, rejected, and wrong when executed; how many
   regions were too large for the budget.  */
typedef struct score
{
  int regions;
  int accepted;
  int rejected;
  int wrong;
  int free_loops;
  int spent;
  int faults;
} score;

/* A number below N.  */
static int
below (trial *t, int n)
{
  t->seed = t->seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return n > 0 ? (int) ((t->seed >> 33) % (unsigned long long) n) : 0;
}

/* { [params] : each has the value that the arguments give it }.  */
static isl_set *
parameter_values (const trial *t)
{
  const tns_scop *scop = t->scop;
  isl_space *space = isl_space_params_alloc (scop->isl, 0);
  for (int k = 0; k < scop->n_params; k++)
    space = isl_space_add_param_id (space, isl_id_copy (scop->param_id[k]));
  isl_set *values = isl_set_universe (space);
  for (int k = 0; k < scop->n_params; k++)
    {
      tns_scalar_value value
        = tns_expr_eval (scop->region, scop->param[k], t->start);
      isl_val *val = isl_val_int_from_si (scop->isl, (long) value.s);
      values = isl_set_fix_val (values, isl_dim_param, (unsigned) k, val);
    }
  return values;
}

/* The orders as they are in the scop, behind a dimension that is 0.  */
static bool
take_orders (trial *t)
{
  const tns_scop *scop = t->scop;
  memset (t->order, 0, sizeof t->order);
  t->n_dims = 2;
  for (int s = 0; s < scop->n_stmts && s < 64; s++)
    {
      const tns_stmt *stmt = &scop->stmt[s];
      int n = stmt->n_iters;
      if (2 * n + 2 > t->n_dims)
        t->n_dims = 2 * n + 2;
      for (int k = 0; k <= n && t->n_dims < MOST_DIMS; k++)
        t->order[s][2 * k + 1].constant = stmt->position[k];
      for (int k = 0; k < n && t->n_dims < MOST_DIMS; k++)
        t->order[s][2 * k + 2].coef[k] = stmt->loop[k]->step < 0 ? -1 : 1;
    }
  return t->n_dims < MOST_DIMS && scop->n_stmts <= 64;
}

/* Statements A and B share their outer K loops.  */
static bool
share (const tns_stmt *a, const tns_stmt *b, int k)
{
  return a->n_iters >= k && b->n_iters >= k
         && (k == 0 || a->loop[k - 1] == b->loop[k - 1]);
}

/* Add FACTOR times A to B.  */
static void
add_row (row *b, long factor, const row *a)
{
  for (int k = 0; k < MOST_DIMS; k++)
    b->coef[k] += factor * a->coef[k];
  b->constant += factor * a->constant;
}

/* Change the order of statement S: loops K and L of it.  */
static void
change_stmt (trial *t, int s, int what, int k, int l)
{
  row *outer = &t->order[s][2 * k + 2];
  row *inner = &t->order[s][2 * l + 2];
  row old = *outer;
  if (what == 0)
    add_row (outer, -2, &old);
  if (what == 1)
    {
      *outer = *inner;
      *inner = old;
    }
  if (what == 2)
    add_row (inner, 1, outer);
}

/* One random change.  */
static void
change_order (trial *t)
{
  const tns_scop *scop = t->scop;
  int s = below (t, scop->n_stmts);
  const tns_stmt *stmt = &scop->stmt[s];
  int what = below (t, 6);
  int k = below (t, stmt->n_iters);
  int l = below (t, stmt->n_iters);
  if (what <= 2 && (stmt->n_iters == 0 || (what && k >= l)))
    what = 3 + what;
  for (int r = 0; what <= 2 && r < scop->n_stmts; r++)
    if (share (&scop->stmt[r], stmt, (what ? l : k) + 1))
      change_stmt (t, r, what, k, l);
  if (what == 3)
    t->order[s][0].constant += below (t, 3) - 1;
  if (what == 4)
    t->order[s][1 + below (t, t->n_dims - 1)].constant += below (t, 5) - 2;
  for (int r = 0; what == 5 && r < scop->n_stmts; r++)
    t->order[r][0].constant += r;
}

/* Dimension D of the order of statement S on SPACE.  */
static isl_aff *
order_aff (const trial *t, int s, int d, isl_space *space)
{
  const row *r = &t->order[s][d];
  isl_local_space *local = isl_local_space_from_space (space);
  isl_aff *aff = isl_aff_zero_on_domain (local);
  for (int k = 0; k < t->scop->stmt[s].n_iters; k++)
    aff = isl_aff_set_coefficient_si (aff, isl_dim_in, k, (int) r->coef[k]);
  return isl_aff_set_constant_si (aff, (int) r->constant);
}

/* The order of statement S as a function.  */
static isl_multi_aff *
order_time (const trial *t, int s)
{
  isl_space *space = isl_set_get_space (t->scop->stmt[s].domain);
  isl_space *pair = isl_space_from_domain (isl_space_copy (space));
  pair = isl_space_add_dims (pair, isl_dim_out, (unsigned) t->n_dims);
  isl_multi_aff *order = isl_multi_aff_zero (pair);
  for (int d = 0; d < t->n_dims; d++)
    order = isl_multi_aff_set_at (order, d,
                                  order_aff (t, s, d, isl_space_copy (space)));
  isl_space_free (space);
  return order;
}

/* The same as a map.  */
static isl_map *
order_map (const trial *t, int s)
{
  return isl_map_from_multi_aff (order_time (t, s));
}

/* Append the instance that POINT is.  */
static isl_stat
add_instance (isl_point *point, void *self)
{
  trial *t = self;
  instance *in = &t->instance[t->n];
  for (int k = 0; k < t->scop->stmt[in->stmt].n_iters; k++)
    {
      isl_val *val = isl_point_get_coordinate_val (point, isl_dim_set, k);
      in->at[k] = isl_val_get_num_si (val);
      isl_val_free (val);
    }
  isl_point_free (point);
  t->n++;
  if (t->n == MOST_INSTANCES)
    return isl_stat_error;
  t->instance[t->n].stmt = in->stmt;
  return isl_stat_ok;
}

/* Fill the instances; false when there are too many.  */
static bool
find_instances (trial *t)
{
  isl_set *values = parameter_values (t);
  bool fits = true;
  for (int s = 0; s < t->scop->n_stmts && fits; s++)
    {
      t->instance[t->n].stmt = s;
      isl_set *points = isl_set_copy (t->scop->stmt[s].domain);
      points = isl_set_intersect_params (points, isl_set_copy (values));
      points = isl_set_project_out_all_params (points);
      fits = isl_set_foreach_point (points, add_instance, t) == isl_stat_ok;
      isl_set_free (points);
    }
  isl_set_free (values);
  return fits;
}

/* Which of two instances comes first.  */
static int
compare (const void *a, const void *b)
{
  const instance *x = a;
  const instance *y = b;
  for (int d = 0; d < MOST_DIMS; d++)
    if (x->when[d] != y->when[d])
      return x->when[d] < y->when[d] ? -1 : 1;
  return x->stmt - y->stmt;
}

/* Put the instances in the current order, dimension BACKWARDS (-1: none)
   turned round.  */
static void
sort_instances (trial *t, int backwards)
{
  for (int i = 0; i < t->n; i++)
    for (int d = 0; d < t->n_dims; d++)
      {
        instance *in = &t->instance[i];
        const row *r = &t->order[in->stmt][d];
        in->when[d] = r->constant;
        for (int k = 0; k < t->scop->stmt[in->stmt].n_iters; k++)
          in->when[d] += r->coef[k] * in->at[k];
        if (d == backwards)
          in->when[d] = -in->when[d];
      }
  qsort (t->instance, (size_t) t->n, sizeof *t->instance, compare);
}

/* What stands for private arrays while an instance is made: by row of
   scop->array an array with its coordinates in front.  */
typedef struct expansion
{
  trial *t;
  tns_sym **wide;
  long *least;
  const instance *at;
} expansion;

/* The row of SYM in statement S; -1 when it is inside it.  */
static int
row_of (const trial *t, int s, const tns_sym *sym)
{
  const tns_stmt *stmt = &t->scop->stmt[s];
  for (int a = 0; a < stmt->n_accesses; a++)
    if (t->scop->array[stmt->access[a].array].sym == sym)
      return stmt->access[a].array;
  return -1;
}

/* EXPR, or its element in the wide array.  */
static tns_expr *
widen (tns_expr *expr, void *self)
{
  expansion *e = self;
  tns_arena *arena = e->t->ctx->arena;
  int r = expr->op == TNS_LOAD ? row_of (e->t, e->at->stmt, expr->sym) : -1;
  if (r < 0 || !e->wide[r])
    return expr;
  tns_expr *arg[MOST_DIMS];
  int n = e->t->scop->array[r].n_private;
  for (int k = 0; k < n; k++)
    arg[k] = tns_int (arena, e->at->at[k] - e->least[k]);
  for (int k = 0; k < expr->sym->rank; k++)
    arg[n + k] = expr->arg[k];
  return tns_load (arena, e->wide[r], arg);
}

/* A whole expression with wide arrays.  */
static tns_expr *
widen_whole (tns_expr *expr, void *self)
{
  expansion *e = self;
  return tns_expr_rebuild (e->t->ctx->arena, expr, widen, e);
}

/* Make the wide arrays, declared at the head of BODY.  */
static void
declare (expansion *e, tns_region *region, tns_node *body)
{
  trial *t = e->t;
  tns_arena *arena = t->ctx->arena;
  long most[MOST_DIMS];
  for (int k = 0; k < MOST_DIMS; k++)
    {
      e->least[k] = 1L << 30;
      most[k] = -e->least[k];
      for (int i = 0; i < t->n; i++)
        {
          long at = t->instance[i].at[k];
          e->least[k] = at < e->least[k] ? at : e->least[k];
          most[k] = at > most[k] ? at : most[k];
        }
    }
  for (int r = 0; r < t->scop->n_arrays; r++)
    {
      const tns_array *array = &t->scop->array[r];
      tns_sym *sym = array->sym;
      if (!tns_sym_is_local (sym))
        continue;
      int rank = array->n_private + sym->rank;
      tns_sym *wide = tns_region_add_array (
        arena, region, sym->name, sym->type.elem, rank, TNS_SYM_LOCAL);
      for (int k = 0; k < rank; k++)
        wide->extent[k]
          = k < array->n_private
              ? tns_int (arena, t->n ? most[k] - e->least[k] + 1 : 1)
              : sym->extent[k - array->n_private];
      e->wide[r] = wide;
      tns_block_add (arena, body, tns_local (arena, (tns_loc){ 0 }, wide));
    }
}

/* The region that executes the instances one by one.  */
static tns_region *
flat_region (trial *t)
{
  tns_arena *arena = t->ctx->arena;
  tns_region *region = tns_region_copy (arena, t->scop->region);
  region->body = tns_block (arena, region->loc);
  expansion e = { .t = t };
  e.wide = TNS_NEW_ARRAY (arena, tns_sym *, t->scop->n_arrays + 1);
  e.least = TNS_NEW_ARRAY (arena, long, MOST_DIMS);
  declare (&e, region, region->body);
  for (int i = 0; i < t->n; i++)
    {
      const tns_stmt *stmt = &t->scop->stmt[t->instance[i].stmt];
      tns_expr *by[MOST_DIMS];
      for (int k = 0; k < stmt->n_iters; k++)
        by[k] = tns_int (arena, t->instance[i].at[k]);
      e.at = &t->instance[i];
      tns_node *node
        = tns_node_rebuild (arena, stmt->node, NULL, widen_whole, &e);
      tns_block_add (
        arena, region->body,
        tns_node_substitute (arena, node, stmt->n_iters, stmt->iter, by));
    }
  return region;
}

/* Whether the memory A and B of REGION's parameters is the same.  */
static bool
same_memory (const tns_region *region, const tns_argument *a,
             const tns_argument *b)
{
  for (int k = 0; k < region->n_params; k++)
    {
      const tns_sym *sym = region->params[k];
      size_t bytes = (size_t) (a[k].hi * tns_elem_bytes (sym->type.elem));
      if (sym->kind == TNS_SYM_ARRAY && memcmp (a[k].base, b[k].base, bytes))
        return false;
    }
  return true;
}

/* Execute the current order, dimension BACKWARDS (-1: none) backwards;
   whether it does what the region does.  */
static bool
executes_well (trial *t, int backwards)
{
  sort_instances (t, backwards);
  tns_region *flat = flat_region (t);
  tns_argument *memory
    = tns_arguments_copy (t->ctx->arena, t->region, t->start);
  tns_eval_options options = { 0 };
  const tns_node *where;
  tns_eval_status status
    = tns_region_eval (flat, memory, &options, NULL, &where);
  return status == TNS_EVAL_OK && same_memory (t->region, memory, t->left);
}

/* Print the region and the order at fault.  */
static void
tell (trial *t, const char *words)
{
  tns_text text = tns_text_new (t->ctx->arena);
  tns_region_print (&text, t->region);
  printf ("%s\n%s", words, tns_text_chars (&text));
  tns_scop_print (stdout, t->scop);
  tns_deps_print (stdout, t->deps);
  for (int s = 0; s < t->scop->n_stmts; s++)
    {
      isl_map *map = order_map (t, s);
      char *chars = isl_map_to_str (map);
      printf ("%s\n", chars);
      free (chars);
      isl_map_free (map);
    }
}

/* What tns_legal says of the current order with N_CLAIMS CLAIMS.  */
static bool
is_legal_map (trial *t, int n_claims, const tns_claim *claims)
{
  isl_union_map *order = isl_union_map_empty_ctx (t->scop->isl);
  for (int s = 0; s < t->scop->n_stmts; s++)
    order = isl_union_map_add_map (order, order_map (t, s));
  const tns_dep *broken;
  bool legal = tns_legal (t->ctx, t->deps, order, n_claims, claims, &broken);
  isl_union_map_free (order);
  return legal;
}

/* What tns_legal_times says of it; tns_legal is asked now and then, and must
   say the same.  */
static bool
is_legal (trial *t, int n_claims, const tns_claim *claims)
{
  isl_multi_aff *time[64];
  const tns_dep *broken;
  for (int s = 0; s < t->scop->n_stmts; s++)
    time[s] = order_time (t, s);
  bool legal
    = tns_legal_times (t->ctx, t->deps, time, n_claims, claims, &broken);
  for (int s = 0; s < t->scop->n_stmts; s++)
    isl_multi_aff_free (time[s]);
  if (t->n_asked++ % 16 == 0 && is_legal_map (t, n_claims, claims) != legal)
    t->differs |= t->ctx->last_remark == NULL;
  return legal;
}

/* Claim that one dimension is free; where that is accepted it may run
   backwards.  */
static void
check_claim (trial *t, score *sc)
{
  tns_claim claim = { .dim = below (t, t->n_dims) };
  if (!is_legal (t, 1, &claim))
    return;
  sc->free_loops++;
  if (!executes_well (t, claim.dim))
    {
      sc->faults++;
      tell (t, "FAIL: a loop is not free");
    }
}

/* Prove and execute the current order.  MUST: it has to be accepted.  */
static void
check_order (trial *t, score *sc, bool must)
{
  bool legal = is_legal (t, 0, NULL);
  if (t->ctx->last_remark)
    {
      sc->spent++;
      return;
    }
  if (t->differs)
    {
      sc->faults++;
      tell (t, "FAIL: an order as a map is not what it is as functions");
    }
  bool well = executes_well (t, -1);
  sc->accepted += legal && !must;
  sc->rejected += !legal;
  sc->wrong += !well;
  if ((legal && !well) || (must && !legal))
    {
      sc->faults++;
      tell (t, well ? "FAIL: the user's order is rejected"
                    : "FAIL: a wrong order is accepted");
    }
  if (legal && well)
    check_claim (t, sc);
}

/* Whether the guards of REGION hold for the arguments.  */
static bool
guards_hold (const tns_region *region, const tns_argument *argument)
{
  for (int k = 0; k < region->n_guard; k++)
    if (!tns_expr_eval (region, region->guard[k], argument).s)
      return false;
  return true;
}

/* Orders of T's model.  */
static void
check_orders (trial *t, score *sc)
{
  if (!guards_hold (t->scop->region, t->start))
    return;
  sc->regions++;
  t->instance = calloc (MOST_INSTANCES, sizeof *t->instance);
  bool fits = find_instances (t);
  for (int k = 0; k < ORDERS && fits && !sc->faults; k++)
    {
      fits = take_orders (t);
      for (int l = 0; fits && k && l < 1 + below (t, 3); l++)
        change_order (t);
      if (fits)
        check_order (t, sc, k == 0);
    }
  free (t->instance);
}

/* The region of SEED; with PRIVATISE its private arrays are found.  */
static void
check_region (unsigned long long seed, bool privatise, score *sc)
{
  trial t = { .ctx = tns_ctx_new (tns_allocator_malloc ()), .seed = seed };
  t.ctx->wish.fp = TNS_FP_STRICT;
  random_nest nest
    = random_nest_new (t.ctx->arena, seed, seed % 2, true, false);
  t.region = tns_region_updates (t.ctx, nest.region);
  t.region = tns_region_shapes (t.ctx, t.region);
  t.region = tns_region_simplify (t.ctx, t.region);
  tns_setting sizes[] = { { "n", 1 + seed % 5 }, { "m", 2 + seed / 4 % 4 } };
  tns_argument_wish wish = { sizes, 2, 0, (unsigned) seed };
  t.start = tns_arguments_new (t.ctx->arena, t.region, &wish);
  tns_argument *left = tns_arguments_copy (t.ctx->arena, t.region, t.start);
  tns_eval_options options = { 0 };
  const tns_node *where;
  bool runs
    = tns_region_eval (t.region, left, &options, NULL, &where) == TNS_EVAL_OK;
  t.left = left;
  t.scop = tns_scop_build (t.ctx, t.region);
  if (privatise)
    t.scop = tns_scop_privatise (t.ctx, t.scop);
  t.deps = tns_deps_build (t.ctx, t.scop);
  if (!t.deps && t.ctx->last_remark->why == TNS_WHY_BUDGET)
    sc->spent++;
  else if (!t.deps)
    {
      sc->faults++;
      printf ("FAIL: seed %llu has no model\n", seed);
    }
  else if (runs && t.scop->n_stmts && !t.ctx->last_remark)
    check_orders (&t, sc);
  if (sc->faults)
    printf ("seed %llu\n", seed);
  tns_deps_free (t.deps);
  tns_scop_free (t.scop);
  tns_ctx_free (t.ctx);
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 66;
  unsigned long long seed = argc > 2 ? strtoull (argv[2], NULL, 10) : 1;
  score sc = { 0 };
  for (int k = 0; k < n && !sc.faults; k++)
    check_region (seed + (unsigned long long) k, k % 2, &sc);
  printf ("%d regions; orders: %d accepted, %d rejected, %d wrong; "
          "%d free loops; %d regions over the budget\n",
          sc.regions, sc.accepted, sc.rejected, sc.wrong, sc.free_loops,
          sc.spent);
  bool enough = sc.regions * 2 > n && sc.wrong >= (n < 66 ? 1 : ENOUGH)
                && sc.accepted > sc.regions;
  printf ("%s: legal: wrong orders are rejected\n",
          sc.faults ? "FAIL" : "PASS");
  printf ("%s: legal: enough of each kind\n", enough ? "PASS" : "FAIL");
  return sc.faults || !enough;
}
