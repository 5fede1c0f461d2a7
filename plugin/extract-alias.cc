/* Which arrays may overlap?

   Two bases of which one is written do not overlap when

     they are different objects of C, or one lives inside the region
     they are different members of one structure
     (two types that one pointer is seen as may, whatever the types are)
     their types do not alias (unless -fno-strict-aliasing is given, or the
       region follows a pointer to a type that may alias all)
     one is an object whose address nobody takes, or a string
     one is a restrict parameter and the other is not derived from it
     one was just allocated and the other is older or allocated apart
     the user says so (noalias)

   All other pairs go to region->overlaps: a check at run time tells.  */

#include "plugin/reader.hh"

/* The base that BASE is a part of.  */
static const tns_base *
whole_of (const tns_base *base)
{
  while (base->outer)
    base = base->outer;
  return base;
}

/* The members from the whole down to BASE; how many.  */
static int
path_of (const tns_base *base, const tns_base **path)
{
  int n = 0;
  for (const tns_base *b = base; b->outer && n < TNS_MAX_DIMS; b = b->outer)
    path[n++] = b;
  for (int k = 0; k < n / 2; k++)
    std::swap (path[k], path[n - 1 - k]);
  return n;
}

/* A and B, parts of one whole, are different members.  */
static bool
are_members_apart (const tns_base *a, const tns_base *b)
{
  const tns_base *path_a[TNS_MAX_DIMS], *path_b[TNS_MAX_DIMS];
  int n_a = path_of (a, path_a);
  int n_b = path_of (b, path_b);
  for (int k = 0; k < n_a && k < n_b; k++)
    if (path_a[k]->field != path_b[k]->field)
      return true;
  return false;
}

/* POINTER is a parameter that the function never assigns.  */
static bool
is_given (const tns_reader *reader, tree pointer)
{
  tree value;
  return TREE_CODE (pointer) == PARM_DECL && !tns_is_memory (pointer)
         && tns_writes_in_function (reader, pointer, &value) == 0;
}

/* POINTER is a variable whose only value is fresh memory.  */
static bool
is_allocated (const tns_reader *reader, tree pointer)
{
  tree value;
  if (!VAR_P (pointer) || tns_is_memory (pointer)
      || tns_writes_in_function (reader, pointer, &value) != 1 || !value)
    return false;
  while (CONVERT_EXPR_P (value) || TREE_CODE (value) == SAVE_EXPR)
    value = TREE_OPERAND (value, 0);
  return TREE_CODE (value) == CALL_EXPR
         && (call_expr_flags (value) & ECF_MALLOC) != 0;
}

/* Nothing that ROOT, of base A, points to is reached through B but by the
   names of A.  */
static bool
is_only_name (const tns_reader *reader, const tns_base *a, const tns_base *b)
{
  tree root = tns_pointer_under (a->root);
  tree other = tns_pointer_under (b->root);
  bool is_restrict
    = is_given (reader, root) && TYPE_RESTRICT (TREE_TYPE (root));
  bool is_fresh = is_allocated (reader, root);
  if (!is_restrict && !is_fresh)
    return false;
  return b->is_object || is_given (reader, other)
         || is_allocated (reader, other);
}

/* The name of BASE's variable stands in LIST.  */
static bool
is_listed (const tns_base *base, const tns_wish_list *list)
{
  tree root = tns_strip (whole_of (base)->root);
  while (root && EXPR_P (root) && TREE_OPERAND_LENGTH (root) > 0)
    root = tns_strip (TREE_OPERAND (root, 0));
  if (!root || !DECL_P (root) || !DECL_NAME (root))
    return false;
  for (int k = 0; k < list->n; k++)
    if (!strcmp (list->names[k].name, IDENTIFIER_POINTER (DECL_NAME (root))))
      return true;
  return false;
}

/* The user says that A and B do not overlap.  */
static bool
is_word_given (const tns_reader *reader, const tns_base *a, const tns_base *b)
{
  const tns_wish_list *list = &reader->ctx->wish.noalias;
  if (!list->asked)
    return false;
  if (list->n == 0)
    return true;
  if (list->n == 1)
    return is_listed (a, list) || is_listed (b, list);
  return is_listed (a, list) && is_listed (b, list);
}

/* The object of base A is out of reach of stores through pointers.  */
static bool
is_out_of_reach (const tns_reader *reader, const tns_base *a)
{
  return a->is_object
         && (!DECL_P (a->root) || !tns_may_be_reached (reader, a->root));
}

/* Variable DECL is declared as another name of a variable.  */
static bool
is_another_name (tree decl)
{
  return lookup_attribute ("alias", DECL_ATTRIBUTES (decl)) != NULL_TREE
         || lookup_attribute ("weakref", DECL_ATTRIBUTES (decl)) != NULL_TREE;
}

/* Variables A and B may be two names of one object.  */
static bool
may_be_one (tree a, tree b)
{
  bool are_linked = VAR_P (a) && VAR_P (b)
                    && (TREE_STATIC (a) || DECL_EXTERNAL (a))
                    && (TREE_STATIC (b) || DECL_EXTERNAL (b));
  return are_linked
         && (is_another_name (a) || is_another_name (b)
             || DECL_ASSEMBLER_NAME (a) == DECL_ASSEMBLER_NAME (b));
}

/* Elements of BASE are members of a union, which may hold others.  */
static bool
is_in_union (const tns_base *base)
{
  return base->field && TREE_CODE (DECL_CONTEXT (base->field)) == UNION_TYPE;
}

/* What BASE begins with, as an object, or NULL_TREE: what a pointer points to
   that is none.  */
static tree
object_of (const tns_base *base)
{
  tree root = tns_pointer_under (base->root);
  if (base->is_object)
    return root;
  return TREE_CODE (root) == ADDR_EXPR ? TREE_OPERAND (root, 0) : NULL_TREE;
}

/* A and B are what one pointer points to, or one variable, seen as two
   types.  */
static bool
are_views (const tns_base *a, const tns_base *b)
{
  tree object = object_of (a);
  if (object || object_of (b))
    return object == object_of (b);
  return tns_same_tree (tns_pointer_under (a->root),
                        tns_pointer_under (b->root));
}

/* A and B may overlap.  */
static bool
may_overlap (const tns_reader *reader, const tns_base *a, const tns_base *b)
{
  const tns_base *whole_a = whole_of (a);
  const tns_base *whole_b = whole_of (b);
  if ((!a->is_written && !b->is_written) || a->is_local || b->is_local)
    return false;
  if (whole_a == whole_b)
    return !are_members_apart (a, b);
  if (are_views (whole_a, whole_b))
    return true;
  if (whole_a->is_object && whole_b->is_object)
    return may_be_one (whole_a->root, whole_b->root);
  bool is_strict = tns_has_strict_aliasing () && !reader->facts.reaches_all
                   && !is_in_union (a) && !is_in_union (b);
  if (is_strict && !tns_types_may_alias (a->type, b->type))
    return false;
  bool are_structures = a->field && b->field && a->field != b->field
                        && DECL_CONTEXT (a->field) == DECL_CONTEXT (b->field);
  if (are_structures && is_strict)
    return false;
  return !is_out_of_reach (reader, whole_a)
         && !is_out_of_reach (reader, whole_b)
         && !is_only_name (reader, whole_a, whole_b)
         && !is_only_name (reader, whole_b, whole_a)
         && !is_word_given (reader, a, b);
}

void
tns_read_overlaps (tns_reader *reader)
{
  for (tns_base *a = reader->bases; a; a = a->next)
    for (tns_base *b = a->next; b; b = b->next)
      if (a->sym && b->sym && may_overlap (reader, a, b))
        tns_region_add_overlap (reader->arena, reader->region, a->sym, b->sym);
}

bool
tns_base_is_named (const tns_base *base, const tns_wish_list *list)
{
  return is_listed (base, list);
}
