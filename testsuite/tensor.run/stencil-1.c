/* Shows that stencils with time loops, in place and between two arrays,
   mean the same.  */

#include "compare.h"

static NOINLINE void
plain_jacobi_1d (int steps, int n, int *a, int *b)
{
  for (int t = 0; t < steps; t++)
    {
      for (int i = 1; i < n - 1; i++)
        b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
      for (int i = 1; i < n - 1; i++)
        a[i] = (b[i - 1] + b[i] + b[i + 1]) / 3;
    }
}

static NOINLINE void
plain_heat (int steps, int n, int m, int a[n][m], int b[n][m])
{
  for (int t = 0; t < steps; t++)
    {
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
          b[i][j] = (4 * a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1]
                     + a[i][j + 1])
                    >> 3;
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
          a[i][j] = b[i][j];
    }
}

static NOINLINE void
plain_seidel (int steps, int n, int m, int *a)
{
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a[i * m + j] = (a[i * m + j] + a[i * m + j - 1] + a[i * m + j + 1]
                        + a[(i - 1) * m + j] + a[(i + 1) * m + j])
                       / 5;
}

static NOINLINE void
plain_red_black (int n, int m, int a[n][m])
{
  for (int color = 0; color < 2; color++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        if ((i + j) % 2 == color)
          a[i][j] = (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) / 4;
}

static NOINLINE void
plain_wave (int n, int *restrict before, int *restrict now, int *restrict after)
{
  {
    for (int i = 1; i < n - 1; i++)
      after[i] = 2 * now[i] - before[i]
                 + ((now[i - 1] - 2 * now[i] + now[i + 1]) >> 2);
    for (int i = 0; i < n; i++)
      {
        before[i] = now[i];
        now[i] = after[i];
      }
  }
}

static NOINLINE void
plain_shift_down (int *x, int n)
{
  for (int i = 0; i < n - 1; i++)
    x[i] = x[i + 1] + 1;
}

static NOINLINE void
plain_shift_up (int *x, int n)
{
  for (int i = n - 1; i > 0; i--)
    x[i] = x[i - 1] * 2;
}

static NOINLINE void
plain_recurrence (unsigned *x, int n)
{
  for (int i = 3; i < n; i++)
    x[i] += x[i - 3] * 5;
}

static NOINLINE void
plain_three_d (int n, int a[n][n][n], int b[n][n][n])
{
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++)
        b[i][j][k] = a[i + 1][j][k] + a[i - 1][j][k] + a[i][j + 1][k]
                     + a[i][j - 1][k] + a[i][j][k + 1] + a[i][j][k - 1]
                     - 6 * a[i][j][k];
}

static NOINLINE void
jacobi_1d (int steps, int n, int *a, int *b)
{
#pragma tensor
  for (int t = 0; t < steps; t++)
    {
      for (int i = 1; i < n - 1; i++)
        b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
      for (int i = 1; i < n - 1; i++)
        a[i] = (b[i - 1] + b[i] + b[i + 1]) / 3;
    }
}

static NOINLINE void
heat (int steps, int n, int m, int a[n][m], int b[n][m])
{
#pragma tensor
  for (int t = 0; t < steps; t++)
    {
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
          b[i][j] = (4 * a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1]
                     + a[i][j + 1])
                    >> 3;
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
          a[i][j] = b[i][j];
    }
}

static NOINLINE void
seidel (int steps, int n, int m, int *a)
{
#pragma tensor
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a[i * m + j] = (a[i * m + j] + a[i * m + j - 1] + a[i * m + j + 1]
                        + a[(i - 1) * m + j] + a[(i + 1) * m + j])
                       / 5;
}

static NOINLINE void
red_black (int n, int m, int a[n][m])
{
#pragma tensor
  for (int color = 0; color < 2; color++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        if ((i + j) % 2 == color)
          a[i][j] = (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) / 4;
}

static NOINLINE void
wave (int n, int *restrict before, int *restrict now, int *restrict after)
{
#pragma tensor
  {
    for (int i = 1; i < n - 1; i++)
      after[i] = 2 * now[i] - before[i]
                 + ((now[i - 1] - 2 * now[i] + now[i + 1]) >> 2);
    for (int i = 0; i < n; i++)
      {
        before[i] = now[i];
        now[i] = after[i];
      }
  }
}

static NOINLINE void
shift_down (int *x, int n)
{
#pragma tensor
  for (int i = 0; i < n - 1; i++)
    x[i] = x[i + 1] + 1;
}

static NOINLINE void
shift_up (int *x, int n)
{
#pragma tensor
  for (int i = n - 1; i > 0; i--)
    x[i] = x[i - 1] * 2;
}

static NOINLINE void
recurrence (unsigned *x, int n)
{
#pragma tensor
  for (int i = 3; i < n; i++)
    x[i] += x[i - 3] * 5;
}

static NOINLINE void
three_d (int n, int a[n][n][n], int b[n][n][n])
{
#pragma tensor
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++)
        b[i][j][k] = a[i + 1][j][k] + a[i - 1][j][k] + a[i][j + 1][k]
                     + a[i][j - 1][k] + a[i][j][k + 1] + a[i][j][k - 1]
                     - 6 * a[i][j][k];
}

static int a[2][33 * 33 * 33], b[2][33 * 33 * 33];
static int p[2][128], q[2][128], r[2][128];
static unsigned u[2][128];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL_BELOW (p, 10000);
    FILL_BELOW (q, 10000);
    FILL_BELOW (r, 10000);
    FILL (u);
    for (int steps = 0; steps < 5; steps++)
      BOTH (jacobi_1d, steps, n, p[W], q[W]);
    CHECK (p);
    CHECK (q);
    BOTH (wave, n, p[W], q[W], r[W]);
    CHECK (p);
    CHECK (q);
    CHECK (r);
    BOTH (shift_down, p[W], n);
    CHECK (p);
    FILL_BELOW (p, 10);
    BOTH (recurrence, u[W], n);
    CHECK (u);
    for (int i = 0; i < 2; i++)
      for (int k = 0; k < 128; k++)
        p[i][k] = k % 3;
    BOTH (shift_up, p[W], n);
    CHECK (p);
    EACH_WIDTH (m)
    {
      FILL_BELOW (a, 1000);
      FILL_BELOW (b, 1000);
      BOTH (heat, 3, n, m, (void *) a[W], (void *) b[W]);
      CHECK (a);
      CHECK (b);
      BOTH (seidel, 3, n, m, a[W]);
      CHECK (a);
      BOTH (red_black, n, m, (void *) a[W]);
      CHECK (a);
    }
  }
  EACH_SMALL (n)
  {
    FILL (a);
    FILL (b);
    BOTH (three_d, n, (void *) a[W], (void *) b[W]);
    CHECK (b);
  }
  return 0;
}
