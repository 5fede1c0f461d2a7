/* Shows that sums of how far bytes lie apart mean the same, in int and unsigned,
   of rows of 8, 16 and 48 bytes.  */

#include "compare.h"

#define SEARCH(type, rows)                                                     \
  for (int i = 0; i < m; i++)                                                  \
    for (int j = 0; j < m; j++)                                                \
      {                                                                        \
        type sum = 0;                                                          \
        for (int y = 0; y < (rows); y++)                                       \
          for (int x = 0; x < (rows); x++)                                     \
            sum += abs (block[y * w + x] - image[(y + i) * w + x + j]);        \
        apart[i * m + j] = sum;                                                \
      }

#define ARGUMENTS                                                              \
  int m, int w, const unsigned char *block, const unsigned char *image,        \
    int *apart

static NOINLINE void
plain_signed_8 (ARGUMENTS)
{
  SEARCH (int, 8)
}

static NOINLINE void
signed_8 (ARGUMENTS)
{
#pragma tensor
  SEARCH (int, 8)
}

static NOINLINE void
plain_signed_16 (ARGUMENTS)
{
  SEARCH (int, 16)
}

static NOINLINE void
signed_16 (ARGUMENTS)
{
#pragma tensor
  SEARCH (int, 16)
}

static NOINLINE void
plain_unsigned_48 (ARGUMENTS)
{
  SEARCH (unsigned, 48)
}

static NOINLINE void
unsigned_48 (ARGUMENTS)
{
#pragma tensor
  SEARCH (unsigned, 48)
}

static unsigned char block[2][AREA], image[2][AREA];
static int apart[2][33 * 33];

int
main (void)
{
  for (int k = 0; k < AREA; k++)
    {
      block[0][k] = block[1][k] = (unsigned char) next ();
      image[0][k] = image[1][k] = (unsigned char) next ();
    }
  for (size_t a = 0; a < LENGTH (small_sizes); a++)
    {
      int m = current[0] = small_sizes[a];
      FILL (apart);
      BOTH (signed_8, m, 100, block[W], image[W], apart[W]);
      CHECK (apart);
      BOTH (signed_16, m, 100, block[W], image[W], apart[W]);
      CHECK (apart);
      BOTH (unsigned_48, m, 100, block[W], image[W], apart[W]);
      CHECK (apart);
    }
  return 0;
}
