/* Shows that transposed whole numbers keep all their bits, those that would be
   a number which is none too, for sizes around those of vectors.  */

#include "compare.h"

enum
{
  LIMIT = 70
};

#define TRANSPOSE                                                              \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m; j++)                                                \
      b[j][i] = a[i][j];

static NOINLINE void
plain_words (int n, int m, unsigned a[restrict][LIMIT],
             unsigned b[restrict][LIMIT])
{
  TRANSPOSE
}

static NOINLINE void
words (int n, int m, unsigned a[restrict][LIMIT], unsigned b[restrict][LIMIT])
{
#pragma tensor
  TRANSPOSE
}

static NOINLINE void
plain_longs (int n, int m, long long a[restrict][LIMIT],
             long long b[restrict][LIMIT])
{
  TRANSPOSE
}

static NOINLINE void
longs (int n, int m, long long a[restrict][LIMIT], long long b[restrict][LIMIT])
{
#pragma tensor
  TRANSPOSE
}

static unsigned word[3][LIMIT][LIMIT];
static long long large[3][LIMIT][LIMIT];

/* Fill the matrices: exponents of all ones, and others.  */
static void
fill (void)
{
  for (int i = 0; i < LIMIT; i++)
    for (int j = 0; j < LIMIT; j++)
      {
        unsigned bits = (unsigned) (i * LIMIT + j) * 2654435761u;
        word[0][i][j] = j % 3 ? bits : 0x7f800000u | (bits & 0x803fffffu);
        large[0][i][j]
          = j % 3 ? (long long) bits << 20 ^ bits
                  : 0x7ff0000000000000ll | (long long) (bits >> 4) << 8;
        word[1][i][j] = word[2][i][j] = 1;
        large[1][i][j] = large[2][i][j] = 1;
      }
}

int
main (void)
{
  static const int sizes[] = { 0, 1, 2, 15, 16, 17, 33, 64, LIMIT };
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (unsigned t = 0; t < sizeof sizes / sizeof *sizes; t++)
      {
        fill ();
        plain_words (sizes[s], sizes[t], word[0], word[1]);
        words (sizes[s], sizes[t], word[0], word[2]);
        plain_longs (sizes[s], sizes[t], large[0], large[1]);
        longs (sizes[s], sizes[t], large[0], large[2]);
        if (memcmp (word[1], word[2], sizeof word[1])
            || memcmp (large[1], large[2], sizeof large[1]))
          {
            printf ("%d x %d differ\n", sizes[s], sizes[t]);
            return 1;
          }
      }
  return 0;
}
