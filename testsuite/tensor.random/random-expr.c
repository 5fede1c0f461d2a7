/* Expressions: operators of all types, their operands converted as C does.  */

#include "random-c.h"

#include <math.h>

kind
random_joined (kind a, kind b)
{
  kind most = a > b ? a : b;
  return most < I32 ? I32 : most;
}

/* E as an expression of kind K, by a cast when WRITTEN.  */
static expr
converted (maker *g, expr e, kind k, bool written)
{
  const char *text = e.text;
  if (is_float (e.kind) && !is_float (k))
    {
      if (!g->exact || e.most > whole_of (I32))
        return (expr){ words (g, "(%s) %d", kind_name (k), below (g, 9)), k, 9,
                       false };
      if (!is_signed (k) || e.most > whole_of (k))
        text = words (g, "(int) %s", text);
    }
  if (written || text != e.text)
    text = words (g, "((%s) %s)", kind_name (k), text);
  double most = e.most;
  if (is_float (k))
    most = e.most;
  else if (!is_signed (k) || most > whole_of (k))
    most = whole_of (k) + 1;
  return (expr){ text, k, most, false };
}

/* The integer E with a magnitude of at most MOST.  */
static expr
reduced (maker *g, expr e, double most)
{
  if (e.most <= most)
    return e;
  int by = most > 1000 ? 1000 - below (g, 20) : (int) most;
  kind k = random_joined (e.kind, I32);
  if (is_signed (k) || chance (g, 50))
    return (expr){ words (g, "(%s %% %d)", e.text, by < 1 ? 1 : by), k,
                   by < 2 ? 1 : by - 1, false };
  int mask = 1;
  while (2 * mask + 1 <= by)
    mask = 2 * mask + 1;
  return (expr){ words (g, "(%s & %d)", e.text, mask), k, mask, false };
}

/* E where its value becomes one of kind K with others.  */
static expr
operand (maker *g, expr e, kind k)
{
  if (is_float (k) && !is_float (e.kind) && g->exact && e.most > 4096)
    e = reduced (g, e, k == F32 ? 50 : 1000);
  if (!is_float (k) && !is_signed (k))
    e.most = whole_of (k) + 1;
  return e;
}

/* A constant.  */
static expr
constant (maker *g)
{
  int v = below (g, 10);
  double most = v;
  switch (below (g, 8))
    {
    case 0:
      return (expr){ words (g, "%d.f", v), F32, most, true };
    case 1:
      return g->exact ? (expr){ words (g, "%d.0", v), F64, most, true }
                      : (expr){ words (g, "%.2f", v * 0.37), F64, 5, true };
    case 2:
      return (expr){ words (g, "%du", v), U32, most, true };
    case 3:
      return (expr){ words (g, "%dL", v), I64, most, true };
    default:
      return (expr){ words (g, "%d", v), I32, most, true };
    case 4:
      return (expr){ words (g, "(-%d)", v), I32, most, true };
    }
}

/* A subscript below 256, below 64 when not IS_FLAT, that wraps around or is in
   two tables.  */
static const char *
wrapped_subscript (maker *g, const iter *it, bool is_flat)
{
  switch (below (g, is_flat ? 5 : 4))
    {
    case 0:
      return words (g, "(%s * %d) & 63", it->name, 3 + below (g, 9));
    case 1:
      return words (g, "((unsigned) %s - %du) %% 16", it->name, below (g, 20));
    case 2:
      return g->gathers ? words (g, "idx[idx[%s]]", it->name) : it->name;
    case 3:
      return words (g, "(%s + %d) & 7", it->name, below (g, 9));
    default:
      return words (g, "(unsigned char) (%s * %d)", it->name, 2 + below (g, 9));
    }
}

/* A subscript that goes around the ring that IT runs along.  */
static const char *
ring_subscript (maker *g, const iter *it)
{
  char of = it->range.of;
  const char *n = of == 'n'   ? g->n
                  : of == 'm' ? g->m
                              : words (g, "%d", it->range.number);
  const char *far = also (g, 25) ? "2" : "1";
  if (also (g, 40))
    return words (g, "(%s + %s) %% %s", it->name, far, n);
  return also (g, 60) ? words (g, "(%s + %s - %s) %% %s", it->name, n, far, n)
                      : words (g, "(%s + %s + %s) %% %s", it->name, far, n, n);
}

const char *
random_subscript (maker *g, bool is_flat)
{
  const iter *it
    = g->n_iters ? &g->iters[g->n_iters - 1 - below (g, g->n_iters)] : NULL;
  if (!it || chance (g, 4))
    return words (g, "%d", below (g, 4));
  if (it->range.of == 'k')
    return is_flat ? it->name : words (g, "%s %% 8", it->name);
  if (also (g, 5))
    return wrapped_subscript (g, it, is_flat);
  const iter *other = &g->iters[below (g, g->n_iters)];
  switch (below (g, is_flat ? 16 : 14))
    {
    case 6:
      if (g->differentiable && !(is_flat && is_signed (it->kind)))
        return it->name;
      return words (g, "%s > %d ? %s - %d : 0", it->name, 2, it->name,
                    below (g, 3));
    case 0:
      {
        int by = 1 + below (g, 3);
        return also (g, 30)
                 ? words (g, "%s + near[%s & 7]", it->name, other->name)
                 : words (g, "%s + %d", it->name, by);
      }
    case 1:
      return is_flat && is_signed (it->kind)
               ? words (g, "%s - %d", it->name, 1 + below (g, 2))
               : it->name;
    case 2:
      return it->range.of == 'c'
               ? words (g, "%d - %s", it->range.number - 1, it->name)
               : words (g, "%s - 1 - %s", it->range.of == 'n' ? g->n : g->m,
                        it->name);
    case 3:
      return words (g, "%s / %d", it->name, 2 + below (g, 3));
    case 4:
      if (also (g, 50))
        return ring_subscript (g, it);
      return words (g, "%s %% %d", it->name, 2 + below (g, 5));
    case 5:
      return g->gathers ? words (g, "idx[%s]", it->name) : it->name;
    case 14:
      return words (g, "2 * %s + %d", it->name, below (g, 2));
    case 15:
      return words (g, "%s + %s", it->name, other->name);
    default:
      return it->name;
    }
}

bool
random_pair (maker *g, const char **i, const char **j)
{
  const iter *a = NULL, *b = NULL;
  for (int k = 0; k < g->n_iters; k++)
    if (g->iters[k].range.of == 'n')
      a = &g->iters[k];
    else if (g->iters[k].range.of == 'm')
      b = &g->iters[k];
  if (!a || !b)
    return false;
  *i = a->name;
  *j = b->name;
  return true;
}

/* The iterator NAME where it is multiplied by less than 0.  */
static const char *
in_signed (maker *g, const char *name)
{
  for (int k = 0; k < g->n_iters; k++)
    if (g->iters[k].name == name && is_signed (g->iters[k].kind))
      return name;
  return words (g, "(long) %s", name);
}

/* A linearised subscript.  */
static const char *
flat_subscript (maker *g, bool may_be_less)
{
  const char *i, *j;
  if (!random_pair (g, &i, &j) || chance (g, 40))
    return random_subscript (g, may_be_less);
  if (may_be_less && g->has_stride && also (g, 40))
    {
      i = in_signed (g, i);
      j = in_signed (g, j);
      return chance (g, 70) ? words (g, "%s * stride + %s", i, j)
                            : words (g, "%s + stride * %s", j, i);
    }
  if (also (g, 15))
    return words (
      g, "%s * %s + %s", chance (g, 50) ? words (g, "(long) %s", i) : i,
      words (g, "(%s) %s", kind_name (g->is_negative ? I64 : U32), g->m), j);
  switch (chance (g, 85) ? g->linear : below (g, 4))
    {
    case 0:
      return words (g, "%s + (%s * %s)", j, g->m, i);
    case 1:
      return words (g, "(%s + 1) * %s + %s", i, g->m, j);
    case 2:
      return words (g, "%s * %s + %s", j, g->n, i);
    default:
      return words (g, "%s * %s + %s", i, g->m, j);
    }
}

/* An element of A, "" when there is none here.  */
static const char *
element (maker *g, const array *a)
{
  const char *i, *j;
  switch (a->shape)
    {
    case FLAT:
    case LINE:
      {
        const char *at = flat_subscript (g, a->shape == FLAT);
        return chance (g, 90) ? words (g, "%s[%s]", a->name, at)
                              : words (g, "*(%s + (%s))", a->name, at);
      }
    case PAIR:
      i = random_subscript (g, false);
      return words (g, "%s[%s][%s]", a->name, i, random_subscript (g, false));
    case VLA:
      return random_pair (g, &i, &j) ? words (g, "%s[%s][%s]", a->name, i, j)
                                     : "";
    case PARTS:
      i = random_subscript (g, false);
      return chance (g, 60)
               ? words (g, "%s[%s].x", a->name, i)
               : words (g, "%s[%s].y[%d]", a->name, i, below (g, 3));
    case NEST:
      i = random_subscript (g, false);
      return words (g, "%s[%s].%s", a->name, i,
                    chance (g, 40)   ? "a"
                    : chance (g, 60) ? "in.b"
                                     : words (g, "in.c[%d]", below (g, 2)));
    case ROW:
      return words (g, "%s[%s]", a->name, random_subscript (g, false));
    default:
      return words (g, "%s[(%s) %% 8]", a->name, random_subscript (g, false));
    }
}

const char *
random_place (maker *g, kind *k)
{
  for (int tries = 0; tries < 20 && g->n_arrays; tries++)
    {
      const array *a = &g->arrays[below (g, g->n_arrays)];
      const char *at = a->is_const ? "" : element (g, a);
      *k = a->kind;
      if (*at)
        return at;
    }
  return NULL;
}

/* An iterator, a scalar, an element, a size or a constant.  */
static expr
leaf (maker *g)
{
  int which = below (g, 100);
  if (which < 12 && g->n_iters)
    {
      const iter *it = &g->iters[below (g, g->n_iters)];
      return (expr){ it->name, it->kind, 400, true };
    }
  if (which < 30 && g->n_scalars)
    {
      const scalar *s = &g->scalars[below (g, g->n_scalars)];
      return (expr){ s->name, s->kind, s->most, true };
    }
  if (which < 34)
    return (expr){ g->m, g->m_kind, 400, true };
  if (which < 45 || !g->n_arrays)
    return constant (g);
  const array *a = &g->arrays[below (g, g->n_arrays)];
  const char *at = a->is_out ? "" : element (g, a);
  if (!*at)
    return constant (g);
  return (expr){ at, a->kind, a->most > 0 ? a->most : small_of (g, a->kind),
                 true };
}

/* A op B for + - *.  */
static expr
arithmetic (maker *g, char op, expr a, expr b)
{
  kind k = random_joined (a.kind, b.kind);
  a = operand (g, a, k);
  b = operand (g, b, k);
  double limit = limit_of (g, k);
  for (int round = 0; round < 2; round++)
    {
      double most = op == '*' ? a.most * b.most : a.most + b.most;
      if (most <= limit || isnan (most))
        return (expr){ words (g, "(%s %c %s)", a.text, op, b.text), k,
                       !is_float (k) && !is_signed (k) ? whole_of (k) + 1
                                                       : most,
                       false };
      if (is_float (k))
        return a.most <= limit ? converted (g, a, k, true)
                               : converted (g, b, k, true);
      expr *larger = a.most > b.most ? &a : &b;
      *larger = reduced (g, *larger, 1000);
    }
  return constant (g);
}

/* The bits of A, unsigned, rotated.  */
static expr
rotated (maker *g, expr a)
{
  int by = 1 + below (g, 31);
  const char *text
    = chance (g, 50)
        ? words (g, "((%s << %d) | (%s >> %d))", a.text, by, a.text, 32 - by)
        : words (g, "((%s >> %d) | (%s << %d))", a.text, by, a.text, 32 - by);
  return (expr){ text, U32, whole_of (U32) + 1, false };
}

/* A, of kind K after promotion, divided or shifted by less than 0 or by what B
   tells.  */
static expr
divided (maker *g, expr a, expr b, kind k)
{
  int by = 2 + below (g, 99);
  bool is_wide = k == I64 || k == U64;
  switch (below (g, 6))
    {
    case 0:
      return (expr){ words (g, "(%s / -%d)", a.text, by), k,
                     is_signed (k) ? a.most : whole_of (k) + 1, false };
    case 1:
      return (expr){ words (g, "(%s %% -%d)", a.text, by), k,
                     is_signed (k) ? by : whole_of (k) + 1, false };
    case 2:
      return (expr){ words (g, "(%s / (1 + (int) (%s & 7)))", a.text, b.text),
                     k, a.most, false };
    case 3:
      return (expr){ words (g, "(%s %% (1 + (int) (%s & 15)))", a.text, b.text),
                     k, 16, false };
    case 4:
      return (expr){ words (g, "(%s >> (%s & %d))", a.text, b.text,
                            is_wide ? 63 : 31),
                     k, a.most, false };
    default:
      return (
        expr){ words (g, "((unsigned long) %s << (%s & 63))", a.text, b.text),
               U64, whole_of (U64) + 1, false };
    }
}

/* A with an integer operator.  */
static expr
bitwise (maker *g, expr a, expr b)
{
  static const char *const ops[] = { "&", "|", "^" };
  if (is_float (a.kind))
    a = converted (g, a, I32, true);
  if (is_float (b.kind))
    b = converted (g, b, I32, true);
  kind k = random_joined (a.kind, b.kind);
  kind alone = random_joined (a.kind, I32);
  a = operand (g, a, alone);
  double twice = 2 * (a.most > b.most ? a.most : b.most) + 1;
  if (alone == U32 && chance (g, 25))
    return rotated (g, a);
  if (also (g, 30))
    return divided (g, a, b, alone);
  switch (below (g, 6))
    {
    case 0:
      return (expr){ words (g, "(%s / %d)", a.text, 2 + below (g, 9)), alone,
                     a.most, false };
    case 1:
      return (expr){ words (g, "(%s %% %d)", a.text, 2 + below (g, 9)), alone,
                     a.most < 10 ? a.most : 10, false };
    case 2:
      return (expr){ words (g, "(%s >> %d)", a.text, below (g, 8)), alone,
                     a.most, false };
    case 3:
      return (expr){ words (g, "((unsigned) %s << %d)", a.text, below (g, 8)),
                     U32, whole_of (U32), false };
    default:
      if (is_signed (k) && twice > whole_of (k))
        twice = whole_of (k);
      return (expr){ words (g, "(%s %s %s)", a.text, ops[below (g, 3)], b.text),
                     k, is_signed (k) ? twice : whole_of (k) + 1, false };
    }
}

const char *
random_cond (maker *g)
{
  static const char *const ops[] = { "<", "<=", ">", ">=", "==", "!=" };
  const iter *it = g->n_iters ? &g->iters[below (g, g->n_iters)] : NULL;
  if (it && chance (g, 35))
    return words (g, "%s %s %d", it->name, ops[below (g, 6)], below (g, 9));
  if (g->n_iters > 1 && chance (g, 25))
    return words (g, "%s %s %s", g->iters[0].name, ops[below (g, 6)],
                  g->iters[1].name);
  expr a = random_expr (g, 1);
  expr b = leaf (g);
  const char *text = words (g, "%s %s %s", a.text, ops[below (g, 6)], b.text);
  if (chance (g, 15))
    text = words (g, "%s %s %s", text, chance (g, 50) ? "&&" : "||",
                  random_cond (g));
  return text;
}

/* c ? a : b.  */
static expr
choice (maker *g, int depth)
{
  const char *cond = random_cond (g);
  g->conditional++;
  expr a = random_expr (g, depth - 1);
  expr b = random_expr (g, depth - 1);
  g->conditional--;
  kind k = random_joined (a.kind, b.kind);
  a = operand (g, a, k);
  b = operand (g, b, k);
  if (g->differentiable && a.kind != b.kind)
    {
      a = converted (g, a, k, true);
      b = converted (g, b, k, true);
    }
  return (expr){ words (g, "(%s ? %s : %s)", cond, a.text, b.text), k,
                 a.most > b.most ? a.most : b.most, false };
}

/* One operand under an operator, or a function of it.  */
static expr
changed (maker *g, expr a)
{
  kind k = random_joined (a.kind, I32);
  a = operand (g, a, k);
  switch (below (g, 6))
    {
    case 0:
      return a.most > limit_of (g, k)
               ? a
               : (expr){ words (g, "(-%s)", a.text), k, a.most, false };
    case 1:
      return is_float (k) || (is_signed (k) && a.most >= whole_of (k))
               ? a
               : (expr){ words (g, "(~%s)", a.text), k,
                         is_signed (k) ? a.most + 1 : whole_of (k) + 1, false };
    case 2:
      return (expr){ words (g, "(!%s)", a.text), I32, 1, false };
    case 3:
      if (k == F32 || k == F64)
        return (expr){ words (g, "fabs%s (%s)", k == F32 ? "f" : "", a.text), k,
                       a.most, false };
      return converted (g, a, some_kind (g), true);
    case 4:
      if (!g->exact && (k == F32 || k == F64))
        return (expr){ words (g, "sqrt%s (%s)", k == F32 ? "f" : "", a.text), k,
                       a.most, false };
      return converted (g, a, some_kind (g), true);
    default:
      {
        kind to = some_kind (g);
        if (is_float (to))
          a = operand (g, a, to);
        return a.most > limit_of (g, to) && is_float (to)
                 ? a
                 : converted (g, a, to, true);
      }
    }
}

/* A call of a function of the unit.  */
static expr
called (maker *g)
{
  if (!g->exact && chance (g, 40))
    return (expr){ words (g, "above (%s, %s)", random_expr (g, 1).text,
                          random_expr (g, 1).text),
                   F32, HUGE_VAL, false };
  expr a = random_fitting (g, I32, 1000, 1);
  switch (below (g, 3))
    {
    case 0:
      return (expr){ words (g, "mix (%s, %s)", a.text,
                            random_fitting (g, I32, 1000, 1).text),
                     I32, 3000, false };
    case 1:
      return (expr){ words (g, "limited (%s, %d)", a.text, 3 + below (g, 40)),
                     I32, 1000, false };
    default:
      return (expr){ words (g, "halved (%s)", a.text), U32, whole_of (U32),
                     false };
    }
}

expr
random_expr (maker *g, int depth)
{
  if (depth <= 0 || chance (g, 15))
    return leaf (g);
  if (g->differentiable && !g->exact && chance (g, 75))
    return random_smooth (g, depth);
  int which = below (g, 100);
  if (which < 6)
    return called (g);
  if (which < 14)
    return choice (g, depth);
  if (which < 26)
    return changed (g, random_expr (g, depth - 1));
  expr a = random_expr (g, depth - 1);
  expr b = random_expr (g, depth - 1);
  if (which < 40)
    return bitwise (g, a, b);
  if (which < 45 && !g->exact && random_joined (a.kind, b.kind) >= F32)
    return (expr){ words (g, "(%s / %s)", a.text, b.text),
                   random_joined (a.kind, b.kind), HUGE_VAL, false };
  return arithmetic (g, "+-*"[below (g, 3)], a, b);
}

expr
random_fitting (maker *g, kind k, double most, int depth)
{
  expr e = random_expr (g, depth);
  if (is_float (k))
    {
      if (g->differentiable && !g->exact)
        return random_tame (g, e);
      if (!g->exact || e.most <= most)
        return e;
      if (!is_float (e.kind))
        return reduced (g, e, most);
      e = random_expr (g, 0);
      if (!is_float (e.kind))
        return reduced (g, e, most);
      return (expr){ words (g, "CLAMP (%s, %d)", e.text, (int) most), e.kind,
                     most, false };
    }
  if (is_float (e.kind))
    {
      if (!g->exact)
        e = (expr){ words (g, "WHOLE (%s)", leaf (g).text), I32, 1000, false };
      else
        e = converted (g, e, I32, true);
    }
  if (k != U32 && k != U64 && e.most > most)
    return reduced (g, e, most);
  return e;
}
