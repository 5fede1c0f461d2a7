/* Values that the region cannot change, as GCC's expressions at its entry.

     t->n        in a region that stores floats   ->  t->n, a VALUE
     row         after  float *row = t->x;        ->  t->x
     c3          after  int c3 = 3 * C;           ->  3 * C  (of VALUEs)

   A load through a pointer is moved to the entry only with the condition
   under which the user's loops follow that pointer:

     for (i = 0; i < n; i++) for (j = 0; j < t->m; j++)
                                 ->  0 < n ? t->m : 0

   When that condition cannot be said at the entry the load stays where it
   is.  */

#include "plugin/reader.hh"

tree
tns_object_at_entry (tns_reader *reader, tree decl)
{
  const tns_variable *variable = tns_variable_of (reader, decl);
  if (!variable->is_local)
    return decl;
  bool is_record = TREE_CODE (TREE_TYPE (decl)) == RECORD_TYPE;
  return is_record ? variable->holds.entry : NULL_TREE;
}

/* The object REF as an expression at the entry, or NULL_TREE.  */
static tree
ref_at_entry (tns_reader *reader, tree ref)
{
  switch (TREE_CODE (ref))
    {
    case VAR_DECL:
    case PARM_DECL:
      return tns_object_at_entry (reader, ref);
    case INDIRECT_REF:
      {
        tree pointer = tns_at_entry (reader, TREE_OPERAND (ref, 0));
        if (!pointer)
          return NULL_TREE;
        tree plain = tns_strip (pointer);
        if (TREE_CODE (plain) == ADDR_EXPR
            && TYPE_MAIN_VARIANT (TREE_TYPE (TREE_OPERAND (plain, 0)))
                 == TYPE_MAIN_VARIANT (TREE_TYPE (ref)))
          return TREE_OPERAND (plain, 0);
        return build1 (INDIRECT_REF, TREE_TYPE (ref), pointer);
      }
    case COMPONENT_REF:
      {
        tree of = ref_at_entry (reader, TREE_OPERAND (ref, 0));
        return of ? build3 (COMPONENT_REF, TREE_TYPE (ref), of,
                            TREE_OPERAND (ref, 1), NULL_TREE)
                  : NULL_TREE;
      }
    case ARRAY_REF:
      {
        tree of = ref_at_entry (reader, TREE_OPERAND (ref, 0));
        tree at = of ? tns_at_entry (reader, TREE_OPERAND (ref, 1)) : of;
        return at ? build4 (ARRAY_REF, TREE_TYPE (ref), of, at, NULL_TREE,
                            NULL_TREE)
                  : NULL_TREE;
      }
    default:
      return NULL_TREE;
    }
}

/* What variable DECL holds now, as an expression at the entry.  */
static tree
variable_at_entry (tns_reader *reader, tree decl)
{
  tns_variable *variable = tns_variable_of (reader, decl);
  if (variable->is_local || !variable->holds.is_entry)
    return variable->holds.entry;
  if (tns_is_memory (decl) && !TREE_READONLY (decl)
      && (tns_trees_have (&reader->facts.written, decl)
          || !tns_holds_still (reader, decl)))
    return NULL_TREE;
  return decl;
}

/* EXPR with both operands, or the one it has, at the entry.  */
static tree
operator_at_entry (tns_reader *reader, tree expr)
{
  tree made = copy_node (expr);
  for (int k = 0; k < TREE_OPERAND_LENGTH (expr); k++)
    {
      tree operand = tns_at_entry (reader, TREE_OPERAND (expr, k));
      if (!operand)
        return NULL_TREE;
      TREE_OPERAND (made, k) = operand;
    }
  return made;
}

/* A SAVE_EXPR of a type's size was evaluated before the region; when what it
   saved cannot have changed, the inside is the same and easier to read.  */
static tree
saved_at_entry (tns_reader *reader, tree save)
{
  tree inside = tns_at_entry (reader, TREE_OPERAND (save, 0));
  if (!tns_trees_have (&reader->facts.type_saves, save))
    return inside;
  tree plain = tns_strip (TREE_OPERAND (save, 0));
  while (CONVERT_EXPR_P (plain))
    plain = TREE_OPERAND (plain, 0);
  bool is_stable = DECL_P (plain) && tns_is_assigned_once (reader, plain);
  return inside && is_stable ? inside : save;
}

tree
tns_at_entry (tns_reader *reader, tree expr)
{
  if (!expr || TREE_THIS_VOLATILE (expr) || TREE_CODE (expr) == CALL_EXPR)
    return NULL_TREE;
  switch (TREE_CODE (expr))
    {
    case INTEGER_CST:
    case REAL_CST:
      return expr;
    case CONST_DECL:
      return DECL_INITIAL (expr);
    case VAR_DECL:
    case PARM_DECL:
    case RESULT_DECL:
      return variable_at_entry (reader, expr);
    case SAVE_EXPR:
      return saved_at_entry (reader, expr);
    case C_MAYBE_CONST_EXPR:
      return tns_strip (expr) == expr ? NULL_TREE
                                      : tns_at_entry (reader, tns_strip (expr));
    case INDIRECT_REF:
    case COMPONENT_REF:
    case ARRAY_REF:
      return tns_holds_still (reader, expr) ? ref_at_entry (reader, expr)
                                            : NULL_TREE;
    case ADDR_EXPR:
      {
        tree object = ref_at_entry (reader, TREE_OPERAND (expr, 0));
        return object ? build1 (ADDR_EXPR, TREE_TYPE (expr), object)
                      : NULL_TREE;
      }
    case PLUS_EXPR:
    case MINUS_EXPR:
    case MULT_EXPR:
    case POINTER_PLUS_EXPR:
    case MIN_EXPR:
    case MAX_EXPR:
    case NEGATE_EXPR:
    case BIT_AND_EXPR:
    case FLOAT_EXPR:
    case NON_LVALUE_EXPR:
    CASE_CONVERT:
      return operator_at_entry (reader, expr);
    default:
      return NULL_TREE;
    }
}

/* CONTEXT is that of what is being read, or around it.  */
static bool
is_around (const tns_reader *reader, const tns_when *context)
{
  const tns_when *w = reader->when;
  while (w && w != context)
    w = w->outer;
  return w == context;
}

/* How deep CONTEXT stands.  */
static int
depth_of (const tns_when *context)
{
  int depth = 0;
  for (; context; context = context->outer)
    depth++;
  return depth;
}

/* A look through a load for the pointers that it follows: CONTEXT is the
   outermost one in which the user's loops follow all of them.  */
typedef struct following
{
  tns_reader *reader;
  bool any;
  const tns_when *context;
} following;

/* walk_tree's visitor.  */
static tree
follow (tree *at, int *, void *self)
{
  following *f = (following *) self;
  tns_reader *reader = f->reader;
  if (TREE_CODE (*at) != INDIRECT_REF)
    return NULL_TREE;
  tree pointer = TREE_OPERAND (*at, 0);
  long long holds;
  const tns_when *best = reader->when;
  while (best && best->cond && tns_expr_is_int (best->cond, &holds) && holds)
    best = best->outer;
  for (tns_followed *known = reader->followed; known; known = known->next)
    if (tns_same_tree (known->pointer, pointer)
        && is_around (reader, known->context)
        && depth_of (known->context) < depth_of (best))
      best = known->context;
  if (!f->any || depth_of (best) > depth_of (f->context))
    f->context = best;
  f->any = true;
  tns_followed *now = TNS_NEW (reader->arena, tns_followed);
  now->pointer = pointer;
  now->context = best;
  now->next = reader->followed;
  reader->followed = now;
  return NULL_TREE;
}

/* The tree of the VALUE numbered ID, under its condition.  */
static tree
guarded_load (tns_reader *reader, int id)
{
  tree load = unshare_expr (reader->load[id]);
  tree when = reader->load_when[id];
  if (!when)
    return load;
  tree zero = fold_convert (TREE_TYPE (load), integer_zero_node);
  return build3 (COND_EXPR, TREE_TYPE (load), unshare_expr (when), load, zero);
}

/* GCC's code for OP of integers and truths, ERROR_MARK when it is not among
   those that are moved to the entry.  */
static enum tree_code
code_of (tns_op op)
{
  switch (op)
    {
    case TNS_ADD:
      return PLUS_EXPR;
    case TNS_SUB:
      return MINUS_EXPR;
    case TNS_MUL:
      return MULT_EXPR;
    case TNS_DIV:
      return TRUNC_DIV_EXPR;
    case TNS_FLOORDIV:
      return FLOOR_DIV_EXPR;
    case TNS_MIN:
      return MIN_EXPR;
    case TNS_MAX:
      return MAX_EXPR;
    case TNS_LT:
      return LT_EXPR;
    case TNS_LE:
      return LE_EXPR;
    case TNS_EQ:
      return EQ_EXPR;
    case TNS_NE:
      return NE_EXPR;
    case TNS_LAND:
      return TRUTH_ANDIF_EXPR;
    case TNS_LOR:
      return TRUTH_ORIF_EXPR;
    default:
      return ERROR_MARK;
    }
}

/* EXPR, an integer of a type that holds other integers or the opposite of a
   truth, likewise.  */
static tree
unary_entry_tree (tns_reader *reader, const tns_expr *expr)
{
  tree a = tns_elem_is_float (expr->arg[0]->type.elem)
             ? NULL_TREE
             : tns_entry_tree (reader, expr->arg[0]);
  if (!a)
    return NULL_TREE;
  if (expr->op == TNS_LNOT)
    return fold_build1 (TRUTH_NOT_EXPR, boolean_type_node, a);
  if (!tns_elem_is_integer (expr->type.elem))
    return NULL_TREE;
  return fold_convert (long_integer_type_node,
                       fold_convert (tns_type_tree (expr->type), a));
}

/* EXPR, a choice between integers or truths, likewise.  */
static tree
chosen_entry_tree (tns_reader *reader, const tns_expr *expr)
{
  tree part[3];
  for (int k = 0; k < 3; k++)
    {
      part[k] = tns_entry_tree (reader, expr->arg[k]);
      if (!part[k] || (k > 0 && expr->arg[k]->type.elem != expr->type.elem))
        return NULL_TREE;
    }
  return fold_build3 (COND_EXPR, TREE_TYPE (part[1]), part[0], part[1],
                      fold_convert (TREE_TYPE (part[1]), part[2]));
}

/* The type in which CODE is computed of numbers of ELEM, each of which stands
   in a long: unsigned ones wrap and are compared as they are; NULL_TREE where
   that might overflow.  */
static tree
entry_type (enum tree_code code, tns_elem elem, bool is_truth)
{
  if (tns_elem_is_integer (elem) && tns_elem_is_unsigned (elem))
    return tns_type_tree (tns_scalar (elem));
  bool is_choice = code == MIN_EXPR || code == MAX_EXPR;
  return is_truth || elem == TNS_I64
             || (is_choice && tns_elem_is_integer (elem))
           ? long_integer_type_node
           : NULL_TREE;
}

/* EXPR, of two numbers or truths, likewise.  */
static tree
binary_entry_tree (tns_reader *reader, const tns_expr *expr)
{
  enum tree_code code = code_of (expr->op);
  bool is_truth = expr->type.elem == TNS_BOOL;
  bool divides = code == TRUNC_DIV_EXPR || code == FLOOR_DIV_EXPR;
  long long by;
  tree type = code == ERROR_MARK
                ? NULL_TREE
                : entry_type (code, expr->arg[0]->type.elem, is_truth);
  if (!type || (divides && (!tns_expr_is_int (expr->arg[1], &by) || by <= 0)))
    return NULL_TREE;
  tree a = tns_entry_tree (reader, expr->arg[0]);
  tree b = tns_entry_tree (reader, expr->arg[1]);
  if (!a || !b)
    return NULL_TREE;
  if (TYPE_UNSIGNED (type))
    {
      a = fold_convert (type, a);
      b = fold_convert (type, b);
    }
  return is_truth ? fold_build2 (code, boolean_type_node, a, b)
                  : fold_convert (long_integer_type_node,
                                  fold_build2 (code, type, a, b));
}

tree
tns_entry_tree (tns_reader *reader, const tns_expr *expr)
{
  if (expr->op == TNS_INT)
    return build_int_cst (expr->type.elem == TNS_BOOL ? boolean_type_node
                                                      : long_integer_type_node,
                          expr->integer);
  if (expr->op == TNS_SYM && expr->sym->kind == TNS_SYM_VALUE
      && tns_elem_is_integer (expr->type.elem))
    return fold_convert (long_integer_type_node,
                         guarded_load (reader, expr->sym->id));
  if (expr->op == TNS_CAST || expr->op == TNS_LNOT)
    return unary_entry_tree (reader, expr);
  if (expr->op == TNS_SELECT)
    return chosen_entry_tree (reader, expr);
  return binary_entry_tree (reader, expr);
}

bool
tns_may_load_early (tns_reader *reader, tree load, tree *when)
{
  following f = { reader, false, NULL };
  *when = reader->early_when ? *reader->early_when : NULL_TREE;
  if (reader->early_when)
    return true;
  walk_tree_without_duplicates (&load, follow, &f);
  for (const tns_when *w = f.context; w; w = w->outer)
    {
      tree cond = w->cond ? tns_entry_tree (reader, w->cond) : NULL_TREE;
      if (!cond)
        return false;
      if (integer_onep (cond))
        continue;
      *when = *when ? build2 (TRUTH_ANDIF_EXPR, boolean_type_node, cond, *when)
                    : cond;
    }
  return true;
}

void
tns_merge_when (tree *have, tree more)
{
  if (!*have || !more)
    *have = NULL_TREE;
  else if (!operand_equal_p (*have, more, 0))
    *have = build2 (TRUTH_ORIF_EXPR, boolean_type_node, *have, more);
}

/* The VALUE whose tree is ENTRY, or NULL.  */
static tns_sym *
find_value (tns_reader *reader, tree entry)
{
  for (int k = 0; k < reader->region->n_syms; k++)
    {
      tns_sym *sym = reader->region->syms[k];
      if (sym->kind == TNS_SYM_VALUE && tns_same_tree (reader->load[k], entry))
        return sym;
    }
  return NULL;
}

tns_sym *
tns_new_value (tns_reader *reader, tree entry, tns_elem c_type,
               const char *spelled)
{
  tns_elem elem = tns_elem_is_integer (c_type) ? TNS_I64 : c_type;
  tns_sym *sym
    = tns_region_add_value (reader->arena, reader->region, spelled, elem);
  sym->loc = tns_loc_of (reader->loc);
  sym->flags |= tns_elem_bytes (c_type) < 8 ? TNS_SYM_NEAR : 0;
  tns_note_sym (reader, sym, c_type);
  reader->load[sym->id] = entry;
  reader->range[sym->id].has_lower = tns_elem_is_unsigned (c_type);
  tns_region_add_param (reader->arena, reader->region, sym);
  return sym;
}

/* The constant that ENTRY always is, or NULL_TREE.  */
static tree
constant_of (tree entry)
{
  entry = tns_strip (entry);
  if (VAR_P (entry) && TREE_READONLY (entry) && DECL_INITIAL (entry)
      && !TREE_THIS_VOLATILE (entry))
    entry = DECL_INITIAL (entry);
  return CONSTANT_CLASS_P (entry) ? entry : NULL_TREE;
}

tns_expr *
tns_entry_value (tns_reader *reader, tree entry, tree type, const char *spelled)
{
  tns_elem c_type;
  tree when;
  if (!entry || !tns_type_of_tree (type, &c_type))
    return NULL;
  if (constant_of (entry))
    return tns_read_expr (reader, fold_convert (type, constant_of (entry)));
  if (!tns_may_load_early (reader, entry, &when))
    return NULL;
  tns_sym *sym = find_value (reader, entry);
  if (sym)
    tns_merge_when (&reader->load_when[sym->id], when);
  else
    {
      sym = tns_new_value (reader, entry, c_type, spelled);
      reader->load_when[sym->id] = when;
    }
  return tns_cast (reader->arena, tns_scalar (c_type),
                   tns_value (reader->arena, sym));
}

tree
tns_value_tree (tns_reader *reader, const tns_sym *sym)
{
  return fold_convert (tns_type_tree (sym->type),
                       guarded_load (reader, sym->id));
}

bool
tns_is_assigned_once (const tns_reader *reader, tree decl)
{
  tree value;
  int max = TREE_CODE (decl) == PARM_DECL ? 0 : 1;
  return !tns_is_memory (decl) && DECL_CONTEXT (decl) == reader->fndecl
         && tns_writes_in_function (reader, decl, &value) <= max;
}

/* EXPR has one value in the whole function: sums and products of constants
   and of variables that are assigned once.  */
static bool
is_stable (tns_reader *reader, tree expr)
{
  switch (TREE_CODE (expr))
    {
    case INTEGER_CST:
      return true;
    case VAR_DECL:
    case PARM_DECL:
      return tns_is_assigned_once (reader, expr);
    case PLUS_EXPR:
    case MINUS_EXPR:
    case MULT_EXPR:
    case POINTER_PLUS_EXPR:
      return is_stable (reader, TREE_OPERAND (expr, 0))
             && is_stable (reader, TREE_OPERAND (expr, 1));
    case NEGATE_EXPR:
    case NON_LVALUE_EXPR:
    case SAVE_EXPR:
    CASE_CONVERT:
      return is_stable (reader, TREE_OPERAND (expr, 0));
    case ADDR_EXPR:
      {
        tree object = TREE_OPERAND (expr, 0);
        while (TREE_CODE (object) == ARRAY_REF)
          {
            if (!is_stable (reader, TREE_OPERAND (object, 1)))
              return false;
            object = TREE_OPERAND (object, 0);
          }
        return VAR_P (object);
      }
    default:
      return false;
    }
}

/* The only value that the function assigns to DECL, when it is stable.  */
static tree
stable_value (tns_reader *reader, tree decl)
{
  tree value;
  if (!VAR_P (decl) || !tns_is_assigned_once (reader, decl)
      || tns_writes_in_function (reader, decl, &value) != 1 || !value
      || tns_trees_have (&reader->facts.written, decl)
      || !is_stable (reader, value))
    return NULL_TREE;
  return value;
}

/* DECL, whose value is the sum VALUE, is multiplied with, so that its own
   name shapes arrays: x[i * W + j] with W = w + 2.  */
static bool
is_sum_in_product (const tns_reader *reader, tree decl, tree value)
{
  value = tns_strip (value);
  return (TREE_CODE (value) == PLUS_EXPR || TREE_CODE (value) == MINUS_EXPR)
         && !TYPE_UNSIGNED (TREE_TYPE (value))
         && tns_trees_have (&reader->facts.factors, decl);
}

void
tns_note_definition (tns_reader *reader, tree decl, tns_expr *value)
{
  tree definition;
  if (!VAR_P (decl) || !tns_is_assigned_once (reader, decl) || !value
      || tns_writes_in_function (reader, decl, &definition) != 1 || !definition
      || (TREE_CODE (definition) != TRUNC_DIV_EXPR
          && !is_sum_in_product (reader, decl, definition))
      || TYPE_UNSIGNED (TREE_TYPE (definition))
      || !is_stable (reader, TREE_OPERAND (definition, 0))
      || !is_stable (reader, TREE_OPERAND (definition, 1)))
    return;
  tns_expr *read = tns_as_index (reader, tns_read_expr (reader, definition));
  tns_expr *index = tns_as_index (reader, value);
  if (!read || !tns_is_over_values (read))
    return;
  tns_expr *fact = tns_binary (reader->arena, TNS_EQ, index, read);
  for (int k = 0; k < reader->region->n_assume; k++)
    if (tns_expr_equal (reader->region->assume[k], fact))
      return;
  tns_region_add_assume (reader->arena, reader->region, fact);
}

tns_expr *
tns_expanded (tns_reader *reader, tree decl)
{
  tree value = stable_value (reader, decl);
  if (!value || is_sum_in_product (reader, decl, value))
    return NULL;
  return tns_read_expr (reader, value);
}

tree
tns_stable_pointer (tns_reader *reader, tree decl)
{
  return stable_value (reader, decl);
}
