/* The memory that a statement touches, as far as it may be part of an array
   that a data block keeps.

     b[i] = 2 * a[i]       a block's own arrays: their rows
     x[3], x[n - 1]        through any pointer: these bytes, where the address
                           can be computed in front of the statement
     *q++                  through any other pointer: all that is kept

   What cannot be part of one is left out: variables that are no arrays and no
   structures, pointers, and members beside pointers.  */

#include "plugin/data-inside.hh"

#include "pragmas/section.hh"

/* Add BYTES at BASE, for USE, to FOUND.  */
static void
add_touch (tns_touches *found, tree base, tree bytes, int use)
{
  for (unsigned k = 0; k < found->some.length (); k++)
    if (operand_equal_p (found->some[k].base, base, 0)
        && operand_equal_p (found->some[k].bytes, bytes, 0))
      {
        found->some[k].use |= use;
        return;
      }
  tns_touch touch = { base, bytes, use };
  found->some.safe_push (touch);
}

/* OBJECT is listed in DATA or around it: its row is added.  */
static bool
add_row (tns_touches *found, tree object, int use)
{
  for (const tns_data *data = found->data; data; data = data->outer)
    for (int k = 0; k < data->n; k++)
      if (data->row[k].object == object && data->row[k].steady)
        {
          add_touch (found, tns_data_field (data, k, 0),
                     tns_data_field (data, k, 1), use);
          return true;
        }
  return false;
}

/* OBJECT, which is no function's own, is within FOUND's reach; false where
   nobody asks for that.  */
static bool
reach_object (tns_touches *found, tree object, int use)
{
  tns_data_reach *reach = found->reach;
  unsigned k = 0;
  if (!reach || TREE_CODE (TREE_TYPE (object)) == POINTER_TYPE)
    return false;
  while (k < reach->object.length () && reach->object[k] != object)
    k++;
  if (k == reach->object.length ())
    {
      reach->object.safe_push (object);
      reach->use.safe_push (0);
    }
  reach->use[k] |= use;
  return true;
}

/* What VARIABLE, a parameter, points to is within FOUND's reach; false where
   nobody asks for that, or it may point to something else by now.  */
static bool
reach_parameter (tns_touches *found, tree variable, int use)
{
  int k = 0;
  if (!found->reach || TREE_CODE (variable) != PARM_DECL
      || found->changed.contains (variable) || TREE_ADDRESSABLE (variable))
    return false;
  for (tree parm = DECL_ARGUMENTS (DECL_CONTEXT (variable));
       parm && parm != variable; parm = DECL_CHAIN (parm))
    k++;
  if (k >= HOST_BITS_PER_LONG)
    return false;
  found->reach->reads |= use & TRM_CUDA_READ ? 1ul << k : 0;
  found->reach->writes |= use & TRM_CUDA_WRITE ? 1ul << k : 0;
  return true;
}

/* Something of OBJECT, a variable that is an array or a structure, is
   touched.  */
static void
add_object (tns_touches *found, tree object, int use)
{
  if (!VAR_P (object) && TREE_CODE (object) != PARM_DECL)
    return;
  if (AGGREGATE_TYPE_P (TREE_TYPE (object)) && add_row (found, object, use))
    return;
  bool own = auto_var_p (object);
  tree bytes = TYPE_SIZE_UNIT (TREE_TYPE (object));
  if (own && (!found->data || !TREE_ADDRESSABLE (object)))
    return;
  if (!own && reach_object (found, object, use))
    return;
  if (!found->data || !bytes || TREE_CODE (bytes) != INTEGER_CST
      || (own && found->changed.contains (object)))
    {
      if (!own || !found->changed.contains (object))
        found->all |= use;
      return;
    }
  add_touch (found, build_fold_addr_expr (object), bytes, use);
}

/* walk_tree's visitor: stops at what may differ in front of the statement, or
   cannot be computed there.  */
static tree
find_unsteady (tree *at, int *walk_subtrees, void *self)
{
  tns_touches *found = (tns_touches *) self;
  if (TYPE_P (*at))
    {
      *walk_subtrees = 0;
      return NULL_TREE;
    }
  switch (TREE_CODE (*at))
    {
    case VAR_DECL:
    case PARM_DECL:
      {
        bool is_array = TREE_CODE (TREE_TYPE (*at)) == ARRAY_TYPE;
        bool right
          = !found->changed.contains (*at) && !TREE_THIS_VOLATILE (*at)
            && (is_array || (auto_var_p (*at) && !TREE_ADDRESSABLE (*at)));
        return right ? NULL_TREE : *at;
      }
    case INTEGER_CST:
    case PLUS_EXPR:
    case MINUS_EXPR:
    case MULT_EXPR:
    case NEGATE_EXPR:
    case POINTER_PLUS_EXPR:
    case SAVE_EXPR:
    CASE_CONVERT:
    case NON_LVALUE_EXPR:
      return NULL_TREE;
    default:
      return *at;
    }
}

/* The address of REF, with constants and members alone around what POINTER
   points to, can be computed in front of the statement.  */
static bool
is_steady (tns_touches *found, tree ref, tree pointer)
{
  for (; handled_component_p (ref); ref = TREE_OPERAND (ref, 0))
    if (TREE_CODE (ref) == BIT_FIELD_REF
        || (TREE_CODE (ref) == COMPONENT_REF
            && DECL_BIT_FIELD (TREE_OPERAND (ref, 1)))
        || (TREE_CODE (ref) == ARRAY_REF
            && walk_tree (&TREE_OPERAND (ref, 1), find_unsteady, found, NULL)))
      return false;
  return !walk_tree (&pointer, find_unsteady, found, NULL);
}

/* The variable that POINTER goes out from, or NULL_TREE.  */
static tree
variable_of (tree pointer)
{
  for (;;)
    {
      STRIP_NOPS (pointer);
      if (TREE_CODE (pointer) != POINTER_PLUS_EXPR)
        break;
      pointer = TREE_OPERAND (pointer, 0);
    }
  if (TREE_CODE (pointer) == ADDR_EXPR)
    pointer = get_base_address (TREE_OPERAND (pointer, 0));
  return pointer && DECL_P (pointer) ? pointer : NULL_TREE;
}

/* REF, or all of it where that is NULL_TREE, is reached through POINTER.  */
static void
add_pointed (tns_touches *found, tree ref, tree pointer, int use)
{
  tree variable = variable_of (pointer);
  if (variable && !POINTER_TYPE_P (TREE_TYPE (variable)))
    add_object (found, variable, use);
  else if (variable
           && (add_row (found, variable, use)
               || reach_parameter (found, variable, use)))
    return;
  else if (found->data && ref && TYPE_SIZE_UNIT (TREE_TYPE (ref))
           && TREE_CODE (TYPE_SIZE_UNIT (TREE_TYPE (ref))) == INTEGER_CST
           && is_steady (found, ref, pointer))
    add_touch (found, build_fold_addr_expr (unshare_expr (ref)),
               TYPE_SIZE_UNIT (TREE_TYPE (ref)), use);
  else
    found->all |= use;
}

/* What is accessed by REF.

   base      what is left without members and elements
   whole     REF is an array or a record, or an element or member of one, but
             for members beside pointers
   guarded   it is a member of something that holds pointers  */
typedef struct place
{
  tree base;
  bool whole;
  bool guarded;
} place;

/* The place of REF.  */
static place
place_of (tree ref)
{
  place at = { ref, AGGREGATE_TYPE_P (TREE_TYPE (ref)), false };
  bool is_member = false;
  for (; handled_component_p (at.base); at.base = TREE_OPERAND (at.base, 0))
    {
      tree_code code = TREE_CODE (at.base);
      at.whole |= code == ARRAY_REF || code == ARRAY_RANGE_REF;
      is_member |= code == COMPONENT_REF;
    }
  at.guarded
    = is_member && !at.whole && tns_holds_pointers (TREE_TYPE (at.base));
  at.whole |= is_member && !at.guarded;
  return at;
}

/* REF is accessed for USE.  */
static void
add_access (tns_touches *found, tree ref, int use)
{
  if (POINTER_TYPE_P (TREE_TYPE (ref)))
    return;
  place at = place_of (ref);
  if (DECL_P (at.base))
    {
      if (at.whole)
        add_object (found, at.base, use);
    }
  else if (TREE_CODE (at.base) == INDIRECT_REF)
    {
      if (!at.guarded)
        add_pointed (found, ref, TREE_OPERAND (at.base, 0), use);
    }
  else if (TREE_CODE (at.base) == MEM_REF
           || TREE_CODE (at.base) == TARGET_MEM_REF)
    add_pointed (found, NULL_TREE, TREE_OPERAND (at.base, 0), use);
  else if (TREE_CODE (at.base) == COND_EXPR)
    found->all |= use;
}

/* What ARG, handed to a function, points to is touched for USE.  */
static void
add_handed (tns_touches *found, tree arg, int use)
{
  STRIP_NOPS (arg);
  tree type = TREE_TYPE (arg);
  if (!POINTER_TYPE_P (type) || integer_zerop (arg))
    return;
  tree name = TYPE_NAME (TYPE_MAIN_VARIANT (TREE_TYPE (type)));
  if (name && TREE_CODE (name) == TYPE_DECL)
    name = DECL_NAME (name);
  if (name && !strcmp (IDENTIFIER_POINTER (name), "_IO_FILE"))
    return;
  if (TREE_CODE (arg) == ADDR_EXPR)
    {
      tree base = get_base_address (TREE_OPERAND (arg, 0));
      if (!base || TREE_CODE (base) == STRING_CST)
        return;
      if (DECL_P (base) && !tns_holds_pointers (TREE_TYPE (base)))
        {
          if (AGGREGATE_TYPE_P (TREE_TYPE (base)))
            add_object (found, base, use);
          return;
        }
    }
  tree variable = variable_of (arg);
  if (variable && !POINTER_TYPE_P (TREE_TYPE (variable))
      && !tns_holds_pointers (TREE_TYPE (variable)))
    add_object (found, variable, use);
  else if (!variable
           || !(add_row (found, variable, use)
                || reach_parameter (found, variable, use)))
    found->all |= use;
}

/* What parameter K of FNDECL points to is only read.  */
static bool
is_read_only (tree fndecl, int k)
{
  tree types = TYPE_ARG_TYPES (TREE_TYPE (fndecl));
  for (; types && k > 0; k--)
    types = TREE_CHAIN (types);
  return types && POINTER_TYPE_P (TREE_VALUE (types))
         && TYPE_READONLY (TREE_TYPE (TREE_VALUE (types)));
}

/* CALL touches what is within REACH of its function.  */
static void
add_reach (tns_touches *found, tree call, const tns_data_reach *reach)
{
  for (int k = 0; k < call_expr_nargs (call) && k < HOST_BITS_PER_LONG; k++)
    {
      int use = (reach->reads >> k & 1 ? TRM_CUDA_READ : 0)
                | (reach->writes >> k & 1 ? TRM_CUDA_WRITE : 0);
      if (use)
        add_handed (found, CALL_EXPR_ARG (call, k), use);
    }
  for (unsigned k = 0; k < reach->object.length (); k++)
    add_object (found, reach->object[k], reach->use[k]);
}

/* CALL touches what it does.  */
static void
add_call (tns_touches *found, tree call)
{
  const int both = TRM_CUDA_READ | TRM_CUDA_WRITE;
  tree fndecl = get_callee_fndecl (call);
  switch (tns_data_call_of (call))
    {
    case TNS_CALL_NOTHING:
    case TNS_CALL_FREE:
    case TNS_CALL_KEEPS:
      return;
    case TNS_CALL_READ:
      found->all |= TRM_CUDA_READ;
      return;
    case TNS_CALL_ANYTHING:
      found->all |= found->data ? 0 : both;
      return;
    case TNS_CALL_HOST:
      found->all |= both;
      return;
    case TNS_CALL_HANDED:
      if (tns_data_reach_of (fndecl))
        add_reach (found, call, tns_data_reach_of (fndecl));
      else
        for (int k = 0; k < call_expr_nargs (call); k++)
          add_handed (found, CALL_EXPR_ARG (call, k),
                      is_read_only (fndecl, k) ? TRM_CUDA_READ : both);
      return;
    }
}

static tree touch (tree *at, int *walk_subtrees, void *self);

/* The operands of REF are evaluated, and REF itself is not accessed.  */
static void
touch_operands (tree ref, void *self)
{
  for (; handled_component_p (ref); ref = TREE_OPERAND (ref, 0))
    if (TREE_CODE (ref) == ARRAY_REF || TREE_CODE (ref) == ARRAY_RANGE_REF)
      walk_tree (&TREE_OPERAND (ref, 1), touch, self, NULL);
  if (TREE_CODE (ref) == INDIRECT_REF || TREE_CODE (ref) == MEM_REF)
    walk_tree (&TREE_OPERAND (ref, 0), touch, self, NULL);
  else if (!DECL_P (ref))
    walk_tree (&ref, touch, self, NULL);
}

/* REF is accessed for USE, when its operands have been evaluated.  */
static void
touch_place (tree ref, int use, tns_touches *found)
{
  while (CONVERT_EXPR_P (ref) || TREE_CODE (ref) == NON_LVALUE_EXPR)
    ref = TREE_OPERAND (ref, 0);
  if (DECL_P (ref) || handled_component_p (ref)
      || TREE_CODE (ref) == INDIRECT_REF || TREE_CODE (ref) == MEM_REF)
    {
      add_access (found, ref, use);
      touch_operands (ref, found);
      return;
    }
  walk_tree (&ref, touch, found, NULL);
  found->all |= use;
}

/* walk_tree's visitor: adds what *AT touches.  */
static tree
touch (tree *at, int *walk_subtrees, void *self)
{
  tns_touches *found = (tns_touches *) self;
  tree node = *at;
  *walk_subtrees = !TYPE_P (node) && !tns_data_is_fallback (node)
                   && (found->data || !tns_data_is_kept (node));
  if (!*walk_subtrees)
    return NULL_TREE;
  switch (TREE_CODE (node))
    {
    case MODIFY_EXPR:
    case INIT_EXPR:
      touch_place (TREE_OPERAND (node, 0), TRM_CUDA_WRITE, found);
      walk_tree (&TREE_OPERAND (node, 1), touch, self, NULL);
      *walk_subtrees = 0;
      break;
    case PREINCREMENT_EXPR:
    case POSTINCREMENT_EXPR:
    case PREDECREMENT_EXPR:
    case POSTDECREMENT_EXPR:
      touch_place (TREE_OPERAND (node, 0), TRM_CUDA_READ | TRM_CUDA_WRITE,
                   found);
      *walk_subtrees = 0;
      break;
    case ADDR_EXPR:
      touch_operands (TREE_OPERAND (node, 0), self);
      *walk_subtrees = 0;
      break;
    case DECL_EXPR:
      if (VAR_P (DECL_EXPR_DECL (node)) && DECL_INITIAL (DECL_EXPR_DECL (node))
          && !TREE_STATIC (DECL_EXPR_DECL (node)))
        walk_tree (&DECL_INITIAL (DECL_EXPR_DECL (node)), touch, self, NULL);
      *walk_subtrees = 0;
      break;
    case ASM_EXPR:
      found->all |= TRM_CUDA_READ | TRM_CUDA_WRITE;
      break;
    case CALL_EXPR:
      add_call (found, node);
      break;
    default:
      if (DECL_P (node) || handled_component_p (node)
          || TREE_CODE (node) == INDIRECT_REF || TREE_CODE (node) == MEM_REF)
        {
          add_access (found, node, TRM_CUDA_READ);
          touch_operands (node, self);
          *walk_subtrees = 0;
        }
      break;
    }
  return NULL_TREE;
}

void
tns_data_touch (tree stmt, tns_touches *found)
{
  tns_data_changes (stmt, &found->changed);
  walk_tree (&stmt, touch, found, NULL);
}

/* walk_tree's visitor: adds what *AT changes or declares.  */
static tree
note_change (tree *at, int *walk_subtrees, void *self)
{
  hash_set<tree> *changed = (hash_set<tree> *) self;
  if (TYPE_P (*at))
    *walk_subtrees = 0;
  switch (TREE_CODE (*at))
    {
    case MODIFY_EXPR:
    case INIT_EXPR:
    case PREINCREMENT_EXPR:
    case POSTINCREMENT_EXPR:
    case PREDECREMENT_EXPR:
    case POSTDECREMENT_EXPR:
      {
        tree base = get_base_address (TREE_OPERAND (*at, 0));
        if (base && DECL_P (base) && !AGGREGATE_TYPE_P (TREE_TYPE (base)))
          changed->add (base);
        break;
      }
    case DECL_EXPR:
      changed->add (DECL_EXPR_DECL (*at));
      break;
    case BIND_EXPR:
      for (tree var = BIND_EXPR_VARS (*at); var; var = DECL_CHAIN (var))
        changed->add (var);
      break;
    case ASM_EXPR:
      for (tree out = ASM_OUTPUTS (*at); out; out = TREE_CHAIN (out))
        if (DECL_P (TREE_VALUE (out)))
          changed->add (TREE_VALUE (out));
      break;
    default:
      break;
    }
  return NULL_TREE;
}

void
tns_data_changes (tree stmt, hash_set<tree> *changed)
{
  walk_tree_without_duplicates (&stmt, note_change, changed);
}
