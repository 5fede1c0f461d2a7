/* Shows that integers of which one or two bytes are kept mean the same when
   they are computed in as many: neighbours compared to bits, sums and
   differences that leave the type, signs, a parity over all elements.  */

#include "compare.h"

static NOINLINE void
plain_pattern (int n, int m, const uint8_t *restrict x, uint8_t *restrict y)
{
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      {
        uint8_t c = x[i * m + j];
        int v = x[(i - 1) * m + j - 1] >= c;
        v |= (x[(i - 1) * m + j] > c) << 1;
        v |= (x[i * m + j + 1] != c) << 4;
        v |= (x[(i + 1) * m + j + 1] <= c) << 7;
        y[i * m + j] = v;
      }
}

static NOINLINE void
plain_bytes (int n, const uint8_t *restrict x, const uint8_t *restrict y,
             uint8_t *restrict z, int8_t *restrict s)
{
  for (int i = 0; i < n; i++)
    {
      int t = x[i] - y[i];
      int u = (x[i] ^ 0x155) + (x[i] < y[i] ? 300 : -y[i]);
      z[i] = ~t & u;
      s[i] = -t;
    }
}

static NOINLINE void
plain_words (int n, const uint8_t *restrict x, const uint16_t *restrict w,
             uint16_t *restrict z)
{
  for (int i = 0; i < n; i++)
    {
      int t = (x[i] ^ 70000) - w[i];
      z[i] = t;
      z[i] += (x[i] < w[i] ? x[i] + 1000 : w[i] ^ 70000) | 257;
    }
}

static NOINLINE int
plain_parity (int n, const uint8_t *restrict x)
{
  int t = 1000;
  for (int i = 0; i < n; i++)
    t ^= x[i];
  return (uint8_t) t;
}

static NOINLINE void
pattern (int n, int m, const uint8_t *restrict x, uint8_t *restrict y)
{
#pragma tensor
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      {
        uint8_t c = x[i * m + j];
        int v = x[(i - 1) * m + j - 1] >= c;
        v |= (x[(i - 1) * m + j] > c) << 1;
        v |= (x[i * m + j + 1] != c) << 4;
        v |= (x[(i + 1) * m + j + 1] <= c) << 7;
        y[i * m + j] = v;
      }
}

static NOINLINE void
bytes (int n, const uint8_t *restrict x, const uint8_t *restrict y,
       uint8_t *restrict z, int8_t *restrict s)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      int t = x[i] - y[i];
      int u = (x[i] ^ 0x155) + (x[i] < y[i] ? 300 : -y[i]);
      z[i] = ~t & u;
      s[i] = -t;
    }
}

static NOINLINE void
words (int n, const uint8_t *restrict x, const uint16_t *restrict w,
       uint16_t *restrict z)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      int t = (x[i] ^ 70000) - w[i];
      z[i] = t;
      z[i] += (x[i] < w[i] ? x[i] + 1000 : w[i] ^ 70000) | 257;
    }
}

static NOINLINE int
parity (int n, const uint8_t *restrict x)
{
  int t = 1000;
#pragma tensor
  for (int i = 0; i < n; i++)
    t ^= x[i];
  return (uint8_t) t;
}

static uint8_t x[2][AREA], y[2][AREA], z[2][AREA];
static int8_t s[2][AREA];
static uint16_t w[2][AREA], v[2][AREA];

int
main (void)
{
  FILL_BELOW (x, 256);
  FILL_BELOW (y, 256);
  FILL_BELOW (w, 65536);
  EACH_SIZE (n)
  {
    FILL (z);
    FILL (s);
    FILL (v);
    BOTH (bytes, n, x[W], y[W], z[W], s[W]);
    CHECK (z);
    CHECK (s);
    BOTH (words, n, x[W], w[W], v[W]);
    CHECK (v);
    BOTH_EQUAL (parity, n, x[W]);
    EACH_WIDTH (m)
    {
      BOTH (pattern, n, m, x[W], z[W]);
      CHECK (z);
    }
  }
  return 0;
}
