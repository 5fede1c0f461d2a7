/* Shows that rounded products mean the same where a subscript does not go in
   equal steps: quotients, rests, and what memory holds, of which nothing is read
   behind the last one.  */

#include "device.h"

enum
{
  ROWS = 130,
  DEPTH = 72,
  COLUMNS = 40
};

#define PRODUCT(NAME, A, B)                                                    \
  KERNEL_IN (                                                                  \
    bf16, NAME,                                                                \
    (int n, int m, int l, const int *restrict at,                              \
     const float a[restrict][DEPTH], const float b[restrict][COLUMNS],         \
     float c[restrict][COLUMNS]),                                              \
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {                  \
      float s = 0;                                                             \
      for (int k = 0; k < l; k++)                                              \
        s += A * B;                                                            \
      c[i][j] = s;                                                             \
    })

PRODUCT (quotients, a[i][k], b[k / 2][j])
PRODUCT (both, a[i / 3][k / 2], b[k][j])
PRODUCT (rests, a[i % 7][k], b[k % 5][j])
PRODUCT (rows, a[at[i]][k], b[k][j])
PRODUCT (inner, a[i][k], b[at[k]][j])
PRODUCT (columns, a[i][k], b[k][at[j]])

static float a[2][ROWS * DEPTH], b[2][DEPTH * COLUMNS], c[2][ROWS * COLUMNS];

#define TIMES(NAME, AT)                                                        \
  FILL (c);                                                                    \
  BOTH (NAME, n, m, l, AT, (void *) a[W], (void *) b[W], (void *) c[W]);       \
  CHECK (c)

/* N places of rows of 25, which end where memory does.  */
static int *
places (int n)
{
  int *at = malloc (sizeof *at * (size_t) n);
  for (int k = 0; k < n; k++)
    at[k] = (int) next () % 25;
  return at;
}

/* N rows and M columns, L deep.  */
static void
check (int n, int m, int l)
{
  int *to_rows = places (n);
  int *to_inner = places (l);
  int *to_columns = places (m);
  TIMES (quotients, NULL);
  TIMES (both, NULL);
  TIMES (rests, NULL);
  TIMES (rows, to_rows);
  TIMES (inner, to_inner);
  TIMES (columns, to_columns);
  free (to_rows);
  free (to_inner);
  free (to_columns);
}

int
main (void)
{
  static const int rows[] = { 25, 64, ROWS };
  static const int depths[] = { 16, 17, DEPTH };
  FILL (a);
  FILL (b);
  EACH_OF (n, rows, 0)
  EACH_OF (l, depths, 1)
  check ((int) n, l % 2 ? 29 : COLUMNS, (int) l);
  return 0;
}
