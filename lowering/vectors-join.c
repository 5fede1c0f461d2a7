/* Branches that store to the same places, joined.

     if (c) { b[i] = x; d[i] = y; }      local bool m; m = c;
     else { b[i] = u; d[i] = v; }   ->   b[i] = m ? x : u; d[i] = m ? y : v;

   In lanes one plain store is less than two under masks, and what both
   branches read is read in any case.  The order of the stores is that of
   either branch, so each reads what it read before.

   Only where the stores of both branches are the same ones in the same order,
   nothing else stands there, and the condition differs between lanes.  One
   store that updates in several ways is a plain one, and joined in turn:

     if (c) b[i] += x;
     else if (d) b[i] -= x;    ->    b[i] = c ? b[i] + x
     else b[i] *= x;                        : d ? b[i] - x : b[i] * x;

   Masks of a branch that was joined before come first, each only where that
   branch is taken:

     if (c) { b[i] = x; d[i] = y; }      m = c;
     else { k = e; b[i] = k ? u : w;  -> k = !m && e;
            d[i] = k ? v : z; }          b[i] = m ? x : k ? u : w; ...

   Of other branches, what the condition has read is not read again where one
   of them stores to that array:

     if (a[i] > 1) a[i] = 2;             local t; t = a[i];
     else d[i] = a[i] * a[i];       ->   if (t > 1) a[i] = 2;
                                         else d[i] = t * t;

   Nor does one branch read behind what the other stores to that element:

     if (c) { a[i] += x; b[i] = y; }     local bool m; m = c;
     else { a[i] -= y; d[i] = x; }  ->   local t; t = m ? 0 : a[i];
                                         if (m) { a[i] += x; b[i] = y; }
                                         else { a[i] = t - y; d[i] = x; }

   A vector that was stored under a mask just now cannot be loaded before the
   store has reached the cache.  */

#include "lowering/lanes.h"

#include "ir/walk.h"

/* The statements of BRANCH: it, or the kids of a BLOCK; *N: how many.  */
static tns_node **
statements (tns_node **branch, int *n)
{
  while ((*branch)->kind == TNS_BLOCK && (*branch)->n_kids == 1)
    branch = &(*branch)->kid[0];
  *n = (*branch)->kind == TNS_BLOCK ? (*branch)->n_kids : 1;
  return (*branch)->kind == TNS_BLOCK ? (*branch)->kid : branch;
}

/* How many of KID[0..N) come before its stores: LOCAL masks and what they
   are.  */
static int
count_masks (tns_node *const *kid, int n)
{
  int k = 0;
  while (k + 1 < n && kid[k]->kind == TNS_LOCAL
         && kid[k + 1]->kind == TNS_ASSIGN && kid[k]->sym->type.elem == TNS_BOOL
         && kid[k]->sym->rank == 0 && kid[k + 1]->target->sym == kid[k]->sym
         && kid[k + 1]->update == TNS_NONE)
    k += 2;
  return k;
}

/* A and B store to the same place.  */
static bool
is_pair (const tns_node *a, const tns_node *b)
{
  return a->kind == TNS_ASSIGN && b->kind == TNS_ASSIGN && !a->mask && !b->mask
         && a->target->type.elem != TNS_BOOL && a->target->n_args > 0
         && a->value->type.elem == b->value->type.elem
         && tns_expr_equal (a->target, b->target);
}

/* NODE, an IF, may be joined.  */
static bool
may_join (const tns_lanes *lanes, tns_node *node)
{
  int n = 0;
  int n_other = 0;
  if (!node->then || !node->otherwise || !tns_lanes_differ (lanes, node->cond))
    return false;
  tns_node **a = statements (&node->then, &n);
  tns_node **b = statements (&node->otherwise, &n_other);
  int masks = count_masks (a, n), masks_other = count_masks (b, n_other);
  bool one = n == 1 && n_other == 1;
  bool same = n - masks == n_other - masks_other && n > masks;
  for (int k = masks, j = masks_other; same && k < n; k++, j++)
    same = is_pair (a[k], b[j]) && (one || a[k]->update == b[j]->update);
  return same;
}

/* An element that a condition reads, in a LOCAL.

   read      the LOAD; cell: the LOCAL
   stored    something may have been stored to the array
   n         how often it was read again  */
typedef struct known
{
  tns_arena *arena;
  tns_expr *read;
  tns_expr *cell;
  bool stored;
  int n;
} known;

/* EXPR, its operands done.  */
static tns_expr *
use_known (tns_expr *expr, void *self)
{
  known *k = self;
  if (!tns_expr_equal (expr, k->read))
    return expr;
  k->n++;
  return k->cell;
}

/* EXPR with the cell.  */
static tns_expr *
with_known (known *k, tns_expr *expr)
{
  return expr && !k->stored ? tns_expr_rebuild (k->arena, expr, use_known, k)
                            : expr;
}

/* NODE with the cell, up to what stores to the array.  */
static tns_node *
keep_known (known *k, tns_node *node)
{
  if (!node || k->stored || node->kind == TNS_LOCAL)
    return node;
  if (node->kind == TNS_LOOP)
    {
      k->stored = true;
      return node;
    }
  tns_node *made = tns_node_copy (k->arena, node);
  made->n_kids = 0;
  made->kid = NULL;
  made->cond = with_known (k, node->cond);
  made->value = with_known (k, node->value);
  k->stored |= node->target && node->target->sym == k->read->sym;
  for (int n = 0; n < node->n_kids; n++)
    tns_block_add (k->arena, made, keep_known (k, node->kid[n]));
  bool before = k->stored;
  made->then = keep_known (k, node->then);
  bool then = k->stored;
  k->stored = before;
  made->otherwise = keep_known (k, node->otherwise);
  k->stored |= then;
  return made;
}

/* A search in the condition of NODE for an element of an array that its
   branches store to.  */
typedef struct first_read
{
  const tns_node *node;
  tns_expr *found;
} first_read;

/* Note in SELF, a known, whether NODE stores to its array.  */
static bool
note_store (tns_node *node, void *self)
{
  known *k = self;
  k->stored |= node->target && node->target->sym == k->read->sym;
  return !k->stored;
}

/* Note whether EXPR reads memory.  */
static bool
note_memory (tns_expr *expr, void *self)
{
  bool *found = self;
  *found |= tns_expr_reads (expr);
  return !*found;
}

/* The visitor that looks for such an element.  */
static bool
find_read (tns_expr *expr, void *self)
{
  first_read *f = self;
  known k = { .read = expr };
  bool again = false;
  if (f->found || expr->op == TNS_SELECT || expr->op == TNS_LAND
      || expr->op == TNS_LOR)
    return false;
  if (expr->op != TNS_LOAD || expr->n_args == 0 || expr->type.elem == TNS_BOOL)
    return true;
  for (int n = 0; n < expr->n_args; n++)
    tns_expr_walk (expr->arg[n], note_memory, &again);
  tns_node_walk (f->node->then, note_store, &k);
  if (f->node->otherwise)
    tns_node_walk (f->node->otherwise, note_store, &k);
  if (!again && k.stored)
    f->found = expr;
  return false;
}

/* NODE, an IF that is not joined, without a second look at what its branches
   store to.  */
static tns_node *
look_once (const tns_lanes *lanes, tns_node *node)
{
  tns_arena *arena = lanes->arena;
  first_read f = { node, NULL };
  if (!node->then || !tns_lanes_differ (lanes, node->cond))
    return node;
  tns_expr_walk (node->cond, find_read, &f);
  if (!f.found)
    return node;
  tns_sym *sym = tns_region_add_array (arena, lanes->region, "read",
                                       f.found->type.elem, 0, TNS_SYM_LOCAL);
  tns_expr *cell = tns_cell (arena, sym);
  known k = { .arena = arena, .read = f.found, .cell = cell };
  tns_expr *cond = with_known (&k, node->cond);
  k.n = 0;
  tns_node *made = tns_node_copy (arena, node);
  made->then = keep_known (&k, node->then);
  k.stored = false;
  made->otherwise = keep_known (&k, node->otherwise);
  if (k.n == 0)
    return node;
  made->cond = cond;
  tns_node *block = tns_block (arena, node->loc);
  tns_block_add (arena, block, tns_local (arena, node->loc, sym));
  tns_block_add (arena, block,
                 tns_assign (arena, node->loc, cell, TNS_NONE, f.found));
  tns_block_add (arena, block, made);
  return block;
}

/* What NODE, an ASSIGN, stores.  */
static tns_expr *
stored_value (tns_arena *arena, const tns_node *node)
{
  return node->update == TNS_NONE
           ? node->value
           : tns_binary (arena, node->update, node->target, node->value);
}

/* A search for an element that a statement reads whenever it is reached, which
   branch THEN stores to, as the only one of its array, and none of KID[0..n)
   does: one of the lane's own, as sums of other lanes may meet there.  */
typedef struct ahead
{
  const tns_lanes *lanes;
  tns_node *then;
  tns_node *const *kid;
  int n;
  tns_expr *found;
} ahead;

/* Stores to the array of ELEMENT: whether some are, and whether any is of
   another one.  */
typedef struct stores
{
  tns_expr *element;
  bool some;
  bool others;
} stores;

/* The visitor: note NODE's.  */
static bool
note_stores (tns_node *node, void *self)
{
  stores *s = self;
  if (node->kind != TNS_ASSIGN || node->target->sym != s->element->sym)
    return true;
  s->some = true;
  s->others |= !tns_expr_equal (node->target, s->element);
  return true;
}

/* A's first branch stores to ELEMENT, and to no other one of its array.  */
static bool
is_own (const ahead *a, tns_expr *element)
{
  stores s = { element, false, false };
  tns_node_walk (a->then, note_stores, &s);
  return s.some && !s.others && tns_lanes_differ (a->lanes, element);
}

/* The visitor that looks for it.  */
static bool
find_ahead (tns_expr *expr, void *self)
{
  ahead *a = self;
  bool again = false;
  if (a->found || expr->op == TNS_SELECT || expr->op == TNS_LAND
      || expr->op == TNS_LOR)
    return false;
  if (expr->op != TNS_LOAD || expr->n_args == 0)
    return true;
  for (int k = 0; k < expr->n_args; k++)
    tns_expr_walk (expr->arg[k], note_memory, &again);
  for (int k = 0; k < a->n; k++)
    again |= tns_node_writes (a->kid[k], expr->sym);
  if (!again && expr->type.elem != TNS_BOOL && is_own (a, expr))
    a->found = expr;
  return false;
}

/* The first such element in what NODE, an IF, does otherwise; NULL: there is
   none.  */
static tns_expr *
read_behind (const tns_lanes *lanes, tns_node *node)
{
  int n = 0;
  tns_node **kid = statements (&node->otherwise, &n);
  ahead a = { lanes, node->then, kid, 0, NULL };
  for (; a.n < n && !a.found; a.n++)
    if (kid[a.n]->kind == TNS_ASSIGN)
      tns_expr_walk (kid[a.n]->value, find_ahead, &a);
  return a.found;
}

/* What NODE, an IF, does otherwise, with plain stores to what its other branch
   stores to.  */
static tns_node *
with_plain_stores (tns_arena *arena, tns_node *node)
{
  int n = 0;
  tns_node **kid = statements (&node->otherwise, &n);
  tns_node *made = tns_block (arena, node->otherwise->loc);
  for (int k = 0; k < n; k++)
    {
      tns_node *plain = tns_node_copy (arena, kid[k]);
      if (plain->kind == TNS_ASSIGN && plain->target->n_args > 0
          && tns_node_writes (node->then, plain->target->sym))
        {
          plain->value = stored_value (arena, kid[k]);
          plain->update = TNS_NONE;
        }
      tns_block_add (arena, made, plain);
    }
  return made;
}

/* Declare a LOCAL NAME of ELEM, which is VALUE, in OUT; what reads it.  */
static tns_expr *
keep_value (const tns_lanes *lanes, const char *name, tns_expr *value,
            tns_node *out)
{
  tns_arena *arena = lanes->arena;
  tns_sym *sym = tns_region_add_array (arena, lanes->region, name,
                                       value->type.elem, 0, TNS_SYM_LOCAL);
  tns_expr *cell = tns_cell (arena, sym);
  tns_block_add (arena, out, tns_local (arena, out->loc, sym));
  tns_block_add (arena, out,
                 tns_assign (arena, out->loc, cell, TNS_NONE, value));
  return cell;
}

/* NODE, an IF whose condition is a mask, reads READ ahead of what its first
   branch stores, in OUT.  */
static void
read_ahead (const tns_lanes *lanes, tns_node *node, tns_expr *read,
            tns_node *out)
{
  tns_arena *arena = lanes->arena;
  tns_expr *zero = tns_int_of (arena, read->type.elem, 0);
  tns_expr *value = tns_ternary (arena, TNS_SELECT, node->cond, zero, read);
  known k = { .arena = arena, .read = read };
  k.cell = keep_value (lanes, "ahead", value, out);
  node->otherwise = keep_known (&k, node->otherwise);
}

/* NODE, or where it is an IF with two branches, one that reads nothing behind
   what the other one stores.  */
static tns_node *
look_ahead (const tns_lanes *lanes, tns_node *node)
{
  tns_arena *arena = lanes->arena;
  if (node->kind != TNS_IF || !node->then || !node->otherwise
      || !tns_lanes_differ (lanes, node->cond))
    return node;
  tns_node *made = tns_node_copy (arena, node);
  made->otherwise = with_plain_stores (arena, node);
  tns_expr *read = read_behind (lanes, made);
  if (!read)
    return node;
  tns_node *block = tns_block (arena, node->loc);
  made->cond = keep_value (lanes, "mask", node->cond, block);
  for (; read; read = read_behind (lanes, made))
    read_ahead (lanes, made, read, block);
  tns_block_add (arena, block, made);
  return block;
}

/* The stores A and B to one place, as one, of A's where COND holds.  */
static tns_node *
one_store (tns_arena *arena, tns_expr *cond, const tns_node *a,
           const tns_node *b)
{
  bool same = a->update == b->update;
  tns_expr *x = same ? a->value : stored_value (arena, a);
  tns_expr *y = same ? b->value : stored_value (arena, b);
  return tns_assign (arena, a->loc, a->target, same ? a->update : TNS_NONE,
                     tns_ternary (arena, TNS_SELECT, cond, x, y));
}

/* Add to OUT the masks KID[0..N) of a branch that is taken where COND
   holds.  */
static void
add_masks (tns_arena *arena, tns_node *out, tns_node *const *kid, int n,
           tns_expr *cond)
{
  for (int k = 0; k < n; k += 2)
    {
      tns_node *set = tns_node_copy (arena, kid[k + 1]);
      set->value = tns_binary (arena, TNS_LAND, cond, set->value);
      tns_block_add (arena, out, kid[k]);
      tns_block_add (arena, out, set);
    }
}

/* NODE, its parts done.  */
static tns_node *
join (tns_node *node, void *self)
{
  const tns_lanes *lanes = self;
  tns_arena *arena = lanes->arena;
  int n = 0;
  if (node->kind != TNS_IF)
    return node;
  if (!may_join (lanes, node))
    return look_once (lanes, look_ahead (lanes, node));
  int n_other = 0;
  tns_node **a = statements (&node->then, &n);
  tns_node **b = statements (&node->otherwise, &n_other);
  if (n == 1 && n_other == 1)
    return one_store (arena, node->cond, a[0], b[0]);
  tns_node *made = tns_block (arena, node->loc);
  tns_expr *mask = keep_value (lanes, "mask", node->cond, made);
  int masks = count_masks (a, n), masks_other = count_masks (b, n_other);
  add_masks (arena, made, a, masks, mask);
  add_masks (arena, made, b, masks_other, tns_unary (arena, TNS_LNOT, mask));
  for (int k = masks, j = masks_other; k < n; k++, j++)
    tns_block_add (arena, made, one_store (arena, mask, a[k], b[j]));
  return made;
}

tns_node *
tns_lanes_join_branches (tns_lanes *lanes, tns_node *loop)
{
  return tns_node_rebuild (lanes->arena, loop, join, NULL, lanes);
}
