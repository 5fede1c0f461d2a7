/* Pointers that a loop swaps.

     for (t = 0; t < n; t++)             for t = 0 to n
       {                                   if (t mod 2 == 0)
         step (to, from);          ->        step (B, A);
         float *p = to;                    else
         to = from; from = p;                step (A, B);
       }                                 if (max (n, 0) mod 2 == 0)
     use (from);                           use (A);
                                         else
                                           use (B);

   Where the body leaves each of some pointers at what another of them was at,
   they are back after two or three iterations, which is tried.  The body is
   read once for each turn, and so is what follows the loop.  */

#include "plugin/counter.hh"

/* How many pointers are looked at, and turns are read.  */
static const int most_pointers = 8;
static const int most_turns = 3;

/* An iteration that is tried.  */
typedef struct attempt
{
  tns_swap *swap;
  tns_read_iteration read;
  void *self;
} attempt;

/* What the pointers of SWAP hold in turn K.  */
static void
set_turn (tns_reader *reader, const tns_swap *swap, int k)
{
  for (int i = 0; i < swap->n; i++)
    {
      int at = i;
      for (int turn = 0; turn < k; turn++)
        at = swap->from[at];
      tns_variable_of (reader, swap->decl[i])->holds = swap->first[at];
    }
}

/* The pointer of SWAP that was first where ADDRESS is, or -1.  */
static int
find_first (const tns_swap *swap, const tns_address *address)
{
  for (int i = 0; i < swap->n; i++)
    if (address && tns_same_address (swap->first[i].points, address))
      return i;
  return -1;
}

/* Read an iteration in turn 0, and note what it leaves.  */
static bool
follow_turn (tns_reader *reader, void *self)
{
  attempt *a = (attempt *) self;
  set_turn (reader, a->swap, 0);
  if (!a->read (reader, a->self))
    return false;
  for (int i = 0; i < a->swap->n; i++)
    a->swap->from[i] = find_first (
      a->swap, tns_variable_of (reader, a->swap->decl[i])->holds.points);
  return true;
}

/* A pointer of SWAP gets what pointer K was at.  */
static bool
is_handed_on (const tns_swap *swap, int k)
{
  for (int i = 0; i < swap->n; i++)
    if (swap->from[i] == k)
      return true;
  return false;
}

/* Drop the pointers of SWAP that come from nowhere, and those that are only
   set; how many.  */
static int
drop_lost (tns_swap *swap)
{
  int n = 0;
  int before = swap->n;
  bool stays[most_pointers];
  for (int i = 0; i < before; i++)
    stays[i] = swap->from[i] >= 0 && is_handed_on (swap, i);
  for (int i = 0; i < before; i++)
    if (stays[i])
      {
        swap->decl[n] = swap->decl[i];
        swap->first[n++] = swap->first[i];
      }
  swap->n = n;
  return before - n;
}

/* All pointers of SWAP are back after TURNS.  */
static bool
is_back (const tns_swap *swap, int turns)
{
  for (int i = 0; i < swap->n; i++)
    {
      int at = i;
      for (int turn = 0; turn < turns; turn++)
        at = swap->from[at];
      if (at != i)
        return false;
    }
  return true;
}

/* Set how many turns SWAP takes; false when too many.  */
static bool
count_turns (tns_swap *swap)
{
  for (swap->turns = 1; swap->turns <= most_turns; swap->turns++)
    if (is_back (swap, swap->turns))
      return true;
  return false;
}

/* walk_tree's visitor: stops where the variable SELF gets another's value.  */
static tree
find_copy (tree *at, int *walk_subtrees, void *self)
{
  if (TYPE_P (*at))
    *walk_subtrees = 0;
  return TREE_CODE (*at) == MODIFY_EXPR && TREE_OPERAND (*at, 0) == (tree) self
             && DECL_P (tns_strip (TREE_OPERAND (*at, 1)))
           ? *at
           : NULL_TREE;
}

/* The pointers that BODY may swap of those that HELD, of N variables, says
   where they are.  */
static void
find_pointers (tns_reader *reader, tree body, const tns_holds *held, int n,
               tns_swap *swap)
{
  for (int k = 0; k < n; k++)
    if (swap->n < most_pointers && held[k].points
        && walk_tree_without_duplicates (&body, find_copy,
                                         reader->variable[k]->decl))
      {
        swap->decl[swap->n] = reader->variable[k]->decl;
        swap->first[swap->n++] = held[k];
      }
}

/* walk_tree's visitor of a loop's body: a pointer of the function that gets
   another's value holds its place from now on, where nobody asks for it behind
   the region.  */
static tree
hold_place (tree *at, int *walk_subtrees, void *self)
{
  tns_reader *reader = (tns_reader *) self;
  if (TYPE_P (*at))
    *walk_subtrees = 0;
  tree decl
    = TREE_CODE (*at) == MODIFY_EXPR ? TREE_OPERAND (*at, 0) : NULL_TREE;
  if (!decl || !DECL_P (decl) || !POINTER_TYPE_P (TREE_TYPE (decl))
      || tns_is_memory (decl) || !DECL_P (tns_strip (TREE_OPERAND (*at, 1))))
    return NULL_TREE;
  tns_variable *variable = tns_variable_of (reader, decl);
  tns_ctx before = *reader->ctx;
  tns_address *place = TNS_NEW (reader->arena, tns_address);
  tree entry = tns_at_entry (reader, decl);
  if (!variable->is_local && variable->holds.is_entry
      && tns_is_dead_after (reader, decl)
      && tns_read_address (reader, decl, place))
    variable->holds = (tns_holds){ false, NULL, place, entry };
  tns_take_back (reader->ctx, &before);
  return NULL_TREE;
}

void
tns_swap_expect (tns_reader *reader, tree body)
{
  walk_tree_without_duplicates (&body, hold_place, reader);
}

tns_swap *
tns_swap_find (tns_reader *reader, tree body, const tns_holds *held, int n,
               tns_read_iteration read, void *self)
{
  tns_swap *swap = TNS_NEW (reader->arena, tns_swap);
  swap->decl = TNS_NEW_ARRAY (reader->arena, tree, most_pointers);
  swap->first = TNS_NEW_ARRAY (reader->arena, tns_holds, most_pointers);
  swap->from = TNS_NEW_ARRAY (reader->arena, int, most_pointers);
  find_pointers (reader, body, held, n, swap);
  attempt a = { swap, read, self };
  while (swap->n > 1)
    if (!tns_try (reader, follow_turn, &a))
      return NULL;
    else if (drop_lost (swap) == 0)
      return count_turns (swap) ? swap : NULL;
  return NULL;
}

/* Read as turn K where TURN is that, and as the next ones where it is not.  */
static bool
read_from (tns_reader *reader, const tns_swap *swap, tns_expr *turn, int k,
           tns_read_iteration read, void *self)
{
  tns_arena *arena = reader->arena;
  tns_loc loc = tns_loc_of (reader->loc);
  int n = reader->n_variables;
  tns_holds *before = tns_holds_save (reader);
  tns_node *outer = reader->block;
  set_turn (reader, swap, k);
  if (k == swap->turns - 1)
    return read (reader, self);
  tns_node *then = reader->block = tns_block (arena, loc);
  if (!read (reader, self))
    return false;
  int n_then = reader->n_variables;
  tns_holds *after = tns_holds_save (reader);
  tns_holds_restore (reader, before, n);
  tns_node *otherwise = reader->block = tns_block (arena, loc);
  if (!read_from (reader, swap, turn, k + 1, read, self))
    return false;
  tns_holds_merge (reader, after, n_then, NULL);
  reader->block = outer;
  tns_expr *is_now = tns_binary (arena, TNS_EQ, turn, tns_int (arena, k));
  if (then->n_kids || otherwise->n_kids)
    tns_emit (reader, tns_if (arena, loc, is_now, then,
                              otherwise->n_kids ? otherwise : NULL));
  return true;
}

bool
tns_swap_read (tns_reader *reader, const tns_swap *swap, tns_expr *times,
               tns_read_iteration read, void *self)
{
  tns_node *outer = reader->block;
  tns_expr *turn = tns_binary (reader->arena, TNS_MOD, times,
                               tns_int (reader->arena, swap->turns));
  bool is_read = read_from (reader, swap, turn, 0, read, self);
  reader->block = outer;
  return is_read;
}
