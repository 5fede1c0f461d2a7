/* All widths of numbers, and conversions among them.  */

#include "../tensor.run/compare.h"

static NOINLINE void
plain_convert (const signed char *restrict c, const unsigned short *restrict h,
               long long *restrict l, double *restrict d, float *restrict f,
               int n)
{
  for (int i = 0; i < n; i++)
    {
      l[i] = c[i] * 1000LL + (h[i] >> 3) - (long long) d[i];
      f[i] = (float) (l[i] % 7) + (unsigned char) (c[i] + 200);
      d[i] = (int) f[i] / 3 + (h[i] & 0x55);
    }
}

static NOINLINE void
convert (const signed char *restrict c, const unsigned short *restrict h,
         long long *restrict l, double *restrict d, float *restrict f, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      l[i] = c[i] * 1000LL + (h[i] >> 3) - (long long) d[i];
      f[i] = (float) (l[i] % 7) + (unsigned char) (c[i] + 200);
      d[i] = (int) f[i] / 3 + (h[i] & 0x55);
    }
}

static signed char c[2][128];
static unsigned short h[2][128];
static long long l[2][128];
static double d[2][128];
static float f[2][128];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (c);
    FILL_BELOW (h, 65536);
    FILL (l);
    FILL (d);
    FILL (f);
    BOTH (convert, c[W], h[W], l[W], d[W], f[W], n);
    CHECK (l);
    CHECK (d);
    CHECK (f);
  }
  return 0;
}
