/* Shows that what index arrays reach is found at run time: rows that are
   gathered or scattered mean what the plain loops mean where the arrays lie
   apart, in each other, or shifted.  */

#include "compare.h"

static NOINLINE void
plain_rows (const float *table, const int *at, float *out, int n, int width)
{
  for (int i = 0; i < n; i++)
    for (int c = 0; c < width; c++)
      out[i * width + c] = 2 * table[at[i] * width + c];
}

static NOINLINE void
plain_add_rows (const float *rows, const short *at, float *table, int n, int m,
                int width)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        float *to = table + at[i * m + j] * width;
        for (int c = 0; c < width; c++)
          to[c] += rows[i * width + c];
      }
}

static NOINLINE void
plain_chosen (const float *x, const int *at, float *y, int n, int width)
{
  for (int i = 0; i < n; i++)
    {
      int row = i % 3 ? at[i] : 0;
      if (row < 0)
        row = -row;
      float s = 0;
      for (int c = 0; c < width; c++)
        s += x[row * width + c];
      y[i] = s;
    }
}

/* The index array itself may be written.  */
static NOINLINE void
plain_numbers (const int *at, int *out, int n, int width)
{
  for (int i = 0; i < n; i++)
    for (int c = 0; c < width; c++)
      out[at[i] + c] = c;
}

/* In blocks, which may be of no row.  */
static NOINLINE void
plain_blocks (const float *x, float *y, int n, int width)
{
  for (int i = 0; i < n; i++)
    for (int c = 0; c < width; c++)
      y[i * width + c] = x[(i * width + c) / 4] + x[(i * width + c) % 8];
}

static NOINLINE void
rows (const float *table, const int *at, float *out, int n, int width)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int c = 0; c < width; c++)
      out[i * width + c] = 2 * table[at[i] * width + c];
}

static NOINLINE void
add_rows (const float *rows, const short *at, float *table, int n, int m,
          int width)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        float *to = table + at[i * m + j] * width;
        for (int c = 0; c < width; c++)
          to[c] += rows[i * width + c];
      }
}

static NOINLINE void
chosen (const float *x, const int *at, float *y, int n, int width)
{
#pragma tensor /* { dg-missed "x and y may overlap" } */
  for (int i = 0; i < n; i++)
    {
      int row = i % 3 ? at[i] : 0;
      if (row < 0)
        row = -row;
      float s = 0;
      for (int c = 0; c < width; c++)
        s += x[row * width + c];
      y[i] = s;
    }
}

static NOINLINE void
numbers (const int *at, int *out, int n, int width)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int c = 0; c < width; c++)
      out[at[i] + c] = c;
}

static NOINLINE void
blocks (const float *x, float *y, int n, int width)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int c = 0; c < width; c++)
      y[i * width + c] = x[(i * width + c) / 4] + x[(i * width + c) % 8];
}

static float f[2][AREA];
static int k[2][AREA];
static int at[AREA];
static short near[AREA];

int
main (void)
{
  static const int shifts[] = { 0, 1, -1, 40, -40, 3000, -3000 };
  EACH_SMALL (n)
  EACH_SMALL_TOO (m)
  for (size_t s = 0; s < LENGTH (shifts); s++)
    {
      int x = AREA / 2, y = x + shifts[s];
      for (int i = 0; i < AREA; i++)
        {
          at[i] = (int) (next () % 60) - 20;
          near[i] = (short) at[i];
        }
      FILL (f);
      BOTH (rows, f[W] + x, at, f[W] + y, n, m);
      CHECK (f);
      FILL (f);
      BOTH (add_rows, f[W] + x, near, f[W] + y, n, m, m);
      CHECK (f);
      FILL (f);
      BOTH (chosen, f[W] + x, at, f[W] + y, n, m);
      CHECK (f);
      FILL (f);
      BOTH (blocks, f[W] + x, f[W] + y, n, m);
      CHECK (f);
      FILL_BELOW (k, 30);
      BOTH (numbers, k[W] + x, k[W] + y, n, m);
      CHECK (k);
    }
  return 0;
}
