/* What the files that load objects share.  Not installed.  */

#ifndef TRM_LOAD_OWN_H
#define TRM_LOAD_OWN_H

#include "trm-load.h"

/* load.c: open the object at PATH and make its operations known; it has to have
   a table of them where NEEDS_TABLE.  NAME begins messages.  */
extern trm_code *trm_code_open (const char *name, const char *path,
                                bool needs_table);

#endif
