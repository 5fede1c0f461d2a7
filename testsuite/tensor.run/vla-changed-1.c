/* Rows keep the length that they were declared with when the variable that
   told it changes before the region.  */
/* { dg-no-verdicts "the pragmas come of macros" } */

#include "compare.h"

static int a[2][AREA];

#define KERNELS(name, pragma)                                                  \
  static NOINLINE int name##cast (int n, int *from)                            \
  {                                                                            \
    int sum = 0;                                                               \
    int (*p)[n];                                                               \
    p = (void *) from;                                                         \
    n = n / 2;                                                                 \
    pragma for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) sum         \
      += p[i][j]++;                                                            \
    return sum;                                                                \
  }                                                                            \
  static NOINLINE int name##typed (int n, int *from)                           \
  {                                                                            \
    int sum = 0;                                                               \
    int m = n;                                                                 \
    typedef int row[m];                                                        \
    m = m / 2;                                                                 \
    pragma for (int i = 0; i < m; i++) for (int j = 0; j < m; j++) sum         \
      += ((row *) from)[i][j]++;                                               \
    return sum;                                                                \
  }                                                                            \
  static NOINLINE int name##given (int n, int (*p)[n])                         \
  {                                                                            \
    int sum = 0;                                                               \
    n = n / 3;                                                                 \
    pragma for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) sum         \
      += p[i][j]++;                                                            \
    return sum;                                                                \
  }

KERNELS (plain_, )
KERNELS (, _Pragma ("tensor"))

int
main (void)
{
  EACH_SIZE (n)
    {
      FILL (a);
      if (n == 0)
        continue;
      BOTH_EQUAL (cast, n, a[W]);
      BOTH_EQUAL (typed, n, a[W]);
      BOTH_EQUAL (given, n, (int (*)[n]) a[W]);
      CHECK (a);
    }
  return 0;
}
