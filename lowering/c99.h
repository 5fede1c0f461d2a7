/* Scheduled IR -> readable C with OpenMP pragmas, that any compiler takes.

   Prints   int NAME_tensor (params) { guards; loops; return 1; }
   as generic.hh builds it (NAME made an identifier), from
   result->scheduled (before registers and vectors: loops with marks become
   #pragma omp parallel for, #pragma omp simd).  The text needs only
   <math.h>, <stdint.h> and <stdlib.h>, and compiles alone; so do the texts
   of several regions in one file.  */

#ifndef TNS_LOWERING_C99_H
#define TNS_LOWERING_C99_H

#include "base/ctx.h"
#include "base/text.h"
#include "ir/nest.h"

/* What comments in the text are made of.

   words    the line of the user's text at LOC, or NULL where it is not at
            hand; may itself be NULL
   derived  the region is of a derived function, whose pragma no statement
            comes of
   forward  what holds derivatives are tangents  */
typedef struct tns_c99_source
{
  const char *(*words) (void *self, tns_loc loc);
  void *self;
  bool derived;
  bool forward;
} tns_c99_source;

/* Without SOURCE there are no comments.  */
extern void tns_c99_print (tns_ctx *ctx, tns_text *text,
                           const tns_region *region,
                           const tns_c99_source *source);

/* REGION, a derived one, as it was before it was planned, for the reader:

     void NAME_plain (params) { loops }

   int where it takes memory, which it gives back; then it returns 1, or 0
   where there is none.  */
extern void tns_c99_print_plain (tns_ctx *ctx, tns_text *text,
                                 const tns_region *region,
                                 const tns_c99_source *source);

/* What REGION's symbols are called in such texts, for its statements one by
   one: NODE, an assignment, without lanes, and SYM.  */
typedef struct tns_c99 tns_c99;
extern tns_c99 *tns_c99_begin (tns_ctx *ctx, const tns_region *region);
extern const char *tns_c99_statement (tns_c99 *c, tns_node *node);
extern const char *tns_c99_name (const tns_c99 *c, const tns_sym *sym);

#endif
