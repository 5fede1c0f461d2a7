/* Accesses of statements.

     S[n,c]:  y[n] += x[n][idx[c]]

       read   idx   { S[n,c] -> idx[c] }
       read   x     { S[n,c] -> x[n,e] }      may: e is not affine, and lies
                                              where idx lets it, if that is
                                              known (ir/ends.h)
       read   y     { S[n,c] -> y[n] }        update add
       write  y     { S[n,c] -> y[n] }        update add

   Loops inside an approximated statement are walked like others, with bounds
   where these are affine, and projected out of the maps.  */

#include "poly/scop-build.h"

#include "ir/ends.h"
#include "ir/walk.h"

/* Who collects: the builder, the statement, whether all is approximate.  */
typedef struct collector
{
  tns_builder *b;
  tns_stmt *stmt;
  bool approximate;
} collector;

/* A tuple name for SYM, different in each of its lives.  */
static const char *
array_name (tns_builder *b, const tns_sym *sym)
{
  const char *name = sym->name;
  for (int k = 0; k < b->scop->n_arrays; k++)
    if (b->scop->array[k].sym == sym)
      name = tns_arena_format (b->arena, "%s'", name);
  return name;
}

/* The position in scop->array of SYM in its current life, put there when it
   is new.  */
static int
find_array (tns_builder *b, tns_sym *sym)
{
  tns_scop *scop = b->scop;
  int n = scop->n_arrays;
  if (b->life[sym->id] > 0)
    return b->life[sym->id] - 1;
  scop->array = tns_build_room (b->arena, scop->array, n, sizeof *scop->array);
  int born = b->born[sym->id];
  scop->array[n] = (tns_array){
    .sym = sym,
    .name = array_name (b, sym),
    .n_private = born > 0 ? born : 0,
    .dead_after = tns_sym_is_dead_after (sym),
  };
  scop->n_arrays++;
  b->life[sym->id] = n + 1;
  return n;
}

/* { D -> [i] } for iterator POS of the current domain.  */
static __isl_give isl_aff *
iterator_aff (tns_builder *b, int pos)
{
  isl_space *space = isl_set_get_space (b->domain);
  isl_local_space *local = isl_local_space_from_space (space);
  return isl_aff_var_on_domain (local, isl_dim_set, (unsigned) pos);
}

/* { D -> [e] } for all e.  */
static __isl_give isl_map *
any_subscript (tns_builder *b)
{
  isl_space *space = isl_space_from_domain (isl_set_get_space (b->domain));
  return isl_map_universe (isl_space_add_dims (space, isl_dim_out, 1));
}

/* { D -> [e] } for all e that are not less than END or, with MOST, not
   greater.  */
static __isl_give isl_map *
beyond (tns_builder *b, tns_expr *end, bool most)
{
  isl_pw_aff *value = tns_build_affine (b, end);
  if (!value)
    return any_subscript (b);
  isl_map *at = isl_map_from_pw_aff (value);
  isl_space *space = isl_space_range (isl_map_get_space (at));
  isl_map *side = most ? isl_map_lex_ge (space) : isl_map_lex_le (space);
  return isl_map_apply_range (at, side);
}

/* { D -> [e] } for a subscript; what it may be, and *MAY is set, when it is
   not affine.  */
static __isl_give isl_map *
subscript_map (tns_builder *b, tns_expr *subscript, bool *may)
{
  isl_pw_aff *value = tns_build_affine (b, subscript);
  tns_ends ends;
  if (value)
    return isl_map_from_pw_aff (value);
  *may = true;
  tns_expr *known = tns_build_resolve (b, subscript);
  if (!tns_ends_here (b->arena, b->scop->region, known, &ends))
    return any_subscript (b);
  return isl_map_intersect (beyond (b, ends.least, false),
                            beyond (b, ends.most, true));
}

/* { D -> [e..] } for the N subscripts ARG of an element of ARRAY, behind the
   coordinates that are its own, all of them functions of the iterators wherever
   these are; NULL when one is not.  One map of all is made, not a product for
   each: isl asks of every product whether it is empty.  */
static __isl_give isl_map *
plain_map (tns_builder *b, const tns_array *array, tns_expr **arg)
{
  int n = array->n_private + array->sym->rank;
  isl_space *space = isl_space_from_domain (isl_set_get_space (b->domain));
  isl_multi_aff *all = isl_multi_aff_zero (
    isl_space_add_dims (space, isl_dim_out, (unsigned) n));
  bool plain = true;
  for (int k = 0; k < n && plain; k++)
    {
      isl_pw_aff *value = k < array->n_private
                            ? isl_pw_aff_from_aff (iterator_aff (b, k))
                            : tns_build_affine (b, arg[k - array->n_private]);
      plain = value && isl_pw_aff_isa_aff (value) == isl_bool_true;
      if (plain)
        all = isl_multi_aff_set_at (all, k, isl_pw_aff_as_aff (value));
      else
        isl_pw_aff_free (value);
    }
  if (plain)
    return isl_map_intersect_domain (isl_map_from_multi_aff (all),
                                     isl_set_copy (b->domain));
  isl_multi_aff_free (all);
  return NULL;
}

/* The same for any subscripts: what one may be that is not affine, and *MAY is
   set.  */
static __isl_give isl_map *
product_map (tns_builder *b, const tns_array *array, tns_expr **arg, bool *may)
{
  isl_map *map = isl_map_from_domain (isl_set_copy (b->domain));
  for (int k = 0; k < array->n_private; k++)
    map = isl_map_flat_range_product (map,
                                      isl_map_from_aff (iterator_aff (b, k)));
  for (int k = 0; k < array->sym->rank; k++)
    map = isl_map_flat_range_product (map, subscript_map (b, arg[k], may));
  return map;
}

/* { S[i] -> A[e] } for the element of ARRAY that EXPR names.  */
static __isl_give isl_map *
access_map (tns_builder *b, tns_stmt *stmt, const tns_array *array,
            tns_expr *expr, bool *may)
{
  isl_map *map = plain_map (b, array, expr->arg);
  if (!map)
    map = product_map (b, array, expr->arg, may);
  map = isl_map_project_out (map, isl_dim_in, (unsigned) b->n_exact,
                             (unsigned) (b->n_iters - b->n_exact));
  isl_id *in = isl_id_alloc (b->isl, stmt->name, NULL);
  isl_id *out = isl_id_alloc (b->isl, array->name, NULL);
  map = isl_map_set_tuple_id (map, isl_dim_in, in);
  return isl_map_set_tuple_id (map, isl_dim_out, out);
}

/* The read through EXPR, of array ARRAY, that STMT has without updating it, or
   NULL.  */
static tns_access *
find_read (tns_stmt *stmt, int array, const tns_expr *expr)
{
  for (int a = 0; a < stmt->n_accesses; a++)
    {
      tns_access *access = &stmt->access[a];
      if (!access->write && access->update == TNS_NONE && access->array == array
          && tns_expr_equal (access->expr, expr))
        return access;
    }
  return NULL;
}

/* What is read through ACCESS is read through MORE too, whose maps are taken;
   what was read for certain stays so.  */
static void
widen_read (tns_access *access, const tns_access *more)
{
  if (tns_access_is_keyed_like (access, more))
    access->key = isl_map_union (access->key, more->key);
  else
    {
      isl_map_free (more->key);
      access->key = isl_map_free (access->key);
    }
  if (!access->may
      && isl_map_is_subset (more->map, access->map) == isl_bool_true)
    {
      isl_map_free (more->map);
      return;
    }
  access->map = isl_map_coalesce (isl_map_union (access->map, more->map));
  access->may |= more->may;
}

/* Append an access through EXPR, a LOAD; the reads of one place are one.  */
static void
add_access (const collector *c, tns_expr *expr, bool write, bool may,
            tns_op update)
{
  tns_builder *b = c->b;
  tns_stmt *stmt = c->stmt;
  if (b->born[expr->sym->id] == TNS_BORN_INSIDE_STATEMENT)
    return;
  int n = stmt->n_accesses;
  stmt->access
    = tns_build_room (b->arena, stmt->access, n, sizeof *stmt->access);
  int array = find_array (b, expr->sym);
  tns_access access
    = { .array = array, .write = write, .update = update, .expr = expr };
  access.map
    = access_map (b, stmt, &b->scop->array[array], expr, &access.by_index);
  access.may = may || c->approximate || access.by_index;
  tns_build_key (b, stmt, &access);
  if (!access.key)
    tns_build_row_key (b, stmt, &access);
  bool is_read = !write && update == TNS_NONE;
  tns_access *same = is_read ? find_read (stmt, array, expr) : NULL;
  if (same)
    {
      widen_read (same, &access);
      return;
    }
  stmt->access[n] = access;
  stmt->n_accesses++;
  b->scop->array[array].written |= write;
}

static bool visit_read (tns_expr *expr, void *self);

/* The reads of ARM, which is evaluated where COND holds or, with NEGATE, does
   not.  */
static void
collect_arm (collector *c, tns_expr *arm, tns_expr *cond, bool negate)
{
  tns_builder *b = c->b;
  isl_set *outer = b->domain;
  isl_set *inner = arm->n_args > 0 ? tns_build_within (b, cond, negate) : NULL;
  b->domain = inner ? inner : isl_set_copy (outer);
  tns_expr_walk (arm, visit_read, c);
  isl_set_free (b->domain);
  b->domain = outer;
}

/* A read for EXPR when it is one.  */
static bool
visit_read (tns_expr *expr, void *self)
{
  if (tns_expr_reads (expr))
    add_access (self, expr, false, false, TNS_NONE);
  bool is_choice = expr->op == TNS_SELECT;
  if (!is_choice && expr->op != TNS_LAND && expr->op != TNS_LOR)
    return true;
  tns_expr_walk (expr->arg[0], visit_read, self);
  collect_arm (self, expr->arg[1], expr->arg[0], expr->op == TNS_LOR);
  if (is_choice)
    collect_arm (self, expr->arg[2], expr->arg[0], true);
  return false;
}

/* The accesses of an ASSIGN: what the subscripts and the value read, then
   the target.  */
static void
collect_assign (collector *c, tns_node *node)
{
  for (int k = 0; k < node->target->n_args; k++)
    tns_expr_walk (node->target->arg[k], visit_read, c);
  tns_expr_walk (node->value, visit_read, c);
  tns_expr_walk (node->mask, visit_read, c);
  bool may = node->mask != NULL;
  if (node->update != TNS_NONE)
    add_access (c, node->target, false, may, node->update);
  add_access (c, node->target, true, may, node->update);
}

/* The accesses of a LOOP inside an approximated statement.  */
static void
collect_loop (collector *c, tns_node *node)
{
  tns_builder *b = c->b;
  bool approximate = c->approximate;
  c->approximate = approximate && node != c->stmt->node;
  tns_expr_walk (node->lo, visit_read, c);
  tns_expr_walk (node->hi, visit_read, c);
  c->approximate = approximate;
  isl_set *outer = isl_set_copy (b->domain);
  int n_known = b->n_known;
  if (!tns_build_enter_loop (b, node, true))
    {
      isl_set_free (outer);
      return;
    }
  tns_build_accesses (b, c->stmt, node->body, true);
  b->n_known = n_known;
  tns_build_leave_loop (b, outer);
}

/* The accesses of an IF's branch, where COND holds or, with NEGATE, does
   not.  */
static void
collect_branch (collector *c, tns_node *branch, tns_expr *cond, bool negate)
{
  tns_builder *b = c->b;
  isl_set *outer = b->domain;
  int n_known = b->n_known;
  isl_set *inner = branch ? tns_build_within (b, cond, negate) : NULL;
  b->domain = inner ? inner : isl_set_copy (outer);
  tns_build_accesses (b, c->stmt, branch, true);
  isl_set_free (b->domain);
  b->domain = outer;
  b->n_known = n_known;
}

/* The accesses of a BLOCK's kids.  */
static void
collect_block (collector *c, tns_node *node)
{
  tns_builder *b = c->b;
  int n_known = b->n_known;
  for (int k = 0; k < node->n_kids; k++)
    tns_build_accesses (b, c->stmt, node->kid[k], c->approximate);
  b->n_known = n_known;
}

void
tns_build_accesses (tns_builder *b, tns_stmt *stmt, tns_node *node,
                    bool approximate)
{
  if (!node || b->failed)
    return;
  collector c = { b, stmt, approximate };
  switch (node->kind)
    {
    case TNS_BLOCK:
      collect_block (&c, node);
      break;
    case TNS_LOOP:
      collect_loop (&c, node);
      break;
    case TNS_ASSIGN:
      collect_assign (&c, node);
      tns_build_note_known (b, node);
      break;
    case TNS_IF:
      c.approximate = approximate && node != stmt->node;
      tns_expr_walk (node->cond, visit_read, &c);
      c.approximate = approximate;
      collect_branch (&c, node->then, node->cond, false);
      collect_branch (&c, node->otherwise, node->cond, true);
      break;
    case TNS_LOCAL:
      b->born[node->sym->id] = TNS_BORN_INSIDE_STATEMENT;
      break;
    case TNS_PREFETCH:
      break;
    }
}

/* Whether NODE writes the cell SYM whatever data decides.  */
static bool
surely_writes (const tns_node *node, const tns_sym *sym)
{
  if (!node)
    return false;
  if (node->kind == TNS_ASSIGN)
    return node->target->sym == sym && !node->mask;
  if (node->kind == TNS_IF)
    return surely_writes (node->then, sym)
           && surely_writes (node->otherwise, sym);
  for (int k = 0; k < node->n_kids; k++)
    if (surely_writes (node->kid[k], sym))
      return true;
  return false;
}

void
tns_build_sure_writes (tns_builder *b, tns_stmt *stmt)
{
  for (int a = 0; a < stmt->n_accesses; a++)
    {
      tns_access *access = &stmt->access[a];
      const tns_sym *sym = b->scop->array[access->array].sym;
      if (access->write && sym->rank == 0 && surely_writes (stmt->node, sym))
        access->may = false;
    }
}
