/* Shows that memory may be seen as elements of other types: bytes as words and
   reals, also in rows, words as structures, structures as reals, one pointer as
   two types that overlap or do not, variables as what has their bits.

   Kernels are noipa: of an address that is 3 times a pointer apart, as
   both_ways has, ivopts of GCC 11 and 12 makes a null pointer and an offset,
   and local-pure-const then says that the function stores nothing.  */
/* { dg-no-verdicts "the pragmas come of macros" } */

#include "compare.h"

#define NOIPA __attribute__ ((noipa))

typedef struct matrix
{
  float xx, xy, xz, yx, yy, yz, zx, zy, zz;
} matrix;

typedef struct pixel
{
  uint8_t r, g, b, a;
} pixel;

#define HALVES                                                                 \
  for (int i = 0; i < n; i++)                                                  \
    y[i] = ((const double *) bytes)[i] * 2;

#define HEADED                                                                 \
  for (int i = 0; i < n; i++)                                                  \
    y[i] += *(const uint16_t *) (bytes + 8 + 2 * i);

#define STEPPED                                                                \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      uint32_t v = *(const uint16_t *) bytes;                                  \
      *(uint32_t *) out = v << 4 | 3;                                          \
      bytes += 2;                                                              \
      out += 4;                                                                \
    }

#define GREYS                                                                  \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      const pixel *p = (const pixel *) &words[i];                              \
      grey[i] = (p->r * 77 + p->g * 151 + p->b * 28) >> 8;                     \
    }

#define BOTH_WAYS                                                              \
  for (int i = 0; i < n; i++)                                                  \
    ((uint32_t *) bytes)[shift + i] = bytes[i] * 3u;

#define ROWS                                                                   \
  for (int k = 0; k < n; k++)                                                  \
    {                                                                          \
      const uint32_t *from = (const uint32_t *) (bytes + k * stride);          \
      uint32_t *to = (uint32_t *) (out + k * stride);                          \
      for (int i = 0; i < m; i++)                                              \
        to[i] = (from[i] >> 8 & 0xff00ff) * 3;                                 \
    }

#define MOVED                                                                  \
  for (int k = 0; k < n; k++)                                                  \
    {                                                                          \
      for (int i = 0; i < m; i++)                                              \
        half[i] = bytes[i] * 64;                                               \
      bytes += stride;                                                         \
      half = (uint16_t *) ((char *) half + 2 * stride);                        \
    }

#define TURNED                                                                 \
  for (int i = 0; i < n; i++)                                                  \
    for (int k = 0; k < 3; k++)                                                \
      to[3 * i + k] = at[k] * from[3 * i] + at[3 + k] * from[3 * i + 1]        \
                      + at[6 + k] * from[3 * i + 2];

#define ROOTS                                                                  \
  for (int i = 0; i < n; i++)                                                  \
    {                                                                          \
      float x = y[i] * y[i] + 1;                                               \
      int bits = *(int *) &x;                                                  \
      bits = 0x5f3759df - (bits >> 1);                                         \
      float r = 0;                                                             \
      *(int *) &r = bits;                                                      \
      y[i] = r;                                                                \
    }

#define SIGNS                                                                  \
  for (int i = 0; i < n; i++)                                                  \
    *(unsigned *) &q[i] ^= 0x80000000u;

#define KERNELS(name, pragma)                                                  \
  static NOIPA void name##halves (int n, const unsigned char *bytes, float *y) \
  {                                                                            \
    pragma HALVES                                                              \
  }                                                                            \
  static NOIPA void name##headed (int n, const char *bytes, float *y)          \
  {                                                                            \
    pragma HEADED                                                              \
  }                                                                            \
  static NOIPA void name##stepped (int n, const unsigned char *bytes,          \
                                   unsigned char *restrict out)                \
  {                                                                            \
    pragma STEPPED                                                             \
  }                                                                            \
  static NOIPA void name##greys (int n, const uint32_t *words, uint8_t *grey)  \
  {                                                                            \
    pragma GREYS                                                               \
  }                                                                            \
  static NOIPA void name##both_ways (int n, int shift,                         \
                                     unsigned char *restrict bytes)            \
  {                                                                            \
    pragma BOTH_WAYS                                                           \
  }                                                                            \
  static NOIPA void name##rows (                                               \
    int n, int m, int stride, const unsigned char *bytes, unsigned char *out)  \
  {                                                                            \
    pragma ROWS                                                                \
  }                                                                            \
  static NOIPA void name##moved (int n, int m, int stride,                     \
                                 const unsigned char *bytes, uint16_t *half)   \
  {                                                                            \
    pragma MOVED                                                               \
  }                                                                            \
  static NOIPA void name##turned (int n, matrix m, const float *from,          \
                                  float *restrict to)                          \
  {                                                                            \
    const float *at = (const float *) &m;                                      \
    pragma TURNED                                                              \
  }                                                                            \
  static NOIPA float name##named_too (int n, const float *y)                   \
  {                                                                            \
    float sum = 0;                                                             \
    fixed = (matrix){ 0 };                                                     \
    pragma for (int i = 0; i < n; i++)                                         \
    {                                                                          \
      ((float *) &fixed)[i] = y[i] * 2;                                        \
      sum += fixed.yx;                                                         \
    }                                                                          \
    return sum;                                                                \
  }                                                                            \
  static NOIPA void name##roots (int n, float *y)                              \
  {                                                                            \
    pragma ROOTS                                                               \
  }                                                                            \
  static NOIPA void name##signs (int n, int *q)                                \
  {                                                                            \
    pragma SIGNS                                                               \
  }                                                                            \
  static NOIPA void name##named (int n, const char *from, char *to)            \
  {                                                                            \
    const int16_t *in = (const int16_t *) from;                                \
    float *out = (float *) to;                                                 \
    pragma for (int i = 0; i < n; i++) out[i] = in[i] * 0.5f;                  \
  }

static matrix fixed;

KERNELS (plain_, )
KERNELS (, _Pragma ("tensor require(transform)"))

static unsigned char b[2][8 * AREA] __attribute__ ((aligned (8)));
static unsigned char c[2][8 * AREA] __attribute__ ((aligned (8)));
static double d[2][AREA];
static uint32_t w[2][2 * AREA];
static float y[2][AREA];
static int q[2][AREA];

int
main (void)
{
  unsigned char *memory[2]
    = { calloc (1, sizeof b[0]), calloc (1, sizeof b[0]) };
  EACH_SIZE (n)
  {
    FILL (d);
    FILL (y);
    FILL (q);
    FILL_WITH (w, next () << 16 | next ());
    FILL_WITH (b, next () >> 8);
    FILL_WITH (c, next () >> 8);
    BOTH (halves, n, (unsigned char *) d[W], y[W]);
    CHECK (y);
    BOTH (headed, n, (char *) b[W], y[W]);
    CHECK (y);
    BOTH (stepped, n, b[W], c[W]);
    CHECK (c);
    BOTH (greys, n, w[W], c[W]);
    CHECK (c);
    BOTH (roots, n, y[W]);
    CHECK (y);
    matrix m = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
    FILL (y);
    BOTH (turned, n, m, y[W], y[W] + 4 * MOST);
    CHECK (y);
    BOTH_EQUAL (named_too, n < 9 ? n : 9, y[W]);
    BOTH (signs, n, q[W]);
    CHECK (q);
    BOTH (named, n, (char *) b[W], (char *) y[W]);
    CHECK (y);
    EACH_WIDTH (m)
    for (int gap = 0; gap < 8; gap += 4)
      {
        BOTH (rows, n, m, 4 * m + gap, (unsigned char *) w[W], c[W]);
        CHECK (c);
        BOTH (moved, n, m, m + gap, b[W], (uint16_t *) c[W]);
        CHECK (c);
      }
    for (int k = 0; k < 2; k++)
      memcpy (memory[k], b[k], sizeof b[k]);
    for (int shift = 0; shift < 40; shift += 3)
      {
        BOTH (both_ways, n, shift, memory[W]);
        for (int k = 0; k < 2; k++)
          memcpy (b[k], memory[k], sizeof b[k]);
        CHECK (b);
      }
  }
  free (memory[0]);
  free (memory[1]);
  return 0;
}
