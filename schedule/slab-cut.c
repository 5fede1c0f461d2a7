/* A loop in slabs, as schedule/slab.h says.

   Of an iterator is known where it lies from the begin b and the end e = b + S
   of the slab:

     the slab's own       [b, e)
     of a loop inside     what its bounds say: from i + c on, c >= 0, is no
                          less than i's least, before i + c, c <= 1, no more
                          than i's end

   Loops that count down go over the same from the other end: their slabs begin
   with the last one, and what is left over is in that of the lowest iterations.

   A loop goes over what the slab's iterations are about when its iterator and
   the slab's, or one that is known to lie in it, before it or behind it, stand
   at one place of two accesses of an array that is written.
   It becomes up to three loops, for what is before b, in the slab and from e
   on; those that are empty by what is known are left out, and bounds that are
   known to lie inside are left alone.  What is before b is cut into slabs again
   where loops inside are about its iterations: the rows of a triangle that
   another one's were solved with.  */

#include "ir/affine.h"
#include "ir/simplify.h"
#include "ir/walk.h"
#include "schedule/slab.h"

/* Places from the outside in; a loop's iterator is at or behind the first, and
   before the second.  */
typedef enum place
{
  NOWHERE,
  BEGIN,
  END,
  ANYWHERE
} place;

/* Where ITER, which is called AS in the loop that is cut, lies.  */
typedef struct interval
{
  const tns_sym *iter;
  place lo;
  place hi;
  const tns_sym *as;
} interval;

enum
{
  MOST_LOOPS = 2 * TNS_MAX_DEPTH
};

/* loop       the one that is cut; at[BEGIN], at[END]: those of a slab
   size       iterations of a slab
   known      of the iterators around, the slab's own first
   inside     how many parts of loops stand around
   n_renamed  statements in such parts, which have names of their own
   n_cut      how many loops were cut  */
typedef struct slabs
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *region;
  const tns_node *loop;
  tns_expr *at[ANYWHERE];
  int n_known;
  interval known[MOST_LOOPS];
  long size;
  int inside;
  int n_renamed;
  int n_cut;
} slabs;

/* Places of subscripts, as bits, at which ITER stands alone in accesses of
   SYM.  */
typedef struct standing
{
  const tns_sym *iter;
  const tns_sym *sym;
  unsigned places;
} standing;

/* The visitor of expressions that finds them.  */
static bool
note_standing (tns_expr *expr, void *self)
{
  standing *s = self;
  for (int k = 0;
       expr->op == TNS_LOAD && expr->sym == s->sym && k < expr->sym->rank; k++)
    if (expr->arg[k]->op == TNS_SYM && expr->arg[k]->sym == s->iter)
      s->places |= 1u << k;
  return true;
}

/* The same of nodes.  */
static bool
note_places (tns_node *node, void *self)
{
  tns_node_exprs (node, note_standing, self);
  return true;
}

/* The places of ITER in accesses of SYM in the slab's loop.  */
static unsigned
places_of (const slabs *s, const tns_sym *iter, const tns_sym *sym)
{
  standing found = { iter, sym, 0 };
  tns_node_walk (s->loop->body, note_places, &found);
  return found.places;
}

/* ITER stands at one place, in accesses of an array that the slab's loop
   writes, with the slab's iterator or one that is known to lie before or behind
   its begin or end.  */
static bool
meets (const slabs *s, const tns_sym *iter)
{
  for (int k = 0; k < s->region->n_syms; k++)
    {
      const tns_sym *sym = s->region->syms[k];
      if (sym->kind != TNS_SYM_ARRAY || sym->rank == 0
          || !tns_node_writes (s->loop->body, sym))
        continue;
      unsigned own = places_of (s, iter, sym);
      for (int l = 0; own && l < s->n_known; l++)
        {
          const interval *known = &s->known[l];
          if ((known->lo > NOWHERE || known->hi < ANYWHERE)
              && (own & places_of (s, known->as, sym)))
            return true;
        }
    }
  return false;
}

/* What is known of ITER: nothing when it is none of those around.  */
static interval
known_of (const slabs *s, const tns_sym *iter)
{
  for (int k = 0; k < s->n_known; k++)
    if (s->known[k].iter == iter)
      return s->known[k];
  return (interval){ iter, NOWHERE, ANYWHERE, iter };
}

/* EXPR is i + *C: where i lies; else nothing is known.  */
static interval
base_of (const slabs *s, tns_expr *expr, long long *c)
{
  tns_affine sum;
  *c = 0;
  if (!tns_affine_of (s->arena, expr, &sum) || sum.n != 1 || sum.factor[0] != 1)
    return (interval){ NULL, NOWHERE, ANYWHERE, NULL };
  *c = sum.constant;
  return known_of (s, sum.sym[0]);
}

/* The place at or before which no value from EXPR on lies.  */
static place
least_of (const slabs *s, tns_expr *expr)
{
  long long c;
  interval base = base_of (s, expr, &c);
  return c >= 0 ? base.lo : NOWHERE;
}

/* The place at or behind which no value before EXPR lies.  */
static place
most_of (const slabs *s, tns_expr *expr)
{
  long long c;
  interval base = base_of (s, expr, &c);
  return c <= 1 ? base.hi : ANYWHERE;
}

/* EXPR plus BY.  */
static tns_expr *
plus (const slabs *s, tns_expr *expr, long long by)
{
  return tns_expr_simplify (
    s->ctx, tns_binary (s->arena, TNS_ADD, expr, tns_int (s->arena, by)));
}

/* The least number that LOOP, of step 1 or -1, goes over.  */
static tns_expr *
first_of (const slabs *s, const tns_node *loop)
{
  return loop->step > 0 ? loop->lo : plus (s, loop->hi, 1);
}

/* The one behind the largest.  */
static tns_expr *
last_of (const slabs *s, const tns_node *loop)
{
  return loop->step > 0 ? loop->hi : plus (s, loop->lo, 1);
}

/* ITER going from FIRST to before END the way that LIKE counts.  */
static tns_node *
make_loop (const slabs *s, const tns_node *like, tns_sym *iter, tns_expr *first,
           tns_expr *end, tns_node *body)
{
  bool is_up = like->step > 0;
  return tns_loop (s->arena, like->loc, iter, is_up ? first : plus (s, end, -1),
                   is_up ? end : plus (s, first, -1), like->step, body);
}

/* EXPR <= the place AT, as is known.  A slab of a loop that counts down may
   begin before the loop does.  */
static bool
is_before (const slabs *s, tns_expr *expr, place at)
{
  return most_of (s, expr) <= at
         || ((at == END || s->loop->step > 0)
             && tns_expr_equal (expr, first_of (s, s->loop)));
}

/* EXPR >= the place AT, as is known.  One that counts up may end behind it.  */
static bool
is_behind (const slabs *s, tns_expr *expr, place at)
{
  return least_of (s, expr) >= at
         || ((at == BEGIN || s->loop->step < 0)
             && tns_expr_equal (expr, last_of (s, s->loop)));
}

/* The begin of what of LOOP is in PART.  */
static tns_expr *
begin_of (const slabs *s, const tns_node *loop, const interval *part)
{
  tns_expr *first = first_of (s, loop);
  if (part->lo == NOWHERE || least_of (s, first) >= part->lo)
    return first;
  tns_expr *at = s->at[part->lo];
  if (tns_ctx_breaks (s->ctx, "slabs"))
    at = tns_binary (s->arena, TNS_ADD, at, tns_int (s->arena, 1));
  return is_before (s, first, part->lo)
           ? at
           : tns_binary (s->arena, TNS_MAX, first, at);
}

/* Its end.  */
static tns_expr *
end_of (const slabs *s, const tns_node *loop, const interval *part)
{
  tns_expr *end = last_of (s, loop);
  if (part->hi == ANYWHERE || most_of (s, end) <= part->hi)
    return end;
  tns_expr *at = s->at[part->hi];
  return is_behind (s, end, part->hi) ? at
                                      : tns_binary (s->arena, TNS_MIN, end, at);
}

/* Nothing of LOOP is in PART, as is known.  */
static bool
is_empty (const slabs *s, const tns_node *loop, const interval *part)
{
  return least_of (s, first_of (s, loop)) >= part->hi
         || most_of (s, last_of (s, loop)) <= part->lo;
}

static tns_node *cut_node (slabs *s, tns_node *node);

/* What of S's loop, whose body is BODY, is in the slab.  */
static tns_node *
iterations_of (const slabs *s, tns_node *body)
{
  const tns_node *loop = s->loop;
  tns_expr *first = s->at[BEGIN];
  tns_expr *end
    = plus (s, s->at[BEGIN], s->size - tns_ctx_breaks (s->ctx, "slab"));
  if (loop->step > 0)
    end = tns_binary (s->arena, TNS_MIN, end, loop->hi);
  else
    first = tns_binary (s->arena, TNS_MAX, first, first_of (s, loop));
  return make_loop (s, loop, loop->iter, first, end, body);
}

/* LOOP in slabs.  */
static tns_node *
loop_of_slabs (slabs *s)
{
  const tns_node *loop = s->loop;
  bool is_up = loop->step > 0;
  tns_sym *b = tns_region_add_iter (s->arena, s->region, "slab");
  s->at[BEGIN] = tns_value (s->arena, b);
  s->at[END] = plus (s, s->at[BEGIN], s->size);
  s->known[s->n_known++] = (interval){ loop->iter, BEGIN, END, loop->iter };
  tns_node *body = cut_node (s, loop->body);
  tns_node *block = tns_block (s->arena, loop->loc);
  tns_block_add (s->arena, block, iterations_of (s, body));
  return tns_loop (s->arena, loop->loc, b,
                   is_up ? loop->lo : plus (s, loop->lo, 1 - s->size),
                   is_up ? loop->hi : plus (s, loop->hi, 1 - s->size),
                   loop->step * s->size, block);
}

/* LOOP, of what is before the slab, in slabs of its own where loops inside are
   cut by them, else as it is.  */
static tns_node *
slabs_before (slabs *s, tns_node *loop)
{
  slabs own = { .ctx = s->ctx,
                .arena = s->arena,
                .region = s->region,
                .loop = loop,
                .size = s->size,
                .inside = s->inside,
                .n_renamed = s->n_renamed };
  tns_node *made = loop_of_slabs (&own);
  if (own.n_cut == 0)
    return loop;
  s->n_renamed = own.n_renamed;
  return made;
}

/* What of LOOP is in PART, its iterator a new one.  */
static tns_node *
part_of (slabs *s, const tns_node *loop, interval part)
{
  tns_sym *old = loop->iter;
  part.as = old;
  part.iter = tns_region_add_iter (s->arena, s->region, old->name);
  tns_sym *iter = (tns_sym *) part.iter;
  iter->spelled = old->spelled;
  tns_expr *value = tns_value (s->arena, iter);
  tns_expr *lo = begin_of (s, loop, &part);
  tns_expr *hi = end_of (s, loop, &part);
  tns_node *body = tns_node_substitute (s->arena, loop->body, 1, &old, &value);
  s->known[s->n_known++] = part;
  s->inside++;
  body = cut_node (s, body);
  s->inside--;
  s->n_known--;
  tns_node *made = make_loop (s, loop, iter, lo, hi, body);
  return part.lo == NOWHERE ? slabs_before (s, made) : made;
}

/* The parts of LOOP.  */
static tns_node *
cut_loop (slabs *s, const tns_node *loop)
{
  static const place place_of[] = { NOWHERE, BEGIN, END, ANYWHERE };
  tns_node *block = tns_block (s->arena, loop->loc);
  s->n_cut++;
  for (int n = 0; n < 3; n++)
    {
      int k = loop->step > 0 ? n : 2 - n;
      interval part = { NULL, place_of[k], place_of[k + 1], NULL };
      if (!is_empty (s, loop, &part))
        tns_block_add (s->arena, block, part_of (s, loop, part));
    }
  return block;
}

/* LOOP, which stays whole.  */
static tns_node *
keep_loop (slabs *s, const tns_node *loop)
{
  tns_node *made = tns_node_copy (s->arena, loop);
  s->known[s->n_known++]
    = (interval){ loop->iter, least_of (s, first_of (s, loop)),
                  most_of (s, last_of (s, loop)), loop->iter };
  made->body = cut_node (s, loop->body);
  s->n_known--;
  return made;
}

/* LOOP goes from one number to the next, up or down.  */
static bool
counts_by_one (const tns_node *loop)
{
  return loop->step == 1 || loop->step == -1;
}

/* NODE with the loops in it cut.  */
static tns_node *
cut_node (slabs *s, tns_node *node)
{
  if (node->kind == TNS_LOOP && s->n_known < MOST_LOOPS)
    return counts_by_one (node) && meets (s, node->iter) ? cut_loop (s, node)
                                                         : keep_loop (s, node);
  tns_node *made = tns_node_copy (s->arena, node);
  if (node->kind == TNS_ASSIGN && node->name && s->inside)
    made->name
      = tns_arena_format (s->arena, "%s_%d", node->name, ++s->n_renamed);
  if (node->kind == TNS_BLOCK)
    {
      made = tns_block (s->arena, node->loc);
      for (int k = 0; k < node->n_kids; k++)
        tns_block_add (s->arena, made, cut_node (s, node->kid[k]));
    }
  if (node->kind == TNS_IF)
    {
      made->then = cut_node (s, node->then);
      made->otherwise = node->otherwise ? cut_node (s, node->otherwise) : NULL;
    }
  return made;
}

/* NODE with the loop in slabs.  */
static tns_node *
replace (slabs *s, tns_node *node)
{
  if (node == s->loop)
    return loop_of_slabs (s);
  tns_node *made = tns_node_copy (s->arena, node);
  if (node->body)
    made->body = replace (s, node->body);
  if (node->kind == TNS_BLOCK)
    {
      made = tns_block (s->arena, node->loc);
      for (int k = 0; k < node->n_kids; k++)
        tns_block_add (s->arena, made, replace (s, node->kid[k]));
    }
  return made;
}

tns_node *
tns_slab_cut (tns_ctx *ctx, tns_region *region, tns_node *body,
              const tns_node *loop, long size, int *n_cut)
{
  slabs s = { .ctx = ctx,
              .arena = ctx->arena,
              .region = region,
              .loop = loop,
              .size = size };
  tns_node *made = replace (&s, body);
  *n_cut = s.n_cut;
  return made;
}
