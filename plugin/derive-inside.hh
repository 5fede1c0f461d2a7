/* The parts of plugin/derive.cc share this: the gradient that is being
   written.

     derive.cc        what waits for what; compiled twice, told
     derive-call.cc   f as if the gradient called it
     derive-wish.cc   the names in the pragma as symbols of a region
     derive-body.cc   the prototype becomes a function  */

#ifndef TNS_PLUGIN_DERIVE_INSIDE_HH
#define TNS_PLUGIN_DERIVE_INSIDE_HH

#include "plugin/options.hh"
#include "plugin/symbols.hh"

extern "C"
{
#include "driver/differentiate.h"
}

/* The gradient G of F.

   variables  its own, last first
   parms      F's parameters
   arguments  by parameter of F: what it is called with
   absent     by parameter of F: that is nothing of the caller's
   result     the variable that F's result goes to, or NULL_TREE
   seed       the variable that its adjoint comes in, or NULL_TREE
   unsure     the last way that was compiled does not know whether what an
              array held at the entry is read  */
typedef struct tns_derivation
{
  tree g;
  tree f;
  const tns_wish *wish;
  const tns_options *options;
  tree variables;
  tree result;
  tree seed;
  bool unsure;
  auto_vec<tree> parms;
  auto_vec<tree> arguments;
  auto_vec<bool> absent;
} tns_derivation;

/* The place of the pragma.  */
extern location_t tns_derive_place (const tns_wish *wish);

/* The parameter of FNDECL called NAME, or NULL_TREE.  */
extern tree tns_derive_parameter (tree fndecl, const char *name);

/* A variable of G of TYPE, called NAME.  */
extern tree tns_derive_variable (tns_derivation *d, tree name, tree type);

/* Find what F's parameters are called with.  False with the error given.  */
extern bool tns_derive_arguments (tns_derivation *d);

/* G's result is of a type that it may have.  False with the error given.  */
extern bool tns_derive_check_result (const tns_derivation *d);

/* With the primal G may write what F writes, REGION.  False with the error
   given.  */
extern bool tns_derive_check_const (const tns_derivation *d,
                                    const tns_region *region,
                                    const tns_symbols *symbols);

/* The call of F; its result, if it has one, goes to a variable.  */
extern tree tns_derive_call (tns_derivation *d);

/* The parameter of REGION that is at ROOT, or NULL.  */
extern tns_sym *tns_derive_symbol_at (const tns_region *region,
                                      const tns_symbols *symbols, tree root);

/* Fill WISH with what the pragma asks of REGION, where values that have
   adjoints become cells.  False with the error given.  */
extern bool tns_derive_wish (const tns_derivation *d, tns_ctx *ctx,
                             tns_region **region, const tns_symbols *symbols,
                             tns_gradient_wish *wish);

/* Tell SYMBOLS the adjoints of WISH.  */
extern void tns_derive_set_adjoints (const tns_derivation *d, tns_ctx *ctx,
                                     tns_symbols *symbols,
                                     const tns_gradient_wish *wish);

/* Make G's prototype a function whose body is BODY, for now.  */
extern void tns_derive_open (tns_derivation *d, tree body);

/* G is BODY, and what stands around it.  */
extern void tns_derive_close (tns_derivation *d, tree body);

/* G stays a declaration.  */
extern void tns_derive_drop (tns_derivation *d);

/* What is done when there is no memory: G returns 1, or the program ends with
   a message.  */
extern tree tns_derive_give_up (tns_derivation *d);

#endif
