/* The model of a region: its making, its parts, its end.  The walk is in
   scop-build.c.  */

#include "poly/scop.h"

#include <string.h>

#include "ir/walk.h"
#include "poly/scop-build.h"

/* { S[i] -> [c0, i0', c1, ..., cd, 0..] } with 2 DEPTH + 1 dimensions.  */
static __isl_give isl_map *
order_map (const tns_stmt *stmt, int depth)
{
  isl_space *space = isl_set_get_space (stmt->domain);
  isl_local_space *local = isl_local_space_from_space (isl_space_copy (space));
  isl_ctx *isl = isl_set_get_ctx (stmt->domain);
  isl_space *order_space = isl_space_from_domain (isl_space_copy (space));
  order_space
    = isl_space_add_dims (order_space, isl_dim_out, 2 * (unsigned) depth + 1);
  isl_multi_aff *order = isl_multi_aff_zero (order_space);
  for (int k = 0; k <= stmt->n_iters; k++)
    {
      isl_val *c = isl_val_int_from_si (isl, stmt->position[k]);
      isl_aff *aff = isl_aff_val_on_domain_space (isl_space_copy (space), c);
      order = isl_multi_aff_set_at (order, 2 * k, aff);
      if (k == stmt->n_iters)
        break;
      aff = isl_aff_var_on_domain (isl_local_space_copy (local), isl_dim_set,
                                   (unsigned) k);
      if (stmt->loop[k]->step < 0)
        aff = isl_aff_neg (aff);
      order = isl_multi_aff_set_at (order, 2 * k + 1, aff);
    }
  isl_space_free (space);
  isl_local_space_free (local);
  return isl_map_from_multi_aff (order);
}

void
tns_scop_make_orders (tns_scop *scop)
{
  int depth = 0;
  for (int s = 0; s < scop->n_stmts; s++)
    if (scop->stmt[s].n_iters > depth)
      depth = scop->stmt[s].n_iters;
  for (int s = 0; s < scop->n_stmts; s++)
    {
      tns_stmt *stmt = &scop->stmt[s];
      isl_map_free (stmt->order);
      stmt->order = order_map (stmt, depth);
    }
}

/* Count the loops and the ASSIGNs of each symbol.  */
static bool
visit_census (tns_node *node, void *self)
{
  tns_builder *b = self;
  if (node->kind == TNS_LOOP)
    b->n_iters++;
  if (node->kind == TNS_ASSIGN)
    b->writers[node->target->sym->id]++;
  return true;
}

tns_builder
tns_build_resume (tns_ctx *ctx, tns_scop *scop)
{
  tns_builder b
    = { .ctx = ctx, .arena = ctx->arena, .isl = scop->isl, .scop = scop };
  isl_space *space = isl_space_params_alloc (scop->isl, 0);
  b.ranges = isl_set_universe (isl_space_copy (space));
  b.domain = isl_set_universe (isl_space_set_from_params (space));
  if (!scop->n_params)
    return b;
  size_t bytes = sizeof *b.key * (size_t) scop->n_params;
  b.key = tns_arena_grow (ctx->arena, scop->param, bytes, 4 * bytes);
  return b;
}

void
tns_build_end (tns_builder *b)
{
  isl_set_free (b->domain);
  isl_set_free (b->ranges);
  tns_built_free (b);
}

/* Make the tables of B and the parts of its scop that are there from the
   start.  */
static void
begin (tns_builder *b)
{
  int n_syms = b->scop->region->n_syms;
  b->born = TNS_NEW_ARRAY (b->arena, int, n_syms + 1);
  b->life = TNS_NEW_ARRAY (b->arena, int, n_syms + 1);
  b->writers = TNS_NEW_ARRAY (b->arena, int, n_syms + 1);
  for (int k = 0; k < n_syms; k++)
    b->born[k] = TNS_BORN_OUTSIDE;
  tns_node_walk (b->scop->region->body, visit_census, b);
  b->iter = TNS_NEW_ARRAY (b->arena, tns_sym *, b->n_iters + 1);
  b->loop = TNS_NEW_ARRAY (b->arena, tns_node *, b->n_iters + 1);
  b->position = TNS_NEW_ARRAY (b->arena, int, b->n_iters + 1);
  b->n_iters = 0;
}

/* Add the affine ones of N FACTS to the context.  */
static void
add_facts (tns_builder *b, int n, tns_expr **facts)
{
  for (int k = 0; k < n; k++)
    {
      isl_set *holds = tns_build_cond (b, facts[k], false);
      if (holds)
        b->scop->context
          = isl_set_intersect (b->scop->context, isl_set_params (holds));
    }
}

/* Whether isl gave nothing but whole objects.  */
static bool
whole (const tns_scop *scop)
{
  if (!scop->context)
    return false;
  for (int s = 0; s < scop->n_stmts; s++)
    {
      const tns_stmt *stmt = &scop->stmt[s];
      if (!stmt->domain || !stmt->order)
        return false;
      for (int a = 0; a < stmt->n_accesses; a++)
        if (!stmt->access[a].map)
          return false;
    }
  return true;
}

/* SCOP without statements that are never executed.  */
static void
drop_empty (tns_builder *b)
{
  tns_scop *scop = b->scop;
  int kept = 0;
  for (int s = 0; s < scop->n_stmts; s++)
    {
      tns_stmt *stmt = &scop->stmt[s];
      isl_bool empty = isl_set_is_empty (stmt->domain);
      b->failed |= empty < 0;
      if (empty == isl_bool_true)
        tns_scop_free_stmt (stmt);
      else
        scop->stmt[kept++] = *stmt;
    }
  scop->n_stmts = kept;
}

tns_scop *
tns_build_begin (tns_ctx *ctx, tns_region *region, tns_builder *b)
{
  tns_scop *scop = TNS_NEW (ctx->arena, tns_scop);
  scop->ctx = ctx;
  scop->isl = tns_isl_new ();
  scop->steps = tns_text_new (ctx->arena);
  scop->region = tns_region_copy (ctx->arena, region);
  if (!scop->isl)
    return tns_refuse (ctx, region->loc, TNS_WHY_MEMORY);
  tns_isl_begin (ctx, scop->isl);
  scop->context = isl_set_universe (isl_space_params_alloc (scop->isl, 0));
  *b = tns_build_resume (ctx, scop);
  begin (b);
  add_facts (b, region->n_assume, region->assume);
  b->is_absurd = ctx->wish.n_facts > 0
                 && isl_set_is_empty (scop->context) == isl_bool_true;
  add_facts (b, region->n_guard, region->guard);
  return scop;
}

/* The model of REGION, for which index arrays are looked through with
   LOOKS.  */
static tns_scop *
build (tns_ctx *ctx, tns_region *region, bool looks)
{
  tns_builder b;
  tns_scop *scop = region ? tns_build_begin (ctx, region, &b) : NULL;
  if (!scop)
    return NULL;
  b.looks = looks;
  tns_build_statements (&b, region->body);
  tns_build_extents (&b);
  tns_build_rows (&b);
  drop_empty (&b);
  tns_scop_make_orders (scop);
  tns_build_end (&b);
  bool made = !b.failed && whole (scop)
              && isl_ctx_last_error (scop->isl) == isl_error_none;
  if (made && !b.is_absurd)
    return scop;
  if (made)
    tns_error (ctx, ctx->wish.facts[0].loc, TNS_WHY_CONTRADICTION);
  else
    tns_isl_refuse (ctx, scop->isl, region->loc, "scop");
  tns_scop_free (scop);
  return NULL;
}

tns_scop *
tns_scop_build (tns_ctx *ctx, tns_region *region)
{
  return build (ctx, region, false);
}

tns_scop *
tns_scop_build_looking (tns_ctx *ctx, tns_region *region)
{
  return build (ctx, region, true);
}

void
tns_scop_free_stmt (tns_stmt *stmt)
{
  stmt->domain = isl_set_free (stmt->domain);
  stmt->order = isl_map_free (stmt->order);
  for (int a = 0; a < stmt->n_accesses; a++)
    {
      stmt->access[a].map = isl_map_free (stmt->access[a].map);
      stmt->access[a].key = isl_map_free (stmt->access[a].key);
    }
}

void
tns_scop_free (tns_scop *scop)
{
  if (!scop)
    return;
  for (int k = 0; k < scop->n_params; k++)
    isl_id_free (scop->param_id[k]);
  isl_set_free (scop->context);
  for (int s = 0; s < scop->n_stmts; s++)
    tns_scop_free_stmt (&scop->stmt[s]);
  isl_ctx_free (scop->isl);
}

__isl_give isl_union_set *
tns_scop_domain (const tns_scop *scop)
{
  isl_union_set *domain = isl_union_set_empty_ctx (scop->isl);
  for (int s = 0; s < scop->n_stmts; s++)
    domain
      = isl_union_set_add_set (domain, isl_set_copy (scop->stmt[s].domain));
  return domain;
}

__isl_give isl_union_map *
tns_scop_order (const tns_scop *scop)
{
  isl_union_map *order = isl_union_map_empty_ctx (scop->isl);
  for (int s = 0; s < scop->n_stmts; s++)
    order = isl_union_map_add_map (order, isl_map_copy (scop->stmt[s].order));
  return order;
}

int
tns_scop_common_loops (const tns_stmt *a, const tns_stmt *b)
{
  int n = 0;
  while (n < a->n_iters && n < b->n_iters && a->loop[n] == b->loop[n])
    n++;
  return n;
}

int
tns_scop_stmt_of_set (const tns_scop *scop, __isl_keep isl_set *set)
{
  const char *name = isl_set_get_tuple_name (set);
  for (int s = 0; name && s < scop->n_stmts; s++)
    if (!strcmp (scop->stmt[s].name, name))
      return s;
  return -1;
}
