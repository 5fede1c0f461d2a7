/* #pragma tensor data: arrays that stay on a device while a block runs.  */

#ifndef TNS_PLUGIN_DATA_HH
#define TNS_PLUGIN_DATA_HH

#include "plugin/walk.hh"

/* DEVICE is the dispatch to kernels that stands in place of STMT[0..N), and, if
   there is one, of MADE, the dispatch to their CPU version, both inside of
   it.  */
extern void tns_data_note_device (tree device, tree *stmt, int n, tree made);

/* MADE, the dispatch to a region's CPU version, does what the loops inside of
   it do: they are looked at as one.  */
extern void tns_data_note_whole (tree made);

/* The regions of WALK's function are in place: its data blocks become calls
   of the runtime, their other statements ask for what they touch, and what
   calls of the function may do is remembered.  */
extern void tns_data_function (const tns_walk *walk);

/* Remember what calls of FNDECL, a derived function, do: all of its work is a
   dispatch to a device, or done on the host.  */
extern void tns_data_derived (tree fndecl, bool on_device);

#endif
