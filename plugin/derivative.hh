/* Gradients of functions of numbers that the user, or another file, has.

     double solve (double a, int k);

     #pragma tensor derivative(solve) of(return: g) wrt(a: da)
     void solve_back (double a, int k, double g, double *da)

   Where a function that is differentiated calls solve, the call stays: solve
   is a FUNCTION (base/sym.h) with the partials

     double solve_back.a (double a, int k, double g)
     {
       double da = 0;
       solve_back (a, k, g, &da);
       return da;
     }

   A gradient that is declared for a function whose body is in another file
   serves likewise.  Functions may work on arrays, too (ir/handed.h): these give
   a floating number, or write one array, and have tangents beside.  */

#ifndef TNS_PLUGIN_DERIVATIVE_HH
#define TNS_PLUGIN_DERIVATIVE_HH

#include "plugin/gcc.hh"

extern "C"
{
#include "base/sym.h"
#include "base/wish.h"
}

/* FNDECL, a prototype or a definition that begins, stood behind a derivative
   pragma with WISH, which lives as long as the compilation.  */
extern void tns_derivative_declare (tree fndecl, const tns_wish *wish);

/* FNDECL, a prototype behind a gradient pragma with WISH, may be written in
   another file.  */
extern void tns_derivative_offer (tree fndecl, const tns_wish *wish);

/* The parameters of FNDECL are known: where it is such a derivative they must
   be as the pragma says.  */
extern void tns_derivative_check (tree fndecl);

/* F has a derivative that is right.  */
extern bool tns_derivative_is_there (tree f);

/* The partial of F, which has one, in its parameter PARM, or NULL_TREE.  */
extern tree tns_derivative_partial (tree f, tree parm);

/* The derivative of F, which works on arrays, its tangent; NULL_TREE where F
   does not, or has none.  What PARM is of the derivative, or, FORWARD, of the
   tangent, about F's parameters by number.  */
extern tree tns_derivative_back (tree f);
extern tree tns_derivative_ahead (tree f);
extern tns_handed tns_derivative_handed (tree f, bool forward, tree parm);

/* PLUGIN_REGISTER_GGC_ROOTS.  Called once.  */
extern void tns_derivative_register (const char *plugin_name);

#endif
