/* Arguments made up for a region, so that it can be executed.  */

#ifndef TNS_DRIVER_ARGUMENTS_H
#define TNS_DRIVER_ARGUMENTS_H

#include "base/text.h"
#include "ir/eval.h"

/* One value given by name: NAME=NUMBER.  */
typedef struct tns_setting
{
  const char *name;
  long double value;
} tns_setting;

/* How arguments are made.

   settings   values of VALUEs; others are 5 (integers) or 1.5
   room       elements of an array whose extents are not all known
   seed       of the arrays' contents  */
typedef struct tns_argument_wish
{
  const tns_setting *settings;
  int n_settings;
  long long room;
  unsigned seed;
} tns_argument_wish;

/* An argument for each parameter of REGION.  Integers in arrays are 0 to 9,
   floating numbers multiples of 1/8 from -4 to 4, truth values both.  The
   same seed gives an array of the same name the same contents, whatever its
   shape.  */
extern tns_argument *tns_arguments_new (tns_arena *arena,
                                        const tns_region *region,
                                        const tns_argument_wish *wish);

/* Copies of ARGUMENT with arrays of their own.  */
extern tns_argument *tns_arguments_copy (tns_arena *arena,
                                         const tns_region *region,
                                         const tns_argument *argument);

/* A number that depends on all bits of SYM's elements.  */
extern unsigned long long tns_argument_checksum (const tns_sym *sym,
                                                 const tns_argument *argument);

/* Print up to MOST elements of SYM.  */
extern void tns_argument_print (tns_text *text, const tns_sym *sym,
                                const tns_argument *argument, long long most);

#endif
