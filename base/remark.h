/* What a stage has to say to the user: a place, a kind, a reason, words.

   Remarks are gathered in the context and shown once, at the end, by the
   plug-in or by tensor-opt.  */

#ifndef TNS_BASE_REMARK_H
#define TNS_BASE_REMARK_H

#include "base/loc.h"
#include "base/why.h"

typedef enum tns_remark_kind
{
  TNS_REMARK_NOTE,    /* said of a region that is done */
  TNS_REMARK_LEFT,    /* a statement left in place, and why */
  TNS_REMARK_REFUSED, /* the region is refused */
  TNS_REMARK_FAILED,  /* the region failed */
  TNS_REMARK_ERROR    /* the user's words are wrong */
} tns_remark_kind;

typedef struct tns_remark
{
  tns_remark_kind kind;
  tns_why why;
  tns_loc loc;
  const char *words;
  struct tns_remark *next;
} tns_remark;

#endif
