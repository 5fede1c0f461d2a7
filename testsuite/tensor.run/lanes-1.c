/* Shows that masks from elements of another width, elements a few apart or
   backwards, loops cut at an index, and values that outlive their loop mean
   the same.  */

#include "compare.h"

typedef struct point
{
  float x, y, z;
  int tag;
} point;

static NOINLINE void
plain_narrow (float *x, const uint8_t *b, const float *y, int n)
{
  for (int i = 0; i < n; i++)
    if (b[i] > 3)
      x[i] = y[i];
    else
      x[i] += 1;
}

static NOINLINE void
plain_wide (uint8_t *b, const double *x, const float *y, int n)
{
  for (int i = 0; i < n; i++)
    b[i] = x[i] > 0 && y[i] < 3 ? 5 : b[i] / 2;
}

static NOINLINE int
plain_count (const uint8_t *b, const double *x, int n)
{
  int found = 0;
  for (int i = 0; i < n; i++)
    found += b[i] == 4 || x[i] == 2;
  return found;
}

static NOINLINE void
plain_cut (float *x, const float *y, int n, int m)
{
  for (int i = 0; i < n; i++)
    {
      x[i] += y[i];
      if (i < m)
        x[i] *= 2;
      else if (i == m)
        x[i] = 0;
    }
}

static NOINLINE void
plain_border (float *x, const float *y, int n)
{
  for (int i = 0; i < n; i++)
    x[i] = i > 0 && n - 1 > i ? y[i - 1] + y[i + 1] : y[i] * 3;
}

static NOINLINE void
plain_backwards (float *x, const float *y, uint8_t *b, int n)
{
  for (int i = n - 1; i >= 0; i--)
    {
      x[n - 1 - i] = y[i] * 2;
      b[n - 1 - i] ^= 7;
    }
}

static NOINLINE void
plain_apart (float *x, const float (*v)[3], const double *y, int n)
{
  for (int i = 0; i < n; i++)
    x[i] = sqrtf (v[i][0] * v[i][0] + v[i][2] * v[i][2]) + (float) y[4 * i];
}

static NOINLINE void
plain_records (point *p, const float *y, int n)
{
  for (int i = 0; i < n; i++)
    {
      p[i].x += y[i];
      p[i].z = p[i].y - y[i];
    }
}

static NOINLINE double
plain_record_sum (const point *p, int n)
{
  float x = 0, y = 0, z = 0;
  for (int i = 0; i < n; i++)
    {
      x += p[i].x;
      y += p[i].y;
      z += p[i].z;
    }
  return x + 2 * y + 4 * z;
}

static NOINLINE double
plain_outlive (float *x, const float *y, int n)
{
  float v = -1;
  int j = 5;
  for (int i = 0; i < n; i++)
    {
      v = y[i] * 2;
      x[i] = v + y[j % 8];
      j += 3;
    }
  return v + j;
}

static NOINLINE void
narrow (float *x, const uint8_t *b, const float *y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    if (b[i] > 3)
      x[i] = y[i];
    else
      x[i] += 1;
}

static NOINLINE void
wide (uint8_t *b, const double *x, const float *y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    b[i] = x[i] > 0 && y[i] < 3 ? 5 : b[i] / 2;
}

static NOINLINE int
count (const uint8_t *b, const double *x, int n)
{
  int found = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    found += b[i] == 4 || x[i] == 2;
  return found;
}

static NOINLINE void
cut (float *x, const float *y, int n, int m)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      x[i] += y[i];
      if (i < m)
        x[i] *= 2;
      else if (i == m)
        x[i] = 0;
    }
}

static NOINLINE void
border (float *x, const float *y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    x[i] = i > 0 && n - 1 > i ? y[i - 1] + y[i + 1] : y[i] * 3;
}

static NOINLINE void
backwards (float *x, const float *y, uint8_t *b, int n)
{
#pragma tensor
  for (int i = n - 1; i >= 0; i--)
    {
      x[n - 1 - i] = y[i] * 2;
      b[n - 1 - i] ^= 7;
    }
}

static NOINLINE void
apart (float *x, const float (*v)[3], const double *y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    x[i] = sqrtf (v[i][0] * v[i][0] + v[i][2] * v[i][2]) + (float) y[4 * i];
}

static NOINLINE void
records (point *p, const float *y, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      p[i].x += y[i];
      p[i].z = p[i].y - y[i];
    }
}

static NOINLINE double
record_sum (const point *p, int n)
{
  float x = 0, y = 0, z = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      x += p[i].x;
      y += p[i].y;
      z += p[i].z;
    }
  return x + 2 * y + 4 * z;
}

static NOINLINE double
outlive (float *x, const float *y, int n)
{
  float v = -1;
  int j = 5;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      v = y[i] * 2;
      x[i] = v + y[j % 8];
      j += 3;
    }
  return v + j;
}

static float x[2][MOST], y[2][MOST], v[2][MOST * 3];
static double z[2][MOST * 4];
static uint8_t b[2][MOST];
static point p[2][MOST];

int
main (void)
{
  FILL (y);
  FILL (v);
  FILL (z);
  EACH_SIZE (n)
  {
    FILL (x);
    FILL_BELOW (b, 9);
    for (int k = 0; k < MOST; k++)
      p[0][k] = p[1][k] = (point){ y[0][k], x[0][k], b[0][k], k };
    BOTH (narrow, x[W], b[W], y[W], n);
    BOTH (wide, b[W], z[W], y[W], n);
    BOTH_EQUAL (count, b[W], z[W], n);
    for (int m = -1; m <= (int) n; m += n < 10 ? 1 : 13)
      BOTH (cut, x[W], y[W], n, m);
    CHECK (x);
    BOTH (border, x[W], y[W], n);
    CHECK (x);
    BOTH (backwards, x[W], y[W], b[W], n);
    CHECK (x);
    BOTH (apart, x[W], (const float (*)[3]) v[W], z[W], n);
    CHECK_NEAR (x, 1e-6);
    BOTH (records, p[W], y[W], n);
    BOTH_EQUAL (record_sum, p[W], n);
    BOTH_EQUAL (outlive, x[W], y[W], n);
    CHECK (x);
    CHECK (b);
    if (memcmp (p[0], p[1], sizeof (p[0])) != 0)
      return 1;
  }
  return 0;
}
