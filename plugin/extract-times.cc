/* How often does a loop run whose condition compares what moves?

     for (p = x; p < x + n; p++)            n
     while (q < end) *p++ = *q++;           end - q, of their elements
     for (i = 0, j = n; i < j; i++, j--)    (n + 1) / 2
     for (i = 0; i < n; i += 2 * h)         (n + 2 * h - 1) / (2 * h), h > 0
     for (p = x; p != x + n; p += 4)        n / 4, without a rest

   Both sides are counters (plugin/extract-counter.cc) or stay as they are, so
   that their difference is start + t * by in iteration t.  Signed integers
   and pointers into one array only: nothing wraps.  */

#include "plugin/doubling.hh"

/* The loop: its counters and what it assigns.  */
typedef struct movement
{
  tns_counter *counters;
  const tns_trees *written;
} movement;

/* One side of a condition: what it is at the head of iteration 0, START, and
   what each one adds, BY; a pointer's PLACE.  */
typedef struct moving
{
  tns_expr *start;
  tns_expr *by;
  tns_address place;
} moving;

static bool moves_evenly (tns_reader *reader, const movement *l, tree operand,
                          tns_expr **by);

/* OPERAND is a sum, a difference or a product of signed integers that move
   evenly, of a product only one: *BY.  */
static bool
is_made_evenly (tns_reader *reader, const movement *l, tree operand,
                tns_expr **by)
{
  tns_expr *move[2];
  bool moves[2];
  tns_arena *arena = reader->arena;
  enum tree_code code = TREE_CODE (operand);
  if (!INTEGRAL_TYPE_P (TREE_TYPE (operand))
      || TYPE_UNSIGNED (TREE_TYPE (operand))
      || (code != PLUS_EXPR && code != MINUS_EXPR && code != MULT_EXPR))
    return false;
  for (int k = 0; k < 2; k++)
    {
      long long step;
      if (!moves_evenly (reader, l, TREE_OPERAND (operand, k), &move[k]))
        return false;
      moves[k] = !tns_expr_is_int (move[k], &step) || step != 0;
    }
  if (code != MULT_EXPR)
    *by = !moves[1] ? move[0]
                    : tns_binary (arena, code == PLUS_EXPR ? TNS_ADD : TNS_SUB,
                                  move[0], move[1]);
  else
    {
      tree stays = TREE_OPERAND (operand, moves[0]);
      tns_expr *times = tns_as_index (reader, tns_read_expr (reader, stays));
      if (moves[0] == moves[1] || !tns_is_pure (times))
        return false;
      *by = tns_binary (arena, TNS_MUL, move[moves[1]], times);
    }
  return true;
}

/* OPERAND is a counter, is made of such, or nothing of what the loop changes:
   *BY.  */
static bool
moves_evenly (tns_reader *reader, const movement *l, tree operand,
              tns_expr **by)
{
  tree decl = tns_bare (operand);
  *by = tns_int (reader->arena, 0);
  for (const tns_counter *c = l->counters; c; c = c->next)
    if (c->decl == decl)
      {
        *by = c->delta;
        return c->delta != NULL;
      }
  if (tns_tree_has_any (operand, l->written))
    return is_made_evenly (reader, l, decl, by);
  return true;
}

/* OPERAND, a signed integer or a pointer, as *SIDE.  */
static bool
read_side (tns_reader *reader, const movement *l, tree operand, moving *side)
{
  tree type = TREE_TYPE (operand);
  if (!moves_evenly (reader, l, operand, &side->by))
    return false;
  if (POINTER_TYPE_P (type))
    {
      tns_address *place = &side->place;
      bool is_read = tns_read_address (reader, operand, place) && place->n > 0;
      side->start = is_read ? place->sub[place->n - 1] : NULL;
      return is_read && tns_is_pure (side->start);
    }
  if (!INTEGRAL_TYPE_P (type) || TYPE_UNSIGNED (type)
      || TYPE_UNSIGNED (TREE_TYPE (tns_bare (operand))))
    return false;
  side->start = tns_as_index (reader, tns_read_expr (reader, operand));
  return side->start && tns_is_pure (side->start);
}

/* The number of elements from pointer value A to B.  */
static tns_expr *
distance (tns_reader *reader, const tns_base *a, const tns_base *b)
{
  tree bytes = TYPE_SIZE_UNIT (a->unit[0]);
  if (!bytes || !tree_fits_shwi_p (bytes))
    return NULL;
  tree way = build2 (POINTER_DIFF_EXPR, ptrdiff_type_node, b->root, a->root);
  way = build2 (EXACT_DIV_EXPR, ptrdiff_type_node, way,
                fold_convert (ptrdiff_type_node, bytes));
  return tns_as_index (
    reader, tns_entry_value (reader, way, ptrdiff_type_node, "length"));
}

/* A and B are places in one array: B's last subscript, *B_AT, is counted as
   A's is.  */
static bool
meet (tns_reader *reader, const tns_address *a, const tns_address *b,
      tns_expr **b_at)
{
  if (a->n != b->n || a->type != b->type)
    return false;
  for (int k = 0; k < a->n - 1; k++)
    if (!tns_expr_equal (a->sub[k], b->sub[k]))
      return false;
  if (a->base == b->base)
    return true;
  if (a->n != 1 || a->base->rank != 1 || b->base->rank != 1 || !a->base->root
      || !b->base->root || a->base->is_object || b->base->is_object)
    return false;
  tns_expr *way = distance (reader, a->base, b->base);
  *b_at = way ? tns_binary (reader->arena, TNS_ADD, way, *b_at) : NULL;
  return way != NULL;
}

/* BY is more than 0, or will be: a guard says so.  */
static bool
is_forward (tns_reader *reader, tns_expr *by)
{
  long long least;
  return (tns_lower_bound (reader, by, &least) && least > 0)
         || tns_guard_at_entry (reader, TNS_LE, tns_int (reader->arena, 1), by);
}

bool
tns_arrives (tns_reader *reader, tns_expr *from, tns_expr *to, long long k)
{
  tns_arena *arena = reader->arena;
  tns_expr *zero = tns_int (arena, 0);
  tns_expr *by = tns_int (arena, k);
  tns_expr *way = tns_binary (arena, TNS_SUB, to, from);
  return tns_guard_at_entry (reader, TNS_LE, from, to)
         && (tns_divided (reader, way, by)
             || tns_guard_at_entry (
               reader, TNS_LE, tns_binary (arena, TNS_MOD, way, by), zero));
}

bool
tns_is_wide_step (long long step)
{
  return step > INT_MAX || step < -INT_MAX;
}

/* The number of iterations while  A CODE B,  NULL when it has no end.  */
static tns_expr *
times_until (tns_reader *reader, enum tree_code code, const moving *a,
             const moving *b)
{
  tns_arena *arena = reader->arena;
  long long k, l;
  tns_expr *by = tns_binary (arena, TNS_SUB, a->by, b->by);
  bool is_known = tns_expr_is_int (a->by, &k) && tns_expr_is_int (b->by, &l);
  bool up = code == LT_EXPR || code == LE_EXPR
            || (code == NE_EXPR && is_known && k > l);
  if (is_known && (tns_is_wide_step (k) || tns_is_wide_step (l)))
    return NULL;
  if (code == NE_EXPR && !is_known)
    return NULL;
  by = is_known ? tns_int (arena, up ? k - l : l - k)
       : up     ? by
                : tns_binary (arena, TNS_SUB, b->by, a->by);
  if (!is_forward (reader, by))
    return NULL;
  tns_expr *from = up ? a->start : b->start;
  tns_expr *to = up ? b->start : a->start;
  if (code == NE_EXPR && !tns_arrives (reader, from, to, up ? k - l : l - k))
    return NULL;
  tns_expr *way = tns_binary (arena, TNS_SUB, to, from);
  way = tns_plus (reader, way, code == LE_EXPR || code == GE_EXPR);
  if (is_known && (k - l == 1 || k - l == -1))
    return way;
  way = tns_binary (arena, TNS_ADD, way, tns_plus (reader, by, -1));
  return tns_binary (arena, TNS_FLOORDIV, way, by);
}

/* The number of iterations while  A CODE B,  where one of them is a counter
   that is shifted and the other stays as it is; NULL where that is not so.  */
static tns_expr *
times_shifted (tns_reader *reader, const movement *l, enum tree_code code,
               tree a, tree b)
{
  moving bound = {};
  long long by;
  tns_counter *c = l->counters;
  while (c
         && (!c->shift || (c->decl != tns_bare (a) && c->decl != tns_bare (b))))
    c = c->next;
  if (!c)
    return NULL;
  bool is_first = c->decl == tns_bare (a);
  tree other = is_first ? b : a;
  code = is_first ? code : swap_tree_comparison (code);
  if (TREE_CODE (other) == INTEGER_CST && tree_fits_shwi_p (other))
    return tns_times_shifted (reader, c, code,
                              tns_int (reader->arena, tree_to_shwi (other)));
  return read_side (reader, l, other, &bound) && bound.start
             && tns_expr_is_int (bound.by, &by) && by == 0
           ? tns_times_shifted (reader, c, code, bound.start)
           : NULL;
}

tns_expr *
tns_read_times (tns_reader *reader, tns_counter *counters,
                const tns_trees *written, tree cond)
{
  movement l = { counters, written };
  moving a = {}, b = {};
  cond = tns_strip (cond);
  tns_counters_set (reader, counters, tns_int (reader->arena, 0));
  tns_expr *shifted
    = times_shifted (reader, &l, TREE_CODE (cond), TREE_OPERAND (cond, 0),
                     TREE_OPERAND (cond, 1));
  if (shifted)
    return tns_is_pure (shifted) ? shifted : NULL;
  if (!read_side (reader, &l, TREE_OPERAND (cond, 0), &a)
      || !read_side (reader, &l, TREE_OPERAND (cond, 1), &b))
    return NULL;
  bool is_pointer = POINTER_TYPE_P (TREE_TYPE (TREE_OPERAND (cond, 0)));
  if (is_pointer && !meet (reader, &a.place, &b.place, &b.start))
    return NULL;
  tns_expr *times = times_until (reader, TREE_CODE (cond), &a, &b);
  return times && tns_is_pure (times) ? times : NULL;
}

/* walk_tree's visitor: stops at a product of a variable.  */
static tree
find_scaled (tree *at, int *, void *decl)
{
  return TREE_CODE (*at) == MULT_EXPR && tns_tree_has (*at, (tree) decl)
           ? *at
           : NULL_TREE;
}

bool
tns_is_crossed (tns_reader *reader, tree decl, tree loop)
{
  tns_trees written = {};
  tree cond = FOR_COND (loop);
  tns_written_in (reader->arena, FOR_BODY (loop), &written);
  if (tns_trees_have (&written, decl)
      || walk_tree_without_duplicates (&cond, find_scaled, decl))
    return true;
  if (FOR_EXPR (loop))
    tns_written_in (reader->arena, FOR_EXPR (loop), &written);
  for (int k = 0; k < written.n; k++)
    if (written.item[k] != decl && tns_tree_has (cond, written.item[k]))
      return true;
  return false;
}
