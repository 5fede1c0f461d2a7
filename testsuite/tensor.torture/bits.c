/* Bits, shifts, minima and divisions of whole numbers.  */

#include "../tensor.run/compare.h"

static NOINLINE unsigned
plain_bits (unsigned *restrict x, const int *restrict y, int n)
{
  unsigned all = 0;
  for (int i = 0; i < n; i++)
    {
      unsigned v = x[i] << (i & 7) | x[i] >> 5;
      int w = y[i] / 3 + y[i] % 4;
      x[i] = (v ^ ~(unsigned) w) & 0xffff;
      all ^= x[i] + (unsigned) (y[i] < w ? y[i] : w);
    }
  return all;
}

static NOINLINE unsigned
bits (unsigned *restrict x, const int *restrict y, int n)
{
  unsigned all = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      unsigned v = x[i] << (i & 7) | x[i] >> 5;
      int w = y[i] / 3 + y[i] % 4;
      x[i] = (v ^ ~(unsigned) w) & 0xffff;
      all ^= x[i] + (unsigned) (y[i] < w ? y[i] : w);
    }
  return all;
}

static unsigned x[2][128];
static int y[2][128];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL_BELOW (x, 60000);
    FILL (y);
    BOTH_EQUAL (bits, x[W], y[W], n);
    CHECK (x);
  }
  return 0;
}
