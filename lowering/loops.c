/* Plan -> loops.

   Steps: 1. isl's AST of the tree (schedule/ast.h), a mark with the DIM's
   address above each loop; 2. the AST becomes IR: each FOR takes the sym and
   the marks of the DIM above it; each user node is a copy of its statement
   with the iterators' values put in and temporaries addressed in their
   buffers, or a home: the LOCALs of the buffers that live there and the AST
   of what is executed in it.  */

#include "lowering/loops.h"

#include <isl/id.h>
#include <string.h>

#include "ir/walk.h"
#include "schedule/ast.h"

/* What the conversion knows on its way down.

   iter_name, iter_value  isl's iterators in scope and their values
   home, home_value       the innermost home around and its coordinates'
                          values
   pending                the DIM whose mark stands above, not yet used by a
                          loop
   failed                 something could not be converted  */
typedef struct converter
{
  tns_ctx *ctx;
  const tns_plan *plan;
  tns_arena *arena;
  int n_iters;
  const char *iter_name[4 * TNS_MAX_DEPTH];
  tns_expr *iter_value[4 * TNS_MAX_DEPTH];
  const tns_home *home;
  tns_expr **home_value;
  tns_tree *pending;
  bool failed;
} converter;

/* The value that ID, a coordinate, a parameter or an iterator of isl's, stands
   for.  */
static tns_expr *
expr_of_id (converter *c, __isl_keep isl_id *id)
{
  const tns_scop *scop = c->plan->scop;
  const tns_tree *dim = tns_ast_coordinate (id);
  const char *name = isl_id_get_name (id);
  for (int k = 0; dim && k < c->home->n; k++)
    if (c->home->path[k] == dim)
      return c->home_value[k];
  for (int k = c->n_iters - 1; k >= 0; k--)
    if (!strcmp (c->iter_name[k], name))
      return c->iter_value[k];
  for (int k = 0; k < scop->n_params; k++)
    if (scop->param_id[k] == id)
      return scop->param[k];
  c->failed = true;
  return tns_int (c->arena, 0);
}

/* Our operator for isl's, NONE when it has its own rule.  */
static tns_op
op_of_isl (enum isl_ast_expr_op_type type)
{
  switch (type)
    {
    case isl_ast_expr_op_add:
      return TNS_ADD;
    case isl_ast_expr_op_sub:
      return TNS_SUB;
    case isl_ast_expr_op_mul:
      return TNS_MUL;
    case isl_ast_expr_op_div:
      return TNS_FLOORDIV;
    case isl_ast_expr_op_fdiv_q:
      return TNS_FLOORDIV;
    case isl_ast_expr_op_pdiv_q:
      return TNS_FLOORDIV;
    case isl_ast_expr_op_pdiv_r:
      return TNS_MOD;
    case isl_ast_expr_op_zdiv_r:
      return TNS_MOD;
    case isl_ast_expr_op_max:
      return TNS_MAX;
    case isl_ast_expr_op_min:
      return TNS_MIN;
    case isl_ast_expr_op_and:
      return TNS_LAND;
    case isl_ast_expr_op_and_then:
      return TNS_LAND;
    case isl_ast_expr_op_or:
      return TNS_LOR;
    case isl_ast_expr_op_or_else:
      return TNS_LOR;
    case isl_ast_expr_op_eq:
      return TNS_EQ;
    case isl_ast_expr_op_le:
      return TNS_LE;
    case isl_ast_expr_op_lt:
      return TNS_LT;
    case isl_ast_expr_op_ge:
      return TNS_GE;
    case isl_ast_expr_op_gt:
      return TNS_GT;
    default:
      return TNS_NONE;
    }
}

static tns_expr *expr_of_isl (converter *c, __isl_keep isl_ast_expr *expr);

/* Operand K of EXPR.  */
static tns_expr *
operand (converter *c, __isl_keep isl_ast_expr *expr, int k)
{
  isl_ast_expr *arg = isl_ast_expr_op_get_arg (expr, k);
  tns_expr *value = expr_of_isl (c, arg);
  isl_ast_expr_free (arg);
  return value;
}

/* An operation of isl's.  */
static tns_expr *
expr_of_op (converter *c, __isl_keep isl_ast_expr *expr)
{
  enum isl_ast_expr_op_type type = isl_ast_expr_op_get_type (expr);
  int n = isl_ast_expr_op_get_n_arg (expr);
  tns_expr *first = operand (c, expr, 0);
  if (type == isl_ast_expr_op_minus)
    return tns_unary (c->arena, TNS_NEG, first);
  if (type == isl_ast_expr_op_cond || type == isl_ast_expr_op_select)
    return tns_ternary (c->arena, TNS_SELECT, first, operand (c, expr, 1),
                        operand (c, expr, 2));
  tns_op op = op_of_isl (type);
  c->failed |= op == TNS_NONE;
  for (int k = 1; k < n && !c->failed; k++)
    first = tns_binary (c->arena, op, first, operand (c, expr, k));
  return first;
}

/* An expression of isl's.  */
static tns_expr *
expr_of_isl (converter *c, __isl_keep isl_ast_expr *expr)
{
  enum isl_ast_expr_type type = isl_ast_expr_get_type (expr);
  if (type == isl_ast_expr_int)
    {
      isl_val *val = isl_ast_expr_int_get_val (expr);
      tns_expr *value = tns_int (c->arena, isl_val_get_num_si (val));
      isl_val_free (val);
      return value;
    }
  if (type == isl_ast_expr_id)
    {
      isl_id *id = isl_ast_expr_id_get_id (expr);
      tns_expr *value = expr_of_id (c, id);
      isl_id_free (id);
      return value;
    }
  if (type == isl_ast_expr_op)
    return expr_of_op (c, expr);
  c->failed = true;
  return tns_int (c->arena, 0);
}

/* The buffer of the array SYM, or NULL when it stays where it is.  */
static const tns_buffer *
buffer_of (const tns_plan *plan, const tns_sym *sym)
{
  for (int k = 0; k < plan->n_buffers; k++)
    if (plan->scop->array[plan->buffer[k].array].sym == sym)
      return &plan->buffer[k];
  return NULL;
}

/* What rename_access needs: the statement and the converter.  */
typedef struct renaming
{
  converter *c;
  const tns_stmt *stmt;
} renaming;

/* A LOAD of a contracted array -> its buffer's; the private coordinates are
   the statement's iterators.  */
static tns_expr *
rename_access (tns_expr *expr, void *self)
{
  const renaming *r = self;
  const tns_buffer *buffer
    = expr->op == TNS_LOAD ? buffer_of (r->c->plan, expr->sym) : NULL;
  if (!buffer)
    return expr;
  tns_arena *arena = r->c->arena;
  int n_private = r->c->plan->scop->array[buffer->array].n_private;
  tns_expr **arg = TNS_NEW_ARRAY (arena, tns_expr *, buffer->n + 1);
  int n = 0;
  for (int place = 0; place < buffer->n; place++)
    {
      int k = tns_buffer_coordinate (buffer, place);
      tns_expr *at = k < n_private ? tns_value (arena, r->stmt->iter[k])
                                   : expr->arg[k - n_private];
      if (buffer->kept[k])
        arg[n++] = tns_binary (arena, TNS_SUB, at, buffer->offset[k]);
    }
  return tns_load (arena, buffer->sym, arg);
}

/* All LOADs in EXPR, a whole expression, renamed.  */
static tns_expr *
rename_accesses (tns_expr *expr, void *self)
{
  const renaming *r = self;
  return tns_expr_rebuild (r->c->arena, expr, rename_access, self);
}

/* R, of the array that BUFFER is the storage of, with the buffer's symbol and
   a box in its subscripts; without a box when the buffer moves.  */
static tns_reduction
rename_reduction (converter *c, tns_reduction r, const tns_buffer *buffer)
{
  tns_reduction made = { .sym = buffer->sym, .op = r.op };
  if (!r.extent || buffer->dim)
    return made;
  int rank = buffer->sym->rank;
  int first = buffer->n - r.sym->rank;
  made.offset = TNS_NEW_ARRAY (c->arena, tns_expr *, rank + 1);
  made.extent = TNS_NEW_ARRAY (c->arena, tns_expr *, rank + 1);
  for (int k = first, n = 0; k < buffer->n; k++)
    if (buffer->kept[k])
      {
        made.offset[n] = tns_binary (c->arena, TNS_SUB, r.offset[k - first],
                                     buffer->offset[k]);
        made.extent[n++] = r.extent[k - first];
      }
  return made;
}

/* MARKS with the buffers' symbols in place of the arrays'.  */
static tns_marks
rename_marks (converter *c, tns_marks marks)
{
  tns_reduction *renamed
    = TNS_NEW_ARRAY (c->arena, tns_reduction, marks.n_reductions);
  for (int k = 0; k < marks.n_reductions; k++)
    {
      const tns_buffer *buffer = buffer_of (c->plan, marks.reductions[k].sym);
      renamed[k] = marks.reductions[k];
      if (buffer)
        renamed[k] = rename_reduction (c, renamed[k], buffer);
    }
  marks.reductions = renamed;
  if (marks.align && buffer_of (c->plan, marks.align))
    marks.align = NULL;
  const tns_buffer *panel
    = marks.panel ? buffer_of (c->plan, marks.panel) : NULL;
  if (panel)
    marks.panel = panel->sym;
  const tns_buffer *summed
    = marks.summed ? buffer_of (c->plan, marks.summed) : NULL;
  if (summed)
    marks.summed = summed->sym;
  return marks;
}

/* Statement S at the values of its iterators that are CALL's operands.  */
static tns_node *
node_of_stmt (converter *c, int s, __isl_keep isl_ast_expr *call)
{
  const tns_stmt *stmt = &c->plan->scop->stmt[s];
  renaming r = { c, stmt };
  tns_expr *value[TNS_MAX_DEPTH];
  for (int k = 0; k < stmt->n_iters; k++)
    value[k] = operand (c, call, k + 1);
  tns_node *made
    = tns_node_rebuild (c->arena, stmt->node, NULL, rename_accesses, &r);
  return tns_node_substitute (c->arena, made, stmt->n_iters, stmt->iter, value);
}

/* Append the LOCAL nodes of the buffers that live in iterations of DIM.  */
static void
add_locals (converter *c, tns_node *block, const tns_tree *dim)
{
  for (int k = 0; k < c->plan->n_buffers; k++)
    if (c->plan->buffer[k].dim == dim)
      tns_block_add (
        c->arena, block,
        tns_local (c->arena, c->plan->region->loc, c->plan->buffer[k].sym));
}

static void convert (converter *c, __isl_take isl_ast_node *node,
                     tns_node *block);

/* The bound that COND, iter < e or iter <= e, sets: the first value beyond.
   */
static tns_expr *
bound_of (converter *c, __isl_take isl_ast_expr *cond)
{
  bool inclusive = isl_ast_expr_op_get_type (cond) == isl_ast_expr_op_le;
  tns_expr *bound = operand (c, cond, 1);
  isl_ast_expr_free (cond);
  if (!inclusive)
    return bound;
  return tns_binary (c->arena, TNS_ADD, bound, tns_int (c->arena, 1));
}

/* Put isl's iterator of the loop NODE in scope with VALUE.  */
static void
enter_iter (converter *c, __isl_keep isl_ast_node *node, tns_expr *value)
{
  isl_ast_expr *iter = isl_ast_node_for_get_iterator (node);
  isl_id *id = isl_ast_expr_id_get_id (iter);
  c->iter_name[c->n_iters] = tns_arena_string (c->arena, isl_id_get_name (id));
  c->iter_value[c->n_iters++] = value;
  isl_id_free (id);
  isl_ast_expr_free (iter);
}

/* A FOR of a single iteration: its body.  */
static void
convert_once (converter *c, __isl_keep isl_ast_node *node, tns_expr *start,
              tns_node *block)
{
  enter_iter (c, node, start);
  convert (c, isl_ast_node_for_get_body (node), block);
  c->n_iters--;
}

/* LOOP's collapse counts loops that came out perfectly nested only.  */
static void
trim_collapse (tns_node *loop)
{
  const tns_node *inner = loop;
  for (int n = 1; n < loop->marks.collapse; n++)
    {
      const tns_node *body = inner->body;
      while (body->kind == TNS_BLOCK && body->n_kids == 1)
        body = body->kid[0];
      if (body->kind != TNS_LOOP)
        loop->marks.collapse = n > 1 ? n : 0;
      inner = body;
    }
}

/* How many of the DIMs that DIM collapses have loops nested perfectly in
   LOOP: isl makes none for a DIM of one value, and then the next loop is
   another DIM's.  */
static int
collapsed_loops (const tns_tree *dim, const tns_node *loop)
{
  int n = 1;
  for (int most = dim->marks.collapse; n < most; n++)
    {
      const tns_node *inner = loop->body;
      while (inner->kind == TNS_BLOCK && inner->n_kids == 1)
        inner = inner->kid[0];
      dim = dim->body;
      if (inner->kind != TNS_LOOP || inner->iter != dim->sym)
        break;
      loop = inner;
    }
  return n > 1 ? n : 0;
}

/* A FOR: a LOOP with the sym and the marks of the DIM above.  */
static void
convert_for (converter *c, __isl_keep isl_ast_node *node, tns_node *block)
{
  tns_tree *dim = c->pending;
  c->pending = NULL;
  c->failed |= !dim;
  if (!dim)
    return;
  isl_ast_expr *init = isl_ast_node_for_get_init (node);
  tns_expr *lo = expr_of_isl (c, init);
  isl_ast_expr_free (init);
  if (isl_ast_node_for_is_degenerate (node) == isl_bool_true)
    convert_once (c, node, lo, block);
  else
    {
      tns_expr *hi = bound_of (c, isl_ast_node_for_get_cond (node));
      if (tns_ctx_breaks (c->ctx, "loops"))
        hi = tns_binary (c->arena, TNS_SUB, hi, tns_int (c->arena, 1));
      isl_ast_expr *inc = isl_ast_node_for_get_inc (node);
      long long step = expr_of_isl (c, inc)->integer;
      isl_ast_expr_free (inc);
      tns_node *body = tns_block (c->arena, c->plan->region->loc);
      enter_iter (c, node, tns_value (c->arena, dim->sym));
      convert (c, isl_ast_node_for_get_body (node), body);
      c->n_iters--;
      if (body->n_kids == 1 && body->kid[0]->kind == TNS_BLOCK)
        body = body->kid[0];
      tns_node *loop = tns_loop (c->arena, c->plan->region->loc, dim->sym, lo,
                                 hi, step, body);
      loop->marks = rename_marks (c, dim->marks);
      loop->marks.collapse = collapsed_loops (dim, loop);
      trim_collapse (loop);
      tns_block_add (c->arena, block, loop);
    }
  c->pending = dim;
}

/* An IF.  */
static void
convert_if (converter *c, __isl_keep isl_ast_node *node, tns_node *block)
{
  isl_ast_expr *test = isl_ast_node_if_get_cond (node);
  tns_expr *cond = expr_of_isl (c, test);
  isl_ast_expr_free (test);
  tns_loc loc = c->plan->region->loc;
  tns_node *then = tns_block (c->arena, loc);
  tns_node *otherwise = NULL;
  convert (c, isl_ast_node_if_get_then_node (node), then);
  if (isl_ast_node_if_has_else_node (node) == isl_bool_true)
    {
      otherwise = tns_block (c->arena, loc);
      convert (c, isl_ast_node_if_get_else_node (node), otherwise);
    }
  tns_block_add (c->arena, block,
                 tns_if (c->arena, loc, cond, then, otherwise));
}

/* The kids of a BLOCK.  */
static void
convert_block (converter *c, __isl_keep isl_ast_node *node, tns_node *block)
{
  isl_ast_node_list *kids = isl_ast_node_block_get_children (node);
  int n = isl_ast_node_list_n_ast_node (kids);
  for (int k = 0; k < n; k++)
    convert (c, isl_ast_node_list_get_ast_node (kids, k), block);
  isl_ast_node_list_free (kids);
}

/* A MARK: the DIM of the loops right below.  */
static void
convert_mark (converter *c, __isl_keep isl_ast_node *node, tns_node *block)
{
  isl_id *id = isl_ast_node_mark_get_id (node);
  tns_tree *outer = c->pending;
  c->pending = isl_id_get_user (id);
  isl_id_free (id);
  convert (c, isl_ast_node_mark_get_node (node), block);
  c->pending = outer;
}

/* NODE, made for HOME, whose DIMs stand for themselves there, with the values
   that they have.  */
static tns_node *
put_values (converter *c, tns_node *node, const tns_home *home,
            tns_expr **value)
{
  tns_sym **sym = TNS_NEW_ARRAY (c->arena, tns_sym *, home->n);
  bool same = true;
  for (int k = 0; k < home->n; k++)
    {
      sym[k] = home->path[k]->sym;
      same &= value[k]->op == TNS_SYM && value[k]->sym == sym[k];
    }
  return same ? node
              : tns_node_substitute (c->arena, node, home->n, sym, value);
}

/* What is executed in HOME, an iteration whose coordinates are CALL's
   operands.  */
static tns_node *
node_of_home (converter *c, const tns_home *home, __isl_keep isl_ast_expr *call)
{
  converter inner = *c;
  inner.home = home;
  inner.home_value = TNS_NEW_ARRAY (c->arena, tns_expr *, home->n);
  inner.pending = NULL;
  tns_expr **value = TNS_NEW_ARRAY (c->arena, tns_expr *, home->n);
  for (int k = 0; k < home->n; k++)
    {
      value[k] = operand (c, call, k + 1);
      inner.home_value[k] = tns_value (c->arena, home->path[k]->sym);
    }
  tns_node *body = tns_block (c->arena, c->plan->region->loc);
  add_locals (c, body, home->path[home->n - 1]);
  isl_ast_node *node = tns_ast_of_home (c->plan, home);
  if (node)
    convert (&inner, node, body);
  c->failed |= !node || inner.failed;
  return put_values (c, body, home, value);
}

/* What the user node NODE calls: a home or a statement.  */
static tns_node *
node_of_user (converter *c, __isl_keep isl_ast_node *node)
{
  isl_ast_expr *call = isl_ast_node_user_get_expr (node);
  isl_ast_expr *callee = isl_ast_expr_op_get_arg (call, 0);
  isl_id *id = isl_ast_expr_id_get_id (callee);
  const tns_home *home = isl_id_get_user (id);
  const tns_scop *scop = c->plan->scop;
  int s = 0;
  while (s < scop->n_stmts && strcmp (scop->stmt[s].name, isl_id_get_name (id)))
    s++;
  tns_node *made = NULL;
  if (home)
    made = node_of_home (c, home, call);
  else if (s < scop->n_stmts)
    made = node_of_stmt (c, s, call);
  c->failed |= !made;
  isl_id_free (id);
  isl_ast_expr_free (callee);
  isl_ast_expr_free (call);
  return made;
}

/* Append what NODE does to BLOCK.  */
static void
convert (converter *c, __isl_take isl_ast_node *node, tns_node *block)
{
  enum isl_ast_node_type type = isl_ast_node_get_type (node);
  if (type == isl_ast_node_for)
    convert_for (c, node, block);
  else if (type == isl_ast_node_if)
    convert_if (c, node, block);
  else if (type == isl_ast_node_block)
    convert_block (c, node, block);
  else if (type == isl_ast_node_mark)
    convert_mark (c, node, block);
  else if (type == isl_ast_node_user)
    {
      tns_node *made = node_of_user (c, node);
      if (made)
        tns_block_add (c->arena, block, made);
    }
  else
    c->failed = true;
  isl_ast_node_free (node);
}

tns_region *
tns_loops (tns_ctx *ctx, const tns_plan *plan)
{
  if (!plan)
    return NULL;
  isl_ctx *isl = plan->scop->isl;
  tns_isl_begin (ctx, isl);
  tns_home root = tns_ast_root (plan);
  isl_ast_node *node = tns_ast_of_home (plan, &root);
  converter c = { .ctx = ctx, .plan = plan, .arena = ctx->arena };
  c.home = &root;
  tns_region *region = tns_region_copy (ctx->arena, plan->region);
  region->body = tns_block (ctx->arena, region->loc);
  add_locals (&c, region->body, NULL);
  if (node)
    convert (&c, node, region->body);
  isl_set_free (root.context);
  if (!node || c.failed)
    return tns_isl_refuse (ctx, isl, region->loc, "loops");
  return region;
}
