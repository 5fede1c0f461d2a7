/* Elements of memory that a region writes.  */

#ifndef TRM_ELEMENT_H
#define TRM_ELEMENT_H

#include <stddef.h>

#include "abi.h"

/* A type of element.  kind is S signed, U unsigned, F floating; digits and
   min_exponent as in <float.h>.  */
typedef struct trm_element_type
{
  const char *name;
  int bytes;
  char kind;
  int digits;
  int min_exponent;
} trm_element_type;

/* The type called NAME; unsigned bytes when there is none.  */
extern const trm_element_type *trm_element_find (const char *name);

/* The value at ADDRESS of a floating TYPE.  */
extern long double trm_element_float (const trm_element_type *type,
                                      const void *address);

/* How many units in the last place of the larger one A and B are apart.
   Two NaNs are 0 apart, a NaN and a number are NaN apart.  */
extern long double trm_element_ulps (const trm_element_type *type,
                                     long double a, long double b);

/* The value at ADDRESS, and the name of SPAN's element number E counted
   from its base (x[3][4]), as text cut to BYTES.  */
extern void trm_element_value (char *text, size_t bytes,
                               const trm_element_type *type,
                               const void *address);
extern void trm_element_name (char *text, size_t bytes, const trm_span *span,
                              int64_t e);

#endif
