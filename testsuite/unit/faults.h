/* The faults of base/fault.def, as the unit tests that find them see them.  */

#ifndef TNS_TESTSUITE_FAULTS_H
#define TNS_TESTSUITE_FAULTS_H

#include <stdbool.h>

/* A fault that fault.def says FINDER, a test's name without "-test", finds, and
   that TRIES, asked with its name, does not; NULL when there is none.  */
extern const char *faults_untried (const char *finder,
                                   bool (*tries) (const char *name));

#endif
