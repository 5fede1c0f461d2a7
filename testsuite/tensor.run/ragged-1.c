/* Shows that loops whose bounds are loaded mean the same: rows of sparse
   matrices, lists, rows as long as a number says, bounds of unsigned and of
   narrow types, backwards, iterators that are used behind their loop, bounds
   that the region makes before.  */

#include "compare.h"

#define MANY 600

#define SPARSE                                                                 \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      int s = 0;                                                               \
      for (int k = first[i]; k < first[i + 1]; k++)                            \
        s += a[k] * x[column[k]];                                              \
      y[i] = s;                                                                \
    }

#define BEHIND                                                                 \
  for (int i = 0; i < n; i++)                                                  \
    for (k = first[i]; k <= first[i + 1] - 1; k++)                             \
      y[i] -= a[k] * x[column[k]];

#define BACKWARDS                                                              \
  for (size_t i = 0; i < n; i++)                                               \
    for (size_t k = wide[i + 1]; k > wide[i]; k--)                             \
      y[i] = y[i] * (none[i] == wide[i]) + a[k - 1];

#define NOTHING                                                                \
  for (size_t i = 0; i < n; i++)                                               \
    for (size_t k = none[i]; k < wide[i + 1]; k++)                             \
      y[i] += a[k];

#define COLUMNS                                                                \
  for (int i = 0; i < n; i++)                                                  \
    for (int k = first[i]; k < first[i + 1]; k++)                              \
      for (int j = 0; j < 4; j++)                                              \
        y[4 * i + j] += a[k] * x[(column[k] + j) % (n + 1)];

#define LISTS                                                                  \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      int m = length[i];                                                       \
      int s = 0;                                                               \
      for (int j = 0; j < m; j++)                                              \
        s += a[3 * i + j];                                                     \
      for (int j = 0; j < length[i] && j < 3; j += 2)                          \
        y[i] += s - a[3 * i + j];                                              \
    }

#define MADE                                                                   \
  {                                                                            \
    end[0] = 0;                                                                \
    for (int i = 0; i < n; i++)                                                \
      end[i + 1] = end[i] + length[i];                                         \
    for (int i = 0; i < n; i++)                                                \
      for (int k = end[i]; k < end[i + 1]; k++)                                \
        y[k] = i;                                                              \
  }

#define ROWS                                                                   \
  int n, const int *restrict first, const int *restrict column,                \
    const int *restrict a, const int *restrict x, int *restrict y
#define WIDE                                                                   \
  size_t n, const size_t *restrict none, const size_t *restrict wide,          \
    const int *restrict a, int *restrict y
#define COUNTS                                                                 \
  int n, const unsigned char *restrict length, const int *restrict a,          \
    int *restrict y
#define ENDS                                                                   \
  int n, const unsigned char *restrict length, int *restrict end,              \
    int *restrict y

#define PLAIN(name, parameters, loops)                                         \
  static NOINLINE void plain_##name (parameters)                               \
  {                                                                            \
    loops                                                                      \
  }

/* clang-format off */
PLAIN (sparse, ROWS, SPARSE)
PLAIN (behind, ROWS, int k = 0; BEHIND y[n] = k;)
PLAIN (columns, ROWS, COLUMNS)
PLAIN (backwards, WIDE, BACKWARDS)
PLAIN (nothing, WIDE, NOTHING)
PLAIN (lists, COUNTS, LISTS)
PLAIN (made, ENDS, MADE)
/* clang-format on */

static NOINLINE void
sparse (ROWS)
{
#pragma tensor
  SPARSE
}

static NOINLINE void
behind (ROWS)
{
  int k = 0;
#pragma tensor
  BEHIND
  y[n] = k;
}

static NOINLINE void
columns (ROWS)
{
#pragma tensor
  COLUMNS
}

static NOINLINE void
backwards (WIDE)
{
#pragma tensor
  BACKWARDS
}

static NOINLINE void
nothing (WIDE)
{
#pragma tensor
  NOTHING
}

static NOINLINE void
lists (COUNTS)
{
#pragma tensor
  LISTS
}

static NOINLINE void
made (ENDS)
{
#pragma tensor
  MADE
}

static int first[MOST + 1];
static size_t wide[MOST + 1];
static size_t none[MOST + 1];
static int column[MANY];
static int end[2][MOST + 1];
static unsigned char length[MOST];
static int a[2][MANY];
static int x[2][MANY];
static int y[2][4 * MANY];

/* Rows of 0 to 5 elements; where NONE begins at the greatest number nothing
   is to be done.  */
static void
fill (int n)
{
  for (int i = 0; i < n; i++)
    {
      length[i] = next () % 6;
      first[i + 1] = first[i] + length[i];
      wide[i + 1] = (size_t) first[i + 1];
      none[i] = i % 3 ? wide[i] : (size_t) -1;
    }
  for (int k = 0; k < MANY; k++)
    column[k] = n ? (int) (next () % n) : 0;
  FILL (a);
  FILL (x);
  FILL (y);
}

int
main (void)
{
  for (size_t k = 0; k < LENGTH (sizes); k++)
    {
      int n = sizes[k];
      current[0] = n;
      fill (n);
      BOTH (sparse, n, first, column, a[W], x[W], y[W]);
      CHECK (y);
      BOTH (behind, n, first, column, a[W], x[W], y[W]);
      CHECK (y);
      BOTH (columns, n, first, column, a[W], x[W], y[W]);
      CHECK (y);
      BOTH (backwards, n, none, wide, a[W], y[W]);
      BOTH (nothing, n, none, wide, a[W], y[W]);
      CHECK (y);
      BOTH (lists, n, length, a[W], y[W]);
      CHECK (y);
      BOTH (made, n, length, end[W], y[W]);
      CHECK (y);
      CHECK (end);
    }
  return 0;
}
