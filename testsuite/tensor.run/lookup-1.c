/* Tables: small elements that are looked up by what memory holds, of constant
   tables and of others, and numbers that may be none beside extremes.  */

#include <math.h>
#include <stdlib.h>

#define N 517

static const unsigned char gamma_of[256] = { 9, 200, 3, [77] = 78, [255] = 1 };
static short wide[256];
static unsigned char x[N][N], y[N][N], z[N][N];
static short w[N][N];
static float a[N], b[N], least[N], most[N];

static int
check_tables (void)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      if (y[i][j] != gamma_of[x[i][j]] || w[i][j] != wide[z[i][j]])
        return 1;
  return 0;
}

static int
same (float u, float v)
{
  return u == v || (isnan (u) && isnan (v));
}

static int
check_extremes (void)
{
  for (int i = 0; i < N; i++)
    {
      volatile float u = a[i], v = b[i];
      if (!same (least[i], fminf (u, v)) || !same (most[i], fmaxf (u, v)))
        return 1;
    }
  return 0;
}

int
main (void)
{
  static const float special[]
    = { NAN, -NAN, INFINITY, -INFINITY, 1, -1, 0, 3e-40f, 2, 1e38f };
  for (int k = 0; k < 256; k++)
    wide[k] = (short) (k * 311);
  for (int i = 0; i < N; i++)
    {
      a[i] = special[i % 10];
      b[i] = special[i / 10 % 10];
      for (int j = 0; j < N; j++)
        {
          x[i][j] = (unsigned char) (i * 7 + j);
          z[i][j] = (unsigned char) (i - j * 3);
        }
    }
#pragma tensor
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      {
        y[i][j] = gamma_of[x[i][j]];
        w[i][j] = wide[z[i][j]];
      }
#pragma tensor
  for (int i = 0; i < N; i++)
    {
      least[i] = fminf (a[i], b[i]);
      most[i] = fmaxf (a[i], b[i]);
    }
  return check_tables () || check_extremes ();
}
