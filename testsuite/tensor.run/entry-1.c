/* Shows that pointers that are loaded before a region, since its loops run at
   all, may be so where that hangs on unsigned numbers: the smaller of two, a
   greater one, sums that wrap.  A matrix that is not there is not looked at.  */

#include "compare.h"

typedef struct matrix
{
  size_t columns;
  float *data;
} matrix;

#define ROTATE                                                                 \
  for (size_t k = i < j ? i : j; k < n; k++)                                   \
    {                                                                          \
      float x = m->data[i * m->columns + k];                                   \
      float y = m->data[j * m->columns + k];                                   \
      m->data[i * m->columns + k] = 2 * x - y;                                 \
      m->data[j * m->columns + k] = x + 2 * y;                                 \
    }

#define HEAD                                                                   \
  for (unsigned k = 0; k < (i < j ? i : j); k++)                               \
    m->data[k] += m->data[k + j];

#define TAIL                                                                   \
  for (size_t k = n; k > (i > j ? i : j); k--)                                 \
    m->data[k - 1] = m->data[k - 1] * 3 + 1;

#define WRAPPED                                                                \
  for (unsigned k = i - j + 3; k < n; k++)                                     \
    m->data[k] += k;

static NOINLINE void
plain_rotate (size_t n, matrix *m, size_t i, size_t j)
{
  ROTATE
}

static NOINLINE void
rotate (size_t n, matrix *m, size_t i, size_t j)
{
#pragma tensor
  ROTATE
}

static NOINLINE void
plain_head (matrix *m, unsigned i, unsigned j)
{
  HEAD
}

static NOINLINE void
head (matrix *m, unsigned i, unsigned j)
{
#pragma tensor
  HEAD
}

static NOINLINE void
plain_tail (size_t n, matrix *m, size_t i, size_t j)
{
  TAIL
}

static NOINLINE void
tail (size_t n, matrix *m, size_t i, size_t j)
{
#pragma tensor
  TAIL
}

static NOINLINE void
plain_wrapped (unsigned n, matrix *m, unsigned i, unsigned j)
{
  WRAPPED
}

static NOINLINE void
wrapped (unsigned n, matrix *m, unsigned i, unsigned j)
{
#pragma tensor
  WRAPPED
}

static float a[2][AREA];

int
main (void)
{
  matrix both[2] = { { 128, a[0] }, { 128, a[1] } };
  EACH_SIZE (n)
  for (unsigned i = 0; i < 120; i += 17)
    for (unsigned j = 0; j < 120; j += 23)
      {
        matrix *m[2] = { &both[0], &both[1] };
        FILL (a);
        BOTH (rotate, n, m[W], i, j);
        BOTH (head, m[W], i, j);
        BOTH (wrapped, (unsigned) n, m[W], i, j);
        BOTH (tail, n, m[W], i, j);
        CHECK (a);
      }
  rotate (0, NULL, 3, 4);
  head (NULL, 0, 4);
  tail (2, NULL, 3, 4);
  wrapped (5, NULL, 2, 8);
  return 0;
}
