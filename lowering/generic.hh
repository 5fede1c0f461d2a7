/* Scheduled IR -> GCC trees.

   A region becomes a static function of its own beside the user's,

     static int NAME.tensor.N (params of the region)

   which evaluates the guards, returns 0 without having written anything when
   one does not hold (or memory for a temporary is not to be had), else does
   the region's work and returns 1.  VALUE parameters by value, arrays and
   cells by address.  It keeps the optimize and target attributes of the
   enclosing function.  The user's statements stay where they are, as the
   other branch of a small dispatch (libtensorrt-mini/abi.h shows it).  */

#ifndef TNS_LOWERING_GENERIC_HH
#define TNS_LOWERING_GENERIC_HH

#include "plugin/symbols.hh"

extern "C"
{
#include "driver/pipeline.h"
}

/* What was made for a region.

   fn         its function
   bytes      of its block of memory, an expression over the trees of VALUEs
   automatic  of its automatic arrays, a number: on each thread's stack  */
typedef struct tns_generated
{
  tree fn;
  tree bytes;
  tree automatic;
} tns_generated;

/* Build the function of RESULT->out and the statement that replaces
   ORIGINAL (a statement or statement list of FNDECL): the dispatch, with
   ORIGINAL inside.  Nothing is changed before success; NULL_TREE with
   TNS_WHY_INTERNAL said when something cannot be built.  *MADE is filled where
   MADE is not NULL.  */
extern tree tns_generic (tns_ctx *ctx, const tns_result *result,
                         const tns_symbols *symbols, tree fndecl, tree original,
                         tns_generated *made);

/* It turns out that FN, made above, hardly ever runs: GCC need not work hard
   for it.  */
extern void tns_generic_is_rare (tree fn);

/* The same function, which nobody counts, and the call of it, an int, for a
   function beside FNDECL: the symbols' trees are there as SYMBOLS says, cells
   in memory.  */
extern tree tns_generic_call (tns_ctx *ctx, const tns_result *result,
                              const tns_symbols *symbols, tree fndecl);

/* A static function called NAME of TYPE, without parameters yet.  */
extern tree tns_build_function (tree name, tree type);

/* Give FN, a declaration, what a definition has: a result and a scope.  */
extern void tns_build_open (tree fn);

/* The same, FN is a prototype of the user's: its parameters are, too, what a
   definition has.  */
extern void tns_build_define (tree fn);

/* Give FN the body BODY, in which the chain VARIABLES (last first) is
   declared, and hand it to GCC.  */
extern void tns_build_finish (tree fn, tree variables, tree body);

/* Have GCC ask us which passes look at the functions that we build.  Called
   once.  */
extern void tns_generic_register (const char *plugin_name);

#endif
