/* Shows that lanes two to four elements apart mean the same, of whole vectors
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
static double d[2][MOST];
static int e[2][MOST];

int
main (void)
{
  float *wide = (float *) last_bytes (ROWS * (2 * MOST + 1) * sizeof (float));
  double *thirds = (double *) last_bytes (3 * MOST * sizeof (double));
  int *fourths = (int *) last_bytes (4 * MOST * sizeof (int));
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
    }
  return 0;
}
