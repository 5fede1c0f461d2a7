/* Shows that loops of functions which are read with their caller, and whose
   iterators have its iterators' names, are told apart: curves that are copied,
   raised and cut off, band by band.  */

#include "compare.h"

#define BANDS  17
#define LEVELS 8
#define WIDTH  56

static inline void
least (float *c, const float *d)
{
  for (int i = 0; i < WIDTH; i++)
    if (d[i] < c[i])
      c[i] = d[i];
}

static inline void
most (float *c, const float *d)
{
  for (int i = 0; i < WIDTH; i++)
    if (d[i] > c[i])
      c[i] = d[i];
}

static inline void
raise (float *c, float by)
{
  for (int i = 0; i < WIDTH; i++)
    c[i] += by;
}

static float all[BANDS][LEVELS][WIDTH], rest[LEVELS][WIDTH], ends[WIDTH];

#define CURVES                                                                 \
  for (int i = 0; i < BANDS; i++)                                              \
    {                                                                          \
      for (int j = 0; j < LEVELS; j++)                                         \
        for (int k = 0; k < WIDTH; k++)                                        \
          all[i][j][k] = x[(i + j) % 5 * WIDTH + k];                           \
      for (int j = 0; j < WIDTH; j++)                                          \
        ends[j] = x[j + i * 4];                                                \
      for (int j = 0; j < LEVELS; j++)                                         \
        {                                                                      \
          raise (all[i][j], x[i] + 3 - (j < 2 ? 2 : j));                       \
          memcpy (rest[j], ends, sizeof ends);                                 \
          raise (rest[j], 5.0f - j);                                           \
          most (rest[j], all[i][j]);                                           \
        }                                                                      \
      for (int j = 1; j < LEVELS; j++)                                         \
        {                                                                      \
          least (rest[j], rest[j - 1]);                                        \
          least (all[i][j], rest[j]);                                          \
        }                                                                      \
    }

#define COLUMNS                                                                \
  for (int j = 0; j < LEVELS; j++)                                             \
    for (int i = 0; i < BANDS; i++)                                            \
      for (int k = 0; k < 3; k++)                                              \
        raise (all[i][j], x[j * BANDS + i]);

static NOINLINE void
plain (const float *x, int what)
{
  if (what == 0)
    CURVES
  else
    COLUMNS
}

static NOINLINE void
curves (const float *x)
{
#pragma tensor fp(strict)
  CURVES
}

static NOINLINE void
columns (const float *x)
{
#pragma tensor fp(strict)
  COLUMNS
}

int
main (void)
{
  static float x[2][8 * WIDTH], a[2][BANDS * LEVELS * WIDTH], e[2][WIDTH];
  static float r[2][LEVELS * WIDTH];
  for (int what = 0; what < 2; what++)
    {
      FILL (x);
      for (int k = 0; k < 2; k++)
        {
          memset (all, 0, sizeof all);
          if (k == 0)
            plain (x[0], what);
          else if (what == 0)
            curves (x[1]);
          else
            columns (x[1]);
          memcpy (a[k], all, sizeof all);
          memcpy (r[k], rest, sizeof rest);
          memcpy (e[k], ends, sizeof ends);
        }
      CHECK (a);
      CHECK (r);
      CHECK (e);
    }
  return 0;
}
