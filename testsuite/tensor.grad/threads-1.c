/* { dg-tensor-opts "parallel-threshold=1" } */

/* Shows gradients with the same bits whatever the number of threads: 80 runs
   of each with 1, 2, 4 and 8.  */

#include <stdio.h>
#include <math.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

typedef float real;

enum
{
  N = 3,
  C = 5,
  K = 6,
  H = 14,
  P = H + 2,
  ROOM = 8192
};

static void
convolution (const real x[N][C][P][P], const real w[K][C][3][3],
             real y[restrict N][K][H][H])
{
  for (int n = 0; n < N; n++)
    for (int k = 0; k < K; k++)
      for (int h = 0; h < H; h++)
        for (int i = 0; i < H; i++)
          {
            real s = 0;
            for (int c = 0; c < C; c++)
              for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++)
                  s += x[n][c][h + p][i + q] * w[k][c][p][q];
            y[n][k][h][i] = s;
          }
}

#pragma tensor gradient(convolution) of(y: dy) wrt(x: dx, w: dw)
void convolution_gradient (const real x[N][C][P][P], const real w[K][C][3][3],
                           const real dy[restrict N][K][H][H],
                           real dx[restrict N][C][P][P],
                           real dw[restrict K][C][3][3]);

static void
embedding (int m, int c, const int *at, const real x[][c],
           real y[restrict m][c])
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < c; j++)
      y[i][j] = x[at[i]][j];
}

#pragma tensor gradient(embedding) of(y: dy) wrt(x: dx)
void embedding_gradient (int m, int c, const int *at, const real x[][c],
                         const real dy[restrict m][c], real dx[restrict][c]);

static void
softmax (int m, int c, const real x[m][c], real y[restrict m][c])
{
  for (int i = 0; i < m; i++)
    {
      real most = -1e30f, z = 0;
      for (int j = 0; j < c; j++)
        most = x[i][j] > most ? x[i][j] : most;
      for (int j = 0; j < c; j++)
        z += expf (x[i][j] - most);
      for (int j = 0; j < c; j++)
        y[i][j] = expf (x[i][j] - most) / z;
    }
}

#pragma tensor gradient(softmax) of(y: dy) wrt(x: dx)
void softmax_gradient (int m, int c, const real x[m][c],
                       const real dy[restrict m][c], real dx[restrict m][c]);

static void
stencil (int m, const real x[m][m], const real w[5], real y[restrict m][m])
{
  for (int i = 1; i < m - 1; i++)
    for (int j = 1; j < m - 1; j++)
      y[i][j] = w[0] * x[i][j] + w[1] * x[i - 1][j] + w[2] * x[i + 1][j]
                + w[3] * x[i][j - 1] + w[4] * x[i][j + 1];
}

#pragma tensor gradient(stencil) of(y: dy) wrt(x: dx, w: dw)
void stencil_gradient (int m, const real x[m][m], const real w[5],
                       const real dy[restrict m][m], real dx[restrict m][m],
                       real dw[restrict 5]);

static void
histogram (int m, const int *at, const real x[restrict 16],
           real y[restrict m])
{
  for (int i = 0; i < m; i++)
    y[i] = x[at[i] & 15] * x[at[i] & 15];
}

#pragma tensor gradient(histogram) of(y: dy) wrt(x: dx)
void histogram_gradient (int m, const int *at, const real x[restrict 16],
                         const real dy[restrict m], real dx[restrict 16]);

static void
product (int m, const real x[m][m], const real w[m][m], real y[restrict m][m])
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      {
        real s = 0;
        for (int k = 0; k < m; k++)
          s += x[i][k] * w[k][j];
        y[i][j] = tanhf (s);
      }
}

#pragma tensor gradient(product) of(y: dy) wrt(x: dx, w: dw)
void product_gradient (int m, const real x[m][m], const real w[m][m],
                       const real dy[restrict m][m], real dx[restrict m][m],
                       real dw[restrict m][m]);

static real x[ROOM], w[ROOM], u[ROOM];
static int at[ROOM];

/* All gradients, one behind the other's room.  */
static void
run (real g[10][ROOM])
{
  memset (g, 0, 10 * sizeof *g);
  convolution_gradient ((void *) x, (void *) w, (void *) u, (void *) g[0],
                        (void *) g[1]);
  embedding_gradient (512, 7, at, (void *) x, (void *) u, (void *) g[2]);
  softmax_gradient (63, 65, (void *) x, (void *) u, (void *) g[3]);
  stencil_gradient (61, (void *) x, w, (void *) u, (void *) g[4], g[5]);
  histogram_gradient (4000, at, x, u, g[6]);
  product_gradient (62, (void *) x, (void *) w, (void *) u, (void *) g[7],
                    (void *) g[8]);
}

int
main (void)
{
  static const int threads[] = { 1, 2, 4, 8 };
  static real first[10][ROOM], again[10][ROOM];
  unsigned state = 1;
  int faults = 0;
  for (int e = 0; e < ROOM; e++)
    {
      state = state * 1103515245u + 12345u;
      x[e] = (real) (state >> 8 & 0xffff) / 65536 - 0.5f;
      w[e] = (real) (state >> 12 & 0xffff) / 65536 - 0.5f;
      u[e] = (real) (state >> 10 & 0xffff) / 65536 - 0.5f;
      at[e] = state >> 9 & 1023;
    }
  run (first);
  for (int k = 0; k < 80; k++)
    {
#ifdef _OPENMP
      omp_set_num_threads (threads[k % 4]);
#endif
      run (again);
      if (memcmp (first, again, sizeof first))
        {
          printf ("run %d, %d threads: other bits\n", k, threads[k % 4]);
          faults++;
        }
    }
  return faults != 0;
}
