/* Shows that lanes of different widths mean the same: conversions among all
   widths, choices of one width by numbers of another, and operators of bytes
   and shorts among wider numbers.  */

#include "compare.h"

typedef uint8_t u8;
typedef int8_t i8;
typedef uint16_t u16;
typedef int16_t i16;
typedef uint32_t u32;
typedef int32_t i32;
typedef uint64_t u64;
typedef int64_t i64;

typedef struct numbers
{
  u8 b[MOST];
  i8 c[MOST];
  u16 h[MOST];
  i16 s[MOST];
  u32 u[MOST];
  i32 i[MOST];
  u64 v[MOST];
  i64 l[MOST];
  float f[MOST];
  double d[MOST];
  double e[MOST];
  double g[MOST];
} numbers;

#define SHORTS                                                                 \
  for (int k = 0; k < n; k++)                                                  \
    {                                                                          \
      u8 b = x->b[k];                                                          \
      i8 c = x->c[k];                                                          \
      u16 h = x->h[k];                                                         \
      i16 s = x->s[k];                                                         \
      y->h[k] = b * 3 - h;                                                     \
      y->s[k] = c > s ? s >> 2 : c;                                            \
      y->b[k] = h + 1;                                                         \
      y->c[k] = s < 40 ? c * 2 : c - 1;                                        \
    }

#define WORDS                                                                  \
  for (int k = 0; k < n; k++)                                                  \
    {                                                                          \
      u8 b = x->b[k];                                                          \
      i8 c = x->c[k];                                                          \
      u16 h = x->h[k];                                                         \
      i16 s = x->s[k];                                                         \
      u32 u = x->u[k];                                                         \
      i32 i = x->i[k];                                                         \
      float f = x->f[k];                                                       \
      y->f[k] = (b >> 3) + c / 7 + (h & s);                                    \
      y->i[k] = b > 100 ? c * 2 : s - 1;                                       \
      y->u[k] = h % 9 + (b ^ u) + (u32) f;                                     \
      y->b[k] = f > 3 ? b * 2 : b - 1;                                         \
      y->c[k] = (i8) i + (u > 70000 ? c << 3 : 5);                             \
      y->s[k] = f < 9 && c > 0 ? (i16) f : s;                                  \
      y->h[k] = (u16) u * h + (b < h);                                         \
    }

#define FLOATS                                                                 \
  for (int k = 0; k < n; k++)                                                  \
    {                                                                          \
      u8 b = x->b[k];                                                          \
      i8 c = x->c[k];                                                          \
      i16 s = x->s[k];                                                         \
      u32 u = x->u[k];                                                         \
      float f = x->f[k];                                                       \
      y->f[k] = (float) (u >> 2) + (float) (u & 255);                          \
      y->i[k] = (b < c) + (b > 9 && c < 7 ? 1 : 0);                            \
      y->b[k] = f > 3 && y->b[k] < 9 ? 1 : 0;                                  \
      y->s[k] = abs (s) + (c < 0 ? -c : b);                                    \
    }

#define LONGS                                                                  \
  for (int k = 0; k < n; k++)                                                  \
    {                                                                          \
      u8 b = x->b[k];                                                          \
      i8 c = x->c[k];                                                          \
      u16 h = x->h[k];                                                         \
      u32 u = x->u[k];                                                         \
      i32 i = x->i[k];                                                         \
      u64 v = x->v[k];                                                         \
      i64 l = x->l[k];                                                         \
      float f = x->f[k];                                                       \
      double d = x->d[k];                                                      \
      y->d[k] = b > 3 ? d * 2 : u;                                             \
      y->l[k] = i > 3 ? l * 2 : l - u;                                         \
      y->v[k] = d > 3 ? v + c : h;                                             \
      y->f[k] = (float) d + (float) (v >> 40) + (float) l;                     \
      y->u[k] = d < 3 ? (u32) l : u * 3;                                       \
      y->i[k] = d + (i32) v / 2;                                               \
      y->b[k] = d > 3 ? b * 2 : (u8) f;                                        \
      y->s[k] = l > 3 ? (i16) d : (i16) v;                                     \
      y->e[k] = l;                                                             \
      y->g[k] = v;                                                             \
    }

#define PLAIN(name, LOOP)                                                      \
  static NOINLINE void plain_##name (numbers *restrict y,                      \
                                     const numbers *restrict x, int n)         \
  {                                                                            \
    LOOP                                                                       \
  }

PLAIN (shorts, SHORTS)
PLAIN (words, WORDS)
PLAIN (floats, FLOATS)
PLAIN (longs, LONGS)

static NOINLINE void
shorts (numbers *restrict y, const numbers *restrict x, int n)
{
#pragma tensor fp(strict) simd(k) /* { dg-message "simd" } */
  SHORTS
}

static NOINLINE void
words (numbers *restrict y, const numbers *restrict x, int n)
{
#pragma tensor fp(strict) simd(k) /* { dg-message "simd" } */
  WORDS
}

static NOINLINE void
floats (numbers *restrict y, const numbers *restrict x, int n)
{
#pragma tensor fp(strict) simd(k) /* { dg-message "simd" } */
  FLOATS
}

static NOINLINE void
longs (numbers *restrict y, const numbers *restrict x, int n)
{
#pragma tensor fp(strict) simd(k) /* { dg-message "simd" } */
  LONGS
}

/* Numbers of all signs; those that become integers are in the range of
   these.  */
static void
fill (numbers *x)
{
  for (int k = 0; k < MOST; k++)
    {
      x->b[k] = next ();
      x->c[k] = next ();
      x->h[k] = next ();
      x->s[k] = next ();
      x->u[k] = (u32) next () << 16 | next ();
      x->i[k] = (i32) (next () << 16 | next ());
      x->v[k] = (u64) x->u[k] << 32 | next ();
      x->l[k] = (i64) (x->v[k] << 3);
      x->l[k] >>= k % 3 ? 40 : 3;
      x->f[k] = (float) (next () % 1000) / 8;
      x->d[k] = next () % 1000 / 8.0;
    }
}

static numbers x, made[2];

/* Both give the same bits.  */
static void
check (const char *name, void plain (numbers *, const numbers *, int),
       void region (numbers *, const numbers *, int), int n)
{
  memset (made, 0, sizeof made);
  plain (&made[0], &x, n);
  region (&made[1], &x, n);
  for (size_t k = 0; k < sizeof made[0]; k++)
    if (((u8 *) &made[0])[k] != ((u8 *) &made[1])[k])
      differ (name, k, ((u8 *) &made[0])[k], ((u8 *) &made[1])[k]);
}

int
main (void)
{
  for (unsigned s = 0; s < LENGTH (sizes); s++)
    {
      fill (&x);
      current[0] = sizes[s];
      check ("shorts", plain_shorts, shorts, sizes[s]);
      check ("words", plain_words, words, sizes[s]);
      check ("floats", plain_floats, floats, sizes[s]);
      check ("longs", plain_longs, longs, sizes[s]);
    }
  return 0;
}
