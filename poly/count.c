/* The ledger of a region.

     for i < n, j <= i:  y[i] += x[j] * 2      n (n + 1) / 2 instances

       flops      2 each                       n^2 + n
       accessed   x, y loaded, y stored        12 (n^2 + n) / 2
       bytes      x[0..n), y[0..n) twice       12 n

   1. The region's model (poly/scop.h) gives the instances of each statement
      and the elements of each access; count-set.c counts them.
   2. What one instance costs is read off its expressions.  */

#include "poly/count.h"

#include "ir/simplify.h"
#include "ir/walk.h"
#include "poly/count-cost.h"
#include "poly/count-set.h"

/* The ledger under construction.  nest[s]: the number of the nest that
   statement s stands in; hidden[a]: array a moves no bytes; of_bytes: these are
   wanted.  */
typedef struct book
{
  tns_ctx *ctx;
  tns_arena *arena;
  const tns_scop *scop;
  const tns_region *region;
  const int *nest;
  const bool *hidden;
  bool of_bytes;
  tns_counter counter;
  tns_tally flops;
  tns_tally accessed;
  tns_tally bytes;
  bool counted;
  bool exact;
} book;

/* Add the executions of all statements of SCOP, B's.  */
static void
add_executions (book *b, tns_scop *scop)
{
  for (int s = 0; s < b->scop->n_stmts; s++)
    {
      const tns_stmt *stmt = &b->scop->stmt[s];
      tns_bills bills = tns_cost_of_stmt (b->ctx, scop, stmt);
      for (int k = 0; k < bills.n; k++)
        {
          tns_bill *bill = &bills.bill[k];
          b->counted &= bill->cost.certain;
          if (bill->cost.flops > 0)
            tns_tally_add (&b->counter, &b->flops, bill->cost.flops,
                           isl_set_copy (bill->domain));
          if (bill->cost.bytes > 0)
            tns_tally_add (&b->counter, &b->accessed, bill->cost.bytes,
                           isl_set_copy (bill->domain));
          isl_set_free (bill->domain);
        }
    }
}

/* Statement S is the first of its nest.  */
static bool
begins_nest (const book *b, int s)
{
  for (int k = 0; k < s; k++)
    if (b->nest[k] == b->nest[s])
      return false;
  return true;
}

/* The elements of ARRAY that the nest FIRST reads, or WRITEs; NULL when there
   are none.  *CERTAIN is cleared when they are a superset.  */
static __isl_give isl_set *
footprint (const book *b, int first, int array, bool write, bool *certain)
{
  isl_set *all = NULL;
  int n_private = b->scop->array[array].n_private;
  for (int s = first; s < b->scop->n_stmts; s++)
    for (int a = 0;
         b->nest[s] == b->nest[first] && a < b->scop->stmt[s].n_accesses; a++)
      {
        const tns_access *access = &b->scop->stmt[s].access[a];
        if (access->array != array || access->write != write)
          continue;
        *certain &= !access->may;
        isl_set *some = isl_map_range (isl_map_copy (access->map));
        some = isl_set_project_out (some, isl_dim_set, 0, (unsigned) n_private);
        all = all ? isl_set_union (all, some) : some;
      }
  return isl_set_coalesce (all);
}

/* Add FACTOR for each execution of a statement of the nest FIRST that reads
   ARRAY, or WRITEs: a bound where its elements have none.  */
static void
add_accesses (book *b, int first, int array, bool write, int factor)
{
  b->exact = false;
  for (int s = first; s < b->scop->n_stmts; s++)
    for (int a = 0;
         b->nest[s] == b->nest[first] && a < b->scop->stmt[s].n_accesses; a++)
      {
        const tns_stmt *stmt = &b->scop->stmt[s];
        const tns_access *access = &stmt->access[a];
        if (access->array == array && access->write == write)
          tns_tally_add (&b->counter, &b->bytes, factor,
                         isl_set_copy (stmt->domain));
      }
}

/* Add the bytes of ARRAY that the nest FIRST reads, or WRITEs.  */
static void
add_footprint (book *b, int first, int array, bool write)
{
  bool certain = true;
  isl_set *elements = footprint (b, first, array, write, &certain);
  if (!elements)
    return;
  b->exact &= certain;
  int factor = tns_elem_bytes (b->scop->array[array].sym->type.elem);
  if (!tns_tally_add (&b->counter, &b->bytes, factor, elements))
    add_accesses (b, first, array, write, factor);
}

/* Add the bytes of all nests.  */
static void
add_nests (book *b)
{
  for (int s = 0; s < b->scop->n_stmts; s++)
    {
      if (!begins_nest (b, s))
        continue;
      for (int k = 0; k < b->scop->n_arrays; k++)
        if (!b->hidden[k])
          {
            add_footprint (b, s, k, false);
            add_footprint (b, s, k, true);
          }
    }
}

/* The elements of SYM; NULL when they are not known.  */
static tns_expr *
elements_of (tns_arena *arena, const tns_sym *sym)
{
  tns_expr *product = tns_real (arena, TNS_F64, 1);
  for (int k = 0; k < sym->rank; k++)
    {
      if (!sym->extent[k])
        return NULL;
      tns_expr *extent = tns_cast (arena, tns_scalar (TNS_F64), sym->extent[k]);
      product = k ? tns_binary (arena, TNS_MUL, product, extent) : extent;
    }
  return product;
}

/* Bytes that live at the same time; known: none of them is of a size that
   cannot be written down.  NULL stands for zero.  */
typedef struct living
{
  tns_arena *arena;
  bool known;
} living;

/* The bytes of SYM.  */
static tns_expr *
bytes_of (living *l, const tns_sym *sym)
{
  tns_expr *elements = elements_of (l->arena, sym);
  l->known &= elements != NULL;
  if (!elements)
    return NULL;
  tns_expr *bytes
    = tns_real (l->arena, TNS_F64, tns_elem_bytes (sym->type.elem));
  return tns_binary (l->arena, TNS_MUL, bytes, elements);
}

/* A OP B, either may be NULL for zero.  */
static tns_expr *
joined (tns_arena *arena, tns_op op, tns_expr *a, tns_expr *b)
{
  if (!a || !b || (op == TNS_MAX && tns_expr_equal (a, b)))
    return a ? a : b;
  return tns_binary (arena, op, a, b);
}

/* The peak of what NODE declares: the locals of a block together with the
   greatest peak below it.  */
static tns_expr *
peak_of (living *l, const tns_node *node)
{
  if (!node)
    return NULL;
  tns_arena *arena = l->arena;
  tns_expr *own = NULL;
  tns_expr *below = peak_of (l, node->body);
  below = joined (arena, TNS_MAX, below, peak_of (l, node->then));
  below = joined (arena, TNS_MAX, below, peak_of (l, node->otherwise));
  for (int k = 0; k < node->n_kids; k++)
    {
      const tns_node *kid = node->kid[k];
      if (kid->kind == TNS_LOCAL)
        own = joined (arena, TNS_ADD, own, bytes_of (l, kid->sym));
      else
        below = joined (arena, TNS_MAX, below, peak_of (l, kid));
    }
  return joined (arena, TNS_ADD, own, below);
}

/* Some condition or bound costs something, as often as it is evaluated.  */
static bool
visit_control (tns_node *node, void *self)
{
  bool *found = self;
  tns_cost lo = tns_cost_of_expr (node->lo);
  tns_cost hi = tns_cost_of_expr (node->hi);
  tns_cost cond = tns_cost_of_expr (node->cond);
  *found |= lo.flops || lo.bytes || hi.flops || hi.bytes;
  *found |= cond.flops || cond.bytes;
  return !*found;
}

/* The nest of each statement of SCOP as it was written: a loop of the
   region's body with all in it, or a statement outside of loops.  */
static const int *
written_nests (tns_arena *arena, const tns_scop *scop)
{
  int *nest = TNS_NEW_ARRAY (arena, int, scop->n_stmts + 1);
  for (int s = 0; s < scop->n_stmts; s++)
    {
      const tns_stmt *stmt = &scop->stmt[s];
      nest[s] = s;
      for (int k = 0; k < s && nest[s] == s; k++)
        if (stmt->n_iters && scop->stmt[k].n_iters
            && scop->stmt[k].loop[0] == stmt->loop[0])
          nest[s] = nest[k];
    }
  return nest;
}

/* The arrays of SCOP that are declared in the region and stay in cache.  */
static const bool *
written_hidden (tns_arena *arena, const tns_scop *scop)
{
  bool *hidden = TNS_NEW_ARRAY (arena, bool, scop->n_arrays + 1);
  for (int k = 0; k < scop->n_arrays; k++)
    {
      const tns_sym *sym = scop->array[k].sym;
      hidden[k] = tns_sym_is_local (sym) && !(sym->flags & TNS_SYM_HEAP);
    }
  return hidden;
}

/* Open B: all sums are zero.  */
static void
open_book (book *b)
{
  b->exact = true;
  b->counter = tns_counter_new (b->ctx, b->scop);
  b->flops = tns_tally_new ();
  b->accessed = tns_tally_new ();
  b->bytes = tns_tally_new ();
  tns_isl_begin (b->ctx, b->scop->isl);
}

/* Close B: isl did not fail.  */
static bool
close_book (book *b)
{
  tns_counter_end (&b->counter);
  bool failed = isl_ctx_last_error (b->scop->isl) != isl_error_none;
  isl_ctx_reset_error (b->scop->isl);
  return !failed;
}

/* The elements of ARRAY that the region accesses; NULL when there are
   none.  */
static __isl_give isl_set *
accessed (const tns_scop *scop, int array)
{
  isl_set *all = NULL;
  unsigned n_private = (unsigned) scop->array[array].n_private;
  for (int s = 0; s < scop->n_stmts; s++)
    for (int a = 0; a < scop->stmt[s].n_accesses; a++)
      {
        const tns_access *access = &scop->stmt[s].access[a];
        if (access->array != array)
          continue;
        isl_set *some = isl_map_range (isl_map_copy (access->map));
        some = isl_set_project_out (some, isl_dim_set, 0, n_private);
        all = all ? isl_set_union (all, some) : some;
      }
  return isl_set_coalesce (all);
}

/* The bytes of the user's arrays that are temporaries, as far as the region
   accesses them; NULL for zero.  *KNOWN is cleared when they are not known.  */
static tns_expr *
users_bytes (book *b, bool *known)
{
  tns_tally tally = tns_tally_new ();
  bool any = false;
  for (int k = 0; k < b->scop->n_arrays; k++)
    {
      const tns_sym *sym = b->scop->array[k].sym;
      isl_set *elements = sym->flags & TNS_SYM_TEMP && !b->hidden[k]
                            ? accessed (b->scop, k)
                            : NULL;
      if (!elements)
        continue;
      any = true;
      *known &= tns_tally_add (&b->counter, &tally,
                               tns_elem_bytes (sym->type.elem), elements);
    }
  tns_expr *sum = tns_tally_finish (&b->counter, &tally);
  return any ? sum : NULL;
}

/* The bytes of all temporaries that live in B's region; NULL when they are not
   known.  */
static tns_expr *
peak (book *b)
{
  living l = { b->arena, true };
  tns_expr *sum = joined (b->arena, TNS_ADD, peak_of (&l, b->region->body),
                          users_bytes (b, &l.known));
  if (!l.known)
    return NULL;
  return sum ? tns_expr_simplify (b->ctx, sum)
             : tns_real (b->arena, TNS_F64, 0);
}

/* The ledger of B, whose statements are SCOP's.  */
static tns_ledger
fill_ledger (book *b, tns_scop *scop)
{
  open_book (b);
  add_executions (b, scop);
  if (b->of_bytes)
    add_nests (b);
  tns_ledger ledger = { .flops = tns_tally_finish (&b->counter, &b->flops) };
  ledger.accessed = tns_tally_finish (&b->counter, &b->accessed);
  ledger.bytes = tns_tally_finish (&b->counter, &b->bytes);
  ledger.peak = b->of_bytes ? peak (b) : NULL;
  ledger.counted = b->counted && b->flops.exact && b->accessed.exact;
  ledger.counted &= close_book (b);
  ledger.exact = b->of_bytes && ledger.counted && b->exact && b->bytes.exact;
  return ledger;
}

tns_ledger
tns_count_planned (tns_ctx *ctx, tns_scop *scop, const int *nest,
                   const bool *hidden, const tns_region *planned)
{
  tns_ctx *quiet = tns_ctx_quiet (ctx);
  book b = { .ctx = quiet,
             .arena = ctx->arena,
             .scop = scop,
             .region = planned,
             .nest = nest,
             .hidden = hidden,
             .of_bytes = true,
             .counted = true };
  return fill_ledger (&b, scop);
}

tns_ledger
tns_count (tns_ctx *ctx, tns_region *region)
{
  tns_ctx *quiet = tns_ctx_quiet (ctx);
  book b = { .ctx = quiet, .arena = ctx->arena, .region = region };
  bool costly_control = false;
  tns_expr *zero = tns_real (ctx->arena, TNS_F64, 0);
  tns_ledger ledger = { zero, zero, zero, zero, false, false };
  tns_scop *scop = tns_scop_build (quiet, region);
  if (!scop)
    return ledger;
  b.scop = scop;
  b.of_bytes = ctx->ledger == TNS_LEDGER_ALL;
  b.nest = written_nests (ctx->arena, scop);
  b.hidden = written_hidden (ctx->arena, scop);
  tns_node_walk (region->body, visit_control, &costly_control);
  b.counted = !costly_control;
  ledger = fill_ledger (&b, scop);
  tns_scop_free (scop);
  return ledger;
}
