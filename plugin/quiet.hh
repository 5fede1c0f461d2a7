/* Functions that the plug-in writes, and GCC's warnings about values.

   Such a function is compiled for all sizes at once: in a branch that a size
   never takes GCC may see a subscript that would lie outside, or a number that
   would not be set, and it looks at references that it has folded itself, which
   forget that they are not to be warned about.  Of these functions it says
   nothing; the loops as written stay in the user's, of which it says what it
   would without the plug-in.  */

#ifndef TNS_PLUGIN_QUIET_HH
#define TNS_PLUGIN_QUIET_HH

/* Whether FN, which may be NULL_TREE, is one that the plug-in wrote.  */
extern bool tns_quiet_is_written (tree fn);

/* Watch the passes from now on.  */
extern void tns_quiet_register (const char *plugin_name);

#endif
