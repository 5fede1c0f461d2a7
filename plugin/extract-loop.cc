/* Loops: the header of a for statement -> iterator, bounds and step.

     for (i = a; i < b; i += 2)       for i = a to b step 2
     for (i = n; i-- > 0;)            for i = n - 1 to -1 step -1
     for (i = n; i > 0 && i--;)       the same, but i is 0 in the end
     for (j = 0; j < n && j <= i; j++)   for j = 0 to min (n, i + 1)
     for (; (size_t) i < n; ++i)      the same with i >= 0 proved or guarded

   The initialisation stands before the loop as an ordinary statement: the
   lower bound is what the iterator holds when the loop begins.  Bounds are
   over VALUEs and outer iterators.  After the loop the iterator holds its
   final value, which is stored for who may read it:

     i = max (a, b)                   (step 1)

   What a loop assigns is forgotten at its head and behind it.  A loop whose
   number of iterations is not known when it begins is refused.  */

#include "plugin/counter.hh"

extern "C"
{
#include "ir/walk.h"
}

/* A header being read.

   decl, iter   the iterator, C's and ours
   before       the iterator is stepped in the condition, before the body
   until, past  what the condition compares it with there, NULL_TREE is 0; the
                body's first iterator that is beyond the end is that + past
   once         the body runs before the condition is asked
   stays        such an iterator is not stepped when the loop ends
   compares_unsigned  the condition compares unsigned numbers
   is_loaded    its bounds are, not only over VALUEs and iterators
   odd          what FOR_EXPR steps, but by no constant
   words        what the user calls the loop
   others       what else FOR_EXPR does, at the end of each iteration
   written      what the loop assigns
   swap         pointers that the loop swaps, or NULL
   counters     those of it that move evenly  */
typedef struct header
{
  tree decl;
  tns_sym *iter;
  tns_elem elem;
  long long step;
  bool before;
  tree until;
  int past;
  bool once;
  bool stays;
  bool compares_unsigned;
  bool is_loaded;
  tns_expr *lo;
  tns_expr *hi;
  tree odd;
  const char *words;
  tns_trees others;
  tns_trees written;
  tns_swap *swap;
  tns_counter *counters;
  tree loop;
} header;

tree
tns_bare (tree expr)
{
  while (expr
         && (CONVERT_EXPR_P (expr) || TREE_CODE (expr) == NON_LVALUE_EXPR
             || TREE_CODE (expr) == SAVE_EXPR))
    expr = TREE_OPERAND (expr, 0);
  return expr;
}

/* walk_tree's visitor: stops at a comparison of unsigned numbers.  */
static tree
find_unsigned (tree *at, int *, void *)
{
  if (!COMPARISON_CLASS_P (*at))
    return NULL_TREE;
  tree type = TREE_TYPE (TREE_OPERAND (*at, 0));
  return INTEGRAL_TYPE_P (type) && TYPE_UNSIGNED (type) ? *at : NULL_TREE;
}

/* The parts of FOR_EXPR between commas: the one that steps a variable which
   COND mentions gives the iterator, the others are kept.  */
static bool
read_steps (tns_reader *reader, header *h, tree expr, tree cond)
{
  tree decl;
  long long step;
  if (!expr)
    return true;
  while (CONVERT_EXPR_P (expr) && VOID_TYPE_P (TREE_TYPE (expr)))
    expr = TREE_OPERAND (expr, 0);
  if (TREE_CODE (expr) == COMPOUND_EXPR)
    return read_steps (reader, h, TREE_OPERAND (expr, 0), cond)
           && read_steps (reader, h, TREE_OPERAND (expr, 1), cond);
  if (!h->decl && tns_read_step (reader, h->loop, expr, &decl, &step)
      && tns_tree_has (cond, decl))
    {
      h->decl = step ? decl : NULL_TREE;
      h->step = step;
      h->odd = step ? NULL_TREE : decl;
      if (step)
        return true;
    }
  tns_trees_add (reader->arena, &h->others, expr);
  return reader->ctx->status == TNS_DONE;
}

/* COND is DECL > 0, or DECL != 0.  */
static bool
is_above_zero (tree cond, tree decl)
{
  cond = tns_bare (cond);
  return (TREE_CODE (cond) == GT_EXPR || TREE_CODE (cond) == NE_EXPR)
         && tns_bare (TREE_OPERAND (cond, 0)) == decl
         && integer_zerop (TREE_OPERAND (cond, 1));
}

/* EXPR steps H's iterator by one: *IS_POST when its value is the one before.
 */
static bool
is_stepping (header *h, tree expr, bool *is_post)
{
  enum tree_code code = TREE_CODE (expr);
  bool up = code == PREINCREMENT_EXPR || code == POSTINCREMENT_EXPR;
  *is_post = code == POSTINCREMENT_EXPR || code == POSTDECREMENT_EXPR;
  if ((!up && !*is_post && code != PREDECREMENT_EXPR)
      || !DECL_P (TREE_OPERAND (expr, 0))
      || !INTEGRAL_TYPE_P (TREE_TYPE (expr)))
    return false;
  h->decl = TREE_OPERAND (expr, 0);
  h->step = up ? 1 : -1;
  return true;
}

/* i-- > b, ++i <= b and their like, of signed numbers.  */
static bool
read_stepping_bound (header *h, tree cond, bool is_post)
{
  enum tree_code code = TREE_CODE (cond);
  tree bound = TREE_OPERAND (cond, 1);
  bool up = h->step > 0;
  bool is_open = code == (up ? LT_EXPR : GT_EXPR);
  if ((!is_open && code != (up ? LE_EXPR : GE_EXPR))
      || TYPE_UNSIGNED (TREE_TYPE (bound))
      || TYPE_UNSIGNED (TREE_TYPE (h->decl)) || TREE_SIDE_EFFECTS (bound)
      || tns_tree_has (bound, h->decl))
    return false;
  h->until = bound;
  h->past = h->step * (!is_open + is_post);
  return true;
}

/* i--, --i, i-- > b, --i >= b, i > 0 && i--: the condition that steps.  */
static bool
read_stepping_cond (header *h, tree cond)
{
  bool is_post;
  cond = tns_bare (cond);
  if (TREE_CODE (cond) == TRUTH_ANDIF_EXPR)
    {
      h->stays = read_stepping_cond (h, TREE_OPERAND (cond, 1))
                 && is_above_zero (TREE_OPERAND (cond, 0), h->decl);
      return h->stays;
    }
  bool is_comparison = COMPARISON_CLASS_P (cond);
  tree stepping = is_comparison ? tns_bare (TREE_OPERAND (cond, 0)) : cond;
  if (!is_stepping (h, stepping, &is_post))
    return false;
  bool is_zero = !is_comparison
                 || (integer_zerop (TREE_OPERAND (cond, 1))
                     && (TREE_CODE (cond) == NE_EXPR
                         || (is_post && TREE_CODE (cond) == GT_EXPR)));
  h->past = -is_post;
  h->before = (is_zero && h->step < 0)
              || (is_comparison && read_stepping_bound (h, cond, is_post));
  return h->before;
}

/* The comparison with its operands exchanged.  */
static tns_op
mirrored (tns_op op)
{
  switch (op)
    {
    case TNS_LT:
      return TNS_GT;
    case TNS_LE:
      return TNS_GE;
    case TNS_GT:
      return TNS_LT;
    case TNS_GE:
      return TNS_LE;
    default:
      return op;
    }
}

/* LEFT = iter + r: move r to *RIGHT.  */
static bool
isolate (tns_reader *reader, const header *h, tns_expr *left, tns_expr **right)
{
  while (left->op != TNS_SYM)
    {
      if (left->op != TNS_ADD && left->op != TNS_SUB)
        return false;
      bool in_first = tns_expr_mentions (left->arg[0], h->iter);
      if (in_first == tns_expr_mentions (left->arg[1], h->iter)
          || (!in_first && left->op == TNS_SUB))
        return false;
      tns_expr *other = left->arg[in_first];
      long long k;
      tns_op back = left->op == TNS_ADD ? TNS_SUB : TNS_ADD;
      *right = tns_expr_is_int (other, &k)
                 ? tns_plus (reader, *right, back == TNS_SUB ? -k : k)
                 : tns_binary (reader->arena, back, *right, other);
      left = left->arg[!in_first];
    }
  return left->sym == h->iter;
}

/* The bound that  iter OP BOUND  gives, in *BOUND; false: it never ends or
   may jump over its end.  */
static bool
bound_of (tns_reader *reader, const header *h, tns_op op, tns_expr **bound)
{
  bool up = h->step > 0;
  bool is_unsigned = tns_elem_is_unsigned (h->elem);
  tns_expr *at = *bound;
  switch (op)
    {
    case TNS_LT:
      return up;
    case TNS_GT:
      return !up;
    case TNS_LE:
      *bound = tns_plus (reader, at, 1);
      if (up && h->elem == TNS_U32 && tns_is_over_values (at))
        tns_guard_at_entry (reader, TNS_LT, at,
                            tns_int (reader->arena, 0xffffffffLL));
      return up;
    case TNS_GE:
      *bound = tns_plus (reader, at, -1);
      return !up
             && (!is_unsigned
                 || tns_guard_at_entry (reader, TNS_GE, at,
                                        tns_int (reader->arena, 1)));
    case TNS_NE:
      if (!is_unsigned && (h->step == 1 || h->step == -1))
        return true;
      return up ? tns_arrives (reader, h->lo, at, h->step)
                : tns_arrives (reader, at, h->lo, -h->step);
    default:
      return false;
    }
}

/* Both bounds hold.  */
static void
add_bound (tns_reader *reader, header *h, tns_expr *bound)
{
  h->hi = h->hi ? tns_binary (reader->arena, h->step > 0 ? TNS_MIN : TNS_MAX,
                              h->hi, bound)
                : bound;
}

/* READ is  iter == 0  of an unsigned iterator that goes up, as GCC writes
   iter < 1.  */
static bool
is_below_one (tns_reader *reader, const header *h, tns_expr *read)
{
  long long bound;
  if (read->op != TNS_EQ || h->step < 0 || !tns_elem_is_unsigned (h->elem)
      || !tns_expr_is_int (read->arg[1], &bound) || bound != 0)
    return false;
  const tns_expr *left = tns_as_index (reader, read->arg[0]);
  return left->op == TNS_SYM && left->sym == h->iter;
}

/* A comparison of the condition.  */
static bool
read_comparison (tns_reader *reader, header *h, tree cond)
{
  tns_expr *read = tns_read_cond (reader, cond);
  if (!read)
    return false;
  bool is_below = is_below_one (reader, h, read);
  if (tns_op_class (read->op) != 'C' || (read->op == TNS_EQ && !is_below)
      || tns_elem_is_float (read->arg[0]->type.elem))
    return tns_reader_refuse (reader, cond, TNS_WHY_WHILE, h->words) != NULL;
  bool is_left = tns_expr_mentions (read->arg[0], h->iter);
  tns_op op = is_below ? TNS_LE : is_left ? read->op : mirrored (read->op);
  tns_expr *right = tns_as_index (reader, read->arg[is_left]);
  if (h->step > 0 && (op == TNS_LT || op == TNS_LE))
    tns_note_upper (reader, h->iter, h->lo, tns_plus (reader, right, h->step));
  tns_expr *left = tns_as_index (reader, read->arg[!is_left]);
  if (tns_expr_mentions (left, h->iter) == tns_expr_mentions (right, h->iter)
      || !tns_is_pure (left))
    return tns_reader_refuse (reader, cond, TNS_WHY_WHILE, h->words) != NULL;
  if (!tns_may_be_bound (reader, right, h->hi ? NULL_TREE : cond))
    return tns_reader_refuse_tree (
             reader, tns_bare (TREE_OPERAND (tns_bare (cond), is_left)),
             TNS_WHY_BOUND)
           != NULL;
  h->is_loaded |= !tns_is_pure (right);
  if (!isolate (reader, h, left, &right) || !bound_of (reader, h, op, &right))
    return tns_reader_refuse_tree (reader, h->decl, TNS_WHY_WRAP) != NULL;
  if (h->is_loaded && h->elem == TNS_U64)
    right = tns_unsigned_bound (reader, h->step > 0, h->lo, right);
  add_bound (reader, h, right);
  return true;
}

/* The whole condition, && between comparisons.  */
static bool
read_bounds (tns_reader *reader, header *h, tree cond)
{
  cond = tns_strip (cond);
  if (TREE_CODE (cond) == ANNOTATE_EXPR)
    return read_bounds (reader, h, TREE_OPERAND (cond, 0));
  if (TREE_CODE (cond) == TRUTH_ANDIF_EXPR
      || TREE_CODE (cond) == TRUTH_AND_EXPR)
    return read_bounds (reader, h, TREE_OPERAND (cond, 0))
           && read_bounds (reader, h, TREE_OPERAND (cond, 1));
  return read_comparison (reader, h, cond);
}

/* The least value of the iterator.  Where only its first value can tell that
   it is not negative, and the condition compares as unsigned, a guard
   does.  */
static void
set_range (tns_reader *reader, header *h)
{
  tns_range *range = &reader->range[h->iter->id];
  tns_expr *zero = tns_int (reader->arena, 0);
  range->first = h->lo;
  range->lower = 0;
  range->has_lower = tns_elem_is_unsigned (h->elem);
  if (h->step > 0 && tns_lower_bound (reader, h->lo, &range->lower))
    range->has_lower = true;
  else if (h->step > 0 && h->compares_unsigned && !range->has_lower)
    range->has_lower = tns_guard_at_entry (reader, TNS_GE, h->lo, zero);
  if (h->step < 0 && !h->is_loaded)
    range->upper = h->lo;
}

/* The bound of a loop that runs at least once.  Where that is not so by itself
   an unsigned iterator would go around, unless it begins at a constant and
   rises: a guard says that it is, where guards are asked.  */
static bool
run_once (tns_reader *reader, header *h)
{
  tns_arena *arena = reader->arena;
  bool up = h->step > 0;
  bool wraps
    = h->decl && (tns_elem_is_unsigned (h->elem) || h->compares_unsigned);
  bool goes_once
    = reader->ctx->flags.unguarded && (!wraps || (up && h->lo->op == TNS_INT));
  if (!goes_once
      && tns_guard_at_entry (reader, TNS_LT, up ? h->lo : h->hi,
                             up ? h->hi : h->lo))
    return true;
  if (wraps && !goes_once)
    return tns_reader_refuse_tree (reader, h->decl, TNS_WHY_WRAP) != NULL;
  h->hi = tns_binary (arena, up ? TNS_MAX : TNS_MIN, h->hi,
                      tns_plus (reader, h->lo, up ? 1 : -1));
  return true;
}

/* The end of the range, now that the bound is known.  */
static void
set_range_end (tns_reader *reader, const header *h)
{
  tns_range *range = &reader->range[h->iter->id];
  if (h->is_loaded)
    return;
  if (h->step == 1 || h->step == -1)
    {
      range->least = h->step > 0 ? h->lo : tns_plus (reader, h->hi, 1);
      range->most = h->step > 0 ? tns_plus (reader, h->hi, -1) : h->lo;
    }
  if (h->step > 0)
    range->upper = tns_plus (reader, h->hi, -1);
  else if (!range->has_lower && tns_lower_bound (reader, h->hi, &range->lower))
    {
      range->has_lower = true;
      range->lower++;
    }
}

/* The iterator, and what its loop changes, as the body sees them.  */
static bool
enter (tns_reader *reader, header *h, tree loop)
{
  tns_arena *arena = reader->arena;
  tree parts[] = { FOR_BODY (loop), FOR_EXPR (loop), FOR_COND (loop) };
  tns_written_in (arena, FOR_BODY (loop), &h->written);
  if (tns_trees_have (&h->written, h->decl)
      || (tns_is_memory (h->decl)
          && tns_may_be_stored (reader, TREE_TYPE (h->decl))))
    return tns_reader_refuse_tree (reader, h->decl, TNS_WHY_ITERATOR) != NULL;
  for (int k = 1; k < 3; k++)
    tns_written_in (arena, parts[k], &h->written);
  h->counters = tns_counters_of (reader, loop, &h->written, h->decl);
  tns_forget (reader, &h->written);
  h->iter
    = tns_region_add_iter (arena, reader->region, tns_spell (arena, h->decl));
  h->iter->loc = tns_loc_of (reader->loc);
  tns_note_sym (reader, h->iter, h->elem);
  reader->load[h->iter->id] = h->decl;
  set_range (reader, h);
  tns_variable_of (reader, h->decl)->holds.known
    = tns_cast (arena, tns_scalar (h->elem), tns_value (arena, h->iter));
  return true;
}

/* What the iterator holds when the loop begins.  */
static bool
read_start (tns_reader *reader, header *h)
{
  if (!tns_type_of_tree (TREE_TYPE (h->decl), &h->elem))
    return tns_reader_refuse_tree (reader, TREE_TYPE (h->decl), TNS_WHY_TYPE)
           != NULL;
  tns_expr *start
    = tns_just_stored (reader, tns_read_variable (reader, h->decl));
  h->lo = tns_as_index (reader, start);
  if (!start)
    return false;
  h->is_loaded = !tns_is_pure (h->lo);
  if (!tns_may_be_bound (reader, h->lo, h->before ? NULL_TREE : h->decl))
    return tns_reader_refuse_tree (reader, h->decl, TNS_WHY_BOUND) != NULL;
  if (h->before)
    h->lo = tns_plus (reader, h->lo, h->step);
  return true;
}

/* Where an iterator ends that the condition steps.  --i alone must begin
   above 0.  */
static bool
read_until (tns_reader *reader, header *h)
{
  h->hi = tns_int (reader->arena, 0);
  if (h->until)
    {
      tns_expr *read = tns_read_expr (reader, h->until);
      h->hi = tns_as_index (reader, read);
      if (!read)
        return false;
    }
  if (!tns_is_pure (h->hi))
    return tns_reader_refuse_tree (reader, h->until, TNS_WHY_BOUND) != NULL;
  h->hi = tns_plus (reader, h->hi, h->past);
  if (!h->until && h->past == 0
      && !tns_guard_at_entry (reader, TNS_GE, h->lo, h->hi))
    return tns_reader_refuse_tree (reader, h->decl, TNS_WHY_WRAP) != NULL;
  return true;
}

/* The number of steps from FROM to TO, none when that is behind.  */
static tns_expr *
steps (tns_reader *reader, const header *h, tns_expr *from, tns_expr *to)
{
  tns_arena *arena = reader->arena;
  bool up = h->step > 0;
  long long by = up ? h->step : -h->step;
  tns_expr *span = up ? tns_binary (arena, TNS_SUB, to, from)
                      : tns_binary (arena, TNS_SUB, from, to);
  return by == 1
           ? span
           : tns_binary (arena, TNS_FLOORDIV, tns_plus (reader, span, by - 1),
                         tns_int (arena, by));
}

/* How often the loop runs.  */
static tns_expr *
trips (tns_reader *reader, const header *h)
{
  return tns_binary (reader->arena, TNS_MAX, steps (reader, h, h->lo, h->hi),
                     tns_int (reader->arena, 0));
}

/* The same for counters: a guard says that the loop does not end before it
   begins, where guards are asked and one can, so that what they add stays a
   product.  */
static tns_expr *
trips_of_counters (tns_reader *reader, const header *h)
{
  tns_expr *from = h->step > 0 ? h->lo : h->hi;
  tns_expr *to = h->step > 0 ? h->hi : h->lo;
  bool any = false;
  for (const tns_counter *c = h->counters; c; c = c->next)
    any |= c->delta != NULL || c->shift;
  if (any && !reader->ctx->flags.unguarded
      && tns_guard_at_entry (reader, TNS_LE, from, to))
    return steps (reader, h, h->lo, h->hi);
  return trips (reader, h);
}

/* The iterator's value behind the loop.  */
static tns_expr *
final_value (tns_reader *reader, const header *h)
{
  tns_arena *arena = reader->arena;
  if (h->step == 1 || h->step == -1)
    return tns_binary (arena, h->step > 0 ? TNS_MAX : TNS_MIN, h->lo, h->hi);
  tns_expr *moved
    = tns_binary (arena, TNS_MUL, trips (reader, h), tns_int (arena, h->step));
  return tns_binary (arena, TNS_ADD, h->lo, moved);
}

/* The condition under which the body runs at all, for loads that are moved
   to the entry; *ALWAYS when it needs none.  */
static tns_expr *
runs_when (tns_reader *reader, const header *h, bool *always)
{
  tns_arena *arena = reader->arena;
  tns_expr *from = h->step > 0 ? h->lo : h->hi;
  tns_expr *to = h->step > 0 ? h->hi : h->lo;
  long long first;
  bool is_from_int = tns_expr_is_int (from, &first);
  tns_expr *room = is_from_int ? tns_plus (reader, to, -first - 1) : NULL;
  *always = room && tns_is_non_negative (reader, room);
  bool is_sayable = tns_is_over_values (from) && tns_is_over_values (to);
  return is_sayable ? tns_binary (arena, TNS_LT, from, to) : NULL;
}

/* One iteration: the body, then what FOR_EXPR does besides.  */
static bool
read_iteration (tns_reader *reader, void *self)
{
  const header *h = (const header *) self;
  tns_frame frame = { TNS_FRAME_LOOP, NULL_TREE, {}, FOR_BODY (h->loop), NULL };
  reader->n_loops++;
  bool is_read = tns_read_frame (reader, &frame);
  reader->n_loops--;
  for (int k = 0; k < h->others.n && is_read; k++)
    is_read = tns_read_effect (reader, h->others.item[k]);
  return is_read;
}

/* The body in a block of its own, when HELD, of N variables, is what was held
   in front of the loop; NULL when refused.  */
static tns_node *
read_body (tns_reader *reader, header *h, const tns_holds *held, int n)
{
  bool always;
  tns_node *outer = reader->block;
  const tns_when *around = reader->when;
  int n_never = reader->n_never;
  tns_when *when = TNS_NEW (reader->arena, tns_when);
  when->cond = runs_when (reader, h, &always);
  when->from = h->step > 0 ? h->lo : h->hi;
  when->to = h->step > 0 ? h->hi : h->lo;
  when->outer = around;
  if (!always)
    reader->when = when;
  tns_counters_try (reader, h->counters, h->iter, read_iteration, h);
  tns_expr *iter = tns_value (reader->arena, h->iter);
  tns_counters_set (reader, h->counters, steps (reader, h, h->lo, iter));
  if (!h->is_loaded)
    h->swap
      = tns_swap_find (reader, FOR_BODY (h->loop), held, n, read_iteration, h);
  reader->block = tns_block (reader->arena, tns_loc_of (reader->loc));
  bool is_read
    = h->swap ? tns_swap_read (reader, h->swap, steps (reader, h, h->lo, iter),
                               read_iteration, h)
              : read_iteration (reader, h);
  tns_node *body = reader->block;
  reader->block = outer;
  tns_when_leave (reader, around, n_never, h->iter);
  return is_read ? body : NULL;
}

/* LOOP whose condition compares what the loop moves, with an iterator of our
   own that counts from 0.  */
static bool
read_moving (tns_reader *reader, header *h, tree loop)
{
  tns_arena *arena = reader->arena;
  tree parts[] = { FOR_BODY (loop), FOR_EXPR (loop) };
  for (int k = 0; k < 2; k++)
    tns_written_in (arena, parts[k], &h->written);
  h->counters = tns_counters_of (reader, loop, &h->written, NULL_TREE);
  tns_forget (reader, &h->written);
  h->elem = TNS_I64;
  h->step = 1;
  h->lo = tns_int (arena, 0);
  const tns_counter *moved = h->counters;
  while (moved && !tns_tree_has (FOR_COND (loop), moved->decl))
    moved = moved->next;
  h->iter = tns_region_add_iter (arena, reader->region,
                                 moved ? tns_spell (arena, moved->decl) : "i");
  h->iter->loc = tns_loc_of (reader->loc);
  tns_note_sym (reader, h->iter, TNS_I64);
  set_range (reader, h);
  tns_counters_try (reader, h->counters, h->iter, read_iteration, h);
  h->hi = tns_read_times (reader, h->counters, &h->written, FOR_COND (loop));
  return h->hi != NULL;
}

/* COND compares what may move.  */
static bool
may_be_moving (tree cond)
{
  cond = tns_strip (cond);
  return COMPARISON_CLASS_P (cond) && TREE_CODE (cond) != EQ_EXPR
         && !TREE_SIDE_EFFECTS (cond);
}

/* How often LOOP runs is not known.  */
static bool
refuse_header (tns_reader *reader, const header *h, tree loop)
{
  if (h->odd)
    tns_reader_refuse_tree (reader, h->odd, TNS_WHY_STEP);
  else
    tns_reader_refuse (reader, loop, TNS_WHY_WHILE, h->words);
  return false;
}

/* COND assigns, other than to variables of functions that it calls: what it
   leaves is not what it would leave in front of the loop.  */
static bool
assigns (const tns_reader *reader, tree cond)
{
  tns_trees written = {};
  tns_written_in (reader->arena, cond, &written);
  for (int k = 0; k < written.n; k++)
    if (TREE_STATIC (written.item[k]) || DECL_EXTERNAL (written.item[k])
        || DECL_CONTEXT (written.item[k]) == reader->fndecl)
      return true;
  return false;
}

/* LOOP as one whose condition compares what moves, whatever its header is
   like; *H is changed only then.  */
static bool
try_moving (tns_reader *reader, header *h, tree loop)
{
  tns_ctx before = *reader->ctx;
  int n = reader->n_variables;
  int n_guard = reader->region->n_guard;
  tns_holds *held = tns_holds_save (reader);
  header moving = {};
  moving.loop = loop;
  moving.once = h->once;
  moving.words = h->words;
  if (FOR_EXPR (loop))
    tns_trees_add (reader->arena, &moving.others, FOR_EXPR (loop));
  if (may_be_moving (FOR_COND (loop)) && read_moving (reader, &moving, loop))
    {
      *h = moving;
      return true;
    }
  tns_holds_restore (reader, held, n);
  reader->region->n_guard = n_guard;
  tns_take_back (reader->ctx, &before);
  return false;
}

/* The parts of the header, up to where the body begins.  */
static bool
read_header (tns_reader *reader, header *h, tree loop)
{
  tree cond = FOR_COND (loop);
  if (!read_steps (reader, h, FOR_EXPR (loop), cond))
    return false;
  bool is_stepped = h->decl || read_stepping_cond (h, cond);
  if (is_stepped && tns_is_wide_step (h->step))
    return tns_reader_refuse_tree (reader, h->decl, TNS_WHY_WRAP) != NULL;
  if ((!is_stepped || tns_is_crossed (reader, h->decl, loop))
      && try_moving (reader, h, loop))
    is_stepped = false;
  else if (!is_stepped || (!h->before && assigns (reader, cond)))
    return refuse_header (reader, h, loop);
  h->compares_unsigned
    = walk_tree_without_duplicates (&cond, find_unsigned, NULL) != NULL_TREE;
  if (is_stepped && (!read_start (reader, h) || !enter (reader, h, loop)))
    return false;
  if (is_stepped
      && !(h->before ? read_until (reader, h) : read_bounds (reader, h, cond)))
    return false;
  if (h->once && !run_once (reader, h))
    return false;
  set_range_end (reader, h);
  if (h->is_loaded)
    h->counters = NULL;
  return true;
}

bool
tns_read_for (tns_reader *reader, tree loop, bool once)
{
  header h = {};
  location_t loc = reader->loc;
  bool is_made = reader->words != NULL;
  h.words = is_made ? reader->words : "the for loop";
  reader->words = NULL;
  if (!is_made
      && (!FOR_COND (loop) || integer_nonzerop (FOR_COND (loop))
          || !FOR_EXPR (loop)))
    return tns_read_while (reader, loop);
  h.loop = loop;
  h.once = once;
  int n = reader->n_variables;
  tns_holds *held = tns_holds_save (reader);
  if (!read_header (reader, &h, loop))
    return false;
  tns_node *body = read_body (reader, &h, held, n);
  if (!body)
    return false;
  tns_arena *arena = reader->arena;
  reader->loc = loc;
  tns_node *node
    = tns_loop (arena, tns_loc_of (loc), h.iter, h.lo, h.hi, h.step, body);
  if (h.is_loaded && !tns_bounds_stay (node))
    return tns_reader_refuse_tree (reader, h.decl, TNS_WHY_BOUND) != NULL;
  tns_emit (reader, node);
  tns_forget (reader, &h.written);
  tns_counters_set (reader, h.counters, trips_of_counters (reader, &h));
  if (h.swap)
    h.swap->times = trips (reader, &h);
  reader->swap = h.swap;
  if (!h.decl)
    return true;
  tns_expr *last = final_value (reader, &h);
  if (h.stays)
    last = tns_plus (reader, last, 1);
  return tns_write_variable (reader, h.decl, tns_exact (reader, h.elem, last),
                             NULL_TREE);
}
