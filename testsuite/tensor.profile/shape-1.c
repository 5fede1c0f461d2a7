/* A profile by shape tells calls of other sizes apart: numbers that bound loops
   or are in the shape of arrays, members of structures, too; an offset is no
   size.  Under check the same.  */
/* { dg-set-target-env-var TRM_PROFILE "json:shape-1.profile,by=shape" } */
/* { dg-output "^$" } */
/* { dg-final { scan-file shape-1.profile "\"name\": \"mul n=20 m=30\",\[^\n\]*\"calls\": 2,\[^\n\]*\"flops\": 1200,\[^\n\]*\"sizes\": .\"n\": 20, \"m\": 30., \"others\": .." } } */
/* { dg-final { scan-file shape-1.profile "\"name\": \"mul n=3 m=4\",\[^\n\]*\"calls\": 1,\[^\n\]*\"flops\": 12," } } */
/* { dg-final { scan-file shape-1.profile "\"name\": \"part n=40\",\[^\n\]*\"calls\": 3,\[^\n\]*\"sizes\": .\"n\": 40., \"others\": .\"from\": 2." } } */
/* { dg-final { scan-file shape-1.profile "\"name\": \"rows g_rows=8 g_stride=16\",\[^\n\]*\"calls\": 1," } } */

#include <stdlib.h>

static float x[600], y[600];

struct grid
{
  int rows, stride;
  float *at;
};

static __attribute__ ((noinline)) void
mul (int n, int m, float a[restrict n][m], const float b[restrict n][m])
{
#pragma tensor name("mul")
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = b[i][j] * 2.0f;
}

static __attribute__ ((noinline)) void
part (int n, int from)
{
#pragma tensor name("part") check
  for (int i = 0; i < n; i++)
    y[i + from] = x[i] + 1;
}

static __attribute__ ((noinline)) void
rows (struct grid *g)
{
#pragma tensor name("rows")
  for (int i = 0; i < g->rows; i++)
    for (int j = 0; j < 12; j++)
      g->at[i * g->stride + j] = 3;
}

int
main (void)
{
  struct grid g = { 8, 16, y };
  for (int i = 0; i < 600; i++)
    x[i] = i;
  mul (20, 30, (void *) y, (void *) x);
  mul (20, 30, (void *) y, (void *) x);
  mul (3, 4, (void *) y, (void *) x);
  for (int i = 0; i < 3; i++)
    part (40, i);
  rows (&g);
  return y[31] == 30 && y[7 * 16 + 11] == 3 && y[599] == 2 * 599 ? 0 : 1;
}
