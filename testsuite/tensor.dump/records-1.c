/* Sums inside a record take lanes there; where they are written out already,
   a body has as many copies as its code has room for.  */
/* { dg-tensor-opts "dump=plan" } */
/* { dg-final { scan-tns-dump plan "^ *dim b reduction\n *seq\n *leaf S2\n *dim j reduction simd 8 accumulators 2$" } } */
/* { dg-final { scan-tns-dump plan "^ *dim b reduction\n *seq\n *leaf S2\n *leaf S4$" } } */
/* { dg-final { scan-tns-dump plan "^kernel S7: i:1 i:2 dot$" } } */
/* { dg-final { scan-tns-dump plan "^ *dim b reduction simd 8 accumulators 1$" } } */

#include <stdint.h>
#include <string.h>

struct signed_block
{
  float d;
  int8_t q[32];
};

struct nibbles
{
  uint16_t d;
  uint8_t q[16];
};

static inline float
widen (uint16_t half)
{
  uint32_t bits = (uint32_t) half << 16;
  float value;
  memcpy (&value, &bits, 4);
  return value;
}

void
loop (float *restrict o, const struct nibbles *w, const struct signed_block *x,
      int n, int m)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      const struct nibbles *r = w + i * m;
      float s = 0;
      for (int b = 0; b < m; b++)
        {
          int t = 0;
          for (int j = 0; j < 16; j++)
            {
              int low = (r[b].q[j] & 15) - 8;
              int high = (r[b].q[j] >> 4) - 8;
              t += low * x[b].q[j] + high * x[b].q[j + 16];
            }
          s += t * widen (r[b].d) * x[b].d;
        }
      o[i] = s;
    }
}

#define P(j)  r[b].q[j] * x[b].q[j] + r[b].q[j + 8] * x[b].q[j + 8]
#define P4(j) P (j) + P (j + 1) + P (j + 2) + P (j + 3)

void
written (float *restrict o, const struct nibbles *w,
         const struct signed_block *x, int n, int m)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      const struct nibbles *r = w + i * m;
      float s = 0;
      for (int b = 0; b < m; b++)
        {
          int t = P4 (0) + P4 (4);
          s += t * widen (r[b].d) * x[b].d;
        }
      o[i] = s;
    }
}

void
half (float *restrict o, const struct nibbles *w, const struct signed_block *x,
      int n, int m)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      const struct nibbles *r = w + i * m;
      float s = 0;
      for (int b = 0; b < m; b++)
        {
          int t = P4 (0);
          s += t * widen (r[b].d) * x[b].d;
        }
      o[i] = s;
    }
}
