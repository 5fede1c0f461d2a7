/* What a choice does not read is not read before the region either: pointers
   that are null there.  */
/* { dg-no-verdicts "the pragmas come of macros" } */

#include "compare.h"

struct list
{
  int n;
  int *p;
};

static int a[2][AREA];
static int some[MOST];

#define KERNELS(name, pragma)                                                  \
  static NOINLINE void name##bound (struct list *s, int *y)                    \
  {                                                                            \
    pragma for (int i = 0; i < (s ? s->n : 3); i++) y[i] += 2;                 \
  }                                                                            \
  static NOINLINE void name##member (int n, struct list *s, int *y)            \
  {                                                                            \
    pragma for (int i = 0; i < n; i++) y[i] += s ? s->n : 2;                   \
  }                                                                            \
  static NOINLINE void name##both (int n, struct list *s, int *y)              \
  {                                                                            \
    pragma for (int i = 0; i < n; i++) y[i] += s && s->p[i] > 3 ? 4 : 1;       \
  }                                                                            \
  static NOINLINE void name##either (int n, struct list *s, int *y)            \
  {                                                                            \
    pragma for (int i = 0; i < n; i++) if (!s || s->n > 3) y[i] += 1;          \
  }                                                                            \
  static NOINLINE void name##place (int n, struct list *s, int *y)             \
  {                                                                            \
    pragma for (int i = 0; i < n; i++) y[s ? i + s->n : i] += 1;               \
  }                                                                            \
  static NOINLINE void name##row (int n, int **r, int *y)                      \
  {                                                                            \
    pragma for (int i = 0; i < n; i++) y[i] += r ? r[0][i] : 1;                \
  }

KERNELS (plain_, )
KERNELS (, _Pragma ("tensor"))

int
main (void)
{
  struct list list = { 5, some };
  int *rows[1] = { some };
  for (int k = 0; k < MOST; k++)
    some[k] = k % 7;
  EACH_SIZE (n)
  for (int is_there = 0; is_there < 2; is_there++)
    {
      struct list *s = is_there ? &list : NULL;
      FILL (a);
      BOTH (bound, s, a[W]);
      BOTH (member, n, s, a[W]);
      BOTH (both, n, s, a[W]);
      BOTH (either, n, s, a[W]);
      BOTH (place, n, s, a[W]);
      BOTH (row, n, is_there ? rows : NULL, a[W]);
      CHECK (a);
    }
  return 0;
}
