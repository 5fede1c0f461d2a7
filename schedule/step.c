/* Steps on schedule trees: each copies the tree and edits the copy.

   An edit works on a slot, the pointer that holds a node, so that what
   stands in it can be replaced by what the step makes of it.  */

#include "schedule/step.h"

#include <string.h>

#define MAX_MOVES 96

/* The slot of the DIM called NAME above STMT, from SLOT down; NULL when there
   is none.  */
static tns_tree **
slot_of_dim (tns_tree **slot, int stmt, const char *name)
{
  while ((*slot)->kind != TNS_TREE_LEAF)
    if ((*slot)->kind == TNS_TREE_DIM)
      {
        if (!strcmp ((*slot)->name, name))
          return slot;
        slot = &(*slot)->body;
      }
    else
      {
        int k = 0;
        while (!tns_tree_has ((*slot)->kid[k], stmt))
          k++;
        slot = &(*slot)->kid[k];
      }
  return NULL;
}

/* The slot of the deepest SEQ above both A and B, and the places of their
   nests in it.  NULL when they share a leaf.  */
static tns_tree **
slot_of_seq (tns_tree **slot, int a, int b, int *place_a, int *place_b)
{
  tns_tree **found = NULL;
  while ((*slot)->kind != TNS_TREE_LEAF)
    if ((*slot)->kind == TNS_TREE_DIM)
      slot = &(*slot)->body;
    else
      {
        int pa = 0;
        int pb = 0;
        while (!tns_tree_has ((*slot)->kid[pa], a))
          pa++;
        while (!tns_tree_has ((*slot)->kid[pb], b))
          pb++;
        *place_a = pa;
        *place_b = pb;
        found = slot;
        if (pa != pb)
          return found;
        slot = &(*slot)->kid[pa];
      }
  return NULL;
}

/* How many statements rows are kept for: one more than the largest below
   TREE.  */
static int
n_rows (const tns_tree *tree)
{
  int n = 0;
  if (tree->kind == TNS_TREE_LEAF)
    return tree->stmt + 1;
  if (tree->kind == TNS_TREE_DIM)
    return n_rows (tree->body);
  for (int k = 0; k < tree->n_kids; k++)
    {
      int below = n_rows (tree->kid[k]);
      n = below > n ? below : n;
    }
  return n;
}

/* DIM X's and, for its statements, DIM Y's rows, Y's shifted.  */
static void
join_rows (tns_arena *arena, tns_tree *x, const tns_tree *y, int n, long shift)
{
  tns_row **row = TNS_NEW_ARRAY (arena, tns_row *, n);
  for (int s = 0; s < n; s++)
    if (tns_tree_has (x->body, s))
      row[s] = x->row[s];
    else if (tns_tree_has (y->body, s))
      {
        row[s] = TNS_NEW (arena, tns_row);
        *row[s] = *y->row[s];
        row[s]->constant += shift;
      }
  x->row = row;
}

/* Remove kid K of SEQ; the slot gets the only kid that is left.  */
static void
remove_kid (tns_tree **slot, int k)
{
  tns_tree *seq = *slot;
  for (; k + 1 < seq->n_kids; k++)
    seq->kid[k] = seq->kid[k + 1];
  if (--seq->n_kids == 1)
    *slot = seq->kid[0];
}

tns_tree *
tns_step_fuse (tns_arena *arena, const tns_tree *tree, int a, int b, long shift)
{
  tns_tree *copy = tns_tree_copy (arena, tree);
  int place_a = 0;
  int place_b = 0;
  tns_tree **slot = slot_of_seq (&copy, a, b, &place_a, &place_b);
  if (!slot || place_b != place_a + 1)
    return NULL;
  tns_tree *x = (*slot)->kid[place_a];
  tns_tree *y = (*slot)->kid[place_b];
  if (x->kind != TNS_TREE_DIM || y->kind != TNS_TREE_DIM)
    return NULL;
  join_rows (arena, x, y, n_rows (*slot), shift);
  if (strcmp (x->name, y->name))
    tns_tree_rename (arena, y->body, x->name);
  tns_tree *bodies[] = { x->body, y->body };
  x->body = tns_tree_seq (arena, 2, bodies);
  remove_kid (slot, place_b);
  return copy;
}

/* The nest of statement A, FROM places before the DIM of B in their SEQ, goes
   into that DIM, with ROW as the values there of what it holds: before what
   stands in it, or behind.  */
static tns_tree *
put_into (tns_arena *arena, const tns_tree *tree, int a, int b,
          const tns_row *row, int from)
{
  tns_tree *copy = tns_tree_copy (arena, tree);
  int place_a = 0;
  int place_b = 0;
  tns_tree **slot = slot_of_seq (&copy, a, b, &place_a, &place_b);
  if (!slot || place_b != place_a + from)
    return NULL;
  tns_tree *x = (*slot)->kid[place_a];
  tns_tree *y = (*slot)->kid[place_b];
  if (y->kind != TNS_TREE_DIM)
    return NULL;
  int n = n_rows (*slot);
  tns_tree *at = tns_tree_dim (arena, y, x);
  at->row = TNS_NEW_ARRAY (arena, tns_row *, n);
  for (int s = 0; s < n; s++)
    if (tns_tree_has (x, s))
      {
        at->row[s] = TNS_NEW (arena, tns_row);
        *at->row[s] = *row;
      }
  join_rows (arena, at, y, n, 0);
  tns_tree_rename (arena, x, y->name);
  tns_tree *bodies[] = { from > 0 ? x : y->body, from > 0 ? y->body : x };
  at->body = tns_tree_seq (arena, 2, bodies);
  (*slot)->kid[place_b] = at;
  remove_kid (slot, place_a);
  return copy;
}

tns_tree *
tns_step_embed (tns_arena *arena, const tns_tree *tree, int a, int b,
                long value)
{
  tns_row row = { .constant = value, .divisor = 1 };
  return put_into (arena, tree, a, b, &row, 1);
}

tns_tree *
tns_step_sink (tns_arena *arena, const tns_tree *tree, int a, int b,
               const tns_row *row)
{
  return put_into (arena, tree, a, b, row, -1);
}

/* KID wants a loop of its own: N is 0, or one of APART[0..N) is below.  */
static bool
is_apart (const tns_tree *kid, int n, const int *apart)
{
  for (int k = 0; k < n; k++)
    if (tns_tree_has (kid, apart[k]))
      return true;
  return n == 0;
}

/* The SEQ of DIM around each kid of DIM's body, a SEQ, or each run of kids
   that are not APART[0..N).  */
static tns_tree *
split_dim (tns_arena *arena, const tns_tree *dim, int n, const int *apart)
{
  const tns_tree *seq = dim->body;
  tns_tree **part = TNS_NEW_ARRAY (arena, tns_tree *, seq->n_kids);
  int parts = 0;
  for (int first = 0, last; first < seq->n_kids; first = last)
    {
      last = first + 1;
      while (last < seq->n_kids && !is_apart (seq->kid[first], n, apart)
             && !is_apart (seq->kid[last], n, apart))
        last++;
      tns_tree *run = tns_tree_seq (arena, last - first, seq->kid + first);
      part[parts++] = tns_tree_dim (arena, dim, run);
    }
  return tns_tree_seq (arena, parts, part);
}

/* Splice SEQs that stand directly below SEQs, and drop SEQs of one kid,
   everywhere below TREE.  */
static tns_tree *
flatten (tns_arena *arena, tns_tree *tree)
{
  if (tree->kind == TNS_TREE_DIM)
    tree->body = flatten (arena, tree->body);
  if (tree->kind != TNS_TREE_SEQ)
    return tree;
  for (int k = 0; k < tree->n_kids; k++)
    tree->kid[k] = flatten (arena, tree->kid[k]);
  return tns_tree_seq (arena, tree->n_kids, tree->kid);
}

tns_tree *
tns_step_split (tns_arena *arena, const tns_tree *tree, int stmt,
                const char *name, int n, const int *apart)
{
  tns_tree *copy = tns_tree_copy (arena, tree);
  tns_tree **slot = slot_of_dim (&copy, stmt, name);
  if (!slot || (*slot)->body->kind != TNS_TREE_SEQ)
    return NULL;
  *slot = split_dim (arena, *slot, n, apart);
  return flatten (arena, copy);
}

/* What of TREE's statements is in part K of PART; NULL: nothing.  */
static tns_tree *
part_of (tns_arena *arena, const tns_tree *tree, int k, const int *part)
{
  if (tree->kind == TNS_TREE_LEAF)
    return part[tree->stmt] == k ? (tns_tree *) tree : NULL;
  if (tree->kind == TNS_TREE_DIM)
    {
      tns_tree *body = part_of (arena, tree->body, k, part);
      return body ? tns_tree_dim (arena, tree, body) : NULL;
    }
  tns_tree **kid = TNS_NEW_ARRAY (arena, tns_tree *, tree->n_kids);
  int n = 0;
  for (int j = 0; j < tree->n_kids; j++)
    if ((kid[n] = part_of (arena, tree->kid[j], k, part)))
      n++;
  return n ? tns_tree_seq (arena, n, kid) : NULL;
}

tns_tree *
tns_step_distribute (tns_arena *arena, const tns_tree *tree, int stmt,
                     const char *name, int n, const int *part)
{
  tns_tree *copy = tns_tree_copy (arena, tree);
  tns_tree **slot = slot_of_dim (&copy, stmt, name);
  tns_tree **made = TNS_NEW_ARRAY (arena, tns_tree *, n + 1);
  for (int k = 0; slot && k < n; k++)
    if (!(made[k] = part_of (arena, *slot, k, part)))
      return NULL;
  if (!slot || n < 2)
    return NULL;
  *slot = tns_tree_seq (arena, n, made);
  return flatten (arena, tns_tree_copy (arena, copy));
}

/* DIM's rows divided by SIZE more.  */
static tns_row **
tile_rows (tns_arena *arena, const tns_tree *dim, long size)
{
  int n = n_rows (dim);
  tns_row **row = TNS_NEW_ARRAY (arena, tns_row *, n);
  for (int s = 0; s < n; s++)
    if (dim->row[s] && tns_tree_has (dim->body, s))
      {
        row[s] = TNS_NEW (arena, tns_row);
        *row[s] = *dim->row[s];
        row[s]->divisor *= size;
      }
  return row;
}

tns_tree *
tns_step_tile (tns_arena *arena, const tns_tree *tree, int stmt,
               const char *name, long size)
{
  tns_tree *copy = tns_tree_copy (arena, tree);
  tns_tree **slot = slot_of_dim (&copy, stmt, name);
  if (!slot || size < 2)
    return NULL;
  tns_tree *point = *slot;
  tns_tree *tile = tns_tree_dim (arena, point, point);
  tile->name = tns_arena_format (arena, "%s.0", name);
  tile->row = tile_rows (arena, point, size);
  point->name = tns_arena_format (arena, "%s.1", name);
  *slot = tile;
  return copy;
}

tns_tree *
tns_step_down (tns_arena *arena, const tns_tree *tree, int stmt,
               const char *name)
{
  tns_tree *copy = tns_tree_copy (arena, tree);
  tns_tree **slot = slot_of_dim (&copy, stmt, name);
  if (!slot || (*slot)->body->kind == TNS_TREE_LEAF)
    return NULL;
  tns_tree *dim = *slot;
  if (dim->body->kind == TNS_TREE_SEQ)
    {
      *slot = split_dim (arena, dim, 0, NULL);
      return flatten (arena, copy);
    }
  tns_tree *below = dim->body;
  dim->body = below->body;
  below->body = dim;
  *slot = below;
  return copy;
}

/* The place of NAME among the DIMs above STMT in TREE; -1: it is not
   there.  */
static int
place_of (const tns_tree *tree, int stmt, const char *name)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path ((tns_tree *) tree, stmt, path);
  for (int k = 0; k < n; k++)
    if (!strcmp (path[k]->name, name))
      return k;
  return -1;
}

tns_tree *
tns_step_below (tns_arena *arena, const tns_tree *tree, int stmt,
                const char *name, int n, const char *const *above)
{
  for (int moves = 0; tree && moves < MAX_MOVES; moves++)
    {
      int place = place_of (tree, stmt, name);
      bool right = true;
      for (int k = 0; k < n; k++)
        right &= place_of (tree, stmt, above[k]) < place;
      if (right)
        return (tns_tree *) tree;
      tree = tns_step_down (arena, tree, stmt, name);
    }
  return NULL;
}

/* Take the DIM called NAME out of the N of DIM; NULL when it is not
   there.  */
static tns_tree *
take_named (int n, tns_tree **dim, const char *name)
{
  for (int k = 0; k < n; k++)
    if (dim[k] && !strcmp (dim[k]->name, name))
      {
        tns_tree *found = dim[k];
        dim[k] = NULL;
        return found;
      }
  return NULL;
}

tns_tree *
tns_step_order (tns_arena *arena, const tns_tree *tree, int stmt, int n,
                const char *const *name)
{
  tns_tree *copy = tns_tree_copy (arena, tree);
  tns_tree **first = NULL;
  for (int k = 0; k < n; k++)
    {
      tns_tree **slot = slot_of_dim (&copy, stmt, name[k]);
      if (!slot)
        return NULL;
      if (!first || slot_of_dim (slot, stmt, (*first)->name))
        first = slot;
    }
  tns_tree *dim[2 * TNS_MAX_DEPTH];
  tns_tree *rest = *first;
  for (int k = 0; k < n; k++, rest = rest->body)
    if (rest->kind != TNS_TREE_DIM)
      return NULL;
    else
      dim[k] = rest;
  for (int k = n - 1; k >= 0; k--)
    {
      tns_tree *next = take_named (n, dim, name[k]);
      if (!next)
        return NULL;
      next->body = rest;
      rest = next;
    }
  *first = rest;
  return copy;
}

/* DIM's rows and SKEW times OUTER's.  */
static tns_row **
skew_rows (tns_arena *arena, const tns_tree *dim, const tns_tree *outer,
           long skew)
{
  int n = n_rows (dim);
  tns_row **row = TNS_NEW_ARRAY (arena, tns_row *, n);
  for (int s = 0; s < n; s++)
    if (dim->row[s] && tns_tree_has (dim->body, s))
      {
        if (dim->row[s]->divisor != 1 || outer->row[s]->divisor != 1)
          return NULL;
        row[s] = TNS_NEW (arena, tns_row);
        *row[s] = *dim->row[s];
        for (int k = 0; k < TNS_MAX_DEPTH; k++)
          row[s]->coef[k] += skew * outer->row[s]->coef[k];
        row[s]->constant += skew * outer->row[s]->constant;
      }
  return row;
}

tns_tree *
tns_step_skew (tns_arena *arena, const tns_tree *tree, int stmt,
               const char *name, long rows, long skew)
{
  tns_tree *made = tns_step_tile (arena, tree, stmt, name, rows);
  if (!made)
    return NULL;
  const char *point = tns_arena_format (arena, "%s.1", name);
  tns_tree **slot = slot_of_dim (&made, stmt, point);
  tns_tree *outer = *slot;
  tns_tree *inner = outer->body;
  if (inner->kind != TNS_TREE_DIM)
    return NULL;
  inner->row = skew_rows (arena, inner, outer, skew);
  outer->body = inner->body;
  inner->body = outer;
  *slot = inner;
  return inner->row ? made : NULL;
}

tns_tree *
tns_step_reverse (tns_arena *arena, const tns_tree *tree, int stmt,
                  const char *name)
{
  tns_tree *copy = tns_tree_copy (arena, tree);
  tns_tree **slot = slot_of_dim (&copy, stmt, name);
  if (!slot)
    return NULL;
  tns_tree *dim = *slot;
  int n = n_rows (dim);
  tns_row **row = TNS_NEW_ARRAY (arena, tns_row *, n);
  for (int s = 0; s < n; s++)
    if (dim->row[s] && tns_tree_has (dim->body, s))
      {
        if (dim->row[s]->divisor != 1)
          return NULL;
        row[s] = TNS_NEW (arena, tns_row);
        row[s]->divisor = 1;
        row[s]->constant = -dim->row[s]->constant;
        for (int k = 0; k < TNS_MAX_DEPTH; k++)
          row[s]->coef[k] = -dim->row[s]->coef[k];
      }
  dim->row = row;
  return copy;
}

tns_tree *
tns_step_interchange (tns_arena *arena, const tns_tree *tree, int stmt,
                      const char *a, const char *b)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  const char *order[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path ((tns_tree *) tree, stmt, path);
  int first = place_of (tree, stmt, a);
  int last = place_of (tree, stmt, b);
  if (first < 0 || last < 0 || first == last || n < 2)
    return NULL;
  int from = first < last ? first : last;
  int count = (first < last ? last : first) - from + 1;
  for (int k = 0; k < count; k++)
    order[k] = path[from + k]->name;
  order[0] = path[from + count - 1]->name;
  order[count - 1] = path[from]->name;
  return tns_step_order (arena, tree, stmt, count, order);
}

tns_tree *
tns_step_swap (tns_arena *arena, const tns_tree *tree, int a, int b)
{
  tns_tree *copy = tns_tree_copy (arena, tree);
  int place_a = 0;
  int place_b = 0;
  tns_tree **slot = slot_of_seq (&copy, a, b, &place_a, &place_b);
  if (!slot || (place_a != place_b + 1 && place_b != place_a + 1))
    return NULL;
  tns_tree *kid = (*slot)->kid[place_a];
  (*slot)->kid[place_a] = (*slot)->kid[place_b];
  (*slot)->kid[place_b] = kid;
  return copy;
}
