/* Loops, their headers in the spellings of C.  */

#include "random-c.h"

#define WRITE(...) tns_text_line (g->out, __VA_ARGS__)

/* A range for a new loop; the third one has few iterations.  */
static range
some_range (maker *g)
{
  int nth = g->n_iters;
  if (nth >= 2 || chance (g, 15))
    return (range){ 'c', 2 + below (g, 7) };
  if (nth == 1 && chance (g, 70))
    return (range){ g->iters[0].range.of == 'n' ? 'm' : 'n', 0 };
  return (range){ chance (g, 60) ? 'n' : 'm', 0 };
}

/* The text of a range's end and its type.  */
static const char *
end_of_range (maker *g, range r, kind *k)
{
  *k = r.of == 'n' ? g->n_kind : r.of == 'm' ? g->m_kind : I32;
  return r.of == 'n' ? g->n : r.of == 'm' ? g->m : words (g, "%d", r.number);
}

/* An outer iterator of the same range that steps up, or NULL.  */
static const iter *
triangle_of (const maker *g, range r)
{
  for (int k = 0; k < g->n_iters; k++)
    if (g->iters[k].range.of == r.of && r.of != 'c')
      return &g->iters[k];
  return NULL;
}

/* Loops from an outer iterator OF, or to it.  */
static void
write_triangle (maker *g, const header *h, const iter *of)
{
  const char *i = h->name;
  switch (below (g, 4))
    {
    case 0:
      WRITE ("for (%s = %s; %s < %s; %s++)", h->first, of->name, i, h->bound,
             i);
      break;
    case 1:
      WRITE ("for (%s = 0; %s < %s; ++%s)", h->first, i, of->name, i);
      break;
    case 2:
      WRITE ("for (%s = 0; %s <= %s; %s++)", h->first, i, of->name, i);
      break;
    default:
      WRITE ("for (%s = %s + 1; %s < %s; %s++)", h->first, of->name, i,
             h->bound, i);
    }
}

/* Loops for signed iterators alone.  */
static void
write_signed (maker *g, const header *h)
{
  const char *i = h->name;
  switch (below (g, g->differentiable ? 6 : 8))
    {
    case 6:
      WRITE ("for (%s = 0; %s < %s; %s += 1 + %s %% 3)", h->first, i, h->bound,
             i, g->n);
      break;
    case 7:
      if (h->first != i && is_signed (h->bound_kind))
        {
          const char *j = fresh (g, "j");
          WRITE ("for (%s = 0, %s = %s - 1; %s < %s; %s++, %s--)", h->first, j,
                 h->bound, i, j, i, j);
          break;
        }
      WRITE ("for (%s = (%s) %s - 1; %s > 0; %s -= 2 + %s %% 2)", h->first,
             kind_name (h->kind), h->bound, i, i, g->n);
      break;
    case 0:
      WRITE ("for (%s = (%s) %s - 1; %s >= 0; %s--)", h->first,
             kind_name (h->kind), h->bound, i, i);
      break;
    case 1:
      if (is_signed (h->bound_kind))
        WRITE ("for (%s = 0; %s <= %s - 1; %s++)", h->first, i, h->bound, i);
      else
        WRITE ("for (%s = 0; %s + 1 <= %s; %s++)", h->first, i, h->bound, i);
      break;
    case 2:
      if (is_signed (h->bound_kind))
        WRITE ("for (%s = 1; %s < %s - 1; %s++)", h->first, i, h->bound, i);
      else
        WRITE ("for (%s = 1; %s + 1 < %s; %s++)", h->first, i, h->bound, i);
      break;
    case 3:
      WRITE ("for (%s = (%s) %s - 1; %s > 0; %s -= 2)", h->first,
             kind_name (h->kind), h->bound, i, i);
      break;
    case 4:
      WRITE ("for (%s = %d; %s < %s; %s = %s + %d)", h->first, below (g, 3), i,
             h->bound, i, i, 1 + below (g, 3));
      break;
    default:
      WRITE ("for (%s = (%s) %s; --%s >= 0;)", h->first, kind_name (h->kind),
             h->bound, i);
    }
}

/* A loop with a second variable in its header.  */
static void
write_two (maker *g, const header *h)
{
  const char *i = h->name;
  const char *k = fresh (g, "k");
  int by = 1 + below (g, 2);
  WRITE ("for (%s = 0, %s = %d; %s < %s; %s++, %s += %d)", h->first, k,
         below (g, 9), i, h->bound, i, k, by);
  g->iters[g->n_iters++] = (iter){ k, h->kind, { 'k', 0 } };
}

/* Loops for any iterator.  */
static void
write_any (maker *g, const header *h)
{
  const char *i = h->name;
  if (h->first != i && g->n_iters < 2 && chance (g, 8))
    {
      write_two (g, h);
      return;
    }
  switch (g->is_negative ? 2 + below (g, 4) : below (g, 12))
    {
    case 0:
      WRITE ("for (%s = %s; %s-- > 0;)", h->first, h->bound, i);
      break;
    case 1:
      WRITE ("for (%s = 0; %s != %s; %s++)", h->first, i, h->bound, i);
      break;
    case 2:
      WRITE ("for (%s = %d; %s < %s; %s += %d)", h->first, below (g, 3), i,
             h->bound, i, 1 + below (g, 4));
      break;
    case 3:
      WRITE ("for (%s = 0; %s > %s; %s++)", h->first, h->bound, i, i);
      break;
    case 4:
      WRITE ("for (%s = 0; %s < %s && %s < %d; %s++)", h->first, i, h->bound, i,
             3 + below (g, 20), i);
      break;
    case 5:
      WRITE ("for (%s = 0; %s < (%s < 12 ? %s : 12); %s++)", h->first, i,
             h->bound, h->bound, i);
      break;
    case 6:
      WRITE ("for (%s = %s; %s--;)", h->first, h->bound, i);
      break;
    default:
      WRITE ("for (%s = 0; %s < %s; %s++)", h->first, i, h->bound, i);
    }
}

/* The iterator's name and type: one of its own, or one of the function.  */
static void
name_iterator (maker *g, header *h)
{
  static const kind common[] = { I32, I32, I32, I64, U64, U32 };
  bool is_common = g->differentiable || chance (g, 96);
  h->kind = is_common ? common[below (g, 6)] : chance (g, 50) ? S16 : U16;
  if (g->is_negative && !is_signed (h->kind))
    h->kind = I32;
  h->name = fresh (g, "i");
  if (!g->is_c89 || chance (g, 30))
    h->first = words (g, "%s %s", kind_name (h->kind), h->name);
  else
    {
      tns_text_line (&g->top, "%s %s = %d;", kind_name (h->kind), h->name,
                     below (g, 50));
      if (chance (g, 50))
        tns_text_line (&g->after, "kept = kept * 31 + (unsigned long) %s;",
                       h->name);
      h->first = h->name;
    }
}

/* A counter or a pointer that each iteration moves, before the loop; what
   moves it.  */
static const char *
mover (maker *g)
{
  int which = below (g, 100);
  if (which < 10)
    {
      const char *name = fresh (g, "k");
      int by = 1 + below (g, 2);
      WRITE ("int %s = %d;", name, below (g, 9));
      g->iters[g->n_iters++] = (iter){ name, I32, { 'k', 0 } };
      return by == 1 ? words (g, "%s++;", name)
                     : words (g, "%s += %d;", name, by);
    }
  const array *a
    = which < 18 && g->n_arrays ? &g->arrays[below (g, g->n_arrays)] : NULL;
  if (!a || a->shape > LINE || g->n_arrays == MOST_ARRAYS || a->is_const)
    return NULL;
  const char *name = fresh (g, "w");
  WRITE ("%s *%s = %s + %d;", kind_name (a->kind), name, a->name, below (g, 7));
  g->arrays[g->n_arrays++] = (array){ name, a->kind, ROW, false, false, 0 };
  if (chance (g, 50) && (!is_float (a->kind) || !g->exact))
    return words (g, "*%s++ %s %s;", name,
                  is_float (a->kind) || chance (g, 50) ? "=" : "^=",
                  random_fitting (g, a->kind, 30, 1).text);
  return words (g, "%s++;", name);
}

/* A loop that counts without saying so; what moves its iterator.  */
static const char *
write_while (maker *g, const header *h)
{
  const char *i = h->name;
  WRITE ("%s = 0;", h->first);
  WRITE ("while (%s < %s)", i, h->bound);
  return chance (g, 50) ? words (g, "%s++;", i) : words (g, "%s += 2;", i);
}

/* A loop that tests behind its body; what moves its iterator.  */
static const char *
write_do (maker *g, const header *h)
{
  WRITE ("%s = 0;", h->first);
  WRITE ("do");
  return "";
}

/* The body of the loop of H, and MOVES at its end.  */
static void
write_body (maker *g, const header *h, const char *moves)
{
  bool was_in_loop = g->in_loop;
  g->iters[g->n_iters++] = (iter){ h->name, h->kind, h->range };
  g->in_loop = !moves;
  g->depth++;
  if (moves)
    {
      WRITE ("  {");
      g->out->indent += 4;
      WRITE (";");
      g->out->indent -= 2;
      random_block (g, 1 + below (g, 2));
      g->out->indent += 2;
      WRITE ("%s", moves);
      g->out->indent -= 4;
      WRITE ("  }");
    }
  else
    random_block (g, 1 + below (g, 3));
  g->depth--;
  g->in_loop = was_in_loop;
}

void
random_loop (maker *g)
{
  int n_iters = g->n_iters;
  int n_arrays = g->n_arrays;
  header h = { .range = some_range (g) };
  h.bound = end_of_range (g, h.range, &h.bound_kind);
  name_iterator (g, &h);
  const char *moves = NULL;
  bool is_braced = g->depth > 0 && g->n_iters < 2 && chance (g, 25);
  if (is_braced)
    {
      WRITE ("  {");
      g->out->indent += 4;
      moves = mover (g);
    }
  const iter *of = triangle_of (g, h.range);
  bool is_do = false;
  if (is_braced && !moves && h.range.of == 'c' && also (g, 50))
    {
      is_do = true;
      moves = write_do (g, &h);
    }
  else if (is_braced && !moves && chance (g, 40))
    moves = write_while (g, &h);
  else if (also (g, 12) && random_odd (g, &h))
    ;
  else if (of && chance (g, 50))
    write_triangle (g, &h, of);
  else if (is_signed (h.kind) && chance (g, 35))
    write_signed (g, &h);
  else
    write_any (g, &h);
  write_body (g, &h, moves);
  if (is_do)
    WRITE ("while (++%s < %s);", h.name, h.bound);
  if (is_braced)
    {
      g->out->indent -= 4;
      WRITE ("  }");
    }
  g->n_iters = n_iters;
  g->n_arrays = n_arrays;
}
