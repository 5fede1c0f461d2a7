/* Shows that what the host does around kernels means the same: loops in time,
   choices, several nests with arrays of their own, places in memory that are
   read by number, arrays that are one.  */

#include "device.h"

KERNEL (
  heat, (int n, int steps, float a[n][n], float b[n][n]),
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] - a[i][j + 1];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = b[i][j] - a[i][j];
  })

REGION (choose, (int n, int what, const float *x, float *y), float t[MOST];
        for (int i = 0; i < n; i++) t[i] = x[i] * 2;
        if (what > 2) for (int i = 0; i < n; i++) y[i] = t[n - 1 - i];
        else for (int i = 0; i < n; i++) y[i] += t[i];)

REGION (steps, (int n, const float *x, float *y, float *z), y[0] = x[0] * 3;
        for (int i = 1; i < n; i++) y[i] = y[i - 1] + x[i];
        for (int i = 0; i < n; i++) z[i] = y[n - 1 - i];)

KERNEL (gather,
        (int n, int m, const float x[m][8], const int *at, float y[n][8]),
        for (int i = 0; i < n; i++) for (int j = 0; j < 8; j++) y[i][j]
        += x[at[i]][j];)

KERNEL (overlap, (int n, const float *x, float *y),
        for (int i = 0; i < n; i++) y[i] = x[i] * 2 + 1;)

REGION (
  ways, (int n, int m, float x[n][m], const float c[n][m], int rounds),
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++)
      x[i][j] += c[i][j];
    for (int r = 0; r < rounds; r++)
      {
        float s = 0;
        for (int j = 0; j < m; j++)
          s += c[i][j] * (j + r);
        x[i][m - 1] += s;
      }
    if (c[i][0] > 0)
      {
        float s = 0;
        for (int j = 0; j < m; j++)
          s += x[i][m - 1 - j];
        x[i][0] = s;
      }
    for (int j = 1; j < m; j++)
      x[i][j] = x[i][j] * 2 + x[i][0];
  })

static float a[2][AREA], b[2][AREA], x[2][2 * MOST], y[2][MOST], z[2][MOST];
static int at[2][MOST];

int
main (void)
{
  EACH_LENGTH (n)
  {
    FILL (a);
    FILL (b);
    FILL (x);
    FILL (y);
    FILL_BELOW (at, MOST);
    for (int steps = 0; steps < 3; steps++)
      BOTH (heat, (int) n, steps, (void *) a[W], (void *) b[W]);
    CHECK (a);
    CHECK (b);
    for (int what = 2; what < 4; what++)
      BOTH (choose, (int) n, what, x[W], y[W]);
    CHECK (y);
    BOTH (steps, (int) n, x[W], y[W], z[W]);
    CHECK (y);
    CHECK (z);
    BOTH (gather, (int) n, MOST, (void *) a[W], at[W], (void *) b[W]);
    CHECK (b);
    BOTH (overlap, (int) n, x[W], x[W] + 3);
    BOTH (overlap, (int) n, x[W] + 5, x[W]);
    BOTH (overlap, (int) n, x[W], x[W]);
    BOTH (overlap, (int) n, x[W], y[W]);
    CHECK (x);
    CHECK (y);
  }
  EACH_LENGTH (n)
  for (int rounds = 0; rounds < 3; rounds++)
    for (int m = 1; m < 80; m += 36)
      {
        FILL_BELOW (a, 2);
        FILL_BELOW (b, 2);
        BOTH (ways, (int) n, m, (void *) a[W], (void *) b[W], rounds);
        CHECK (a);
      }
  return 0;
}
