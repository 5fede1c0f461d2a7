/* Loops on both sides of a call that nobody can read are regions of their own,
   those on one side one region; the call sees what came before it and what comes
   behind it sees what the call did.  So in a scop, and where the iterators are
   declared elsewhere.  */

#include "compare.h"

static int *watched;

/* Change what the loops around it work on.  */
static NOINLINE int
watch (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum = sum * 3 + watched[i];
  if (n > 0)
    watched[n / 2] += sum & 15;
  __asm__ volatile ("" : : : "memory");
  return sum;
}

static NOINLINE int
plain_beside (int *x, int *y, int n)
{
  for (int i = 0; i < n; i++)
    x[i] += y[i];
  for (int i = 0; i < n; i++)
    y[i] = x[i] * 2;
  int seen = watch (n);
  for (int i = 0; i < n; i++)
    y[i] += x[i] + seen;
  return seen;
}

static NOINLINE int
beside (int *restrict x, int *restrict y, int n)
{
#pragma tensor /* { dg-missed "the call of watch" } */
  {
    for (int i = 0; i < n; i++) /* { dg-optimized "fused 2 loops into 1;\[^\n\]*; a region of its own" } */
      x[i] += y[i];
    for (int i = 0; i < n; i++)
      y[i] = x[i] * 2;
    int seen = watch (n);
    for (int i = 0; i < n; i++) /* { dg-optimized "a region of its own" } */
      y[i] += x[i] + seen;
    return seen;
  }
}

static NOINLINE void
plain_old (int *x, int *y, int n)
{
  for (int i = 0; i < n; i++)
    x[i] += y[i];
  y[0] += watch (n);
  for (int i = 0; i < n; i++)
    y[i] = x[i] * 3;
  for (int i = 1; i < n; i++)
    x[i] = x[i - 1] + watch (i);
}

static NOINLINE void
old (int *restrict x, int *restrict y, int n)
{
  int i;
#pragma tensor /* { dg-missed "the call of watch" } */
  {
    for (i = 0; i < n; i++) /* { dg-optimized "a region of its own" } */
      x[i] += y[i];
    y[0] += watch (n);
    for (i = 0; i < n; i++) /* { dg-optimized "a region of its own" } */
      y[i] = x[i] * 3;
    for (i = 1; i < n; i++)
      x[i] = x[i - 1] + watch (i);
  }
}

static int x[2][AREA], y[2][AREA];

int
main (void)
{
  for (int n = 1; n <= 8192; n = n * 5 / 2 + 1)
    {
      int seen[2];
      FILL (x);
      FILL (y);
      watched = x[0];
      seen[0] = plain_beside (x[0], y[0], n);
      watched = x[1];
      seen[1] = beside (x[1], y[1], n);
      CHECK (x);
      CHECK (y);
      if (seen[0] != seen[1])
        differ ("seen", 0, seen[0], seen[1]);
      watched = x[0];
      plain_old (x[0], y[0], n);
      watched = x[1];
      old (x[1], y[1], n);
      CHECK (x);
      CHECK (y);
    }
  return 0;
}
