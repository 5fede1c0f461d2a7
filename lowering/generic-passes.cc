/* Which of GCC's passes look at a region's function.

   GCC cleans up between its passes: it propagates constants four times,
   removes dead stores five times, and looks for loops to unroll whole before
   and after those that make vectors.  In a function of ours whose inner loops
   all have lanes already, most of this finds nothing: its code comes folded,
   without copies, with its addresses shared.  The passes of the table below
   leave the same instructions there, but each takes its part of the time; so
   GCC is told, as it asks before each pass, to go on without them.

   Such a function carries an attribute that nobody can write.  What GCC makes
   of it, the part that threads run or a copy for constants, carries it too.  */

#include "lowering/build.hh"

/* The attribute.  */
#define MARK "tensor lanes"

/* The passes, by the names of their dumps, in order.  */
static const char *const idle[]
  = { "rtl-ce2",        "rtl-cmpelim",   "rtl-loop2_unroll",
      "rtl-ud_dce",     "tree-backprop", "tree-bswap",
      "tree-ccp1",      "tree-ccp3",     "tree-ccp4",
      "tree-cdce",      "tree-cddce3",   "tree-copyprop1",
      "tree-copyprop2", "tree-cunrolli", "tree-dce2",
      "tree-dce3",      "tree-dse1",     "tree-dse2",
      "tree-dse3",      "tree-dse5",     "tree-ealias",
      "tree-esra",      "tree-fre3",     "tree-isolate-paths",
      "tree-ivcanon",   "tree-laddress", "tree-lversion",
      "tree-phiprop",   "tree-sra",      "tree-store-merging",
      "tree-strlen1",   "tree-tailc",    "tree-tailr1",
      "tree-tailr2",    "tree-uncprop1", "tree-waccess1",
      "tree-waccess2",  "tree-waccess3", "tree-walloca1",
      "tree-walloca2",  "tree-wrestrict" };

/* For bsearch: NAME, a text, against *ROW of the table.  */
static int
compare_name (const void *name, const void *row)
{
  return strcmp ((const char *) name, *(const char *const *) row);
}

/* Whether PASS is in the table.  */
static bool
is_idle (const opt_pass *pass)
{
  if (pass->static_pass_number <= 0)
    return false;
  const dump_file_info *file
    = g->get_dumps ()->get_dump_file_info (pass->static_pass_number);
  return file && file->swtch
         && bsearch (file->swtch, idle, sizeof idle / sizeof *idle,
                     sizeof *idle, compare_name);
}

/* PLUGIN_OVERRIDE_GATE: OPEN says whether the current pass shall look at the
   current function.  */
static void
on_gate (void *open, void *)
{
  bool *is_open = (bool *) open;
  tree fn = current_function_decl;
  if (*is_open && fn && current_pass
      && lookup_attribute (MARK, DECL_ATTRIBUTES (fn))
      && is_idle (current_pass))
    *is_open = false;
}

void
tns_generic_register (const char *plugin_name)
{
  register_callback (plugin_name, PLUGIN_OVERRIDE_GATE, on_gate, NULL);
}

void
tns_build_spare (tree fn)
{
  DECL_ATTRIBUTES (fn)
    = tree_cons (get_identifier (MARK), NULL_TREE, DECL_ATTRIBUTES (fn));
}
