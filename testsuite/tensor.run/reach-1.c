/* Shows that arrays of the function's own that no pointer reaches need no check
   against pointers, and that those mean the same that one may reach: by their
   address, by that of a member, by a pointer that begins with it, by a function
   inside.  */

#include "compare.h"

#define BINS 64

#define SORT                                                                   \
  for (int i = 0; i < n; i++)                                                  \
    count[(a[i] & 63) + 1]++;                                                  \
  for (int k = 0; k < BINS; k++)                                               \
    count[k + 1] += count[k];                                                  \
  for (int i = 0; i < n; i++)                                                  \
    b[count[a[i] & 63]++] = a[i];

#define MIX                                                                    \
  for (int i = 0; i < n; i++)                                                  \
    to[i] += own[a[i] & 63] + i;

#define FINISH                                                                 \
  for (int k = 0; k < BINS; k++)                                               \
    b[k] = own[k];

static NOINLINE void
plain_sort (int n, const int *restrict a, int *b)
{
  int count[BINS + 1] = { 0 };
  SORT
}

static NOINLINE void
sort (int n, const int *restrict a, int *b)
{
  int count[BINS + 1] = { 0 };
#pragma tensor
  {
    SORT
  }
}

static NOINLINE int *
same (int *p)
{
  return p;
}

static NOINLINE void
plain_given (int n, const int *a, int *b)
{
  int own[BINS] = { 3, 1, 2 };
  int *to = same (own);
  MIX FINISH
}

static NOINLINE void
given (int n, const int *a, int *b)
{
  int own[BINS] = { 3, 1, 2 };
  int *to = same (own);
#pragma tensor
  MIX FINISH
}

static NOINLINE void
plain_member (int n, const int *a, int *b)
{
  struct
  {
    int first;
    int own[BINS];
  } s = { 1, { 4, 2 } };
  const int *own = &s.own[0];
  int *to = same (&s.first);
  for (int i = 0; i < n; i++)
    to[i] += s.own[a[i] & 63] + i;
  FINISH
}

static NOINLINE void
member (int n, const int *a, int *b)
{
  struct
  {
    int first;
    int own[BINS];
  } s = { 1, { 4, 2 } };
  const int *own = &s.own[0];
  int *to = same (&s.first);
#pragma tensor
  for (int i = 0; i < n; i++)
    to[i] += s.own[a[i] & 63] + i;
  FINISH
}

static NOINLINE void
plain_inside (int n, const int *a, int *b)
{
  int own[BINS] = { 5, 1 };
  int *find (void)
  {
    return own;
  }
  int *to = find ();
  MIX FINISH
}

static NOINLINE void
inside (int n, const int *a, int *b)
{
  int own[BINS] = { 5, 1 };
  int *find (void)
  {
    return own;
  }
  int *to = find ();
#pragma tensor
  MIX FINISH
}

static int a[2][4 * BINS];
static int b[2][4 * BINS];

int
main (void)
{
  for (int n = 0; n < BINS; n += 7)
    {
      current[0] = n;
      FILL_BELOW (a, 1000);
      FILL (b);
      BOTH (sort, 3 * n, a[W], b[W]);
      CHECK (b);
      BOTH (given, n, a[W], b[W]);
      CHECK (b);
      BOTH (member, n, a[W], b[W]);
      CHECK (b);
      BOTH (inside, n, a[W], b[W]);
      CHECK (b);
    }
  return 0;
}
