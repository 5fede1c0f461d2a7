/* Elements of memory that a region writes, by the names of their types
   (f32, u8, ...): how they are written, and how far apart two are.  */

#include "element.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const trm_element_type types[] = {
  { "bool", 1, 'U', 0, 0 },
  { "i8", 1, 'S', 0, 0 },
  { "u8", 1, 'U', 0, 0 },
  { "i16", 2, 'S', 0, 0 },
  { "u16", 2, 'U', 0, 0 },
  { "i32", 4, 'S', 0, 0 },
  { "u32", 4, 'U', 0, 0 },
  { "i64", 8, 'S', 0, 0 },
  { "u64", 8, 'U', 0, 0 },
  { "f32", 4, 'F', FLT_MANT_DIG, FLT_MIN_EXP },
  { "f64", 8, 'F', DBL_MANT_DIG, DBL_MIN_EXP },
  { "f80", sizeof (long double), 'F', LDBL_MANT_DIG, LDBL_MIN_EXP },
};

/* What is not in the table: bytes.  */
static const trm_element_type byte_type = { "byte", 1, 'U', 0, 0 };

const trm_element_type *
trm_element_find (const char *name)
{
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp (types[i].name, name) == 0)
      return &types[i];
  return &byte_type;
}

long double
trm_element_float (const trm_element_type *type, const void *address)
{
  float f;
  double d;
  long double l;
  if (type->bytes == sizeof f)
    return memcpy (&f, address, sizeof f), (long double) f;
  if (type->bytes == sizeof d)
    return memcpy (&d, address, sizeof d), (long double) d;
  return memcpy (&l, address, sizeof l), l;
}

/* The integer at ADDRESS, its bits below those of a 64-bit one.  */
static unsigned long long
integer_bits (const trm_element_type *type, const void *address)
{
  unsigned long long bits = 0;
  memcpy (&bits, address, (size_t) type->bytes);
  int unused = 64 - 8 * type->bytes;
  if (type->kind == 'S')
    return (unsigned long long) ((long long) (bits << unused) >> unused);
  return bits;
}

/* The spacing of TYPE's numbers at X.  */
static long double
spacing (const trm_element_type *type, long double x)
{
  int exponent;
  frexpl (x, &exponent);
  if (x == 0 || exponent < type->min_exponent)
    exponent = type->min_exponent;
  return ldexpl (1, exponent - type->digits);
}

long double
trm_element_ulps (const trm_element_type *type, long double a, long double b)
{
  if (isnan (a) || isnan (b))
    return isnan (a) && isnan (b) ? 0 : NAN;
  if (isinf (a) || isinf (b))
    return a == b ? 0 : INFINITY;
  long double larger = fabsl (a) > fabsl (b) ? a : b;
  return fabsl (a - b) / spacing (type, larger);
}

void
trm_element_value (char *text, size_t bytes, const trm_element_type *type,
                   const void *address)
{
  int digits = type->bytes == 4 ? 9 : type->bytes == 8 ? 17 : 21;
  if (type->kind == 'F')
    snprintf (text, bytes, "%.*Lg", digits, trm_element_float (type, address));
  else if (type->kind == 'S')
    snprintf (text, bytes, "%lld", (long long) integer_bits (type, address));
  else
    snprintf (text, bytes, "%llu", integer_bits (type, address));
}

void
trm_element_name (char *text, size_t bytes, const trm_span *span, int64_t e)
{
  int64_t subscript[TRM_MAX_RANK];
  int64_t rest = e + span->first;
  for (int d = span->rank - 1; d >= 0; d--)
    {
      int64_t extent = d > 0 ? span->extent[d] : 0;
      subscript[d] = extent > 0 ? rest % extent : rest;
      rest = extent > 0 ? rest / extent : 0;
    }
  size_t used = (size_t) snprintf (text, bytes, "%s", span->name);
  for (int d = 0; d < span->rank && used < bytes; d++)
    used += (size_t) snprintf (text + used, bytes - used, "[%lld]",
                               (long long) subscript[d]);
}
