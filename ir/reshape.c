/* One loop as several, as ir/reshape.h says.

   Where an access of an array moves by S elements with a loop of T iterations,
   and another one, outside of that loop, by a multiple S * Q with some loop of
   its own, the loop has rows of Q iterations, if Q divides T: a product of
   VALUEs and constants, term by term.  A constant Q counts only where the other
   access moves within the row, too (a[i*48 + j], but not a[2*i]).  Rows of rows
   divide each other:

     a[(b*T + t)*C + c]     a[k], k < B*T*C     rows T*C, C: loops B, T, C

   What has become a nest gives rows to others; so it goes on for some rounds.

   A loop whose iterator is divided by a VALUE Q has rows of Q iterations, too,
   in which the quotient and the rest are iterators:

     for k = 0 to n                        for k_0 = 0 to n / Q
       y[k] = x[k] * s[k / Q]      ->        for k_1 = 0 to Q
              + t[k % Q]                       y[k_0*Q + k_1]
                                                 = x[k_0*Q + k_1] * s[k_0]
                                                   + t[k_1]

   Where n is no product with Q, that Q divides it is guarded.

   Short rows that are no whole vectors cost more than one loop over them, above
   all where the next loop reads them at once: what it loads at their ends was
   stored in two pieces, for which it waits.  They stay, but for loops that only
   set elements to numbers.

   Does not do: loops that begin elsewhere than at 0, or have other steps; sizes
   that are quotients; unsigned products, which may wrap around, where the front
   end has not guarded that they do not.  */

#include "ir/reshape.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/section.h"
#include "ir/divided.h"
#include "ir/flat.h"
#include "ir/range.h"
#include "ir/walk.h"

enum
{
  MOST_LOOPS = 16,
  MOST_ROWS = 4,
  MOST_ROUNDS = 4,
  LONG = 256,
  LEAST = 64,
  WHOLE = 16,
  LEAST_DIVIDED = 8
};

/* A loop that may become several.

   trip     its iterations, over VALUEs
   row      iterations of a row, of a row of that, and so on: each is a multiple
            of the next
   divided  the iterator is divided by a row
   rest     what the trip leaves when it is divided by a row must be 0
   most     the greatest number that a division takes  */
typedef struct flat
{
  const tns_node *loop;
  tns_sum trip;
  int n_rows;
  tns_term row[MOST_ROWS];
  bool divided;
  bool rest;
  long long most;
} flat;

/* loops      by symbol: how many loops have it for their iterator
   only_long  short rows stay  */
typedef struct finder
{
  tns_ctx *ctx;
  tns_arena *arena;
  bool only_long;
  tns_region *region;
  int *loops;
  int n;
  flat flat[MOST_LOOPS];
} finder;

/* TERM is 1.  */
static bool
is_one (const tns_term *term)
{
  return term->factor == 1 && term->n_atoms == 0;
}

/* The sizes in SUM are all VALUEs.  */
static bool
is_over_sizes (tns_sum sum)
{
  for (int k = 0; k < sum.n; k++)
    for (int a = 0; a < sum.term[k].n_atoms; a++)
      {
        const tns_sym *sym = tns_atom_symbol (sum.term[k].atom[a]);
        if (!sym || sym->kind != TNS_SYM_VALUE)
          return false;
      }
  return sum.n > 0;
}

/* The visitor: EXPR may wrap around, or is no number of VALUEs and
   constants.  */
static bool
note_unfit (tns_expr *expr, void *self)
{
  bool *unfit = self;
  *unfit |= expr->n_args > 1 && tns_elem_class (expr->type.elem) != 'S';
  *unfit |= tns_expr_reads (expr)
            || (expr->op == TNS_SYM && expr->sym->kind != TNS_SYM_VALUE);
  return !*unfit;
}

/* The visitor that lists the loops that may be.  */
static bool
list_loop (tns_node *node, void *self)
{
  finder *f = self;
  if (node->kind != TNS_LOOP || f->n == MOST_LOOPS || !tns_loop_is_plain (node)
      || f->loops[node->iter->id] > 1 || !tns_node_first_name (node->body))
    return true;
  flat *made = &f->flat[f->n];
  *made = (flat){ .loop = node,
                  .trip = tns_sum_of (f->arena, node->hi),
                  .most = LLONG_MAX };
  bool unfit = false;
  tns_expr_walk (node->hi, note_unfit, &unfit);
  f->n += made->trip.n > 0 && !unfit;
  return true;
}

/* What ITER is multiplied by in SUM, in *STRIDE; false where that is no
   product of VALUEs and constants.  */
static bool
stride_of (tns_arena *arena, tns_sum sum, const tns_sym *iter, tns_term *stride)
{
  int found = 0;
  for (int k = 0; k < sum.n; k++)
    for (int a = 0; a < sum.term[k].n_atoms; a++)
      if (tns_atom_symbol (sum.term[k].atom[a]) == iter)
        {
          tns_term by = { 1, 1, &sum.term[k].atom[a] };
          if (!tns_term_divide (arena, &sum.term[k], &by, stride))
            return false;
          found++;
        }
  bool varies = true;
  if (found == 1)
    *stride = tns_flat_product (arena, stride, &varies);
  return !varies;
}

/* SUM moves with some iterator by less than STRIDE, of which that is a
   divisor.  */
static bool
moves_by_less (tns_arena *arena, tns_sum sum, const tns_term *stride)
{
  bool found = false;
  for (int k = 0; k < sum.n; k++)
    {
      bool varies;
      tns_term quotient;
      tns_term by = tns_flat_product (arena, &sum.term[k], &varies);
      found |= varies && tns_term_divide (arena, stride, &by, &quotient)
               && !is_one (&quotient);
    }
  return found;
}

/* Let F have rows of SIZE iterations, where that divides it and the rows that
   it has, or is divided by these.  False when it does not.  */
static bool
add_row (tns_arena *arena, flat *f, tns_term size)
{
  tns_sum rows;
  long long number;
  int at = f->n_rows;
  tns_term quotient;
  if (size.factor < 1 || is_one (&size) || f->n_rows == MOST_ROWS
      || !is_over_sizes (tns_sum_of_term (arena, size))
      || !tns_sum_divide (arena, f->trip, &size, &rows)
      || (tns_sum_is_int (rows, &number) && number < 2))
    return false;
  while (at > 0 && tns_term_divide (arena, &size, &f->row[at - 1], &quotient))
    if (is_one (&quotient))
      return false;
    else
      at--;
  if (at > 0 && !tns_term_divide (arena, &f->row[at - 1], &size, &quotient))
    return false;
  for (int k = f->n_rows; k > at; k--)
    f->row[k] = f->row[k - 1];
  f->row[at] = size;
  f->n_rows++;
  return true;
}

/* Let F, with which an access moves by STRIDE, have the rows that OTHER, an
   access of the same array, tells of.  */
static void
add_rows (tns_arena *arena, flat *f, const tns_term *stride,
          const tns_flat_access *other)
{
  for (int k = 0; k < other->sum.n; k++)
    {
      bool varies;
      tns_term size;
      tns_term by = tns_flat_product (arena, &other->sum.term[k], &varies);
      if (varies && tns_term_divide (arena, &by, stride, &size)
          && (size.n_atoms > 0 || moves_by_less (arena, other->sum, &by)))
        add_row (arena, f, size);
    }
}

/* ACCESS stands in LOOP.  */
static bool
is_inside (const tns_flat_access *access, const tns_node *loop)
{
  for (int k = 0; k < access->n_loops; k++)
    if (access->loop[k] == loop)
      return true;
  return false;
}

/* Find the rows that ACCESS[0..N), of one array, tell of.  */
static void
find_rows (finder *f, const tns_flat_access *access, int n)
{
  tns_term stride;
  for (int k = 0; k < f->n; k++)
    for (int a = 0; a < n; a++)
      if (is_inside (&access[a], f->flat[k].loop)
          && stride_of (f->arena, access[a].sum, f->flat[k].loop->iter,
                        &stride))
        for (int b = 0; b < n; b++)
          if (!is_inside (&access[b], f->flat[k].loop))
            add_rows (f->arena, &f->flat[k], &stride, &access[b]);
}

/* A and B are the same product.  */
static bool
is_same (tns_arena *arena, const tns_term *a, const tns_term *b)
{
  tns_term quotient;
  return tns_term_divide (arena, a, b, &quotient) && is_one (&quotient);
}

/* Let TO, whose iterator is divided by SIZE, have rows of so many; false where
   it has others.  */
static bool
add_divisor (const finder *f, flat *to, tns_term size)
{
  tns_sum rows;
  if (tns_sum_divide (f->arena, to->trip, &size, &rows))
    return add_row (f->arena, to, size);
  if (to->n_rows > 0)
    return false;
  to->row[to->n_rows++] = size;
  to->rest = true;
  return true;
}

/* The visitor: let the loop whose iterator EXPR divides have rows.  */
static bool
note_quotient (tns_expr *expr, void *self)
{
  finder *f = self;
  tns_divided d;
  if (!tns_expr_divided (f->arena, expr, &d))
    return true;
  for (int k = 0; k < f->n; k++)
    if (f->flat[k].loop->iter == d.iter)
      add_divisor (f, &f->flat[k], d.size);
  return true;
}

/* Which of F's rows EXPR, in *D, divides its iterator by; -1: none.  */
static int
row_of (tns_arena *arena, const flat *f, const tns_expr *expr, tns_divided *d)
{
  if (!tns_expr_divided (arena, expr, d) || d->iter != f->loop->iter)
    return -1;
  for (int k = 0; k < f->n_rows; k++)
    if (is_same (arena, &f->row[k], &d->size))
      return k;
  return -1;
}

/* The sizes of F, the outermost first: SIZE[0] by a sum of rows is its
   trip.  */
static tns_term
size_of (tns_arena *arena, const flat *f, int k)
{
  tns_term size = f->row[k];
  if (k + 1 < f->n_rows)
    tns_term_divide (arena, &f->row[k], &f->row[k + 1], &size);
  return size;
}

/* F's line of a plan.  */
static const char *
line_of (tns_arena *arena, const flat *f)
{
  tns_text line = tns_text_new (arena);
  tns_text_format (&line, "reshape %s in %s:", tns_sym_words (f->loop->iter),
                   tns_node_first_name (f->loop->body));
  for (int k = 0; k < f->n_rows; k++)
    {
      tns_term size = size_of (arena, f, k);
      const char *before = " ";
      if (size.factor != 1)
        {
          tns_text_format (&line, " %lld", size.factor);
          before = "*";
        }
      for (int a = 0; a < size.n_atoms; a++, before = "*")
        tns_text_format (&line, "%s%s", before,
                         tns_atom_symbol (size.atom[a])->name);
    }
  return tns_text_chars (&line);
}

/* What *AT begins with, up to a blank, as a product of numbers and VALUEs of
   F's region, in *SIZE; *AT is moved behind it.  */
static bool
read_size (const finder *f, const char **at, tns_term *size)
{
  tns_sum product = tns_sum_int (f->arena, 1);
  const char *more = "*";
  for (*at += strspn (*at, " "); *more == '*'; *at += *more == '*')
    {
      char word[64];
      int length = 0;
      long long number;
      if (sscanf (*at, "%63[^* \n]%n", word, &length) != 1)
        return false;
      tns_sym *sym = tns_region_find (f->region, word);
      bool is_number = sscanf (word, "%lld", &number) == 1;
      if (!is_number && (!sym || sym->kind != TNS_SYM_VALUE))
        return false;
      tns_sum by = is_number ? tns_sum_int (f->arena, number)
                             : tns_sum_of (f->arena, tns_value (f->arena, sym));
      product = tns_sum_mul (f->arena, product, by);
      *at += length;
      more = *at;
    }
  if (product.n == 1)
    *size = product.term[0];
  return product.n == 1;
}

/* Let F have the rows of these SIZES, text, the outermost first; false where
   it has not.  */
static bool
read_rows (const finder *f, flat *to, const char *sizes)
{
  tns_term size[MOST_ROWS];
  int n = 0;
  while (sizes[strspn (sizes, " ")])
    if (n == MOST_ROWS || !read_size (f, &sizes, &size[n++]))
      return false;
  tns_sum row = tns_sum_int (f->arena, 1);
  for (int k = n; k-- > 0;)
    {
      row = tns_sum_mul (f->arena, row, tns_sum_of_term (f->arena, size[k]));
      if (row.n != 1
          || (!add_row (f->arena, to, row.term[0])
              && !add_divisor (f, to, row.term[0])))
        return false;
    }
  return n > 0;
}

/* Let the loop that LINE of a user's plan names have the rows that it
   gives.  */
static void
read_line (finder *f, const char *line)
{
  char loop[64];
  char name[64];
  int used = 0;
  if (sscanf (line, "reshape %63[^ :\n] in %63[^ :\n]:%n", loop, name, &used)
        != 2
      || !used)
    return;
  for (int k = 0; k < f->n; k++)
    {
      flat *to = &f->flat[k];
      if (!strcmp (tns_sym_words (to->loop->iter), loop)
          && !strcmp (tns_node_first_name (to->loop->body), name)
          && !read_rows (f, to, line + used))
        to->n_rows = 0;
    }
}

/* The loops of REGION that may be.  */
static finder *
find_loops (tns_ctx *ctx, tns_region *region, bool only_long)
{
  finder *f = TNS_NEW (ctx->arena, finder);
  f->ctx = ctx;
  f->arena = ctx->arena;
  f->only_long = only_long;
  f->region = region;
  f->loops = tns_region_loops_of (ctx->arena, region);
  tns_node_walk (region->body, list_loop, f);
  return f;
}

/* The visitor: NODE reads memory, or adds to it.  */
static bool
note_reads (tns_node *node, void *self)
{
  bool *reads = self;
  *reads |= node->update != TNS_NONE || tns_expr_loads (node->value)
            || tns_expr_loads (node->cond);
  return !*reads;
}

/* The loop of TO does nothing but set elements to numbers.  */
static bool
only_sets (const flat *to)
{
  bool reads = false;
  tns_node_walk (to->loop->body, note_reads, &reads);
  return !reads;
}

/* Drop what is known to be too short of TO's rows.  */
static void
drop_short (const finder *f, flat *to)
{
  while (f->only_long && to->n_rows > 0 && !only_sets (to))
    {
      const tns_term *last = &to->row[to->n_rows - 1];
      if (last->n_atoms || last->factor >= LONG
          || (last->factor >= LEAST && last->factor % WHOLE == 0))
        return;
      to->n_rows--;
    }
}

/* Whether rows of EXPR elements are long, or whole vectors.  */
static tns_expr *
is_long (tns_arena *arena, tns_expr *expr)
{
  tns_expr *rest = tns_binary (arena, TNS_REM, expr, tns_int (arena, WHOLE));
  tns_expr *least = tns_binary (arena, TNS_GE, expr, tns_int (arena, LEAST));
  tns_expr *whole = tns_binary (arena, TNS_EQ, rest, tns_int (arena, 0));
  tns_expr *many = tns_binary (arena, TNS_GE, expr, tns_int (arena, LONG));
  return tns_binary (arena, TNS_LOR, many,
                     tns_binary (arena, TNS_LAND, least, whole));
}

/* A guard of REGION: A OP B.  */
static void
guard (tns_arena *arena, tns_region *region, tns_op op, tns_expr *a,
       tns_expr *b)
{
  tns_region_add_guard (arena, region, tns_binary (arena, op, a, b));
}

/* Guard what quotients of TO's iterator by rows ask for: rows long enough for
   lanes, whole ones, and numbers that the division takes.  */
static void
guard_quotients (const finder *f, tns_region *region, const flat *to)
{
  tns_arena *arena = f->arena;
  bool is_inner = !tns_node_has_loop (to->loop->body);
  tns_expr *trip = to->loop->hi;
  tns_expr *last
    = tns_sum_expr (arena, tns_sum_of_term (arena, to->row[to->n_rows - 1]));
  tns_expr *row = tns_sum_expr (arena, tns_sum_of_term (arena, to->row[0]));
  tns_expr *by = tns_binary (arena, TNS_MAX, row, tns_int (arena, 1));
  if (f->only_long && is_inner)
    guard (arena, region, TNS_GE, last, tns_int (arena, LEAST_DIVIDED));
  if (to->rest)
    guard (arena, region, TNS_EQ, tns_binary (arena, TNS_REM, trip, by),
           tns_int (arena, 0));
  if (to->most == LLONG_MAX)
    return;
  guard (arena, region, TNS_LE, trip, tns_int (arena, to->most));
  guard (arena, region, TNS_LE, row, tns_int (arena, to->most));
}

/* Guard that the loop of TO has whole rows, of sizes that are not negative, nor
   0 where it divides by them, and long ones.  */
static void
guard_rows (const finder *f, tns_region *region, const flat *to)
{
  tns_arena *arena = f->arena;
  tns_ranges ranges = tns_ranges_of (arena, region);
  const tns_term *row = &to->row[0];
  const tns_term *last = &to->row[to->n_rows - 1];
  int least = to->divided ? 1 : 0;
  for (int a = 0; a < row->n_atoms; a++)
    if (tns_range_of (&ranges, row->atom[a]).lo < least)
      guard (arena, region, TNS_GE, row->atom[a], tns_int (arena, least));
  if (to->divided)
    guard_quotients (f, region, to);
  else if (f->only_long && last->n_atoms > 0 && !only_sets (to))
    tns_region_add_guard (
      arena, region,
      is_long (arena, tns_sum_expr (arena, tns_sum_of_term (arena, *last))));
}

/* A loop that becomes several.

   iter  of the new ones, the outermost first; one more than rows
   even  the fault: rows lie no further apart than their elements  */
typedef struct nest
{
  const finder *all;
  const flat *f;
  tns_sym *iter[MOST_ROWS + 1];
  bool even;
} nest;

/* How far the elements of N's loop K lie apart.  */
static tns_term
step_of (const nest *n, int k)
{
  tns_term one = { 1, 0, NULL };
  return k < n->f->n_rows && !n->even ? n->f->row[k] : one;
}

/* Where N's loops FROM to TO are, in elements, over BY, which divides that.  */
static tns_expr *
place_of (const nest *n, int from, int to, const tns_term *by)
{
  tns_arena *arena = n->all->arena;
  tns_sum at = tns_sum_int (arena, 0);
  for (int k = from; k <= to; k++)
    {
      tns_term step = step_of (n, k);
      tns_sum here = tns_sum_of (arena, tns_value (arena, n->iter[k]));
      if (by)
        tns_term_divide (arena, &step, by, &step);
      at = tns_sum_add (
        arena, at, tns_sum_mul (arena, here, tns_sum_of_term (arena, step)));
    }
  return tns_sum_expr (arena, at);
}

/* The changer: quotients and rests of the iterator by rows are iterators.  */
static tns_expr *
change_quotient (tns_expr *expr, void *self)
{
  const nest *n = self;
  tns_divided d;
  int k = row_of (n->all->arena, n->f, expr, &d);
  if (k < 0)
    return expr;
  tns_expr *made = d.rest ? place_of (n, k + 1, n->f->n_rows, NULL)
                          : place_of (n, 0, k, &n->f->row[k]);
  return made->type.elem == expr->type.elem
           ? made
           : tns_cast (n->all->arena, expr->type, made);
}

/* The changer of all in EXPR.  */
static tns_expr *
change_quotients (tns_expr *expr, void *self)
{
  const nest *n = self;
  return tns_expr_rebuild (n->all->arena, expr, change_quotient, self);
}

/* How often N's loop K runs.  */
static tns_expr *
trip_of (const nest *n, int k)
{
  tns_arena *arena = n->all->arena;
  const flat *f = n->f;
  tns_sum size = f->trip;
  if (k > 0)
    return tns_sum_expr (arena,
                         tns_sum_of_term (arena, size_of (arena, f, k - 1)));
  if (f->rest)
    return tns_binary (
      arena, TNS_DIV, f->loop->hi,
      tns_sum_expr (arena, tns_sum_of_term (arena, f->row[0])));
  tns_sum_divide (arena, f->trip, &f->row[0], &size);
  return tns_sum_expr (arena, size);
}

/* The loop of F, whose body is BODY, as ALL says, whose region gets the new
   iterators.  */
static tns_node *
nest_of (const finder *all, const flat *f, tns_node *body)
{
  tns_arena *arena = all->arena;
  nest n = { .all = all, .f = f };
  for (int k = 0; k <= f->n_rows; k++)
    {
      const char *name
        = tns_arena_format (arena, "%s_%d", tns_sym_words (f->loop->iter), k);
      n.iter[k] = tns_region_add_iter (arena, all->region, name);
      n.iter[k]->spelled = name;
    }
  tns_node *node = tns_node_rebuild (arena, body, NULL, change_quotients, &n);
  n.even = tns_ctx_breaks (all->ctx, "reshape");
  tns_expr *by = place_of (&n, 0, f->n_rows, NULL);
  node = tns_node_substitute (arena, node, 1, (tns_sym *const *) &f->loop->iter,
                              &by);
  for (int k = f->n_rows; k >= 0; k--)
    {
      node = tns_loop (arena, f->loop->loc, n.iter[k], tns_int (arena, 0),
                       trip_of (&n, k), 1, node);
      if (k > 0)
        {
          tns_node *block = tns_block (arena, f->loop->loc);
          tns_block_add (arena, block, node);
          node = block;
        }
    }
  return node;
}

/* A loop becomes a nest.  */
static tns_node *
change_node (tns_node *node, void *self)
{
  finder *f = self;
  for (int k = 0; node->kind == TNS_LOOP && k < f->n; k++)
    if (f->flat[k].n_rows > 0 && f->flat[k].loop->iter == node->iter)
      return nest_of (f, &f->flat[k], node->body);
  return node;
}

/* The visitor: note the loop whose iterator EXPR divides by a row.  */
static bool
note_divided (tns_expr *expr, void *self)
{
  finder *f = self;
  tns_divided d;
  for (int k = 0; k < f->n; k++)
    {
      flat *to = &f->flat[k];
      if (row_of (f->arena, to, expr, &d) < 0)
        continue;
      to->divided = true;
      to->most = d.most < to->most ? d.most : to->most;
    }
  return true;
}

/* A visitor of expressions, for those of a region.  */
typedef struct quotients
{
  finder *f;
  tns_expr_visitor visit;
} quotients;

/* The visitor of nodes: show it NODE's own expressions.  */
static bool
visit_quotients (tns_node *node, void *self)
{
  const quotients *q = self;
  tns_node_exprs (node, q->visit, q->f);
  return true;
}

/* Show VISIT all expressions of F's region.  */
static void
each_quotient (finder *f, tns_expr_visitor visit)
{
  quotients q = { f, visit };
  tns_node_walk (f->region->body, visit_quotients, &q);
}

/* F's region with the rows that are found; itself where there are none.  */
static tns_region *
apply (finder *f, tns_text *steps)
{
  tns_region *made = NULL;
  for (int k = 0; k < f->n; k++)
    drop_short (f, &f->flat[k]);
  each_quotient (f, note_divided);
  for (int k = 0; k < f->n; k++)
    if (f->flat[k].n_rows > 0)
      {
        made = made ? made : tns_region_copy (f->arena, f->region);
        guard_rows (f, made, &f->flat[k]);
        tns_text_format (steps, "%s\n", line_of (f->arena, &f->flat[k]));
      }
  if (!made)
    return f->region;
  f->region = made;
  made->body = tns_node_rebuild (f->arena, made->body, change_node, NULL, f);
  return made;
}

/* A region while a user's plan is read.  */
typedef struct reading
{
  tns_ctx *ctx;
  tns_region *region;
  tns_text *steps;
} reading;

/* One line of the plan.  */
static bool
visit_line (const char *line, void *self)
{
  reading *r = self;
  finder *f = find_loops (r->ctx, r->region, false);
  read_line (f, line);
  r->region = apply (f, r->steps);
  return true;
}

/* The loops of REGION whose arrays have other accesses that tell of rows, or
   whose iterators are divided.  */
static tns_region *
reshape_once (tns_ctx *ctx, tns_region *region, bool only_long, tns_text *steps)
{
  finder *f = find_loops (ctx, region, only_long);
  for (int k = 0; f->n > 0 && k < region->n_syms; k++)
    {
      int n;
      const tns_flat_access *access
        = tns_flat_gather (ctx->arena, region, region->syms[k], &n);
      if (access)
        find_rows (f, access, n);
    }
  each_quotient (f, note_quotient);
  return apply (f, steps);
}

tns_region *
tns_region_reshape (tns_ctx *ctx, tns_region *region, bool only_long,
                    tns_text *steps)
{
  if (!region || tns_wish_names_loops (&ctx->wish))
    return region;
  if (tns_plan_is_given (ctx, region->name))
    {
      reading r = { ctx, region, steps };
      tns_plan_lines (ctx, region->name, visit_line, &r);
      return r.region;
    }
  tns_region *before = NULL;
  for (int k = 0; k < MOST_ROUNDS && before != region; k++)
    {
      before = region;
      region = reshape_once (ctx, region, only_long, steps);
    }
  return region;
}
