/* Conditions of assume (...) as GCC's trees.  */

#ifndef TNS_PRAGMAS_FACT_HH
#define TNS_PRAGMAS_FACT_HH

#include "plugin/gcc.hh"

extern "C"
{
#include "pragmas/condition.h"
}

/* The expression of CONDITION, its names looked up in the scope that is
   being parsed.  error_mark_node, with the error given at its place, when
   one is not there or the types do not fit.  */
extern tree tns_fact_tree (const tns_condition *condition);

/* What CONDITION, a place, stands for; likewise.  */
extern tree tns_place_tree (const tns_condition *condition);

/* Member NAME of OBJECT, or of what it points to; likewise.  */
extern tree tns_member_tree (tree object, bool pointed, const char *name,
                             location_t loc);

#endif
