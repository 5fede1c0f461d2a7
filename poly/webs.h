/* Live ranges of arrays, by access.

     S1: s[i] = exp (x[i]);   S2: z += s[i];   S3: s[i] = s[i] / z;   S4: ...

     { write of S1, read of S2, read of S3 }   { write of S3, read of S4 }

   A web is some accesses of one array: a write and all reads that its values
   reach, and whatever else reaches these.  What was there at the entry, and
   what counts at the end, is a write and a read from outside.  Accesses inside
   of one statement that is no ASSIGN, and the two of target += value, are
   together.  Source: Muchnick, Advanced Compiler Design, section 16.3, with
   last writers in the place of reaching definitions.  */

#ifndef TNS_POLY_WEBS_H
#define TNS_POLY_WEBS_H

#include "poly/scop.h"

/* What is asked of the array of a row of the scop.

   part  its webs are wanted
   ends  what it holds at the end counts  */
typedef struct tns_web_wish
{
  bool part;
  bool ends;
} tns_web_wish;

/* Numbers are first[s] + a for access A of statement S, outside + row for what
   is outside.

   group  by number: the web, a number of one of its accesses
   depth  by web: its values stay in an iteration of so many outermost loops
          around all of its accesses  */
typedef struct tns_webs
{
  const tns_scop *scop;
  int *first;
  int outside;
  int *group;
  int *depth;
} tns_webs;

/* The webs of SCOP's arrays, as WISH, by row, asks.  An array that is not asked
   for, or where isl would need too many operations, is one web with what is
   outside.  */
extern tns_webs *tns_webs_find (tns_ctx *ctx, const tns_scop *scop,
                                const tns_web_wish *wish);

/* The web of a number.  */
extern int tns_web_of (const tns_webs *webs, int number);

/* The statement of an access's number; NULL for what is outside.  */
extern const tns_stmt *tns_web_stmt (const tns_webs *webs, int number);

/* The number of STMT's access through LOAD, a read or a WRITE; -1: none.  */
extern int tns_web_number (const tns_webs *webs, const tns_stmt *stmt,
                           const tns_expr *load, bool write);

#endif
