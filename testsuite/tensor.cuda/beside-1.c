/* Shows that nests that need nothing of each other mean the same where one
   launch does several of them, and what depends on them stays behind: arrays of
   different lengths, sums, rows, products, steps of an optimiser, in time, where
   some of them have no iterations; that few elements take one launch in place of
   three.  */

#include "device.h"

#define MOST_BESIDE 300

REGION (apart,
        (long n, long m, const float *restrict x, float *restrict a,
         const double *restrict w, double *restrict b, int *restrict c),
        {
          for (long i = 0; i < n; i++)
            a[i] = x[i] * 2 + 100;
          for (long i = 0; i < m; i++)
            b[i] = w[i] + 1000;
          for (long i = 0; i < n + m; i++)
            c[i] += (int) i;
        })

REGION (layer,
        (long n, long m, const float *restrict x, const float *restrict dy,
         float *restrict dw, float *restrict db, float *restrict dx,
         float *restrict sum),
        {
          for (long j = 0; j < m; j++)
            for (long i = 0; i < n; i++)
              db[j] += dy[i * m + j];
          for (long j = 0; j < m; j++)
            for (long k = 0; k < m; k++)
              for (long i = 0; i < n; i++)
                dw[j * m + k] += dy[i * m + j] * x[i * m + k];
          for (long i = 0; i < n; i++)
            for (long j = 1; j < m; j++)
              dx[i * m + j] = dy[i * m + j] - dy[i * m + j - 1];
          for (long i = 0; i < n * m; i++)
            sum[0] += x[i];
          for (long i = 0; i < n * m; i++)
            sum[1] += dx[i] * dx[i];
        })

REGION (optimise,
        (long n, long m, float rate, float *restrict a, float *restrict b,
         float *restrict c, const float *restrict da, const float *restrict db,
         float *restrict va),
        {
          for (long i = 0; i < n; i++)
            va[i] = va[i] * 0.5f + da[i];
          for (long i = 0; i < m; i++)
            b[i] -= rate * db[i];
          for (long i = 0; i < n; i++)
            a[i] -= rate * va[n - 1 - i];
          for (long i = 0; i < 7; i++)
            c[i] = c[i] * 2 - 1;
          for (long i = 1; i < m; i++)
            c[i] += b[i - 1];
        })

REGION (rows,
        (long n, long m, const float *restrict x, float *restrict y,
         const float *restrict p, float *restrict q, float *restrict s),
        {
          for (long i = 0; i < n; i++)
            {
              float most = 0, all = 0;
              for (long j = 0; j < m; j++)
                most = x[i * m + j] > most ? x[i * m + j] : most;
              for (long j = 0; j < m; j++)
                all += x[i * m + j] - most;
              for (long j = 0; j < m; j++)
                y[i * m + j] = x[i * m + j] * 2 - all;
            }
          for (long i = 0; i < n; i++)
            {
              float all = 0;
              for (long j = 0; j < m; j++)
                all += p[i * m + j];
              for (long j = 0; j < m; j++)
                q[i * m + j] = p[i * m + j] + all;
            }
          for (long i = 0; i < m; i++)
            s[i] = i * 3;
        })

REGION (steps,
        (long n, long m, int t, float *restrict x, float *restrict y,
         float *restrict u, float *restrict v),
        {
          for (int k = 0; k < t; k++)
            {
              for (long i = 1; i < n - 1; i++)
                y[i] = x[i - 1] - x[i + 1] + k;
              for (long i = 1; i < m - 1; i++)
                v[i] = u[i + 1] - k;
              for (long i = 1; i < n - 1; i++)
                x[i] = y[i];
              for (long i = 1; i < m - 1; i++)
                u[i] = v[i] + v[i - 1];
            }
        })

REGION (known, (const float *restrict x, float *restrict y, double *restrict z),
        {
          for (int i = 0; i < 100; i++)
            y[2 * i] = x[i] * 3;
          for (int i = 0; i < 31; i++)
            z[i] = i;
          for (int i = 0; i < 37; i++)
            y[2 * i + 1] = z[30] + i;
        })

REGION (overlapping,
        (long n, float *a, const float *b, float *c, const float *d), {
          for (long i = 0; i < n; i++)
            a[i] = d[i] * 2;
          for (long i = 0; i < n; i++)
            c[i] = b[i] + 1;
        })

REGION (dozen,
        (long n, float *restrict a, float *restrict b, float *restrict c,
         float *restrict d, float *restrict e, float *restrict f,
         float *restrict g, float *restrict h, float *restrict k,
         float *restrict l, float *restrict m, float *restrict o),
        {
          for (long i = 0; i < n; i++)
            a[i] += 1;
          for (long i = 0; i < n - 1; i++)
            b[i] += 2;
          for (long i = 0; i < n - 2; i++)
            c[i] += 3;
          for (long i = 0; i < n - 3; i++)
            d[i] += 4;
          for (long i = 0; i < n - 4; i++)
            e[i] += 5;
          for (long i = 0; i < n - 5; i++)
            f[i] += 6;
          for (long i = 0; i < n - 6; i++)
            g[i] += 7;
          for (long i = 0; i < n - 7; i++)
            h[i] += 8;
          for (long i = 0; i < n - 8; i++)
            k[i] += 9;
          for (long i = 0; i < n - 9; i++)
            l[i] += 10;
          for (long i = 0; i < n - 10; i++)
            m[i] += a[i];
          for (long i = 0; i < n - 11; i++)
            o[i] += 12;
        })

#define ELEMENTS (MOST_BESIDE * MOST_BESIDE)

static float x[2][ELEMENTS], y[2][ELEMENTS], z[2][ELEMENTS], w[2][ELEMENTS];
static float v[2][ELEMENTS], u[2][ELEMENTS];
static double d[2][ELEMENTS], e[2][ELEMENTS];
static int c[2][ELEMENTS];

/* Twelve parts of A.  */
#define TWELVE(a)                                                              \
  PART (a, 0), PART (a, 1), PART (a, 2), PART (a, 3), PART (a, 4),             \
    PART (a, 5), PART (a, 6), PART (a, 7), PART (a, 8), PART (a, 9),           \
    PART (a, 10), PART (a, 11)
#define PART(a, k) (a)[W] + k *(ELEMENTS / 12)

/* Lengths N and M.  */
static void
check (long n, long m)
{
  FILL (x);
  FILL (y);
  FILL (z);
  FILL (w);
  FILL (v);
  FILL (u);
  FILL (d);
  FILL (e);
  FILL (c);
  BOTH (apart, n, m, x[W], y[W], d[W], e[W], c[W]);
  CHECK (y);
  CHECK (e);
  CHECK (c);
  BOTH (optimise, n, m, 0.5f, x[W], y[W], z[W], w[W], v[W], u[W]);
  CHECK (x);
  CHECK (y);
  CHECK (z);
  CHECK (u);
  BOTH (steps, n, m, 3, x[W], y[W], u[W], v[W]);
  CHECK (x);
  CHECK (u);
  BOTH (overlapping, n, x[W] + 1, x[W], y[W], z[W]);
  CHECK (y);
  BOTH (overlapping, n, x[W], x[W] + n, y[W], z[W]);
  CHECK (y);
  BOTH (dozen, n, TWELVE (u));
  CHECK (u);
  BOTH (known, x[W], y[W], d[W]);
  CHECK (y);
  CHECK (d);
}

/* N rows of M.  */
static void
check_rows (long n, long m)
{
  FILL (x);
  FILL (y);
  FILL (z);
  FILL (w);
  FILL (v);
  FILL (u);
  BOTH (layer, n, m, x[W], y[W], z[W], w[W], v[W], u[W]);
  CHECK (z);
  CHECK (w);
  CHECK (v);
  CHECK (u);
  BOTH (rows, n, m, x[W], y[W], z[W], w[W], v[W]);
  CHECK (y);
  CHECK (w);
  CHECK (v);
}

int
main (void)
{
  EACH_LENGTH (n)
  EACH_LENGTH (m)
  check ((long) n, (long) m);
  check (7000, 37);
  LAUNCHES (1, apart (100, 37, x[1], y[1], d[1], e[1], c[1]));
  LAUNCHES (1, apart (0, 31, x[1], y[1], d[1], e[1], c[1]));
  LAUNCHES (0, apart (0, 0, x[1], y[1], d[1], e[1], c[1]));
  LAUNCHES (1, apart (30000, 400, x[1], y[1], d[1], e[1], c[1]));
  LAUNCHES (2, optimise (100, 37, 1, x[1], y[1], z[1], w[1], v[1], u[1]));
  LAUNCHES (6, steps (100, 37, 3, x[1], y[1], u[1], v[1]));
  LAUNCHES (1, rows (37, 29, x[1], y[1], z[1], w[1], v[1]));
  check_rows (0, 3);
  check_rows (3, 0);
  check_rows (1, 1);
  check_rows (2, 31);
  check_rows (37, 29);
  check_rows (MOST_BESIDE, 41);
  return 0;
}
