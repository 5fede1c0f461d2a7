/* What the table tells of places in the source: samples by function and by
   line, memory by line.

     198 samples, one in 3.9 ms of processor time; outside regions 86.4 %
        85.9 %  smooth in the program, most at blur.c:15
     by line
        60.1 %  blur.c:15  smooth
        13.6 %  blur.c:9   scale.tensor.0, in scale
     memory at its most 12.0 MiB; who had it then
        At peak    At most        Now  Allocated    Calls  Where
        8.0 MiB    8.0 MiB        0 B   16.0 MiB        2  blur.c:40 in main
        4.0 MiB    4.0 MiB        0 B  400.0 MiB      100  blur.c:7 temporaries
                                                           of scale  */

#include "profile.h"

#include <string.h>

#define SHOWN 12
#define HOT   0.05

/* How many of N lines of a list are shown.  */
static int
shown (int n)
{
  return n < SHOWN ? n : SHOWN;
}

/* SAMPLES in per cent of P's.  */
static double
share (int64_t samples, const trm_profile *p)
{
  return 100 * (double) samples / (double) p->samples;
}

/* The file and line of S in TEXT, "" when that is not known.  */
static const char *
line_text (char text[80], const trm_sampled *s)
{
  text[0] = 0;
  if (s->line)
    snprintf (text, 80, "%s:%d", s->file, s->line);
  return text;
}

/* F, a function.  */
static void
print_function (FILE *file, const trm_sampled *f, const trm_profile *p)
{
  char text[80];
  fprintf (file, "  %5.1f %%  %s in %s%s%s%s%s\n", share (f->samples, p),
           f->name, f->object, f->line ? ", most at " : "", line_text (text, f),
           f->site ? ", beside " : "", f->site ? f->site->name : "");
}

/* S, a line; WIDTH: of their names.  */
static void
print_line (FILE *file, const trm_sampled *s, int width, const trm_profile *p)
{
  char text[80];
  fprintf (file, "  %5.1f %%  %-*s  %s%s%s\n", share (s->samples, p), width,
           s->line ? line_text (text, s) : s->object, s->name,
           !s->site    ? ""
           : s->inside ? ", in "
                       : ", beside ",
           s->site ? s->site->name : "");
}

/* The lines that have most samples.  */
static void
print_lines (FILE *file, const trm_profile *p)
{
  int width = 0;
  char text[80];
  for (int i = 0; i < shown (p->n_lines); i++)
    {
      const trm_sampled *s = &p->line[i];
      int n = (int) strlen (s->line ? line_text (text, s) : s->object);
      width = n > width ? n : width;
    }
  if (p->n_lines)
    fputs ("by line\n", file);
  for (int i = 0; i < shown (p->n_lines); i++)
    print_line (file, &p->line[i], width, p);
}

void
trm_profile_samples (FILE *file, const trm_profile *p)
{
  if (!p->samples)
    return;
  fprintf (file,
           "%lld samples, one in %.1f ms of processor time; outside regions "
           "%.1f %%\n",
           (long long) p->samples, p->sample_ns / 1e6,
           share (p->outside_samples, p));
  for (int i = 0; i < shown (p->n_functions); i++)
    print_function (file, &p->function[i], p);
  print_lines (file, p);
}

void
trm_profile_hot (FILE *file, const trm_profile *p)
{
  char text[80];
  for (int i = 0; i < p->n_functions; i++)
    {
      const trm_sampled *f = &p->function[i];
      if (!f->site && f->line
          && (double) f->samples > HOT * (double) p->samples)
        fprintf (file,
                 "note: %s has %.1f %% of the samples, most at %s, and is in "
                 "no region\n",
                 f->name, share (f->samples, p), line_text (text, f));
    }
}

/* H's place: a line, or a region.  */
static void
print_place (FILE *file, const trm_held *h)
{
  if (h->line)
    fprintf (file, "%s:%d ", h->file, h->line);
  if (h->site)
    fprintf (file, "temporaries of %s\n", h->name);
  else
    fprintf (file, "in %s%s%s\n", h->name, h->line || !*h->object ? "" : " in ",
             h->line ? "" : h->object);
}

void
trm_profile_held (FILE *file, const trm_profile *p)
{
  char text[16];
  fprintf (file, "memory at its most %s; who had it then\n",
           trm_bytes_text (text, (double) p->memory.most));
  if (p->n_held)
    fprintf (file, "%10s %10s %10s %10s %8s  %s\n", "At peak", "At most", "Now",
             "Allocated", "Calls", "Where");
  for (int i = 0; i < shown (p->n_held); i++)
    {
      const trm_held *h = &p->held[i];
      const int64_t bytes[] = { h->at_peak, h->most, h->held, h->allocated };
      for (int k = 0; k < 4; k++)
        fprintf (file, "%10s ", trm_bytes_text (text, (double) bytes[k]));
      fprintf (file, "%8lld  ", (long long) h->allocations);
      print_place (file, h);
    }
}
