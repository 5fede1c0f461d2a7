/* -fplugin-arg-tensor-KEY[=VALUE].  */

#ifndef TNS_PLUGIN_OPTIONS_HH
#define TNS_PLUGIN_OPTIONS_HH

#include "plugin/gcc.hh"

extern "C"
{
#include "base/wish.h"
#include "schedule/machine.h"
}

typedef enum tns_report_level
{
  TNS_REPORT_ALL,
  TNS_REPORT_MISSED,
  TNS_REPORT_NONE
} tns_report_level;

/* The command line's options.

   plan     the text of the file, not its name
   machine  NULL: the one that GCC compiles for
   cuda_arch  devices, "none", or NULL: the usual ones
   fault    stages that a fault is planted in
   wish     the defaults of every clause  */
typedef struct tns_options
{
  tns_report_level report;
  const char *report_json;
  const char *dump;
  const char *plan;
  const char *emit_c;
  const char *extract;
  const char *graph;
  const tns_machine *machine;
  const char *cuda_arch;
  const char *fault;
  bool scop;
  tns_wish wish;
} tns_options;

/* Fill OPTIONS from ARGV; errors are given as GCC's.  help prints every
   option.  */
extern void tns_options_read (tns_options *options, int argc,
                              struct plugin_argument *argv);

#endif
