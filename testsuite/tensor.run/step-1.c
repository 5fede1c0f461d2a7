/* Shows that loops are counted whose condition steps the iterator, up and
   down, before or after it is compared, to zero or to a bound; the iterator
   is right behind them too.  So are for loops that step in their body.  */

#include "compare.h"

enum
{
  FORMS = 12,
  ROOM = 160
};

#define DOWN_ABOVE                                                             \
  for (i = n; i-- > low;)                                                      \
    a[i + 9] += i;
#define DOWN_FROM                                                              \
  for (i = n; i-- >= low;)                                                     \
    a[i + 9] += i;
#define DOWN_FIRST                                                             \
  for (i = n; --i >= low;)                                                     \
    a[i + 9] += i;
#define DOWN_FIRST_ABOVE                                                       \
  for (i = n; --i > low;)                                                      \
    a[i + 9] += i;
#define DOWN_TO_ZERO                                                           \
  for (i = n + 1; --i;)                                                        \
    a[i + 9] += i;
#define UP_BELOW                                                               \
  for (i = low; i++ < n;)                                                      \
    a[i + 9] += i;
#define UP_TO                                                                  \
  for (i = low; i++ <= n;)                                                     \
    a[i + 9] += i;
#define UP_FIRST                                                               \
  for (i = low; ++i < n;)                                                      \
    a[i + 9] += i;
#define UP_FIRST_TO                                                            \
  for (i = low; ++i <= n;)                                                     \
    a[i + 9] += i;
#define IN_BODY                                                                \
  for (i = low; i < n;)                                                        \
    {                                                                          \
      a[i + 9] += i;                                                           \
      i++;                                                                     \
    }
#define UNSIGNED                                                               \
  for (u = n; u-- > 0;)                                                        \
    a[u + 9] += u;
#define UNSIGNED_FIRST                                                         \
  for (u = n + 1; --u != 0;)                                                   \
    a[u + 9] += u;

#define EACH(DO)                                                               \
  DO (0, DOWN_ABOVE)                                                           \
  DO (1, DOWN_FROM)                                                            \
  DO (2, DOWN_FIRST)                                                           \
  DO (3, DOWN_FIRST_ABOVE)                                                     \
  DO (4, DOWN_TO_ZERO)                                                         \
  DO (5, UP_BELOW)                                                             \
  DO (6, UP_TO)                                                                \
  DO (7, UP_FIRST)                                                             \
  DO (8, UP_FIRST_TO)                                                          \
  DO (9, IN_BODY)                                                              \
  DO (10, UNSIGNED)                                                            \
  DO (11, UNSIGNED_FIRST)

static NOINLINE long
plain (int *a, int n, int low, int form)
{
  int i = 0;
  unsigned u = 0;
#define PLAIN(K, LOOP)                                                         \
  if (form == K)                                                               \
  LOOP
  EACH (PLAIN)
  return i + (long) u;
}

static NOINLINE long
region (int *a, int n, int low, int form)
{
  int i = 0;
  unsigned u = 0;
  switch (form)
    {
    case 0:
#pragma tensor
      DOWN_ABOVE
      break;
    case 1:
#pragma tensor
      DOWN_FROM
      break;
    case 2:
#pragma tensor
      DOWN_FIRST
      break;
    case 3:
#pragma tensor
      DOWN_FIRST_ABOVE
      break;
    case 4:
#pragma tensor
      DOWN_TO_ZERO
      break;
    case 5:
#pragma tensor
      UP_BELOW
      break;
    case 6:
#pragma tensor
      UP_TO
      break;
    case 7:
#pragma tensor
      UP_FIRST
      break;
    case 8:
#pragma tensor
      UP_FIRST_TO
      break;
    case 9:
#pragma tensor
      IN_BODY
      break;
    case 10:
#pragma tensor
      UNSIGNED
      break;
    case 11:
#pragma tensor
      UNSIGNED_FIRST
      break;
    }
  return i + (long) u;
}

int
main (void)
{
  static int a[2][ROOM];
  for (unsigned s = 0; s < LENGTH (sizes); s++)
    for (int low = -3; low < 40; low += 1 + (low > 5) * 11)
      for (int form = 0; form < FORMS; form++)
        {
          long p = plain (a[0], sizes[s], low, form);
          long r = region (a[1], sizes[s], low, form);
          if (p != r || memcmp (a[0], a[1], sizeof a[0]))
            {
              printf ("form %d, n %d, low %d: %ld %ld\n", form, sizes[s], low,
                      p, r);
              return 1;
            }
        }
  return 0;
}
