/* Which elements of A does A[idx[i]] reach?

     for i = 0 to n                   before {
       y[i] = A[idx[i]]                 local i64 idx_least, idx_most
                              ->        idx_least = 0,  idx_most = 0
                                        for i = 0 to n
                                          idx_least min= idx[i]
                                          idx_most max= idx[i]
                                      }
                                      span A idx_least to idx_most + 1

   Rows that are read whole are looked at as one long row: idx[0][k], where
   k is less than all rows' elements.

   Only elements that the region reads for certain are looked at: what all
   statements read of idx must be a box, the product of what each subscript
   takes, so that its corners are read and what lies between them is of the
   same object.  Where nothing is read the ends are 0.  Arrays that the
   region may write are not looked at.  */

#include "poly/scan.h"

#include "ir/simplify.h"
#include "ir/walk.h"

/* What the region reads of array SYM, so far; NULL: nothing.  */
typedef struct scan
{
  tns_ctx *ctx;
  tns_scop *scop;
  tns_sym *sym;
  isl_set *read;
} scan;

/* Add what STMT reads.  False when that is not exactly known, or it
   writes.  */
static bool
add_stmt (scan *s, const tns_stmt *stmt)
{
  for (int a = 0; a < stmt->n_accesses; a++)
    {
      const tns_access *access = &stmt->access[a];
      if (s->scop->array[access->array].sym != s->sym)
        continue;
      if (access->may || access->write)
        return false;
      isl_set *more = isl_map_range (isl_map_copy (access->map));
      s->read = s->read ? isl_set_union (s->read, more) : more;
    }
  return true;
}

/* READ with all subscripts but K free.  */
static __isl_give isl_set *
along (__isl_keep isl_set *read, int k)
{
  isl_set *set = isl_set_copy (read);
  unsigned n = (unsigned) isl_set_dim (set, isl_dim_set);
  set = isl_set_eliminate (set, isl_dim_set, (unsigned) k + 1,
                           n - (unsigned) k - 1);
  return isl_set_eliminate (set, isl_dim_set, 0, (unsigned) k);
}

/* READ is the product of what its subscripts take.  */
static bool
is_box (__isl_keep isl_set *read, int rank)
{
  if ((int) isl_set_dim (read, isl_dim_set) != rank)
    return false;
  isl_set *box = isl_set_universe (isl_set_get_space (read));
  for (int k = 0; k < rank; k++)
    box = isl_set_intersect (box, along (read, k));
  isl_bool same = isl_set_is_subset (box, read);
  isl_set_free (box);
  return same == isl_bool_true;
}

/* The least (greatest, with MOST) subscript K of READ, NULL when it has
   none.  */
static tns_expr *
bound (const scan *s, int k, bool most)
{
  isl_bool bounded
    = most ? isl_set_dim_has_upper_bound (s->read, isl_dim_set, (unsigned) k)
           : isl_set_dim_has_lower_bound (s->read, isl_dim_set, (unsigned) k);
  if (bounded != isl_bool_true)
    return NULL;
  isl_pw_aff *value = most ? isl_set_dim_max (isl_set_copy (s->read), k)
                           : isl_set_dim_min (isl_set_copy (s->read), k);
  isl_set *context = isl_set_params (isl_set_copy (s->read));
  value = isl_pw_aff_coalesce (isl_pw_aff_gist (value, context));
  tns_expr *expr = isl_pw_aff_n_piece (value) == 1
                     ? tns_scop_expr_of_pw_aff (s->scop, value)
                     : NULL;
  isl_pw_aff_free (value);
  return expr;
}

/* CELL = CELL OP VALUE.  */
static tns_node *
update (const scan *s, tns_sym *cell, tns_op op, tns_expr *value)
{
  tns_arena *arena = s->ctx->arena;
  return tns_assign (arena, s->scop->region->loc, tns_cell (arena, cell), op,
                     value);
}

/* The subscripts from the least to before END of READ's subscript K; false
   when they cannot be written.  */
static bool
bounds (const scan *s, int k, tns_expr **lo, tns_expr **end)
{
  tns_arena *arena = s->ctx->arena;
  *lo = bound (s, k, false);
  tns_expr *last = bound (s, k, true);
  if (!*lo || !last)
    return false;
  *end = tns_binary (arena, TNS_ADD, last, tns_int (arena, 1));
  *end = tns_expr_simplify (s->ctx, *end);
  return true;
}

/* All of the array's subscripts K are read, from LO to END.  */
static bool
is_whole (const scan *s, int k, const tns_expr *lo, const tns_expr *end)
{
  long long first;
  tns_expr *extent = tns_expr_simplify (s->ctx, s->sym->extent[k]);
  return !s->sym->stride && tns_expr_is_int (lo, &first) && first == 0
         && tns_expr_equal (end, extent);
}

/* BODY in a loop for subscript *K and those in front of which whole rows are
   read; AT gets the subscripts.  *K becomes the next one outwards.  NULL when
   an end cannot be written.  */
static tns_node *
row_loop (const scan *s, int *k, tns_expr **at, tns_node *body)
{
  tns_arena *arena = s->ctx->arena;
  tns_region *region = s->scop->region;
  tns_sym *iter = tns_region_add_iter (arena, region, "k");
  tns_expr *lo, *end;
  tns_expr *row = tns_int (arena, 1);
  if (!bounds (s, *k, &lo, &end))
    return NULL;
  at[*k] = tns_value (arena, iter);
  for (; *k > 0 && is_whole (s, *k, lo, end); --*k)
    {
      row = tns_binary (arena, TNS_MUL, s->sym->extent[*k], row);
      at[*k - 1] = tns_int (arena, 0);
      if (!bounds (s, *k - 1, &lo, &end))
        return NULL;
    }
  --*k;
  lo = tns_binary (arena, TNS_MUL, lo, row);
  end = tns_binary (arena, TNS_MUL, end, row);
  return tns_loop (arena, region->loc, iter, lo, end, 1, body);
}

/* The loops that look at all of the box; NULL when it has an end that cannot
   be written.  */
static tns_node *
loops (const scan *s, tns_sym *least, tns_sym *most)
{
  tns_arena *arena = s->ctx->arena;
  tns_loc loc = s->scop->region->loc;
  tns_expr *at[TNS_MOST_RANK];
  tns_node *body = tns_block (arena, loc);
  tns_node *node = body;
  for (int k = s->sym->rank - 1; k >= 0 && node;)
    node = row_loop (s, &k, at, node);
  if (!node)
    return NULL;
  tns_expr *value = tns_load (arena, s->sym, at);
  tns_block_add (arena, body, update (s, least, TNS_MIN, value));
  tns_block_add (arena, body, update (s, most, TNS_MAX, value));
  return node;
}

/* NODE when anything is read; NULL when that cannot be written.  */
static tns_node *
when_read (const scan *s, tns_node *node)
{
  isl_set *params = isl_set_params (isl_set_copy (s->read));
  params = isl_set_gist (params, isl_set_copy (s->scop->context));
  params = isl_set_coalesce (params);
  isl_bool always = isl_set_plain_is_universe (params);
  tns_expr *cond = NULL;
  if (always == isl_bool_false && isl_set_n_basic_set (params) <= 8)
    cond = tns_scop_cond_of_set (s->scop, params);
  isl_set_free (params);
  if (always == isl_bool_true || !cond)
    return always == isl_bool_true ? node : NULL;
  return tns_if (s->ctx->arena, s->scop->region->loc, cond, node, NULL);
}

/* A cell that WORD names, for what the region reads.  */
static tns_sym *
new_cell (const scan *s, const char *word)
{
  tns_arena *arena = s->ctx->arena;
  const char *name = tns_arena_format (arena, "%s_%s", s->sym->name, word);
  tns_sym *cell = tns_region_add_array (arena, s->scop->region, name,
                                        s->sym->type.elem, 0, TNS_SYM_LOCAL);
  cell->loc = s->scop->region->loc;
  return cell;
}

/* ENDS are what CELL[0] and CELL[1] hold.  */
static void
set_ends (tns_arena *arena, tns_sym *const *cell, tns_ends *ends)
{
  tns_type type = tns_scalar (TNS_I64);
  ends->least = tns_cast (arena, type, tns_cell (arena, cell[0]));
  ends->most = tns_cast (arena, type, tns_cell (arena, cell[1]));
}

/* Append the loops for the box to what comes before the region.  */
static bool
add_loops (const scan *s, tns_ends *ends)
{
  tns_arena *arena = s->ctx->arena;
  tns_region *region = s->scop->region;
  tns_sym *cell[2] = { new_cell (s, "least"), new_cell (s, "most") };
  tns_node *look = loops (s, cell[0], cell[1]);
  look = look ? when_read (s, look) : NULL;
  if (!look)
    return false;
  if (!region->before)
    region->before = tns_block (arena, region->loc);
  for (int k = 0; k < 2; k++)
    {
      tns_block_add (arena, region->before,
                     tns_local (arena, region->loc, cell[k]));
      tns_block_add (arena, region->before,
                     update (s, cell[k], TNS_NONE,
                             tns_int_of (arena, s->sym->type.elem, 0)));
    }
  tns_block_add (arena, region->before, look);
  set_ends (arena, cell, ends);
  return true;
}

/* The cells of SYM that are there already.  */
typedef struct search
{
  const tns_sym *sym;
  int n;
  tns_sym *cell[2];
} search;

/* The visitor that finds them, by what updates them.  */
static bool
note_cell (tns_node *node, void *self)
{
  search *s = self;
  if (node->kind == TNS_ASSIGN && node->update != TNS_NONE && s->n < 2
      && tns_expr_mentions (node->value, s->sym))
    s->cell[s->n++] = node->target->sym;
  return true;
}

bool
tns_scan_load (tns_ctx *ctx, tns_scop *scop, tns_expr *load, tns_ends *ends)
{
  scan s = { ctx, scop, load->sym, NULL };
  search known = { load->sym, 0, { NULL, NULL } };
  if (!tns_elem_is_integer (load->type.elem) || load->type.elem == TNS_U64)
    return false;
  if (scop->region->before)
    tns_node_walk (scop->region->before, note_cell, &known);
  if (known.n == 2)
    {
      set_ends (ctx->arena, known.cell, ends);
      return true;
    }
  bool exact = true;
  for (int k = 0; k < scop->n_stmts && exact; k++)
    exact = add_stmt (&s, &scop->stmt[k]);
  if (s.read && exact)
    s.read = isl_set_coalesce (
      isl_set_intersect_params (s.read, isl_set_copy (scop->context)));
  exact
    = exact && s.read && is_box (s.read, s.sym->rank) && add_loops (&s, ends);
  isl_set_free (s.read);
  return exact;
}

/* A search for what makes an iteration long.  */
static bool
note_function (tns_expr *expr, void *self)
{
  bool *is_long = self;
  *is_long = *is_long || tns_op_class (expr->op) == 'M';
  return !*is_long;
}

/* How many of STMT's iterators ACCESS moves with.  */
static int
count_iterators (const tns_stmt *stmt, const tns_access *access)
{
  int n = 0;
  for (int k = 0; k < stmt->n_iters; k++)
    n += tns_expr_mentions (access->expr, stmt->iter[k]);
  return n;
}

/* What comes before SCOP's region looks at an array that no statement
   reads.  */
static bool
looks_elsewhere (const tns_scop *scop)
{
  const tns_region *region = scop->region;
  for (int k = 0; region->before && k < region->n_params; k++)
    {
      const tns_sym *sym = region->params[k];
      if (sym->kind == TNS_SYM_ARRAY && tns_node_mentions (region->before, sym)
          && !tns_node_mentions (region->body, sym))
        return true;
    }
  return false;
}

bool
tns_scan_pays (const tns_scop *scop)
{
  const tns_region *region = scop->region;
  int looked = looks_elsewhere (scop);
  int deepest = 0;
  bool is_long = false;
  for (int s = 0; region->before && s < scop->n_stmts; s++)
    {
      const tns_stmt *stmt = &scop->stmt[s];
      for (int a = 0; a < stmt->n_accesses; a++)
        {
          int n = count_iterators (stmt, &stmt->access[a]);
          if (n > looked
              && tns_node_mentions (region->before, stmt->access[a].expr->sym))
            looked = n;
        }
      deepest = stmt->n_iters > deepest ? stmt->n_iters : deepest;
      tns_node_exprs (stmt->node, note_function, &is_long);
    }
  return !region->before || deepest > looked || is_long;
}
