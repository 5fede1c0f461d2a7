/* The tree of calls as a graph for dot: a box for each place, darker the more
   of the wall clock is its own; places below LEAST of it are left out.

     dot -Tsvg calls.dot >calls.svg  */

#include "profile.h"

#define LEAST 0.001

/* TEXT, with what dot's strings know escaped.  */
static void
print_escaped (FILE *file, const char *text)
{
  for (; *text; text++)
    {
      if (*text == '"' || *text == '\\')
        fputc ('\\', file);
      fputc ((unsigned char) *text < 0x20 ? ' ' : *text, file);
    }
}

/* The box of place I, and its arrow.  */
static void
print_place (FILE *file, const trm_profile *p, int i)
{
  const trm_path *path = &p->path[i];
  char place[64], total[16], self[16];
  double share = p->wall > 0 ? path->self / p->wall : 0;
  trm_place_text (place, sizeof place, path->site);
  fprintf (file, "  n%d [fillcolor=\"%.3f 0.35 1.0\", label=\"", i,
           share < 1 ? 0.6 * (1 - share) : 0);
  print_escaped (file, path->site->name);
  fputs ("\\n", file);
  print_escaped (file, place);
  fprintf (file, "\\n%s, self %s (%.1f %%)\"];\n",
           trm_time_text (total, path->total), trm_time_text (self, path->self),
           100 * share);
  if (path->parent >= 0)
    fprintf (file, "  n%d -> n%d [label=\"%lld\"];\n", path->parent, i,
             (long long) path->calls);
  else
    fprintf (file, "  all -> n%d [label=\"%lld\"];\n", i,
             (long long) path->calls);
}

void
trm_profile_dot (FILE *file, const trm_profile *p)
{
  char wall[16], outside[16];
  fprintf (file,
           "digraph regions {\n  node [shape=box, style=filled, "
           "fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\"];\n"
           "  all [fillcolor=white, label=\"all\\n%s, outside regions "
           "%s\"];\n",
           trm_time_text (wall, p->wall), trm_time_text (outside, p->outside));
  for (int i = 0; i < p->n_paths; i++)
    if (p->path[i].total >= LEAST * p->wall)
      print_place (file, p, i);
  fputs ("}\n", file);
}
