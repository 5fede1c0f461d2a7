/* Text of kernels with other words: what a whole kernel says of its blocks and
   threads a part of one says of those that it has.  */

#ifndef TNS_LOWERING_CUDA_REWORD_H
#define TNS_LOWERING_CUDA_REWORD_H

#include "base/text.h"

/* FROM, which stands in a line as it is, becomes TO.  */
typedef struct tns_reword
{
  const char *from;
  const char *to;
} tns_reword;

/* Append the line from AT on, up to END, and its end, with WORD[0..N): the
   first of two that begin at one place counts.  */
extern void tns_cuda_reword (tns_text *text, const char *at, const char *end,
                             int n, const tns_reword *word);

#endif
