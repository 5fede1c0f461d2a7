/* Shows that loops may read strings: digits, a table of letters behind a
   pointer, wide characters.  */

#include "compare.h"

#define HEX                                                                    \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      y[2 * i] = "0123456789abcdef"[(x[i] >> 4) & 15];                         \
      y[2 * i + 1] = "0123456789ABCDEF"[x[i] & 15];                            \
    }

#define SHADES                                                                 \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      const char *ramp = " .:-=+*#%@";                                         \
      int k = x[i] / 3;                                                        \
      if (k > 9)                                                               \
        k = 9;                                                                 \
      if (k < 0)                                                               \
        k = 0;                                                                 \
      y[i] = ramp[k];                                                          \
    }

#define VOWELS                                                                 \
  for (int i = 0; i < n; i++)                                                  \
    for (int k = 0; k < 5; k++)                                                \
      sum += x[i] == L"aeiou"[k] - (int) U"amqxz"[k];

static NOINLINE void
plain_hex (const int *x, char *y, int n)
{
  HEX
}

static NOINLINE void
hex (const int *x, char *y, int n)
{
#pragma tensor
  HEX
}

static NOINLINE void
plain_shades (const int *x, char *y, int n)
{
  SHADES
}

static NOINLINE void
shades (const int *x, char *y, int n)
{
#pragma tensor require(transform)
  SHADES
}

static NOINLINE int
plain_vowels (const int *x, int n)
{
  int sum = 0;
  VOWELS
  return sum;
}

static NOINLINE int
vowels (const int *x, int n)
{
  int sum = 0;
#pragma tensor require(transform)
  {
    VOWELS
  }
  return sum;
}

static int a[2][MOST];
static char b[2][2 * MOST];

int
main (void)
{
  FILL (a);
  FILL (b);
  EACH_SIZE (n)
  {
    BOTH (hex, a[W], b[W], n);
    CHECK (b);
    BOTH (shades, a[W], b[W], n);
    CHECK (b);
    BOTH_EQUAL (vowels, a[W], n);
    FILL (a);
  }
  return 0;
}
