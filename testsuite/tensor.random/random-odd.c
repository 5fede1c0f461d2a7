/* Loops that count in ways of their own.  */

#include "random-c.h"

#define WRITE(...) tns_text_line (g->out, __VA_ARGS__)

/* The header's iterator is K, and what the body names is its small index.  */
static bool
count_small (header *h, kind k, const char *index)
{
  h->kind = k;
  h->name = index;
  h->range = (range){ 'k', 0 };
  return true;
}

/* A loop near an end of its iterator's type.  */
static bool
write_near_end (maker *g, header *h)
{
  static const struct
  {
    kind kind;
    const char *first;
    const char *goes;
    const char *last;
    const char *step;
    const char *index;
  } ends[] = {
    { I32, "2147483640", "<", "2147483647", "++", "& 31" },
    { I32, "-2147483647 - 1", "<", "-2147483640", "++", "& 31" },
    { I32, "2147483640", "<=", "2147483646", " += 1", "- 2147483630" },
    { I32, "-2147483640", ">", "-2147483647 - 1", "--", "& 15" },
    { I32, "2147483600", "<", "2147483640", " += 7", "& 63" },
    { I64, "4294967290", "<", "4294967310", "++", "- 4294967290" },
    { I64, "9223372036854775800", "<", "9223372036854775807", "++", "& 31" },
    { U32, "4294967285u", "<", "4294967295u", "++", "& 31" },
    { U32, "4294967290u", "!=", "5", "++", "+ 6" },
    { U32, "3", "!=", "4294967290u", "--", "& 15" },
    { U64, "-9ul", "!=", "7", "++", "+ 9" },
    { U64, "6", "<=", "6", "--", "& 7" },
    { U8, "250", "!=", "9", "++", "& 63" },
    { U8, "7", "<", "250", "--", "& 7" },
    { U8, "3", "!=", "200", " += 197", "& 63" },
    { U16, "65530", "!=", "12", "++", "& 31" },
    { S16, "32750", "<", "32767", "++", "& 31" },
    { C8, "-128", "<", "-100", " += 3", "+ 128" },
    { C8, "100", "<", "127", "++", "- 100" },
    { C8, "-100", ">=", "-128 + 9", "--", "+ 128" },
  };
  int e = below (g, sizeof ends / sizeof *ends);
  const char *i = fresh (g, "i");
  WRITE ("for (%s %s = %s; %s %s %s; %s%s)", kind_name (ends[e].kind), i,
         ends[e].first, i, ends[e].goes, ends[e].last, i, ends[e].step);
  return count_small (h, ends[e].kind, words (g, "(%s %s)", i, ends[e].index));
}

/* From one element of a table to the next.  */
static bool
write_between (maker *g, header *h)
{
  const char *i, *j, *from = NULL;
  if (random_pair (g, &i, &j))
    from = chance (g, 50) ? i : j;
  else if (g->n_iters && g->iters[0].range.of != 'k')
    from = g->iters[0].name;
  if (!from || !g->gathers)
    return false;
  WRITE ("for (%s = rows[%s]; %s < rows[%s + 1]; %s++)", h->first, from,
         h->name, from, h->name);
  h->range = (range){ 'k', 0 };
  return true;
}

/* A pointer that goes along memory.  */
static bool
write_along (maker *g, header *h)
{
  for (int a = 0; a < g->n_arrays && g->n_arrays < MOST_ARRAYS; a++)
    if (g->arrays[a].shape <= LINE && !g->is_negative)
      {
        const array *of = &g->arrays[a];
        const char *q = fresh (g, "q");
        WRITE ("for (%s%s *%s = %s; %s %s %s + %s; %s++)",
               of->is_const ? "const " : "", kind_name (of->kind), q, of->name,
               q, chance (g, 50) ? "<" : "!=", of->name, h->bound, q);
        h->kind = I64;
        h->name = words (g, "(%s - %s)", q, of->name);
        g->arrays[g->n_arrays++]
          = (array){ q, of->kind, ROW, of->is_const, false, 0 };
        return true;
      }
  return false;
}

/* Down, until what is less than 0 is very large.  */
static bool
write_down (maker *g, header *h)
{
  if (is_signed (h->kind) || g->is_negative)
    return false;
  const char *t = kind_name (h->kind);
  WRITE ("for (%s = (%s) %s - 1; %s < (%s) %s; %s--)", h->first, t, h->bound,
         h->name, t, h->bound, h->name);
  return true;
}

bool
random_odd (maker *g, header *h)
{
  switch (below (g, 4))
    {
    case 0:
      return write_near_end (g, h);
    case 1:
      return write_between (g, h);
    case 2:
      return write_along (g, h);
    default:
      return write_down (g, h);
    }
}
