/* The loops inside what was refused as a whole.

     #pragma tensor
     for (int len = 2; len <= n; len *= 2)      refused: step
       for (...) for (...) ...                  a region of its own

   What a statement list holds is tried in runs, as long as nothing in them
   leaves the run and nothing that the run declares is in scope behind it; a
   run that is refused too is tried around what it calls outside of loops, then
   statement by statement, and then what is inside these.  Each has the words of
   the pragma but temp, independent and assume, which are about the whole.  They
   run again and again, and what is tested before them may take as long as they
   do: where they have few iterations they run as written.  */

#ifndef TNS_PLUGIN_INSIDE_HH
#define TNS_PLUGIN_INSIDE_HH

#include "plugin/walk.hh"

/* A region that was taken, to be told of.  */
typedef struct tns_taken
{
  tns_ctx *ctx;
  tns_result result;
  struct tns_taken *next;
} tns_taken;

/* The N statements from FROM on, a scop or what else a pragma covers, were
   refused, as CTX says: put regions in the place of what is inside, and note in
   CTX what is left as written beside them, and why.  The regions, in the order
   of the text; NULL where there are none, as where pragmas stand inside or the
   pragma requires something.  */
extern tns_taken *tns_take_inside (const tns_walk *walk, tns_ctx *ctx,
                                   tree_stmt_iterator from, int n,
                                   bool is_scop);

/* Tell of each of TAKEN, and end its context.  */
extern void tns_tell_inside (const tns_walk *walk, tns_taken *taken);

#endif
