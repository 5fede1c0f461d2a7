/* Shows that lanes two to eight elements apart mean the same, of whole vectors
   and of less, and that nothing beyond the last element is read.  */

#include "compare.h"

#include <sys/mman.h>
#include <unistd.h>

#define ROWS 3

static NOINLINE void
plain_widest (const float *a, float *b, int n, int row)
{
  for (int i = 0; i < ROWS - 2; i++)
    for (int j = 0; j < n; j++)
      {
        float m = a[i * row + 2 * j];
        for (int k = 0; k < 3; k++)
          for (int l = 0; l < 3; l++)
            m = fmaxf (m, a[(i + k) * row + 2 * j + l]);
        b[i * n + j] = m;
      }
}

static NOINLINE void
widest (const float *a, float *b, int n, int row)
{
#pragma tensor
  for (int i = 0; i < ROWS - 2; i++)
    for (int j = 0; j < n; j++)
      {
        float m = a[i * row + 2 * j];
        for (int k = 0; k < 3; k++)
          for (int l = 0; l < 3; l++)
            m = fmaxf (m, a[(i + k) * row + 2 * j + l]);
        b[i * n + j] = m;
      }
}

static NOINLINE void
plain_third (const double *a, double *b, int n)
{
  for (int i = 0; i < n; i++)
    b[i] = a[3 * i] - a[3 * i + 2];
}

static NOINLINE void
third (const double *a, double *b, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    b[i] = a[3 * i] - a[3 * i + 2];
}

static NOINLINE void
plain_fourth (const int *a, int *b, int n)
{
  for (int i = 0; i < n; i++)
    b[i] = a[4 * i] * 3 + b[i];
}

static NOINLINE void
fourth (const int *a, int *b, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    b[i] = a[4 * i] * 3 + b[i];
}

static NOINLINE void
plain_members (const float *a, float *b, int n, int far)
{
  for (int i = 0; i < n; i++)
    {
      float m = a[4 * i] + a[4 * i + 2] * 3;
      float w = far ? a[4 * i + 3] : a[4 * i + 1];
      b[i] = m - w;
    }
}

static NOINLINE void
members (const float *a, float *b, int n, int far)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float m = a[4 * i] + a[4 * i + 2] * 3;
      float w = far ? a[4 * i + 3] : a[4 * i + 1];
      b[i] = m - w;
    }
}

static NOINLINE float
plain_row_sums (const float *a, const float *c, float *b, int n)
{
  float all = 0;
  for (int i = 0; i < n; i++)
    {
      float sum = 0;
      for (int j = 0; j < 8; j++)
        sum += a[8 * i + j] * c[j];
      b[i] = sum;
      all += a[8 * i + 6] - a[8 * i + 1];
    }
  return all;
}

static NOINLINE float
row_sums (const float *a, const float *c, float *b, int n)
{
  float all = 0;
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float sum = 0;
      for (int j = 0; j < 8; j++)
        sum += a[8 * i + j] * c[j];
      b[i] = sum;
      all += a[8 * i + 6] - a[8 * i + 1];
    }
  return all;
}

static NOINLINE void
plain_sixth (const int *a, int *b, int n)
{
  for (int i = 0; i < n; i++)
    b[i] = a[6 * i + 4] - a[6 * i + 1] + a[5 * i];
}

static NOINLINE void
sixth (const int *a, int *b, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    b[i] = a[6 * i + 4] - a[6 * i + 1] + a[5 * i];
}

/* BYTES that end where nothing may be read.  */
static char *
last_bytes (size_t bytes)
{
  size_t page = (size_t) sysconf (_SC_PAGESIZE);
  size_t room = (bytes + page - 1) / page * page;
  char *at = mmap (NULL, room + page, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED || mprotect (at + room, page, PROT_NONE))
    abort ();
  return at + room - bytes;
}

static float b[2][MOST];
static float c[8] = { 1, 2, 3, 4, -5, 6, 7, 0 };
static double d[2][MOST];
static int e[2][MOST];

int
main (void)
{
  float *wide = (float *) last_bytes (ROWS * (2 * MOST + 1) * sizeof (float));
  double *thirds = (double *) last_bytes (3 * MOST * sizeof (double));
  int *fourths = (int *) last_bytes (4 * MOST * sizeof (int));
  float *eighths = (float *) last_bytes (8 * MOST * sizeof (float));
  int *sixths = (int *) last_bytes (6 * MOST * sizeof (int));
  for (size_t k = 0; k < LENGTH (sizes); k++)
    {
      int n = sizes[k];
      int row = 2 * n + 1;
      int skipped = 2 * MOST + 1 - row;
      const float *a = wide + ROWS * skipped;
      current[0] = n;
      for (int i = 0; i < ROWS * (2 * MOST + 1); i++)
        wide[i] = (float) (next () % 15);
      for (int i = 0; i < 3 * MOST; i++)
        thirds[i] = (double) (next () % 15);
      for (int i = 0; i < 4 * MOST; i++)
        fourths[i] = (int) (next () % 15);
      for (int i = 0; i < 8 * MOST; i++)
        eighths[i] = (float) (next () % 15);
      for (int i = 0; i < 6 * MOST; i++)
        sixths[i] = (int) (next () % 15);
      FILL (b);
      FILL (d);
      FILL (e);
      BOTH (widest, a, b[W], n, row);
      BOTH (third, thirds + 3 * (MOST - n), d[W], n);
      BOTH (fourth, fourths + 4 * MOST - 4 * n + (n > 0 ? 3 : 0), e[W],
            n > 0 ? n - 1 : 0);
      CHECK (b);
      CHECK (d);
      CHECK (e);
      BOTH (members, eighths + 8 * MOST - 4 * n + (n > 0), b[W], n, 0);
      CHECK (b);
      BOTH (members, eighths + 8 * MOST - 4 * n, b[W], n, 1);
      CHECK (b);
      BOTH_EQUAL (row_sums, eighths + 8 * (MOST - n), c, b[W], n);
      CHECK (b);
      BOTH (sixth, sixths + 6 * MOST - 6 * n + (n > 0), e[W], n);
      CHECK (e);
    }
  return 0;
}
