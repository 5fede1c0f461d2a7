/* Which of GCC's passes look at a region's function.

   GCC cleans up between its passes: it propagates constants four times,
   removes dead stores five times, and looks for loops to unroll whole before
   and after those that make vectors.  In a function of ours whose inner loops
   all have lanes already, most of this finds nothing: its code comes folded,
   without copies, with its addresses shared.  The passes of the table below
   leave the same instructions there, but each takes its part of the time; so
   GCC is told, as it asks before each pass, to go on without them.

   Some of them find nothing in our loops without lanes either.

   Such a function carries an attribute that nobody can write.  What GCC makes
   of it, the part that threads run or a copy for constants, carries it too.  */

#include "lowering/build.hh"

/* The attribute of functions whose inner loops all have lanes, and of
   others.  */
#define LANES "tensor lanes"
#define LOOPS "tensor loops"

/* A pass, by the name of its dump.  anywhere: it finds nothing in loops without
   lanes either.  */
typedef struct idle_pass
{
  const char *name;
  bool anywhere;
} idle_pass;

/* The passes, in the order of their names.  */
static const idle_pass idle[]
  = { { "rtl-ce2", false },         { "rtl-cmpelim", false },
      { "rtl-cse_local", true },    { "rtl-dce", false },
      { "rtl-dse1", true },         { "rtl-dse2", false },
      { "rtl-loop2_unroll", true }, { "rtl-ree", false },
      { "rtl-rtl_dce", false },     { "rtl-stv1", true },
      { "rtl-ud_dce", true },       { "tree-backprop", true },
      { "tree-bswap", false },      { "tree-ccp1", false },
      { "tree-ccp3", false },       { "tree-ccp4", false },
      { "tree-cdce", false },       { "tree-cddce3", false },
      { "tree-copyprop1", false },  { "tree-copyprop2", false },
      { "tree-copyprop3", false },  { "tree-cunrolli", false },
      { "tree-dce2", false },       { "tree-dce3", false },
      { "tree-dse1", false },       { "tree-dse2", false },
      { "tree-dse3", false },       { "tree-dse5", true },
      { "tree-ealias", false },     { "tree-esra", false },
      { "tree-fre3", false },       { "tree-isolate-paths", false },
      { "tree-ivcanon", false },    { "tree-laddress", true },
      { "tree-lversion", false },   { "tree-phiopt1", false },
      { "tree-phiopt3", false },    { "tree-phiprop", true },
      { "tree-sra", false },        { "tree-store-merging", false },
      { "tree-strlen1", true },     { "tree-tailc", true },
      { "tree-tailr1", true },      { "tree-tailr2", true },
      { "tree-uncprop1", true },    { "tree-waccess1", true },
      { "tree-waccess2", true },    { "tree-waccess3", true },
      { "tree-walloca1", true },    { "tree-walloca2", true },
      { "tree-wrestrict", true } };

/* For bsearch: NAME, a text, against *ROW of the table.  */
static int
compare_name (const void *name, const void *row)
{
  return strcmp ((const char *) name, ((const idle_pass *) row)->name);
}

/* The row of PASS; NULL: it has none.  */
static const idle_pass *
find_row (const opt_pass *pass)
{
  if (pass->static_pass_number <= 0)
    return NULL;
  const dump_file_info *file
    = g->get_dumps ()->get_dump_file_info (pass->static_pass_number);
  if (!file || !file->swtch)
    return NULL;
  return (const idle_pass *) bsearch (
    file->swtch, idle, sizeof idle / sizeof *idle, sizeof *idle, compare_name);
}

/* Whether PASS finds nothing in FN.  */
static bool
is_idle (const opt_pass *pass, tree fn)
{
  bool has_lanes = lookup_attribute (LANES, DECL_ATTRIBUTES (fn));
  if (!has_lanes && !lookup_attribute (LOOPS, DECL_ATTRIBUTES (fn)))
    return false;
  const idle_pass *row = find_row (pass);
  return row && (has_lanes || row->anywhere);
}

/* PLUGIN_OVERRIDE_GATE: OPEN says whether the current pass shall look at the
   current function.  */
static void
on_gate (void *open, void *)
{
  bool *is_open = (bool *) open;
  tree fn = current_function_decl;
  if (*is_open && fn && current_pass && is_idle (current_pass, fn))
    *is_open = false;
}

void
tns_generic_register (const char *plugin_name)
{
  register_callback (plugin_name, PLUGIN_OVERRIDE_GATE, on_gate, NULL);
}

void
tns_build_spare (tree fn, bool has_lanes)
{
  tree mark = get_identifier (has_lanes ? LANES : LOOPS);
  DECL_ATTRIBUTES (fn) = tree_cons (mark, NULL_TREE, DECL_ATTRIBUTES (fn));
}
