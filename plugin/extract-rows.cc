/* Rows that a table of pointers names.

     float **a;
     for (i = 0; i < n; i++)            before { even = every a[i] is
       for (j = 0; j < m; j++)                          first + i * step }
         a[i][j] = 0;             ->    guard even, step >= 1
                                        .. a_rows[i * step + j] ..

   Most programs allocate the rows of a matrix as one block, or one after the
   other, so that each begins as far behind the one before as the second behind
   the first.  Where that is so the matrix is a flat array, whose shape the
   stages behind this find as they do for all; where not, the original loops
   run.

   The table is read at the entry from the least row to the greatest that the
   loops name.  These two must be read by the loops for certain: each iterator
   stands at one end of its loop, all loops around are executed then, and no
   condition that is not known at the entry lies on the way.  What lies between
   two elements of a table can be read too.  A table that the region's stores
   may reach is checked not to overlap them, as plugin/extract-still.cc has it.
   Rows that are named by what is loaded and a single row are left alone.  */

#include "plugin/reader.hh"

extern "C"
{
#include "ir/walk.h"
}

/* Where the iterators stand, by sym->id: at their least value or at their
   most.  */
typedef enum stand
{
  ANYWHERE,
  LEAST,
  MOST
} stand;

/* An iteration of the loops that are being read.  */
typedef struct corner
{
  tns_reader *reader;
  stand *at;
} corner;

/* EXPR, an iterator's end in STAND.  */
static tns_expr *
end_of (const corner *c, const tns_sym *iter, stand at)
{
  const tns_range *range = &c->reader->range[iter->id];
  return at == MOST ? range->most : range->least;
}

static bool place_iterators (corner *c, const tns_expr *expr, stand at);

/* ITER stands AT, and what its bound mentions so that this is the end of
   all.  */
static bool
place_iterator (corner *c, const tns_sym *iter, stand at)
{
  const tns_expr *end = end_of (c, iter, at);
  if (!end || (c->at[iter->id] != ANYWHERE && c->at[iter->id] != at))
    return false;
  c->at[iter->id] = at;
  return place_iterators (c, end, at);
}

/* Let EXPR have the end AT of its values; false where no one iteration has
   that for certain.  */
static bool
place_iterators (corner *c, const tns_expr *expr, stand at)
{
  stand other = at == MOST ? LEAST : MOST;
  long long k;
  if (tns_is_over_values ((tns_expr *) expr))
    return true;
  switch (expr->op)
    {
    case TNS_SYM:
      return place_iterator (c, expr->sym, at);
    case TNS_ADD:
    case TNS_MIN:
    case TNS_MAX:
      return place_iterators (c, expr->arg[0], at)
             && place_iterators (c, expr->arg[1], at);
    case TNS_SUB:
      return place_iterators (c, expr->arg[0], at)
             && place_iterators (c, expr->arg[1], other);
    case TNS_MUL:
      return tns_expr_is_int (expr->arg[1], &k)
             && place_iterators (c, expr->arg[0], k < 0 ? other : at);
    case TNS_DIV:
    case TNS_FLOORDIV:
      return tns_expr_is_int (expr->arg[1], &k) && k > 0
             && place_iterators (c, expr->arg[0], at);
    default:
      return false;
    }
}

static tns_expr *value_at (corner *c, tns_expr *expr);

/* The changer of value_at; an iterator that stands anywhere stands at its
   least value.  */
static tns_expr *
change_iterator (tns_expr *expr, void *self)
{
  corner *c = (corner *) self;
  if (expr->op != TNS_SYM || expr->sym->kind != TNS_SYM_ITER)
    return expr;
  tns_expr *end = end_of (c, expr->sym, c->at[expr->sym->id]);
  return end ? value_at (c, end) : expr;
}

/* EXPR in the iteration C.  */
static tns_expr *
value_at (corner *c, tns_expr *expr)
{
  return tns_expr_rebuild (c->reader->arena, expr, change_iterator, c);
}

/* The condition under which the iteration C is executed and comes to what is
   being read, after COND; NULL when it cannot be said.  */
static tns_expr *
executed (corner *c, tns_expr *cond)
{
  tns_arena *arena = c->reader->arena;
  for (const tns_when *w = c->reader->when; w && cond; w = w->outer)
    {
      if (!w->from || !w->to)
        return NULL;
      tns_expr *more = tns_binary (arena, TNS_LT, value_at (c, w->from),
                                   value_at (c, w->to));
      cond = tns_is_over_values (more)
               ? tns_binary (arena, TNS_LAND, cond, more)
               : NULL;
    }
  return cond;
}

/* The end AT of INDEX in *VALUE, and *COND with what makes it certain; with
   COND NULL it need not be.  */
static bool
find_end (tns_reader *reader, tns_expr *index, stand at, tns_expr **value,
          tns_expr **cond)
{
  corner c
    = { reader, TNS_NEW_ARRAY (reader->arena, stand, reader->region->n_syms) };
  if (!place_iterators (&c, index, at))
    return false;
  *value = value_at (&c, index);
  if (cond)
    *cond = executed (&c, *cond);
  return (!cond || *cond) && tns_is_over_values (*value);
}

/* A variable that stands for what TABLE's rows are until that is known, named
   like TABLE.  */
static tree
stand_in (const tns_base *table, tree type)
{
  tree root = table->root;
  while (root && EXPR_P (root) && TREE_OPERAND_LENGTH (root) > 0)
    root = TREE_OPERAND (root, 0);
  tree name = root && DECL_P (root) ? DECL_NAME (root) : NULL_TREE;
  return build_decl (UNKNOWN_LOCATION, VAR_DECL, name, type);
}

/* A new VALUE called after what ROWS are.  */
static tns_sym *
new_value (tns_reader *reader, const tns_rows *rows, const char *word)
{
  const char *name = tns_arena_format (
    reader->arena, "%s_%s", tns_spell (reader->arena, rows->base->root), word);
  tree of = stand_in (rows->table, long_integer_type_node);
  return tns_new_value (reader, of, TNS_I64, name);
}

/* The rows of TYPE that TABLE names.  */
static tns_rows *
rows_of (tns_reader *reader, tns_base *table, tree type)
{
  for (tns_rows *rows = reader->rows; rows; rows = rows->next)
    if (rows->table == table)
      return rows;
  tns_rows *rows = TNS_NEW (reader->arena, tns_rows);
  rows->table = table;
  rows->base = tns_new_base (reader, stand_in (table, type));
  if (!rows->base)
    return NULL;
  rows->first = new_value (reader, rows, "first");
  rows->step = new_value (reader, rows, "step");
  rows->next = reader->rows;
  reader->rows = rows;
  return rows;
}

/* END is not beyond ENDS, the least (greatest, with MOST) of several.  */
static bool
is_within (const tns_expr *end, const tns_expr *ends, bool most)
{
  long long a, b;
  if (ends->op == (most ? TNS_MAX : TNS_MIN))
    return is_within (end, ends->arg[0], most)
           || is_within (end, ends->arg[1], most);
  if (tns_expr_is_int (end, &a) && tns_expr_is_int (ends, &b))
    return most ? a <= b : a >= b;
  return tns_expr_equal (end, ends);
}

/* The row INDEX lies between those of ROWS that are known to be named, whether
   or not the loops come to it.  */
static bool
is_row_between (tns_reader *reader, const tns_rows *rows, tns_expr *index)
{
  tns_expr *least, *most;
  return rows->least && find_end (reader, index, LEAST, &least, NULL)
         && find_end (reader, index, MOST, &most, NULL)
         && is_within (least, rows->least, false)
         && is_within (most, rows->most, true);
}

/* The loops name the row INDEX of ROWS.  */
static bool
note_row (tns_reader *reader, tns_rows *rows, tns_expr *index)
{
  tns_arena *arena = reader->arena;
  tns_expr *least, *most;
  tns_expr *cond = rows->cond ? rows->cond : tns_int_of (arena, TNS_BOOL, 1);
  if (is_row_between (reader, rows, index))
    return true;
  if (reader->conditional || !find_end (reader, index, LEAST, &least, &cond)
      || !find_end (reader, index, MOST, &most, &cond)
      || !tns_entry_tree (reader, least) || !tns_entry_tree (reader, most)
      || !tns_entry_tree (reader, cond))
    return false;
  rows->cond = cond;
  rows->least
    = rows->least ? tns_binary (arena, TNS_MIN, rows->least, least) : least;
  rows->most
    = rows->most ? tns_binary (arena, TNS_MAX, rows->most, most) : most;
  return true;
}

/* REF, a pointer in a table, is element *INDEX of *TABLE.  */
static bool
read_table (tns_reader *reader, tree ref, tns_base **table, tns_expr **index)
{
  tns_address place;
  if (!tns_read_place (reader, ref, &place) || place.base->is_local
      || place.base->rank != 1 || place.n != 1 || !POINTER_TYPE_P (place.type))
    return false;
  *table = place.base;
  *index = tns_as_index (reader, place.sub[0]);
  return *index && tns_is_pure (*index);
}

const tns_base *
tns_table_of (tns_reader *reader, tree ref)
{
  tns_ctx before = *reader->ctx;
  tns_base *table;
  tns_expr *index;
  bool is_table
    = (TREE_CODE (ref) == INDIRECT_REF || TREE_CODE (ref) == ARRAY_REF)
      && read_table (reader, ref, &table, &index);
  tns_take_back (reader->ctx, &before);
  return is_table ? table : NULL;
}

bool
tns_read_row (tns_reader *reader, tree ref, tns_address *address)
{
  tree type = TYPE_MAIN_VARIANT (TREE_TYPE (ref));
  tree bytes = TYPE_SIZE_UNIT (TREE_TYPE (type));
  tns_ctx before = *reader->ctx;
  tns_base *table;
  tns_expr *index;
  if (!bytes || !tree_fits_shwi_p (bytes) || tree_to_shwi (bytes) == 0
      || !tns_holds_still (reader, ref)
      || (TREE_CODE (ref) != INDIRECT_REF && TREE_CODE (ref) != ARRAY_REF))
    return false;
  bool is_table = read_table (reader, ref, &table, &index);
  tns_take_back (reader->ctx, &before);
  tns_rows *rows = is_table ? rows_of (reader, table, type) : NULL;
  if (!rows || (!reader->trying && !note_row (reader, rows, index)))
    return false;
  tns_arena *arena = reader->arena;
  address->base = rows->base;
  address->n = 1;
  address->sub[0]
    = tns_binary (arena, TNS_MUL, index, tns_value (arena, rows->step));
  address->type = rows->base->unit[0];
  return true;
}

/* Append a cell that tells whether all of ROWS lie evenly, and a guard that
   asks.  */
static void
check_rows (tns_reader *reader, tns_rows *rows, tns_expr *load)
{
  tns_arena *arena = reader->arena;
  tns_region *region = reader->region;
  tns_type i64 = tns_scalar (TNS_I64);
  tns_expr *zero = tns_int (arena, 0);
  tns_expr *one = tns_int (arena, 1);
  tns_sym *even
    = tns_region_add_array (arena, region, "even", TNS_I64, 0, TNS_SYM_LOCAL);
  tns_sym *iter = tns_region_add_iter (arena, region, "row");
  tns_expr *row = tns_value (arena, iter);
  tns_expr *step = tns_value (arena, rows->step);
  long long bytes = tree_to_shwi (TYPE_SIZE_UNIT (rows->base->unit[0]));
  tns_expr *at = tns_binary (
    arena, TNS_ADD, tns_value (arena, rows->first),
    tns_binary (arena, TNS_MUL, row,
                tns_binary (arena, TNS_MUL, step, tns_int (arena, bytes))));
  tns_expr *is_even
    = tns_binary (arena, TNS_EQ,
                  tns_cast (arena, i64, tns_load (arena, load->sym, &row)), at);
  tns_node *body = tns_block (arena, region->loc);
  tns_block_add (
    arena, body,
    tns_assign (arena, region->loc, tns_cell (arena, even), TNS_MIN,
                tns_ternary (arena, TNS_SELECT, is_even, one, zero)));
  tns_expr *end
    = tns_ternary (arena, TNS_SELECT, tns_binary (arena, TNS_NE, step, zero),
                   tns_binary (arena, TNS_ADD, rows->most, one), rows->least);
  if (tns_may_be_stored (reader, rows->table->type))
    {
      tns_region_add_still (arena, region,
                            tns_load (arena, load->sym, &rows->least));
      tns_region_add_still (arena, region,
                            tns_load (arena, load->sym, &rows->most));
    }
  if (!region->before)
    region->before = tns_block (arena, region->loc);
  tns_block_add (arena, region->before, tns_local (arena, region->loc, even));
  tns_block_add (
    arena, region->before,
    tns_assign (arena, region->loc, tns_cell (arena, even), TNS_NONE, one));
  tns_block_add (
    arena, region->before,
    tns_loop (arena, region->loc, iter, rows->least, end, 1, body));
  even->loc = iter->loc = region->loc;
  tns_region_add_guard (arena, region, tns_binary (arena, TNS_GE, step, one));
  tns_region_add_guard (
    arena, region, tns_binary (arena, TNS_GE, tns_cell (arena, even), one));
}

/* Element AT, a tree, of the table at ADDRESS, as a number.  */
static tree
number_at (tree address, tree at)
{
  tree type = TREE_TYPE (TREE_TYPE (address));
  tree bytes = fold_build2 (MULT_EXPR, sizetype, fold_convert (sizetype, at),
                            TYPE_SIZE_UNIT (type));
  tree element = build1 (INDIRECT_REF, type,
                         fold_build2 (POINTER_PLUS_EXPR, TREE_TYPE (address),
                                      unshare_expr (address), bytes));
  return fold_convert (long_integer_type_node, element);
}

/* STEP, a tree, or, where that is zero, -1: rows in one place do not lie
   evenly.  */
static tree
not_zero (tree step)
{
  tree type = TREE_TYPE (step);
  tree is_zero = build2 (EQ_EXPR, boolean_type_node, unshare_expr (step),
                         build_zero_cst (type));
  return build2 (MINUS_EXPR, type, step, fold_convert (type, is_zero));
}

/* What the stand-ins of ROWS stand for: without rows both are zero, with one
   row the step is.  */
static bool
set_trees (tns_reader *reader, tns_rows *rows)
{
  tree type = long_integer_type_node;
  tree least = tns_entry_tree (reader, rows->least);
  tree most = tns_entry_tree (reader, rows->most);
  tree cond = tns_entry_tree (reader, rows->cond);
  if (!least || !most || !cond)
    return false;
  tree table = tns_base_address (rows->table);
  tree bytes = fold_convert (type, TYPE_SIZE_UNIT (rows->base->unit[0]));
  tree zero = build_zero_cst (type);
  tree next
    = build2 (PLUS_EXPR, type, unshare_expr (least), build_one_cst (type));
  tree several = build2 (LT_EXPR, boolean_type_node, unshare_expr (least),
                         unshare_expr (most));
  tree apart = build2 (MINUS_EXPR, type, number_at (table, next),
                       number_at (table, unshare_expr (least)));
  tree step = build2 (TRUNC_DIV_EXPR, type, apart, bytes);
  several = build2 (TRUTH_ANDIF_EXPR, boolean_type_node, unshare_expr (cond),
                    several);
  step = build3 (COND_EXPR, type, several, not_zero (step), zero);
  tree before = build2 (MULT_EXPR, type, unshare_expr (step),
                        build2 (MULT_EXPR, type, unshare_expr (least), bytes));
  tree first = build2 (MINUS_EXPR, type,
                       number_at (table, unshare_expr (least)), before);
  first = build3 (COND_EXPR, type, cond, first, zero);
  reader->load[rows->step->id] = step;
  reader->load[rows->first->id] = first;
  rows->base->root
    = fold_convert (TREE_TYPE (rows->base->root), unshare_expr (first));
  return true;
}

/* One of the first N_SYMS symbols stands for what ROWS are or for a member of
   that, and NAMED, unless NULL, has it.  */
static bool
have_symbol (const tns_reader *reader, const tns_rows *rows, int n_syms,
             const bool *named)
{
  for (const tns_base *base = reader->bases; base; base = base->next)
    {
      const tns_base *root = base;
      while (root->outer)
        root = root->outer;
      if (root == rows->base && base->sym && base->sym->id < n_syms
          && (!named || named[base->sym->id]))
        return true;
    }
  return false;
}

bool
tns_finish_rows (tns_reader *reader, const bool *named)
{
  int n_syms = reader->region->n_syms;
  for (tns_rows *rows = reader->rows; rows; rows = rows->next)
    {
      if (!have_symbol (reader, rows, n_syms, named))
        continue;
      tns_address start = {
        rows->table, 1, { tns_int (reader->arena, 0) }, rows->table->type, false
      };
      tns_expr *load = tns_place_load (reader, &start, rows->base->root, false);
      if (!load)
        return false;
      check_rows (reader, rows, load);
    }
  return true;
}

bool
tns_set_rows (tns_reader *reader)
{
  int n_syms = reader->region->n_syms;
  for (tns_rows *rows = reader->rows; rows; rows = rows->next)
    if (rows->least && have_symbol (reader, rows, n_syms, NULL)
        && !set_trees (reader, rows))
      return false;
  return true;
}
