/* Short rows, as lowering/grid-short.h says.

   1. how long the longest loop with lanes can be: iterators around it by their
      ends, and values by the most that assume lets them be
   2. as many threads as that has groups of neighbours for, and as many groups
      as are left for each  */

#include "lowering/grid-short.h"

#include "ir/simplify.h"
#include "ir/stride.h"
#include "ir/walk.h"

#define WARP 32

/* Threads and groups for rows of which nothing is said: full where they are as
   long as can be, and a quarter of the threads has something to do in rows of
   16.  */
#define USUAL_LANES  16
#define USUAL_GROUPS 4

/* Rows being looked at: the most elements that one has; that is known.  */
typedef struct finder
{
  tns_ctx *ctx;
  const tns_region *region;
  int n;
  tns_node *const *loop;
  long long most;
  bool is_known;
  bool suits;
} finder;

/* EXPR without conversions around it.  */
static const tns_expr *
inside (const tns_expr *expr)
{
  while (expr->op == TNS_CAST)
    expr = expr->arg[0];
  return expr;
}

/* COND says that SYM is at most *MOST.  */
static bool
bounds (const tns_expr *cond, const tns_sym *sym, long long *most)
{
  bool turned = cond->op == TNS_GE || cond->op == TNS_GT;
  bool is_less = cond->op == TNS_LT || cond->op == TNS_GT;
  if (!turned && !is_less && cond->op != TNS_LE && cond->op != TNS_EQ)
    return false;
  const tns_expr *left = inside (cond->arg[turned]);
  const tns_expr *right = inside (cond->arg[!turned]);
  if (left->op != TNS_SYM || left->sym != sym || !tns_expr_is_int (right, most))
    return false;
  *most -= is_less;
  return true;
}

/* The most that VALUE is, *MOST.  */
static bool
find_most (const finder *f, const tns_sym *value, long long *most)
{
  bool found = false;
  for (int k = 0; k < f->region->n_assume; k++)
    {
      long long own;
      if (!bounds (f->region->assume[k], value, &own))
        continue;
      *most = found && *most < own ? *most : own;
      found = true;
    }
  return found;
}

/* A number that LENGTH, I64, never exceeds, *MOST.  */
static bool
longest (finder *f, tns_expr *length, long long *most)
{
  tns_arena *arena = f->ctx->arena;
  length = tns_space_most (arena, f->n, f->loop, length);
  for (int k = 0; k < f->region->n_params; k++)
    {
      tns_sym *value = f->region->params[k];
      long long bound, stride;
      if (value->kind != TNS_SYM_VALUE || value->type.elem != TNS_I64
          || !tns_expr_mentions (length, value)
          || !tns_expr_stride (arena, length, value, &stride) || stride <= 0
          || !find_most (f, value, &bound))
        continue;
      tns_expr *by = tns_int (arena, bound);
      length = tns_expr_substitute (arena, length, 1, &value, &by);
    }
  return tns_expr_is_int (tns_expr_simplify (f->ctx, length), most);
}

/* The visitor: a row is what a warp's threads have registers for.  */
static bool
note_node (tns_node *node, void *self)
{
  finder *f = self;
  long long most;
  if (node->kind == TNS_LOCAL)
    f->suits &= node->sym->rank == 0;
  if (node->kind != TNS_LOOP)
    return f->suits;
  f->suits &= !node->marks.scan;
  if (node->marks.simd < 2)
    return f->suits;
  bool up = node->step > 0;
  f->is_known
    &= longest (f,
                tns_binary (f->ctx->arena, TNS_SUB, up ? node->hi : node->lo,
                            up ? node->lo : node->hi),
                &most);
  f->most = f->is_known && most > f->most ? most : f->most;
  return f->suits;
}

/* Rows of which nothing is said, of ROW.  */
static tns_short
usual (const tns_grid_row *row)
{
  int groups = row->groups < USUAL_GROUPS ? row->groups : USUAL_GROUPS;
  return (tns_short){ USUAL_LANES, groups, true };
}

bool
tns_short_find (tns_ctx *ctx, const tns_region *region, int n,
                tns_node *const *loop, const tns_grid_row *row, bool any,
                tns_short *found)
{
  finder f = { ctx, region, n, loop, 1, true, true };
  long long most;
  int width = row ? row->width : 1;
  tns_node_walk (loop[n - 1]->body, note_node, &f);
  if (row)
    f.is_known &= longest (
      &f, tns_binary (ctx->arena, TNS_SUB, row->hi, row->lo), &most);
  f.most = row && f.is_known && most > f.most ? most : f.most;
  if (f.suits && !f.is_known && any && row)
    {
      *found = usual (row);
      return row->groups > 0;
    }
  if (!f.suits || !f.is_known || f.most > TNS_MOST_SHORT)
    return false;
  found->usual = false;
  long groups = (long) (f.most - 1) / width + 1;
  found->lanes = 1;
  while (found->lanes < WARP && found->lanes < groups)
    found->lanes *= 2;
  found->groups = row ? (int) ((groups - 1) / found->lanes + 1) : 0;
  return found->groups <= (row ? row->groups : 0);
}
