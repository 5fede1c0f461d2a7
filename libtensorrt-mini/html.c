/* The profile as a page that needs nothing else: the text of
   profile-page.html with the profile as JSON where its mark stands.

   The page is one string of C: its first and last line are the quotes of a raw
   string, which GCC knows in C, too.  So it is compiled in without a step of
   its own, and can be opened as it is.  */

#include "profile.h"

#include <string.h>

#define MARK "@PROFILE@"

static const char page[] =
#include "profile-page.html"
  ;

void
trm_profile_html (FILE *file, const trm_profile *p)
{
  const char *mark = strstr (page, MARK);
  fwrite (page, 1, (size_t) (mark - page), file);
  trm_profile_json (file, p, true);
  fputs (mark + sizeof MARK - 1, file);
}
