/* Finds the marked statements of a function, runs the pipeline on each, and
   puts the result in place or keeps the original.  */

#ifndef TNS_PLUGIN_WALK_HH
#define TNS_PLUGIN_WALK_HH

#include "plugin/options.hh"

extern "C"
{
#include "driver/pipeline.h"
}

/* The function being walked.  is_broken: the user's errors are in it.  */
typedef struct tns_walk
{
  tree fndecl;
  const tns_options *options;
  bool is_broken;
} tns_walk;

/* Statements that are to be one region: STMT[0..N), one after the other in
   their list.  Where its innermost loops have fewer than LEAST iterations, it
   runs as written.  */
typedef struct tns_cover
{
  tree *stmt;
  int n;
  int least;
} tns_cover;

/* INIT stands between the parentheses of LOOP.  */
extern bool tns_is_init_of (tree init, tree loop);

/* What a pragma before the statement at I covers; n is 0 when neither a loop
   nor a block stands there.  */
extern tns_cover tns_cover_of (tns_arena *arena, tree_stmt_iterator i);

/* A context for WISH.  */
extern tns_ctx *tns_context_new (const tns_options *options,
                                 const tns_wish *wish);

/* Compile what FOUND covers, which CTX's wish is about; the tree that replaces
   it, NULL_TREE when the user's statements stay.  */
extern tree tns_compile_covered (const tns_walk *walk, tns_ctx *ctx,
                                 const tns_cover *found, tns_result *result);

/* PLUGIN_PRE_GENERICIZE: FNDECL's body is as the parser left it.  */
extern void tns_walk_function (tree fndecl, const tns_options *options);

#endif
