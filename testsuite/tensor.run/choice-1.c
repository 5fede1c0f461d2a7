/* Shows choices: switch, functions in ?: and &&, subscripts and pointers that
   a condition chooses, clamps written with if, counters stepped under a
   condition; and rotated bits.  */

#include "compare.h"

static inline int
bend (int x)
{
  if (x < 0)
    return x / 4;
  return x;
}

static inline int
inside (int x, int n)
{
  return x >= 0 && x < n;
}

static inline unsigned
turn (unsigned x, int k)
{
  return (x << k) | (x >> (32 - k));
}

static NOINLINE void
plain_cases (const int *k, int *x, int n)
{
  for (int i = 0; i < n; i++)
    {
      int v = i;
      switch (k[i] & 7)
        {
        case 1:
          v = 7;
          break;
        case 3:
        case 4:
          v += 2;
        case 0:
          v *= 3;
          break;
        default:
          continue;
        case 5 ... 6:
          {
            x[i] = 0;
            break;
          }
        }
      x[i] += v;
    }
}

static NOINLINE void
plain_calls (const int *a, int *x, int n)
{
  for (int i = 0; i < n; i++)
    {
      x[i] = a[i] > 2 ? bend (a[i] - 5) : bend (-a[i]) + 1;
      if (inside (i - 2, n) && inside (i + 3, n) && a[i + 3] > 0)
        x[i] += a[i - 2];
      if (a[i] > 0 || inside (a[i] + 3, n))
        x[i]++;
    }
}

static NOINLINE void
plain_near (const int *a, int *x, int n, int m)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        int sum = a[i * m + (j > 0 ? j - 1 : 0)];
        for (int k = -2; k <= 2; k++)
          {
            int at = i + k;
            if (at < 0)
              at = 0;
            if (at >= n)
              at = n - 1;
            sum += a[at * m + j];
          }
        x[i * m + j] = sum;
      }
}

static NOINLINE int
plain_keep (const int *restrict a, int *restrict x, int n)
{
  int k = 0, zeros = 0;
  for (int i = 0; i < n; i++)
    {
      if (a[i] > 0)
        x[k++] = a[i];
      zeros += a[i] == 0 ? i % 2 ? 1 : k++ & 1 : 0;
    }
  return 8 * k + zeros;
}

static NOINLINE void
plain_bits (unsigned *x, int n)
{
  for (int i = 0; i < n; i++)
    {
      unsigned v = x[i] + 0x9e3779b9u * i;
      v = turn (v, 13) ^ turn (v, i % 31 + 1);
      v = (v >> 7) | (v << 25);
      x[i] = v;
    }
}

static NOINLINE void
cases (const int *k, int *x, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      int v = i;
      switch (k[i] & 7)
        {
        case 1:
          v = 7;
          break;
        case 3:
        case 4:
          v += 2;
        case 0:
          v *= 3;
          break;
        default:
          continue;
        case 5 ... 6:
          {
            x[i] = 0;
            break;
          }
        }
      x[i] += v;
    }
}

static NOINLINE void
calls (const int *a, int *x, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      x[i] = a[i] > 2 ? bend (a[i] - 5) : bend (-a[i]) + 1;
      if (inside (i - 2, n) && inside (i + 3, n) && a[i + 3] > 0)
        x[i] += a[i - 2];
      if (a[i] > 0 || inside (a[i] + 3, n))
        x[i]++;
    }
}

static NOINLINE void
near (const int *a, int *x, int n, int m)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        int sum = a[i * m + (j > 0 ? j - 1 : 0)];
        for (int k = -2; k <= 2; k++)
          {
            int at = i + k;
            if (at < 0)
              at = 0;
            if (at >= n)
              at = n - 1;
            sum += a[at * m + j];
          }
        x[i * m + j] = sum;
      }
}

static NOINLINE int
keep (const int *restrict a, int *restrict x, int n)
{
  int k = 0, zeros = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      if (a[i] > 0)
        x[k++] = a[i];
      zeros += a[i] == 0 ? i % 2 ? 1 : k++ & 1 : 0;
    }
  return 8 * k + zeros;
}

static NOINLINE void
bits (unsigned *x, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      unsigned v = x[i] + 0x9e3779b9u * i;
      v = turn (v, 13) ^ turn (v, i % 31 + 1);
      v = (v >> 7) | (v << 25);
      x[i] = v;
    }
}

static int a[2][AREA], b[2][AREA];
static unsigned u[2][AREA];

int
main (void)
{
  FILL (a);
  FILL (b);
  FILL_WITH (u, next () * 65537u);
  EACH_SIZE (n)
  {
    BOTH (cases, a[0], b[W], n);
    BOTH (calls, a[0], b[W], n);
    CHECK (b);
    BOTH_EQUAL (keep, a[0], b[W], n);
    CHECK (b);
    BOTH (near, a[0], b[W], n, (n + 1) / 2);
    CHECK (b);
    BOTH (bits, u[W], n);
    CHECK (u);
  }
  return 0;
}
