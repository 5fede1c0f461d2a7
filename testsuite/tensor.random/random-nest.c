/* Nests of loops as programs have them: products, neighbours in time, filters,
   rows that are scaled by what they hold, transpositions, running sums,
   tables of how often.  */

#include "random-c.h"

#define WRITE(...) tns_text_line (g->out, __VA_ARGS__)

/* Memory in two dimensions, each index below SIDE.  */
static bool
is_plane (const array *a)
{
  return a->shape == FLAT || a->shape == LINE || a->shape == PAIR;
}

/* Memory in two dimensions of kind K, not one of OTHERS where that can be; to
   be written when IS_TARGET.  NULL: none.  */
static const array *
some_plane (maker *g, int k, const array *other, bool is_target)
{
  const array *found = NULL;
  for (int tries = 0; tries < 12 && g->n_arrays; tries++)
    {
      const array *a = &g->arrays[below (g, g->n_arrays)];
      if (is_plane (a) && (k < 0 || (int) a->kind == k)
          && !(is_target ? a->is_const : a->is_out) && (!found || a != other))
        found = a;
    }
  return found;
}

/* Whether sums of products of kind K may be anything, or else are put back
   into their bounds when nothing else is at their place.  */
static bool
is_tame (const maker *g, kind k, const array *to, const array *a,
         const array *b)
{
  if (is_float (k) ? !g->exact : k != U16 && k != I32 && k != I64)
    return true;
  return !g->sums[k] && k != I64 && k != U16 && g->is_apart && to != a
         && to != b;
}

/* The text of A at row I and column J, which goes up to BOUND.  */
static const char *
at (maker *g, const array *a, const char *i, const char *j, const char *bound)
{
  if (a->shape == PAIR)
    return words (g, "%s[%s][%s]", a->name, i, j);
  return words (g, "%s[(%s) * %s + %s]", a->name, i, bound, j);
}

/* An iterator's new name and its end: sizes or a number.  */
typedef struct axis
{
  const char *name;
  const char *end;
  const char *row;
} axis;

static axis
some_axis (maker *g)
{
  axis x = { .name = fresh (g, "i") };
  int which = below (g, 5);
  x.end = which < 2   ? g->n
          : which < 4 ? g->m
                      : words (g, "%d", 3 + below (g, 30));
  x.row = which < 2 || chance (g, 40) ? "104" : x.end;
  if (g->is_negative)
    x.row = "104";
  return x;
}

/* A loop along X, from its start or from behind FROM, or only up to it.  */
static void
along (maker *g, axis x, const char *from)
{
  static const kind kinds[] = { I32, I32, I32, I64 };
  const char *t = kind_name (kinds[below (g, 4)]);
  const char *i = x.name;
  switch (from ? below (g, 9) : 5)
    {
    case 0:
      WRITE ("for (%s %s = %s; %s < %s; %s++)", t, i, from, i, x.end, i);
      break;
    case 1:
      WRITE ("for (%s %s = %s + 1; %s < %s; %s++)", t, i, from, i, x.end, i);
      break;
    case 2:
      WRITE ("for (%s %s = 0; %s <= %s; %s++)", t, i, i, from, i);
      break;
    case 3:
      WRITE ("for (%s %s = %s - 1; %s >= 0; %s--)", t, i, from, i, i);
      break;
    default:
      WRITE ("for (%s %s = 0; %s < (%s) %s; %s++)", t, i, i, t, x.end, i);
    }
  g->out->indent += 2;
}

/* PLACE of kind K, back in its bounds.  */
static void
put_back (maker *g, const char *place, kind k)
{
  if (is_float (k) && g->exact)
    WRITE ("%s = CLAMP (%s, 16);", place, place);
  else if (is_float (k) && chance (g, 50))
    WRITE ("%s = %s > 0 ? %s : 0;", place, place, place);
  else if (k == I32)
    WRITE ("%s %%= 1000;", place);
}

/* C = A * B, its loops in some order, either factor transposed, into a
   variable or the place itself.  */
static bool
write_product (maker *g)
{
  const array *c = some_plane (g, -1, NULL, true);
  const array *a = c ? some_plane (g, c->kind, c, false) : NULL;
  const array *b = c ? some_plane (g, c->kind, c, false) : NULL;
  if (!a || !b || !is_tame (g, c->kind, c, a, b))
    return false;
  axis x[3] = { some_axis (g), some_axis (g), some_axis (g) };
  const char *place = at (g, c, x[0].name, x[1].name, x[1].row);
  const char *one = chance (g, 70) ? at (g, a, x[0].name, x[2].name, x[2].row)
                                   : at (g, a, x[2].name, x[0].name, x[0].row);
  const char *two = chance (g, 70) ? at (g, b, x[2].name, x[1].name, x[1].row)
                                   : at (g, b, x[1].name, x[2].name, x[2].row);
  bool is_first = chance (g, 50);
  const char *sum = fresh (g, "sum");
  along (g, x[!is_first], NULL);
  along (g, x[is_first], chance (g, 25) ? x[!is_first].name : NULL);
  WRITE ("{");
  g->out->indent += 2;
  bool is_local = chance (g, 60);
  if (is_local)
    WRITE ("%s %s = 0;", kind_name (c->kind), sum);
  else if (chance (g, 60))
    WRITE ("%s = %d;", place, below (g, 3));
  along (g, x[2], chance (g, 25) ? x[1].name : NULL);
  WRITE ("%s %s %s * %s;", is_local ? sum : place,
         chance (g, 85) ? "+=" : "-=", one, two);
  g->out->indent -= 2;
  if (is_local)
    WRITE ("%s = %s;", place, sum);
  put_back (g, place, c->kind);
  g->out->indent -= 6;
  WRITE ("  }");
  return true;
}

/* Means of neighbours, turn after turn, in place or from one to the other.  */
static bool
write_turns (maker *g)
{
  const array *a = some_plane (g, -1, NULL, true);
  const array *b = a ? some_plane (g, a->kind, a, true) : NULL;
  if (!b)
    return false;
  axis i = some_axis (g), j = some_axis (g);
  const char *up = words (g, "%s + 1", i.name),
             *on = words (g, "%s + 1", j.name);
  const char *of[] = { at (g, a, i.name, on, "104"),
                       at (g, a, up, j.name, "104"), at (g, a, up, on, "104"),
                       at (g, a, words (g, "%s + 2", i.name), on, "104"),
                       at (g, a, up, words (g, "%s + 2", j.name), "104") };
  const char *x = of[below (g, 5)], *y = of[below (g, 5)];
  const char *place = at (g, b, up, on, "104");
  WRITE ("for (int %s = 0; %s < %d; %s++)", "turn", "turn", 2 + below (g, 5),
         "turn");
  WRITE ("  {");
  g->out->indent += 4;
  along (g, i, NULL);
  along (g, j, chance (g, 15) ? i.name : NULL);
  if (is_float (a->kind) && !g->exact)
    WRITE ("%s = (%s + %s + %s) * 0.25f;", place, x, y, of[2]);
  else if (is_float (a->kind))
    WRITE ("%s = CLAMP (%s - %s, 16);", place, x, y);
  else
    WRITE ("%s = %s / 2 + %s / 2;", place, x, y);
  g->out->indent -= 4;
  if (a != b && chance (g, 70))
    {
      along (g, i, NULL);
      along (g, j, NULL);
      WRITE ("%s = %s;", of[2], place);
      g->out->indent -= 4;
    }
  g->out->indent -= 4;
  WRITE ("  }");
  return true;
}

/* y[i] += x[i + k] * w[k].  */
static bool
write_filter (maker *g)
{
  const array *y = some_plane (g, -1, NULL, true);
  const array *x = y ? some_plane (g, y->kind, y, false) : NULL;
  const array *w = y ? some_plane (g, y->kind, y, false) : NULL;
  if (!x || !w || !is_tame (g, y->kind, y, x, w))
    return false;
  axis i = some_axis (g), j = some_axis (g);
  const char *p = fresh (g, "k"), *q = fresh (g, "k");
  const char *place = at (g, y, i.name, j.name, "104");
  along (g, i, NULL);
  along (g, j, NULL);
  WRITE ("{");
  g->out->indent += 2;
  if (chance (g, 60))
    WRITE ("%s = 0;", place);
  WRITE ("for (int %s = 0; %s < %d; %s++)", p, p, 1 + below (g, 4), p);
  WRITE ("  for (int %s = 0; %s < %d; %s++)", q, q, 1 + below (g, 4), q);
  WRITE ("    %s += %s * %s;", place,
         at (g, x, words (g, "%s + %s", i.name, p),
             words (g, "%s + %s", j.name, q), "104"),
         at (g, w, p, q, chance (g, 50) ? "4" : "104"));
  put_back (g, place, y->kind);
  g->out->indent -= 6;
  WRITE ("  }");
  return true;
}

/* Each row, or column, less the largest it has; or scaled by what its sum
   is.  */
static bool
write_rows (maker *g)
{
  const array *a = some_plane (g, -1, NULL, true);
  if (!a || g->sums[a->kind] || a->kind == I64)
    return false;
  axis i = some_axis (g), j = some_axis (g);
  const char *t = kind_name (a->kind), *s = fresh (g, "most");
  const char *place = chance (g, 70) ? at (g, a, i.name, j.name, j.row)
                                     : at (g, a, j.name, i.name, i.row);
  bool is_sum = chance (g, 50);
  along (g, i, NULL);
  WRITE ("{");
  g->out->indent += 2;
  WRITE ("%s %s = %d;", t, s, is_sum ? 0 : -9);
  along (g, j, NULL);
  if (is_sum)
    WRITE ("%s += %s;", s, place);
  else if (chance (g, 50))
    WRITE ("%s = %s > %s ? %s : %s;", s, place, s, place, s);
  else
    {
      WRITE ("if (%s < %s)", s, place);
      WRITE ("  %s = %s;", s, place);
    }
  g->out->indent -= 2;
  along (g, j, NULL);
  if (is_float (a->kind) && g->exact)
    WRITE ("%s = CLAMP (%s - %s, 16);", place, place, s);
  else if (is_float (a->kind))
    WRITE ("%s = %s %s %s;", place, place, is_sum ? "/" : "-", s);
  else
    WRITE ("%s = %s / 2 - %s / 1024;", place, place, s);
  g->out->indent -= 6;
  WRITE ("  }");
  return true;
}

/* What is on one side of the diagonal goes to the other; or there and here
   change places.  */
static bool
write_transposed (maker *g)
{
  const array *a = some_plane (g, -1, NULL, true);
  const array *b = a ? some_plane (g, a->kind, a, chance (g, 50)) : NULL;
  if (!b)
    return false;
  axis i = some_axis (g), j = some_axis (g);
  const char *to = at (g, a, i.name, j.name, j.row);
  const char *from = at (g, b, j.name, i.name, i.row);
  along (g, i, NULL);
  along (g, j, chance (g, 50) ? i.name : NULL);
  if (b->is_const || chance (g, 60))
    WRITE ("%s = %s;", to, from);
  else
    {
      WRITE ("{");
      WRITE ("  %s was = %s;", kind_name (a->kind), to);
      WRITE ("  %s = %s;", to, from);
      WRITE ("  %s = was;", from);
      WRITE ("}");
    }
  g->out->indent -= 4;
  return true;
}

/* Running sums, or how often each value is there.  */
static bool
write_running (maker *g)
{
  const array *a = some_plane (g, U32, NULL, true);
  const array *b = some_plane (g, -1, NULL, false);
  if (!a || !b || is_float (b->kind))
    return false;
  axis i = some_axis (g), j = some_axis (g);
  const char *s = fresh (g, "sum");
  const char *from = at (g, b, i.name, j.name, "104");
  const char *to = at (g, a, i.name, j.name, "104");
  along (g, i, NULL);
  WRITE ("{");
  g->out->indent += 2;
  WRITE ("unsigned %s = %d;", s, below (g, 9));
  along (g, j, NULL);
  WRITE ("{");
  if (chance (g, 50))
    WRITE ("  %s += %s;", s, from);
  else
    WRITE ("  %s = %s * 3 + %s;", s, s, from);
  if (chance (g, 50))
    WRITE ("  %s = %s;", to, s);
  else
    WRITE ("  %s++;", at (g, a, words (g, "%s & 7", s),
                          words (g, "(%s & 15)", from), "104"));
  WRITE ("}");
  g->out->indent -= 6;
  WRITE ("  }");
  return true;
}

bool
random_nest (maker *g)
{
  bool (*const all[]) (maker * g)
    = { write_product, write_product,    write_turns,  write_filter,
        write_rows,    write_transposed, write_running };
  return all[below (g, sizeof all / sizeof *all)](g);
}
