/* The size of code: how many operations a body is made of.

     for b { t = x[b].q[0]*y[b].q[0]; ...; t += x[b].q[15]*y[b].q[15];
             s += t*x[b].d*y[b].d; }

   in 16 lanes along b loads 34 values of each record a lane at a time and
   puts each into its vector: 1088 operations, in each copy of the body and
   for each accumulator.  With 4 rows and 2 accumulators these are 8704 beside
   the arithmetic: the code leaves the cache of instructions, the values leave
   the registers, and GCC, whose time grows faster than a block, takes minutes
   for it.

   So a body has MOST_OPERATIONS at most, about a second of GCC's time: an
   operator counts once, so does an access that moves by one element or not at
   all; another access counts twice for each lane.  Who marks a DIM takes fewer
   accumulators, fewer copies, and no lanes, in this order.

   Subscripts are not counted: they become addresses.  The tails of a loop,
   less than twice its body, are not either.  */

#include "ir/copies.h"
#include "ir/walk.h"
#include "schedule/planner.h"

#define MOST_OPERATIONS 1000
#define ROW_OF_BYTES    16

/* The visitor: count EXPR, an access without its subscripts.  */
static bool
count_expr (tns_expr *expr, void *self)
{
  long *n = self;
  *n += expr->n_args > 0;
  return !tns_expr_reads (expr);
}

/* The visitor: count NODE's own expressions.  */
static bool
count_node (tns_node *node, void *self)
{
  long *n = self;
  if (node->kind == TNS_ASSIGN)
    {
      *n += node->target->n_args > 0;
      *n += node->update != TNS_NONE;
      tns_expr_walk (node->value, count_expr, n);
    }
  else if (node->kind == TNS_IF)
    tns_expr_walk (node->cond, count_expr, n);
  return true;
}

/* ACCESS of STMT is of an array that each iteration of ITER has for itself:
   lanes along ITER have theirs beside each other (schedule/contract.h).  */
static bool
is_own (const tns_scop *scop, const tns_stmt *stmt, const tns_access *access,
        const tns_sym *iter)
{
  int n = scop->array[access->array].n_private;
  return n > 0 && n <= stmt->n_iters && stmt->iter[n - 1] == iter
         && !tns_expr_mentions (access->expr, iter);
}

/* The lanes along ITER read or write ACCESS of STMT one at a time.  */
static bool
jumps (const tns_scop *scop, const tns_stmt *stmt, const tns_access *access,
       const tns_sym *iter)
{
  if (!access->expr || access->expr->n_args == 0)
    return false;
  if (!iter)
    return true;
  return !is_own (scop, stmt, access, iter)
         && !tns_storage_is_near (scop, stmt, access, iter);
}

long
tns_stmt_operations (const tns_planner *planner, int stmt, const tns_sym *iter,
                     int lanes)
{
  const tns_stmt *s = &planner->scop->stmt[stmt];
  long n = 0;
  tns_node_walk (s->node, count_node, &n);
  for (int k = 0; lanes > 1 && k < s->n_accesses; k++)
    if (jumps (planner->scop, s, &s->access[k], iter))
      n += 2 * lanes - 1;
  return n;
}

long
tns_dim_operations (const tns_planner *planner, const tns_tree *dim, int lanes)
{
  long n = 0;
  for (int s = 0; s < planner->scop->n_stmts; s++)
    if (tns_tree_has (dim, s))
      n += tns_stmt_operations (planner, s,
                                tns_dim_iter (planner->scop, dim, s), lanes);
  return n;
}

/* The visitor: whether EXPR takes many cycles.  */
static bool
note_slow (tns_expr *expr, void *self)
{
  bool *slow = self;
  *slow |= tns_op_is_function (expr->op)
           || ((expr->op == TNS_DIV || expr->op == TNS_SQRT)
               && tns_elem_is_float (expr->type.elem));
  return !*slow && !tns_expr_reads (expr);
}

/* The visitor: whether NODE's value does.  */
static bool
note_slow_node (tns_node *node, void *self)
{
  const bool *slow = self;
  tns_expr_walk (node->value, note_slow, self);
  return !*slow;
}

bool
tns_stmt_is_slow (const tns_stmt *stmt)
{
  bool slow = false;
  tns_node_walk (stmt->node, note_slow_node, &slow);
  return slow;
}

bool
tns_dim_is_slow (const tns_planner *planner, const tns_tree *dim)
{
  for (int s = 0; s < planner->scop->n_stmts; s++)
    if (tns_tree_has (dim, s) && tns_stmt_is_slow (&planner->scop->stmt[s]))
      return true;
  return false;
}

/* EXPR is an integer of one or two bytes made int.  */
static bool
is_promoted (const tns_expr *expr)
{
  return expr->op == TNS_CAST && tns_elem_is_integer (expr->type.elem)
         && tns_elem_is_integer (expr->arg[0]->type.elem)
         && tns_elem_bytes (expr->arg[0]->type.elem) < 4;
}

/* The visitor: whether EXPR multiplies two of those.  */
static bool
note_small (tns_expr *expr, void *self)
{
  bool *small = self;
  *small |= expr->op == TNS_MUL && is_promoted (expr->arg[0])
            && is_promoted (expr->arg[1]);
  return !*small && !tns_expr_reads (expr);
}

/* EXPR is a byte without a sign, made int.  */
static bool
is_byte (const tns_expr *expr)
{
  return is_promoted (expr) && expr->arg[0]->type.elem == TNS_U8;
}

/* STMT adds up how far two of those lie apart, along a row of them.  */
static bool
adds_distances (const tns_stmt *stmt)
{
  const tns_node *node = stmt->node;
  if (node->update == TNS_NONE || stmt->n_iters == 0
      || node->value->op != TNS_ABS || node->value->arg[0]->op != TNS_SUB
      || tns_loop_constant_trip (stmt->loop[stmt->n_iters - 1]) < ROW_OF_BYTES)
    return false;
  const tns_expr *apart = node->value->arg[0];
  return is_byte (apart->arg[0]) && is_byte (apart->arg[1]);
}

bool
tns_stmt_sums_small (const tns_stmt *stmt)
{
  bool small = false;
  tns_expr_walk (stmt->node->value, note_small, &small);
  return small || adds_distances (stmt);
}

int
tns_fitting_copies (long operations, int copies)
{
  while (copies > 0 && operations * copies > MOST_OPERATIONS)
    copies /= 2;
  return copies;
}
