/* Shows that one array seen in several shapes means the same: as rows of other
   lengths, in loops whose iterations meet in one shape only, as a flat array,
   passed on to functions that know other sizes, and as a member.  */

#include "compare.h"

#define ROWS   48
#define COLUMN 24

typedef struct pair
{
  int count;
  int first[ROWS][COLUMN], second[ROWS][COLUMN];
} pair;

static inline void
add_rows (int n, int m, int y[n][m], int x[n][m])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[i][j] += x[i][j];
}

#define COPY                                                                   \
  for (int i = 0; i < 2 * n; i++)                                              \
    for (int j = 0; j < 12; j++)                                               \
      y[i][j] = ((int (*)[12]) x)[i][j];

#define MEET                                                                   \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < 12; j++)                                               \
      {                                                                        \
        int (*z)[12] = (void *) x;                                             \
        x[i][j] += i;                                                          \
        y[i][j] = z[i + 1][j];                                                 \
      }

#define TURN                                                                   \
  {                                                                            \
    int (*z)[2][3][4] = (void *) x;                                            \
    int *flat = (int *) x;                                                     \
    for (int i = 0; i < n; i++)                                                \
      for (int j = 0; j < 2; j++)                                              \
        for (int k = 0; k < 3; k++)                                            \
          for (int l = 0; l < 4; l++)                                          \
            z[i][j][k][l] += flat[COLUMN * n - 1 - l];                         \
  }

#define PASS                                                                   \
  {                                                                            \
    add_rows (n, m, (void *) y, (void *) x);                                   \
    add_rows (m, n, (void *) x, (void *) y);                                   \
  }

#define MEMBER                                                                 \
  {                                                                            \
    add_rows (n / 2, 2 * COLUMN, (void *) p->first, (void *) p->second);       \
    add_rows (n, COLUMN, p->second, p->first);                                 \
  }

static NOINLINE void
plain_copy (int n, int x[restrict n][24], int y[restrict 2 * n][12])
{
  COPY
}

static NOINLINE void
copy (int n, int x[restrict n][24], int y[restrict 2 * n][12])
{
#pragma tensor require(transform)
  COPY
}

static NOINLINE void
plain_meet (int n, int x[restrict n][24], int y[restrict n][12])
{
  MEET
}

static NOINLINE void
meet (int n, int x[restrict n][24], int y[restrict n][12])
{
#pragma tensor require(transform)
  MEET
}

static NOINLINE void
plain_turn (int n, int x[n][24])
{
  TURN
}

static NOINLINE void
turn (int n, int x[n][24])
{
#pragma tensor require(transform)
  TURN
}

static NOINLINE void
plain_pass (int n, int m, int x[n][m], int y[n][m])
{
  PASS
}

static NOINLINE void
pass (int n, int m, int x[n][m], int y[n][m])
{
#pragma tensor require(transform)
  PASS
}

static NOINLINE void
plain_member (int n, pair *p)
{
  MEMBER
}

static NOINLINE void
member (int n, pair *p)
{
#pragma tensor require(transform)
  MEMBER
}

int
main (void)
{
  static int x[2][ROWS * COLUMN], y[2][ROWS * COLUMN];
  static int p[2][sizeof (pair) / sizeof (int)];
  EACH_SMALL (n)
  {
    FILL (x);
    BOTH (copy, (int) n, (void *) x[W], (void *) y[W]);
    CHECK (y);
    BOTH (meet, (int) n, (void *) x[W], (void *) y[W]);
    CHECK (x);
    CHECK (y);
    if (n > 0)
      BOTH (turn, (int) n, (void *) x[W]);
    CHECK (x);
    EACH_SMALL_TOO (m)
    {
      if (m <= COLUMN)
        BOTH (pass, (int) n, (int) m, (void *) x[W], (void *) y[W]);
      CHECK (x);
      CHECK (y);
    }
    FILL (p);
    BOTH (member, (int) n, (void *) p[W]);
    CHECK (p);
  }
  return 0;
}
