/* Statements: assignments in all spellings, scalars, ifs, switches, rows,
   counters, pointers that walk, calls of functions of the unit.  */

#include "random-c.h"

#include <math.h>

/* A whole statement of one line.  */
#define WRITE(...) tns_text_line (g->out, __VA_ARGS__)

static void
open_block (maker *g)
{
  g->out->indent += 2;
  WRITE ("{");
  g->out->indent += 2;
}

static void
close_block (maker *g)
{
  g->out->indent -= 2;
  WRITE ("}");
  g->out->indent -= 2;
}

/* What one addition to a sum of kind K may add.  */
static double
addend (const maker *g, kind k)
{
  if (is_float (k) && !g->exact)
    return HUGE_VAL;
  return k == F32 ? 40 : k == I32 ? 4000 : 1e6;
}

/* The operator of a compound assignment to kind K, NULL when = must do.  */
static const char *
compound (maker *g, kind k, bool is_sum)
{
  static const char *const any[]
    = { "+=", "-=", "*=", "^=", "|=", "&=", "+=", "+=" };
  static const char *const real[] = { "+=", "+=", "-=", "*=" };
  if (is_float (k) && !g->exact)
    return real[below (g, 4)];
  if (is_float (k) || k == I32 || k == I64)
    return is_sum ? chance (g, 70) ? "+=" : "-=" : NULL;
  return any[below (g, is_signed (k) ? 2 : 8)];
}

/* TARGET of kind K gets something.  */
static void
assign_to (maker *g, const char *target, kind k, bool is_sum)
{
  const char *op = chance (g, 50) ? compound (g, k, is_sum) : NULL;
  if (op)
    {
      expr e = random_fitting (g, k, addend (g, k), 2);
      if (chance (g, 20) && op[0] == '+')
        WRITE ("%s = %s + %s;", target, e.text, target);
      else
        WRITE ("%s %s %s;", target, op, e.text);
    }
  else
    {
      double most = is_sum ? addend (g, k) : small_of (g, k);
      WRITE ("%s = %s;", target, random_fitting (g, k, most, 3).text);
    }
}

/* An element is assigned.  */
static void
assign (maker *g)
{
  kind k;
  const char *target = random_place (g, &k);
  if (target && (k == U32 || k == U64 || k == U8) && chance (g, 8))
    WRITE ("++%s;", target);
  else if (target)
    assign_to (g, target, k, g->sums[k]);
}

/* A new scalar, which what follows in this block may read.  */
static void
declare_scalar (maker *g)
{
  kind k = some_kind (g);
  double most = small_of (g, k);
  if (k == I32 && g->sums[k])
    most = 4096;
  expr e = random_fitting (g, k, most, 2);
  const char *name = fresh (g, "t");
  WRITE ("%s%s %s = %s;",
         also (g, 2)      ? "volatile "
         : chance (g, 30) ? "const "
                          : "",
         kind_name (k), name, e.text);
  if (g->n_scalars < MOST_SCALARS)
    g->scalars[g->n_scalars++] = (scalar){ name, k, most, true };
}

/* A scalar of the function gets something.  */
static void
change_scalar (maker *g)
{
  const scalar *s = NULL;
  for (int k = 0; k < g->n_scalars; k++)
    if (!g->scalars[k].is_fixed && (!s || chance (g, 50)))
      s = &g->scalars[k];
  if (!s)
    assign (g);
  else if (chance (g, 15) && !(is_float (s->kind) && g->exact))
    {
      expr e = random_fitting (g, s->kind, addend (g, s->kind), 1);
      WRITE ("if (%s %s %s)", e.text, chance (g, 50) ? "<" : ">", s->name);
      WRITE ("  %s = %s;", s->name, e.text);
    }
  else
    assign_to (g, s->name, s->kind, true);
}

/* if (c) { ... } else { ... }  */
static void
branch (maker *g)
{
  int n = g->n_scalars;
  WRITE ("if (%s)", random_cond (g));
  random_block (g, 1 + below (g, 2));
  g->n_scalars = n;
  if (chance (g, 40))
    {
      WRITE ("else");
      random_block (g, 1);
      g->n_scalars = n;
    }
}

/* switch (k) { ... }, labels together, some that fall through.  */
static void
choose_case (maker *g)
{
  const iter *it = g->n_iters ? &g->iters[below (g, g->n_iters)] : NULL;
  int n = g->n_scalars;
  bool was_in_loop = g->in_loop;
  g->in_loop = false;
  WRITE ("switch (%s)",
         it && chance (g, 50)
           ? words (g, "%s & 7", it->name)
           : words (g, "%s & 7", random_fitting (g, U32, 99, 1).text));
  open_block (g);
  for (int k = below (g, 2); k < 8; k += 1 + below (g, 3))
    {
      WRITE (k == 4 ? "default:" : "case %d:", k);
      if (chance (g, 20))
        continue;
      random_block (g, 1);
      g->n_scalars = n;
      if (chance (g, 70))
        WRITE ("break;");
    }
  WRITE ("case 8:;");
  close_block (g);
  g->in_loop = was_in_loop;
}

/* An index that ifs keep within an array.  */
static void
declare_clamped (maker *g)
{
  const iter *it = g->n_iters ? &g->iters[below (g, g->n_iters)] : NULL;
  if (!it || it->range.of == 'k' || !is_signed (it->kind)
      || g->n_iters == MOST_ITERS)
    {
      assign (g);
      return;
    }
  const char *name = fresh (g, "c");
  int most = 3 + below (g, 40);
  WRITE ("int %s = %s %c %d;", name, it->name, "+-"[below (g, 2)],
         1 + below (g, 4));
  WRITE ("if (%s < 0)", name);
  WRITE ("  %s = %s;", name, chance (g, 70) ? "0" : words (g, "-%s", name));
  WRITE ("if (%s >= %d)", name, most);
  WRITE ("  %s = %d;", name, most - 1);
  g->iters[g->n_iters++] = (iter){ name, I32, { 'c', most } };
}

/* What fulfils a condition is put behind the rest.  */
static void
pack_some (maker *g)
{
  const scalar *s = NULL;
  for (int k = 0; k < g->n_scalars; k++)
    if (!g->scalars[k].is_fixed && g->scalars[k].kind == U32)
      s = &g->scalars[k];
  for (int a = 0; s && a < g->n_arrays; a++)
    if (g->arrays[a].shape <= LINE && !g->arrays[a].is_const)
      {
        const char *counter = s->name;
        int n_scalars = g->n_scalars;
        WRITE ("if (%s)", random_cond (g));
        g->n_scalars = 0;
        WRITE ("  %s[%s++ %% 64] = %s;", g->arrays[a].name, counter,
               random_fitting (g, g->arrays[a].kind, 30, 1).text);
        g->n_scalars = n_scalars;
        return;
      }
  assign (g);
}

/* An array that A points into: row = a + i * m.  */
static void
declare_row (maker *g)
{
  const iter *it = g->n_iters ? &g->iters[below (g, g->n_iters)] : NULL;
  for (int tries = 0; it && tries < 9 && g->n_arrays < MOST_ARRAYS; tries++)
    {
      array a = g->arrays[below (g, g->n_arrays)];
      if (a.shape > (g->is_negative ? FLAT : LINE) || it->range.of == 'k')
        continue;
      const char *name = fresh (g, "row");
      const char *qualifier = a.is_const || chance (g, 40) ? "const " : "";
      WRITE ("%s%s *%s = %s + %s * %s;", qualifier, kind_name (a.kind), name,
             a.name, it->name, it->range.of == 'n' ? g->m : g->n);
      a.name = name;
      a.is_const = *qualifier != 0;
      a.shape = ROW;
      g->arrays[g->n_arrays++] = a;
      return;
    }
}

/* A small array of the region, which is set before it is read.  */
static void
declare_array (maker *g)
{
  kind k = some_kind (g);
  const char *name = fresh (g, "local");
  const char *z = fresh (g, "z");
  if (g->n_arrays == MOST_ARRAYS)
    return;
  if (chance (g, 40))
    WRITE ("%s %s[8] = { %d, 2 };", kind_name (k), name, below (g, 5));
  else
    {
      WRITE ("%s %s[8];", kind_name (k), name);
      WRITE ("for (int %s = 0; %s < 8; %s++)", z, z, z);
      WRITE ("  %s[%s] = %s %% 3;", name, z, z);
    }
  g->arrays[g->n_arrays++] = (array){ name, k, SMALL, false, false, 0 };
}

/* A function of the unit that is given the address of an element.  */
static bool
call_with_place (maker *g)
{
  kind k;
  const char *place = random_place (g, &k);
  if (!place || k != U32)
    return false;
  WRITE ("%s = bump (&%s, %s) + %d;", place, place,
         random_fitting (g, I32, 1000, 1).text, below (g, 5));
  return true;
}

/* A function of the unit that loops.  */
static void
call_rows (maker *g)
{
  if (chance (g, 50) && call_with_place (g))
    return;
  static const kind with_rows[] = { I32, U32, F32, F64 };
  const char *of[2] = { NULL, NULL };
  kind k = with_rows[below (g, 4)];
  for (int a = 0; a < g->n_arrays; a++)
    if (g->arrays[a].shape <= LINE && g->arrays[a].kind == k)
      {
        if (!g->arrays[a].is_const && (!of[0] || chance (g, 50)))
          of[0] = g->arrays[a].name;
        else
          of[1] = g->arrays[a].name;
      }
  if (!of[0] || !g->sums[k] || (is_float (k) && !g->exact))
    {
      assign (g);
      return;
    }
  const char *from = g->n_iters ? g->iters[0].name : "3";
  if (k == U32 || k == U64)
    WRITE ("add_rows_%s (%s + %s, %s, %s);", kind_suffix (k), of[0], from,
           of[1] ? of[1] : of[0], g->m);
  else
    WRITE ("set_rows_%s (%s + %s, %s, %s);", kind_suffix (k), of[0], from,
           of[1] ? of[1] : of[0], g->m);
}

/* One statement; LAST in its block.  */
static void
statement (maker *g, bool last)
{
  int which = below (g, 100);
  bool may_loop = g->depth < g->deepest;
  if (g->differentiable && chance (g, 7) && random_active (g, last))
    return;
  if (g->differentiable && g->depth == 0 && chance (g, 25) && random_field (g))
    return;
  if (!may_loop && also (g, 14) && random_idiom (g))
    return;
  if (g->depth == 0 && chance (g, g->differentiable ? 8 : 20)
      && random_nest (g))
    return;
  if (may_loop && (which < 45 || last))
    random_loop (g);
  else if (which < 70)
    assign (g);
  else if (which < 80)
    change_scalar (g);
  else if (which < 85)
    branch (g);
  else if (which < 87)
    choose_case (g);
  else if (which < 88)
    pack_some (g);
  else if (which < 92 && !last)
    declare_scalar (g);
  else if (which < 93 && !last)
    declare_row (g);
  else if (which < 94 && !last)
    declare_clamped (g);
  else if (which < 96 && !last)
    declare_array (g);
  else if (which < 97)
    call_rows (g);
  else if (g->in_loop && !last)
    WRITE ("if (%s) %s;", random_cond (g), also (g, 25) ? "break" : "continue");
  else
    assign (g);
}

void
random_block (maker *g, int n_statements)
{
  int n_scalars = g->n_scalars;
  int n_arrays = g->n_arrays;
  int n_iters = g->n_iters;
  open_block (g);
  for (int k = 0; k < n_statements; k++)
    statement (g, k == n_statements - 1);
  close_block (g);
  g->n_scalars = n_scalars;
  g->n_arrays = n_arrays;
  g->n_iters = n_iters;
}
