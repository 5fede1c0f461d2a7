/* Shows that statements which get loops of their own, in another order than they
   were written in, compute the same: what reads the iteration before goes
   behind what stores it, what reads what will be stored in front of that; a
   cell that two of them store keeps the last value; knots stay.  */

#include "compare.h"

static NOINLINE void
plain_back (int n, float *a, float *b, const float *c)
{
  for (int i = 1; i < n; i++)
    {
      a[i] = b[i - 1] + c[i];
      b[i] = b[i + 1] - c[i];
    }
}

static NOINLINE void
plain_ahead (int n, float *a, float *b, const float *c)
{
  for (int i = 0; i < n; i++)
    {
      a[i] += c[i];
      b[i] += a[i + 1] * 2;
    }
}

static NOINLINE void
plain_over (int n, float *a, float *b, const float *c)
{
  for (int i = 0; i < n; i++)
    {
      a[i] = c[i];
      a[i + 1] = b[i];
    }
}

static NOINLINE void
plain_both (int n, float *a, float *b, const float *c)
{
  for (int i = 1; i < n; i++)
    {
      a[i] = b[i - 1] + c[i];
      b[i] = a[i + 1] - c[i];
    }
}

static NOINLINE void
plain_knot (int n, float *a, float *b, const float *c)
{
  for (int i = 1; i < n; i++)
    {
      a[i] = b[i - 1] + c[i];
      b[i] = a[i - 1] - c[i] + a[i + 1];
    }
}

static NOINLINE void
plain_three (int n, float *a, float *b, const float *c, float *d)
{
  for (int i = 1; i < n; i++)
    {
      d[i] = a[i - 1] + b[i + 1];
      a[i] = b[i - 1] + c[i];
      b[i] = c[i] * 2;
    }
}

static NOINLINE void
back (int n, float *a, float *b, const float *c)
{
#pragma tensor
  for (int i = 1; i < n; i++)
    {
      a[i] = b[i - 1] + c[i];
      b[i] = b[i + 1] - c[i];
    }
}

static NOINLINE void
ahead (int n, float *a, float *b, const float *c)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      a[i] += c[i];
      b[i] += a[i + 1] * 2;
    }
}

static NOINLINE void
over (int n, float *a, float *b, const float *c)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      a[i] = c[i];
      a[i + 1] = b[i];
    }
}

static NOINLINE void
both (int n, float *a, float *b, const float *c)
{
#pragma tensor
  for (int i = 1; i < n; i++)
    {
      a[i] = b[i - 1] + c[i];
      b[i] = a[i + 1] - c[i];
    }
}

static NOINLINE void
knot (int n, float *a, float *b, const float *c)
{
#pragma tensor
  for (int i = 1; i < n; i++)
    {
      a[i] = b[i - 1] + c[i];
      b[i] = a[i - 1] - c[i] + a[i + 1];
    }
}

static NOINLINE void
three (int n, float *a, float *b, const float *c, float *d)
{
#pragma tensor
  for (int i = 1; i < n; i++)
    {
      d[i] = a[i - 1] + b[i + 1];
      a[i] = b[i - 1] + c[i];
      b[i] = c[i] * 2;
    }
}

static float a[2][AREA], b[2][AREA], c[2][AREA], d[2][AREA];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (a);
    FILL (b);
    FILL (c);
    FILL (d);
    BOTH (back, n, a[W], b[W], c[W]);
    CHECK (a);
    CHECK (b);
    BOTH (ahead, n, a[W], b[W], c[W]);
    CHECK (a);
    CHECK (b);
    BOTH (over, n, a[W], b[W], c[W]);
    CHECK (a);
    CHECK (b);
    BOTH (both, n, a[W], b[W], c[W]);
    CHECK (a);
    CHECK (b);
    BOTH (knot, n, a[W], b[W], c[W]);
    CHECK (a);
    CHECK (b);
    BOTH (three, n, a[W], b[W], c[W], d[W]);
    CHECK (a);
    CHECK (b);
    CHECK (d);
  }
  return 0;
}
