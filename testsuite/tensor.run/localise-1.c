/* Shows that arrays which one nest sets, and of which each iteration of another
   one has an element, mean the same as variables: of rows, columns and what is
   left over, in a loop around both, under conditions, and those that live
   on.  */

#include "compare.h"

static NOINLINE void
plain_products (int n, float a[n][n], float b[n][n], float y[n][n])
{
  float t[n][n], s[n];
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      t[i][j] = 0;
  for (int i = 0; i < n; i++)
    s[i] = 2;
  for (int i = n - 1; i >= 0; i--)
    {
      for (int j = 1; j < n; j++)
        {
          for (int k = 0; k < n; k++)
            t[i][j] += a[i][k] * b[k][j];
          s[i] += t[i][j];
          y[j][i] = t[i][j] + s[i];
        }
      y[0][i] += s[i];
    }
}

static NOINLINE void
products (int n, float a[n][n], float b[n][n], float y[n][n])
{
#pragma tensor
  {
    float t[n][n], s[n];
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        t[i][j] = 0;
    for (int i = 0; i < n; i++)
      s[i] = 2;
    for (int i = n - 1; i >= 0; i--)
      {
        for (int j = 1; j < n; j++)
          {
            for (int k = 0; k < n; k++)
              t[i][j] += a[i][k] * b[k][j];
            s[i] += t[i][j];
            y[j][i] = t[i][j] + s[i];
          }
        y[0][i] += s[i];
      }
  }
}

static NOINLINE void
plain_steps (int n, double h, double x[n], double y[n])
{
  for (int r = 0; r < 3; r++)
    {
      double t[MOST + 1], kept[MOST + 1];
      for (int i = 0; i <= MOST; i++)
        t[i] = h;
      for (int i = 0; i <= MOST; i++)
        kept[i] = 1;
      for (int i = 0; i < n; i++)
        if (x[i] > 0)
          {
            t[i] += x[i];
            y[i] += t[i];
          }
      for (int q = 0; q < 2; q++)
        for (int i = 0; i < n; i++)
          {
            kept[i] += x[i];
            y[i] += kept[i];
          }
      x[0] += r;
    }
}

static NOINLINE void
steps (int n, double h, double x[n], double y[n])
{
#pragma tensor
  for (int r = 0; r < 3; r++)
    {
      double t[MOST + 1], kept[MOST + 1];
      for (int i = 0; i <= MOST; i++)
        t[i] = h;
      for (int i = 0; i <= MOST; i++)
        kept[i] = 1;
      for (int i = 0; i < n; i++)
        if (x[i] > 0)
          {
            t[i] += x[i];
            y[i] += t[i];
          }
      for (int q = 0; q < 2; q++)
        for (int i = 0; i < n; i++)
          {
            kept[i] += x[i];
            y[i] += kept[i];
          }
      x[0] += r;
    }
}

static float a[2][AREA], b[2][AREA], y[2][AREA];
static double u[2][MOST + 1], v[2][MOST + 1];

int
main (void)
{
  EACH_SIZE (n)
  {
    FILL (a);
    FILL (b);
    FILL (y);
    BOTH (products, n + 1, (void *) a[W], (void *) b[W], (void *) y[W]);
    CHECK (y);
    FILL (u);
    FILL (v);
    BOTH (steps, n, 5, u[W], v[W]);
    CHECK (u);
    CHECK (v);
  }
  return 0;
}
