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

   What is looked at is a box, the product of what each subscript takes: around
   all that is read or, for a load with steps or constants as idx[2 * i + 1],
   what that reads.  The region must read all of the box for certain, by any
   loads.  Where nothing is read the ends are 0.  Arrays that the
   region may write are not looked at.  */

#include "poly/scan.h"

#include <limits.h>

#include "ir/simplify.h"
#include "ir/walk.h"

/* What is looked at.

   certain  what the region reads of array SYM for certain
   all      and what it may read
   read     what the box is around
   load     what is looked at, as the region has it; when: a condition on it,
            or NULL
   step     of its subscripts, constant
   first    one value of each subscript, 0 <= first < step  */
typedef struct scan
{
  tns_ctx *ctx;
  tns_scop *scop;
  tns_sym *sym;
  isl_set *certain;
  isl_set *all;
  isl_set *read;
  tns_expr *load;
  tns_expr *when;
  long step[TNS_MOST_RANK];
  long first[TNS_MOST_RANK];
} scan;

/* SET, NULL: nothing, and MORE.  */
static __isl_give isl_set *
joined (__isl_take isl_set *set, __isl_take isl_set *more)
{
  return set ? isl_set_union (set, more) : more;
}

/* Add what STMT reads, and what LOAD reads there.  False when it writes.  */
static bool
add_stmt (scan *s, const tns_stmt *stmt, const tns_expr *load)
{
  for (int a = 0; a < stmt->n_accesses; a++)
    {
      const tns_access *access = &stmt->access[a];
      if (s->scop->array[access->array].sym != s->sym)
        continue;
      if (access->write)
        return false;
      isl_set *more = isl_map_range (isl_map_copy (access->map));
      if (access->expr && tns_expr_equal (access->expr, load))
        s->read = joined (s->read, isl_set_copy (more));
      if (!access->may)
        s->certain = joined (s->certain, isl_set_copy (more));
      s->all = joined (s->all, more);
    }
  return true;
}

/* SET where the region runs.  */
static __isl_give isl_set *
in_context (const scan *s, __isl_take isl_set *set)
{
  set = isl_set_intersect_params (set, isl_set_copy (s->scop->context));
  return isl_set_coalesce (set);
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

/* Set the step of subscript K of S's box.  True where it is not 1, or there is
   one value only.  */
static bool
set_step (scan *s, int k)
{
  isl_stride_info *info = isl_set_get_stride_info (s->read, k);
  isl_val *step = isl_stride_info_get_stride (info);
  isl_aff *first = isl_stride_info_get_offset (info);
  isl_val *at = isl_aff_get_constant_val (first);
  isl_val *only = isl_set_plain_get_val_if_fixed (s->read, isl_dim_set, k);
  bool is_fixed = isl_val_is_int (only) == isl_bool_true;
  s->step[k] = 1;
  s->first[k] = 0;
  if (!is_fixed && isl_aff_is_cst (first) == isl_bool_true
      && isl_val_is_int (at) == isl_bool_true && isl_val_cmp_si (step, 1) > 0
      && isl_val_cmp_si (step, INT_MAX) < 0)
    {
      s->step[k] = isl_val_get_num_si (step);
      s->first[k] = isl_val_get_num_si (at) % s->step[k];
    }
  isl_val_free (only);
  isl_val_free (at);
  isl_aff_free (first);
  isl_val_free (step);
  isl_stride_info_free (info);
  return is_fixed || s->step[k] > 1;
}

/* Set the box around READ.  True where a subscript has a step, or one
   value.  */
static bool
set_steps (scan *s)
{
  bool any = false;
  for (int k = 0; k < s->sym->rank; k++)
    any = set_step (s, k) || any;
  return any;
}

/* All of S's box is read for certain.  */
static bool
is_certain (const scan *s)
{
  isl_set *box = isl_set_universe (isl_set_get_space (s->read));
  for (int k = 0; k < s->sym->rank; k++)
    box = isl_set_intersect (box, along (s->read, k));
  isl_bool all = isl_set_is_subset (box, s->certain);
  isl_set_free (box);
  return all == isl_bool_true;
}

/* Set S's box: what LOAD reads, or all.  False where not all of that is read
   for certain.  */
static bool
set_box (scan *s, const tns_expr *load)
{
  for (int k = 0; k < s->scop->n_stmts; k++)
    if (!add_stmt (s, &s->scop->stmt[k], load))
      return false;
  if (!s->certain || (int) isl_set_dim (s->all, isl_dim_set) != s->sym->rank)
    return false;
  s->certain = in_context (s, s->certain);
  s->all = in_context (s, s->all);
  s->read = s->read ? in_context (s, s->read) : isl_set_copy (s->all);
  if (set_steps (s) && is_certain (s))
    return true;
  isl_set_free (s->read);
  s->read = isl_set_copy (s->all);
  set_steps (s);
  return is_certain (s);
}

/* The least (greatest, with MOST) step of subscript K of READ, NULL when it
   has none.  */
static tns_expr *
bound (const scan *s, int k, bool most)
{
  isl_pw_aff *value = tns_isl_end (s->read, k, most);
  if (!value)
    return NULL;
  isl_val *step = isl_val_int_from_si (s->scop->isl, s->step[k]);
  isl_val *first = isl_val_int_from_si (s->scop->isl, -s->first[k]);
  value = isl_pw_aff_add_constant_val (value, first);
  value = isl_pw_aff_floor (isl_pw_aff_scale_down_val (value, step));
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

/* The steps from the least to before END of READ's subscript K; false when they
   cannot be written.  */
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
  return !s->sym->stride && s->step[k] == 1 && tns_expr_is_int (lo, &first)
         && first == 0 && tns_expr_equal (end, extent);
}

/* Subscript K of the box at step ITER.  */
static tns_expr *
subscript (const scan *s, int k, tns_sym *iter)
{
  tns_arena *arena = s->ctx->arena;
  tns_expr *at = tns_value (arena, iter);
  if (s->step[k] == 1)
    return at;
  at = tns_binary (arena, TNS_MUL, tns_int (arena, s->step[k]), at);
  return tns_binary (arena, TNS_ADD, at, tns_int (arena, s->first[k]));
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
  at[*k] = subscript (s, *k, iter);
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

/* What takes the place of a load in a condition.  */
typedef struct replacement
{
  const tns_expr *load;
  tns_expr *value;
} replacement;

/* EXPR, or the value for the load.  */
static tns_expr *
replace_load (tns_expr *expr, void *self)
{
  const replacement *r = self;
  return tns_expr_equal (expr, r->load) ? r->value : expr;
}

/* BODY, which looks at VALUE, where S's condition holds of that.  */
static tns_node *
where_asked (const scan *s, tns_expr *value, tns_node *body)
{
  replacement r = { s->load, value };
  if (!s->when)
    return body;
  tns_arena *arena = s->ctx->arena;
  tns_node *block = tns_block (arena, body->loc);
  tns_expr *cond = tns_expr_rebuild (arena, s->when, replace_load, &r);
  tns_block_add (arena, block, tns_if (arena, body->loc, cond, body, NULL));
  return block;
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
  tns_node *inner = tns_block (arena, loc);
  tns_node *node = body;
  for (int k = s->sym->rank - 1; k >= 0 && node;)
    node = row_loop (s, &k, at, node);
  if (!node)
    return NULL;
  tns_expr *value = tns_load (arena, s->sym, at);
  tns_block_add (arena, inner, update (s, least, TNS_MIN, value));
  tns_block_add (arena, inner, update (s, most, TNS_MAX, value));
  inner = where_asked (s, value, inner);
  for (int k = 0; k < inner->n_kids; k++)
    tns_block_add (arena, body, inner->kid[k]);
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

/* A cell of REGION that WORD names, for what the region reads.  */
static tns_sym *
new_cell (const scan *s, tns_region *region, const char *word)
{
  tns_arena *arena = s->ctx->arena;
  const char *name = tns_arena_format (arena, "%s_%s", s->sym->name, word);
  tns_sym *cell = tns_region_add_array (arena, region, name, s->sym->type.elem,
                                        0, TNS_SYM_LOCAL);
  cell->loc = region->loc;
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

/* What looks at the box, into two cells of REGION; NULL when it cannot be
   written.  */
static tns_node *
look (const scan *s, tns_region *region, tns_sym **cell)
{
  cell[0] = new_cell (s, region, "least");
  cell[1] = new_cell (s, region, "most");
  tns_node *node = loops (s, cell[0], cell[1]);
  return node ? when_read (s, node) : NULL;
}

/* A and B, that look at something, look at the same.  */
static bool
is_same_look (tns_arena *arena, tns_node *a, tns_node *b)
{
  if (a->kind != b->kind || a->n_kids != b->n_kids)
    return false;
  for (int k = 0; k < a->n_kids; k++)
    if (!is_same_look (arena, a->kid[k], b->kid[k]))
      return false;
  if (a->kind == TNS_IF)
    return tns_expr_equal (a->cond, b->cond)
           && is_same_look (arena, a->then, b->then);
  if (a->kind == TNS_ASSIGN)
    return tns_expr_equal (a->value, b->value);
  if (a->kind != TNS_LOOP)
    return a->kind == TNS_BLOCK;
  tns_expr *iter = tns_value (arena, a->iter);
  tns_node *body = tns_node_substitute (arena, b->body, 1, &b->iter, &iter);
  return tns_expr_equal (a->lo, b->lo) && tns_expr_equal (a->hi, b->hi)
         && is_same_look (arena, a->body, body);
}

/* The cells that NODE, which looks at something, updates.  */
typedef struct cells
{
  int n;
  tns_sym *cell[2];
} cells;

/* The visitor that notes them.  */
static bool
note_cell (tns_node *node, void *self)
{
  cells *c = self;
  if (node->kind == TNS_ASSIGN && c->n < 2)
    c->cell[c->n++] = node->target->sym;
  return true;
}

/* What is before the region looks at S's box; into ENDS.  */
static bool
is_known (const scan *s, tns_ends *ends)
{
  tns_sym *cell[2];
  tns_arena *arena = s->ctx->arena;
  tns_node *before = s->scop->region->before;
  tns_node *wanted
    = before ? look (s, tns_region_new (arena, "look"), cell) : NULL;
  for (int k = 0; wanted && k < before->n_kids; k++)
    {
      cells c = { 0 };
      if (!is_same_look (arena, wanted, before->kid[k])
          || before->kid[k]->kind == TNS_ASSIGN)
        continue;
      tns_node_walk (before->kid[k], note_cell, &c);
      set_ends (arena, c.cell, ends);
      return true;
    }
  return false;
}

/* Append what looks at the box to what comes before the region.  */
static bool
add_look (const scan *s, tns_ends *ends)
{
  tns_arena *arena = s->ctx->arena;
  tns_region *region = s->scop->region;
  tns_sym *cell[2];
  tns_node *node = look (s, region, cell);
  if (!node)
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
  tns_block_add (arena, region->before, node);
  set_ends (arena, cell, ends);
  return true;
}

bool
tns_scan_load (tns_ctx *ctx, tns_scop *scop, tns_expr *load, tns_expr *when,
               tns_ends *ends)
{
  scan s = {
    .ctx = ctx, .scop = scop, .sym = load->sym, .load = load, .when = when
  };
  if (!tns_elem_is_integer (load->type.elem) || load->type.elem == TNS_U64)
    return false;
  bool found
    = set_box (&s, load) && (is_known (&s, ends) || add_look (&s, ends));
  isl_set_free (s.certain);
  isl_set_free (s.all);
  isl_set_free (s.read);
  return found;
}

/* The loop that looks whether an element of S's list is less than the one
   before, which *FALLS, a cell, counts; NULL when it cannot be written.  */
static tns_node *
falling_loop (const scan *s, tns_sym **falls)
{
  tns_arena *arena = s->ctx->arena;
  tns_region *region = s->scop->region;
  tns_loc loc = region->loc;
  tns_expr *lo, *end;
  tns_expr *one = tns_int (arena, 1);
  if (!bounds (s, 0, &lo, &end))
    return NULL;
  tns_sym *iter = tns_region_add_iter (arena, region, "k");
  tns_expr *at = tns_value (arena, iter);
  tns_expr *next = tns_binary (arena, TNS_ADD, at, one);
  tns_expr *is_less
    = tns_binary (arena, TNS_LT, tns_load (arena, s->sym, &next),
                  tns_load (arena, s->sym, &at));
  *falls = new_cell (s, region, "falls");
  tns_node *body = tns_block (arena, loc);
  tns_block_add (
    arena, body,
    update (s, *falls, TNS_MAX, tns_cast (arena, (*falls)->type, is_less)));
  end = tns_binary (arena, TNS_SUB, end, one);
  return tns_loop (arena, loc, iter, lo, tns_expr_simplify (s->ctx, end), 1,
                   body);
}

/* Append what looks whether S's list falls to what comes before the region, and
   the guard.  */
static bool
add_falling (const scan *s)
{
  tns_arena *arena = s->ctx->arena;
  tns_region *region = s->scop->region;
  tns_sym *falls;
  tns_expr *zero = tns_int_of (arena, s->sym->type.elem, 0);
  tns_node *node = falling_loop (s, &falls);
  node = node ? when_read (s, node) : NULL;
  if (!node)
    return false;
  if (!region->before)
    region->before = tns_block (arena, region->loc);
  tns_block_add (arena, region->before, tns_local (arena, region->loc, falls));
  tns_block_add (arena, region->before, update (s, falls, TNS_NONE, zero));
  tns_block_add (arena, region->before, node);
  tns_expr *cell = tns_cell (arena, falls);
  tns_region_add_guard (arena, region, tns_binary (arena, TNS_EQ, cell, zero));
  return true;
}

/* A search for a look at a list.  */
typedef struct search
{
  const tns_sym *sym;
  bool found;
} search;

/* The visitor.  */
static bool
find_fall (tns_node *node, void *self)
{
  search *s = self;
  const tns_expr *value = node->kind == TNS_ASSIGN ? node->value : NULL;
  const tns_expr *less = value && value->op == TNS_CAST ? value->arg[0] : NULL;
  if (less && less->op == TNS_LT)
    s->found |= less->arg[0]->op == TNS_LOAD && less->arg[0]->sym == s->sym
                && less->arg[1]->op == TNS_LOAD && less->arg[1]->sym == s->sym;
  return !s->found;
}

bool
tns_scan_saw_rise (const tns_region *region, const tns_sym *sym)
{
  search s = { sym, false };
  if (region->before)
    tns_node_walk (region->before, find_fall, &s);
  return s.found;
}

bool
tns_scan_rises (tns_ctx *ctx, tns_scop *scop, tns_sym *sym)
{
  scan s = { .ctx = ctx, .scop = scop, .sym = sym };
  if (!tns_elem_is_integer (sym->type.elem) || sym->rank != 1)
    return false;
  bool added = set_box (&s, NULL) && s.step[0] == 1 && add_falling (&s);
  isl_set_free (s.certain);
  isl_set_free (s.all);
  isl_set_free (s.read);
  return added;
}

/* The loops in NODE, one in another.  */
static int
count_loops (const tns_node *node)
{
  if (!node)
    return 0;
  int most = count_loops (node->then);
  int other = count_loops (node->otherwise);
  most = other > most ? other : most;
  for (int k = 0; k < node->n_kids; k++)
    {
      int kid = count_loops (node->kid[k]);
      most = kid > most ? kid : most;
    }
  return node->kind == TNS_LOOP ? count_loops (node->body) + 1 : most;
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
      int depth = stmt->n_iters + count_loops (stmt->node);
      deepest = depth > deepest ? depth : deepest;
      is_long |= tns_node_calls (stmt->node);
    }
  return !region->before || deepest > looked || is_long;
}
