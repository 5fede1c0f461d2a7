/* The kernels of the translation unit, compiled when all functions have been
   read.  */

#ifndef TNS_PLUGIN_FATBIN_HH
#define TNS_PLUGIN_FATBIN_HH

#include "plugin/options.hh"

/* Complete the unit of kernels before GCC's passes over the program begin: by
   nvcc, unless OPTIONS, which stay where they are, say otherwise.  Called
   once.  */
extern void tns_fatbin_register (const char *plugin_name, tns_options *options);

#endif
