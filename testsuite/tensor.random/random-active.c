/* Statements of functions that have gradients: a place where something is
   largest, scratch from malloc, a step that goes on from the one before,
   functions that give two results.  */

#include "random-c.h"

#include <stdlib.h>

/* A whole statement of one line.  */
#define WRITE(...) tns_text_line (g->out, __VA_ARGS__)

/* An array with one subscript; IS_READ: that may be read, else written.  NULL
   where there is none.  */
static const array *
some_line (maker *g, bool is_read)
{
  for (int tries = 0; tries < 20 && g->n_arrays; tries++)
    {
      const array *a = &g->arrays[below (g, g->n_arrays)];
      if (a->shape <= LINE && is_float (a->kind)
          && !(is_read ? a->is_out : a->is_const))
        return a;
    }
  return NULL;
}

/* A float of kind K as text, where IT iterates as well, below END.  */
static const char *
float_with (maker *g, kind k, const char *it, const char *end)
{
  int n = g->n_iters;
  char of = end == g->n ? 'n' : end == g->m ? 'm' : 'c';
  if (n < MOST_ITERS)
    g->iters[g->n_iters++] = (iter){ it, I32, { of, atoi (end) } };
  const char *text = random_fitting (g, k, small_of (g, k), 2).text;
  g->n_iters = n;
  return words (g, "(%s) (%s)", kind_name (k), text);
}

/* Where X is largest among some elements, and what stands there.  */
static bool
find_best (maker *g)
{
  const array *x = some_line (g, true);
  const char *best = fresh (g, "best"), *at = fresh (g, "at");
  const char *z = fresh (g, "z");
  if (!x || g->n_scalars == MOST_SCALARS)
    return false;
  bool is_least = chance (g, 50);
  WRITE ("%s %s = %s[0];", kind_name (x->kind), best, x->name);
  WRITE ("int %s = 0;", at);
  WRITE ("for (int %s = 1; %s < %d; %s++)", z, z, 2 + below (g, 9), z);
  WRITE ("  if (%s[%s] %s %s)", x->name, z, is_least ? "<" : ">", best);
  WRITE ("    %s = %s[%s], %s = %s;", best, x->name, z, at, z);
  if (chance (g, 60))
    WRITE ("%s += %s[%s + %d] * sin%s (%s);", best, x->name, at, below (g, 2),
           x->kind == F32 ? "f" : "", best);
  g->scalars[g->n_scalars++]
    = (scalar){ best, x->kind, small_of (g, x->kind), true };
  return true;
}

/* Scratch of some size that is filled, goes on from what it holds, and is
   added to Y.  */
static bool
use_scratch (maker *g)
{
  const array *y = some_line (g, false);
  const char *w = fresh (g, "w"), *z = fresh (g, "z");
  const char *n = chance (g, 50) ? g->n : chance (g, 50) ? g->m : "7";
  if (!y)
    return false;
  const char *t = kind_name (y->kind), *f = y->kind == F32 ? "f" : "";
  const char *more = y->is_out ? "" : "+";
  WRITE ("%s *%s = (%s *) malloc ((%s + 2) * sizeof (%s));", t, w, t, n, t);
  WRITE ("for (int %s = 0; %s < (int) %s; %s++)", z, z, n, z);
  WRITE ("  %s[%s] = %s;", w, z, float_with (g, y->kind, z, n));
  if (chance (g, 60))
    {
      WRITE ("for (int %s = 1; %s < (int) %s; %s++)", z, z, n, z);
      WRITE ("  %s[%s] %c= (%s) 0.4 * sin%s (%s[%s - 1]);", w, z,
             "+-*"[below (g, 3)], t, f, w, z);
    }
  WRITE ("for (int %s = 0; %s < (int) %s; %s++)", z, z, n, z);
  WRITE ("  %s[%s] %s= %s[%s - 1 - %s] * (%s) 0.5 + %s[%s];", y->name, z, more,
         w, words (g, "(int) %s", n), z, t, w, z);
  WRITE ("free (%s);", w);
  return true;
}

/* Elements of Y that go on from those before, by a function.  */
static bool
call_follow (maker *g)
{
  const array *y = some_line (g, false);
  const array *x = some_line (g, true);
  if (!x || !y || y->is_out || x->kind != y->kind)
    return false;
  WRITE ("follow%s (%s + %d, %s + %s, %s);", y->kind == F32 ? "f" : "", y->name,
         below (g, 3), x->name, g->n_iters ? g->iters[0].name : "1",
         chance (g, 50) ? g->m : "5");
  return true;
}

/* Two new scalars that a function gives.  */
static bool
call_turn (maker *g)
{
  kind k = g->reals == F32 || (g->reals != F64 && chance (g, 30)) ? F32 : F64;
  const char *u = fresh (g, "u"), *v = fresh (g, "v");
  if (g->n_scalars + 2 > MOST_SCALARS)
    return false;
  const char *a = random_fitting (g, k, small_of (g, k), 2).text;
  const char *b = random_fitting (g, k, small_of (g, k), 1).text;
  WRITE ("%s %s, %s;", kind_name (k), u, v);
  WRITE ("turn%s (%s, %s, &%s, &%s);", k == F32 ? "f" : "", a, b, u, v);
  g->scalars[g->n_scalars++] = (scalar){ u, k, small_of (g, k), true };
  g->scalars[g->n_scalars++] = (scalar){ v, k, small_of (g, k), true };
  return true;
}

bool
random_active (maker *g, bool last)
{
  if (g->exact)
    return false;
  switch (below (g, 4))
    {
    case 0:
      return !last && find_best (g);
    case 1:
      return use_scratch (g);
    case 2:
      return call_follow (g);
    default:
      return !last && call_turn (g);
    }
}
