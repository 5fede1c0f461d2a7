/* call: memory whose size is not known when the region begins, that is freed in
   the middle, or that the region did not get.  */

#include <stdlib.h>

static float x[8] = { 1, 2, 3, 4, 3, 2, 1, 1 }, y[8];
static int k[8] = { 1, 2, 3, 4, 3, 2, 1, 1 };

static void
f (int n, float *u)
{
#pragma tensor /* { dg-missed "the call of malloc " } */
  for (int i = 0; i < n; i++)
    {
      float *t = malloc (k[i] * sizeof *t);
      for (int j = 0; j < k[i]; j++)
        t[j] = x[i];
      y[i] = t[k[i] - 1];
      free (t);
    }
#pragma tensor /* { dg-missed "the call of malloc " } */
  {
    float *t = malloc (n + 33);
    for (int i = 0; i < n; i++)
      t[i] = x[i];
    for (int i = 0; i < n; i++)
      y[i] += t[i];
    free (t);
  }
#pragma tensor /* { dg-missed "the call of free " } */
  {
    for (int i = 0; i < n; i++)
      y[i] += u[i];
    free (u);
  }
#pragma tensor /* { dg-missed "the call of free " } */
  {
    float *t = calloc (n, sizeof *t);
    t++;
    for (int i = 1; i < n; i++)
      y[i] += t[i - 1];
    free (t - 1);
  }
}

int
main (void)
{
  float *u = calloc (8, sizeof *u);
  f (8, u);
  return y[3] != 8 || y[7] != 2;
}
