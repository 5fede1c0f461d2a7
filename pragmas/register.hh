/* #pragma tensor, scop and endscop as GCC's C front end hands them over.

   A pragma inside a function leaves a marker in the statement list, exactly
   before the statement it stands before; plugin/walk.cc finds it there.  A
   marker is an expression without effect: one that stays is harmless.

   Said here, as errors: misuse of the words, a pragma outside of functions,
   scop without endscop, in another block, or twice, function before
   something else, a pragma with no statement behind it in its block.  Said
   by plugin/walk.cc: a pragma before a statement that is neither a loop nor
   a block.  A mark that nobody has used when its function is finished is
   reported as refused (TNS_WHY_UNSEEN).  */

#ifndef TNS_PRAGMAS_REGISTER_HH
#define TNS_PRAGMAS_REGISTER_HH

#include "plugin/options.hh"

typedef enum tns_mark_kind
{
  TNS_MARK_REGION,
  TNS_MARK_DATA,
  TNS_MARK_SCOP,
  TNS_MARK_ENDSCOP
} tns_mark_kind;

/* wish    the clauses on top of the defaults; loc of the pragma.  The trees
           of wish.facts and wish.sections are expressions of GCC over what
           was in scope
   loc     of the pragma
   fndecl  the function it stands in
   followed  a statement follows the marker in its list; known from
           PLUGIN_PRE_GENERICIZE on
   used    set by who takes it up: it will have its verdict.  Every SCOP has
           an ENDSCOP in the same statement list

   Lives until its function is finished.  */
typedef struct tns_mark
{
  tns_mark_kind kind;
  tns_wish wish;
  location_t loc;
  tree fndecl;
  bool followed;
  bool used;
} tns_mark;

/* PLUGIN_PRAGMAS: make the pragmas known.  OPTIONS must outlive the
   compilation; its wish holds the defaults.  */
extern void tns_pragmas_register (const tns_options *options);

/* The mark that statement STMT carries, or NULL: STMT is no marker.  */
extern tns_mark *tns_mark_of_stmt (tree stmt);

/* N errors that were given are about pragmas: what the user wrote between
   them is whole.  */
extern void tns_note_misuses (int n);

/* GCC has found errors in FNDECL or in what it uses: its trees may lack what
   the user wrote.  Asked from PLUGIN_PRE_GENERICIZE on, while the outermost
   function around it is parsed.  */
extern bool tns_is_broken_function (tree fndecl);

/* FNDECL stood behind #pragma tensor function.  */
extern bool tns_is_tensor_function (tree fndecl);

#endif
