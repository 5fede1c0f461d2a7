/* What the tests of the runtime share: claims that are told, and counted.  */

#ifndef TRM_EXPECT_H
#define TRM_EXPECT_H

#include <stdbool.h>

#include "tensorrt-mini.h"

/* Print PASS or FAIL and NAME, as printf; the exit status of main.  */
extern void expect (bool claim, const char *name, ...)
  __attribute__ ((format (printf, 2, 3)));
extern int expect_status (void);

/* Whether A has B's shape and type, and each element differs by at most BOUND
   times the larger of 1 and the element; two NaNs are equal.  */
extern bool expect_close (const trm_tensor *a, const trm_tensor *b,
                          double bound);

/* Whether the thread's last failure was STATUS and its message contains TEXT;
   the failure is forgotten.  */
extern bool expect_failed (trm_status status, const char *text);

#endif
