/* Shows that bodies that attract each other, a Mandelbrot set with a fixed
   number of steps and Life mean the same.  */

#include "compare.h"

static NOINLINE void
plain_attract (const float *px, const float *py, float *ax, float *ay, int n)
{
  for (int i = 0; i < n; i++)
    {
      float fx = 0, fy = 0;
      for (int j = 0; j < n; j++)
        {
          float dx = px[j] - px[i];
          float dy = py[j] - py[i];
          float r = 1 / sqrtf (dx * dx + dy * dy + 0.01f);
          fx += dx * r * r * r;
          fy += dy * r * r * r;
        }
      ax[i] = fx;
      ay[i] = fy;
    }
}

static NOINLINE void
plain_mandelbrot (int *out, int n, int m)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        int cr = j * 64 / m - 40, ci = i * 64 / n - 32;
        int zr = 0, zi = 0, steps = 0;
        for (int t = 0; t < 12; t++)
          if (zr * zr + zi * zi < 4096)
            {
              int next_r = (zr * zr - zi * zi) / 32 + cr;
              zi = zr * zi / 16 + ci;
              zr = next_r;
              steps++;
            }
        out[i * m + j] = steps;
      }
}

static NOINLINE void
plain_life (int n, int m, const unsigned char a[n][m], unsigned char b[n][m])
{
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      {
        int k = a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1]
                + a[i][j + 1] + a[i + 1][j - 1] + a[i + 1][j] + a[i + 1][j + 1];
        b[i][j] = k == 3 || (k == 2 && a[i][j]);
      }
}

static NOINLINE void
plain_step (float *restrict x, float *restrict v, const float *restrict f,
            int n, float dt)
{
  for (int i = 0; i < n; i++)
    {
      v[i] += dt * f[i];
      x[i] += dt * v[i];
      if (x[i] < 0)
        {
          x[i] = -x[i];
          v[i] = -v[i];
        }
    }
}

static NOINLINE void
attract (const float *px, const float *py, float *ax, float *ay, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float fx = 0, fy = 0;
      for (int j = 0; j < n; j++)
        {
          float dx = px[j] - px[i];
          float dy = py[j] - py[i];
          float r = 1 / sqrtf (dx * dx + dy * dy + 0.01f);
          fx += dx * r * r * r;
          fy += dy * r * r * r;
        }
      ax[i] = fx;
      ay[i] = fy;
    }
}

static NOINLINE void
mandelbrot (int *out, int n, int m)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        int cr = j * 64 / m - 40, ci = i * 64 / n - 32;
        int zr = 0, zi = 0, steps = 0;
        for (int t = 0; t < 12; t++)
          if (zr * zr + zi * zi < 4096)
            {
              int next_r = (zr * zr - zi * zi) / 32 + cr;
              zi = zr * zi / 16 + ci;
              zr = next_r;
              steps++;
            }
        out[i * m + j] = steps;
      }
}

static NOINLINE void
life (int n, int m, const unsigned char a[n][m], unsigned char b[n][m])
{
#pragma tensor
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      {
        int k = a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1]
                + a[i][j + 1] + a[i + 1][j - 1] + a[i + 1][j] + a[i + 1][j + 1];
        b[i][j] = k == 3 || (k == 2 && a[i][j]);
      }
}

static NOINLINE void
step (float *restrict x, float *restrict v, const float *restrict f, int n,
      float dt)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      v[i] += dt * f[i];
      x[i] += dt * v[i];
      if (x[i] < 0)
        {
          x[i] = -x[i];
          v[i] = -v[i];
        }
    }
}

static float a[2][128], b[2][128], c[2][128], d[2][128];
static int o[2][AREA];
static unsigned char p[2][AREA], q[2][AREA];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL_REAL (a);
    FILL_REAL (b);
    BOTH (attract, a[W], b[W], c[W], d[W], n);
    CHECK_NEAR (c, 1e-4);
    CHECK_NEAR (d, 1e-4);
    FILL (a);
    FILL (b);
    FILL (c);
    BOTH (step, a[W], b[W], c[W], n, 2);
    CHECK (a);
    CHECK (b);
  }
  EACH_SMALL (n)
  EACH_SMALL_TOO (m)
  {
    FILL (o);
    BOTH (mandelbrot, o[W], n, m);
    CHECK (o);
    FILL_BELOW (p, 2);
    FILL_BELOW (q, 2);
    BOTH (life, n, m, (void *) p[W], (void *) q[W]);
    CHECK (q);
  }
  return 0;
}
