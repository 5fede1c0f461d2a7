/* Numbers, names and the types of C.  */

#include "random-c.h"

#include <math.h>
#include <stdarg.h>

/* bits   of an integer
   small  what an element that is read into arithmetic is at most  */
static const struct
{
  const char *name;
  const char *suffix;
  int bits;
  bool is_signed;
  double small;
} kinds[N_KINDS] = {
  { "_Bool", "b1", 1, false, 2 },
  { "signed char", "c8", 8, true, 128 },
  { "unsigned char", "u8", 8, false, 256 },
  { "short", "s16", 16, true, 32768 },
  { "unsigned short", "u16", 16, false, 65536 },
  { "int", "i32", 32, true, 4096 },
  { "unsigned", "u32", 32, false, 4294967296.0 },
  { "long", "i64", 64, true, 1048576 },
  { "unsigned long", "u64", 64, false, 18446744073709551616.0 },
  { "float", "f32", 24, true, 32 },
  { "double", "f64", 53, true, 4096 },
};

int
below (maker *g, int n)
{
  g->state = g->state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (int) ((g->state >> 33) % (unsigned) n);
}

bool
chance (maker *g, int percent)
{
  return below (g, 100) < percent;
}

bool
also (maker *g, int percent)
{
  return !g->differentiable && chance (g, percent);
}

const char *
words (maker *g, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  const char *text = tns_arena_vformat (g->arena, format, args);
  va_end (args);
  return text;
}

const char *
fresh (maker *g, const char *stem)
{
  return words (g, "%s%d", stem, g->n_names++);
}

const char *
kind_name (kind k)
{
  return kinds[k].name;
}

const char *
kind_suffix (kind k)
{
  return kinds[k].suffix;
}

bool
is_float (kind k)
{
  return k == F32 || k == F64;
}

bool
is_signed (kind k)
{
  return kinds[k].is_signed;
}

/* What an element of kind K is at most when it is read.  */
double
small_of (const maker *g, kind k)
{
  if (is_float (k) && !g->exact)
    return HUGE_VAL;
  if (g->sums[k] && (k >= I32))
    return limit_of (g, k);
  return kinds[k].small;
}

/* What an integer of kind K can hold; of a float, exactly.  */
double
whole_of (kind k)
{
  return ldexp (1, kinds[k].bits - (kinds[k].is_signed && k < F32)) - 1;
}

/* What an expression of kind K may be without harm.  */
double
limit_of (const maker *g, kind k)
{
  if (is_float (k))
    return g->exact ? whole_of (k) : HUGE_VAL;
  return is_signed (k) ? whole_of (k) : HUGE_VAL;
}

kind
some_kind (maker *g)
{
  static const kind common[] = { I32, I32, F32, F32, F64, U32, I64 };
  if (g->differentiable && chance (g, 85))
    return g->reals == F32 || (g->reals != F64 && chance (g, 30)) ? F32 : F64;
  if (chance (g, 60))
    return common[below (g, 7)];
  return g->differentiable ? C8 + below (g, N_KINDS - C8) : below (g, N_KINDS);
}
