/* Shows that statement expressions are read: the safe maximum of macros, one
   inside another, one that changes something, one in a condition, one whose
   value nobody wants, one below a condition.  */

#include <limits.h>

#include "compare.h"

#define LARGER(a, b)                                                           \
  ({                                                                           \
    __typeof__ (a) a_ = (a);                                                   \
    __typeof__ (b) b_ = (b);                                                   \
    a_ > b_ ? a_ : b_;                                                         \
  })

#define LARGER_OF_ALL                                                          \
  for (int i = 0; i < n; i++)                                                  \
    a[i] = LARGER (a[i], LARGER (b[i], 3));

#define EFFECTS                                                                \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      a[i] = b[i] + ({                                                         \
               t += b[i];                                                      \
               int twice = 2 * t;                                              \
               twice - 1;                                                      \
             });                                                               \
      ({                                                                       \
        int back = a[i];                                                       \
        a[i] = back < 0 ? 0 : back;                                            \
      });                                                                      \
    }

#define CONDITIONS                                                             \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      if (LARGER (a[i], b[i]) < 4)                                             \
        continue;                                                              \
      a[i] = b[i] > 0 ? LARGER (b[i], 5) : (int) abs (a[i] - 9) % 4u;          \
    }

#define DISTANCES                                                              \
  for (int i = 0; i < n; i++)                                                  \
    a[i] = b[i] < 0 ? -(unsigned) b[i] : (unsigned) b[i];

static NOINLINE void
plain (int *a, const int *b, int n, int what)
{
  int t = 0;
  if (what == 0)
    LARGER_OF_ALL
  if (what == 1)
    EFFECTS
  if (what == 2)
    CONDITIONS
  if (what == 3)
    DISTANCES
  if (what == 1)
    a[n] = t;
}

static NOINLINE void
larger (int *a, const int *b, int n)
{
#pragma tensor
  LARGER_OF_ALL
}

static NOINLINE void
effects (int *a, const int *b, int n)
{
  int t = 0;
#pragma tensor
  EFFECTS
  a[n] = t;
}

static NOINLINE void
conditions (int *a, const int *b, int n)
{
#pragma tensor
  CONDITIONS
}

static NOINLINE void
distances (int *a, const int *b, int n)
{
#pragma tensor
  DISTANCES
}

int
main (void)
{
  static int a[2][MOST + 1], b[MOST + 1];
  static void (*const region[]) (int *, const int *, int)
    = { larger, effects, conditions, distances };
  for (unsigned s = 0; s < LENGTH (sizes); s++)
    for (int what = 0; what < 4; what++)
      {
        for (int i = 0; i <= MOST; i++)
          {
            b[i] = (i * 31 + 7) % 19 - 9;
            a[0][i] = a[1][i] = (i * 17 + 3) % 13 - 4;
          }
        if (what == 3)
          b[0] = INT_MIN;
        plain (a[0], b, sizes[s], what);
        region[what](a[1], b, sizes[s]);
        if (memcmp (a[0], a[1], sizeof a[0]))
          return 1 + what;
      }
  return 0;
}
