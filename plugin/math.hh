/* Functions of math.h and predicates of numbers, as plugin/extract-math.cc
   reads them.  */

#ifndef TNS_PLUGIN_MATH_HH
#define TNS_PLUGIN_MATH_HH

#include "plugin/reader.hh"

/* The value of CALL of the built-in function CODE; *KNOWN tells whether it is
   one of these, and NULL is then a refusal.  */
extern tns_expr *tns_read_math (tns_reader *reader, tree call,
                                enum built_in_function code, bool *known);

/* How many results FNDECL stores where its last arguments point; 0 for what is
   none of these.  */
extern int tns_results_of (tree fndecl);

/* EXPR, the real or the imaginary part of a complex number: the cosine or the
   sine of an angle, else refused.  */
extern tns_expr *tns_read_part (tns_reader *reader, tree expr);

#endif /* TNS_PLUGIN_MATH_HH */
