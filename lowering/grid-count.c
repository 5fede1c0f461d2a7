/* How many kernels of a grid are of a kind, and how many the host launches
   (lowering/grid.h).  */

#include "ir/walk.h"
#include "lowering/grid.h"

bool
tns_grid_has_matrices (const tns_grid *grid)
{
  bool some = false;
  for (int k = 0; k < grid->n; k++)
    some |= grid->kernel[k].precision != TNS_PRECISION_OWN;
  return some;
}

int
tns_grid_joint (const tns_grid *grid)
{
  int n = 0;
  for (int k = 0; k < grid->n; k++)
    n += grid->kernel[k].n_parts > 0;
  return n;
}

tns_grid_words
tns_grid_needs_words (const tns_grid *grid)
{
  bool some = tns_grid_has_matrices (grid);
  bool groups = false;
  for (int k = 0; k < grid->n; k++)
    {
      some |= grid->kernel[k].stages.n > 0;
      groups |= grid->kernel[k].group != NULL;
    }
  return groups ? TNS_WORDS_GROUP : some ? TNS_WORDS_NEWER : TNS_WORDS_NONE;
}

/* What is counted.  */
typedef struct counter
{
  tns_arena *arena;
  const tns_grid *grid;
} counter;

/* The visitor that looks for iterators.  */
static bool
note_iter (tns_expr *expr, void *self)
{
  bool *found = self;
  *found |= expr->op == TNS_SYM && expr->sym->kind == TNS_SYM_ITER;
  return !*found;
}

/* How many kernels NODE, of the host's part, launches, I64: the way of a choice
   that is taken counts, or both where that moves in a loop around it; a loop
   whose length does counts once.  */
static tns_expr *
launches_of (const counter *f, tns_node *node)
{
  tns_expr *sum = tns_int (f->arena, 0);
  bool moves = false;
  if (tns_grid_kernel (f->grid, node))
    return tns_int (f->arena, 1);
  tns_node *part[] = { node->body, node->then, node->otherwise };
  tns_expr *own[3] = { sum, sum, sum };
  for (int k = 0; k < 3; k++)
    {
      own[k] = part[k] ? launches_of (f, part[k]) : own[k];
      sum = tns_binary (f->arena, TNS_ADD, sum, own[k]);
    }
  for (int k = 0; k < node->n_kids; k++)
    sum = tns_binary (f->arena, TNS_ADD, sum, launches_of (f, node->kid[k]));
  if (node->kind == TNS_IF)
    tns_expr_walk (node->cond, note_iter, &moves);
  if (node->kind == TNS_IF && !moves)
    return tns_ternary (f->arena, TNS_SELECT, node->cond, own[1], own[2]);
  if (node->kind != TNS_LOOP)
    return sum;
  tns_expr *trip = tns_grid_trip (f->arena, node);
  tns_expr_walk (trip, note_iter, &moves);
  return moves ? sum : tns_binary (f->arena, TNS_MUL, trip, sum);
}

tns_expr *
tns_grid_launches (tns_ctx *ctx, const tns_grid *grid)
{
  counter c = { ctx->arena, grid };
  return tns_cast (ctx->arena, tns_scalar (TNS_F64),
                   launches_of (&c, grid->region->body));
}
