/* The loops inside what was refused as a whole.

     #pragma tensor
     for (int len = 2; len <= n; len *= 2)      refused: step
       for (...) for (...) ...                  a region of its own

   What a statement list holds is tried in runs, as long as nothing in them
   leaves the run and nothing that the run declares is in scope behind it; a
   run that is refused too is tried statement by statement, and then what is
   inside these.  Each has the words of the pragma but temp, independent and
   assume, which are about the whole.  They run again and again, and what is
   tested before them may take as long as they do: where they have few
   iterations they run as written.  */

#ifndef TNS_PLUGIN_INSIDE_HH
#define TNS_PLUGIN_INSIDE_HH

#include "plugin/walk.hh"

/* STMT is covered by a pragma of WISH and was refused: put regions in the place
   of what is inside, and tell of each, and only of these.  Where pragmas stand
   inside or the pragma requires something, nothing is done.  */
extern void tns_take_inside (const tns_walk *walk, const tns_wish *wish,
                             tree stmt);

#endif
