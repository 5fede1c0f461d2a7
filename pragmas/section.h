/* The arrays of #pragma tensor data: tokens -> wish.  */

#ifndef TNS_PRAGMAS_SECTION_H
#define TNS_PRAGMAS_SECTION_H

#include "base/wish.h"
#include "pragmas/cursor.h"

/* Read what follows "data" up to the end of the line into WISH's sections.
   False with the cursor's error set.  */
extern bool tns_sections_parse (tns_cursor *cursor, tns_wish *wish);

#endif
