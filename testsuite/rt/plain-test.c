/* The loops of the operations mean the same to gcc without the plugin: each of
   them, for f32 and f64, compiled at -O1 with TRM_PLAIN, against the one that
   the library uses here; and gradients are absent where nobody wrote them.

   plain-calls.def says what is called, and how near the results must be.  A
   family whose loops are more than its calls is one that this test has not
   followed.  */

#include "expect.h"
#include "kernel.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ELEMENTS 8192
#define READ     3
#define WRITTEN  4

typedef enum kind
{
  NUMBERS,
  PLACES,
  BYTES
} kind;

enum
{
  SAME = 0,
  NEAR = 8,
  SUMS = 64
};

/* Elements of one type or the other.  */
typedef union numbers
{
  float f[ELEMENTS];
  double d[ELEMENTS];
} numbers;

/* What calls read and write.  */
typedef struct arrays
{
  int64_t m, n, p;
  numbers x[READ];
  numbers y[WRITTEN];
  uint8_t truth[ELEMENTS];
  int64_t place[ELEMENTS];
  int64_t label[ELEMENTS];
  int32_t begin[ELEMENTS], row[ELEMENTS], column[ELEMENTS];
} arrays;

#define PLAIN(family)                                                          \
  extern const struct trm_##family##_table trm_##family##_plain;
TRM_FAMILIES (PLAIN)

#define X(i)   (void *) &s->x[i]
#define Y(i)   (void *) &s->y[i]
#define TRUE   (void *) s->truth
#define PLACE  s->place
#define LABEL  s->label
#define BEGIN  s->begin
#define ROW    s->row
#define COLUMN s->column

#define UNUSED __attribute__ ((unused))
#define FUNCTION(family, name, type, before, arguments)                        \
  static void call_##family##_##name##_##type (bool plain, arrays *s)          \
  {                                                                            \
    const struct trm_##family##_##type *k                                      \
      = plain ? &trm_##family##_plain.type : &trm_kernels_##family->type;      \
    int64_t m UNUSED = s->m, n UNUSED = s->n, p UNUSED = s->p;                 \
    before k->name arguments;                                                  \
  }

#define R float
#define CALL(family, name, kind, bound, arguments)                             \
  FUNCTION (family, name, f32, , arguments)
#define VALUE(family, name, kind, bound, arguments)                            \
  FUNCTION (family, name, f32, s->y[0].f[0] = (float), arguments)
#include "plain-calls.def"
#undef R
#undef CALL
#undef VALUE

#define R double
#define CALL(family, name, kind, bound, arguments)                             \
  FUNCTION (family, name, f64, , arguments)
#define VALUE(family, name, kind, bound, arguments)                            \
  FUNCTION (family, name, f64, s->y[0].d[0] =, arguments)
#include "plain-calls.def"
#undef R
#undef CALL
#undef VALUE

static const struct
{
  const char *family;
  const char *name;
  kind what;
  int bound;
  void (*call[2]) (bool plain, arrays *s);
} calls[] = {
#define R
#define CALL(family, name, kind, bound, arguments)                             \
  { #family,                                                                   \
    #name,                                                                     \
    kind,                                                                      \
    bound,                                                                     \
    { call_##family##_##name##_f32, call_##family##_##name##_f64 } },
#define VALUE CALL
#include "plain-calls.def"
#undef CALL
#undef VALUE
};

enum
{
  n_calls = sizeof calls / sizeof *calls
};

/* A number below 1 that follows from I.  */
static double
share (int i)
{
  return (double) ((uint32_t) i * 2654435761u >> 8) * 0x1p-24;
}

/* Let element I of AT, of TYPE, be V.  */
static void
put (trm_type type, numbers *at, int i, double v)
{
  if (type == TRM_F64)
    at->d[i] = v;
  else
    at->f[i] = (float) v;
}

/* Fill S for TYPE and the sizes SIZE.  Every seventh element of X (1) is that
   of X (0).  */
static void
fill (arrays *s, trm_type type, const int64_t *size)
{
  s->m = size[0], s->n = size[1], s->p = size[2];
  for (int i = 0; i < ELEMENTS; i++)
    {
      double v = 4 * share (i) - 2;
      put (type, &s->x[0], i, v);
      put (type, &s->x[1], i, i % 7 ? 4 * share (i + ELEMENTS) - 2 : v);
      put (type, &s->x[2], i, 0.1 + share (i + 2 * ELEMENTS));
      for (int k = 0; k < WRITTEN; k++)
        put (type, &s->y[k], i, 0.1 + share (i + (3 + k) * ELEMENTS));
      s->truth[i] = share (i + 9) < 0.5;
      s->place[i] = (int64_t) (share (i + 99) * (double) s->n);
      s->label[i] = i % 5 == 4 ? -1 : s->place[i];
      s->begin[i] = 2 * i;
      s->row[i] = i / 2;
      s->column[i] = (int32_t) (share (i + 999) * (double) s->m);
    }
}

/* Element I of AT, of TYPE.  */
static double
take (trm_type type, const numbers *at, int i)
{
  return type == TRM_F64 ? at->d[i] : (double) at->f[i];
}

/* How far A and B lie apart, in units of TYPE's last place at the larger of 1
   and B.  */
static double
distance (trm_type type, double a, double b)
{
  double unit = type == TRM_F64 ? DBL_EPSILON : FLT_EPSILON;
  if (a == b || (isnan (a) && isnan (b)))
    return 0;
  double d = fabs (a - b) / (unit * fmax (1, fabs (b)));
  return isnan (d) ? INFINITY : d;
}

/* How far what call I wrote to A and to B lies apart.  */
static double
difference (int i, trm_type type, const arrays *a, const arrays *b)
{
  double most = 0;
  if (calls[i].what != NUMBERS)
    return memcmp (a->y, b->y, sizeof a->y) ? INFINITY : 0;
  for (int k = 0; k < WRITTEN; k++)
    for (int j = 0; j < ELEMENTS; j++)
      most = fmax (most, distance (type, take (type, &a->y[k], j),
                                   take (type, &b->y[k], j)));
  return most;
}

/* Whether call I does the same in both, for all sizes, and writes.  */
static bool
is_same (int i, trm_type type)
{
  static const int64_t sizes[][3]
    = { { 5, 37, 3 }, { 1, 1, 1 }, { 4, 5, 6 }, { 3, 130, 7 } };
  static arrays begun, here, plain;
  double most = 0;
  bool writes = true;
  for (int k = 0; k < 4; k++)
    {
      fill (&begun, type, sizes[k]);
      here = plain = begun;
      calls[i].call[type == TRM_F64](false, &here);
      calls[i].call[type == TRM_F64](true, &plain);
      most = fmax (most, difference (i, type, &here, &plain));
      writes &= memcmp (here.y, begun.y, sizeof here.y) != 0;
    }
  bool same = writes && most <= calls[i].bound;
  if (!same)
    printf ("  %s, %s, f%d: %g units apart, not %d%s\n", calls[i].family,
            calls[i].name, type == TRM_F64 ? 64 : 32, most, calls[i].bound,
            writes ? "" : ", and nothing written");
  return same;
}

/* How many of the N functions at TABLE are there.  */
static int
count_functions (const void *table, size_t n)
{
  int there = 0;
  for (size_t i = 0; i < n; i++)
    {
      void (*function) (void);
      memcpy (&function, (const char *) table + i * sizeof function,
              sizeof function);
      there += function != NULL;
    }
  return there;
}

/* Compare FAMILY, whose tables of N functions begin at HERE and PLAIN.  */
static void
test_family (const char *family, size_t n, const void *here, const void *plain)
{
  int n_here = 0;
  bool all[2] = { true, true };
  for (int i = 0; i < n_calls; i++)
    if (!strcmp (calls[i].family, family))
      {
        all[0] &= is_same (i, TRM_F32);
        all[1] &= is_same (i, TRM_F64);
        n_here++;
      }
  expect (all[0], "%s: %d loops by plain gcc, f32", family, n_here);
  expect (all[1], "%s: %d loops by plain gcc, f64", family, n_here);
  expect (count_functions (plain, n) == 2 * n_here
            && count_functions (here, n) == (int) n,
          "%s: all loops are called, and no gradient is there", family);
}

#define TEST(family)                                                           \
  test_family (                                                                \
    #family, sizeof (struct trm_##family##_table) / sizeof (void (*) (void)),  \
    trm_kernels_##family, &trm_##family##_plain);

int
main (void)
{
  TRM_FAMILIES (TEST)
  return expect_status ();
}
