/* The table of reasons.  */

#include "base/why.h"

static const struct
{
  const char *name;
  const char *words;
  tns_status status;
} whys[] = {
#define TNS_WHY(id, status, name, words) { name, words, status },
#include "base/why.def"
#undef TNS_WHY
};

const char *
tns_why_name (tns_why why)
{
  return whys[why].name;
}

const char *
tns_why_words (tns_why why)
{
  return whys[why].words;
}

tns_status
tns_why_status (tns_why why)
{
  return whys[why].status;
}
