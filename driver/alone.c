/* How far the arrays of a region reach, when it runs alone.

     for (i = 0; i < n; i++)                 for i = 0 to n {
       for (k = p[i]; k < p[i + 1]; k++)  ->   sink = p[i]; sink = p[i + 1];
         y[i] += v[k] * x[c[k]];               for k = 16 * i to 16 * i + 16 {
                                                 sink = y[i]; sink = v[k];
                                                 sink = c[k];
                                                 for place = 0 to places
                                                   sink = x[place]; } }

   Each access becomes a statement that reads; then poly/guard.h knows what all
   of them span.  What arrays hold decides some of it, so that their elements
   are chosen to be simple: where a loop begins or ends at an element it is 16
   times its own number; where it is a subscript it may be any from 0 to below
   PLACES, which is a loop around the access.  Conditions on what arrays hold
   are taken to be true and false.  */

#include "driver/alone.h"

#include <string.h>

#include "ir/walk.h"
#include "poly/count.h"
#include "poly/guard.h"

enum
{
  MOST_PLACES = 16,
  MOST_ROWS = 32,
  DEEPEST = 8
};

/* The search.

   reach   the region under construction
   value   [n_syms]: what a local whole number is set to, once; else NULL
   sink    [elem]: the cell that such elements are read into
   n, place  iterators over places, of the access at hand
   n_rows, row, extent  arrays that have to reach no further than extent
   is_bound  what is looked at is where a loop begins or ends
   is_lost   inside a loop of which nobody knows how far it runs
   depth   of values in values  */
typedef struct search
{
  tns_ctx *ctx;
  tns_arena *arena;
  tns_region *reach;
  tns_bench *bench;
  tns_expr **value;
  tns_sym *sink[TNS_N_ELEMS];
  int n;
  tns_sym *place[MOST_PLACES];
  int n_rows;
  tns_sym *row[MOST_ROWS];
  tns_expr *extent[MOST_ROWS];
  bool is_bound;
  bool is_lost;
  int depth;
} search;

/* The row of SYM among the parameters, or NULL.  */
static tns_bench_array *
array_of (const search *s, const tns_sym *sym)
{
  const tns_region *region = s->bench->region;
  for (int k = 0; k < region->n_params; k++)
    if (region->params[k] == sym && sym->kind == TNS_SYM_ARRAY)
      return &s->bench->array[k];
  return NULL;
}

/* The elements from one subscript K of SYM to the next.  */
static tns_expr *
stride_of (tns_arena *arena, const tns_sym *sym, int k)
{
  tns_expr *product = tns_int (arena, 1);
  if (sym->stride)
    return sym->stride[k];
  for (int l = k + 1; l < sym->rank; l++)
    product = tns_binary (arena, TNS_MUL, sym->extent[l], product);
  return product;
}

/* What the element that LOAD reads is, where it is a bound.  */
static tns_expr *
bound_of (const search *s, const tns_expr *load)
{
  tns_expr *number = tns_int (s->arena, 0);
  for (int k = 0; k < load->n_args; k++)
    number = tns_binary (s->arena, TNS_ADD, number,
                         tns_binary (s->arena, TNS_MUL, load->arg[k],
                                     stride_of (s->arena, load->sym, k)));
  return tns_binary (s->arena, TNS_MUL, number,
                     tns_int (s->arena, TNS_BENCH_ROW));
}

/* Any place, or NULL where there are too many.  */
static tns_expr *
new_place (search *s)
{
  if (s->n == MOST_PLACES)
    return NULL;
  tns_sym *place = tns_region_add_iter (s->arena, s->reach, "place");
  s->place[s->n++] = place;
  return tns_value (s->arena, place);
}

static tns_expr *change (tns_expr *expr, void *self);

/* What LOAD, which is part of a subscript or a bound, may be taken for.  */
static tns_expr *
known_load (search *s, tns_expr *load)
{
  tns_bench_array *row = array_of (s, load->sym);
  tns_expr *value
    = load->sym->id < s->bench->region->n_syms ? s->value[load->sym->id] : NULL;
  if (value && s->depth < DEEPEST)
    {
      s->depth++;
      value = tns_expr_rebuild (s->arena, value, change, s);
      s->depth--;
      return value;
    }
  if (!row || load->sym->rank == 0
      || !tns_elem_is_integer (load->sym->type.elem)
      || tns_node_writes (s->bench->region->body, load->sym))
    return load;
  if (s->is_bound)
    row->use = TNS_BENCH_BOUNDS;
  if (row->use == TNS_BENCH_BOUNDS)
    return bound_of (s, load);
  row->use = TNS_BENCH_PLACES;
  value = new_place (s);
  return value ? value : load;
}

/* The changer of subscripts and bounds: what arrays hold is known there, as a
   number of I64.  */
static tns_expr *
change (tns_expr *expr, void *self)
{
  search *s = self;
  bool is_known = false;
  if (expr->op == TNS_CAST && expr->type.elem == TNS_I64)
    is_known = expr->arg[0]->type.elem == TNS_I64;
  if (is_known)
    return expr->arg[0];
  if (expr->op == TNS_LOAD && tns_elem_is_integer (expr->type.elem))
    return known_load (s, expr);
  return expr;
}

/* EXPR where it bounds a loop.  */
static tns_expr *
bound (search *s, tns_expr *expr)
{
  s->is_bound = true;
  expr = tns_expr_rebuild (s->arena, expr, change, s);
  s->is_bound = false;
  return expr;
}

/* The cell for elements like SYM's.  */
static tns_sym *
sink_for (search *s, const tns_sym *sym)
{
  tns_elem elem = sym->type.elem;
  if (!s->sink[elem])
    s->sink[elem] = tns_region_add_array (s->arena, s->reach, "sink", elem, 0,
                                          TNS_SYM_LOCAL);
  return s->sink[elem];
}

/* The subscripts of LOAD in ARG, without what arrays hold; false where that is
   not known.  */
static bool
known_subscripts (search *s, const tns_expr *load, tns_expr **arg)
{
  bool is_known = !s->is_lost;
  s->n = 0;
  for (int k = 0; k < load->n_args; k++)
    {
      arg[k] = tns_expr_rebuild (s->arena, load->arg[k], change, s);
      is_known = is_known && !tns_expr_loads (arg[k]);
    }
  return is_known;
}

/* Append to BLOCK that SYM's element at ARG is read, at all places.  */
static void
add_read (search *s, tns_sym *sym, tns_expr **arg, tns_node *block)
{
  tns_loc nowhere = { 0 };
  tns_node *node
    = tns_assign (s->arena, nowhere, tns_cell (s->arena, sink_for (s, sym)),
                  TNS_NONE, tns_load (s->arena, sym, arg));
  for (int k = 0; k < s->n; k++)
    node
      = tns_loop (s->arena, nowhere, s->place[k], tns_int (s->arena, 0),
                  tns_value (s->arena, (tns_sym *) s->bench->places), 1, node);
  tns_block_add (s->arena, block, node);
}

/* Append to BLOCK that LOAD reads, of an array that is given.  */
static void
add_access (search *s, tns_expr *load, tns_node *block)
{
  tns_expr *arg[TNS_MOST_RANK];
  if (known_subscripts (s, load, arg))
    add_read (s, load->sym, arg, block);
  else
    array_of (s, load->sym)->is_lost = true;
}

/* Append to BLOCK what tells how many places LOAD, of a local array, leaves:
   each of its subscripts is that of another array, which must not reach beyond
   the row.  */
static void
add_within (search *s, tns_expr *load, tns_node *block)
{
  tns_expr *arg[TNS_MOST_RANK];
  const tns_sym *sym = load->sym;
  bool is_known = known_subscripts (s, load, arg);
  for (int k = 0; is_known && s->n > 0 && k < sym->rank; k++)
    {
      if (!sym->extent[k] || s->n_rows == MOST_ROWS)
        continue;
      tns_sym *row = tns_region_add_array (s->arena, s->reach, "within",
                                           sym->type.elem, 1, TNS_SYM_CONST);
      tns_region_add_param (s->arena, s->reach, row);
      s->row[s->n_rows] = row;
      s->extent[s->n_rows++] = sym->extent[k];
      add_read (s, row, &arg[k], block);
    }
}

/* Accesses go to BLOCK.  */
typedef struct gathering
{
  search *s;
  tns_node *block;
} gathering;

/* The visitor that adds EXPR when it is an access.  */
static bool
visit_access (tns_expr *expr, void *self)
{
  gathering *g = self;
  if (expr->op != TNS_LOAD || expr->sym->rank == 0)
    return true;
  if (array_of (g->s, expr->sym))
    add_access (g->s, expr, g->block);
  else if (tns_sym_is_local (expr->sym))
    add_within (g->s, expr, g->block);
  return true;
}

static tns_node *reach_of (search *s, tns_node *node);

/* The loop that reaches as far as LOOP does.  */
static tns_node *
reach_of_loop (search *s, tns_node *loop)
{
  tns_expr *lo = bound (s, loop->lo);
  tns_expr *hi = bound (s, loop->hi);
  bool was_lost = s->is_lost;
  if (tns_expr_loads (lo) || tns_expr_loads (hi))
    {
      s->is_lost = true;
      lo = hi = tns_int (s->arena, 0);
    }
  tns_node *body = reach_of (s, loop->body);
  s->is_lost = was_lost;
  return tns_loop (s->arena, loop->loc, loop->iter, lo, hi, loop->step, body);
}

/* Append to BLOCK the branches of NODE, which is an IF.  */
static void
add_branches (search *s, tns_node *node, tns_node *block)
{
  tns_node *then = reach_of (s, node->then);
  tns_node *otherwise = node->otherwise ? reach_of (s, node->otherwise) : NULL;
  if (!tns_expr_loads (node->cond))
    then = tns_if (s->arena, node->loc, node->cond, then, otherwise);
  tns_block_add (s->arena, block, then);
  if (tns_expr_loads (node->cond) && otherwise)
    tns_block_add (s->arena, block, otherwise);
}

/* The accesses of NODE, a block.  */
static tns_node *
reach_of (search *s, tns_node *node)
{
  tns_node *block = tns_block (s->arena, node->loc);
  gathering g = { s, block };
  tns_node_exprs (node, visit_access, &g);
  if (node->kind == TNS_LOOP)
    tns_block_add (s->arena, block, reach_of_loop (s, node));
  else if (node->kind == TNS_IF)
    add_branches (s, node, block);
  for (int k = 0; node->kind == TNS_BLOCK && k < node->n_kids; k++)
    tns_block_add (s->arena, block, reach_of (s, node->kid[k]));
  return block;
}

/* The visitor that notes which arrays say where loops begin and end.  */
static bool
note_bounds (tns_node *node, void *self)
{
  if (node->kind == TNS_LOOP)
    {
      bound (self, node->lo);
      bound (self, node->hi);
    }
  return true;
}

/* The values of locals, and how often each is set.  */
typedef struct setting
{
  search *s;
  int *times;
} setting;

/* The visitor that notes what NODE sets.  */
static bool
note_value (tns_node *node, void *self)
{
  setting *set = self;
  const tns_sym *sym = node->kind == TNS_ASSIGN ? node->target->sym : NULL;
  if (!sym || sym->rank > 0 || !tns_sym_is_local (sym)
      || !tns_elem_is_integer (sym->type.elem))
    return true;
  bool is_only = set->times[sym->id]++ == 0 && node->update == TNS_NONE;
  set->s->value[sym->id] = is_only ? node->value : NULL;
  return true;
}

/* Fill S's values.  */
static void
find_values (search *s)
{
  int n = s->bench->region->n_syms + 1;
  setting set = { s, TNS_NEW_ARRAY (s->arena, int, n) };
  s->value = TNS_NEW_ARRAY (s->arena, tns_expr *, n);
  tns_node_walk (s->bench->region->body, note_value, &set);
}

/* The body of S's region.  */
static tns_node *
make_body (search *s)
{
  tns_loc nowhere = { 0 };
  tns_node *made = tns_block (s->arena, nowhere);
  tns_node *body = reach_of (s, s->bench->region->body);
  for (int elem = 0; elem < TNS_N_ELEMS; elem++)
    if (s->sink[elem])
      tns_block_add (s->arena, made,
                     tns_local (s->arena, nowhere, s->sink[elem]));
  tns_block_add (s->arena, made, body);
  return made;
}

/* Take what REACH, whose spans are known, says.  */
static void
take_spans (tns_bench *bench, const tns_region *reach)
{
  for (int k = 0; k < bench->region->n_params; k++)
    for (int i = 0; i < reach->n_spans; i++)
      if (reach->spans[i].sym->id == bench->region->params[k]->id
          && !bench->array[k].is_lost && reach->spans[i].lo
          && reach->spans[i].hi)
        {
          bench->array[k].lo = reach->spans[i].lo;
          bench->array[k].hi = reach->spans[i].hi;
        }
}

/* REACH, whose spans are known, with guards that keep S's rows within their
   extents.  */
static tns_region *
with_rows (const search *s, const tns_region *reach)
{
  tns_region *made = tns_region_copy (s->arena, reach);
  for (int k = 0; k < s->n_rows; k++)
    for (int i = 0; i < reach->n_spans; i++)
      if (reach->spans[i].sym->id == s->row[k]->id && reach->spans[i].hi)
        tns_region_add_guard (
          s->arena, made,
          tns_binary (s->arena, TNS_LE, reach->spans[i].hi, s->extent[k]));
  return made;
}

/* REGION without what guards it.  */
static tns_region *
unguarded (tns_arena *arena, const tns_region *region)
{
  tns_region *made = tns_region_copy (arena, region);
  made->n_overlaps = made->n_still = made->n_guard = made->n_spans = 0;
  made->before = NULL;
  return made;
}

/* The changer that has a loop begin and end at known elements.  */
static tns_node *
with_known_bounds (tns_node *node, void *self)
{
  search *s = self;
  if (node->kind != TNS_LOOP)
    return node;
  return tns_loop (s->arena, node->loc, node->iter, bound (s, node->lo),
                   bound (s, node->hi), node->step, node->body);
}

/* Count what a call does: as the report does, or as often as loops run that
   begin or end at elements.  */
static void
count (search *s, tns_bench *bench)
{
  const tns_region *region = bench->region;
  tns_region *known = tns_region_copy (s->arena, region);
  bool has_bounds = false;
  for (int k = 0; k < region->n_params; k++)
    has_bounds |= bench->array[k].use == TNS_BENCH_BOUNDS;
  known->body
    = tns_node_rebuild (s->arena, known->body, with_known_bounds, NULL, s);
  s->ctx->ledger = TNS_LEDGER_ALL;
  tns_ledger ledger = tns_count (s->ctx, known);
  bool is_reported = !has_bounds && region->flops && region->bytes_after;
  bench->flops = is_reported ? region->flops : ledger.flops;
  bench->bytes = is_reported ? region->bytes_after : ledger.bytes;
  bench->counted = ledger.counted;
}

/* Find how far the arrays of BENCH reach.  */
static void
find_reach (tns_ctx *ctx, tns_bench *bench)
{
  tns_arena *arena = ctx->arena;
  search s = { .ctx = ctx, .arena = arena, .bench = bench };
  s.reach = unguarded (arena, bench->region);
  bench->places = tns_region_add_value (arena, s.reach, "places", TNS_I64);
  tns_region_add_param (arena, s.reach, (tns_sym *) bench->places);
  bench->reach = s.reach;
  find_values (&s);
  tns_node_walk (bench->region->body, note_bounds, &s);
  s.reach->body = make_body (&s);
  count (&s, bench);
  tns_scop *scop = tns_scop_build (ctx, s.reach);
  const tns_region *spanned = tns_guard_reach (ctx, scop);
  if (spanned)
    {
      bench->reach = with_rows (&s, spanned);
      take_spans (bench, spanned);
    }
  if (scop)
    tns_scop_free (scop);
}

/* Append the clauses of WISH that name nothing, or only arrays.  */
static void
add_clauses (tns_text *text, const tns_wish *wish)
{
  static const char *const fp[] = { " fp(strict)", "", " fp(fast)" };
  static const char *const fuse[] = { "", " fuse(max)", " fuse(none)" };
  tns_text_add (text, fp[wish->fp]);
  tns_text_add (text, fuse[wish->fuse]);
  tns_text_add (text, wish->tile.off ? " tile(off)" : "");
  tns_text_add (text, wish->simd.off ? " simd(off)" : "");
  tns_text_add (text, wish->parallel.off ? " parallel(off)" : "");
}

/* The clauses of REGION's pragma.  */
static const char *
clauses (tns_ctx *ctx, const tns_region *region)
{
  tns_text text = tns_text_new (ctx->arena);
  tns_text_add (&text, " name(");
  tns_text_quoted (&text, region->name);
  tns_text_add (&text, ")");
  add_clauses (&text, &ctx->wish);
  return tns_text_chars (&text);
}

tns_bench *
tns_alone (tns_ctx *ctx, const tns_region *region)
{
  tns_ctx *quiet = tns_ctx_quiet (ctx);
  quiet->dump = NULL;
  tns_bench *bench = TNS_NEW (ctx->arena, tns_bench);
  bench->region = unguarded (ctx->arena, region);
  bench->array
    = TNS_NEW_ARRAY (ctx->arena, tns_bench_array, region->n_params + 1);
  bench->clauses = clauses (ctx, region);
  find_reach (quiet, bench);
  return bench;
}
