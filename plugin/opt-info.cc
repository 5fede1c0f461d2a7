/* Our remarks among GCC's own: -fopt-info, -fdump-tree-all.

   A dump of ours is registered after the command line was read, too late for
   its switches: it copies what they asked of a stock loop dump.  */

#include "plugin/record.hh"

/* The number of our dump, registered when it is first needed.  */
static int
dump_number (gcc::dump_manager *dumps)
{
  static int number = -1;
  if (number >= 0)
    return number;
  const dump_file_info *stock
    = dumps->get_dump_file_info_by_switch ("tree-cunroll");
  number = dumps->dump_register (".tensor", "tree-tensor", "tensor", DK_tree,
                                 OPTGROUP_LOOP, false);
  dump_file_info *ours = dumps->get_dump_file_info (number);
  if (!stock || !ours)
    return number;
  ours->pstate = stock->pstate;
  ours->pflags = stock->pflags | MSG_ALL_KINDS | MSG_ALL_PRIORITIES;
  ours->alt_state = stock->alt_state;
  ours->alt_filename = stock->alt_filename;
  ours->alt_flags = stock->alt_flags;
  return number;
}

void
tns_opt_info (location_t loc, bool done, const char *words)
{
  int number = dump_number (g->get_dumps ());
  dump_flags_t flags;
  g->get_dumps ()->dump_start (number, &flags);
  if (dump_enabled_p ())
    dump_printf_loc (dump_metadata_t (done ? MSG_OPTIMIZED_LOCATIONS
                                           : MSG_MISSED_OPTIMIZATION),
                     dump_user_location_t::from_location_t (loc), "%s\n",
                     words);
  g->get_dumps ()->dump_finish (number);
}
