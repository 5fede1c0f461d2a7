/* Other words, as lowering/cuda-reword.h says.  */

#include "lowering/cuda-reword.h"

#include <string.h>

/* The first of WORD[0..N) from AT on, in front of END; its number in *WHICH.
   END: there is none.  */
static const char *
find_word (const char *at, const char *end, int n, const tns_reword *word,
           int *which)
{
  const char *found = end;
  for (int k = 0; k < n; k++)
    {
      const char *place = strstr (at, word[k].from);
      if (!place || place >= found)
        continue;
      found = place;
      *which = k;
    }
  return found;
}

void
tns_cuda_reword (tns_text *text, const char *at, const char *end, int n,
                 const tns_reword *word)
{
  int which = 0;
  const char *place;
  while ((place = find_word (at, end, n, word, &which)) < end)
    {
      tns_text_format (text, "%.*s%s", (int) (place - at), at, word[which].to);
      at = place + strlen (word[which].from);
    }
  tns_text_format (text, "%.*s\n", (int) (end - at), at);
}
