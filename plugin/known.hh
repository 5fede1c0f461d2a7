/* What nobody changes: objects of C whose values a compiler can know.  */

#ifndef TNS_PLUGIN_KNOWN_HH
#define TNS_PLUGIN_KNOWN_HH

#include "plugin/reader.hh"

/* BODY gives OBJECT, a variable, or a part of it, another value, or takes its
   address.  */
extern bool tns_changes (tree body, tree object);

/* CST, a floating constant, as a number of type ELEM, through the bits of the
   host's own type.  */
extern tns_expr *tns_real_of_tree (tns_arena *arena, tns_elem elem, tree cst);

/* Let the symbol of BASE tell what its elements are, where BASE is an array of
   constants:

     static const int ex[3] = { 0, 1, -1 };

   It is const, or a variable of the function that this never changes; the
   whole program has this definition; its elements are numbers, TNS_MOST_HELD
   at most.  Else nothing happens.  */
extern void tns_hold_elements (const tns_reader *reader, tns_base *base);

/* EXPR is pure, but for elements of arrays of constants that it reads.  */
extern bool tns_is_settled (const tns_expr *expr);

#endif
