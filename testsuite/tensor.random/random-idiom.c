/* Statements that people write as one: what is largest and where, means of
   neighbours, flags, counts, values of the last turn, records.  */

#include "random-c.h"

#define WRITE(...) tns_text_line (g->out, __VA_ARGS__)

/* Memory that takes one subscript, to be written when IS_TARGET; NULL:
   none.  */
static const array *
some_line (maker *g, bool is_target)
{
  for (int tries = 0; tries < 9 && g->n_arrays; tries++)
    {
      const array *a = &g->arrays[below (g, g->n_arrays)];
      if (a->shape <= ROW && !(is_target && a->is_const) && !a->is_out)
        return a;
    }
  return NULL;
}

/* A scalar that may change, of a kind whose bit K is in KINDS; NULL: none.  */
static const scalar *
some_scalar (maker *g, unsigned kinds)
{
  const scalar *s = NULL;
  for (int k = 0; k < g->n_scalars; k++)
    if (!g->scalars[k].is_fixed && kinds >> g->scalars[k].kind & 1
        && (!s || chance (g, 50)))
      s = &g->scalars[k];
  return s;
}

/* Whether any value may be put into memory of kind K by what has that kind.  */
static bool
is_free (const maker *g, kind k)
{
  return is_float (k) ? !g->exact : k != I32 && k != I64;
}

/* What is largest or least among A's first elements, and where it is.  */
static bool
find_most (maker *g)
{
  static const char *const ops[] = { ">", "<", ">=", "<=" };
  const array *a = some_line (g, false);
  const array *to = some_line (g, true);
  if (!a || !to)
    return false;
  const char *best = fresh (g, "best"), *at = fresh (g, "at");
  const char *q = fresh (g, "q"), *t = kind_name (a->kind);
  const char *op = ops[below (g, 4)];
  bool is_first = chance (g, 50);
  tns_text *top = chance (g, 50) ? &g->top : g->out;
  tns_text_line (top, "%s %s = %d;", t, best, below (g, 3));
  tns_text_line (top, "%s %s = %d;", kind_name (chance (g, 70) ? I32 : I64), at,
                 chance (g, 50) ? 0 : -1);
  if (is_first)
    WRITE ("%s = %s[0];", best, a->name);
  WRITE ("for (int %s = %d; %s < %s; %s++)", q, is_first, q,
         chance (g, 70) ? g->n : g->m, q);
  const char *element = words (g, "%s[%s]", a->name, q);
  if (chance (g, 25))
    WRITE ("  if (!(%s %s %s))", best, op, element);
  else
    WRITE ("  if (%s %s %s)", element, op, best);
  WRITE ("    {");
  WRITE ("      %s = %s;", best, element);
  WRITE ("      %s = %s;", at, q);
  WRITE ("    }");
  if (top == &g->top)
    {
      tns_text_line (&g->after, "kept = kept * 31 + (unsigned long) %s;", at);
      tns_text_line (&g->after, "kept_real = 3 * kept_real + (double) %s;",
                     best);
    }
  else
    WRITE ("%s[3] = %s & 15;", to->name, at);
  return true;
}

/* An element becomes a mean of those beside it.  */
static bool
take_mean (maker *g)
{
  const array *a = some_line (g, true);
  const array *b = chance (g, 60) ? a : some_line (g, false);
  const char *i, *j;
  if (!a || !b || !g->n_iters || b->most > 0
      || is_float (b->kind) > is_float (a->kind))
    return false;
  const char *at = g->iters[below (g, g->n_iters)].name;
  if (random_pair (g, &i, &j) && a->shape <= LINE && b->shape <= LINE
      && chance (g, 50))
    at = words (g, "%s * %s + %s", i, g->m, j);
  const char *x = words (g, "%s[%s + %d]", b->name, at, below (g, 2));
  const char *y = words (g, "%s[%s + %s]", b->name, at,
                         chance (g, 60)   ? "2"
                         : g->is_negative ? "3"
                                          : g->m);
  const char *target = words (g, "%s[%s + 1]", a->name, at);
  if (!is_float (random_joined (a->kind, b->kind)))
    WRITE ("%s = %s / 2 + %s / 2;", target, x, y);
  else if (g->exact)
    WRITE ("%s = CLAMP (%s - %s, 16);", target, x, y);
  else
    WRITE ("%s = (%s + %s) * 0.5f;", target, x, y);
  return true;
}

/* A condition is counted, or remembered.  */
static bool
take_flag (maker *g)
{
  unsigned all = 1u << F32;
  const scalar *s = some_scalar (g, all - 1);
  if (!s)
    return false;
  const char *c = random_cond (g);
  switch (below (g, 6))
    {
    case 0:
      WRITE ("%s += %s;", s->name, c);
      break;
    case 1:
      WRITE ("%s |= (%s);", s->name, c);
      break;
    case 2:
      WRITE ("%s = %s && (%s);", s->name, s->name, c);
      break;
    case 3:
      WRITE ("%s = %s || (%s);", s->name, s->name, c);
      break;
    case 4:
      WRITE ("if (%s)", c);
      WRITE ("  %s = %d;", s->name, below (g, 2));
      break;
    default:
      WRITE ("%s = %s ? %s : %d;", s->name, c, s->name, below (g, 9));
    }
  return true;
}

/* A scalar becomes the larger or smaller of itself and another.  */
static bool
take_larger (maker *g)
{
  const scalar *s = some_scalar (g, -1u);
  if (!s)
    return false;
  double most = is_float (s->kind) && g->exact ? 1000
                : s->kind == I32               ? 1e6
                                               : small_of (g, s->kind);
  const char *e = random_fitting (g, s->kind, most, 1).text;
  const char *op = chance (g, 50) ? ">" : "<=";
  if (is_float (s->kind) && g->exact && chance (g, 40))
    WRITE ("%s = fmax (%s, %s);", s->name, s->name, e);
  else if (chance (g, 50))
    WRITE ("%s = %s %s %s ? %s : %s;", s->name, s->name, op, e, s->name, e);
  else
    WRITE ("%s = %s %s %s ? %s : %s;", s->name, e, op, s->name, s->name, e);
  return true;
}

/* What the last turn left is used, then there is a new one.  */
static bool
use_last (maker *g)
{
  const array *a = some_line (g, true);
  const scalar *s
    = a && is_free (g, a->kind) ? some_scalar (g, 1u << a->kind) : NULL;
  const array *from = some_line (g, false);
  if (!s || !from || from->kind != s->kind || from->most > 0 || !g->n_iters)
    return false;
  const char *i = g->iters[g->n_iters - 1].name;
  WRITE ("%s[%s] = %s;", a->name, i, s->name);
  WRITE ("%s = %s[%s + %d];", s->name, from->name, i, below (g, 2));
  return true;
}

/* A place and a scalar get one value, or the scalar changes within the place's
   statement.  */
static bool
assign_both (maker *g)
{
  kind k;
  const char *one = random_place (g, &k);
  const scalar *s = one && is_free (g, k) ? some_scalar (g, 1u << k) : NULL;
  if (!s)
    return false;
  const char *two = s->name;
  const char *e = random_fitting (g, k, 30, 2).text;
  if (k == B1 || is_float (k) || chance (g, 40))
    WRITE ("%s = %s = %s;", one, two, e);
  else if (is_signed (k) || chance (g, 50))
    WRITE ("%s = (%s += %s);", one, two, e);
  else
    WRITE ("%s = %s%s;", one, two, chance (g, 50) ? "++" : "--");
  return true;
}

/* A record is copied whole.  */
static bool
use_record (maker *g)
{
  for (int k = 0; k < g->n_arrays; k++)
    if (g->arrays[k].shape >= PARTS && !g->arrays[k].is_const)
      {
        const char *name = g->arrays[k].name;
        const char *to = random_subscript (g, false);
        WRITE ("%s[%s] = %s[%s];", name, to, name, random_subscript (g, false));
        return true;
      }
  return false;
}

bool
random_idiom (maker *g)
{
  bool (*const all[]) (maker * g)
    = { find_most, take_mean,   take_flag,  take_flag,  take_larger,
        use_last,  assign_both, use_record, take_larger };
  return all[below (g, sizeof all / sizeof *all)](g);
}
