/* Counters: variables that move evenly with a loop.

     k = 0; for (i...) for (j = 0; j < m; j++) dst[k++] = ...
                                      ->  dst[m * i + j]
     p = x; for (i...) *p++ = ...     ->  x[i]

   One iteration is read on trial, with a symbol in place of the value at its
   head.  When the value at its end is that symbol plus what does not change
   in the loop, the variable is a counter: at the head of iteration t it
   holds start + t * delta.  Inner loops do the same first, so that what they
   add to an outer counter is known.  What the trial says, emits and guards
   is thrown away.  */

#include "plugin/doubling.hh"

extern "C"
{
#include "ir/walk.h"
}

/* What DECL holds now, where it can be a counter; NULL where it cannot.  */
static tns_counter *
counter_of (tns_reader *reader, tree decl)
{
  const tns_variable *variable = tns_variable_of (reader, decl);
  tns_counter *counter = TNS_NEW (reader->arena, tns_counter);
  counter->decl = decl;
  if (tns_is_memory (decl))
    return NULL;
  if (POINTER_TYPE_P (TREE_TYPE (decl)))
    {
      bool is_known = variable->holds.points || variable->holds.is_entry;
      counter->elem = TNS_I64;
      counter->place = TNS_NEW (reader->arena, tns_address);
      if (!is_known || !tns_read_address (reader, decl, counter->place)
          || counter->place->n == 0)
        return NULL;
      counter->start = counter->place->sub[counter->place->n - 1];
      return counter;
    }
  if (!INTEGRAL_TYPE_P (TREE_TYPE (decl))
      || !tns_type_of_tree (TREE_TYPE (decl), &counter->elem))
    return NULL;
  bool is_known = variable->holds.known || variable->holds.is_entry;
  tns_expr *value = is_known ? tns_read_variable (reader, decl) : NULL;
  counter->start = value ? tns_as_offset (reader, value) : NULL;
  return counter->start && tns_is_pure (counter->start) ? counter : NULL;
}

/* walk_tree's visitor: stops at a variable.  */
static tree
find_decl (tree *at, int *, void *decl)
{
  return *at == (tree) decl ? *at : NULL_TREE;
}

/* walk_tree's visitor: stops where a variable begins or gets a value that
   does not come from its old one.  */
static tree
find_other_write (tree *at, int *, void *decl)
{
  switch (TREE_CODE (*at))
    {
    case DECL_EXPR:
      if (DECL_EXPR_DECL (*at) == (tree) decl)
        return *at;
      return VAR_P (DECL_EXPR_DECL (*at)) && DECL_INITIAL (DECL_EXPR_DECL (*at))
               ? walk_tree_without_duplicates (
                 &DECL_INITIAL (DECL_EXPR_DECL (*at)), find_other_write, decl)
               : NULL_TREE;
    case MODIFY_EXPR:
    case INIT_EXPR:
      if (TREE_OPERAND (*at, 0) == (tree) decl
          && !walk_tree_without_duplicates (&TREE_OPERAND (*at, 1), find_decl,
                                            decl))
        return *at;
      return NULL_TREE;
    default:
      return NULL_TREE;
    }
}

/* LOOP moves DECL and does nothing else to it.  */
static bool
only_steps (tree loop, tree decl)
{
  return !walk_tree_without_duplicates (&loop, find_other_write, (void *) decl);
}

tns_counter *
tns_counters_of (tns_reader *reader, tree loop, const tns_trees *written,
                 tree except)
{
  tns_counter *first = NULL;
  tns_counter **last = &first;
  tns_ctx before = *reader->ctx;
  for (int k = 0; k < written->n; k++)
    {
      tree decl = written->item[k];
      if (decl == except || !only_steps (loop, decl))
        continue;
      *last = counter_of (reader, decl);
      if (*last)
        last = &(*last)->next;
    }
  tns_take_back (reader->ctx, &before);
  return first;
}

/* COUNTER's variable holds VALUE, I64.  */
static void
hold (tns_reader *reader, tns_counter *counter, tns_expr *value)
{
  tns_holds *holds = &tns_variable_of (reader, counter->decl)->holds;
  *holds = (tns_holds){ false, NULL, NULL, NULL };
  if (!counter->place)
    {
      holds->known = tns_exact (reader, counter->elem, value);
      return;
    }
  tns_address *place = TNS_NEW (reader->arena, tns_address);
  *place = *counter->place;
  place->sub[place->n - 1] = value;
  place->is_near = false;
  holds->points = place;
}

/* What COUNTER's variable holds now, as I64; NULL when unknown or not the
   same place but for the last subscript.  */
static tns_expr *
held (tns_reader *reader, const tns_counter *counter)
{
  const tns_holds *holds = &tns_variable_of (reader, counter->decl)->holds;
  if (!counter->place)
    return holds->known ? tns_as_offset (reader, holds->known) : NULL;
  const tns_address *now = holds->points;
  const tns_address *start = counter->place;
  if (!now || now->base != start->base || now->n != start->n)
    return NULL;
  for (int k = 0; k < now->n - 1; k++)
    if (!tns_expr_equal (now->sub[k], start->sub[k]))
      return NULL;
  return now->sub[now->n - 1];
}

/* EXPR - SYM where EXPR is SYM plus something, else NULL.  */
static tns_expr *
without (tns_reader *reader, tns_expr *expr, const tns_sym *sym)
{
  tns_arena *arena = reader->arena;
  if (expr->op == TNS_SYM && expr->sym == sym)
    return tns_int (arena, 0);
  if (expr->op != TNS_ADD && expr->op != TNS_SUB)
    return NULL;
  bool in_first = tns_expr_mentions (expr->arg[0], sym);
  bool in_second = tns_expr_mentions (expr->arg[1], sym);
  if (in_first == in_second || (in_second && expr->op == TNS_SUB))
    return NULL;
  tns_expr *rest = without (reader, expr->arg[in_second], sym);
  if (!rest)
    return NULL;
  return in_first ? tns_binary (arena, expr->op, rest, expr->arg[1])
                  : tns_binary (arena, TNS_ADD, expr->arg[0], rest);
}

/* Finds an iterator that is numbered from *SELF on: that of the loop, or one
   of the trial.  */
static bool
find_younger (tns_expr *expr, void *self)
{
  int *oldest = (int *) self;
  if (expr->op == TNS_SYM && expr->sym->kind == TNS_SYM_ITER
      && expr->sym->id >= *oldest)
    *oldest = -1;
  return *oldest >= 0;
}

/* DELTA does not change in the loop whose iterator is numbered OLDEST.  */
static bool
is_fixed (tns_expr *delta, int oldest)
{
  tns_expr_walk (delta, find_younger, &oldest);
  return oldest >= 0 && tns_is_pure (delta);
}

/* Symbols for the values at the head of the trial.  */
static void
begin_trial (tns_reader *reader, tns_counter *counters)
{
  for (tns_counter *c = counters; c; c = c->next)
    {
      c->sym = tns_region_add_iter (reader->arena, reader->region, "trial");
      tns_note_sym (reader, c->sym, c->elem);
      reader->range[c->sym->id].has_lower
        = tns_lower_bound (reader, c->start, &reader->range[c->sym->id].lower);
      hold (reader, c, tns_value (reader->arena, c->sym));
    }
}

/* The deltas, from the values at its end.  */
static void
end_trial (tns_reader *reader, tns_counter *counters, int oldest)
{
  for (tns_counter *c = counters; c; c = c->next)
    {
      tns_expr *end = held (reader, c);
      tns_expr *delta = end ? without (reader, end, c->sym) : NULL;
      long long least;
      if (delta && is_fixed (delta, oldest))
        c->delta = delta;
      else if (end && reader->called && !c->place)
        c->shift = tns_shift_of (end, c->sym);
      bool is_known = tns_lower_bound (reader, c->start, &least);
      if (c->shift > 0 && (!is_known || least < 1))
        c->shift = 0;
      if (c->shift < 0 && (!is_known || least < 0))
        c->shift = TNS_HALVED_PERHAPS;
    }
}

bool
tns_try (tns_reader *reader, tns_read_iteration read, void *self)
{
  tns_ctx before = *reader->ctx;
  tns_node *block = reader->block;
  location_t loc = reader->loc;
  int n = reader->n_variables;
  int n_guard = reader->region->n_guard;
  int n_inlined = reader->n_inlined;
  tns_holds *held_before = tns_holds_save (reader);
  const tns_when *when = reader->when;
  int n_never = reader->n_never;
  bool was_trying = reader->trying;
  reader->trying = true;
  reader->block = tns_block (reader->arena, tns_loc_of (loc));
  bool is_read = read (reader, self);
  reader->trying = was_trying;
  reader->when = when;
  reader->n_never = n_never;
  reader->block = block;
  reader->loc = loc;
  reader->n_inlined = n_inlined;
  reader->region->n_guard = n_guard;
  tns_holds_restore (reader, held_before, n);
  tns_take_back (reader->ctx, &before);
  return is_read;
}

/* An iteration in which counters are followed.  */
typedef struct counting
{
  tns_counter *counters;
  const tns_sym *iter;
  tns_read_iteration read;
  void *self;
} counting;

/* Read it.  */
static bool
follow_counters (tns_reader *reader, void *self)
{
  counting *c = (counting *) self;
  begin_trial (reader, c->counters);
  bool is_read = c->read (reader, c->self);
  if (is_read)
    end_trial (reader, c->counters, c->iter->id);
  return is_read;
}

void
tns_counters_try (tns_reader *reader, tns_counter *counters,
                  const tns_sym *iter, tns_read_iteration read, void *self)
{
  counting c = { counters, iter, read, self };
  if (counters)
    tns_try (reader, follow_counters, &c);
}

void
tns_counters_set (tns_reader *reader, tns_counter *counters, tns_expr *times)
{
  tns_arena *arena = reader->arena;
  for (tns_counter *c = counters; c; c = c->next)
    if (c->delta)
      {
        tns_expr *moved = tns_binary (arena, TNS_MUL, c->delta, times);
        hold (reader, c, tns_binary (arena, TNS_ADD, c->start, moved));
      }
    else if (c->shift && c->shift != TNS_HALVED_PERHAPS)
      hold (reader, c, tns_shifted (reader, c, times));
}
