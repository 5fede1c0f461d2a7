/* Shows that lanes along records that are read once and compared with many
   others mean the same: the nearest of some centres, forces between points,
   and a record that a loop inside changes, which has no lanes there.  */

#include "compare.h"

typedef struct body
{
  float x, y, z, mass;
} body;

static NOINLINE void
plain_nearest (int *label, const float *x, const float *c, int n, int k)
{
  for (int i = 0; i < n; i++)
    {
      float best = 1e30f;
      int at = 0;
      for (int q = 0; q < k; q++)
        {
          float s = 0;
          for (int j = 0; j < 8; j++)
            s += (x[i * 8 + j] - c[q * 8 + j]) * (x[i * 8 + j] - c[q * 8 + j]);
          if (s < best)
            {
              best = s;
              at = q;
            }
        }
      label[i] = at;
    }
}

static NOINLINE void
nearest (int *restrict label, const float *restrict x, const float *restrict c,
         int n, int k)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float best = 1e30f;
      int at = 0;
      for (int q = 0; q < k; q++)
        {
          float s = 0;
          for (int j = 0; j < 8; j++)
            s += (x[i * 8 + j] - c[q * 8 + j]) * (x[i * 8 + j] - c[q * 8 + j]);
          if (s < best)
            {
              best = s;
              at = q;
            }
        }
      label[i] = at;
    }
}

static NOINLINE void
plain_pull (float *a, const body *b, int n)
{
  for (int i = 0; i < n; i++)
    {
      float sum = 0;
      for (int j = 0; j < n; j++)
        {
          float dx = b[j].x - b[i].x, dy = b[j].y - b[i].y;
          sum += b[j].mass * dx / (1 + dx * dx + dy * dy);
        }
      a[i] = sum;
    }
}

static NOINLINE void
pull (float *restrict a, const body *restrict b, int n)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float sum = 0;
      for (int j = 0; j < n; j++)
        {
          float dx = b[j].x - b[i].x, dy = b[j].y - b[i].y;
          sum += b[j].mass * dx / (1 + dx * dx + dy * dy);
        }
      a[i] = sum;
    }
}

static NOINLINE void
plain_settle (int *to, int *x, const int *c, int n, int k)
{
  for (int i = 0; i < n; i++)
    {
      int s = 0;
      for (int q = 0; q < k; q++)
        {
          s = s * 3 + x[i * 3] * c[q];
          x[i * 3] = s & 15;
        }
      to[i] = s;
    }
}

static NOINLINE void
settle (int *restrict to, int *restrict x, const int *restrict c, int n, int k)
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      int s = 0;
      for (int q = 0; q < k; q++)
        {
          s = s * 3 + x[i * 3] * c[q];
          x[i * 3] = s & 15;
        }
      to[i] = s;
    }
}

static int label[2][MOST], c3[MOST], x3[2][MOST * 3];
static float x[2][MOST * 8], c[2][MOST * 8], a[2][MOST];
static body b[2][MOST];

int
main (void)
{
  FILL (x);
  FILL (c);
  FILL_REAL (a);
  for (int k = 0; k < MOST; k++)
    {
      b[0][k] = b[1][k] = (body){ a[0][k], c[0][k], x[0][k], k % 5 };
      c3[k] = k % 7 - 3;
    }
  EACH_SIZE (n)
  {
    for (int k = 0; k < 12; k += k < 3 ? 1 : 4)
      {
        FILL (label);
        FILL (x3);
        BOTH (nearest, label[W], x[W], c[W], n, k);
        CHECK (label);
        BOTH (settle, label[W], x3[W], c3, n, k);
        CHECK (label);
        CHECK (x3);
      }
    BOTH (pull, a[W], b[W], n);
    CHECK_NEAR (a, 1e-4);
  }
  return 0;
}
