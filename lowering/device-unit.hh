/* The kernels of a translation unit: one trm_cuda_unit (libtensorrt-mini/
   abi-cuda.h) for all of its regions, which is complete when all functions have
   been read.  */

#ifndef TNS_LOWERING_DEVICE_UNIT_HH
#define TNS_LOWERING_DEVICE_UNIT_HH

#include "plugin/gcc.hh"

extern "C"
{
#include "base/ctx.h"
#include "lowering/grid.h"
}

/* GRID's kernels join the unit; its variable.  *FIRST is the number of the
   first of them.  */
extern tree tns_unit_add (tns_ctx *ctx, const tns_grid *grid, int *first);

/* The program has kernels.  Where the first region with some is.  */
extern bool tns_unit_is_used (void);
extern location_t tns_unit_place (void);

/* The text of all kernels, in ARENA; the options of its compilers; whether it
   has products of warpgroups.  */
extern const char *tns_unit_text (tns_arena *arena);
extern const char *tns_unit_options (void);
extern bool tns_unit_has_groups (void);

/* No region comes any more, and the passes over the program have not begun: the
   unit becomes what it is, with the fat binary IMAGE of BYTES bytes; NULL:
   there is none.  */
extern void tns_unit_finish (tns_arena *arena, const char *image, size_t bytes);

/* Have the garbage collector spare what is kept here.  Called once.  */
extern void tns_unit_register (const char *plugin_name);

#endif
