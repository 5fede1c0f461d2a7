/* Gradients: functions that the plug-in writes.

     #pragma tensor gradient(f) of(y: dy) wrt(x: dx)
     void f_gradient (int n, const float x[n], const float dy[n], float dx[n]);

   The prototype and the body of f may come in either order; as soon as both
   are there the prototype gets a body,

     took = f_gradient.tensor.0 (n, x, dy, dx);      planned
     if (!took)
       took = f_gradient.tensor.1 (n, x, dy, dx);    plain, right for arrays
     if (!took) stop, or return 1;                   that overlap

   A gradient that cannot be written is an error at the pragma.  */

#ifndef TNS_PLUGIN_DERIVE_HH
#define TNS_PLUGIN_DERIVE_HH

#include "plugin/options.hh"

/* FNDECL is a prototype that stood behind a gradient pragma with WISH, which
   lives as long as the compilation.  */
extern void tns_derive_declare (tree fndecl, const tns_wish *wish,
                                const tns_options *options);

/* FNDECL, a prototype of the file, may be of the function that tells how much
   memory a gradient needs:

     #pragma tensor gradient(f) of(y: dy) wrt(x: dx) workspace
     void f_gradient (int n, const float *x, const float *dy, float *dx,
                      void *workspace);
     size_t f_gradient_workspace (int n);  */
extern void tns_derive_sizes (tree fndecl);

/* A function was declared in the file, which may be one that is to be derived:
   at the end of the file nothing is declared any more.  */
extern void tns_derive_declared (void);

/* FNDECL's body is there, and kept where it may be.  */
extern void tns_derive_function (tree fndecl);

/* PLUGIN_REGISTER_GGC_ROOTS.  Called once.  */
extern void tns_derive_register (const char *plugin_name);

#endif
