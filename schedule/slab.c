/* Slabs: which loop, which size, and when they pay.

   A loop suits that the plan has left ORDERED, with an update in it that has
   three loops, at least, one of them inside, some of which are cut.  Slabs pay
   from some of them on: in the first and the last one nothing is left for
   products.  */

#include "schedule/slab.h"

#include <stdlib.h>
#include <string.h>

#include "base/section.h"
#include "ir/fresh.h"
#include "ir/simplify.h"
#include "ir/walk.h"
#include "schedule/planner.h"

/* Iterations of a slab, and how many slabs are enough.  */
#define SIZE   32
#define FEWEST 3

/* More statements take too long to plan.  */
#define MOST_STATEMENTS 18

/* What is looked for in a body: the loop that suits, at DEPTH loops.  */
typedef struct search
{
  const tns_plan *plan;
  const tns_node *found;
} search;

/* The DIM of ITER above statement S of PLAN, or NULL.  */
static const tns_tree *
dim_of (const tns_plan *plan, int s, const tns_sym *iter)
{
  tns_tree *path[2 * TNS_MAX_DEPTH];
  int n = tns_tree_path (plan->tree, s, path);
  for (int k = 0; k < n; k++)
    if (tns_dim_iter (plan->scop, path[k], s) == iter)
      return path[k];
  return NULL;
}

/* Statement S is an update in three loops, at least, with one inside of that of
   ITER, which is ORDERED.  */
static bool
is_update_inside (const tns_plan *plan, int s, const tns_sym *iter)
{
  const tns_stmt *stmt = &plan->scop->stmt[s];
  int at = 0;
  while (at < stmt->n_iters && stmt->iter[at] != iter)
    at++;
  if (at + 1 >= stmt->n_iters || stmt->n_iters < 3 || !tns_update_target (stmt))
    return false;
  const tns_tree *dim = dim_of (plan, s, iter);
  return dim && dim->role == TNS_ROLE_ORDERED;
}

/* The visitor that finds the first loop that suits.  */
static bool
note_loop (tns_node *node, void *self)
{
  search *f = self;
  bool may_be_cut
    = node->kind == TNS_LOOP && (node->step == 1 || node->step == -1);
  for (int s = 0; may_be_cut && !f->found && s < f->plan->scop->n_stmts; s++)
    if (is_update_inside (f->plan, s, node->iter))
      f->found = node;
  return !f->found;
}

/* Some ITER occurs in the expression.  */
static bool
note_iter (tns_expr *expr, void *self)
{
  bool *some = self;
  *some |= expr->op == TNS_SYM && expr->sym->kind == TNS_SYM_ITER;
  return !*some;
}

/* LOOP has enough slabs of SIZE iterations, when *WHEN holds; false where it
   never has, or that is not known.  */
static bool
pays (tns_ctx *ctx, const tns_node *loop, long size, tns_expr **when)
{
  bool some = false;
  long long trip;
  long long least = FEWEST * size;
  tns_arena *arena = ctx->arena;
  bool is_up = loop->step > 0;
  tns_expr *n = tns_binary (arena, TNS_SUB, is_up ? loop->hi : loop->lo,
                            is_up ? loop->lo : loop->hi);
  n = tns_expr_simplify (ctx, n);
  *when = NULL;
  tns_expr_walk (n, note_iter, &some);
  if (some)
    return false;
  if (tns_expr_is_int (n, &trip))
    return trip >= least;
  *when = tns_binary (arena, TNS_GE, n, tns_int (arena, least));
  return true;
}

/* The name of LIKE in slabs.  */
static const char *
name_of (tns_ctx *ctx, const tns_region *like)
{
  return tns_arena_format (ctx->arena, "%s_slabs", like->name);
}

bool
tns_slab_is_given (tns_ctx *ctx, const tns_region *like)
{
  return tns_plan_is_given (ctx, name_of (ctx, like));
}

/* The line of a plan for slabs of LOOP.  */
static const char *
line_of (tns_ctx *ctx, const tns_node *loop, long size)
{
  const tns_sym *iter = loop->iter;
  return tns_arena_format (ctx->arena, "slab %s: %ld",
                           iter->spelled ? iter->spelled : iter->name, size);
}

/* The size of slabs: that of the line of the section called NAME, 0 when it has
   none, or the planner's choice.  */
static long
size_of (tns_ctx *ctx, const char *name)
{
  if (!tns_plan_is_given (ctx, name))
    return SIZE;
  const char *line = tns_plan_line (ctx, name, "slab ");
  const char *colon = line ? strchr (line, ':') : NULL;
  return colon ? strtol (colon + 1, NULL, 10) : 0;
}

/* Count NODE, if a statement.  */
static bool
count_statement (tns_node *node, void *self)
{
  *(int *) self += node->kind == TNS_ASSIGN;
  return true;
}

/* LIKE with LOOP of BODY in slabs of SIZE; NULL where no loop inside is
   cut, or there are too many statements then.  */
static tns_region *
make_slabs (tns_ctx *ctx, tns_node *body, const tns_node *loop, long size,
            const tns_region *like)
{
  int n_cut = 0;
  tns_region *region = tns_region_copy (ctx->arena, like);
  region->name = name_of (ctx, like);
  region->body = tns_slab_cut (ctx, region, body, loop, size, &n_cut);
  int n = 0;
  tns_node_walk (region->body, count_statement, &n);
  return n_cut > 0 && n <= MOST_STATEMENTS
           ? tns_own_locals (ctx, tns_region_simplify (ctx, region))
           : NULL;
}

/* An error that says that LIKE has no slabs as asked for.  */
static tns_region *
complain (tns_ctx *ctx, const tns_region *like)
{
  const char *words = tns_arena_format (
    ctx->arena, "the slabs of 'plan %s' do not apply to these loops",
    name_of (ctx, like));
  tns_error (ctx, like->loc, TNS_WHY_PLAN, words);
  return NULL;
}

/* BODY with the loop that suits in slabs of SIZE.  */
static tns_region *
find_slabs (tns_ctx *ctx, const tns_plan *plan, tns_node *body, long size,
            const tns_region *like, tns_slab *slab)
{
  search f = { plan, NULL };
  body = tns_slab_cells (ctx, plan->scop, body);
  if (size > 1)
    tns_node_walk (body, note_loop, &f);
  if (!f.found || !pays (ctx, f.found, size, &slab->when))
    return NULL;
  tns_text_line (&slab->steps, "%s", line_of (ctx, f.found, size));
  return make_slabs (ctx, body, f.found, size, like);
}

tns_region *
tns_region_slabs (tns_ctx *ctx, const tns_plan *plan, tns_node *body,
                  const tns_region *like, tns_slab *slab)
{
  const tns_wish *wish = &ctx->wish;
  *slab = (tns_slab){ .steps = tns_text_new (ctx->arena) };
  if (!plan || !like || !ctx->machine || wish->tile.off || wish->tile.n > 0
      || wish->interchange.n > 0)
    return NULL;
  bool asked = tns_slab_is_given (ctx, like);
  if (!asked && tns_plan_is_given (ctx, like->name))
    return NULL;
  long size = size_of (ctx, name_of (ctx, like));
  tns_region *made = find_slabs (ctx, plan, body, size, like, slab);
  return made || !asked ? made : complain (ctx, like);
}
