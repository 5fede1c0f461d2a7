/* Rows in registers, as lowering/grid-row.h says.

   1. the loops with lanes, and how their ends lie to each other
   2. of each the elements that go on with its iterator (lowering/grid-wide.h)
   3. those that differ from row to row are kept; two loops have the same one
      where the subscripts are the same with one iterator in place of the
      other  */

#include "lowering/grid-row.h"

#include "ir/stride.h"
#include "ir/walk.h"
#include "lowering/linear.h"

/* Registers of a thread for a row, and the most groups of a thread.  */
#define MOST_WORDS  96
#define MOST_GROUPS 8

/* A loop begins and ends at most so far from where the row does.  */
#define MOST_APART 4096

/* Rows being looked at: LOOP[0..N) around.  */
typedef struct finder
{
  tns_arena *arena;
  const tns_region *around;
  int n;
  tns_node *const *loop;
  tns_node *body;
  tns_grid_row *row;
} finder;

/* ENDS reads memory, or a cell.  */
static bool
is_known (tns_expr *end)
{
  return !tns_expr_loads (end);
}

/* LOOP, with lanes, may be one of a row.  */
static bool
suits (tns_node *loop)
{
  return loop->step == 1 && !tns_node_has_loop (loop->body)
         && is_known (loop->lo) && is_known (loop->hi);
}

/* Note the loops of NODE, the body.  False where it has others, or what is no
   plain statement.  */
static bool
note_loops (finder *f, tns_node *node)
{
  tns_grid_row *row = f->row;
  for (int k = 0; k < node->n_kids; k++)
    if (!note_loops (f, node->kid[k]))
      return false;
  if (node->kind == TNS_LOCAL)
    return node->sym->rank == 0;
  if (node->kind != TNS_LOOP)
    return node->kind == TNS_BLOCK || node->kind == TNS_ASSIGN;
  if (node->marks.simd < 2 || !suits (node) || row->n == TNS_MOST_ROW_LOOPS)
    return false;
  row->loop[row->n++].loop = node;
  return true;
}

/* Find where the row begins and ends; each loop from there.  */
static bool
find_ends (finder *f)
{
  tns_grid_row *row = f->row;
  long long least = 0, most = 0;
  for (int k = 0; k < row->n; k++)
    {
      tns_row_loop *l = &row->loop[k];
      if (!tns_linear_distance (f->arena, l->loop->lo, row->loop[0].loop->lo,
                                &l->from)
          || !tns_linear_distance (f->arena, l->loop->hi, row->loop[0].loop->hi,
                                   &l->to))
        return false;
      if (l->from < -MOST_APART || l->from > MOST_APART || l->to < -MOST_APART
          || l->to > MOST_APART)
        return false;
      least = l->from < least ? l->from : least;
      most = l->to > most ? l->to : most;
    }
  for (int k = 0; k < row->n; k++)
    {
      tns_row_loop *l = &row->loop[k];
      l->from -= least;
      l->to -= most;
      row->lo = l->from == 0 ? l->loop->lo : row->lo;
      row->hi = l->to == 0 ? l->loop->hi : row->hi;
    }
  return true;
}

/* What loop K accesses in a row: runs of one element each.  */
static void
find_runs (finder *f, int k)
{
  tns_row_loop *l = &f->row->loop[k];
  tns_node **loop = TNS_NEW_ARRAY (f->arena, tns_node *, f->n + 1);
  for (int d = 0; d < f->n; d++)
    loop[d] = f->loop[d];
  loop[f->n] = l->loop;
  int n = 0;
  if (!tns_wide_find (f->arena, f->around, f->n + 1, loop, &l->wide))
    l->wide.n = 0;
  for (int r = 0; r < l->wide.n; r++)
    if (l->wide.run[r].from == l->wide.run[r].to)
      {
        l->kept[n] = -1;
        l->wide.run[n++] = l->wide.run[r];
      }
  l->wide.n = n;
}

/* LOAD, of loop K, as one of loop TO.  */
static tns_expr *
moved (const finder *f, tns_expr *load, int k, int to)
{
  tns_expr *by = tns_value (f->arena, f->row->loop[to].loop->iter);
  return tns_expr_substitute (f->arena, load, 1, &f->row->loop[k].loop->iter,
                              &by);
}

/* A, of loop K, is the element of B, of loop L.  */
static bool
is_same (const finder *f, tns_expr *a, int k, tns_expr *b, int l)
{
  return a->sym == b->sym
         && tns_cells_compare (f->arena, moved (f, a, k, l), b)
              == TNS_CELLS_SAME;
}

/* LOAD differs from row to row.  */
static bool
is_of_row (const finder *f, tns_expr *load)
{
  for (int d = 0; d < f->n; d++)
    if (tns_expr_mentions (load, f->loop[d]->iter))
      return true;
  return false;
}

/* Accesses of SYM, or of the element of LIKE where that is one, and how many
   there are.  */
typedef struct count
{
  tns_arena *arena;
  const tns_sym *sym;
  const tns_expr *like;
  int n;
} count;

/* The visitor of expressions.  */
static bool
count_access (tns_expr *expr, void *self)
{
  count *c = self;
  c->n += tns_expr_reads (expr) && expr->sym == c->sym
          && (!c->like
              || tns_cells_compare (c->arena, expr, c->like) == TNS_CELLS_SAME);
  return true;
}

/* The visitor of statements.  */
static bool
count_accesses (tns_node *node, void *self)
{
  tns_node_exprs (node, count_access, self);
  return true;
}

/* All accesses of KEPT's array, number WHICH, are of its element, in loops that
   have it.  */
static bool
is_alone (const finder *f, const tns_row_kept *kept, int which)
{
  count all = { f->arena, kept->load->sym, NULL, 0 };
  tns_node_walk (f->body, count_accesses, &all);
  for (int k = 0; k < f->row->n; k++)
    for (int r = 0; r < f->row->loop[k].wide.n; r++)
      if (f->row->loop[k].kept[r] == which)
        {
          count own = all;
          own.like = f->row->loop[k].wide.run[r].load;
          own.n = 0;
          tns_node_walk (f->row->loop[k].loop->body, count_accesses, &own);
          all.n -= own.n;
        }
  return all.n == 0;
}

/* Loop K has all of what the others that have element WHICH do.  */
static bool
covers (const finder *f, int which, int k)
{
  const tns_grid_row *row = f->row;
  bool has = false;
  for (int l = 0; l < row->n; l++)
    for (int r = 0; r < row->loop[l].wide.n; r++)
      if (row->loop[l].kept[r] == which)
        {
          has |= l == k;
          if (row->loop[l].from < row->loop[k].from
              || row->loop[l].to > row->loop[k].to)
            return false;
        }
  return has;
}

/* Several loops have element WHICH, or one that reads what is there.  */
static bool
pays (const finder *f, int which)
{
  int n = 0;
  for (int k = 0; k < f->row->n; k++)
    for (int r = 0; r < f->row->loop[k].wide.n; r++)
      if (f->row->loop[k].kept[r] == which)
        n += f->row->loop[k].wide.run[r].loaded ? 2 : 1;
  return n > 1;
}

/* What element WHICH holds can be kept.  */
static bool
is_right (const finder *f, int which)
{
  const tns_row_kept *kept = &f->row->kept[which];
  bool written = tns_node_writes (f->body, kept->load->sym);
  if (written && !is_alone (f, kept, which))
    return false;
  if (written)
    return covers (f, which, kept->first)
           && (kept->stored < 0 || covers (f, which, kept->stored));
  for (int k = 0; k < f->row->n; k++)
    if (f->row->loop[k].from == 0 && f->row->loop[k].to == 0
        && covers (f, which, k))
      return true;
  return false;
}

/* Let run R of loop K be one of the elements that are kept.  */
static void
join (finder *f, int k, int r)
{
  tns_grid_row *row = f->row;
  const tns_run *run = &row->loop[k].wide.run[r];
  int which = 0;
  while (which < row->n_kept
         && !is_same (f, run->load, k, row->kept[which].load,
                      row->kept[which].first))
    which++;
  if (which == TNS_MOST_KEPT || !is_of_row (f, run->load))
    return;
  if (which == row->n_kept)
    row->kept[row->n_kept++] = (tns_row_kept){ run->load, k, -1, !run->loaded };
  if (run->stored)
    row->kept[which].stored = k;
  row->loop[k].kept[r] = which;
}

/* Drop element WHICH from those that are kept.  */
static void
drop (tns_grid_row *row, int which)
{
  row->n_kept--;
  for (int k = which; k < row->n_kept; k++)
    row->kept[k] = row->kept[k + 1];
  for (int k = 0; k < row->n; k++)
    for (int r = 0; r < row->loop[k].wide.n; r++)
      {
        int *kept = &row->loop[k].kept[r];
        *kept = *kept == which ? -1 : *kept > which ? *kept - 1 : *kept;
      }
}

/* The registers of an element of LOAD.  */
static int
words_of (const tns_expr *load)
{
  return (tns_elem_bytes (load->type.elem) + 3) / 4;
}

/* How many neighbours a group has, and how many groups have room: what is kept
   has an old and a new value for a while.  */
static void
find_size (tns_grid_row *row)
{
  int words = 0, most = 0, least = 8;
  for (int k = 0; k < row->n; k++)
    {
      int own = 0;
      for (int r = 0; r < row->loop[k].wide.n; r++)
        {
          const tns_expr *load = row->loop[k].wide.run[r].load;
          int bytes = tns_elem_bytes (load->type.elem);
          least = bytes < least ? bytes : least;
          own += row->loop[k].kept[r] < 0 ? words_of (load) : 0;
        }
      most = own > most ? own : most;
    }
  row->width = least == 8 ? 2 : 4;
  for (int k = 0; k < row->n_kept; k++)
    words += 2 * words_of (row->kept[k].load);
  row->groups = MOST_GROUPS;
  while (row->groups > 1
         && (words + most) * row->width * row->groups > MOST_WORDS)
    row->groups /= 2;
}

long
tns_row_room (const tns_grid_row *row, int threads)
{
  return (long) threads * row->groups * row->width;
}

tns_expr *
tns_space_most (tns_arena *arena, int n, tns_node *const *loop, tns_expr *expr)
{
  tns_expr *most = expr;
  for (int k = n - 1; k >= 0; k--)
    {
      tns_sym *iter = loop[k]->iter;
      long long stride;
      if (!tns_expr_mentions (most, iter))
        continue;
      if (!tns_expr_stride (arena, most, iter, &stride))
        return expr;
      bool up = loop[k]->step > 0;
      tns_expr *last
        = tns_binary (arena, TNS_SUB, up ? loop[k]->hi : loop[k]->lo,
                      tns_int (arena, up ? 1 : 0));
      tns_expr *first = up ? loop[k]->lo : loop[k]->hi;
      most = tns_expr_substitute (arena, most, 1, &iter,
                                  stride > 0 ? &last : &first);
    }
  return most;
}

tns_expr *
tns_row_need (tns_arena *arena, const tns_grid_row *row, int n,
              tns_node *const *loop)
{
  tns_expr *length = tns_binary (arena, TNS_SUB, row->hi, row->lo);
  tns_expr *most = tns_space_most (arena, n, loop, length);
  tns_expr *width = tns_int (arena, row->width);
  tns_expr *more
    = tns_binary (arena, TNS_ADD, most, tns_int (arena, row->width - 1));
  if (most != length)
    return more;
  tns_expr *rest = tns_binary (arena, TNS_MOD, length, width);
  return tns_ternary (arena, TNS_SELECT,
                      tns_binary (arena, TNS_EQ, rest, tns_int (arena, 0)),
                      length, more);
}

int
tns_row_loop_of (const tns_grid_row *row, const tns_node *loop)
{
  for (int k = 0; k < row->n; k++)
    if (row->loop[k].loop == loop)
      return k;
  return -1;
}

bool
tns_row_find (tns_arena *arena, const tns_region *around, int n,
              tns_node *const *loop, tns_grid_row *row)
{
  finder f = { arena, around, n, loop, loop[n - 1]->body, row };
  *row = (tns_grid_row){ .n = 0 };
  if (!note_loops (&f, f.body) || row->n == 0 || !find_ends (&f) || !row->lo
      || !row->hi)
    return false;
  for (int k = 0; k < row->n; k++)
    find_runs (&f, k);
  for (int k = 0; k < row->n; k++)
    for (int r = 0; r < row->loop[k].wide.n; r++)
      join (&f, k, r);
  for (int k = row->n_kept - 1; k >= 0; k--)
    if (!is_right (&f, k) || !pays (&f, k))
      drop (row, k);
  find_size (row);
  return row->n_kept > 0;
}
