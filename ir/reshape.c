/* One loop as several, as ir/reshape.h says.

   Where an access of an array moves by S elements with a loop of T iterations,
   and another one, outside of that loop, by a multiple S * Q with some loop of
   its own, the loop has rows of Q iterations, if Q divides T: a product of
   VALUEs and constants, term by term.  A constant Q counts only where the other
   access moves within the row, too (a[i*48 + j], but not a[2*i]).  Rows of rows
   divide each other:

     a[(b*T + t)*C + c]     a[k], k < B*T*C     rows T*C, C: loops B, T, C

   What has become a nest gives rows to others; so it goes on for some rounds.

   Short rows that are no whole vectors cost more than one loop over them, above
   all where the next loop reads them at once: what it loads at their ends was
   stored in two pieces, for which it waits.  They stay, but for loops that only
   set elements to numbers.

   Does not do: loops that begin elsewhere than at 0, or have other steps; sizes
   that are quotients; unsigned products, which may wrap around, where the front
   end has not guarded that they do not.  */

#include "ir/reshape.h"

#include <stdio.h>
#include <string.h>

#include "base/section.h"
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
  WHOLE = 16
};

/* A loop that may become several.

   trip  its iterations, over VALUEs
   row   iterations of a row, of a row of that, and so on: each is a multiple
         of the next  */
typedef struct flat
{
  const tns_node *loop;
  tns_sum trip;
  int n_rows;
  tns_term row[MOST_ROWS];
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

/* The visitor: EXPR is what may wrap around.  */
static bool
note_wrap (tns_expr *expr, void *self)
{
  bool *wraps = self;
  *wraps |= expr->n_args > 1 && tns_elem_class (expr->type.elem) != 'S';
  return !*wraps;
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
  *made = (flat){ node, tns_sum_of (f->arena, node->hi), 0, { { 0 } } };
  bool wraps = false;
  tns_expr_walk (node->hi, note_wrap, &wraps);
  f->n += is_over_sizes (made->trip) && !wraps;
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
      if (row.n != 1 || !add_row (f->arena, to, row.term[0]))
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

/* Guard that the loop of TO has whole rows, of sizes that are not negative,
   and long ones.  */
static void
guard_rows (const finder *f, tns_region *region, const flat *to)
{
  tns_arena *arena = f->arena;
  tns_ranges ranges = tns_ranges_of (arena, region);
  const tns_term *row = &to->row[0];
  const tns_term *last = &to->row[to->n_rows - 1];
  for (int a = 0; a < row->n_atoms; a++)
    if (tns_range_of (&ranges, row->atom[a]).lo < 0)
      tns_region_add_guard (
        arena, region,
        tns_binary (arena, TNS_GE, row->atom[a], tns_int (arena, 0)));
  if (f->only_long && last->n_atoms > 0 && !only_sets (to))
    tns_region_add_guard (
      arena, region,
      is_long (arena, tns_sum_expr (arena, tns_sum_of_term (arena, *last))));
}

/* The loop of F, whose body is BODY, as ALL says, whose region gets the new
   iterators.  */
static tns_node *
nest_of (const finder *all, const flat *f, tns_node *body)
{
  tns_arena *arena = all->arena;
  bool even = tns_ctx_breaks (all->ctx, "reshape");
  tns_sym *iter[MOST_ROWS + 1];
  tns_expr *trip[MOST_ROWS + 1];
  tns_sum at = tns_sum_int (arena, 0);
  for (int k = 0; k <= f->n_rows; k++)
    {
      const char *name
        = tns_arena_format (arena, "%s_%d", tns_sym_words (f->loop->iter), k);
      iter[k] = tns_region_add_iter (arena, all->region, name);
      iter[k]->spelled = name;
      tns_sum size = f->trip;
      if (k > 0)
        size = tns_sum_of_term (arena, size_of (arena, f, k - 1));
      else
        tns_sum_divide (arena, f->trip, &f->row[0], &size);
      trip[k] = tns_sum_expr (arena, size);
      tns_sum here = tns_sum_of (arena, tns_value (arena, iter[k]));
      if (k < f->n_rows && !even)
        here = tns_sum_mul (arena, here, tns_sum_of_term (arena, f->row[k]));
      at = tns_sum_add (arena, at, here);
    }
  tns_expr *by = tns_sum_expr (arena, at);
  tns_node *node = tns_node_substitute (arena, body, 1,
                                        (tns_sym *const *) &f->loop->iter, &by);
  for (int k = f->n_rows; k >= 0; k--)
    {
      node = tns_loop (arena, f->loop->loc, iter[k], tns_int (arena, 0),
                       trip[k], 1, node);
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

/* F's region with the rows that are found; itself where there are none.  */
static tns_region *
apply (finder *f, tns_text *steps)
{
  tns_region *made = NULL;
  for (int k = 0; k < f->n; k++)
    drop_short (f, &f->flat[k]);
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

/* The loops of REGION whose arrays have other accesses that tell of rows.  */
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
