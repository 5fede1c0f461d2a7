/* What is summed up at exit: check mode's verdict, and under TRM_VERBOSE
   the regions' calls and fallbacks.  */

#include "runtime.h"

/* Sums over all sites.  fixed: regions compiled without check, which have
   no other version to run.  */
typedef struct tally
{
  long long regions;
  long long fixed;
  long long checked;
  long long differ;
  long long unchecked;
  long long fallbacks;
} tally;

/* Whether S is a region of the user's.  */
static bool
is_of_the_user (const trm_site *s)
{
  return !(s->flags & (TRM_SITE_RANGE | TRM_SITE_OWN));
}

/* Add up the sites.  */
static tally
add_sites (void)
{
  tally t = { 0 };
  for (const trm_site *s = trm_sites (); s; s = s->next)
    {
      const trm_own *own = trm_site_own (s);
      t.fixed += !trm_site_has_choice (s) && is_of_the_user (s);
      t.fallbacks += s->fallbacks;
      if (!own || !trm_site_has_choice (s))
        continue;
      t.regions += own->checked > 0;
      t.checked += own->checked;
      t.differ += own->differ;
      t.unchecked += own->unchecked;
    }
  return t;
}

void
trm_check_finish (void)
{
  if (trm_env ()->mode != TRM_MODE_CHECK)
    return;
  tally t = add_sites ();
  fprintf (stderr, "tensor: check: %lld calls of %lld regions compared, ",
           t.checked, t.regions);
  fprintf (stderr, t.differ ? "%lld differ" : "all agree", t.differ);
  if (t.fallbacks)
    fprintf (stderr, "; %lld fell back to the loops as written", t.fallbacks);
  if (t.unchecked)
    fprintf (stderr, "; %lld could not be compared", t.unchecked);
  if (t.fixed)
    fprintf (stderr, "; %lld regions were compiled without check", t.fixed);
  fputc ('\n', stderr);
}

void
trm_verbose_finish (void)
{
  if (!trm_env ()->verbose)
    return;
  trm_profile_sum_calls ();
  for (const trm_site *s = trm_sites (); s; s = s->next)
    if (is_of_the_user (s) || s->fallbacks > 0)
      fprintf (stderr,
               "%s:%d: tensor: '%s' was called %lld times, %lld fell back to "
               "the loops as written%s\n",
               s->file, (int) s->line, s->name, (long long) s->calls,
               (long long) s->fallbacks,
               trm_site_has_choice (s) ? "" : "; compiled without check");
  trm_cuda_falls_print (stderr);
}
