/* Shows that sweeps, whose blocks read tiles with halos, mean the same on a
   device: boxes and stars of elements, columns far apart, two and three
   dimensions, images, time loops, arrays by rows and flat ones; sizes of which
   some have no tile, and tiles that are not whole.  */

#include "device.h"

KERNEL (box, (int n, int m, const float *x, float *y),
        for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)
          y[i * m + j]
        = x[(i - 1) * m + j - 1] + 2 * x[(i - 1) * m + j]
          + x[(i - 1) * m + j + 1] + 3 * x[i * m + j - 1] + 2 * x[i * m + j]
          - x[i * m + j + 1] + x[(i + 1) * m + j - 1] - 2 * x[(i + 1) * m + j]
          + x[(i + 1) * m + j + 1];)

/* The corners of its halo are not there.  */
KERNEL (star,
        (int n, int m, const double x[restrict n + 6][m + 6],
         double y[restrict n][m]),
        for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[i][j]
        = 4 * x[i + 3][j + 3] + x[i][j + 3] + x[i + 1][j + 3]
          + 2 * x[i + 2][j + 3] + x[i + 4][j + 3] + 3 * x[i + 5][j + 3]
          + x[i + 6][j + 3] + x[i + 3][j] - x[i + 3][j + 1]
          + 2 * x[i + 3][j + 2] - x[i + 3][j + 4] + x[i + 3][j + 5]
          + x[i + 3][j + 6];)

#define ROW(I)                                                                 \
  (x[(I) *m + j] + 2 * x[(I) *m + j + 10] + x[(I) *m + j + 20]                 \
   - x[(I) *m + j + 30] + x[(I) *m + j + 40])

/* Its halo is wider than a tile.  */
KERNEL (far, (int n, int m, const float *x, float *y),
        for (int i = 1; i < n - 1; i++) for (int j = 0; j < m - 40; j++)
          y[i * m + j]
        = ROW (i - 1) + 3 * ROW (i) + ROW (i + 1);)

#define LINE(I, J) (x[I][J][k - 1] - 2 * x[I][J][k] + x[I][J][k + 1])
#define PLANE(I)   (LINE (I, j - 1) + 3 * LINE (I, j) - LINE (I, j + 1))

KERNEL (cube,
        (int p, int n, int m, const double x[restrict p][n][m],
         double y[restrict p][n][m]),
        for (int i = 1; i < p - 1; i++) for (int j = 1; j < n - 1;
                                             j++) for (int k = 1; k < m - 1;
                                                       k++) y[i][j][k]
        = PLANE (i - 1) + 2 * PLANE (i) + PLANE (i + 1);)

#define BESIDE(I, J)                                                           \
  (x[((I) *n + J) * m + k - 1] + x[((I) *n + J) * m + k]                       \
   + x[((I) *n + J) * m + k + 1])

/* The sides and edges of a cube, without its corners.  */
KERNEL (edges, (int p, int n, int m, const float *x, float *y),
        for (int i = 1; i < p - 1; i++) for (int j = 1; j < n - 1; j++) for (
          int k = 1; k < m - 1; k++) y[(i * n + j) * m + k]
        = BESIDE (i - 1, j) + 2 * BESIDE (i, j) + BESIDE (i + 1, j)
          - BESIDE (i, j - 1) - BESIDE (i, j + 1)
          + x[((i - 1) * n + j - 1) * m + k] + x[((i - 1) * n + j + 1) * m + k]
          + x[((i + 1) * n + j - 1) * m + k]
          - x[((i + 1) * n + j + 1) * m + k];)

#define ABOVE(J) (x[h][i - 1][J] + x[h][i][J] - x[h][i + 1][J])

/* Images, and numbers of another array.  */
KERNEL (
  images,
  (int p, int n, int m, const float x[restrict p][n][m],
   const float a[restrict n][m], float y[restrict p][n][m]),
  for (int h = 0; h < p; h++) for (int i = 1; i < n - 1;
                                   i++) for (int j = 2; j < m - 2; j++) {
    float s = ABOVE (j - 2) + 2 * ABOVE (j - 1) + ABOVE (j) + ABOVE (j + 1);
    s += ABOVE (j + 2) * a[i][j];
    y[h][i][j] = s > 0 ? s : x[h][i][j];
  })

#define NEAR(X, I) (X[(I) *64 + j - 1] + X[(I) *64 + j] + X[(I) *64 + j + 1])

/* Steps of one array to another, and back.  */
KERNEL (
  steps, (int t, int n, float *a, float *b), for (int s = 0; s < t; s++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < 63; j++)
        b[i * 64 + j]
          = 0.5f * (NEAR (a, i - 1) + NEAR (a, i) - NEAR (a, i + 1));
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < 63; j++)
        a[i * 64 + j]
          = 0.5f * (NEAR (b, i - 1) - NEAR (b, i) + NEAR (b, i + 1));
  })

static float x[2][40000], y[2][40000], z[2][40000];
static double u[2][40000], v[2][40000];

int
main (void)
{
  static const int rows[] = { 0, 1, 2, 7, 17, 37, 67 };
  static const int columns[] = { 0, 1, 2, 16, 35, 101 };
  FILL (x);
  FILL (y);
  FILL (z);
  FILL (u);
  FILL (v);
  EACH_OF (n, rows, 0)
  EACH_OF (m, columns, 1)
  {
    int lines = (int) n, length = (int) m;
    BOTH (box, lines, length, x[W], y[W]);
    CHECK (y);
    BOTH (star, lines, length, (const double (*)[m + 6]) u[W],
          (double (*)[m]) v[W]);
    CHECK (v);
    BOTH (far, lines, length + 40, x[W], y[W]);
    CHECK (y);
    BOTH (cube, lines < 20 ? lines : 11, lines < 30 ? 13 : 18, length,
          (const void *) u[W], (void *) v[W]);
    CHECK (v);
    BOTH (edges, lines < 20 ? 10 : 9, lines < 40 ? lines : 9, length, x[W],
          y[W]);
    CHECK (y);
    BOTH (images, 3, lines, length, (const void *) x[W], (const void *) z[W],
          (void *) y[W]);
    CHECK (y);
  }
  EACH_OF (k, rows, 0)
  {
    BOTH (steps, 3, (int) k, x[W], y[W]);
    CHECK (x);
    CHECK (y);
  }
  return 0;
}
