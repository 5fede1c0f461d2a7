/* The invariants of the IR.

   Expressions
    1. An operator has as many operands as ir/op.def says; the type has 1 to
       64 lanes.
    2. INT is a scalar of an integer type, REAL one of a floating type.
    3. SYM is a VALUE that is a parameter, or the ITER of a loop around it,
       and has its type.
    4. LOAD, MASKED and GATHER are of an array that is a parameter or a LOCAL
       alive there, with one subscript for each of its rank; subscripts are
       scalar I64, those of GATHER also vectors of as many lanes.  A vector
       needs rank 1 at least, or a LOCAL of that type.  A mask is BOOL of as
       many lanes.
    5. Operands of arithmetic and of math.h have the type of the result;
       math.h has floating ones, % floordiv mod ~ & | ^ << >> integers;
       truth values know & | ^ alone.
    6. Operands of comparisons are of one type, those of && || ! are BOOL;
       the result is BOOL of as many lanes.
    7. CAST keeps the lanes.  SELECT's condition is BOOL, scalar or of as
       many lanes; both values have its type.
    8. SPLAT and IOTA take a scalar of the lane's type, IOTA an integer;
       REDUCE_... takes a vector and gives a scalar of its element type;
       PAST_LINE, an I64, has the scalar subscripts of an array of rank 1 and
       more.
   Nodes
    9. A loop's iterator is an ITER, not that of a loop around it; bounds are
       scalar I64 and do not mention it; the step is not 0.
   10. Marks are not negative; reductions are of arrays with an operator of
       reductions; collapse spans perfectly nested loops; align is of an
       array, a panel of one that the loop only reads; what is summed is an
       array.
   11. ASSIGN's target is a LOAD of an array that is not CONST; its value has
       the target's type; an update has an arithmetic operator, or && or ||
       on BOOL; a mask is BOOL of as many lanes, or scalar.
   12. A condition is scalar BOOL.
   13. LOCAL stands in a block, its array is a LOCAL that is not alive.
   14. PREFETCH's target is a LOAD.
   Regions
   15. Symbols stand at their id and have different names, which are C
       identifiers.
   16. Parameters are different VALUEs and arrays that are not LOCAL; every
       array that is not LOCAL and every VALUE in use is one.
   17. Extents and strides are scalar I64 over VALUEs, those of a LOCAL also
       over the cells that stand in what is before; only extent[0] may be
       unknown, and not that of a LOCAL.  What an array holds, where that is
       known, is of a CONST one without strides of constant extents, a number
       of its type for each element.
   18. Overlaps, spans and stills are of parameters; assumptions and guards
       are BOOL over VALUEs, spans' ends I64, counts F64.  Spans' ends may
       also mention the cells that stand in what is before, a block that
       stores to such cells only; they live on in the body.
   19. The body is a block.
   20. After extraction, names of statements are different.

   What is not checked: that subscripts are inside (the interpreter does),
   that marks are legal (poly/legal.c does).  */

#include "ir/verify.h"

#include <ctype.h>
#include <string.h>

#include "ir/print.h"
#include "ir/walk.h"

/* A check under way.

   usable   by symbol id: may be mentioned here
   values_only  arrays and iterators may not be mentioned, but
   with_cells   LOCAL cells may
   ok       no invariant was found broken yet  */
typedef struct check
{
  tns_ctx *ctx;
  const tns_region *region;
  const char *stage;
  bool *usable;
  bool values_only;
  bool with_cells;
  bool ok;
  const char **names;
  int n_names;
} check;

/* Invariant NUMBER is broken at LOC by EXPR or NODE, whichever is given.  */
static bool
broken (check *c, int number, tns_loc loc, const tns_expr *expr,
        const tns_node *node)
{
  if (!c->ok)
    return false;
  c->ok = false;
  tns_refuse (c->ctx, loc, TNS_WHY_INTERNAL, c->stage);
  if (!c->ctx->dump)
    return false;
  tns_text text = tns_text_new (c->ctx->arena);
  if (expr)
    tns_expr_print (&text, expr);
  else if (node)
    tns_node_print (&text, node);
  fprintf (c->ctx->dump, ";; invariant %d of ir/verify.c is broken after %s",
           number, c->stage);
  fprintf (c->ctx->dump, " in region %s\n%s\n", c->region->name,
           tns_text_chars (&text));
  return false;
}

/* TYPE is scalar ELEM.  */
static bool
is_scalar (tns_type type, tns_elem elem)
{
  return type.elem == elem && type.lanes == 1;
}

/* TYPE is BOOL of LANES lanes.  */
static bool
is_truth (tns_type type, int lanes)
{
  return type.elem == TNS_BOOL && type.lanes == lanes;
}

/* SYM is a cell of the region's own.  */
static bool
is_own_cell (const tns_sym *sym)
{
  return sym->kind == TNS_SYM_ARRAY && tns_sym_is_local (sym) && !sym->rank;
}

/* SYM is of the region and may be mentioned here.  */
static bool
is_usable (const check *c, const tns_sym *sym)
{
  return sym && sym->id >= 0 && sym->id < c->region->n_syms
         && c->region->syms[sym->id] == sym && c->usable[sym->id]
         && (!c->values_only || sym->kind == TNS_SYM_VALUE
             || (c->with_cells && is_own_cell (sym)));
}

/* Invariant 4.  */
static bool
access_holds (const check *c, const tns_expr *expr)
{
  const tns_sym *sym = expr->sym;
  int lanes = expr->type.lanes;
  if (!is_usable (c, sym) || sym->kind != TNS_SYM_ARRAY
      || expr->type.elem != sym->type.elem
      || (sym->type.lanes > 1 ? lanes != sym->type.lanes
                              : lanes > 1 && !sym->rank))
    return false;
  int masks = expr->n_args - sym->rank;
  if (masks < (expr->op == TNS_MASKED) || masks > (expr->op != TNS_LOAD))
    return false;
  for (int k = 0; k < sym->rank; k++)
    {
      tns_type type = expr->arg[k]->type;
      bool is_lanes = expr->op == TNS_GATHER && type.lanes == lanes;
      if (type.elem != TNS_I64 || (type.lanes != 1 && !is_lanes))
        return false;
    }
  return !masks || is_truth (expr->arg[sym->rank]->type, lanes);
}

/* The operands of EXPR all have the type A.  */
static bool
operands_are (const tns_expr *expr, tns_type a)
{
  for (int k = 0; k < expr->n_args; k++)
    if (!tns_type_equal (expr->arg[k]->type, a))
      return false;
  return true;
}

/* OP is defined on ELEM (invariant 5).  */
static bool
op_takes (tns_op op, tns_elem elem)
{
  bool is_float = tns_elem_is_float (elem);
  switch (op)
    {
    case TNS_AND:
    case TNS_OR:
    case TNS_XOR:
      return !is_float;
    case TNS_REM:
    case TNS_FLOORDIV:
    case TNS_MOD:
    case TNS_NOT:
    case TNS_SHL:
    case TNS_SHR:
      return !is_float && elem != TNS_BOOL;
    case TNS_POPCOUNT:
    case TNS_CLZ:
      return tns_elem_is_unsigned (elem);
    default:
      return is_float || (tns_op_class (op) == 'A' && elem != TNS_BOOL);
    }
}

/* Invariants 7 and 8.  */
static bool
own_rule_holds (const tns_expr *expr)
{
  tns_type type = expr->type;
  tns_type a = expr->arg[0]->type;
  switch (expr->op)
    {
    case TNS_CAST:
      return a.lanes == type.lanes;
    case TNS_BITS:
      return a.lanes == type.lanes && a.elem != TNS_BOOL
             && type.elem != TNS_BOOL && a.elem != TNS_F80
             && tns_elem_bytes (a.elem) == tns_elem_bytes (type.elem);
    case TNS_SELECT:
      return (is_truth (a, type.lanes) || is_truth (a, 1))
             && tns_type_equal (expr->arg[1]->type, type)
             && tns_type_equal (expr->arg[2]->type, type);
    case TNS_SPLAT:
      return is_scalar (a, type.elem);
    case TNS_IOTA:
      return is_scalar (a, type.elem) && tns_elem_is_integer (a.elem)
             && a.elem != TNS_BOOL;
    default:
      return a.lanes > 1 && is_scalar (type, a.elem);
    }
}

/* EXPR calls a function of so many numbers.  */
static bool
call_holds (const check *c, const tns_expr *expr)
{
  const tns_sym *sym = expr->sym;
  bool holds = is_usable (c, sym) && sym->kind == TNS_SYM_FUNCTION
               && expr->n_args == sym->rank
               && tns_type_equal (expr->type, sym->type);
  for (int k = 0; holds && k < expr->n_args; k++)
    holds = expr->arg[k]->type.lanes == 1;
  return holds;
}

/* EXPR, a PAST_LINE, is of an element.  */
static bool
past_line_holds (const check *c, const tns_expr *expr)
{
  const tns_sym *sym = expr->sym;
  bool holds = is_usable (c, sym) && sym->kind == TNS_SYM_ARRAY && sym->rank > 0
               && expr->n_args == sym->rank && is_scalar (expr->type, TNS_I64);
  for (int k = 0; holds && k < expr->n_args; k++)
    holds = is_scalar (expr->arg[k]->type, TNS_I64);
  return holds;
}

/* Invariants 2 to 8 about EXPR alone.  */
static bool
expr_holds (const check *c, const tns_expr *expr)
{
  tns_type type = expr->type;
  switch (expr->op)
    {
    case TNS_INT:
      return type.lanes == 1 && tns_elem_is_integer (type.elem);
    case TNS_REAL:
      return type.lanes == 1 && tns_elem_is_float (type.elem);
    case TNS_SYM:
      return is_usable (c, expr->sym) && expr->sym->kind != TNS_SYM_ARRAY
             && expr->sym->kind != TNS_SYM_FUNCTION
             && tns_type_equal (type, expr->sym->type);
    case TNS_LOAD:
    case TNS_MASKED:
    case TNS_GATHER:
      return access_holds (c, expr);
    case TNS_CALL:
      return call_holds (c, expr);
    case TNS_PAST_LINE:
      return past_line_holds (c, expr);
    default:
      break;
    }
  tns_type a = expr->n_args ? expr->arg[0]->type : type;
  switch (tns_op_class (expr->op))
    {
    case 'A':
    case 'M':
      return operands_are (expr, type) && op_takes (expr->op, type.elem);
    case 'C':
      return operands_are (expr, a) && is_truth (type, a.lanes);
    case 'B':
      return operands_are (expr, type) && type.elem == TNS_BOOL;
    default:
      return expr->op != TNS_NONE && own_rule_holds (expr);
    }
}

/* Invariant 1, before anything else is looked at.  */
static bool
shape_holds (const tns_expr *expr)
{
  if (expr->op >= TNS_N_OPS || expr->type.lanes < 1
      || expr->type.lanes > TNS_MOST_LANES)
    return false;
  int arity = tns_op_arity (expr->op);
  if (arity >= 0 && expr->n_args != arity)
    return false;
  for (int k = 0; k < expr->n_args; k++)
    if (!expr->arg[k])
      return false;
  return true;
}

/* The visitor that checks each expression.  */
static bool
check_expr (tns_expr *expr, void *self)
{
  check *c = self;
  if (!shape_holds (expr))
    return broken (c, 1, expr->loc, NULL, NULL);
  bool is_access = tns_expr_reads (expr);
  for (int k = 0; k < expr->n_args; k++)
    if (!check_expr (expr->arg[k], self))
      return false;
  if (expr_holds (c, expr))
    return true;
  return broken (c,
                 is_access             ? 4
                 : expr->op == TNS_SYM ? 3
                                       : 5,
                 expr->loc, is_access ? NULL : expr, NULL);
}

/* EXPR, which must be there and of type ELEM, for invariant NUMBER.  */
static bool
check_typed (check *c, int number, tns_loc loc, tns_expr *expr, tns_elem elem)
{
  if (!expr)
    return broken (c, number, loc, NULL, NULL);
  if (!check_expr (expr, c))
    return false;
  return is_scalar (expr->type, elem) || broken (c, number, loc, expr, NULL);
}

/* The same over VALUEs only.  */
static bool
check_over_values (check *c, int number, tns_loc loc, tns_expr *expr,
                   tns_elem elem)
{
  c->values_only = true;
  bool holds = check_typed (c, number, loc, expr, elem);
  c->values_only = false;
  return holds;
}

/* The only statement of NODE when it is a block of one, else NODE.  */
static const tns_node *
single (const tns_node *node)
{
  while (node && node->kind == TNS_BLOCK && node->n_kids == 1)
    node = node->kid[0];
  return node;
}

/* Invariant 10.  */
static bool
marks_hold (const check *c, const tns_node *loop)
{
  const tns_marks *m = &loop->marks;
  if (m->collapse < 0 || m->simd < 0 || m->unroll < 0 || m->accumulators < 0
      || m->chunks < 0 || m->owners < 0 || m->rows < 0 || m->skew < 0
      || m->sweeps < 0 || m->stages < 0 || m->simd > TNS_MOST_LANES
      || (m->skew > 0 && m->rows == 0))
    return false;
  if (m->align && (!is_usable (c, m->align) || m->align->kind != TNS_SYM_ARRAY))
    return false;
  if (m->panel
      && (!is_usable (c, m->panel) || m->panel->kind != TNS_SYM_ARRAY
          || tns_node_writes (loop->body, m->panel)))
    return false;
  if (m->summed
      && (!is_usable (c, m->summed) || m->summed->kind != TNS_SYM_ARRAY))
    return false;
  for (int k = 0; k < m->n_reductions; k++)
    if (!is_usable (c, m->reductions[k].sym)
        || m->reductions[k].sym->kind != TNS_SYM_ARRAY
        || !tns_op_is_reduction (m->reductions[k].op))
      return false;
  const tns_node *inner = loop;
  for (int k = 1; k < m->collapse; k++)
    {
      inner = single (inner->body);
      if (!inner || inner->kind != TNS_LOOP)
        return false;
    }
  return true;
}

/* Invariants 9 and 10; the body is checked elsewhere.  */
static bool
check_loop (check *c, tns_node *node)
{
  tns_sym *iter = node->iter;
  if (!iter || iter->kind != TNS_SYM_ITER || iter->id < 0
      || iter->id >= c->region->n_syms || c->region->syms[iter->id] != iter
      || c->usable[iter->id] || node->step == 0)
    return broken (c, 9, node->loc, NULL, NULL);
  if (!check_typed (c, 9, node->loc, node->lo, TNS_I64)
      || !check_typed (c, 9, node->loc, node->hi, TNS_I64))
    return false;
  return marks_hold (c, node) || broken (c, 10, node->loc, NULL, node);
}

/* OP is one that ASSIGN may update ELEM with.  */
static bool
is_update (tns_op op, tns_elem elem)
{
  if (op == TNS_NONE)
    return true;
  if (op >= TNS_N_OPS || tns_op_arity (op) != 2)
    return false;
  if (op == TNS_LAND || op == TNS_LOR)
    return elem == TNS_BOOL;
  return strchr ("AM", tns_op_class (op)) && op_takes (op, elem);
}

/* Invariant 20.  */
static bool
name_holds (check *c, const tns_node *node)
{
  if (!node->name || strcmp (c->stage, "extract"))
    return true;
  for (int k = 0; k < c->n_names; k++)
    if (!strcmp (c->names[k], node->name))
      return false;
  if ((c->n_names & (c->n_names - 1)) == 0)
    c->names = tns_arena_grow (
      c->ctx->arena, c->names, sizeof *c->names * (size_t) c->n_names,
      sizeof *c->names * (size_t) (c->n_names ? 2 * c->n_names : 1));
  c->names[c->n_names++] = node->name;
  return true;
}

/* Invariants 11 and 20.  */
static bool
check_assign (check *c, tns_node *node)
{
  tns_expr *target = node->target;
  if (!target || target->op != TNS_LOAD || !node->value)
    return broken (c, 11, node->loc, NULL, NULL);
  if (!check_expr (target, c) || !check_expr (node->value, c)
      || (node->mask && !check_expr (node->mask, c)))
    return false;
  tns_type type = target->type;
  bool mask_holds = !node->mask || is_truth (node->mask->type, type.lanes)
                    || is_truth (node->mask->type, 1);
  if ((target->sym->flags & TNS_SYM_CONST) || !mask_holds
      || !tns_type_equal (node->value->type, type)
      || !is_update (node->update, type.elem))
    return broken (c, 11, node->loc, NULL, node);
  return name_holds (c, node) || broken (c, 20, node->loc, NULL, node);
}

/* Invariant 13; the array lives from here on.  */
static bool
check_local (check *c, const tns_node *node)
{
  const tns_sym *sym = node->sym;
  if (!sym || sym->kind != TNS_SYM_ARRAY || !tns_sym_is_local (sym)
      || sym->id < 0 || sym->id >= c->region->n_syms
      || c->region->syms[sym->id] != sym || c->usable[sym->id])
    return broken (c, 13, node->loc, NULL, NULL);
  c->usable[sym->id] = true;
  return true;
}

/* NODE and what is below; IN_BLOCK: it stands in a block.  */
static bool
check_node (check *c, tns_node *node, bool in_block)
{
  bool holds = true;
  if (!node)
    return broken (c, 19, c->region->loc, NULL, NULL);
  switch (node->kind)
    {
    case TNS_BLOCK:
      for (int k = 0; k < node->n_kids && holds; k++)
        holds = check_node (c, node->kid[k], true);
      for (int k = 0; k < node->n_kids && holds; k++)
        if (node->kid[k]->kind == TNS_LOCAL)
          c->usable[node->kid[k]->sym->id] = false;
      return holds;
    case TNS_LOOP:
      if (!check_loop (c, node))
        return false;
      c->usable[node->iter->id] = true;
      holds = !node->marks.owner
              || check_typed (c, 10, node->loc, node->marks.owner, TNS_I64);
      holds = holds && check_node (c, node->body, false);
      c->usable[node->iter->id] = false;
      return holds;
    case TNS_ASSIGN:
      return check_assign (c, node);
    case TNS_IF:
      return check_typed (c, 12, node->loc, node->cond, TNS_BOOL)
             && check_node (c, node->then, false)
             && (!node->otherwise || check_node (c, node->otherwise, false));
    case TNS_LOCAL:
      return in_block ? check_local (c, node)
                      : broken (c, 13, node->loc, NULL, node);
    case TNS_PREFETCH:
      if (!node->target || node->target->op != TNS_LOAD)
        return broken (c, 14, node->loc, NULL, NULL);
      return check_expr (node->target, c);
    }
  return broken (c, 19, node->loc, NULL, NULL);
}

/* NAME is a C identifier.  */
static bool
is_identifier (const char *name)
{
  if (!name || (!isalpha ((unsigned char) *name) && *name != '_'))
    return false;
  while (isalnum ((unsigned char) *name) || *name == '_')
    name++;
  return !*name;
}

/* Invariant 15.  */
static bool
check_table (check *c)
{
  const tns_region *region = c->region;
  for (int k = 0; k < region->n_syms; k++)
    {
      const tns_sym *sym = region->syms[k];
      if (!sym || sym->id != k || !is_identifier (sym->name)
          || tns_region_find (region, sym->name) != sym
          || sym->rank > TNS_MOST_RANK)
        return broken (c, 15, region->loc, NULL, NULL);
      c->usable[k] = sym->kind == TNS_SYM_FUNCTION;
    }
  return true;
}

/* Invariant 16; parameters may be mentioned from here on.  */
static bool
check_params (check *c)
{
  for (int k = 0; k < c->region->n_params; k++)
    {
      const tns_sym *sym = c->region->params[k];
      bool is_good
        = sym && sym->id >= 0 && sym->id < c->region->n_syms
          && c->region->syms[sym->id] == sym && !c->usable[sym->id]
          && (sym->kind == TNS_SYM_VALUE || sym->kind == TNS_SYM_ARRAY)
          && !tns_sym_is_local (sym);
      if (!is_good)
        return broken (c, 16, c->region->loc, NULL, NULL);
      c->usable[sym->id] = true;
    }
  return true;
}

/* What SYM holds is known of each of its elements, if of any.  */
static bool
check_held (check *c, const tns_sym *sym)
{
  if (sym->n_held == 0)
    return true;
  bool holds = (sym->flags & TNS_SYM_CONST) && !sym->stride;
  long long size = 1;
  for (int k = 0; k < sym->rank && holds; k++)
    {
      long long extent = 0;
      holds = tns_expr_is_int (sym->extent[k], &extent) && extent > 0
              && !__builtin_mul_overflow (size, extent, &size);
    }
  for (int k = 0; k < sym->n_held && holds; k++)
    holds = (sym->held[k]->op == TNS_INT || sym->held[k]->op == TNS_REAL)
            && sym->held[k]->type.elem == sym->type.elem;
  return (holds && size == sym->n_held) || broken (c, 17, sym->loc, NULL, NULL);
}

/* Invariant 17 for one array.  */
static bool
check_array (check *c, const tns_sym *sym)
{
  bool is_local = tns_sym_is_local (sym);
  for (int k = 0; k < sym->rank; k++)
    {
      bool may_miss = k == 0 && !is_local;
      if ((sym->extent[k] || !may_miss)
          && !check_over_values (c, 17, sym->loc, sym->extent[k], TNS_I64))
        return false;
      if (sym->stride
          && !check_over_values (c, 17, sym->loc, sym->stride[k], TNS_I64))
        return false;
    }
  return check_held (c, sym);
}

/* Invariant 17 for LOCALs.  */
static bool
check_locals (check *c)
{
  bool holds = true;
  c->with_cells = true;
  for (int k = 0; k < c->region->n_syms && holds; k++)
    if (c->region->syms[k]->kind == TNS_SYM_ARRAY
        && tns_sym_is_local (c->region->syms[k]))
      holds = check_array (c, c->region->syms[k]);
  c->with_cells = false;
  return holds;
}

/* SYM is an array among the parameters.  */
static bool
is_param_array (const check *c, const tns_sym *sym)
{
  return is_usable (c, sym) && sym->kind == TNS_SYM_ARRAY;
}

/* Invariant 18, the conditions and counts.  */
static bool
check_conditions (check *c)
{
  const tns_region *r = c->region;
  tns_expr *counts[] = { r->flops, r->bytes_before, r->bytes_after };
  for (int k = 0; k < r->n_assume; k++)
    if (!check_over_values (c, 18, r->loc, r->assume[k], TNS_BOOL))
      return false;
  for (int k = 0; k < 3; k++)
    if (counts[k] && !check_over_values (c, 18, r->loc, counts[k], TNS_F64))
      return false;
  return true;
}

/* The visitor that clears *SELF at a store that is not to a cell of the
   region's own.  */
static bool
note_store (tns_node *node, void *self)
{
  bool *fine = self;
  if (node->kind == TNS_ASSIGN)
    *fine = *fine && node->target && is_own_cell (node->target->sym);
  return *fine;
}

/* Invariant 18, what comes before; its cells live from here on.  */
static bool
check_before (check *c)
{
  tns_node *before = c->region->before;
  bool fine = !before || before->kind == TNS_BLOCK;
  if (before && fine)
    tns_node_walk (before, note_store, &fine);
  if (!fine)
    return broken (c, 18, c->region->loc, NULL, before);
  for (int k = 0; before && k < before->n_kids; k++)
    if (!check_node (c, before->kid[k], true))
      return false;
  return true;
}

/* Invariant 18, the loads that hold still.  */
static bool
check_still (check *c)
{
  const tns_region *r = c->region;
  for (int k = 0; k < r->n_still; k++)
    {
      const tns_expr *load = r->still[k];
      if (load->op != TNS_LOAD || !is_param_array (c, load->sym)
          || tns_sym_is_local (load->sym))
        return broken (c, 18, r->loc, load, NULL);
      for (int a = 0; a < load->sym->rank; a++)
        if (!check_over_values (c, 18, r->loc, load->arg[a], TNS_I64))
          return false;
    }
  return true;
}

/* Invariant 18, the guards, which may ask what comes before them.  */
static bool
check_guards (check *c)
{
  const tns_region *r = c->region;
  bool holds = true;
  c->with_cells = true;
  for (int k = 0; k < r->n_guard && holds; k++)
    holds = check_over_values (c, 18, r->loc, r->guard[k], TNS_BOOL);
  c->with_cells = false;
  return holds;
}

/* Invariant 18, the pairs and footprints.  */
static bool
check_footprints (check *c)
{
  const tns_region *r = c->region;
  if (!check_still (c) || !check_guards (c))
    return false;
  for (int k = 0; k < r->n_overlaps; k++)
    if (!is_param_array (c, r->overlaps[k].a)
        || !is_param_array (c, r->overlaps[k].b))
      return broken (c, 18, r->loc, NULL, NULL);
  for (int k = 0; k < r->n_spans; k++)
    {
      const tns_span *span = &r->spans[k];
      if (!is_param_array (c, span->sym))
        return broken (c, 18, r->loc, NULL, NULL);
      c->with_cells = true;
      bool holds
        = (!span->lo || check_over_values (c, 18, r->loc, span->lo, TNS_I64))
          && (!span->hi
              || check_over_values (c, 18, r->loc, span->hi, TNS_I64));
      c->with_cells = false;
      if (!holds)
        return false;
    }
  return true;
}

/* All invariants.  */
static bool
check_region (check *c)
{
  const tns_region *region = c->region;
  if (!check_table (c) || !check_params (c))
    return false;
  for (int k = 0; k < region->n_syms; k++)
    if (region->syms[k]->kind == TNS_SYM_ARRAY
        && !tns_sym_is_local (region->syms[k])
        && !check_array (c, region->syms[k]))
      return false;
  if (!check_conditions (c) || !check_before (c) || !check_locals (c)
      || !check_footprints (c))
    return false;
  if (!region->body || region->body->kind != TNS_BLOCK)
    return broken (c, 19, region->loc, NULL, NULL);
  return check_node (c, region->body, false);
}

tns_region *
tns_region_verify (tns_ctx *ctx, tns_region *region, const char *stage)
{
  if (!region)
    return NULL;
  check c = { .ctx = ctx, .region = region, .stage = stage, .ok = true };
  c.usable = TNS_NEW_ARRAY (ctx->arena, bool, region->n_syms + 1);
  return check_region (&c) ? region : NULL;
}
