/* Statements with lanes.

     y[i] = e;                  y[i]:f32x16 = e;
     s += e;                    acc += e;             a reduction
     local f32 t; t = e;        local f32x16 t; t = e;
     if (x[i] > 0) y[i] = e;    local boolx16 m; m = x[i]:f32x16 > splat (0);
                                where (m) y[i]:f32x16 = e;
     for k = 0 to K { ... }     for k = 0 to K { ... }   the same in all lanes

   What takes long under a mask, functions, divisions, gathers, is left out
   where the mask is false in all lanes, as among pairs of which few are near:

     if (r < h)          ->     if (reduce_or (m))
       f += exp (-r);             acc = m ? acc + exp (-r) : acc;

   A vector LOCAL is set in all lanes where it is declared under the mask
   in force, else it keeps its value in the others.

   Refused: stores with another stride than 1, loops whose bounds differ
   between lanes, LOCALs of rank 1 and more.  */

#include "lowering/lanes.h"

#include "ir/walk.h"
#include "schedule/machine.h"

enum
{
  FUNCTION_COST = 40,
  DIVISION_COST = 10,
  LEAST_COST = 64
};

/* Note NODE, if it is a LOCAL.  */
static bool
note_cell (tns_node *node, void *self)
{
  tns_lanes *lanes = self;
  size_t n = (size_t) lanes->n_cells, one = sizeof (tns_lane_cell);
  if (node->kind != TNS_LOCAL || tns_lanes_cell (lanes, node->sym))
    return true;
  lanes->cells
    = tns_arena_grow (lanes->arena, lanes->cells, n * one, (n + 1) * one);
  lanes->cells[lanes->n_cells++].scalar = node->sym;
  return true;
}

void
tns_lanes_find_cells (tns_lanes *lanes)
{
  tns_node_walk (lanes->loop->body, note_cell, lanes);
}

tns_lane_cell *
tns_lanes_cell (const tns_lanes *lanes, const tns_sym *sym)
{
  for (int k = 0; k < lanes->n_cells; k++)
    if (lanes->cells[k].scalar == sym)
      return &lanes->cells[k];
  return NULL;
}

bool
tns_lanes_may_mask (const tns_lanes *lanes, tns_elem elem)
{
  const tns_machine *machine = lanes->ctx->machine;
  return machine->masks
         && (machine->vector_bytes >= 64 || tns_elem_bytes (elem) >= 4);
}

/* Count NODE in *SELF when it stores an element of an array that is not the
   region's own: those are loaded and stored in parts.  */
static bool
count_store (tns_node *node, void *self)
{
  int *stores = self;
  *stores += node->kind == TNS_ASSIGN && node->target->n_args > 0
             && !tns_sym_is_local (node->target->sym);
  return true;
}

bool
tns_lanes_masks_last (const tns_lanes *lanes)
{
  int stores = 0;
  tns_node_walk (lanes->loop->body, count_store, &stores);
  double lost = stores * lanes->ctx->machine->mask_work;
  double gained = lanes->work * ((lanes->lanes - 1) / 2.0 - 1);
  return lost <= 0 || lost < gained;
}

tns_sym *
tns_lanes_local (tns_lanes *lanes, const char *name, tns_elem elem,
                 tns_node *out)
{
  tns_sym *sym = tns_region_add_array (lanes->arena, lanes->region, name, elem,
                                       0, TNS_SYM_LOCAL);
  sym->type.lanes = lanes->lanes;
  tns_block_add (lanes->arena, out,
                 tns_local (lanes->arena, lanes->loop->loc, sym));
  return sym;
}

/* Put TARGET = VALUE at the end of what comes first.  */
static void
add_assign (tns_lanes *lanes, tns_loc loc, tns_expr *target, tns_expr *value)
{
  tns_block_add (lanes->arena, lanes->out,
                 tns_assign (lanes->arena, loc, target, TNS_NONE, value));
}

tns_expr *
tns_lanes_below (const tns_lanes *lanes, tns_expr *end)
{
  tns_expr *iter = tns_value (lanes->arena, lanes->iter);
  tns_expr *lane = tns_make (
    lanes->arena, TNS_IOTA, tns_vector (TNS_I64, lanes->lanes), NULL, 1, &iter);
  return tns_binary (lanes->arena, TNS_LT, lane, tns_lanes_splat (lanes, end));
}

tns_expr *
tns_lanes_keep (tns_lanes *lanes, tns_expr *cond)
{
  if (cond->op == TNS_LOAD)
    return cond;
  tns_sym *sym = tns_lanes_local (lanes, "mask", TNS_BOOL, lanes->out);
  add_assign (lanes, cond->loc, tns_cell (lanes->arena, sym), cond);
  return tns_cell (lanes->arena, sym);
}

/* OLD + VALUE; where VALUE is 0 in the lanes that do not choose another, these
   keep OLD: one instruction under a mask.  */
static tns_expr *
added (const tns_lanes *lanes, tns_expr *old, tns_expr *value)
{
  tns_arena *arena = lanes->arena;
  long long zero = 1;
  bool keeps = value->op == TNS_SELECT && value->arg[0]->type.lanes > 1
               && value->arg[2]->op == TNS_SPLAT
               && tns_elem_is_integer (value->type.elem)
               && tns_expr_is_int (value->arg[2]->arg[0], &zero) && zero == 0;
  if (!keeps)
    return tns_binary (arena, TNS_ADD, old, value);
  return tns_ternary (arena, TNS_SELECT, value->arg[0],
                      tns_binary (arena, TNS_ADD, old, value->arg[1]), old);
}

/* NODE's update applied to OLD, a vector.  */
static tns_expr *
updated (tns_lanes *lanes, const tns_node *node, tns_expr *old)
{
  tns_expr *value = tns_lanes_expr (lanes, node->value);
  lanes->work++;
  if (node->update == TNS_NONE)
    return value;
  char class = tns_op_class (node->update);
  bool is_division = node->update == TNS_DIV || node->update == TNS_REM
                     || node->update == TNS_FLOORDIV || node->update == TNS_MOD;
  if (class != 'A' && node->update != TNS_FMIN && node->update != TNS_FMAX)
    lanes->refused = true;
  if (is_division && lanes->mask && !tns_elem_is_float (value->type.elem))
    lanes->refused = true;
  return node->update == TNS_ADD
           ? added (lanes, old, value)
           : tns_binary (lanes->arena, node->update, old, value);
}

/* NODE stores to VECTOR, a LOCAL; KEPT when the lanes outside of the mask
   matter.  */
static void
assign_vector (tns_lanes *lanes, const tns_node *node, tns_sym *vector,
               bool kept)
{
  tns_expr *target = tns_cell (lanes->arena, vector);
  tns_expr *value = updated (lanes, node, target);
  if (kept && lanes->mask)
    value = tns_ternary (lanes->arena, TNS_SELECT, lanes->mask, value, target);
  add_assign (lanes, node->loc, target, value);
}

/* NODE stores to an array.  */
static void
assign_array (tns_lanes *lanes, const tns_node *node)
{
  tns_arena *arena = lanes->arena;
  tns_elem elem = node->target->type.elem;
  int rank = node->target->n_args;
  bool is_unit = tns_lanes_is_unit (lanes, node->target);
  if (!is_unit || elem == TNS_BOOL || elem == TNS_F80
      || (lanes->mask && !tns_lanes_may_mask (lanes, elem)))
    {
      lanes->refused = true;
      return;
    }
  tns_lanes_note_safe (lanes, node->target);
  tns_expr *target = tns_make (arena, TNS_LOAD, tns_vector (elem, lanes->lanes),
                               node->target->sym, rank, node->target->arg);
  tns_expr *old
    = node->update == TNS_NONE ? target : tns_lanes_expr (lanes, node->target);
  tns_node *made = tns_assign (arena, node->loc, target, TNS_NONE,
                               updated (lanes, node, old));
  made->mask = lanes->mask;
  tns_block_add (arena, lanes->out, made);
}

/* NODE, an ASSIGN.  */
static void
assign (tns_lanes *lanes, const tns_node *node)
{
  tns_lane_cell *cell = tns_lanes_cell (lanes, node->target->sym);
  tns_accumulator *acc = tns_lanes_accumulator (lanes, node->target);
  if (node->mask || node->target->type.lanes > 1)
    lanes->refused = true;
  else if (acc && node->update != acc->op)
    lanes->refused = true;
  else if (acc)
    {
      lanes->ours += lanes->within;
      assign_vector (lanes, node, acc->acc[0], true);
    }
  else if (cell && cell->vector)
    assign_vector (lanes, node, cell->vector, lanes->mask != cell->mask);
  else if (cell)
    lanes->refused = true;
  else
    assign_array (lanes, node);
}

/* NODE, a LOCAL.  */
static void
declare (tns_lanes *lanes, const tns_node *node)
{
  tns_lane_cell *cell = tns_lanes_cell (lanes, node->sym);
  if (node->sym->rank || node->sym->type.lanes > 1
      || node->sym->type.elem == TNS_F80)
    lanes->refused = true;
  cell->vector = tns_lanes_local (lanes, node->sym->name, node->sym->type.elem,
                                  lanes->out);
  cell->mask = lanes->mask;
}

/* The statements of PART with lanes, in a block of their own.  */
static tns_node *
inside (tns_lanes *lanes, tns_node *part)
{
  if (!part)
    return NULL;
  tns_node *out = lanes->out;
  int n_safe = lanes->n_safe;
  lanes->out = tns_block (lanes->arena, part->loc);
  tns_lanes_node (lanes, part);
  tns_node *made = lanes->out;
  lanes->out = out;
  lanes->n_safe = n_safe;
  return made;
}

/* What a branch costs, in operations of one vector.  */
typedef struct branch
{
  const tns_lanes *lanes;
  int cost;
} branch;

/* The visitor that adds what EXPR itself costs.  */
static bool
add_cost (tns_expr *expr, void *self)
{
  branch *b = self;
  bool gathers = expr->op == TNS_LOAD && expr->n_args
                 && tns_lanes_differ (b->lanes, expr)
                 && !tns_lanes_is_unit (b->lanes, expr);
  bool divides
    = expr->op == TNS_SQRT
      || (expr->op == TNS_DIV && tns_elem_is_float (expr->type.elem));
  b->cost += gathers                         ? b->lanes->lanes
             : tns_op_is_function (expr->op) ? FUNCTION_COST
             : divides                       ? DIVISION_COST
                                             : expr->n_args > 0;
  return expr->op != TNS_LOAD;
}

/* The visitor of its nodes.  */
static bool
add_costs (tns_node *node, void *self)
{
  tns_node_exprs (node, add_cost, self);
  return true;
}

/* PART takes so long that it pays to ask whether some lane is in it.  */
static bool
is_dear (const tns_lanes *lanes, tns_node *part)
{
  branch b = { lanes, 0 };
  tns_node_walk (part, add_costs, &b);
  return b.cost >= LEAST_COST;
}

/* The same under MASK; the statements join those around, or stand in a branch
   for some lane.  */
static void
add_under (tns_lanes *lanes, tns_node *part, tns_expr *mask)
{
  if (!part)
    return;
  tns_lanes around = *lanes;
  bool apart = is_dear (lanes, part);
  lanes->mask = tns_lanes_keep (lanes, mask);
  lanes->within = true;
  lanes->some = apart;
  tns_node *made = inside (lanes, part);
  if (apart)
    made = tns_if (lanes->arena, part->loc,
                   tns_unary (lanes->arena, TNS_REDUCE_OR, lanes->mask), made,
                   NULL);
  lanes->mask = around.mask;
  lanes->within = around.within;
  lanes->some = around.some;
  tns_block_add (lanes->arena, lanes->out, made);
}

/* NODE, an IF.  */
static void
add_if (tns_lanes *lanes, tns_node *node)
{
  tns_arena *arena = lanes->arena;
  if (!tns_lanes_differ (lanes, node->cond) && !lanes->within)
    {
      tns_block_add (arena, lanes->out,
                     tns_if (arena, node->loc, node->cond,
                             inside (lanes, node->then),
                             inside (lanes, node->otherwise)));
      return;
    }
  tns_expr *cond = tns_lanes_keep (lanes, tns_lanes_expr (lanes, node->cond));
  add_under (lanes, node->then, tns_lanes_both (lanes, lanes->mask, cond));
  add_under (
    lanes, node->otherwise,
    tns_lanes_both (lanes, lanes->mask, tns_unary (arena, TNS_LNOT, cond)));
}

/* Note whether EXPR reads memory other than cells.  */
static bool
note_element (tns_expr *expr, void *self)
{
  bool *found = self;
  if (tns_expr_reads (expr) && expr->n_args)
    *found = true;
  return !*found;
}

/* NODE, a LOOP.  */
static void
add_loop (tns_lanes *lanes, tns_node *node)
{
  bool reads = false;
  tns_expr_walk (node->lo, note_element, &reads);
  tns_expr_walk (node->hi, note_element, &reads);
  if (tns_lanes_differ (lanes, node->lo) || tns_lanes_differ (lanes, node->hi)
      || (lanes->within && reads) || node->marks.simd || node->marks.parallel)
    lanes->refused = true;
  tns_node *made = tns_node_copy (lanes->arena, node);
  made->body = inside (lanes, node->body);
  made->marks = (tns_marks){ .summed = node->marks.summed };
  tns_block_add (lanes->arena, lanes->out, made);
}

/* NODE, a PREFETCH: one for all lanes, but one for each where an index array
   tells the element.  */
static void
add_prefetch (tns_lanes *lanes, tns_node *node)
{
  bool looks_up = false;
  for (int k = 0; k < node->target->n_args; k++)
    tns_expr_walk (node->target->arg[k], note_element, &looks_up);
  for (int l = 0; l < (looks_up ? lanes->lanes : 1); l++)
    {
      tns_sym *iter = lanes->iter;
      tns_expr *at
        = tns_binary (lanes->arena, TNS_ADD, tns_value (lanes->arena, iter),
                      tns_int (lanes->arena, l));
      tns_block_add (lanes->arena, lanes->out,
                     tns_node_substitute (lanes->arena, node, 1, &iter, &at));
    }
}

void
tns_lanes_node (tns_lanes *lanes, tns_node *node)
{
  switch (node->kind)
    {
    case TNS_BLOCK:
      for (int k = 0; k < node->n_kids; k++)
        if (node->kid[k]->kind == TNS_BLOCK)
          tns_block_add (lanes->arena, lanes->out,
                         inside (lanes, node->kid[k]));
        else
          tns_lanes_node (lanes, node->kid[k]);
      break;
    case TNS_LOOP:
      add_loop (lanes, node);
      break;
    case TNS_ASSIGN:
      assign (lanes, node);
      break;
    case TNS_IF:
      add_if (lanes, node);
      break;
    case TNS_LOCAL:
      declare (lanes, node);
      break;
    case TNS_PREFETCH:
      add_prefetch (lanes, node);
      break;
    }
}

tns_node *
tns_lanes_body (tns_lanes *lanes, tns_expr *tail)
{
  lanes->tail = tail;
  lanes->mask = tail;
  lanes->within = false;
  lanes->some = false;
  lanes->n_safe = 0;
  lanes->gathers = 0;
  lanes->small_gathers = 0;
  lanes->masked_gathers = 0;
  lanes->work = 0;
  lanes->left = 0;
  lanes->ours = 0;
  for (int k = 0; k < lanes->n_cells; k++)
    lanes->cells[k].vector = NULL;
  return inside (lanes, lanes->loop->body);
}
