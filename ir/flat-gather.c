/* The accesses of a flat array, as ir/flat.h says, each with the loops around
   it.  */

#include "ir/flat.h"

#include "ir/walk.h"

enum
{
  MOST_ACCESSES = 256,
  MOST_LOOPS = 32
};

/* The accesses of one array while they are gathered.

   loop      the loops around, the outermost first
   known     what is not negative there, by the conditions around
   n_data    how many of them, and conditions around, depend on data
   ok        no access is of a kind that a shape cannot be given
   is_known  for is_plain  */
typedef struct gathering
{
  tns_arena *arena;
  const tns_region *region;
  const tns_sym *sym;
  const tns_node *loop[MOST_LOOPS];
  int n_loops;
  tns_sum known[TNS_MOST_KNOWN];
  int n_known;
  int n_data;
  tns_flat_access access[MOST_ACCESSES];
  int n;
  bool ok;
  bool is_known;
} gathering;

/* The visitor that finds what reads an array.  */
static bool
note_read (tns_expr *expr, void *self)
{
  bool *reads = self;
  *reads |= tns_expr_reads (expr);
  return !*reads;
}

/* The visitor that finds what is loaded from an array that is LOCAL, written or
   not indexed by what is known.  */
static bool
note_unknown (tns_expr *expr, void *self)
{
  gathering *g = self;
  bool reads = false;
  if (!tns_expr_reads (expr))
    return true;
  for (int k = 0; k < expr->n_args; k++)
    tns_expr_walk (expr->arg[k], note_read, &reads);
  g->is_known = g->is_known && expr->op == TNS_LOAD && !reads
                && !tns_sym_is_local (expr->sym)
                && !tns_node_writes (g->region->body, expr->sym);
  return false;
}

/* What is loaded for SUBSCRIPT is known before the region.  */
static bool
is_plain (gathering *g, tns_expr *subscript)
{
  g->is_known = g->n_data == 0;
  tns_expr_walk (subscript, note_unknown, g);
  return g->is_known;
}

/* The visitor that keeps the accesses in an expression.  */
static bool
gather_expr (tns_expr *expr, void *self)
{
  gathering *g = self;
  if (expr->sym != g->sym)
    return true;
  if (expr->op != TNS_LOAD || expr->type.lanes != 1 || g->n == MOST_ACCESSES)
    {
      g->ok = false;
      return false;
    }
  tns_flat_access *access = &g->access[g->n++];
  access->sum = tns_sum_of (g->arena, expr->arg[0]);
  access->is_plain = is_plain (g, expr->arg[0]);
  access->n_loops = g->n_loops;
  access->loop = TNS_NEW_ARRAY (g->arena, const tns_node *, g->n_loops + 1);
  for (int k = 0; k < g->n_loops; k++)
    access->loop[k] = g->loop[k];
  access->n_known = g->n_known;
  access->known = TNS_NEW_ARRAY (g->arena, tns_sum, g->n_known + 1);
  for (int k = 0; k < g->n_known; k++)
    access->known[k] = g->known[k];
  g->ok = g->ok && access->sum.n >= 0;
  return g->ok;
}

static void gather_node (gathering *g, tns_node *node);

/* Gather below LOOP.  */
static void
gather_loop (gathering *g, tns_node *loop)
{
  if (g->n_loops == MOST_LOOPS)
    {
      g->ok = false;
      return;
    }
  g->loop[g->n_loops++] = loop;
  gather_node (g, loop->body);
  g->n_loops--;
}

/* Gather below BRANCH, which is executed where COND, or, NEGATED, its contrary
   holds.  */
static void
gather_branch (gathering *g, tns_node *branch, const tns_expr *cond,
               bool negated)
{
  int before = g->n_known;
  if (!branch)
    return;
  g->n_known = tns_flat_known (g->arena, cond, negated, g->known, before);
  gather_node (g, branch);
  g->n_known = before;
}

/* Gather below NODE.  */
static void
gather_node (gathering *g, tns_node *node)
{
  bool depends = false;
  if (!node || !g->ok)
    return;
  tns_node_exprs (node, gather_expr, g);
  for (int k = 0; k < node->n_kids; k++)
    gather_node (g, node->kid[k]);
  if (node->kind == TNS_LOOP || node->kind == TNS_IF)
    tns_node_exprs (node, note_read, &depends);
  g->n_data += depends;
  gather_branch (g, node->then, node->cond, false);
  gather_branch (g, node->otherwise, node->cond, true);
  if (node->kind == TNS_LOOP)
    gather_loop (g, node);
  g->n_data -= depends;
}

/* SYM may be given a shape.  */
static bool
is_candidate (const tns_region *region, const tns_sym *sym)
{
  return sym->kind == TNS_SYM_ARRAY && sym->rank == 1 && !sym->stride
         && (!tns_sym_is_local (sym) || sym->extent[0])
         && !tns_region_has_still (region, sym);
}

const tns_flat_access *
tns_flat_gather (tns_arena *arena, const tns_region *region, const tns_sym *sym,
                 int *n)
{
  if (!is_candidate (region, sym))
    return NULL;
  gathering *g = TNS_NEW (arena, gathering);
  g->arena = arena;
  g->region = region;
  g->sym = sym;
  g->ok = true;
  gather_node (g, region->body);
  *n = g->n;
  return g->ok && g->n ? g->access : NULL;
}
