/* Shows that initialisers of local arrays of characters mean the same: GCC
   makes strings of lists, too.  */

#include "compare.h"

static NOINLINE void
plain_letters (const int *x, int *y, int n)
{
  for (int i = 0; i < n; i++)
    {
      signed char t[8] = { 3, 2, -1 };
      unsigned char u[4] = { 200, 2 };
      char w[2][5] = { "abcd", "xy" };
      char three[3] = "abc";
      t[i % 8] = (signed char) (t[i % 8] + x[i]);
      y[i] = t[0] + t[1] * t[2] + t[7] + t[i % 8] + u[0] + u[3];
      y[i] += w[0][3] * w[1][1] + w[1][3] + three[2];
    }
}

static NOINLINE void
letters (const int *x, int *y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      signed char t[8] = { 3, 2, -1 };
      unsigned char u[4] = { 200, 2 };
      char w[2][5] = { "abcd", "xy" };
      char three[3] = "abc";
      t[i % 8] = (signed char) (t[i % 8] + x[i]);
      y[i] = t[0] + t[1] * t[2] + t[7] + t[i % 8] + u[0] + u[3];
      y[i] += w[0][3] * w[1][1] + w[1][3] + three[2];
    }
}

static int x[2][MOST], y[2][MOST];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (x);
    FILL (y);
    BOTH (letters, x[W], y[W], n);
    CHECK (y);
  }
  return 0;
}
