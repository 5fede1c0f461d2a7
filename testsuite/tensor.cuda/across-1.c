/* Shows that what is read across means the same on a device: transposes of
   floats, doubles and bytes, of parts of arrays, many at once, in a chain of
   computations, added to what is there, read two ways, and where only a
   condition lets it be read.  */

#include "device.h"

KERNEL (turn, (int n, int m, const float x[m][n], float y[n][m]),
        for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[i][j]
        = x[j][i];)

KERNEL (other, (int n, int m, const double x[n][m], double y[m][n]),
        for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[j][i]
        += x[i][j] * 2;)

KERNEL (bytes, (int n, int m, const signed char x[m][n], signed char y[n][m]),
        for (int i = 1; i < n; i++) for (int j = 2; j < m; j++) y[i][j]
        = (signed char) (x[j][i - 1] + 1);)

KERNEL (
  both, (int n, const float x[n][n], float y[n][n], double z[n][n]),
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
    float h = x[i][j] + x[j][i];
    y[i][j] = h / 2;
    z[i][j] = h - x[j][i] * 3;
  })

KERNEL (many,
        (int n, int m, const int x[5][m][n], int y[5][n][m], const int *z),
        for (int b = 0; b < 5; b++) for (int i = 0; i < n; i++) for (int j = 0;
                                                                     j < m; j++)
          y[b][i][j]
        = x[b][j][i] - z[j];)

KERNEL (heads, (int n, int m, const int x[n][5][m], int y[5][m][n]),
        for (int h = 0; h < 5; h++) for (int j = 0; j < m; j++) for (int i = 0;
                                                                     i < n; i++)
          y[h][j][i]
        = x[i][h][j];)

KERNEL (
  some, (int n, const float x[n][n], const int *at, float y[n][n]),
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
    float a = x[j][i];
    if (at[i] > 0)
      y[i][j] = at[j] > 1 ? x[j][i] + a : a;
  })

static float x[2][AREA], y[2][AREA];
static double u[2][AREA], v[2][AREA];
static signed char p[2][AREA], q[2][AREA];
static int k[2][5 * 80 * 80], l[2][5 * 80 * 80], at[2][MOST + 1];

int
main (void)
{
  static const int pairs[][2]
    = { { 0, 5 },   { 1, 1 },   { 15, 40 }, { 16, 16 }, { 17, 31 },
        { 32, 64 }, { 33, 80 }, { 80, 65 }, { 7, 80 },  { 80, 1 } };
  for (unsigned c = 0; c < sizeof pairs / sizeof pairs[0]; c++)
    {
      int n = pairs[c][0];
      int m = pairs[c][1];
      FILL (x);
      FILL (u);
      FILL (p);
      FILL (k);
      FILL (at);
      BOTH (turn, n, m, (void *) x[W], (void *) y[W]);
      CHECK (y);
      BOTH (other, n, m, (void *) u[W], (void *) v[W]);
      CHECK (v);
      BOTH (bytes, n, m, (void *) p[W], (void *) q[W]);
      CHECK (q);
      BOTH (both, m, (void *) x[W], (void *) y[W], (void *) v[W]);
      CHECK (y);
      CHECK (v);
      BOTH (many, n, m, (void *) k[W], (void *) l[W], at[W]);
      CHECK (l);
      BOTH (heads, n, m, (void *) k[W], (void *) l[W]);
      CHECK (l);
      BOTH (some, m, (void *) x[W], at[W], (void *) y[W]);
      CHECK (y);
    }
  return 0;
}
