/* Shows that nests of few elements mean the same where a thread does each
   alone: systems of equations in time, matrices, triangles, pixels.  */

#include "device.h"

KERNEL (
  system4, (long n, int steps, const float *restrict a, float (*restrict y)[4]),
  for (long i = 0; i < n; i++) {
    float s[4], k[4];
    for (int c = 0; c < 4; c++)
      s[c] = y[i][c];
    for (int t = 0; t < steps; t++)
      {
        for (int c = 0; c < 4; c++)
          k[c] = a[c] * s[(c + 1) % 4] - s[c];
        for (int c = 0; c < 4; c++)
          s[c] += k[c] * 0.25f;
      }
    for (int c = 0; c < 4; c++)
      y[i][c] = s[c];
  })

KERNEL (
  square,
  (long n, const float (*restrict a)[4][4], const float (*restrict b)[4][4],
   float (*restrict c)[4][4]),
  for (long i = 0; i < n; i++) {
    float p[4][4];
    for (int r = 0; r < 4; r++)
      for (int q = 0; q < 4; q++)
        {
          float s = 0;
          for (int k = 0; k < 4; k++)
            s += a[i][r][k] * b[i][k][q];
          p[r][q] = s;
        }
    for (int r = 0; r < 4; r++)
      for (int q = 0; q < 4; q++)
        {
          float s = 0;
          for (int k = 0; k < 4; k++)
            s += p[r][k] * p[k][q];
          c[i][r][q] = s;
        }
  })

KERNEL (
  factor, (long n, double (*restrict a)[6][6]), for (long i = 0; i < n; i++) {
    double l[6][6];
    for (int r = 0; r < 6; r++)
      for (int c = 0; c < 6; c++)
        l[r][c] = a[i][r][c];
    for (int k = 0; k < 6; k++)
      {
        l[k][k] = sqrt (fabs (l[k][k]) + 8);
        for (int r = k + 1; r < 6; r++)
          l[r][k] /= l[k][k];
        for (int c = k + 1; c < 6; c++)
          for (int r = c; r < 6; r++)
            l[r][c] -= l[r][k] * l[c][k];
      }
    for (int r = 0; r < 6; r++)
      for (int c = 0; c < 6; c++)
        a[i][r][c] = c <= r ? l[r][c] : 0;
  })

KERNEL (
  pixels,
  (long n, float gain, const float (*restrict p)[4], float (*restrict q)[4],
   int *restrict most),
  for (long i = 0; i < n; i++) {
    float grey = 0, top = p[i][0];
    for (int c = 0; c < 3; c++)
      grey += p[i][c];
    for (int c = 1; c < 4; c++)
      top = p[i][c] > top ? p[i][c] : top;
    for (int c = 0; c < 4; c++)
      q[i][c] = grey + gain * (p[i][c] - grey);
    most[i] = (int) top;
  })

#define ELEMENTS 700

static float x[2][ELEMENTS][4], z[2][ELEMENTS][4], w[2][4];
static float a[2][ELEMENTS][4][4], b[2][ELEMENTS][4][4], c[2][ELEMENTS][4][4];
static double l[2][ELEMENTS][6][6];
static int most[2][ELEMENTS];

/* The same whole numbers in both halves of ARRAY, which has COUNT elements of
   a TYPE in each.  */
#define FILL_BOTH(type, array)                                                 \
  do                                                                           \
    {                                                                          \
      type *all_ = (type *) (array)[0];                                        \
      for (size_t k_ = 0; k_ < sizeof ((array)[0]) / sizeof (type); k_++)      \
        all_[k_] = (type) ((int) (next () % 15) - 7);                          \
      memcpy ((array)[1], (array)[0], sizeof ((array)[0]));                    \
    }                                                                          \
  while (0)

/* The halves of ARRAY differ by no more than rounding.  */
#define CHECK_BOTH(type, array)                                                \
  do                                                                           \
    {                                                                          \
      const type *plain_ = (const type *) (array)[0];                          \
      const type *tensor_ = (const type *) (array)[1];                         \
      for (size_t k_ = 0; k_ < sizeof ((array)[0]) / sizeof (type); k_++)      \
        if (!(fabs ((double) plain_[k_] - (double) tensor_[k_])                \
              <= 1e-5 * (1 + fabs ((double) plain_[k_]))))                     \
          differ (#array, k_, (double) plain_[k_], (double) tensor_[k_]);      \
    }                                                                          \
  while (0)

/* N elements of each kind.  */
static void
check (long n)
{
  FILL_BOTH (float, x);
  FILL_BOTH (float, z);
  FILL_BOTH (float, w);
  FILL_BOTH (float, a);
  FILL_BOTH (float, b);
  FILL_BOTH (float, c);
  FILL_BOTH (double, l);
  BOTH (pixels, n, 0.5f, x[W], z[W], most[W]);
  CHECK_BOTH (float, z);
  CHECK_BOTH (int, most);
  BOTH (system4, n, 7, w[W], x[W]);
  CHECK_BOTH (float, x);
  BOTH (square, n, a[W], b[W], c[W]);
  CHECK_BOTH (float, c);
  BOTH (factor, n, l[W]);
  CHECK_BOTH (double, l);
}

int
main (void)
{
  EACH_LENGTH (n)
  check ((long) n);
  check (ELEMENTS);
  return 0;
}
