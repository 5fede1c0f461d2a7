/* A check at run time lets the new loops run where arrays do not overlap, and
   the loops as written where they are the same or shifted by one either way:
   counted as fallbacks.  */
/* { dg-set-target-env-var TRM_PROFILE "json:guard-1.profile" } */
/* { dg-output "^$" } */
/* { dg-final { scan-file guard-1.profile "\"name\": \"near\",\[^\n\]*\"calls\": 5,\[^\n\]*\"fallbacks\": 0." } } */
/* { dg-final { scan-file guard-1.profile "\"name\": \"far\",\[^\n\]*\"calls\": 6,\[^\n\]*\"fallbacks\": 4." } } */
/* { dg-final { scan-file guard-1.profile "\"name\": \"grid\",\[^\n\]*\"calls\": 4,\[^\n\]*\"fallbacks\": 2." } } */

#include <stdlib.h>
#include <string.h>

#define N 60

static int v[3 * N], w[3 * N];

/* The loops as they are.  */
static void
plain (int *x, int *y, int n)
{
  for (int i = 0; i < n; i++)
    x[i] = 2 * y[i] + 1;
  for (int i = 0; i < n; i++)
    y[i] = x[i] - y[i];
}

static __attribute__ ((noinline)) void
far (int *x, int *y, int n)
{
#pragma tensor name("far")
  {
    for (int i = 0; i < n; i++)
      x[i] = 2 * y[i] + 1;
    for (int i = 0; i < n; i++)
      y[i] = x[i] - y[i];
  }
}

static __attribute__ ((noinline)) void
near (int *restrict x, int *restrict y, int n)
{
#pragma tensor name("near")
  {
    for (int i = 0; i < n; i++)
      x[i] = 2 * y[i] + 1;
    for (int i = 0; i < n; i++)
      y[i] = x[i] - y[i];
  }
}

static __attribute__ ((noinline)) void
grid (int n, int m, int (*to)[m], int (*from)[m])
{
#pragma tensor name("grid")
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      to[i][j] = from[i][j] + from[i][0];
}

/* FAR on x = v + X, y = v + Y must do what the plain loops do.  */
static void
try (int x, int y, int n)
{
  for (int i = 0; i < 3 * N; i++)
    v[i] = w[i] = 7 * i % 11;
  plain (w + x, w + y, n);
  far (v + x, v + y, n);
  if (memcmp (v, w, sizeof v))
    abort ();
}

int
main (void)
{
  try (0, N, N);
  try (N, 0, N);
  try (0, 0, N);
  try (0, 1, N);
  try (1, 0, N);
  try (0, N - 1, N);
  for (int k = 0; k < 5; k++)
    near (v, v + N, N - k);
  grid (5, 12, (int (*)[12]) v, (int (*)[12]) w);
  grid (5, 12, (int (*)[12]) v, (int (*)[12]) (v + 60));
  grid (5, 12, (int (*)[12]) v, (int (*)[12]) (v + 59));
  grid (5, 12, (int (*)[12]) (v + 12), (int (*)[12]) v);
  return 0;
}
