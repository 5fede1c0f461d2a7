/* Every reason why a region is refused, fails or is in error: one row of
   why.def each.  */

#ifndef TNS_BASE_WHY_H
#define TNS_BASE_WHY_H

#include "base/status.h"

typedef enum tns_why
{
#define TNS_WHY(id, status, name, words) TNS_WHY_##id,
#include "base/why.def"
#undef TNS_WHY
  TNS_N_WHYS
} tns_why;

/* "volatile": the reason's name in reports and tests.  */
extern const char *tns_why_name (tns_why why);

/* Its words, a printf format whose arguments the row documents.  */
extern const char *tns_why_words (tns_why why);

/* Whether it refuses or fails.  */
extern tns_status tns_why_status (tns_why why);

#endif
