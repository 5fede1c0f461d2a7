/* Shows that rows whose bounds are in a list mean the same on a device: where
   the list rises, and where it falls, for the CPU then; beside a region that
   asks for nothing.  */

#include "device.h"

KERNEL (entries,
        (int n, const int *p, const float *v, const float *x, float *y),
        for (int i = 0; i < n; i++) for (int k = p[i]; k < p[i + 1]; k++) y[k]
        = y[k] * v[k] - x[i];)

KERNEL (scaled, (int n, float *y), for (int i = 0; i < n; i++) y[i] = 3 * y[i];)

enum
{
  ROWS = 3000,
  ENTRIES = 9001
};

static int p[2][ROWS + 1];
static float v[2][ENTRIES], x[2][ROWS], y[2][ENTRIES];

/* The bounds: rows of 0 to 3 entries; with FALLS one begins before the last
   one.  */
static void
lay (int falls)
{
  for (int w = 0; w < 2; w++)
    for (int i = 0; i <= ROWS; i++)
      p[w][i] = 3 * i - i % 3 - (falls && i == 2 ? 4 : 0);
}

int
main (void)
{
  static const int rows[] = { 0, 1, 2, 33, ROWS };
  FILL_BELOW (v, 5);
  FILL_BELOW (x, 5);
  for (int falls = 0; falls < 2; falls++)
    EACH_OF (n, rows, 0)
    {
      lay (falls);
      FILL_BELOW (y, 5);
      BOTH (scaled, n, y[W]);
      BOTH (entries, n, p[W], v[W], x[W], y[W]);
      CHECK (y);
    }
  return 0;
}
