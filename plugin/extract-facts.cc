/* What the region and the function around it do with variables and memory,
   found before anything is read.

   A variable that the function assigns once, and whose address nobody
   takes, has one value; a variable that the region never assigns has one
   value in the region.  A load from memory is invariant in the region when
   no store of the region may reach an object of its type; calls that will
   be inlined count with their bodies.  */

#include "plugin/keep-derived.hh"
#include "plugin/keep.hh"
#include "plugin/math.hh"

void
tns_trees_add (tns_arena *arena, tns_trees *list, tree t)
{
  if (list->n == list->room)
    {
      int room = 2 * list->room + 8;
      list->item = (tree *) tns_arena_grow (
        arena, list->item, sizeof (tree) * list->room, sizeof (tree) * room);
      list->room = room;
    }
  list->item[list->n++] = t;
}

bool
tns_trees_have (const tns_trees *list, tree t)
{
  for (int k = 0; k < list->n; k++)
    if (list->item[k] == t)
      return true;
  return false;
}

/* walk_tree's visitor: stops at the tree WANTED.  */
static tree
find_tree (tree *at, int *, void *wanted)
{
  return *at == (tree) wanted ? *at : NULL_TREE;
}

bool
tns_tree_has (tree expr, tree part)
{
  return walk_tree_without_duplicates (&expr, find_tree, (void *) part)
         != NULL_TREE;
}

bool
tns_tree_has_any (tree expr, const tns_trees *parts)
{
  for (int k = 0; k < parts->n; k++)
    if (tns_tree_has (expr, parts->item[k]))
      return true;
  return false;
}

/* Types A and B are the same, or pointers to what is the same but that one may
   be const.  */
static bool
is_same_but_const (tree a, tree b)
{
  if (TYPE_MAIN_VARIANT (a) == TYPE_MAIN_VARIANT (b))
    return true;
  if (TREE_CODE (a) != POINTER_TYPE || TREE_CODE (b) != POINTER_TYPE)
    return false;
  a = TREE_TYPE (a);
  b = TREE_TYPE (b);
  return TYPE_MAIN_VARIANT (a) == TYPE_MAIN_VARIANT (b)
         && (TYPE_QUALS (a) | TYPE_QUAL_CONST)
              == (TYPE_QUALS (b) | TYPE_QUAL_CONST);
}

tree
tns_strip (tree expr)
{
  while (expr)
    {
      if (TREE_CODE (expr) == SAVE_EXPR || TREE_CODE (expr) == NON_LVALUE_EXPR)
        expr = TREE_OPERAND (expr, 0);
      else if (TREE_CODE (expr) == C_MAYBE_CONST_EXPR
               && !C_MAYBE_CONST_EXPR_PRE (expr))
        expr = C_MAYBE_CONST_EXPR_EXPR (expr);
      else if (TREE_CODE (expr) == COMPOUND_EXPR
               && tns_is_idle_check (TREE_OPERAND (expr, 0)))
        expr = TREE_OPERAND (expr, 1);
      else if (CONVERT_EXPR_P (expr)
               && is_same_but_const (TREE_TYPE (expr),
                                     TREE_TYPE (TREE_OPERAND (expr, 0))))
        expr = TREE_OPERAND (expr, 0);
      else
        return expr;
    }
  return expr;
}

/* The SAVE_EXPR around what tns_strip leaves of EXPR, the outermost one, or
   NULL_TREE.  */
static tree
saved_around (tree expr)
{
  tree inside = tns_strip (expr);
  while (expr != inside && TREE_CODE (expr) != SAVE_EXPR)
    expr = TREE_OPERAND (expr, TREE_CODE (expr) == COMPOUND_EXPR
                                 || TREE_CODE (expr) == C_MAYBE_CONST_EXPR);
  return expr == inside ? NULL_TREE : expr;
}

bool
tns_same_tree (tree a, tree b)
{
  if (saved_around (a) != saved_around (b))
    return false;
  a = tns_strip (a);
  b = tns_strip (b);
  if (a == b)
    return true;
  if (!a || !b || TREE_CODE (a) != TREE_CODE (b))
    return false;
  if (CONSTANT_CLASS_P (a))
    return operand_equal_p (a, b, 0);
  if (DECL_P (a) || !EXPR_P (a) || TREE_SIDE_EFFECTS (a)
      || TREE_CODE_LENGTH (TREE_CODE (a)) == 0)
    return false;
  if (CONVERT_EXPR_P (a)
      && TYPE_MAIN_VARIANT (TREE_TYPE (a)) != TYPE_MAIN_VARIANT (TREE_TYPE (b)))
    return false;
  for (int k = 0; k < TREE_OPERAND_LENGTH (a); k++)
    if (!tns_same_tree (TREE_OPERAND (a, k), TREE_OPERAND (b, k)))
      return false;
  return true;
}

bool
tns_is_memory (tree decl)
{
  return TREE_ADDRESSABLE (decl) || TREE_STATIC (decl) || DECL_EXTERNAL (decl)
         || TREE_THIS_VOLATILE (decl);
}

bool
tns_may_be_reached (const tns_reader *reader, tree decl)
{
  bool is_own = !TREE_STATIC (decl) && !DECL_EXTERNAL (decl)
                && !TREE_THIS_VOLATILE (decl) && !DECL_NONLOCAL (decl)
                && DECL_CONTEXT (decl) == reader->fndecl;
  return tns_is_memory (decl)
         && (!is_own || tns_trees_have (&reader->facts.addressed, decl));
}

/* What a walk over statements collects.  stored NULL: only written.
   reaches_all: a pointer is followed that may point to any type.  */
typedef struct collection
{
  tns_arena *arena;
  tns_trees *written;
  tns_trees *stored;
  tns_trees *places;
  tns_trees called;
  bool reaches_all;
} collection;

/* The target of an assignment is noted: a variable by name, anything else
   by its type.  */
static void
collect_target (collection *c, tree target)
{
  while (CONVERT_EXPR_P (target) || TREE_CODE (target) == NON_LVALUE_EXPR)
    target = TREE_OPERAND (target, 0);
  if (DECL_P (target) && !tns_trees_have (c->written, target))
    tns_trees_add (c->arena, c->written, target);
  bool by_name = DECL_P (target) && !tns_is_memory (target);
  if (c->stored && !by_name && !tns_trees_have (c->stored, TREE_TYPE (target)))
    tns_trees_add (c->arena, c->stored, TREE_TYPE (target));
  if (c->places && !by_name)
    tns_trees_add (c->arena, c->places, target);
}

static tree collect_tree (tree *at, int *walk_subtrees, void *self);

/* What VAR's initialiser writes, which a walk finds in the block that VAR is
   in only.  */
static void
collect_initial (collection *c, tree var)
{
  if (VAR_P (var) && !TREE_STATIC (var) && DECL_INITIAL (var))
    walk_tree_without_duplicates (&DECL_INITIAL (var), collect_tree, c);
}

/* FNDECL, which the plug-in has written, stores to what its parameters point
   to.  */
static void
collect_derived (collection *c, tree fndecl)
{
  for (tree parm = DECL_ARGUMENTS (fndecl); parm; parm = DECL_CHAIN (parm))
    {
      tree type = TREE_TYPE (parm);
      if (c->stored && POINTER_TYPE_P (type))
        tns_trees_add (
          c->arena, c->stored,
          TYPE_MAIN_VARIANT (strip_array_types (TREE_TYPE (type))));
    }
}

/* What CALL of FNDECL, of math.h, stores where its arguments point.  */
static void
collect_results (collection *c, tree fndecl, tree call)
{
  int n = call_expr_nargs (call);
  for (int k = n - tns_results_of (fndecl); k < n; k++)
    collect_target (c, build_fold_indirect_ref (CALL_EXPR_ARG (call, k)));
}

/* A function that will be inlined: its stores are the region's.  */
static void
collect_call (collection *c, tree call)
{
  tree fndecl = get_callee_fndecl (call);
  if (fndecl)
    collect_results (c, fndecl, call);
  if (!fndecl || tns_trees_have (&c->called, fndecl))
    return;
  tns_trees_add (c->arena, &c->called, fndecl);
  tree body = tns_kept_body (fndecl);
  if (tns_is_derived (fndecl))
    collect_derived (c, fndecl);
  else if (body)
    walk_tree_without_duplicates (&body, collect_tree, c);
  else if (c->stored && fndecl_built_in_p (fndecl, BUILT_IN_NORMAL)
           && (DECL_FUNCTION_CODE (fndecl) == BUILT_IN_MEMSET
               || DECL_FUNCTION_CODE (fndecl) == BUILT_IN_MEMCPY))
    {
      tree to = CALL_EXPR_ARG (call, 0);
      while (CONVERT_EXPR_P (to))
        to = TREE_OPERAND (to, 0);
      tns_trees_add (c->arena, c->stored, TREE_TYPE (TREE_TYPE (to)));
    }
}

/* walk_tree's visitor.  */
static tree
collect_tree (tree *at, int *walk_subtrees, void *self)
{
  collection *c = (collection *) self;
  switch (TREE_CODE (*at))
    {
    case MODIFY_EXPR:
    case INIT_EXPR:
    case PREINCREMENT_EXPR:
    case PREDECREMENT_EXPR:
    case POSTINCREMENT_EXPR:
    case POSTDECREMENT_EXPR:
      collect_target (c, TREE_OPERAND (*at, 0));
      break;
    case CALL_EXPR:
      collect_call (c, *at);
      break;
    case DECL_EXPR:
      collect_initial (c, DECL_EXPR_DECL (*at));
      break;
    case INDIRECT_REF:
      c->reaches_all
        |= TYPE_REF_CAN_ALIAS_ALL (TREE_TYPE (TREE_OPERAND (*at, 0)));
      break;
    default:
      if (TYPE_P (*at))
        *walk_subtrees = 0;
      break;
    }
  return NULL_TREE;
}

void
tns_written_in (tns_arena *arena, tree stmt, tns_trees *written)
{
  collection c = { arena, written, NULL, NULL, { 0, 0, NULL }, false };
  walk_tree_without_duplicates (&stmt, collect_tree, &c);
}

/* One more assignment of VALUE to DECL in the function; NULL_TREE when the
   value has no expression.  */
static void
count_write (tns_reader *reader, tree decl, tree value)
{
  tns_facts *facts = &reader->facts;
  for (int k = 0; k < facts->decl.n; k++)
    if (facts->decl.item[k] == decl)
      {
        facts->n_writes[k]++;
        facts->value.item[k] = value;
        return;
      }
  tns_trees_add (reader->arena, &facts->decl, decl);
  tns_trees_add (reader->arena, &facts->value, value);
  if (facts->decl.n > facts->n_writes_room)
    {
      int room = facts->decl.room;
      facts->n_writes = (int *) tns_arena_grow (
        reader->arena, facts->n_writes, sizeof (int) * facts->n_writes_room,
        sizeof (int) * room);
      facts->n_writes_room = room;
    }
  facts->n_writes[facts->decl.n - 1] = 1;
}

/* walk_tree's visitor of a type's size: SAVE_EXPRs are noted.  */
static tree
note_save (tree *at, int *walk_subtrees, void *self)
{
  tns_reader *reader = (tns_reader *) self;
  if (TREE_CODE (*at) == SAVE_EXPR)
    tns_trees_add (reader->arena, &reader->facts.type_saves, *at);
  if (TYPE_P (*at))
    *walk_subtrees = 0;
  return NULL_TREE;
}

/* The SAVE_EXPRs in the sizes of TYPE and of what it is made of.  */
static void
note_saves_of_type (tns_reader *reader, tree type)
{
  while (type && (POINTER_TYPE_P (type) || TREE_CODE (type) == ARRAY_TYPE))
    {
      if (TREE_CODE (type) == ARRAY_TYPE)
        {
          walk_tree_without_duplicates (&TYPE_SIZE_UNIT (type), note_save,
                                        reader);
          if (TYPE_DOMAIN (type))
            walk_tree_without_duplicates (&TYPE_MAX_VALUE (TYPE_DOMAIN (type)),
                                          note_save, reader);
        }
      type = TREE_TYPE (type);
    }
}

/* A variable that is multiplied with.  */
static void
note_factor (tns_reader *reader, tree factor)
{
  factor = tns_strip (factor);
  if (DECL_P (factor) && !tns_trees_have (&reader->facts.factors, factor))
    tns_trees_add (reader->arena, &reader->facts.factors, factor);
}

/* walk_tree's visitor of the region: what it declares is noted.  */
static tree
note_declared (tree *at, int *walk_subtrees, void *self)
{
  tns_reader *reader = (tns_reader *) self;
  if (TREE_CODE (*at) == DECL_EXPR)
    tns_trees_add (reader->arena, &reader->facts.declared,
                   DECL_EXPR_DECL (*at));
  if (TYPE_P (*at))
    *walk_subtrees = 0;
  return NULL_TREE;
}

/* The address of REF is taken.  */
static void
note_address (tns_reader *reader, tree ref)
{
  while (handled_component_p (ref))
    ref = TREE_OPERAND (ref, 0);
  if (DECL_P (ref) && !tns_trees_have (&reader->facts.addressed, ref))
    tns_trees_add (reader->arena, &reader->facts.addressed, ref);
}

/* walk_tree's visitor of the whole function.  */
static tree
count_tree (tree *at, int *walk_subtrees, void *self)
{
  tns_reader *reader = (tns_reader *) self;
  tree t = *at;
  switch (TREE_CODE (t))
    {
    case MODIFY_EXPR:
    case INIT_EXPR:
      if (DECL_P (TREE_OPERAND (t, 0)))
        count_write (reader, TREE_OPERAND (t, 0), TREE_OPERAND (t, 1));
      break;
    case PREINCREMENT_EXPR:
    case PREDECREMENT_EXPR:
    case POSTINCREMENT_EXPR:
    case POSTDECREMENT_EXPR:
      if (DECL_P (TREE_OPERAND (t, 0)))
        count_write (reader, TREE_OPERAND (t, 0), NULL_TREE);
      break;
    case DECL_EXPR:
      {
        tree decl = DECL_EXPR_DECL (t);
        if (!tns_trees_have (&reader->facts.declared, decl))
          note_saves_of_type (reader, TREE_TYPE (decl));
        if (VAR_P (decl) && DECL_INITIAL (decl) && !TREE_STATIC (decl))
          count_write (reader, decl, DECL_INITIAL (decl));
        break;
      }
    case MULT_EXPR:
      note_factor (reader, TREE_OPERAND (t, 0));
      note_factor (reader, TREE_OPERAND (t, 1));
      break;
    case ADDR_EXPR:
      note_address (reader, TREE_OPERAND (t, 0));
      break;
    case LABEL_EXPR:
    case GOTO_EXPR:
      reader->facts.jumps = true;
      break;
    default:
      if (TYPE_P (t))
        *walk_subtrees = 0;
      break;
    }
  return NULL_TREE;
}

int
tns_writes_in_function (const tns_reader *reader, tree decl, tree *value)
{
  const tns_facts *facts = &reader->facts;
  for (int k = 0; k < facts->decl.n; k++)
    if (facts->decl.item[k] == decl)
      {
        *value = facts->value.item[k];
        return facts->n_writes[k];
      }
  *value = NULL_TREE;
  return 0;
}

bool
tns_has_strict_aliasing (void)
{
  return flag_strict_aliasing
         || (optimize < 2 && !global_options_set.x_flag_strict_aliasing);
}

bool
tns_types_may_alias (tree a, tree b)
{
  if (!tns_has_strict_aliasing ())
    return true;
  int before = flag_strict_aliasing;
  flag_strict_aliasing = 1;
  bool may_alias = alias_sets_conflict_p (get_alias_set (a), get_alias_set (b));
  flag_strict_aliasing = before;
  return may_alias;
}

bool
tns_may_be_stored (const tns_reader *reader, tree type)
{
  const tns_trees *stored = &reader->facts.stored;
  for (int k = 0; k < stored->n; k++)
    if (reader->facts.reaches_all
        || tns_types_may_alias (stored->item[k], type))
      return true;
  return false;
}

void
tns_facts_read (tns_reader *reader)
{
  tns_facts *facts = &reader->facts;
  collection c = { reader->arena,  &facts->written, &facts->stored,
                   &facts->places, { 0, 0, NULL },  false };
  for (int k = 0; k < reader->n_stmts; k++)
    {
      walk_tree_without_duplicates (&reader->stmts[k], collect_tree, &c);
      walk_tree_without_duplicates (&reader->stmts[k], note_declared, reader);
    }
  facts->reaches_all = c.reaches_all;
  for (tree parm = DECL_ARGUMENTS (reader->fndecl); parm;
       parm = DECL_CHAIN (parm))
    note_saves_of_type (reader, TREE_TYPE (parm));
  walk_tree_without_duplicates (&DECL_SAVED_TREE (reader->fndecl), count_tree,
                                reader);
}
