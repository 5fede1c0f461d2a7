/* The kernels of a translation unit, as lowering/device-unit.hh says.

     tensor.unit = { 2, "all kernels' text", "-std=c++17", tensor.unit.names, n,
                     tensor.unit.image, bytes, "", 0 }

   Each region's function has the variable's address as soon as it is built;
   what it starts as follows when all of them are.  The image is read-only, in a
   section of its own.  */

#include "lowering/device-unit.hh"
#include "lowering/site.hh"

extern "C"
{
#include "libtensorrt-mini/abi-cuda.h"
#include "lowering/cuda.h"
}

#define SECTION   ".tns_gpu"
#define ALIGNMENT 16

static const int n_fields = sizeof (trm_cuda_unit) / sizeof (void *);

/* The unit's variable; NULL_TREE: there are no kernels.  */
static GTY (()) tree unit;

/* Kernels' names; regions' texts; whether one of these may not contract, and
   which words they need; where the first is.  */
static vec<char *> names = vNULL;
static vec<char *> texts = vNULL;
static bool is_exact;
static tns_grid_words needs_words;
static location_t place;

/* The number of kernel NAME; -1: there is none.  */
static int
find_kernel (const char *name)
{
  for (unsigned k = 0; k < names.length (); k++)
    if (!strcmp (names[k], name))
      return k;
  return -1;
}

/* An array of N pointers.  */
static tree
pointers_type (int n)
{
  return build_array_type_nelts (ptr_type_node, n);
}

/* The variable, empty yet.  */
static void
begin_unit (location_t loc)
{
  tree type = pointers_type (n_fields);
  place = loc;
  unit = tns_object_new ("tensor.unit", type, build_constructor (type, NULL));
  varpool_node::finalize_decl (unit);
}

tree
tns_unit_add (tns_ctx *ctx, const tns_grid *grid, int *first)
{
  if (!unit)
    begin_unit (ctx->wish.loc.handle);
  *first = find_kernel (tns_cuda_name (ctx->arena, &grid->kernel[0]));
  if (*first >= 0)
    return unit;
  *first = names.length ();
  for (int k = 0; k < grid->n; k++)
    names.safe_push (xstrdup (tns_cuda_name (ctx->arena, &grid->kernel[k])));
  texts.safe_push (xstrdup (grid->kernels));
  needs_words = MAX (needs_words, tns_grid_needs_words (grid));
  is_exact |= !ctx->flags.contract || ctx->wish.fp == TNS_FP_STRICT;
  return unit;
}

bool
tns_unit_is_used (void)
{
  varpool_node *node = unit ? varpool_node::get (unit) : NULL;
  return node && node->definition;
}

location_t
tns_unit_place (void)
{
  return place;
}

const char *
tns_unit_text (tns_arena *arena)
{
  tns_text text = tns_text_new (arena);
  tns_cuda_prelude (&text, needs_words);
  for (unsigned k = 0; k < texts.length (); k++)
    tns_text_add (&text, texts[k]);
  return tns_text_chars (&text);
}

const char *
tns_unit_options (void)
{
  static const char *const options[2][2]
    = { { "-std=c++17", "-std=c++17 -fmad=false" },
        { "-std=c++17 -lineinfo", "-std=c++17 -fmad=false -lineinfo" } };
  return options[debug_info_level > DINFO_LEVEL_NONE][is_exact];
}

bool
tns_unit_has_groups (void)
{
  return needs_words == TNS_WORDS_GROUP;
}

/* Put OBJECT, which the unit points to, into the program; its address.  */
static tree
add_object (tree object)
{
  TREE_READONLY (object) = 1;
  varpool_node::finalize_decl (object);
  varpool_node::get (object)->analyze ();
  return build_fold_addr_expr (object);
}

/* The constructor of FIELDS, pointers.  */
static tree
pointers (auto_vec<tree> *fields)
{
  vec<constructor_elt, va_gc> *elements = NULL;
  for (unsigned k = 0; k < fields->length (); k++)
    CONSTRUCTOR_APPEND_ELT (elements, size_int (k),
                            fold_convert (ptr_type_node, (*fields)[k]));
  tree made = build_constructor (pointers_type (fields->length ()), elements);
  TREE_CONSTANT (made) = 1;
  TREE_STATIC (made) = 1;
  return made;
}

/* The address of the kernels' names.  */
static tree
names_object (void)
{
  auto_vec<tree> words;
  for (unsigned k = 0; k < names.length (); k++)
    words.safe_push (tns_string_tree (names[k]));
  tree initial = pointers (&words);
  return add_object (
    tns_object_new ("tensor.unit.names", TREE_TYPE (initial), initial));
}

/* The address of IMAGE, of BYTES bytes.  */
static tree
image_object (const char *image, size_t bytes)
{
  tree type = build_array_type_nelts (
    build_qualified_type (char_type_node, TYPE_QUAL_CONST), bytes);
  tree initial = build_string (bytes, image);
  TREE_TYPE (initial) = type;
  tree object = tns_object_new ("tensor.unit.image", type, initial);
  SET_DECL_ALIGN (object, ALIGNMENT * BITS_PER_UNIT);
  DECL_USER_ALIGN (object) = 1;
  set_decl_section_name (object, SECTION);
  return add_object (object);
}

/* NUMBER as a pointer.  */
static tree
as_pointer (long number)
{
  return build_int_cst (ptr_type_node, number);
}

void
tns_unit_finish (tns_arena *arena, const char *image, size_t bytes)
{
  auto_vec<tree> fields;
  fields.safe_push (as_pointer (tns_unit_has_groups () ? TRM_CUDA_VERSION : 1));
  fields.safe_push (tns_string_tree (tns_unit_text (arena)));
  fields.safe_push (tns_string_tree (tns_unit_options ()));
  fields.safe_push (names_object ());
  fields.safe_push (as_pointer (names.length ()));
  fields.safe_push (image ? image_object (image, bytes) : as_pointer (0));
  fields.safe_push (as_pointer (image ? (long) bytes : 0));
  fields.safe_push (tns_string_tree (""));
  fields.safe_push (as_pointer (0));
  gcc_assert ((int) fields.length () == n_fields);
  DECL_INITIAL (unit) = pointers (&fields);
  varpool_node::get (unit)->analyze ();
}

void
tns_unit_register (const char *plugin_name)
{
  static const struct ggc_root_tab roots[]
    = { { &unit, 1, sizeof unit, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node },
        LAST_GGC_ROOT_TAB };
  register_callback (plugin_name, PLUGIN_REGISTER_GGC_ROOTS, NULL,
                     (void *) roots);
}
