/* One trm_site for each region, built field by field as abi.h declares it.

     static struct trm_site f.tensor.0.site
       = { 0, TRM_ABI_VERSION, flags, line, "f:12", "f.c", "f", 0 ... };
     static void f.tensor.0.register (void)  [constructor]
     {
       if (&trm_register) trm_register (&f.tensor.0.site);
     }

   trm_register is weak: a program without the runtime keeps state 0.  */

#include "lowering/site.hh"

extern "C"
{
#include "libtensorrt-mini/abi.h"
}

tree
tns_struct_field (tree type, const char *name)
{
  tree wanted = get_identifier (name);
  for (tree field = TYPE_FIELDS (type); field; field = DECL_CHAIN (field))
    if (DECL_NAME (field) == wanted)
      return field;
  return NULL_TREE;
}

/* Add a field NAME of TYPE in front of TO's.  */
static void
add_field (tree to, const char *name, tree type)
{
  tree field
    = build_decl (BUILTINS_LOCATION, FIELD_DECL, get_identifier (name), type);
  DECL_CONTEXT (field) = to;
  DECL_CHAIN (field) = TYPE_FIELDS (to);
  TYPE_FIELDS (to) = field;
}

/* STRUCT called NAME, its fields added last first, laid out.  */
static tree
finish_struct (tree type, const char *name)
{
  TYPE_FIELDS (type) = nreverse (TYPE_FIELDS (type));
  TYPE_NAME (type) = get_identifier (name);
  layout_type (type);
  return type;
}

/* const char *.  */
static tree
string_type (void)
{
  return build_pointer_type (
    build_qualified_type (char_type_node, TYPE_QUAL_CONST));
}

/* struct trm_site.  */
static tree
site_type (void)
{
  tree type = make_node (RECORD_TYPE);
  tree i32 = integer_type_node;
  tree i64 = long_integer_type_node;
  tree string = string_type ();
  add_field (type, "state", i32);
  add_field (type, "version", i32);
  add_field (type, "flags", i32);
  add_field (type, "line", i32);
  add_field (type, "name", string);
  add_field (type, "file", string);
  add_field (type, "function", string);
  add_field (type, "flops", double_type_node);
  add_field (type, "bytes", double_type_node);
  add_field (type, "fallbacks", i64);
  add_field (type, "calls", i64);
  add_field (type, "ns", i64);
  add_field (type, "own", ptr_type_node);
  add_field (type, "next", ptr_type_node);
  return finish_struct (type, "trm_site");
}

tree
tns_span_type (void)
{
  tree type = make_node (RECORD_TYPE);
  tree i32 = integer_type_node;
  tree i64 = long_integer_type_node;
  add_field (type, "name", string_type ());
  add_field (type, "elem", string_type ());
  add_field (type, "base", ptr_type_node);
  add_field (type, "bytes", i64);
  add_field (type, "first", i64);
  add_field (type, "rank", i32);
  add_field (type, "temp", i32);
  add_field (type, "extent", build_array_type_nelts (i64, TRM_MAX_RANK));
  add_field (type, "line", i64);
  return finish_struct (type, "trm_span");
}

tree
tns_string_tree (const char *string)
{
  const char *chars = string ? string : "";
  size_t bytes = strlen (chars) + 1;
  tree literal = build_string (bytes, chars);
  tree type = build_array_type_nelts (
    build_qualified_type (char_type_node, TYPE_QUAL_CONST), bytes);
  TREE_TYPE (literal) = type;
  TREE_CONSTANT (literal) = 1;
  TREE_READONLY (literal) = 1;
  TREE_STATIC (literal) = 1;
  return fold_convert (string_type (), build_fold_addr_expr (literal));
}

tree
tns_site_field (tree site, const char *name)
{
  tree field = tns_struct_field (TREE_TYPE (site), name);
  return build3 (COMPONENT_REF, TREE_TYPE (field), site, field, NULL_TREE);
}

/* Let field NAME of TYPE start as VALUE.  */
static void
set_field (vec<constructor_elt, va_gc> **fields, tree type, const char *name,
           tree value)
{
  tree field = tns_struct_field (type, name);
  CONSTRUCTOR_APPEND_ELT (*fields, field,
                          fold_convert (TREE_TYPE (field), value));
}

/* What a site of REGION starts as.  */
static tree
initial_site (tree type, const tns_region *region, int flags)
{
  vec<constructor_elt, va_gc> *fields = NULL;
  tree number = integer_type_node;
  set_field (&fields, type, "version", build_int_cst (number, TRM_ABI_VERSION));
  set_field (&fields, type, "flags", build_int_cst (number, flags));
  set_field (&fields, type, "line", build_int_cst (number, region->line));
  set_field (&fields, type, "name", tns_string_tree (region->name));
  set_field (&fields, type, "file", tns_string_tree (region->file));
  set_field (&fields, type, "function", tns_string_tree (region->function));
  return build_constructor (type, fields);
}

tree
tns_object_new (const char *name, tree type, tree initial)
{
  tree object
    = build_decl (BUILTINS_LOCATION, VAR_DECL, get_identifier (name), type);
  TREE_CONSTANT (initial) = 1;
  TREE_STATIC (initial) = 1;
  TREE_STATIC (object) = 1;
  TREE_USED (object) = 1;
  TREE_ADDRESSABLE (object) = 1;
  DECL_ARTIFICIAL (object) = 1;
  DECL_IGNORED_P (object) = 1;
  DECL_INITIAL (object) = initial;
  return object;
}

tree
tns_site_new (const tns_region *region, int flags, const char *name)
{
  tree type = site_type ();
  return tns_object_new (name, type, initial_site (type, region, flags));
}

/* The body of the constructor of OBJECT: the runtime's NAME gets it.  */
static tree
register_statement (tree object, const char *name)
{
  tree address = build_fold_addr_expr (object);
  tree type
    = build_function_type_list (void_type_node, ptr_type_node, NULL_TREE);
  tree fn = tns_build_runtime (name, type);
  tree there = build_fold_addr_expr (fn);
  tree cond = build2 (NE_EXPR, boolean_type_node, there,
                      build_zero_cst (TREE_TYPE (there)));
  tree call = build_call_expr (fn, 1, fold_convert (ptr_type_node, address));
  tree statement = build3 (COND_EXPR, void_type_node, cond, call, NULL_TREE);
  TREE_SIDE_EFFECTS (statement) = 1;
  return statement;
}

/* A constructor called NAME.  */
static tree
constructor_decl (const char *name)
{
  tree fn
    = tns_build_function (get_identifier (name),
                          build_function_type_list (void_type_node, NULL_TREE));
  DECL_STATIC_CONSTRUCTOR (fn) = 1;
  DECL_PRESERVE_P (fn) = 1;
  tns_build_effort (fn, TNS_EFFORT_CALL);
  SET_DECL_INIT_PRIORITY (fn, DEFAULT_INIT_PRIORITY);
  return fn;
}

void
tns_object_finish (tree object, const char *runtime)
{
  varpool_node::finalize_decl (object);
  tree name = clone_function_name_numbered (
    IDENTIFIER_POINTER (DECL_NAME (object)), "register");
  tree fn = constructor_decl (IDENTIFIER_POINTER (name));
  tns_build_finish (fn, NULL_TREE, register_statement (object, runtime));
}
