/* Vectors that GCC builds inside a conversion, set apart in time.

     _2 = VIEW_CONVERT_EXPR<vector(4) unsigned long> ({_1, _1, _1, _1});
   ->
     _3 = {_1, _1, _1, _1};
     _2 = VIEW_CONVERT_EXPR<vector(4) unsigned long> (_3);

   GCC's forwprop writes the first form where a part of a vector of equal lanes
   is stored as another type (lowering/generic-parts.cc): match.pd's rule for
   BIT_FIELD_REF of a CONSTRUCTOR.  PRE, of GCC 11 and 12, then looks at the
   operand as a constant: it moves the conversion to where _1 is not set, and
   the compiler crashes, or takes _1 of another iteration.  So each function is
   looked through before PRE, in units in which the plug-in has written a
   function, and in lto1, where all functions of the program are.  */

#ifndef TNS_PLUGIN_UNNEST_HH
#define TNS_PLUGIN_UNNEST_HH

/* Watch the passes from now on.  */
extern void tns_unnest_register (const char *plugin_name);

#endif
