/* Shows that pointers that loops move are where the loops leave them: up and
   down, by two an iteration, over records, in an inner loop, moved on by the
   next region, and where arrays overlap so that the loops as written run.  */

#include "compare.h"

typedef struct pair
{
  int a, b;
} pair;

#define FILL_UP(p, x)                                                          \
  for (int i = 0; i < n; i++)                                                  \
    *p++ = x[i] + 1;

#define TWICE(p, x)                                                            \
  for (int i = n - 1; i >= 0; i--)                                             \
    {                                                                          \
      *p++ = -x[i];                                                            \
      *p++ = i;                                                                \
    }

#define PAIRS(p)                                                               \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      for (int j = 0; j < 3; j++)                                              \
        {                                                                      \
          p->a += i;                                                           \
          p->b -= j;                                                           \
          p++;                                                                 \
        }                                                                      \
      p += 1;                                                                  \
    }

#define DOWN(p)                                                                \
  for (int i = 0; i < n; i++)                                                  \
    *--p += i;

#define SUM(p)                                                                 \
  while (m--)                                                                  \
    sum += *p++;

static NOINLINE void
plain_parts (int n, const int *x, int *y, int *at)
{
  int *p = y;
  FILL_UP (p, x)
  at[0] = (int) (p - y);
  TWICE (p, x)
  *p = 99;
}

static NOINLINE void
parts (int n, const int *x, int *y, int *at)
{
  int *p = y;
#pragma tensor
  FILL_UP (p, x)
  at[0] = (int) (p - y);
#pragma tensor
  TWICE (p, x)
  *p = 99;
}

static NOINLINE void
plain_records (int n, pair *y, int *at)
{
  pair *p = y;
  PAIRS (p)
  p->a = 99;
  at[0] = (int) (p - y);
}

static NOINLINE void
records (int n, pair *y, int *at)
{
  pair *p = y;
#pragma tensor
  PAIRS (p)
  p->a = 99;
  at[0] = (int) (p - y);
}

static NOINLINE void
plain_ends (int n, const short *x, double *end, int *at)
{
  const short *from = x;
  double *p = end;
  int sum = 0, m = n;
  DOWN (p)
  SUM (x)
  at[0] = (int) (end - p);
  at[1] = (int) (x - from) + sum;
}

static NOINLINE void
ends (int n, const short *x, double *end, int *at)
{
  const short *from = x;
  double *p = end;
  int sum = 0, m = n;
#pragma tensor
  DOWN (p)
#pragma tensor
  SUM (x)
  at[0] = (int) (end - p);
  at[1] = (int) (x - from) + sum;
}

static int x[2][4 * MOST], y[2][4 * MOST], at[2][2];
static int records_of[2][8 * MOST + 8];
static short s[2][MOST];
static double d[2][MOST];

int
main (void)
{
  FILL (x);
  FILL (y);
  FILL (s);
  FILL (d);
  FILL (records_of);
  for (size_t k = 0; k < LENGTH (sizes); k++)
    {
      int n = sizes[k];
      current[0] = n;
      BOTH (parts, n, x[W], y[W], at[W]);
      CHECK (y);
      CHECK (at);
      BOTH (parts, n, x[W], x[W] + 1, at[W]);
      CHECK (x);
      CHECK (at);
      FILL (x);
      BOTH (records, n, (pair *) records_of[W], at[W]);
      CHECK (records_of);
      CHECK (at);
      BOTH (ends, n, s[W], d[W] + MOST, at[W]);
      CHECK (d);
      CHECK (at);
    }
  return 0;
}
