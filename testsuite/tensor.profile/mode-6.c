/* TRM_MODE=original runs the loops as written, which find the size of an array
   that they declare though the region was not asked for it.  */
/* { dg-tensor-opts "check" } */
/* { dg-set-target-env-var TRM_MODE "original" } */
/* { dg-output "^$" } */

#define MOST 40

static float a[MOST][MOST];
static float b[MOST][MOST];

__attribute__ ((noinline)) static void
turn (int n, int m, float x[n][m], float y[n][m])
{
#pragma tensor
  for (int i = 0; i < n; i++)
    {
      float t[m + 1];
      for (int j = 0; j < m; j++)
        t[j] = x[i][m - 1 - j];
      for (int j = 0; j < m; j++)
        y[i][j] += t[j] * 2;
    }
}

int
main (void)
{
  for (int i = 0; i < MOST; i++)
    for (int j = 0; j < MOST; j++)
      a[i][j] = (float) (i + j);
  turn (MOST, MOST, a, b);
  for (int i = 0; i < MOST; i++)
    for (int j = 0; j < MOST; j++)
      if (b[i][j] != 2 * a[i][MOST - 1 - j])
        return 1;
  return 0;
}
