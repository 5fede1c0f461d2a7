/* The parts of plugin/derive.cc share this: the gradient that is being
   written.

     derive.cc        what waits for what; compiled twice, told
     derive-call.cc   f as if the gradient called it
     derive-own.cc    what the gradient's own parameters are for
     derive-place.cc  the names in the pragma as places
     derive-wish.cc   the places as symbols of a region
     derive-rows.cc   several directions: how many, and how they lie
     derive-body.cc   the prototype becomes a function
     derive-look.cc   what it must know of memory before it runs
     derive-memory.cc its memory, where the caller gives it
     derive-check.cc  what its check at run time needs  */

#ifndef TNS_PLUGIN_DERIVE_INSIDE_HH
#define TNS_PLUGIN_DERIVE_INSIDE_HH

#include "plugin/options.hh"
#include "plugin/symbols.hh"
#include "pragmas/fact.hh"

extern "C"
{
#include "driver/differentiate.h"
#include "driver/pipeline.h"
#include "ir/window.h"
}

/* The gradient G of F.

   variables  its own, last first
   parms      F's parameters
   arguments  by parameter of F: what it is called with
   absent     by parameter of F: that is nothing of the caller's
   result     the variable that F's result goes to, or NULL_TREE
   seed       the variable that its adjoint comes in, or NULL_TREE
   adjoints   by seed of the last wish: where its adjoint is
   bytes      with workspace: how many G needs at most, over its parameters
   way_bytes  how many the last way needs that was compiled
   unbound    it has no time loop: what it takes in memory is bounded as a whole
   made       the function of the last way that was compiled
   lack       what is done where there is no memory
   least      the variable that the least bytes that can do go to where those
              given cannot, or NULL_TREE
   limit      the variable that bounds these bytes, NULL_TREE: none does
   again      where the way begins that keeps within LIMIT
   enter, leave  what TRM_GRADCHECK needs before and after G's work, or
              NULL_TREE
   has_loop   the last way that was compiled tapes a time loop
   unsure     the last way that was compiled does not know whether what an
              array held at the entry is read
   has_calls  functions that work on arrays are called: only the careful way
              can be
   on_device  all that it does is a dispatch to a device
   window     what is asked of its windows  */
typedef struct tns_derivation
{
  tree g;
  tree f;
  const tns_wish *wish;
  const tns_options *options;
  tree variables;
  tree result;
  tree seed;
  tree bytes;
  tree way_bytes;
  tree made;
  tree lack;
  tree least;
  tree limit;
  tree again;
  tree enter;
  tree leave;
  bool has_loop;
  bool unbound;
  bool unsure;
  bool has_calls;
  bool on_device;
  tns_window window;
  auto_vec<tree> adjoints;
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

/* Each parameter of G is for something.  False with the error given.  */
extern bool tns_derive_check_own (const tns_derivation *d);

/* G's result is of a type that it may have.  False with the error given.  */
extern bool tns_derive_check_result (const tns_derivation *d);

/* With the primal G may write what F writes, REGION.  False with the error
   given.  */
extern bool tns_derive_check_const (const tns_derivation *d,
                                    const tns_region *region,
                                    const tns_symbols *symbols);

/* G has the parameter that workspace asks for.  False with the error
   given.  */
extern bool tns_derive_check_workspace (const tns_derivation *d);

/* RESULT's region takes its memory there.  */
extern void tns_derive_use_workspace (const tns_derivation *d, tns_ctx *ctx,
                                      tns_result *result, tns_symbols *symbols);

/* One way of G needs BYTES.  */
extern void tns_derive_add_bytes (tns_derivation *d, tree bytes);

/* The bytes are known before G runs.  False with the error given.  */
extern bool tns_derive_check_bytes (const tns_derivation *d);

/* G is written: the function that gives its bytes can be.  */
extern void tns_derive_keep_bytes (const tns_derivation *d);

/* PLUGIN_REGISTER_GGC_ROOTS.  Called once.  */
extern void tns_derive_memory_register (const char *plugin_name);

/* The call of F; its result, if it has one, goes to a variable.  */
extern tree tns_derive_call (tns_derivation *d);

/* The place of what NAME speaks of among G's own parameters; error_mark_node
   with the error given.  */
extern tree tns_derive_own_place (const tns_derivation *d,
                                  const tns_wish_name *name);

/* The place of a value of F's that NAME speaks of, as G calls F; that of its
   adjoint, which takes VALUE's place.  error_mark_node with the error given.
   A value's own place is a pointer, or an object.  */
extern tree tns_derive_value (const tns_derivation *d,
                              const tns_wish_name *name);
extern tree tns_derive_adjoint (const tns_derivation *d,
                                const tns_wish_name *name, tree value);

/* The type of the elements that TYPE holds or points to, unqualified.  */
extern tree tns_element_type (tree type);

/* T is PART or reached through it.  */
extern bool tns_place_is_in (tree t, tree part);

/* What T, an object or the address of its elements, holds is gone when the
   function ends: a parameter.  */
extern bool tns_place_is_lost (tree t);

/* How many subscripts lead from PART, an object, to T, which is in it; INT_MAX
   where a pointer does.  */
extern int tns_place_depth (tree t, tree part);

/* T, which is reached through PART, with MADE in its place.  */
extern tree tns_place_exchange (tree t, tree part, tree made);

/* Fill WISH with what the pragma asks of REGION, where values that have
   adjoints become cells; adjoints of a table's rows are checked to lie as the
   rows do.  False with the error given.  */
extern bool tns_derive_wish (tns_derivation *d, tns_ctx *ctx,
                             tns_region **region, tns_symbols *symbols,
                             tns_gradient_wish *wish);

/* Where SYM of REGION, which is reached through PART, is the rows of a table:
   before REGION, check that those of the table that is reached through MADE
   lie as they do.  */
extern void tns_derive_table (tns_ctx *ctx, tns_region *region,
                              tns_symbols *symbols, const tns_sym *sym,
                              tree part, tree made);

/* Fill WISH, whose seeds are there, with the number of its directions and the
   rows of the tangents; REGION may get values.  False with the error given.  */
extern bool tns_derive_directions (const tns_derivation *d, tns_ctx *ctx,
                                   tns_region *region, tns_symbols *symbols,
                                   tns_gradient_wish *wish);

/* G's parameter that tells how many directions there are; NULL_TREE: one.
   Where the tangents along the last of them begin, which begin at FIRST along
   the first one; AT is what adjoints of D have.  */
extern tree tns_derive_directions_parameter (const tns_derivation *d);
extern tree tns_derive_last_direction (const tns_derivation *d, tree at,
                                       tree first);

/* Tell SYMBOLS the adjoints of WISH, parameters of G, or, INSIDE of it, what
   holds them there; and REGION which of its arrays do not overlap.  */
extern void tns_derive_set_adjoints (const tns_derivation *d, tns_ctx *ctx,
                                     tns_symbols *symbols,
                                     const tns_gradient_wish *wish,
                                     tns_region *region, bool inside);

/* Tell SYMBOLS the variables of G that LOOKS set.  The WAY that was compiled
   with SYMBOLS, in CTX, where they are set; NULL_TREE with the reason said.  */
extern void tns_derive_set_looks (tns_derivation *d, tns_ctx *ctx,
                                  const tns_looks *looks, tns_symbols *symbols);
extern tree tns_derive_look (tns_derivation *d, tns_ctx *ctx,
                             const tns_looks *looks, tns_symbols *symbols,
                             tree way);

/* What the adjoint of F's result is, NULL_TREE where it is not asked for.  */
extern tree tns_derive_seed (const tns_derivation *d);

/* Make G's prototype a function whose body is BODY, for now.  */
extern void tns_derive_open (tns_derivation *d, tree body);

/* G is BODY, and what stands around it.  */
extern void tns_derive_close (tns_derivation *d, tree body);

/* G gives up, and says that it needs BYTES.  */
extern tree tns_derive_needs (tns_derivation *d, tree bytes);

/* WAY, which needs BYTES, where G may have them, else OTHERWISE; NULL_TREE: G
   gives up, and says how many it needs.  False with the error given where they
   are a number and too many, and OTHERWISE is NULL_TREE.  */
extern bool tns_derive_within_bytes (tns_derivation *d, tree bytes, tree *way,
                                     tree otherwise);

/* The variables for the least bytes that can do, and for their bound.  */
extern tree tns_derive_least (tns_derivation *d);
extern tree tns_derive_limit (tns_derivation *d);

/* What a way of D that keeps within the limit does where it has no memory: it
   is tried again with half of it.  That WAY, with all of it first.  */
extern tree tns_derive_lower (tns_derivation *d);
extern tree tns_derive_within (tns_derivation *d, tree way);

/* Where D is compiled with check: make what TRM_GRADCHECK needs before and
   after what G does.  */
extern void tns_derive_check (tns_derivation *d);

/* G stays a declaration.  */
extern void tns_derive_drop (tns_derivation *d);

/* What is done when there is no memory: G returns 1, or the program ends with
   a message.  */
extern tree tns_derive_give_up (tns_derivation *d);

#endif
