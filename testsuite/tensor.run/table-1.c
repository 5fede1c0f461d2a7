/* Shows that rows which a table of pointers names are right wherever they
   lie: one after the other, with gaps, backwards, in any order, all in one
   place, over each other, one row, none; in sums, products, triangles, rows
   from 1 on, rows in structures, rows that a variable names, rows under
   conditions that others are in without, counters, and bytes.  */

#include "compare.h"

#define ROWS  20
#define WIDTH 24

typedef struct
{
  int n;
  double **row;
  double *fixed[ROWS + 1];
} matrix;

#define ADD                                                                    \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < n; j++)                                                \
      c[i][j] = a[i][j] + 2 * b[i][j];

#define PRODUCT                                                                \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < n; j++)                                                \
      {                                                                        \
        double s = 0;                                                          \
        for (int k = 0; k < n; k++)                                            \
          s += a[i][k] * b[k][j];                                              \
        c[i][j] = s;                                                           \
      }

#define TRIANGLE                                                               \
  for (int k = 0; k < n; k++)                                                  \
    for (int i = k + 1; i < n; i++)                                            \
      for (int j = k + 1; j < n; j++)                                          \
        c[i][j] -= c[i][k] * c[k][j];

#define ONE_BASED                                                              \
  for (int i = 1; i <= n; i++)                                                 \
    for (int j = 1; j <= i; j++)                                               \
      c[i][j] += a[i - 1][j] - a[i][j - 1] + b[j][i];

#define MEMBER                                                                 \
  for (int i = m->n - 1; i >= 0; i--)                                          \
    for (int j = 0; j < m->n; j++)                                             \
      m->row[i][j] = m->row[i][j] * 3 + m->fixed[i][j];

#define NAMED                                                                  \
  for (int i = 1; i < n; i++)                                                  \
    {                                                                          \
      const double *up = a[i - 1];                                             \
      const double *here = a[i];                                               \
      double *to = c[i];                                                       \
      for (int j = 1; j < n; j++)                                              \
        to[j] = up[j] + here[j - 1] + *here;                                   \
    }

#define GUARDED                                                                \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < n; j++)                                                \
      if (i + 1 < n)                                                           \
        c[i][j] = a[i + 1][j];                                                 \
      else if (b[i][j] > 0)                                                    \
        c[i][j] = b[i][j];

#define COUNTED                                                                \
  for (int i = 0, k = 0; i < n; i++, k++)                                      \
    for (int j = 0; j < n; j++)                                                \
      c[k][j] = a[k][j] - b[i][j];

#define OTHERS                                                                 \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      double d = c[i][i] + 20;                                                 \
      for (int l = 0; l < n; l++)                                              \
        if (l != i)                                                            \
          for (int j = 0; j < n; j++)                                          \
            c[l][j] -= c[i][j] / d;                                            \
    }

#define DOUBLES double **c, double **a, double **b, int n
#define BYTES   unsigned char **c, unsigned char **a, unsigned char **b, int n
#define NUMBERS int **c, int **a, int **b, int n

#define PLAIN(name, parameters, loops)                                         \
  static NOINLINE void plain_##name (parameters)                               \
  {                                                                            \
    loops                                                                      \
  }

/* clang-format off */
PLAIN (add, DOUBLES, ADD)
PLAIN (product, DOUBLES, PRODUCT)
PLAIN (triangle, DOUBLES, TRIANGLE)
PLAIN (one_based, DOUBLES, ONE_BASED)
PLAIN (member, matrix *m, MEMBER)
PLAIN (named, DOUBLES, NAMED)
PLAIN (counted, DOUBLES, COUNTED)
PLAIN (others, DOUBLES, OTHERS)
PLAIN (numbers, NUMBERS, ADD)
PLAIN (bytes, BYTES, ADD)
/* clang-format on */

static NOINLINE void
add (DOUBLES)
{
#pragma tensor fp(strict)
  ADD
}

static NOINLINE void
product (DOUBLES)
{
#pragma tensor fp(strict)
  PRODUCT
}

static NOINLINE void
triangle (DOUBLES)
{
#pragma tensor fp(strict)
  TRIANGLE
}

static NOINLINE void
one_based (DOUBLES)
{
#pragma tensor fp(strict)
  ONE_BASED
}

static NOINLINE void
member (matrix *m)
{
#pragma tensor fp(strict)
  MEMBER
}

static NOINLINE void
named (DOUBLES)
{
#pragma tensor fp(strict)
  NAMED
}

static NOINLINE void
counted (DOUBLES)
{
#pragma tensor fp(strict)
  COUNTED
}

static NOINLINE void
others (DOUBLES)
{
#pragma tensor fp(strict)
  OTHERS
}

static NOINLINE void
numbers (NUMBERS)
{
#pragma tensor fp(strict)
  ADD
}

static NOINLINE void
bytes (BYTES)
{
#pragma tensor fp(strict)
  ADD
}

static NOINLINE void
plain_guarded (DOUBLES)
{
  GUARDED
}

static NOINLINE void
guarded (DOUBLES)
{
#pragma tensor /* { dg-missed "what .* points to is not known" } */
  GUARDED
}

/* Where row K of a table begins, in way WAY.  */
static int
place (int way, int k)
{
  static const int shuffled[] = { 7, 3, 11, 0, 5, 1, 9, 2, 13, 4, 6 };
  switch (way)
    {
    case 0:
      return k * (WIDTH + 2);
    case 1:
      return k * WIDTH * 2;
    case 2:
      return (ROWS - k) * (WIDTH + 2);
    case 3:
      return (k < 11 ? shuffled[k] : k + 3) * (WIDTH + 2);
    case 4:
      return 0;
    case 5:
      return k * 3;
    default:
      return k * (WIDTH + 2) + (k > 2);
    }
}

#define SAME(a)                                                                \
  for (size_t k_ = 0; k_ < LENGTH ((a)[0]); k_++)                              \
    if ((a)[0][k_] != (a)[1][k_]                                               \
        && ((a)[0][k_] == (a)[0][k_] || (a)[1][k_] == (a)[1][k_]))             \
      differ (#a, k_, (a)[0][k_], (a)[1][k_]);

#define WAYS 7
#define ROOM (3 * ROWS * (WIDTH + 2) * 2)

#define TABLES(type, memory)                                                   \
  type *table[3][ROWS + 1];                                                    \
  for (int t = 0; t < 3; t++)                                                  \
    for (int k = 0; k <= ROWS; k++)                                            \
      table[t][k] = memory + (shared ? t == 1 ? WIDTH + 2 : 0 : t * ROOM / 3)  \
                    + place (t == shared ? 0 : way, k);

static double x[2][ROOM * 2];
static int y[2][ROOM * 2];
static unsigned char z[2][ROOM * 2];

typedef void (*doubles) (DOUBLES);

/* Both ways of a kernel of doubles, rows in WAY.  */
static void
try_doubles (const doubles *kernel, int n, int way, int shared)
{
  FILL (x);
  for (int w = 0; w < 2; w++)
    {
      TABLES (double, x[w])
      kernel[w](table[0], table[1], table[2], n);
    }
  SAME (x)
}

/* The same of other types, and of members.  */
static void
try_others (int n, int way, int shared)
{
  FILL (x);
  FILL (y);
  FILL_BELOW (z, 50);
  for (int w = 0; w < 2; w++)
    {
      TABLES (double, x[w])
      matrix m = { n, table[0], { NULL } };
      memcpy (m.fixed, table[1], sizeof m.fixed);
      (w ? member : plain_member) (&m);
    }
  for (int w = 0; w < 2; w++)
    {
      TABLES (int, y[w])
      (w ? numbers : plain_numbers) (table[0], table[1], table[2], n);
    }
  for (int w = 0; w < 2; w++)
    {
      TABLES (unsigned char, z[w])
      (w ? bytes : plain_bytes) (table[0], table[1], table[2], n);
    }
  SAME (x)
  SAME (y)
  SAME (z)
}

int
main (void)
{
  static const doubles kernel[][2]
    = { { plain_add, add },           { plain_product, product },
        { plain_triangle, triangle }, { plain_one_based, one_based },
        { plain_named, named },       { plain_guarded, guarded },
        { plain_counted, counted },   { plain_others, others } };
  static const int lengths[] = { 0, 1, 2, 3, 8, 17, ROWS };
  for (unsigned l = 0; l < LENGTH (lengths); l++)
    for (int way = 0; way < WAYS; way++)
      for (int shared = 0; shared < 3; shared++)
        {
          current[0] = lengths[l];
          current[1] = 10 * way + shared;
          for (unsigned k = 0; k < LENGTH (kernel); k++)
            try_doubles (kernel[k], lengths[l], way, shared);
          try_others (lengths[l], way, shared);
        }
  return 0;
}
