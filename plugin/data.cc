/* #pragma tensor data: a block becomes

     arrays = { x, bytes, use, "x", 0, ... };
     trm_cuda_data_begin (arrays, n);
     try { the block, whose statements ask for what they touch }
     finally { trm_cuda_data_end (arrays, n); }

   after the regions of the function are in place, so that it is known which of
   them may run on a device.  The functions are weak: without the runtime the
   block runs as ever.  */

#include "plugin/data-inside.hh"

#include "pragmas/register.hh"
#include "pragmas/section.hh"

/* The function at hand: its device dispatches; what stands in them for the CPU;
   dispatches to the CPU; what data blocks cover; the arena of its covers; how
   much is told.  */
static hash_set<tree> devices;
static hash_set<tree> fallbacks;
static hash_set<tree> wholes;
static hash_set<tree> kept;
static tns_arena *arena;
static const tns_options *options;

void
tns_data_note_device (tree device, tree *stmt, int n, tree made)
{
  devices.add (device);
  for (int k = 0; k < n; k++)
    fallbacks.add (stmt[k]);
  if (made)
    fallbacks.add (made);
}

void
tns_data_note_whole (tree made)
{
  wholes.add (made);
}

bool
tns_data_is_whole (tree stmt)
{
  return wholes.contains (stmt);
}

bool
tns_data_is_device (tree stmt)
{
  return devices.contains (stmt);
}

bool
tns_data_is_fallback (tree stmt)
{
  return fallbacks.contains (stmt);
}

bool
tns_data_is_kept (tree stmt)
{
  return kept.contains (stmt);
}

bool
tns_data_is_mark (tree stmt)
{
  tns_mark *mark = tns_mark_of_stmt (stmt);
  return mark && mark->kind == TNS_MARK_DATA && !mark->used;
}

/* What the runtime is told of GIVEN's use.  */
static int
use_of (const tns_wish_section *given)
{
  switch (given->use)
    {
    case TNS_SECTION_IN:
      return TRM_CUDA_READ;
    case TNS_SECTION_OUT:
      return TRM_CUDA_WRITE;
    case TNS_SECTION_PRESENT:
      return TRM_CUDA_SCRATCH;
    default:
      return TRM_CUDA_READ | TRM_CUDA_WRITE;
    }
}

/* VALUE elements of TYPE in bytes.  */
static tree
bytes_of (tree type, void *value)
{
  tree count = fold_convert (ssizetype, unshare_expr ((tree) value));
  tree size = fold_convert (ssizetype, unshare_expr (TYPE_SIZE_UNIT (type)));
  return fold_build2 (MULT_EXPR, ssizetype, count, size);
}

/* The array of GIVEN; CHANGED are the variables that the block changes.  */
static tns_data_row
row_of (const tns_wish_section *given, hash_set<tree> *changed)
{
  tree base = (tree) given->base;
  tree type = TREE_TYPE (base);
  tree element = TREE_TYPE (type);
  bool is_pointer = POINTER_TYPE_P (type);
  tns_data_row row = { given->name,    NULL_TREE, NULL_TREE,  NULL_TREE,
                       use_of (given), NULL_TREE, !is_pointer };
  if (DECL_P (base))
    row.object = base;
  if (is_pointer && row.object)
    {
      row.begins = base;
      row.steady = auto_var_p (base) && !TREE_ADDRESSABLE (base)
                   && !changed->contains (base);
    }
  if (!is_pointer && DECL_P (base))
    TREE_ADDRESSABLE (base) = 1;
  tree start = is_pointer ? unshare_expr (base) : build_fold_addr_expr (base);
  start = fold_convert (ptr_type_node, start);
  row.base = start;
  if (given->from)
    row.base = fold_build_pointer_plus (
      start, fold_convert (sizetype, bytes_of (element, given->from)));
  row.bytes = given->length ? bytes_of (element, given->length)
                            : unshare_expr (TYPE_SIZE_UNIT (type));
  return row;
}

/* The block of MARK inside of OUTER.  */
static tns_data
block_of (tns_data *outer, const tns_mark *mark, hash_set<tree> *changed)
{
  const tns_wish *wish = &mark->wish;
  tns_data data = { outer, mark->loc, NULL, wish->n_sections, NULL_TREE, true };
  data.row = TNS_NEW_ARRAY (arena, tns_data_row, wish->n_sections + 1);
  for (int k = 0; k < wish->n_sections; k++)
    data.row[k] = row_of (&wish->sections[k], changed);
  return data;
}

/* Jumps into a block.

   covered   its statements
   labels    those that stand in it
   switches  around what is looked at, in the block  */
typedef struct jumps
{
  hash_set<tree> covered;
  hash_set<tree> labels;
  int switches;
} jumps;

/* walk_tree's visitor: adds labels; stops at a case of a switch around the
   block.  */
static tree
find_label (tree *at, int *walk_subtrees, void *self)
{
  jumps *j = (jumps *) self;
  if (TYPE_P (*at))
    *walk_subtrees = 0;
  if (TREE_CODE (*at) == LABEL_EXPR)
    j->labels.add (LABEL_EXPR_LABEL (*at));
  if (TREE_CODE (*at) == CASE_LABEL_EXPR && j->switches == 0)
    return *at;
  if (TREE_CODE (*at) == SWITCH_STMT)
    {
      *walk_subtrees = 0;
      j->switches++;
      walk_tree (&SWITCH_STMT_BODY (*at), find_label, self, NULL);
      j->switches--;
    }
  return NULL_TREE;
}

/* walk_tree's visitor: stops at a jump from outside to one of the labels.  */
static tree
find_jump (tree *at, int *walk_subtrees, void *self)
{
  jumps *j = (jumps *) self;
  if (TYPE_P (*at) || j->covered.contains (*at))
    *walk_subtrees = 0;
  if (TREE_CODE (*at) != GOTO_EXPR)
    return NULL_TREE;
  tree label = GOTO_DESTINATION (*at);
  return TREE_CODE (label) != LABEL_DECL || j->labels.contains (label)
           ? *at
           : NULL_TREE;
}

/* What FOUND covers can only be entered at its beginning.  */
static bool
is_entered_at_top (const tns_cover *found)
{
  jumps j;
  j.switches = 0;
  for (int k = 0; k < found->n; k++)
    {
      j.covered.add (found->stmt[k]);
      if (walk_tree (&found->stmt[k], find_label, &j, NULL))
        return false;
    }
  return j.labels.is_empty ()
         || !walk_tree (&DECL_SAVED_TREE (current_function_decl), find_jump, &j,
                        NULL);
}

/* FOUND may be what MARK stands before; else that is an error.  */
static bool
is_block (const tns_mark *mark, const tns_cover *found)
{
  if (found->n == 0)
    error_at (mark->loc, "%<#pragma tensor data%> before something that is "
                         "neither a loop nor a block");
  else if (!is_entered_at_top (found))
    error_at (mark->loc,
              "%<#pragma tensor data%> before a block that is jumped into");
  else
    return true;
  return false;
}

/* walk_tree's visitor: stops at a variable that SELF, a set, has, or that may
   change unseen.  */
static tree
find_changed (tree *at, int *, void *self)
{
  bool is_changed
    = (VAR_P (*at) || TREE_CODE (*at) == PARM_DECL)
      && (TREE_ADDRESSABLE (*at) || ((hash_set<tree> *) self)->contains (*at));
  return is_changed ? *at : NULL_TREE;
}

/* The lengths that parameters are declared with are still what they were when
   the function began; else that is an error.  */
static bool
are_lengths_known (const tns_mark *mark)
{
  hash_set<tree> changed;
  tns_data_changes (DECL_SAVED_TREE (current_function_decl), &changed);
  for (int k = 0; k < mark->wish.n_sections; k++)
    {
      const tns_wish_section *given = &mark->wish.sections[k];
      tree length = (tree) given->length;
      tree found = given->declared
                     ? walk_tree (&length, find_changed, &changed, NULL)
                     : NULL_TREE;
      if (!found && given->declared)
        found = changed.contains ((tree) given->base) ? (tree) given->base
                                                      : NULL_TREE;
      if (!found)
        continue;
      error_at ((location_t) given->loc.handle,
                "%qD is changed: write how many elements, %<%s[0:n]%>", found,
                given->name);
      return false;
    }
  return true;
}

/* Tell the user what DATA keeps.  */
static void
tell (const tns_data *data)
{
  if (options->report != TNS_REPORT_ALL)
    return;
  for (int k = 0; k < data->n; k++)
    {
      tree bytes = data->row[k].bytes;
      if (tree_fits_uhwi_p (bytes))
        inform (data->loc, "keeps %qs on the device, %lu bytes",
                data->row[k].name, (unsigned long) tree_to_uhwi (bytes));
      else
        inform (data->loc, "keeps %qs on the device", data->row[k].name);
    }
}

/* How many bytes DATA and what is around it keep; 0 where that is not a
   constant.  */
static unsigned HOST_WIDE_INT
count_bytes (const tns_data *data)
{
  unsigned HOST_WIDE_INT sum = 0;
  for (; data; data = data->outer)
    for (int k = 0; k < data->n; k++)
      {
        if (!tree_fits_uhwi_p (data->row[k].bytes))
          return 0;
        sum += tree_to_uhwi (data->row[k].bytes);
      }
  return sum;
}

/* DATA or what is around it keeps arrays.  */
static bool
keeps_some (const tns_data *data)
{
  while (data && data->n == 0)
    data = data->outer;
  return data != NULL;
}

void
tns_data_tell_call (const tns_data *data, const_tree call)
{
  tree fndecl = get_callee_fndecl (call);
  unsigned HOST_WIDE_INT bytes = count_bytes (data);
  location_t loc = EXPR_LOC_OR_LOC (call, data->loc);
  if (!keeps_some (data) || options->report != TNS_REPORT_ALL)
    return;
  if (!fndecl)
    inform (loc, "nothing is kept on the device during this call");
  else if (bytes)
    inform (loc,
            "nothing is kept on the device during this call of %qD, which may "
            "use it: at most %lu bytes are copied each way",
            fndecl, (unsigned long) bytes);
  else
    inform (loc,
            "nothing is kept on the device during this call of %qD, which may "
            "use it",
            fndecl);
}

/* The statements of FOUND, which ask for what they touch, between the beginning
   and the end of DATA.  */
static tree
wrapped (tns_data *data, const tns_cover *found)
{
  tree variables = tns_data_variables (data);
  tree body = alloc_stmt_list ();
  tree end = NULL_TREE;
  tree list = NULL_TREE;
  for (int k = 0; k < found->n; k++)
    append_to_statement_list_force (found->stmt[k], &body);
  tns_data_guard (data, &body);
  tns_data_fill (data, &list);
  tns_data_begin (data, &list);
  tns_data_end (data, &end);
  tree guarded
    = build2_loc (data->loc, TRY_FINALLY_EXPR, void_type_node, body, end);
  TREE_SIDE_EFFECTS (guarded) = 1;
  append_to_statement_list (guarded, &list);
  tree block = make_node (BLOCK);
  BLOCK_VARS (block) = variables;
  TREE_USED (block) = 1;
  tree scope = build3 (BIND_EXPR, void_type_node, variables, list, block);
  TREE_SIDE_EFFECTS (scope) = 1;
  return scope;
}

void
tns_data_take (tns_data *outer, tree_stmt_iterator i)
{
  tns_mark *mark = tns_mark_of_stmt (tsi_stmt (i));
  tree_stmt_iterator next = i;
  hash_set<tree> changed;
  tsi_next (&next);
  mark->used = true;
  tns_cover found = tns_cover_of (arena, next);
  if (!is_block (mark, &found) || !are_lengths_known (mark))
    return;
  for (int k = 0; k < found.n; k++)
    tns_data_changes (found.stmt[k], &changed);
  tns_data data = block_of (outer, mark, &changed);
  tell (&data);
  tree made = wrapped (&data, &found);
  for (int k = 0; k < found.n; k++)
    tsi_delink (&next);
  *tsi_stmt_ptr (i) = made;
}

/* walk_tree's visitor: takes the outermost data blocks of lists.  */
static tree
take_blocks (tree *at, int *walk_subtrees, void *self)
{
  if (TYPE_P (*at) || TREE_CODE (*at) == STATEMENT_LIST)
    *walk_subtrees = 0;
  if (TREE_CODE (*at) != STATEMENT_LIST)
    return NULL_TREE;
  for (tree_stmt_iterator i = tsi_start (*at); !tsi_end_p (i); tsi_next (&i))
    if (tns_data_is_mark (tsi_stmt (i)))
      tns_data_take (NULL, i);
    else
      walk_tree_without_duplicates (tsi_stmt_ptr (i), take_blocks, self);
  return NULL_TREE;
}

/* What a function does that calls of it must know of.

   runs      regions on a device, or data blocks
   anything  calls of which nothing is known, or free  */
typedef struct doings
{
  bool runs;
  bool anything;
} doings;

/* walk_tree's visitor: adds what *AT does, and what data blocks cover.  */
static tree
find_doings (tree *at, int *walk_subtrees, void *self)
{
  doings *found = (doings *) self;
  *walk_subtrees = !TYPE_P (*at) && !tns_data_is_fallback (*at);
  if (!*walk_subtrees)
    return NULL_TREE;
  found->runs |= tns_data_is_device (*at);
  if (TREE_CODE (*at) == CALL_EXPR)
    {
      tns_data_call kind = tns_data_call_of (*at);
      found->runs |= kind == TNS_CALL_KEEPS;
      found->anything |= kind == TNS_CALL_ANYTHING || kind == TNS_CALL_FREE;
    }
  if (TREE_CODE (*at) == STATEMENT_LIST)
    for (tree_stmt_iterator i = tsi_start (*at); !tsi_end_p (i); tsi_next (&i))
      if (tns_data_is_mark (tsi_stmt (i)))
        {
          tree_stmt_iterator next = i;
          tsi_next (&next);
          tns_cover cover = tns_cover_of (arena, next);
          found->runs = true;
          for (int k = 0; k < cover.n; k++)
            kept.add (cover.stmt[k]);
        }
  return NULL_TREE;
}

/* The statements of FNDECL, which run regions on a device and touch arrays,
   too, ask for what they touch, as if all of them stood in a block that keeps
   nothing: then a block around a call of it may keep its arrays.  False where
   that is not enough.  */
static bool
ask_itself (tree fndecl)
{
  tns_data data
    = { NULL, DECL_SOURCE_LOCATION (fndecl), NULL, 0, NULL_TREE, true };
  tns_data_guard (&data, &DECL_SAVED_TREE (fndecl));
  return data.whole;
}

/* What BODY touches of arrays that others may keep, a use, as far as it is not
   within *REACH.  */
static int
touched_by (tree body, tns_data_reach *reach)
{
  tns_touches touched;
  touched.data = NULL;
  touched.reach = reach;
  touched.all = 0;
  tns_data_touch (body, &touched);
  return touched.all;
}

/* REACH is of nothing.  */
static bool
is_empty (const tns_data_reach *reach)
{
  return !reach->reads && !reach->writes && reach->object.is_empty ();
}

/* Remember that calls of FNDECL touch what is within REACH, which is taken, and
   any array for USE.  */
static void
remember_host (tree fndecl, int use, tns_data_reach *reach)
{
  tns_data_call kind = use & TRM_CUDA_WRITE ? TNS_CALL_HOST
                       : use                ? TNS_CALL_READ
                       : is_empty (reach)   ? TNS_CALL_NOTHING
                                            : TNS_CALL_HANDED;
  if (kind == TNS_CALL_READ && reach->writes)
    kind = TNS_CALL_HOST;
  for (unsigned k = 0; kind == TNS_CALL_READ && k < reach->use.length (); k++)
    if (reach->use[k] & TRM_CUDA_WRITE)
      kind = TNS_CALL_HOST;
  if (kind != TNS_CALL_HANDED)
    {
      delete reach;
      reach = NULL;
    }
  tns_data_remember (fndecl, kind, reach);
}

/* Remember what calls of FNDECL do.  */
static void
look_at (tree fndecl)
{
  doings found = {};
  walk_tree (&DECL_SAVED_TREE (fndecl), find_doings, &found, NULL);
  if (found.anything)
    return;
  tns_data_reach *reach = new tns_data_reach;
  int use = touched_by (DECL_SAVED_TREE (fndecl), reach);
  if (!found.runs)
    {
      remember_host (fndecl, use, reach);
      return;
    }
  if ((!use && is_empty (reach)) || ask_itself (fndecl))
    tns_data_remember (fndecl, TNS_CALL_KEEPS, NULL);
  delete reach;
}

void
tns_data_derived (tree fndecl, bool on_device)
{
  tns_data_remember (fndecl, on_device ? TNS_CALL_KEEPS : TNS_CALL_HOST, NULL);
}

void
tns_data_function (const tns_walk *walk)
{
  if (!walk->is_broken)
    {
      arena = tns_arena_new (tns_allocator_malloc ());
      options = walk->options;
      look_at (walk->fndecl);
      walk_tree_without_duplicates (&DECL_SAVED_TREE (walk->fndecl),
                                    take_blocks, NULL);
      tns_arena_free (arena);
    }
  devices.empty ();
  fallbacks.empty ();
  wholes.empty ();
  kept.empty ();
}
