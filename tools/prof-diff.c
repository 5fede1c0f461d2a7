/* What changed between two profiles.

   Regions are the same when name and file are; lines may have moved.  Of
   several regions of one name in a file the first belongs to the first.

   A change counts when it is larger than the noise: what both runs spread
   (tensor-prof --runs=N), at least LEAST of the time; of single runs, whose
   spread is not known, GUESS of it.  */

#include "prof.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST 0.02
#define GUESS 0.10

/* A region in both profiles; either may be NULL.  */
typedef struct pair
{
  const compare_json *a;
  const compare_json *b;
} pair;

/* The profile in the file called NAME.  */
static compare_json *
read_profile (const char *name)
{
  const char *text = compare_file_text (name);
  compare_json *profile = compare_json_read (&text);
  if (!compare_json_get (profile, "regions"))
    compare_fail ("%s holds no profile", name);
  return profile;
}

/* Whether X and Y are the same region.  */
static bool
is_same (const compare_json *x, const compare_json *y)
{
  return strcmp (compare_json_string (x, "name"),
                 compare_json_string (y, "name"))
           == 0
         && strcmp (compare_json_string (x, "file"),
                    compare_json_string (y, "file"))
              == 0;
}

/* The first of PAIR[0..N) that OBJECT of the second profile may join.  */
static pair *
find_pair (pair *list, int n, const compare_json *object)
{
  pair *found = NULL;
  for (int i = 0; i < n; i++)
    if (list[i].a && !list[i].b && is_same (list[i].a, object)
        && (!found
            || compare_json_number (list[i].a, "line")
                 < compare_json_number (found->a, "line")))
      found = &list[i];
  return found;
}

/* The own time of a region's OBJECT, which may be NULL.  */
static double
self_of (const compare_json *object)
{
  return object ? compare_json_number (object, "self_ns") : 0;
}

/* How much KEY of OBJECT, VALUE, may change by chance, in runs of PROFILE.  */
static double
noise_of (const compare_json *profile, const compare_json *object,
          const char *key, double value)
{
  char name[32];
  snprintf (name, sizeof name, "%s_spread_ns", key);
  double spread = object ? compare_json_number (object, name) : 0;
  if (!(compare_json_number (profile, "runs") > 1))
    return GUESS * value;
  return fmax (spread, LEAST * value);
}

/* Order of pairs: the largest change first.  */
static int
compare_pairs (const void *x, const void *y)
{
  const pair *p = x, *q = y;
  double d = fabs (self_of (q->b) - self_of (q->a))
             - fabs (self_of (p->b) - self_of (p->a));
  return d > 0 ? 1 : d < 0 ? -1 : 0;
}

/* Order of a profile's regions: by line.  */
static int
compare_lines (const void *x, const void *y)
{
  const compare_json *const *a = x, *const *b = y;
  double d
    = compare_json_number (*a, "line") - compare_json_number (*b, "line");
  return d > 0 ? 1 : d < 0 ? -1 : 0;
}

/* What changed from A to B nanoseconds, where chance makes NOISE.  */
static const char *
verdict (double a, double b, double noise)
{
  if (!(a > 0))
    return "new";
  if (!(b > 0))
    return "gone";
  if (fabs (b - a) <= noise)
    return "";
  return b > a ? "slower" : "faster";
}

/* A line: NAME at PLACE, A and B nanoseconds.  */
static void
print_line (const char *name, const char *place, double a, double b,
            double noise)
{
  char before[16], after[16], change[16], ratio[16] = "";
  compare_time_text (change, fabs (b - a));
  if (a > 0 && b > 0)
    snprintf (ratio, sizeof ratio, "%.2fx", b / a);
  printf ("%-24s %-22s %9s %9s %s%9s %7s  %s\n", name, place,
          compare_time_text (before, a), compare_time_text (after, b),
          b < a ? "-" : "+", change, ratio, verdict (a, b, noise));
}

/* The line of PAIR of the profiles A and B.  */
static void
print_pair (const pair *p, const compare_json *a, const compare_json *b)
{
  char place[64];
  const compare_json *shown = p->b ? p->b : p->a;
  double before = self_of (p->a), after = self_of (p->b);
  prof_place (place, sizeof place, compare_json_string (shown, "file"),
              (int) compare_json_number (shown, "line"));
  print_line (compare_json_string (shown, "name"), place, before, after,
              noise_of (a, p->a, "self", before)
                + noise_of (b, p->b, "self", after));
}

/* The pairs of the regions of A and B, in *LIST; how many.  */
static int
make_pairs (const compare_json *a, const compare_json *b, pair **list)
{
  const compare_json *x = compare_json_get (a, "regions");
  compare_json *y = compare_json_get (b, "regions");
  int n = 0;
  *list = calloc ((size_t) (x->n + y->n) + 1, sizeof **list);
  if (!*list)
    compare_fail ("no memory");
  for (int i = 0; i < x->n; i++)
    (*list)[n++].a = x->item[i];
  if (y->n)
    qsort (y->item, (size_t) y->n, sizeof *y->item, compare_lines);
  for (int i = 0; i < y->n; i++)
    {
      pair *found = find_pair (*list, n, y->item[i]);
      (found ? found : &(*list)[n++])->b = y->item[i];
    }
  if (n)
    qsort (*list, (size_t) n, sizeof **list, compare_pairs);
  return n;
}

/* The line of KEY, a time of the whole program.  */
static void
print_whole (const char *name, const char *key, const compare_json *a,
             const compare_json *b)
{
  char full[32];
  snprintf (full, sizeof full, "%s_ns", key);
  double before = compare_json_number (a, full);
  double after = compare_json_number (b, full);
  print_line (name, "", before, after,
              noise_of (a, a, key, before) + noise_of (b, b, key, after));
}

int
prof_diff (const char *a_name, const char *b_name)
{
  compare_json *a = read_profile (a_name), *b = read_profile (b_name);
  pair *list;
  int n = make_pairs (a, b, &list);
  printf ("%-24s %-22s %9s %9s %10s %7s\n", "Region", "Where", "Self before",
          "after", "change", "ratio");
  for (int i = 0; i < n; i++)
    print_pair (&list[i], a, b);
  print_whole ("outside regions", "outside", a, b);
  print_whole ("all", "wall", a, b);
  if (!(compare_json_number (a, "runs") > 1)
      || !(compare_json_number (b, "runs") > 1))
    printf ("a single run does not tell its noise: changes below %.0f %% are "
            "not told; --runs=N measures it\n",
            100 * 2 * GUESS);
  return 0;
}
