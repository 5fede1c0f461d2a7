/* Symbols of a region and GCC's trees for them.

   Parallel to region->syms: row [sym->id] says how the enclosing function
   names what the symbol stands for.

     VALUE          tree is an expression of the value, free of side effects,
                    invariant in the region
     ARRAY, rank>0  tree is an expression of the address of element 0
     ARRAY, rank 0  tree is the variable itself (an lvalue)
     LOCAL          tree is the user's VAR_DECL, or NULL_TREE for ours
     ITER           tree is the user's VAR_DECL
     FUNCTION       tree is its FUNCTION_DECL

   A tree used twice must be unshared by its user (unshare_expr).

   Life: GGC collects only between functions, and a table lives within one
   PLUGIN_PRE_GENERICIZE callback, so its trees need no root.  What outlives
   the callback (bodies kept for inlining) is in one registered root in
   plugin/keep.cc.  */

#ifndef TNS_PLUGIN_SYMBOLS_HH
#define TNS_PLUGIN_SYMBOLS_HH

#include "plugin/gcc.hh"

extern "C"
{
#include "ir/nest.h"
}

/* A pointer variable of the user that the region moves, and a number of bytes,
   a variable of ours that the region sets: by how many (plugin/moved.hh).  */
typedef struct tns_moved
{
  tree pointer;
  tree bytes;
} tns_moved;

typedef struct tns_symbols
{
  int n;
  int room;
  tree *trees;
  int n_moved;
  tns_moved *moved;
} tns_symbols;

extern tns_symbols *tns_symbols_new (tns_arena *arena);

/* Set the tree of SYM; the table grows as needed.  */
extern void tns_symbols_set (tns_arena *arena, tns_symbols *symbols,
                             const tns_sym *sym, tree expr);

/* The tree of SYM, NULL_TREE when there is none.  */
extern tree tns_symbols_get (const tns_symbols *symbols, const tns_sym *sym);

/* The GCC type of values of TYPE (vector types included), and back: false
   when ours has no such type.  */
extern tree tns_type_tree (tns_type type);
extern bool tns_type_of_tree (tree type, tns_elem *elem);

/* LOC as ours.  */
extern tns_loc tns_loc_of (location_t loc);

#endif
